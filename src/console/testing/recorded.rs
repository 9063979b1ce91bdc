//! A recorded run of any length in a database of its own.

use crate::testing::running;
use pithead_core::domain::run::event::Event;
use pithead_engine::journal::{Durability, Journal};
use pithead_engine::runtime::Recording;
use pithead_world::clock::Millis;
use std::path::Path;

/// A run that begins as the story does and then sees the same frame so often.
pub(crate) fn long_recording(folder: &Path, frames: usize) -> (Recording, Journal) {
    let path = folder.join("pithead.db");
    let story = running().events;
    let Event::RunStarted { config } = &story[0].event else {
        panic!("a run begins with its settings")
    };
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    let run = journal.create_run((**config).clone(), Millis(1)).unwrap();
    let past: Vec<Event> = story[1..].iter().map(|fact| fact.event.clone()).collect();
    journal.append(run, Millis(2), past).unwrap();
    let frame = story[2].event.clone();
    journal.append(run, Millis(3), vec![frame; frames]).unwrap();
    let recording = Recording::open(Journal::look(&path).unwrap(), run).unwrap();
    (recording, journal)
}
