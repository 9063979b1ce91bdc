//! The questions of a run to the mind: a table, or one of them word for word.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use pithead_core::domain::mind::spending::money;
use pithead_core::text::clean::clean_lines;
use pithead_engine::runtime::Recording;
use pithead_engine::runtime::questions::{MindCall, questions_of};
use pithead_world::ids::CallId;

/// All of them as a table; as JSON with prompts and answers.
pub(super) fn all(recording: &Recording, json: bool) -> Result<ExitStatus, CommandError> {
    let calls = questions_of(recording.journal(), recording.row().id)?;
    print_document(json, &calls, |calls| table(calls))?;
    Ok(ExitStatus::Done)
}

/// One of them in full.
pub(super) fn one(
    recording: &Recording,
    wanted: CallId,
    json: bool,
) -> Result<ExitStatus, CommandError> {
    let run = recording.row().id;
    let calls = questions_of(recording.journal(), run)?;
    let last = calls.last().map(|call| call.call);
    let Some(call) = calls.into_iter().rev().find(|call| call.call == wanted) else {
        return Err(CommandError::usage(match last {
            Some(last) => format!("run {run} has no question {wanted}; its last one is {last}"),
            None => format!("run {run} asked the mind nothing"),
        }));
    };
    print_document(json, &call, in_full)?;
    Ok(ExitStatus::Done)
}

fn table(calls: &[MindCall]) -> String {
    if calls.is_empty() {
        return "the mind was not asked anything\n".to_owned();
    }
    let rows: Vec<Vec<String>> = calls.iter().map(row).collect();
    let head = [
        ("CALL", Align::Left),
        ("ROLE", Align::Left),
        ("EVENT", Align::Right),
        ("TOKENS IN", Align::Right),
        ("OUT", Align::Right),
        ("MONEY", Align::Right),
        ("SECONDS", Align::Right),
        ("CAME OF IT", Align::Left),
    ];
    text_table(&head, &rows)
}

fn row(call: &MindCall) -> Vec<String> {
    let spent = call.spent.as_ref();
    let of = |what: fn(&pithead_core::domain::mind::spending::Spent) -> String| {
        spent.map_or_else(|| "-".to_owned(), what)
    };
    let came = call.replies.last();
    vec![
        call.call.to_string(),
        call.role.name().to_owned(),
        call.seq.to_string(),
        of(|spent| spent.tokens_in.to_string()),
        of(|spent| spent.tokens_out.to_string()),
        of(|spent| spent.micros.map_or_else(|| "-".to_owned(), money)),
        of(|spent| format!("{}.{}", spent.ms / 1000, spent.ms % 1000 / 100)),
        came.map_or_else(|| "not answered".to_owned(), |reply| reply.what.clone()),
    ]
}

fn in_full(call: &MindCall) -> String {
    let mut text = format!("{} {} event {}\n", call.call, call.role.name(), call.seq);
    for (name, part) in [("system", &call.system), ("question", &call.user)] {
        if !part.is_empty() {
            text += &format!("\n── {name}\n{}\n", part.trim_end());
        }
    }
    for reply in &call.replies {
        let said = reply.text.trim_end();
        text += &format!("\n── event {}: {}\n{said}\n", reply.seq, reply.what);
    }
    if call.replies.is_empty() {
        text += "\n── not answered\n";
    }
    clean_lines(&text)
}
