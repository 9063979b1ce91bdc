//! Whole pictures of small scenes.

use super::figure::Figure;
use super::picture::{Picture, Size};
use super::*;
use crate::block as blocks;
use crate::mob::MobKind;
use crate::space::Pos;

fn meadow() -> Grid {
    let mut grid = Grid::flat(62);
    grid.ensure_around(Pos::default(), 4);
    grid
}

fn camera(yaw: f32, pitch: f32) -> Camera {
    Camera {
        eye: Point::new(8.5, 64.62, 8.5),
        yaw,
        pitch,
        fov: FOV,
    }
}

const SMALL: Size = Size::new(24, 12);
const SCENE: ViewConditions<'_> = ViewConditions {
    reach: 48,
    ..ViewConditions::NOON
};

/// Sky `.`, green `g`, red `R`, white `w`, dark `#`, blue water `~`, other `o`.
fn sketch(picture: &Picture) -> String {
    let sign = |[r, g, b]: [u8; 3]| match (r, g, b) {
        _ if b > 200 => '.',
        _ if r < 40 && g < 40 && b < 40 => '#',
        _ if r > g.saturating_add(60) => 'R',
        _ if r > 150 && g > 150 && b > 150 => 'w',
        _ if g > r && g > b => 'g',
        _ if b > r && b > g => '~',
        _ => 'o',
    };
    let rows = picture.pixels().chunks(picture.size().width as usize);
    rows.map(|row| row.iter().map(|p| sign(*p)).collect::<String>() + "\n")
        .collect()
}

#[test]
fn a_wall_stands_between_meadow_and_sky() {
    let mut grid = meadow();
    for (dx, dy) in (-1..=1).flat_map(|x| (0..3).map(move |y| (x, y))) {
        grid.set(
            Pos::new(8 + dx, 63 + dy, 13),
            "redstone_block".parse().unwrap(),
        );
    }
    let picture = render(&grid, &camera(0.0, 0.0), SMALL, &SCENE);
    let expected = "
........................
........................
........................
.........RRRRRR.........
.........RRRRRR.........
.........RRRRRR.........
...wgggggRRRRRRgggggw...
gggggggggRRRRRRggggggggg
gggggggggRRRRRRggggggggg
gggggggggggggggggggggggg
gggggggggggggggggggggggg
gggggggggggggggggggggggg
";
    assert_eq!(sketch(&picture), expected.trim_start());
}

#[test]
fn the_same_scene_is_the_same_picture() {
    let grid = meadow();
    let figures = [Figure {
        kind: MobKind::Cow,
        at: Point::new(8.5, 63.0, 13.5),
        number: 3,
    }];
    let scene = ViewConditions {
        figures: &figures,
        ..SCENE
    };
    let [a, b] = [0, 1].map(|_| render(&grid, &camera(10.0, 12.0), Size::new(48, 27), &scene));
    assert_eq!(a, b);
    assert_ne!(
        a,
        render(&grid, &camera(10.0, 12.0), Size::new(48, 27), &SCENE)
    );
}

#[test]
fn above_is_the_sky_and_below_the_meadow() {
    let grid = meadow();
    let up = render(&grid, &camera(0.0, -60.0), SMALL, &SCENE);
    assert!(
        up.pixels().iter().all(|[_, _, b]| *b > 200),
        "blue, white clouds, the sun"
    );
    let down = render(&grid, &camera(0.0, 80.0), SMALL, &SCENE);
    assert!(down.pixels().iter().all(|[r, g, b]| g > r && g > b));
}

#[test]
fn nights_are_darker_than_days_and_a_torch_helps() {
    let mut grid = meadow();
    let light = |grid: &Grid, hour| {
        let picture = render(
            grid,
            &camera(0.0, 60.0),
            SMALL,
            &ViewConditions { hour, ..SCENE },
        );
        picture
            .pixels()
            .as_flattened()
            .iter()
            .map(|c| u64::from(*c))
            .sum::<u64>()
    };
    let (day, night) = (light(&grid, 6000), light(&grid, 18_000));
    grid.set(Pos::new(10, 63, 8), blocks::TORCH);
    let lit = light(&grid, 18_000);
    assert!(day > lit && lit > night * 3 / 2, "{day} {lit} {night}");
}

#[test]
fn one_sees_through_holes_and_water_but_not_through_rock() {
    let mut grid = meadow();
    let look = |grid: &Grid| render(grid, &camera(0.0, 0.0), Size::new(1, 1), &SCENE).pixel(0, 0);
    let wall = |grid: &mut Grid, block| {
        for (x, y) in (5..12).flat_map(|x| (62..68).map(move |y| (x, y))) {
            grid.set(Pos::new(x, y, 12), block);
        }
    };
    let free = look(&grid);
    wall(&mut grid, blocks::GLASS);
    let through_glass = look(&grid);
    wall(&mut grid, blocks::STONE);
    let at_stone = look(&grid);
    let off = |a: [u8; 3]| {
        (0..3)
            .map(|i| u32::from(a[i].abs_diff(free[i])))
            .sum::<u32>()
    };
    assert!(
        off(through_glass) < 90 && off(at_stone) > 150,
        "{free:?} {through_glass:?} {at_stone:?}"
    );
}

#[test]
fn strange_cameras_do_no_harm() {
    let grid = meadow();
    let odd = [
        Camera {
            eye: Point::new(f64::NAN, 0.0, 0.0),
            ..camera(0.0, 0.0)
        },
        Camera {
            eye: Point::new(1e9, -500.0, 0.0),
            ..camera(0.0, 90.0)
        },
        Camera {
            fov: 0.0,
            ..camera(f32::INFINITY, -200.0)
        },
        Camera {
            eye: Point::new(8.0, 62.0, 8.0),
            ..camera(45.0, 0.0)
        },
        Camera {
            eye: Point::new(8.0, 400.0, 8.0),
            ..camera(45.0, 90.0)
        },
    ];
    for camera in odd {
        let picture = render(&grid, &camera, SMALL, &SCENE);
        assert_eq!(picture.pixels().len(), 24 * 12);
    }
    assert!(
        render(&grid, &camera(0.0, 0.0), Size::new(0, 0), &SCENE)
            .pixels()
            .is_empty()
    );
}
