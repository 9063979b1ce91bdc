//! Files of other programs: MineEvolve, Voyager and JARVIS-1, chosen by the first byte or recognised.

use super::knowledge::{check_drafts, source};
use super::{choice, text};
use pithead_core::knowledge::exchange::{ExchangeFormat, read_source};

/// Their names, by which a format is recognised too.
const NAMES: [&str; 4] = ["skills.json", "remedies.json", "memory.json", "x.json"];
const FORMATS: [ExchangeFormat; 3] = [
    ExchangeFormat::MineEvolve,
    ExchangeFormat::Voyager,
    ExchangeFormat::Jarvis,
];

pub(crate) fn check(data: &[u8]) {
    let (n, rest) = choice(data);
    let source = source(NAMES[n % NAMES.len()], "", text(rest));
    let chosen = FORMATS.get(n / NAMES.len()).copied();
    let Some(format) = chosen.or_else(|| ExchangeFormat::recognise(&source)) else {
        return;
    };
    if let Ok(drafts) = read_source(format, &source) {
        check_drafts(drafts);
    }
}
