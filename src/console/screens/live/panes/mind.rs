//! The mind pane: the answer under way as it comes, else the questions of the run and what came of each.

use crate::overlay::PageSubject;
use crate::screens::live::panes::pane::{Pane, page_rows};
use crate::screens::live::select;
use crate::screens::live::state::LiveState;
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::view::mind::{QuestionFate, QuestionView};
use crate::widgets::pane::{PaneContent, Room, rows_around};
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::scroll::{Motion, moved};
use pithead_core::domain::mind::spending::money;
use pithead_core::text::numbers::{count_with_noun, format_count};
use pithead_engine::mind::watch::{AnswerProgress, AnswerStage};

/// What it shows, and what keys do in it.
pub(crate) const PANE: Pane = Pane {
    show,
    move_selection,
    open,
};

/// Columns of a row from which the money of a question stands in it; its page has it in any case.
const MONEY_FROM: usize = 48;

pub fn show(view: &View, ui: &LiveState, room: Room) -> PaneContent {
    match &ui.thinking {
        // A selected question is looked at, whatever is under way.
        Some(progress) if ui.asked.is_none() => answer(progress, ui, room),
        _ => questions(view, ui, room),
    }
}

/// The end of the answer under way, below a line on where it comes from.
fn answer(progress: &AnswerProgress, ui: &LiveState, room: Room) -> PaneContent {
    let seconds = ui.now.0.saturating_sub(progress.since) / 1000;
    let mut head = Rich::text(Role::Running, format!("▶ {} ", progress.call))
        .and(Role::Strong, progress.role.name())
        .and(Role::Faint, format!(" · {}", progress.model));
    if let AnswerStage::Answering { tokens, .. } = &progress.stage {
        let tokens = count_with_noun(*tokens, "token", "tokens");
        head.add(Role::Text, format!(" · {tokens}"));
    }
    if seconds > 0 {
        head.add(Role::Faint, format!(" · {seconds} s"));
    }
    let mut text = Vec::new();
    for line in progress.said().lines() {
        paragraph(&mut text, Rich::new(), Role::Text, line, room.width);
    }
    if text.is_empty() {
        paragraph(
            &mut text,
            Rich::new(),
            Role::Faint,
            &without_text(progress),
            room.width,
        );
    }
    let lines = room.height.saturating_sub(1);
    let above = text.len().saturating_sub(lines);
    let mut shown = vec![head.cut(room.width)];
    shown.extend(text.into_iter().skip(above));
    PaneContent {
        title: "the answer as it comes".to_owned(),
        lines: shown,
        above: above > 0,
        ..PaneContent::default()
    }
}

fn without_text(progress: &AnswerProgress) -> String {
    match &progress.stage {
        AnswerStage::Answering { .. } => {
            "The model reasons; nothing of the answer has come yet.".to_owned()
        }
        AnswerStage::Queued | AnswerStage::Asked | AnswerStage::Waiting { .. } => {
            progress.describe()
        }
    }
}

fn questions(view: &View, ui: &LiveState, room: Room) -> PaneContent {
    let questions = &view.mind.questions;
    let title = count_with_noun(questions.len(), "question", "questions");
    let Some(row) = select::asked_row(view, ui) else {
        let lines = vec![Rich::text(
            Role::Faint,
            "the mind was not asked anything yet",
        )];
        return PaneContent {
            title,
            lines,
            ..PaneContent::default()
        };
    };
    let shown = rows_around(questions.len(), row, room, |at| {
        line(&questions[at], room.width)
    });
    PaneContent { title, ..shown }
}

fn line(question: &QuestionView, width: usize) -> Rich {
    let (role, sign, fault) = match question.fate {
        QuestionFate::Open => (Role::Running, "▶", "not answered"),
        QuestionFate::Answered => (Role::Good, "✔", ""),
        QuestionFate::Rejected => (Role::Bad, "✗", "not readable"),
        QuestionFate::Failed => (Role::Bad, "✗", "failed"),
        QuestionFate::Withheld => (Role::Notice, "◇", "not put"),
        QuestionFate::Unavailable => (Role::Bad, "✗", "no server"),
    };
    let left = Rich::text(role, format!("{sign} "))
        .and(Role::Faint, format!("{} ", question.call))
        .and(Role::Text, question.role.name());
    let mut right = Rich::text(role, fault);
    let mut add = |text: String| {
        if right.width() > 0 {
            right.add(Role::Faint, " · ");
        }
        right.add(Role::Faint, text);
    };
    if let Some((tokens_in, tokens_out)) = question.tokens {
        let (tokens_in, tokens_out) = (format_count(tokens_in), format_count(tokens_out));
        add(format!("{tokens_in} → {tokens_out}"));
    }
    if let Some(micros) = question.micros.filter(|_| width >= MONEY_FROM) {
        add(money(micros));
    }
    if question.ms > 0 {
        add(format!(
            "{}.{} s",
            question.ms / 1000,
            question.ms % 1000 / 100
        ));
    }
    left.with_right(right, width)
}

fn move_selection(shell: &mut Shell, view: &View, motion: Motion) {
    let page = page_rows(shell);
    let questions = &view.mind.questions;
    if let Some(row) = select::asked_row(view, &shell.live) {
        let to = moved(row, questions.len(), page, motion);
        // At the newest the pane follows again.
        shell.live.asked = (to + 1 < questions.len()).then(|| questions[to].seq);
    }
}

/// Opens the selected question, else the newest; says so if there is none.
pub(crate) fn open(shell: &mut Shell, view: &View) {
    match select::asked_row(view, &shell.live) {
        Some(row) => shell.open_page(PageSubject::Asked(view.mind.questions[row].seq)),
        None => shell.refuse("the mind was not asked anything yet"),
    }
}
