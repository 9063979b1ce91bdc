//! `pithead config views`: the saved views of the console's lists.
//!
//! The headless counterpart of `"` and `'` in the console's lists.

use super::options::Database;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use pithead_console::saved_views::{KeptView, SavedView, SavedViews, file, keep, load};
use pithead_console::screen::Screen;
use pithead_core::text::clean::clean_line;
use serde::Serialize;

/// Raised when a field of the JSON output changes its meaning or goes away.
const SCHEMA: u32 = 1;
/// Letters of a name or a filter.
const TEXT_MAX: usize = 500;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The list, by the name of its screen, such as Runs or Inbox; all lists if left out
    list: Option<String>,
    /// Save a view of the list under this name
    #[arg(long, value_name = "NAME", requires = "list")]
    save: Option<String>,
    /// What the view filters, as typed behind `/`
    #[arg(long, value_name = "TEXT", requires = "save")]
    filter: Option<String>,
    /// The column that the view is sorted by; `-COLUMN` puts the largest first
    #[arg(
        long,
        value_name = "COLUMN",
        requires = "save",
        allow_hyphen_values = true
    )]
    sort: Option<String>,
    /// The columns in sight, by name; all if left out
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "save")]
    show: Vec<String>,
    /// Take the view of this name off the list
    #[arg(long, value_name = "NAME", requires = "list", conflicts_with = "save")]
    remove: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// What is printed; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Report {
    schema: u32,
    views: SavedViews,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let path = file(&args.database.path()?);
    let list = args.list.as_deref().map(list_named).transpose()?;
    if let Some(list) = list {
        let known = load(&path).map_err(CommandError::unavailable)?;
        if let Some(kept) = change(args, list, &known)? {
            keep(&path, kept).map_err(CommandError::unavailable)?;
        }
    }
    let mut views = load(&path).map_err(CommandError::unavailable)?;
    views.retain(|name, views| !views.is_empty() && list.is_none_or(|list| list == name));
    let report = Report {
        schema: SCHEMA,
        views,
    };
    print_document(args.json, &report, text)?;
    Ok(ExitStatus::Done)
}

/// The screen's own name; upper and lower case are the same.
fn list_named(given: &str) -> Result<&'static str, CommandError> {
    let names = Screen::ALL.map(Screen::name);
    let known = names
        .into_iter()
        .find(|name| name.eq_ignore_ascii_case(given));
    known.ok_or_else(|| {
        CommandError::usage(format!(
            "`{given}` is no list; the lists are {}",
            names.join(", ")
        ))
    })
}

fn change(args: &Args, list: &str, known: &SavedViews) -> Result<Option<KeptView>, CommandError> {
    let kept = |name: &str, view: Option<SavedView>| KeptView {
        list: list.to_owned(),
        name: name.to_owned(),
        view,
    };
    if let Some(name) = &args.remove {
        let is_known = known
            .get(list)
            .is_some_and(|views| views.contains_key(name));
        return match is_known {
            true => Ok(Some(kept(name, None))),
            false => Err(CommandError::usage(format!("{list} has no view `{name}`"))),
        };
    }
    let Some(name) = &args.save else {
        return Ok(None);
    };
    let name = clean_line(name.trim());
    let filter = clean_line(args.filter.as_deref().unwrap_or_default());
    if name.is_empty() || name.len().max(filter.len()) > TEXT_MAX {
        return Err(CommandError::usage(format!(
            "a view needs a name, and name and filter have at most {TEXT_MAX} bytes"
        )));
    }
    let sort = args
        .sort
        .as_deref()
        .map(|column| match column.strip_prefix('-') {
            Some(column) => (clean_line(column), true),
            None => (clean_line(column), false),
        });
    let view = SavedView {
        filter,
        sort,
        columns: args.show.iter().map(|name| clean_line(name)).collect(),
    };
    Ok(Some(kept(&name, Some(view))))
}

fn text(report: &Report) -> String {
    if report.views.is_empty() {
        return "no view is saved\n".to_owned();
    }
    let rows: Vec<Vec<String>> = report
        .views
        .iter()
        .flat_map(|(list, views)| {
            let row = |(name, view): (&String, &SavedView)| {
                vec![list.clone(), name.clone(), view.words()]
            };
            views.iter().map(row).collect::<Vec<_>>()
        })
        .collect();
    let head = [
        ("LIST", Align::Left),
        ("VIEW", Align::Left),
        ("SHOWS", Align::Left),
    ];
    text_table(&head, &rows)
}
