//! Options in files of our own: they come back as they were, and what no attempts can have shown is refused.

use super::super::{ImportFault, own};
use super::{many_entries, source};
use crate::domain::experience::option::{OptionRecord, TriedOptions, Try};
use crate::domain::experience::shared_options::{ORIGINS_MAX, OptionsOfOrigin};
use crate::domain::samples::experience;
use crate::text::signature::Signature;

fn options(origin: u64) -> OptionsOfOrigin {
    let mut options = TriedOptions::default();
    for (n, item) in [(1, "coal"), (2, "stone"), (3, "coal")] {
        options.add(&Try::of_attempt(&experience(1, n, item, n != 3)).unwrap());
    }
    OptionsOfOrigin {
        origin: Signature(origin),
        attempts: 3,
        records: options.iter().map(half).collect(),
    }
}

/// Counts of runs of long ago are broken.
fn half(record: &OptionRecord) -> OptionRecord {
    let mut record = record.clone();
    record.all = record.all.weighted(0.5);
    for tries in record.by.values_mut() {
        *tries = tries.weighted(0.5);
    }
    record
}

fn read(text: &str) -> Result<Vec<OptionsOfOrigin>, ImportFault> {
    own::read_options(&source("kb.yaml", text))
}

#[test]
fn options_come_back_as_they_were_and_entries_with_them() {
    let all = [options(7), options(u64::MAX)];
    // Short files are read in one piece, long ones entry by entry.
    for entries in [many_entries(2), many_entries(6_500)] {
        let text = own::write_base(&entries, &all).unwrap();
        assert_eq!(read(&text).as_deref(), Ok(&all[..]));
        assert!(own::read_entries(&source("kb.yaml", &text)) == Ok(entries));
    }
    let without = own::write(&many_entries(1)).unwrap();
    assert!(!without.contains("options"), "{without}");
    assert_eq!(read(&without), Ok(Vec::new()));
}

#[test]
fn options_that_no_attempts_can_have_shown_are_refused_by_their_place() {
    let text = own::write_base(&[], &[options(7)]).unwrap();
    for (from, to, because) in [
        ("attempts: 3", "attempts: 1", "1.5 tries of 1 attempt"),
        ("attempts: 3", "attempts: -3", "options[0]"),
        ("0000000000000007", "ours", "16 hexadecimal digits"),
        ("tried: 0.5", "tried: .nan", "non-finite"),
        ("done: 0.5", "done: 9.5", "more was done"),
        ("day:", "\"biome \\e[31m\":", "no name of a biome"),
    ] {
        let harmed = text.replacen(from, to, 1);
        assert_ne!(harmed, text, "{from}: {text}");
        let fault = read(&harmed).unwrap_err().to_string();
        assert!(fault.contains(because), "{from} to {to}: {fault}");
    }
    let many: Vec<OptionsOfOrigin> = (0..=ORIGINS_MAX as u64).map(options).collect();
    assert!(read(&own::write_base(&[], &many).unwrap()).is_err());
}
