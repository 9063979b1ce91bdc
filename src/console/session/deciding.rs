//! Deciding in a session: what is answered through the run that is driven here, and questions of the
//! inbox that are read on their run's own screen.

use crate::effect::{Effect, InboxAction, Reach};
use crate::overlay::{Overlay, PageSubject};
use crate::overlays::pages::settle_page;
use crate::screen::Screen;
use crate::screens::home;
use crate::screens::home::launch::ResumeConsent;
use crate::screens::live::answer::note_sent;
use crate::screens::live::state::RunMode;
use crate::session::Session;
use crate::shell::Toast;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::{Gates, Subject, Verdict};
use pithead_world::clock::Millis;
use pithead_world::ids::{DecisionId, KnowledgeId, RunId};
use ratatui::crossterm::event::Event as Term;

/// After something has come over the screen by itself keys are for nobody: a person needs longer
/// than this to see it.
const DEAF_MS: u64 = 300;

/// A question that the inbox has sent the operator to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Visit {
    #[default]
    None,
    /// Its run is being opened.
    Wanted { run: RunId, decision: DecisionId },
    /// It is on the screen; the inbox comes back when it is answered or closed.
    Reading,
}

impl Session {
    pub(crate) fn decide(&mut self, act: InboxAction) -> Option<Effect> {
        match act {
            InboxAction::Open { run, decision } => self.go_to(run, decision),
            InboxAction::Answer { mut ids, verdict } => {
                // What is asked in the run that is driven here is answered through it.
                ids.retain(|id| !self.answer_here(*id, &verdict));
                let done = ids.is_empty();
                (!done).then_some(Effect::Inbox(InboxAction::Answer { ids, verdict }))
            }
            InboxAction::Save(ruling) if self.is_driven_here(ruling.run) => {
                let (kind, policy) = (ruling.kind, ruling.policy);
                let told = self.tell_driven(Command::SetPolicy { kind, policy });
                let saved = crate::effect::GateRule {
                    run: RunId(0),
                    ..ruling
                };
                match told {
                    Err(because) => self.shell.refuse(because),
                    Ok(()) if ruling.reach == Reach::Always => {
                        return Some(Effect::Inbox(InboxAction::Save(saved)));
                    }
                    Ok(()) => {
                        let name = kind.name();
                        self.shell
                            .say(format!("run {} has {name} = {policy}", ruling.run));
                    }
                }
                None
            }
            other => Some(Effect::Inbox(other)),
        }
    }

    /// True if the question was put to the run that is driven here.
    fn answer_here(&mut self, id: KnowledgeId, verdict: &Verdict) -> bool {
        self.is_driven_here(id.run) && self.answer_entry(id, verdict)
    }

    /// Answers through the run, if it has asked; the run says when the answer holds.
    fn answer_entry(&mut self, id: KnowledgeId, verdict: &Verdict) -> bool {
        let about = Subject::Knowledge(id);
        let stages = [
            Some((&mut self.feed, &self.view, &mut self.shell.live)),
            self.parked
                .as_deref_mut()
                .map(|stage| (&mut stage.feed, &stage.view, &mut stage.live)),
        ];
        for (feed, view, live) in stages.into_iter().flatten() {
            let open = view.inbox.open.iter();
            let is_here = view.head.as_ref().is_some_and(|head| head.run == id.run);
            let mut open = open.filter(|open| is_here && open.question.subject == about);
            if let (RunMode::Live(_), Some(open)) = (feed.mode(), open.next()) {
                let decision = open.question.id;
                let verdict = verdict.clone();
                let sent = feed.send(Command::Decide { decision, verdict });
                // Of a run that is over whose process has gone: it is answered in the database.
                if sent.is_err() && feed.is_guest() && view.status.is_over() {
                    return false;
                }
                self.shell.toast = Some(match sent {
                    Ok(()) => note_sent(live, view, decision, id.to_string()),
                    Err(because) => Toast::fault(because),
                });
                return true;
            }
        }
        false
    }

    fn is_driven_here(&self, run: RunId) -> bool {
        let is = |view: &crate::view::View| view.head.as_ref().is_some_and(|head| head.run == run);
        let live = matches!(self.shell.live.mode, RunMode::Live(_)) && is(&self.view);
        live || self.parked.as_ref().is_some_and(|stage| is(&stage.view))
    }

    fn tell_driven(&mut self, command: Command) -> Result<(), String> {
        match &mut self.parked {
            Some(stage) => stage.feed.send(command),
            None => self.feed.send(command),
        }
    }

    /// Shows a question on its run's screen. A run that was left is resumed: it waits there.
    fn go_to(&mut self, run: RunId, decision: DecisionId) -> Option<Effect> {
        self.visit = Visit::Wanted { run, decision };
        let row = self.cache.run(run);
        let is_left = row.is_some_and(|row| !row.alive && row.outcome.is_none());
        if is_left && !self.is_driven_here(run) {
            let effect = self.begin(home::launch::Launch::Resume(run));
            match effect {
                Some(_) => self
                    .shell
                    .say(format!("going on with run {run}, which waits there …")),
                None => self.visit = Visit::None,
            }
            return effect;
        }
        self.open_run(run)
    }

    /// Asks whether a run may read a file, or join a server, that only its config names. It comes of itself,
    /// so the first keys are not for it.
    pub(crate) fn ask_consent(&mut self, wants: ResumeConsent) {
        self.shell.open_overlay(Overlay::Consent(wants));
        self.deaf_until = self.now.plus(DEAF_MS);
        self.must_redraw();
    }

    /// Opens the question that was asked for, once its run is in sight.
    pub(crate) fn open_wanted(&mut self) {
        let Visit::Wanted { run, decision } = self.visit else {
            return;
        };
        let is_here = self.view.head.as_ref().is_some_and(|head| head.run == run);
        if !is_here {
            return;
        }
        if self.view.inbox.get(decision).is_some() {
            self.shell.open_page(PageSubject::Question(decision));
            settle_page(&mut self.shell, &self.cache, &self.view);
            self.deaf_until = self.now.plus(DEAF_MS);
            (self.visit, self.dirty) = (Visit::Reading, true);
        } else if !self.more {
            self.shell
                .refuse(format!("{decision} of run {run} is answered already"));
            (self.visit, self.dirty) = (Visit::None, true);
        }
    }

    /// A key that was meant for what was there before must not answer what has just come.
    pub(crate) fn is_deaf_to(&self, event: &Term) -> bool {
        matches!(event, Term::Key(_) | Term::Paste(_)) && self.now < self.deaf_until
    }

    /// The question is answered or closed: back to where it was chosen.
    pub(crate) fn return_to_inbox(&mut self) {
        if self.visit != Visit::Reading {
            return;
        }
        if self.shell.screen != Screen::Live {
            self.visit = Visit::None;
        } else if self.shell.overlays.is_empty() {
            self.visit = Visit::None;
            self.shell.go_back();
        }
    }

    /// Ages and count-downs of the inbox go on while it is in sight: by the second where a clock runs,
    /// else not at all, so that a quiet inbox draws nothing.
    pub(crate) fn age_inbox(&mut self, now: Millis) {
        if self.shell.screen.tab() != Screen::Inbox || self.cache.tables.is_empty() {
            return;
        }
        let open = &self.cache.decisions.open;
        let runs = open.iter().any(|asked| asked.question.deadline.is_some());
        let is_new = self.cache.now == Millis(0);
        if is_new || (runs && now.0 / 1000 != self.cache.now.0 / 1000) {
            self.cache.tell_time(now);
            self.shell.settle(&self.cache);
            self.dirty = true;
        }
    }

    /// New runs begin with the saved rules.
    pub(crate) fn take_rules(&mut self) {
        if let Some(choices) = &mut self.shell.choices {
            let mut gates = Gates::console();
            gates.0.extend(self.cache.rules.0.clone());
            choices.gates = gates;
        }
    }
}
