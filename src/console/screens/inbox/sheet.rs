//! Sheets: what lies over the inbox. Entries in full, a reason, an edited text, a rule, an undo.

use crate::cache::Cache;
use crate::context::Context;
use crate::effect::Effect;
use crate::effect::{GateRule, InboxAction, Reach};
use crate::msg::Msg;
use crate::screens::inbox::state::InboxOverlay;
use crate::screens::inbox::undo;
use crate::screens::live::pages::entry;
use crate::screens::live::update as run;
use crate::shell::{Cover, Shell};
use crate::theme::Role;
use crate::widgets::editor::Editor;
use crate::widgets::page::heading;
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::scroll::Motion;
use crate::widgets::scroll::moved;
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::knowledge::kind::EntryKind;
use pithead_core::domain::run::decision::{Fallback, GateKind, Policy, Verdict};
use pithead_core::text::clean::clean_line;
use pithead_world::ids::{KnowledgeId, RunId};

/// Rows kept below the text for the keys that decide.
pub const BAR: u16 = 2;

/// Policies that a rule can have.
pub const POLICIES: [Policy; 4] = [
    Policy::Auto,
    Policy::Ask,
    Policy::AskFor {
        seconds: 60,
        then: Fallback::Approve,
    },
    Policy::AskFor {
        seconds: 60,
        then: Fallback::Veto,
    },
];

/// Opens entries to be read.
pub fn read(context: &mut Context<'_>, ids: Vec<KnowledgeId>) {
    let sheet = InboxOverlay::Read {
        ids,
        scroll: 0,
        seen: false,
    };
    context.shell.cover = Cover::Inbox(sheet);
    look(context.shell, context.cache);
}

/// Remembers that the end of what is read has been on the screen.
pub fn look(shell: &mut Shell, cache: &Cache) {
    let (lines, height) = extent(shell, cache);
    if let Cover::Inbox(InboxOverlay::Read { scroll, seen, .. }) = &mut shell.cover {
        *scroll = (*scroll).min(lines.saturating_sub(height));
        *seen = *seen || (height > 0 && *scroll + height >= lines);
    }
}

/// Lines of what is read, and how many fit.
#[must_use]
pub fn extent(shell: &Shell, cache: &Cache) -> (usize, usize) {
    let area = crate::widgets::page::reading_area(shell.size, BAR);
    let lines = lines(shell, cache).len();
    (lines, usize::from(area.height))
}

/// The lines of the entries that are being read.
#[must_use]
pub fn lines(shell: &Shell, cache: &Cache) -> Vec<Rich> {
    let Cover::Inbox(InboxOverlay::Read { ids, .. }) = &shell.cover else {
        return Vec::new();
    };
    let width = usize::from(crate::widgets::page::reading_area(shell.size, BAR).width);
    let mut out = Vec::new();
    for (n, id) in ids.iter().enumerate() {
        if ids.len() > 1 {
            let of = format!("{} of {} ", n + 1, ids.len());
            heading(&mut out, &of);
        }
        match cache.entry(*id) {
            Some(known) => {
                out.extend(entry::whole(known, width));
                let asked = cache.decisions.about(*id);
                let words = match asked {
                    Some(asked) => format!(
                        "asked at the gate of run {} as {}; blocks nothing",
                        asked.run, asked.question.id
                    ),
                    None => "waits in the knowledge base; no run asks about it".to_owned(),
                };
                paragraph(&mut out, Rich::new(), Role::Faint, &words, width);
            }
            None => out.push(Rich::of(Role::Faint, "It is not in the database any more.")),
        }
    }
    out
}

/// A message while a sheet is open.
pub fn on(context: &mut Context<'_>, sheet: InboxOverlay, msg: Msg) -> Option<Effect> {
    if matches!(msg, Msg::Suspend | Msg::Redraw) {
        return run::update(context.ui, context.view, msg);
    }
    match sheet {
        InboxOverlay::Read { ids, scroll, seen } => on_read(context, ids, (scroll, seen), msg),
        InboxOverlay::Veto { ids, text } => on_veto(context, ids, &text, msg),
        InboxOverlay::Edit(id) => on_edit(context, id, msg),
        InboxOverlay::Rule(ruling) => on_rule(context, ruling, msg),
        InboxOverlay::Undo(undo) => confirmed(context, msg, InboxAction::TakeBack(undo.id())),
        InboxOverlay::Forget(kind) => confirmed(context, msg, InboxAction::Forget(kind)),
    }
}

fn confirmed(context: &mut Context<'_>, msg: Msg, act: InboxAction) -> Option<Effect> {
    context.shell.cover = Cover::None;
    (msg == Msg::Yes).then_some(Effect::Inbox(act))
}

fn on_read(
    context: &mut Context<'_>,
    ids: Vec<KnowledgeId>,
    (scroll, seen): (usize, bool),
    msg: Msg,
) -> Option<Effect> {
    match msg {
        Msg::Move(motion) => {
            let (lines, height) = extent(context.shell, context.cache);
            let last = lines.saturating_sub(height);
            let scroll = moved(scroll, last + 1, height.saturating_sub(1), motion);
            context.shell.cover = Cover::Inbox(InboxOverlay::Read { ids, scroll, seen });
            look(context.shell, context.cache);
        }
        Msg::Back => context.shell.cover = Cover::None,
        Msg::Approve if decidable(context, &ids, seen) => {
            context.shell.cover = Cover::None;
            let verdict = Verdict::Approve;
            return Some(Effect::Inbox(InboxAction::Answer { ids, verdict }));
        }
        Msg::Veto if decidable(context, &ids, seen) => {
            let text = String::new();
            context.shell.cover = Cover::Inbox(InboxOverlay::Veto { ids, text });
        }
        Msg::Edit if decidable(context, &ids, seen) => match ids[..] {
            [id] => edit(context, id),
            _ => context
                .shell
                .refuse("an edit is of one entry; open it alone"),
        },
        Msg::Rule => {
            let kind = ids.first().and_then(|id| kind_of(context.cache, *id));
            let run = ids.first().map_or(RunId(0), |id| id.run);
            match kind {
                Some(kind) => open_rule(context, kind, run),
                None => context
                    .shell
                    .refuse("no gate asks about entries of this kind"),
            }
        }
        _ => (), // no other row holds while something is read
    }
    None
}

/// The gate that asks about such an entry.
#[must_use]
pub fn kind_of(cache: &Cache, id: KnowledgeId) -> Option<GateKind> {
    if let Some(asked) = cache.decisions.about(id) {
        return Some(asked.question.kind);
    }
    match cache.entry(id)?.body.entry_kind() {
        EntryKind::Skill => Some(GateKind::Skill),
        EntryKind::Guardrail | EntryKind::TaskGuardrail => Some(GateKind::Guardrail),
        EntryKind::Rule => Some(GateKind::Rule),
        EntryKind::ReferencePlan => Some(GateKind::ReferencePlan),
        EntryKind::Note => None,
    }
}

/// True if all of it may be decided; says why not.
fn decidable(context: &mut Context<'_>, ids: &[KnowledgeId], seen: bool) -> bool {
    let other = ids.iter().find_map(|id| match context.cache.entry(*id) {
        None => Some(format!("{id} is not in the database any more")),
        Some(entry) if entry.status == Status::Proposed => None,
        Some(entry) => Some(format!("{id} is {} already", entry.status.name())),
    });
    let because = match other {
        Some(because) => because,
        None if seen => return true,
        None => {
            "scroll to the end first (pgdn or G): only what has been seen can be decided".to_owned()
        }
    };
    context.shell.refuse(because);
    false
}

fn on_veto(
    context: &mut Context<'_>,
    ids: Vec<KnowledgeId>,
    text: &str,
    msg: Msg,
) -> Option<Effect> {
    let reason = clean_line(text.trim());
    match msg {
        Msg::Back => read(context, ids),
        Msg::Submit if reason.is_empty() => {
            context
                .shell
                .refuse("a veto needs a reason; the mind is told it");
        }
        Msg::Submit => {
            context.shell.cover = Cover::None;
            let verdict = Verdict::Veto { reason };
            return Some(Effect::Inbox(InboxAction::Answer { ids, verdict }));
        }
        _ => (), // keys that move have no meaning in a line of text
    }
    None
}

/// Opens an entry in the editor.
fn edit(context: &mut Context<'_>, id: KnowledgeId) {
    let Some(entry) = context.cache.entry(id) else {
        return;
    };
    match Editor::entry(entry) {
        Ok(editor) => {
            context.shell.editor = Some(Box::new(editor));
            context.shell.cover = Cover::Inbox(InboxOverlay::Edit(id));
        }
        Err(because) => context.shell.refuse(because),
    }
}

fn on_edit(context: &mut Context<'_>, id: KnowledgeId, msg: Msg) -> Option<Effect> {
    let mut editor = context.shell.editor.take()?;
    match msg {
        Msg::Submit => {
            if let Some((body, _)) = editor.body(id, &context.cache.entries) {
                context.shell.cover = Cover::None;
                let verdict = Verdict::EditKnowledge(body);
                return Some(Effect::Inbox(InboxAction::Answer {
                    ids: vec![id],
                    verdict,
                }));
            }
        }
        Msg::Back => match editor.stays_open() {
            Some(because) => context.shell.refuse(because),
            None => {
                read(context, vec![id]);
                return None;
            }
        },
        _ => (), // no other row holds in the editor
    }
    context.shell.editor = Some(editor);
    None
}

/// Opens a rule about a kind of question, beginning with what is asked for most: always, unasked.
pub fn open_rule(context: &mut Context<'_>, kind: GateKind, run: RunId) {
    // A run that is over asks nothing any more.
    let row = context.cache.run(run);
    let run = match row {
        Some(row) if row.outcome.is_some() => RunId(0),
        Some(_) | None => run,
    };
    context.shell.cover = Cover::Inbox(InboxOverlay::Rule(GateRule {
        kind,
        run,
        reach: Reach::Always,
        policy: Policy::Auto,
    }));
}

fn on_rule(context: &mut Context<'_>, ruling: GateRule, msg: Msg) -> Option<Effect> {
    let turned = |at: Option<usize>, len: usize, by: usize| (at.unwrap_or(0) + by) % len;
    let reach = |by| {
        let at = Reach::ALL.iter().position(|reach| *reach == ruling.reach);
        Reach::ALL[turned(at, Reach::ALL.len(), by)]
    };
    let policy = |by| {
        let at = POLICIES.iter().position(|policy| *policy == ruling.policy);
        POLICIES[turned(at, POLICIES.len(), by)]
    };
    let next = match msg {
        Msg::Move(Motion::Down) => GateRule {
            reach: reach(1),
            ..ruling
        },
        Msg::Move(Motion::Up) => GateRule {
            reach: reach(Reach::ALL.len() - 1),
            ..ruling
        },
        Msg::Move(Motion::Right) => GateRule {
            policy: policy(1),
            ..ruling
        },
        Msg::Move(Motion::Left) => GateRule {
            policy: policy(POLICIES.len() - 1),
            ..ruling
        },
        Msg::Yes => {
            if ruling.reach == Reach::Run && ruling.run == RunId(0) {
                context
                    .shell
                    .refuse("no run asks this any more; choose always, or leave it");
                return None;
            }
            context.shell.cover = Cover::None;
            if ruling.reach == Reach::Once {
                context
                    .shell
                    .say("no rule was saved; this question is answered by itself");
                return None;
            }
            return Some(Effect::Inbox(InboxAction::Save(ruling)));
        }
        _ => {
            context.shell.cover = Cover::None;
            return None;
        }
    };
    context.shell.cover = Cover::Inbox(InboxOverlay::Rule(next));
    None
}

/// The rule in full, as it would be saved.
#[must_use]
pub fn rule_lines(ruling: &GateRule, file: Option<&str>) -> Vec<Rich> {
    let GateRule {
        kind,
        run,
        reach,
        policy,
    } = ruling;
    let mut out = vec![
        Rich::of(
            Role::Strong,
            format!("Questions of the gate {}", kind.name()),
        ),
        Rich::new(),
    ];
    for known in Reach::ALL {
        let (sign, role) = if known == *reach {
            ("▌ ", Role::Strong)
        } else {
            ("  ", Role::Text)
        };
        out.push(Rich::of(Role::BorderFocus, sign).and(role, known.words()));
    }
    out.push(Rich::new());
    out.push(
        Rich::of(Role::Faint, "policy  ◂ ")
            .and(Role::Strong, policy.to_string())
            .and(Role::Faint, " ▸  ")
            .and(Role::Text, means(*kind, *policy)),
    );
    out.push(Rich::new());
    out.push(Rich::of(Role::Faint, "What would be saved:"));
    let in_run = format!(
        "  run {run}: {} = {policy}, from its next question on",
        kind.name()
    );
    let in_run = if run.0 == 0 {
        None // no run asks
    } else {
        Some(Rich::of(Role::Text, in_run))
    };
    match reach {
        Reach::Once => out.push(Rich::of(Role::Text, "  nothing")),
        Reach::Run if in_run.is_none() => {
            out.push(Rich::of(Role::Text, "  nothing: no run asks this any more"));
        }
        Reach::Run => out.extend(in_run),
        Reach::Always => {
            out.extend(in_run);
            let file = file.unwrap_or("gates.toml");
            let rule = format!("  {file}: [gates] {} = \"{policy}\"", kind.name());
            out.push(Rich::of(Role::Text, rule));
            out.push(Rich::of(
                Role::Faint,
                "  --gate goes before it; the Rules screen (2, then p) takes it off",
            ));
        }
    }
    out
}

fn means(kind: GateKind, policy: Policy) -> String {
    match (kind, policy) {
        (GateKind::Budget, Policy::Auto) => "the run ends there, unasked".to_owned(),
        (_, Policy::Auto) => "approved without asking you".to_owned(),
        (_, Policy::Ask) => "waits for you, for ever".to_owned(),
        (_, Policy::AskFor { seconds, then }) => {
            let then = match then {
                Fallback::Approve => "approved",
                Fallback::Veto => "vetoed",
            };
            format!("waits for you {seconds} s, then {then} by itself")
        }
    }
}

/// Opens what taking back the selected decision would do; says why it cannot be.
pub fn open_undo(context: &mut Context<'_>, run: RunId, seq: pithead_world::ids::Seq) {
    let found = context.cache.decisions.past(run, seq);
    let undo = match found {
        Some(past) => {
            let entry = past.about.entry().and_then(|id| context.cache.entry(id));
            undo::of(past, entry.map(AsRef::as_ref))
        }
        None => Err("it is not in the database any more".to_owned()),
    };
    match undo {
        Ok(undo) => context.shell.cover = Cover::Inbox(InboxOverlay::Undo(undo)),
        Err(because) => context.shell.refuse(because),
    }
}
