//! One option in full: all its tries, then each circumstance with its share done beside the others.
//!
//! ```text
//! mine iron_ore    5 of 12 done  ████       42 % (18 to 70) · 1 died · 9 pieces · 620 ticks each
//!   night          0 of 6 done              0 % (0 to 39)
//! ```

use crate::screens::options::state::OptionsReading;
use crate::theme::Role;
use crate::widgets::page::{field, heading};
use crate::widgets::rich::Rich;
use pithead_core::domain::experience::option::OptionKey;
use pithead_core::text::clean::pad_columns;
use pithead_core::text::numbers::share_bar;
use pithead_engine::runtime::option_table::{OptionRow, format_tries, rows_of_option};

/// Columns of a circumstance's name and of a bar.
const NAME: usize = 30;
const BAR: usize = 10;

#[must_use]
pub fn option_lines(key: OptionKey, reading: Option<&OptionsReading>, width: usize) -> Vec<Rich> {
    let records = reading.map_or(&[][..], |reading| &reading.records);
    let Some(record) = records.iter().find(|record| record.key == key) else {
        return vec![Rich::text(Role::Faint, "It is no longer in the database.")];
    };
    let rows = rows_of_option(record, true);
    let mut out = vec![Rich::text(Role::Strong, key.to_string()).cut(width)];
    heading(&mut out, "All tries");
    let [all, parts @ ..] = &rows[..] else {
        return out;
    };
    let ticks = |ticks: Option<f64>| ticks.map_or("-".to_owned(), |ticks| format!("{ticks:.0}"));
    let tries = &all.tries;
    field(&mut out, "tried", &format_tries(tries.tried), width);
    field(&mut out, "done", &done(all), width);
    field(&mut out, "died", &format_tries(tries.died), width);
    field(&mut out, "pieces", &format_tries(tries.pieces), width);
    field(&mut out, "ticks each", &ticks(all.ticks_a_piece()), width);
    field(&mut out, "95 % within", &ticks(all.within), width);
    heading(&mut out, "By circumstance");
    for part in parts {
        let name = part
            .circumstance
            .as_ref()
            .map_or(String::new(), ToString::to_string);
        let line = Rich::text(Role::Faint, pad_columns(&name, NAME)).and(Role::Text, done(part));
        let died = part.tries.died;
        let line = if died > 0.0 {
            line.and(Role::Bad, format!(" · {} died", format_tries(died)))
        } else {
            line
        };
        out.push(line.cut(width));
    }
    out
}

/// `5 of 12 ████       42 % (18 to 70)`
fn done(row: &OptionRow) -> String {
    let (done, tried) = (format_tries(row.tries.done), format_tries(row.tries.tried));
    let counts = format!("{done} of {tried}");
    row.share().map_or(counts.clone(), |(share, interval)| {
        let bar = share_bar(share / 100.0, BAR);
        format!(
            "{counts:<12} {bar} {share:>3.0} % ({:.0} to {:.0})",
            interval.low, interval.high
        )
    })
}
