//! `pithead world`: the embedded world without playing: maps, views, places of items, ways to obtain them.
//!
//! Invariant: this is for people; no agent gets to know any of it.

mod how;
mod thing;

use self::how::HowArgs;
use self::thing::Thing;
use crate::cli::options::parse_seed;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_stdout, text_table, to_json};
use pithead_core::text::numbers::{count_with_noun, format_blocks};
use pithead_world::space::{Point, Pos};
use pithead_world::trade::Profession;
use pithead_world::voxel::find::{self, BlockSearch, VillageFound};
use pithead_world::voxel::grid::Grid;
use pithead_world::voxel::map;
use pithead_world::voxel::springs;
use pithead_world::voxel::terrain::spawn::spawn_point;
use pithead_world::voxel::view::picture::{Picture, Size};
use pithead_world::voxel::view::{self, Camera, FOV, ViewConditions};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Chunks generated around a camera: as far as the view reaches.
const VIEW_CHUNKS: i32 = 10;
/// Height of the eyes above the feet, in blocks.
const EYES: f64 = 1.62;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Draw the terrain from above, or one layer of it
    Map(MapArgs),
    /// Draw the view from a place
    View(ViewArgs),
    /// Find an item's blocks, or villages, nearest to spawn first
    Find(FindArgs),
    /// List every way to obtain an item
    How(HowArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct MapArgs {
    /// The seed of the world
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = parse_seed)]
    seed: u64,
    /// The centre [default: spawn]
    #[arg(long, num_args = 2, value_names = ["X", "Z"], allow_negative_numbers = true)]
    at: Option<Vec<i32>>,
    /// Chunks on each side of the centre
    #[arg(long, value_name = "CHUNKS", default_value_t = 8, value_parser = chunks())]
    radius: i32,
    /// Draw the layer at this height instead of the surface
    #[arg(long, value_name = "Y", value_parser = clap::value_parser!(i32).range(0..=255))]
    slice: Option<i32>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    png: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ViewArgs {
    /// The seed of the world
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = parse_seed)]
    seed: u64,
    /// The position of the feet [default: spawn]
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_negative_numbers = true)]
    at: Option<Vec<f64>>,
    /// Direction in degrees, clockwise from south
    #[arg(long, value_name = "DEGREES", default_value_t = 0.0, value_parser = parse_yaw, allow_negative_numbers = true)]
    yaw: f32,
    /// Inclination in degrees, -90 to 90; 90 is straight down
    #[arg(long, value_name = "DEGREES", default_value_t = 5.0, value_parser = parse_pitch, allow_negative_numbers = true)]
    pitch: f32,
    /// Time of day, 0 to 23999; 0 is sunrise
    #[arg(long, value_name = "TICKS", default_value_t = 3000, value_parser = clap::value_parser!(u32).range(0..24_000))]
    time: u32,
    /// Draw the small square picture that minds get
    #[arg(long)]
    small: bool,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    png: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct FindArgs {
    /// An item, a family such as #logs, a block, `village`, or a trade such as `farmer`
    #[arg(value_name = "ITEM")]
    item: Thing,
    /// The seed of the world
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = parse_seed)]
    seed: u64,
    /// List at most this many places
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A direction; whole turns more are as well.
fn parse_yaw(text: &str) -> Result<f32, &'static str> {
    let degrees: Option<f32> = text.parse().ok();
    degrees
        .filter(|degrees| degrees.is_finite())
        .ok_or("give a number of degrees: 0 looks south, 90 west")
}

/// A head turns no further than straight up and straight down.
fn parse_pitch(text: &str) -> Result<f32, &'static str> {
    let degrees: Option<f32> = text.parse().ok();
    degrees
        .filter(|degrees| (-90.0..=90.0).contains(degrees))
        .ok_or("give -90 (straight up) to 90 (straight down) degrees")
}

fn chunks() -> clap::builder::RangedI64ValueParser<i32> {
    clap::value_parser!(i32).range(0..=i64::from(map::RADIUS_MAX))
}

pub(crate) fn perform(command: &Command) -> Result<ExitStatus, CommandError> {
    let text = match command {
        Command::Map(args) => draw_map(args)?,
        Command::View(args) => draw_view(args)?,
        Command::Find(args) => find(args)?,
        Command::How(args) => how::list_ways(args)?,
    };
    print_stdout(&text);
    Ok(ExitStatus::Done)
}

/// What was drawn; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Drawn<'a> {
    seed: u64,
    png: &'a Path,
    size: Size,
    /// The middle of a map, the feet of who looks at a view.
    at: Point,
    /// Where that one's eyes are, in views.
    #[serde(skip_serializing_if = "Option::is_none")]
    eye: Option<Point>,
    biome: &'static str,
    /// Columns of the upper left pixel, on maps.
    corner: Option<(i32, i32)>,
}

fn draw_map(args: &MapArgs) -> Result<String, CommandError> {
    let mut grid = Grid::new(args.seed);
    let centre = match args.at.as_deref() {
        Some([x, z]) => Pos::new(*x, 0, *z),
        _ => spawn_point(&mut grid),
    };
    within(centre.centre())?;
    let picture = match args.slice {
        Some(y) => map::slice(&mut grid, centre, args.radius, y),
        None => map::top_down(&mut grid, centre, args.radius),
    };
    write(&picture, &args.png)?;
    let drawn = Drawn {
        seed: args.seed,
        png: &args.png,
        size: picture.size(),
        at: centre.centre(),
        eye: None,
        biome: biome(&grid, centre),
        corner: Some(map::corner(centre, args.radius)),
    };
    drawn_text(&drawn, args.json)
}

fn draw_view(args: &ViewArgs) -> Result<String, CommandError> {
    let mut grid = Grid::new(args.seed);
    let feet = match args.at.as_deref() {
        Some([x, y, z]) => Point::new(*x, *y, *z),
        _ => spawn_point(&mut grid).floor(),
    };
    within(feet)?;
    let eye = eyes_of(feet);
    grid.ensure_around(eye.block(), VIEW_CHUNKS);
    let fluids = springs::run_around(&mut grid, eye.block(), VIEW_CHUNKS);
    let camera = Camera {
        eye,
        yaw: args.yaw,
        pitch: args.pitch,
        fov: FOV,
    };
    let scene = ViewConditions {
        hour: args.time,
        reach: VIEW_CHUNKS * 16,
        fluids: Some(&fluids),
        ..ViewConditions::NOON
    };
    let size = if args.small { Size::MIND } else { Size::PEOPLE };
    let picture = view::render(&grid, &camera, size, &scene);
    write(&picture, &args.png)?;
    let biome = biome(&grid, eye.block());
    drawn_text(&viewed(args, feet, size, biome), args.json)
}

fn viewed<'a>(args: &'a ViewArgs, feet: Point, size: Size, biome: &'static str) -> Drawn<'a> {
    Drawn {
        seed: args.seed,
        png: &args.png,
        size,
        at: feet,
        eye: Some(eyes_of(feet)),
        biome,
        corner: None,
    }
}

fn eyes_of(feet: Point) -> Point {
    feet.plus(0.0, EYES, 0.0)
}

/// Beyond the edge the coordinates of the world overflow.
fn within(place: Point) -> Result<(), CommandError> {
    const EDGE: f64 = 30_000_000.0;
    let inside = place.is_finite() && [place.x, place.y, place.z].iter().all(|v| v.abs() <= EDGE);
    if inside {
        Ok(())
    } else {
        Err(CommandError::usage(
            "--at must lie within 30,000,000 blocks of the centre of the world",
        ))
    }
}

fn biome(grid: &Grid, at: Pos) -> &'static str {
    grid.generator()
        .map_or("none", |generator| generator.biome(at.x, at.z).name())
}

fn write(picture: &Picture, file: &Path) -> Result<(), CommandError> {
    let bytes = picture.to_png().map_err(CommandError::unavailable)?;
    std::fs::write(file, bytes).map_err(|error| {
        CommandError::unavailable(format!("could not write {}: {error}", file.display()))
    })
}

fn drawn_text(drawn: &Drawn<'_>, json: bool) -> Result<String, CommandError> {
    if json {
        return to_json(drawn);
    }
    let Drawn {
        seed,
        png,
        size,
        at,
        biome,
        ..
    } = drawn;
    let at = at.block();
    Ok(format!(
        "{} ({}×{}): seed {seed} at {at}, {biome}\n",
        png.display(),
        size.width,
        size.height
    ))
}

/// Villages as they were found; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Villages {
    spawn: Pos,
    villages: Vec<VillageFound>,
}

fn find_villages(args: &FindArgs, trade: Option<Profession>) -> Result<String, CommandError> {
    let (spawn, villages) = find::villages(args.seed, trade, usize::from(args.limit));
    if args.json {
        return to_json(&Villages { spawn, villages });
    }
    let mut text = format!(
        "spawn {spawn}; {} found\n",
        count_with_noun(villages.len(), "village", "villages")
    );
    let row = |village: &find::VillageFound| {
        let trades: Vec<&str> = village.trades.iter().map(|who| who.name()).collect();
        let what = format!("{}: {}", village.biome, trades.join(", "));
        vec![village.middle.to_string(), away(village.distance), what]
    };
    let rows: Vec<Vec<String>> = villages.iter().map(row).collect();
    let columns = [("", Align::Right), ("", Align::Right), ("", Align::Left)];
    text += &text_table(&columns, &rows);
    Ok(text)
}

fn find(args: &FindArgs) -> Result<String, CommandError> {
    let blocks = match args.item {
        Thing::Village => return find_villages(args, None),
        Thing::Trade(trade) => return find_villages(args, Some(trade)),
        Thing::Item(item) => find::blocks_giving(item),
        Thing::Block(block) => vec![block],
    };
    if blocks.is_empty() {
        return Err(CommandError::usage(format!(
            "no block yields {}; `pithead world how {}` lists the ways to obtain it",
            args.item, args.item
        )));
    }
    let search = find::find(args.seed, &blocks, usize::from(args.limit));
    if args.json {
        return to_json(&search);
    }
    let BlockSearch {
        spawn,
        found,
        searched,
    } = search;
    let mut text = format!(
        "spawn {spawn}; {} found, searched {searched} blocks around\n",
        found.len()
    );
    let row = |place: &find::BlockFound| {
        let block = place.block.name().to_owned();
        vec![block, place.pos.to_string(), away(place.distance)]
    };
    let rows: Vec<Vec<String>> = found.iter().map(row).collect();
    let columns = [("", Align::Left), ("", Align::Right), ("", Align::Right)];
    text += &text_table(&columns, &rows);
    Ok(text)
}

fn away(distance: f64) -> String {
    format!("{} from spawn", format_blocks(distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_says_the_place_that_was_asked_for() {
        let feet = Point::new(10.5, 70.0, -3.5);
        let args = ViewArgs {
            seed: 3,
            at: None,
            yaw: 0.0,
            pitch: 0.0,
            time: 0,
            small: true,
            png: "v.png".into(),
            json: false,
        };
        let text = drawn_text(&viewed(&args, feet, Size::MIND, "plains"), false).unwrap();
        assert!(text.ends_with("seed 3 at 10 70 -4, plains\n"), "{text}");
        let json = drawn_text(&viewed(&args, feet, Size::MIND, "plains"), true).unwrap();
        assert!(json.contains("71.62"), "{json}");
    }
}
