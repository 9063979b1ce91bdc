//! A body that sees as a player does: recorded, named in results, and played again as it was.

use super::{check, pithead, said};
use pithead_core::domain::run::event::Event;
use pithead_engine::journal::Journal;
use pithead_world::ids::{RunId, Seq};

/// What one saw in a run: every cell that its frames told.
fn cells_seen(folder: &std::path::Path, run: u64) -> usize {
    let journal = Journal::look(&folder.join("pithead.db")).unwrap();
    let facts = journal.events(RunId(run), Seq(0), usize::MAX).unwrap();
    let frames = facts.into_iter().filter_map(|fact| match fact.event {
        Event::FrameSeen { frame } => Some(frame.seen.0.len()),
        _ => None, // only frames say what is seen
    });
    frames.sum()
}

#[test]
fn a_player_sees_less_than_a_scout_and_each_run_says_which_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = "run craft~a~wooden~pickaxe --headless --seed 3 --mind builtin:expert";
    let player = said(&pithead(folder, &format!("{run} --senses player")));
    let scout = said(&pithead(folder, &format!("{run} --senses scout")));
    assert!(player.contains("senses player: "), "{player}");
    assert!(scout.contains("senses scout: "), "{scout}");
    check(folder, "show 2", 0, &["senses scout: "]);
    check(folder, "show 2 --json", 0, &["\"senses scout: "]);
    let (player, scout) = (cells_seen(folder, 1), cells_seen(folder, 2));
    assert!(0 < player && player < scout, "{player} of {scout}");
    // The senses travel with the run.
    check(
        folder,
        "fork 1 --before a2 --headless",
        0,
        &["senses player: "],
    );
    check(
        folder,
        "run t --headless --senses owl",
        2,
        &["owl", "scout, player, client"],
    );
    let out = folder.join("e");
    let eval = format!(
        "eval --suite mcu70 --tasks mcu70/wooden/04 --seeds 1 --mind builtin:expert --out {}",
        out.display()
    );
    check(
        folder,
        &format!("{eval} --senses player"),
        0,
        &["senses player: "],
    );
    check(
        folder,
        &eval,
        2,
        &["its level of senses is player, not scout"],
    );
}
