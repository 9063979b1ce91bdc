//! Previews: what stands below or beside a list about its selected row, so that one looks before one opens.

use crate::cache::Cache;
use crate::cache::tables::{labels_told, state};
use crate::lists::draw::{Preview, preview_width};
use crate::overlays::card::card_lines;
use crate::overlays::rows::row_lines;
use crate::overlays::triage::{subject_of, triage_lines};
use crate::screen::Screen;
use crate::screens::inbox;
use crate::screens::runs::heat::heatmap_lines;
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::inbox::timeout_words;
use crate::widgets::page::{field, heading};
use crate::widgets::rich::Rich;
use crate::widgets::table::ListItem;
use crate::widgets::time::moment;
use pithead_core::text::numbers::{count_with_noun, format_count, format_seconds};
use pithead_engine::journal::RunRow;
use pithead_world::ids::{DecisionId, RunId, Seq};

/// Entries named below a run.
const LEARNT_MAX: usize = 4;

/// What is selected in the list in sight, and the key that shows it in full.
pub(super) fn preview_of(shell: &Shell, cache: &Cache) -> Option<Preview> {
    let key = match shell.screen {
        Screen::Queue | Screen::Inbox | Screen::Decided | Screen::Runs => "enter",
        Screen::Evaluate | Screen::Failures => "d",
        _ => return None, // other lists have the whole screen
    };
    let item = shell.item(cache)?;
    let name = match item {
        ListItem::Failure(..) => "steps by reasons".to_owned(),
        other => cache.name(other),
    };
    let width = usize::from(preview_width(shell.screen, shell.size));
    let lines = match (item, &cache.heat) {
        // As much as there is room for; the key shows all of it.
        (ListItem::Failure(..), Some((_, heat))) => heatmap_lines(heat, width),
        (ListItem::Run(run), _) => run_lines(run, cache, width),
        (ListItem::Question(run, id), _) => question_lines(run, id, cache, width),
        (ListItem::Past(run, seq), _) => past_lines((run, seq), shell, cache, width),
        (ListItem::Entry(id), _) if shell.screen == Screen::Inbox => {
            inbox::pages::proposal_lines(&[id], shell, cache, width)
        }
        _ => row_lines(item, cache, width),
    };
    let mut about = Vec::new();
    let triage = subject_of(item).and_then(|subject| cache.triages.get(&subject));
    if let Some(triage) = triage {
        triage_lines(&mut about, triage, (cache.now, &cache.zone), width);
    }
    about.extend(lines);
    let lines = about;
    Some(Preview { name, key, lines })
}

/// What became of a run, what it learnt, and what waits in it.
fn run_lines(run: RunId, cache: &Cache, width: usize) -> Vec<Rich> {
    let Some(row) = cache.run(run) else {
        return vec![Rich::text(Role::Faint, "It is no longer in the database.")];
    };
    let mut out = Vec::new();
    let (role, sign, word) = state(row);
    let mut said =
        Rich::text(Role::Faint, format!("{:<14}", "state")).and(role, format!("{sign} {word}"));
    if let Some(because) = &row.because {
        said.add(Role::Text, format!(" · {because}"));
    }
    out.push(said.cut(width));
    let took = row.ended.map(|ended| ended.since(row.started) / 1000);
    let took = took.map_or(String::new(), |took| {
        format!(" · took {}", format_seconds(took))
    });
    let started = moment(row.started, &cache.zone);
    field(&mut out, "started", &format!("{started}{took}"), width);
    field(&mut out, "with", &played_with(row), width);
    let counts = format!(
        "{} of {} failed · {} · {}",
        format_count(row.failed),
        count_with_noun(row.attempts, "attempt", "attempts"),
        count_with_noun(row.ticks, "tick", "ticks"),
        count_with_noun(row.events, "event", "events")
    );
    field(&mut out, "so far", &counts, width);
    let labels = labels_told(cache.labels.get(&run));
    if !labels.is_empty() {
        field(&mut out, "failed with", &labels, width);
    }
    if let Some((from, at)) = row.origin {
        field(
            &mut out,
            "forked",
            &format!("from run {from} at event {at}"),
            width,
        );
    }
    let asked = cache.decisions.open.iter().filter(|asked| asked.run == run);
    for asked in asked {
        let words = inbox::tables::title(&asked.question);
        field(
            &mut out,
            "waits",
            &format!("{} · {words}", asked.question.id),
            width,
        );
    }
    let learnt: Vec<_> = cache
        .entries
        .iter()
        .filter(|entry| entry.id.run == run)
        .collect();
    for entry in learnt.iter().take(LEARNT_MAX) {
        let words = format!("{} {} · {}", entry.id, entry.status.name(), entry.title);
        field(&mut out, "learnt", &words, width);
    }
    if learnt.len() > LEARNT_MAX {
        field(
            &mut out,
            "",
            &format!("and {} more", learnt.len() - LEARNT_MAX),
            width,
        );
    }
    out
}

/// Mind, system, senses and seed of a run.
fn played_with(row: &RunRow) -> String {
    let senses = row
        .senses
        .map(|senses| format!(" · {} senses", senses.name()));
    let senses = senses.unwrap_or_default();
    format!("{} · {}{senses} · seed {}", row.mind, row.system, row.seed)
}

/// What a question of a run is about; it is read in full on the run's own screen.
fn question_lines(run: RunId, id: DecisionId, cache: &Cache, width: usize) -> Vec<Rich> {
    let Some(asked) = cache.decisions.asked(run, id) else {
        return vec![Rich::text(Role::Faint, "It was answered in the meantime.")];
    };
    let question = &asked.question;
    let mut out = Vec::new();
    field(&mut out, "asks", &inbox::tables::title(question), width);
    field(
        &mut out,
        "gate",
        &format!("{} = {}", question.kind.name(), question.policy),
        width,
    );
    field(
        &mut out,
        "asked",
        &moment(question.asked, &cache.zone),
        width,
    );
    if let Some(words) = timeout_words(question, cache.now) {
        field(&mut out, "on time-out", &words, width);
    }
    heading(&mut out, &format!("Run {run}"));
    out.extend(run_lines(run, cache, width));
    out
}

/// What was decided, why, and what taking it back would do.
fn past_lines((run, seq): (RunId, Seq), shell: &Shell, cache: &Cache, width: usize) -> Vec<Rich> {
    let Some(past) = cache.decisions.past(run, seq) else {
        return vec![Rich::text(Role::Faint, "It is no longer in the database.")];
    };
    let entry = past.about.entry().and_then(|id| cache.entry(id));
    let mut out = Vec::new();
    let decided = format!(
        "{} by {} · {}",
        past.word,
        past.by,
        moment(past.at, &cache.zone)
    );
    field(&mut out, "decided", &decided, width);
    if let Some(reason) = &past.reason {
        field(&mut out, "because", reason, width);
    }
    match inbox::undo::undo_of(past, entry.map(AsRef::as_ref)) {
        Ok(undo) => {
            for (name, sentence) in ["z", ""].into_iter().zip(undo.sentences()) {
                field(&mut out, name, sentence, width);
            }
        }
        Err(because) => field(&mut out, "z", &because, width),
    }
    if let Some(entry) = entry {
        out.extend(card_lines(entry, shell, cache, width));
        out.push(Rich::new());
        out.extend(crate::widgets::entry::entry_lines(entry, width));
    }
    out
}
