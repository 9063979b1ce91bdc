//! Editing in a session: texts and findings about entries that come back from elsewhere.

use crate::overlays::known::{entry_at_hand, shown_entries};
use crate::overlays::pages::{settle_page, show_study};
use crate::screen::Screen;
use crate::screens::knowledge;
use crate::screens::knowledge::state::{Study, StudyKind};
use crate::screens::knowledge::study::has_room;
use crate::screens::knowledge::study_result::StudyResult;
use crate::session::Session;
use pithead_core::domain::knowledge::Entry;
use pithead_world::ids::KnowledgeId;
use std::sync::Arc;

impl Session {
    /// A text comes back; it is read when it is saved here.
    pub(crate) fn take_text(&mut self, came: Result<String, String>) {
        let text = match came {
            Ok(text) => text,
            Err(because) => return self.shell.refuse(because),
        };
        match self.shell.open_text() {
            Some(editor) => {
                editor.replace(&text);
                self.shell.say("ctrl-s checks and saves it");
            }
            None => self.shell.refuse("the text is no longer open"),
        }
    }

    /// What came of looking into an entry in some version.
    pub(crate) fn settle_study(
        &mut self,
        (id, version): (KnowledgeId, u32),
        kind: StudyKind,
        found: Result<StudyResult, String>,
    ) {
        let studies = &mut self.shell.knowledge.studies;
        let fault = found.as_ref().err().cloned();
        let before = studies.insert((id, kind), Study::Over { version, found });
        let is_asked = before == Some(Study::UnderWay { is_asked: true });
        match fault {
            Some(because) if is_asked => {
                let word = format!("{} of {id}: {because}", kind.name());
                self.shell.refuse(word);
            }
            None if is_asked => self.shell.say(format!("{} of {id} is there", kind.name())),
            // Its card tells what came of it.
            Some(_) | None => (),
        }
        if is_asked {
            show_study(&mut self.shell, (&self.cache, &self.view), (id, kind));
        }
        settle_page(&mut self.shell, &self.cache, &self.view);
        self.must_redraw();
    }

    /// Says what has come of something that was asked for.
    pub(crate) fn settle_operation(&mut self, result: Result<String, String>) {
        match result {
            Ok(word) => self.shell.say(word),
            Err(because) => self.shell.refuse(because),
        }
        self.must_redraw();
    }

    /// What was saved is forgotten, or comes back with its fault.
    pub(crate) fn settle_text(&mut self, told: &Result<String, String>) {
        knowledge::overlay::settle_sent_text(
            &mut self.shell,
            told.as_ref().err().map(String::as_str),
        );
    }

    /// The guardrail in the editor as it reads now, unless that was held against the record already; from now on it is.
    pub(crate) fn take_wanted_edit(&mut self) -> Option<Arc<Entry>> {
        let edited = self.shell.open_text()?.edited_guardrail()?;
        let studies = &mut self.shell.knowledge.studies;
        let key = (edited.id, StudyKind::Edit);
        let is_known = match studies.get(&key) {
            None => false,
            Some(Study::UnderWay { .. }) => true,
            Some(Study::Over {
                found: Ok(StudyResult::Change(found)),
                ..
            }) => found.edited_body == edited.body,
            // What went wrong once is not tried at every key.
            Some(Study::Over { version, .. }) => *version == edited.version,
        };
        if is_known || !has_room(studies) {
            return None;
        }
        studies.insert(key, Study::UnderWay { is_asked: false });
        Some(Arc::new(edited))
    }

    /// The next entry on the screen whose record was not looked through yet in its version; from now on that is
    /// under way.
    pub(crate) fn take_wanted_study(&mut self) -> Option<Arc<Entry>> {
        let studies = &self.shell.knowledge.studies;
        let mut shown = shown_entries(&self.shell, &self.cache, &self.view);
        // The inbox previews what is selected.
        if self.shell.screen == Screen::Inbox && self.shell.overlays.is_empty() {
            shown.extend(entry_at_hand(&self.shell, &self.cache, &self.view));
        }
        let mut shown = shown.into_iter();
        let wanted = shown.find(
            |entry| match studies.get(&(entry.id, StudyKind::Backtest)) {
                None => true,
                Some(Study::Over { version, .. }) => *version != entry.version,
                Some(Study::UnderWay { .. }) => false,
            },
        )?;
        if !has_room(studies) {
            return None;
        }
        let begun = Study::UnderWay { is_asked: false };
        let studies = &mut self.shell.knowledge.studies;
        studies.insert((wanted.id, StudyKind::Backtest), begun);
        Some(wanted)
    }
}
