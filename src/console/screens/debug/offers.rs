//! Offers: the words with which a line of text on the Debug screen can go on, to be chosen or completed.
//!
//! Labels are offered with what they mean, thresholds with their values; other lines are free text.

use crate::cache::Cache;
use crate::screens::debug::inspection::inspection;
use crate::screens::debug::state::LinePrompt;
use crate::shell::Shell;
use crate::theme::Role;
use crate::widgets::rich::Rich;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::experience::thresholds::KNOBS;
use pithead_core::text::numbers::format_value;

/// One way to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineOffer {
    name: &'static str,
    /// What the line is once it is taken.
    pub(crate) line: String,
    about: String,
}

/// What fits the letters that are typed; nothing once the first word is complete.
#[must_use]
pub(crate) fn line_offers(
    what: LinePrompt,
    text: &str,
    (shell, cache): (&Shell, &Cache),
) -> Vec<LineOffer> {
    let typed = text.trim_start().to_lowercase().replace('-', "_");
    if typed.contains([' ', '=']) {
        return Vec::new();
    }
    let fits = |name: &str| name.to_lowercase().contains(&typed);
    match what {
        LinePrompt::Overrule => FailureReason::ALL
            .into_iter()
            .filter(|label| fits(label.name()))
            .map(|label| LineOffer {
                name: label.name(),
                line: format!("{} because ", label.name()),
                about: label.meaning().to_owned(),
            })
            .collect(),
        LinePrompt::Set => {
            let thresholds = inspection(shell, cache).map(|of| of.thresholds);
            let offer = |knob: &'static pithead_core::domain::experience::thresholds::Knob| {
                let now = thresholds.map_or(String::new(), |of| {
                    format!("{} {} now; ", format_value(knob.get(of)), knob.unit)
                });
                LineOffer {
                    name: knob.name,
                    line: format!("{}=", knob.name),
                    about: format!("{now}{}", knob.about),
                }
            };
            KNOBS
                .iter()
                .filter(|knob| fits(knob.name))
                .map(offer)
                .collect()
        }
        LinePrompt::Where | LinePrompt::Wrote | LinePrompt::Break | LinePrompt::Bookmark => {
            Vec::new()
        }
    }
}

/// The offers, below the line that is typed.
pub(crate) fn offer_lines(offers: &[LineOffer], at: usize) -> Vec<Rich> {
    let width = offers
        .iter()
        .map(|offer| offer.name.len())
        .max()
        .unwrap_or(0);
    let line = |(n, offer): (usize, &LineOffer)| {
        let (sign, role) = match n == at {
            true => ("▌ ", Role::Strong),
            false => ("  ", Role::Text),
        };
        Rich::text(Role::BorderFocus, sign)
            .and(role, format!("{:<width$}  ", offer.name))
            .and(Role::Faint, &offer.about)
    };
    offers.iter().enumerate().map(line).collect()
}
