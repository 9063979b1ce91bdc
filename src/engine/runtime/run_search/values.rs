//! Values: one thing of the state that can be followed through a run, and the moments that changed it.
//!
//! This is the way from a wrong value to the step that wrote it.

use super::FoundMoment;
use super::walk::walk;
use crate::journal::{Journal, JournalError};
use pithead_world::family::ItemSpec;
use pithead_world::ids::{RunId, Seq};
use pithead_world::observation::Frame;
use serde::Serialize;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

/// A value of the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchedValue {
    /// By its place in `PLAIN`.
    Plain(usize),
    /// How many are carried.
    Carried(ItemSpec),
    /// How many were made since the reset.
    Crafted(ItemSpec),
}

/// Reads a value off a frame.
type Read = fn(&Frame) -> String;

/// Values other than counts of items, by name.
const PLAIN: [(&str, Read); 12] = [
    ("health", |frame| format!("{:.1}", frame.health)),
    ("hunger", |frame| format!("{:.1}", frame.hunger)),
    ("air", |frame| frame.air.to_string()),
    ("y", |frame| frame.position.block().y.to_string()),
    ("biome", |frame| frame.biome.clone()),
    ("weather", |frame| {
        format!("{:?}", frame.weather).to_lowercase()
    }),
    ("gui", |frame| frame.gui.name().to_owned()),
    ("held", |frame| {
        frame
            .held
            .map_or("nothing".to_owned(), |item| item.to_string())
    }),
    ("worn", |frame| {
        let worn: Vec<String> = frame.worn.iter().map(ToString::to_string).collect();
        if worn.is_empty() {
            "nothing".to_owned()
        } else {
            worn.join(", ")
        }
    }),
    ("underground", |frame| yes_or_no(frame.underground)),
    ("level", |frame| frame.experience.level.to_string()),
    ("alive", |frame| yes_or_no(frame.alive)),
];

fn yes_or_no(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_owned()
}

impl WatchedValue {
    /// As the frame shows it.
    #[must_use]
    pub fn of(self, frame: &Frame) -> String {
        match self {
            Self::Plain(at) => PLAIN[at].1(frame),
            Self::Carried(item) => frame.inventory.count(item).to_string(),
            Self::Crafted(item) => frame.crafted.count(item).to_string(),
        }
    }
}

impl fmt::Display for WatchedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(at) => f.write_str(PLAIN[*at].0),
            Self::Carried(item) => write!(f, "{item}"),
            Self::Crafted(item) => write!(f, "crafted {item}"),
        }
    }
}

impl FromStr for WatchedValue {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Some(at) = PLAIN.iter().position(|(name, _)| *name == text) {
            return Ok(Self::Plain(at));
        }
        let (made, item) = match text.split_once(char::is_whitespace) {
            Some(("crafted", item)) => (true, item.trim()),
            Some(("inv", item)) => (false, item.trim()),
            _ => (false, text),
        };
        match item.parse() {
            Ok(item) if made => Ok(Self::Crafted(item)),
            Ok(item) => Ok(Self::Carried(item)),
            Err(error) => {
                let names = PLAIN.map(|(name, _)| name).join(", ");
                Err(format!(
                    "{error}; a value is {names}, an item, or `crafted ITEM`"
                ))
            }
        }
    }
}

/// A change of a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Write {
    /// None at the first frame of the run.
    pub from: Option<String>,
    pub to: String,
    #[serde(flatten)]
    pub moment: FoundMoment,
}

/// All changes of a value up to and with the event `until`, oldest first; the beginning of the run counts
/// as one.
pub fn writes(
    journal: &Journal,
    run: RunId,
    value: WatchedValue,
    until: Seq,
) -> Result<Vec<Write>, JournalError> {
    let mut all = Vec::new();
    each_write(journal, run, value, until, |write| all.push(write))?;
    Ok(all)
}

/// The last change of a value up to and with the event `until`; none if no frame comes before it.
pub fn last_write(
    journal: &Journal,
    run: RunId,
    value: WatchedValue,
    until: Seq,
) -> Result<Option<Write>, JournalError> {
    let mut last = None;
    each_write(journal, run, value, until, |write| last = Some(write))?;
    Ok(last)
}

fn each_write(
    journal: &Journal,
    run: RunId,
    value: WatchedValue,
    until: Seq,
    mut take: impl FnMut(Write),
) -> Result<(), JournalError> {
    let mut before: Option<String> = None;
    walk(journal, run, |underway, seq, frame| {
        if seq > until {
            return ControlFlow::Break(());
        }
        let now = value.of(frame);
        if before.as_ref() != Some(&now) {
            take(Write {
                from: before.replace(now.clone()),
                to: now,
                moment: underway.moment(seq, frame.tick),
            });
        }
        ControlFlow::Continue(())
    })
}
