//! Editing in a session: texts and findings about entries that come back from elsewhere.

use crate::overlays::pages::settle_page;
use crate::screens::knowledge;
use crate::screens::knowledge::state::{Study, StudyKind};
use crate::session::Session;
use pithead_world::ids::KnowledgeId;

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

    /// What came of looking into an entry.
    pub(crate) fn settle_study(
        &mut self,
        id: KnowledgeId,
        kind: StudyKind,
        found: Result<Vec<String>, String>,
    ) {
        let version = self.cache.entry(id).map_or(0, |entry| entry.version);
        let word = match &found {
            Ok(_) => format!("{} of {id} is there", kind.name()),
            Err(because) => format!("{} of {id}: {because}", kind.name()),
        };
        match &found {
            Ok(_) => self.shell.say(word),
            Err(_) => self.shell.refuse(word),
        }
        let study = Study::Over { version, found };
        self.shell.knowledge.studies.insert((id, kind), study);
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
}
