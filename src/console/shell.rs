//! The shell: the state of the console around one run. Which screen, what its lists show, what lies
//! over it, and how to get back.
//!
//! Nothing here is about a run; losing it loses nothing.

use crate::cache::Cache;
use crate::input::keymap::Keymap;
use crate::screen::Screen;
use crate::screens::debug::state::DebugOverlay;
use crate::screens::debug::state::DebugUi;
use crate::screens::home::form::NewRunForm;
use crate::screens::home::launch::Choices;
use crate::screens::inbox::state::InboxOverlay;
use crate::screens::knowledge::state::CurateUi;
use crate::screens::knowledge::state::KnowledgeOverlay;
use crate::screens::runs::state::Bulk;
use crate::widgets::editor::Editor;
use crate::widgets::table::columns::ColumnChoice;
use crate::widgets::table::{ListItem, TableUi};
use pithead_engine::eval::listing::EvalId;
use pithead_world::ids::{AttemptId, KnowledgeId, RunId};
use ratatui::layout::Size;
use std::collections::BTreeMap;

/// Screens remembered for the way back.
const HISTORY_MAX: usize = 50;

/// The console around the run.
#[derive(Debug, Clone)]
pub struct Shell {
    pub screen: Screen,
    back: Vec<Screen>,
    forward: Vec<Screen>,
    pub lists: BTreeMap<Screen, TableUi>,
    pub cover: Cover,
    pub keymap: Keymap,
    pub toast: Option<Toast>,
    pub size: Size,
    /// How the database was named on the command line.
    pub named: String,
    /// There is a run to show on the live screen.
    pub has_run: bool,
    pub mouse: bool,
    pub debug: DebugUi,
    /// The evaluation whose episodes are looked at.
    pub opened: Option<EvalId>,
    /// The runs that are looked at beside each other.
    pub compared: Vec<RunId>,
    /// The runs whose failures are looked at.
    pub failing: Vec<RunId>,
    /// The attempt that the run which is being opened is opened for.
    pub(crate) aim: Option<AttemptId>,
    /// The text that is open over a screen; the overlay says whose it is.
    pub editor: Option<Box<Editor>>,
    pub curate: CurateUi,
    /// What a new run can be; nothing where none can be started.
    pub choices: Option<Choices>,
}

/// What lies over a screen of the shell.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Cover {
    #[default]
    None,
    Help {
        scroll: usize,
    },
    /// A row in full.
    Page {
        item: ListItem,
        scroll: usize,
    },
    /// A filter being typed; the one before comes back if it is left.
    Filter {
        text: String,
        before: String,
    },
    Palette {
        text: String,
        at: usize,
    },
    /// Over the Debug screen, or about breakpoints.
    Debug(DebugOverlay),
    /// Runs are to be deleted.
    Delete(Vec<RunId>),
    /// What is done with many runs, before it is done.
    Bulk(Bulk),
    /// The columns of the list, being chosen.
    Columns(ColumnChoice),
    /// A new run, being described.
    Start(Box<NewRunForm>),
    /// Over the inbox.
    Inbox(InboxOverlay),
    /// Over the knowledge base.
    Curate(KnowledgeOverlay),
}

impl Cover {
    /// The entry that is read in full.
    #[must_use]
    pub fn entry(&self) -> Option<KnowledgeId> {
        match self {
            Self::Curate(KnowledgeOverlay::Read { id, .. }) => Some(*id),
            _ => None, // nothing else is one entry
        }
    }
}

impl Shell {
    #[must_use]
    pub fn new(screen: Screen, keymap: Keymap, size: Size) -> Self {
        Self {
            screen,
            back: Vec::new(),
            forward: Vec::new(),
            lists: BTreeMap::new(),
            cover: Cover::None,
            keymap,
            toast: None,
            size,
            named: String::new(),
            has_run: screen == Screen::Live,
            mouse: true,
            debug: DebugUi::default(),
            opened: None,
            compared: Vec::new(),
            failing: Vec::new(),
            aim: None,
            editor: None,
            curate: CurateUi::default(),
            choices: None,
        }
    }

    /// Goes to a screen; the way back leads here.
    pub fn go(&mut self, screen: Screen) {
        if screen != self.screen {
            self.back.push(self.screen);
            if self.back.len() > HISTORY_MAX {
                self.back.remove(0);
            }
            self.forward.clear();
            self.enter(screen);
        }
    }

    /// A run is in sight: on its own screen, or on the Debug screen at the attempt that was asked for.
    pub fn land(&mut self) {
        self.go(Screen::Live);
        if let Some(attempt) = self.aim.take() {
            let list = self.lists.entry(Screen::Debug).or_default();
            list.selected = Some(ListItem::Attempt(attempt));
            self.go(Screen::Debug);
        }
    }

    /// Opens an evaluation: its episodes come in sight.
    pub(crate) fn open_evaluation(&mut self, id: EvalId) {
        if self.opened.replace(id) != Some(id) {
            self.lists.remove(&Screen::Episodes);
        }
        self.go(Screen::Episodes);
    }

    /// Back to the screen before; false if there is none.
    pub fn go_back(&mut self) -> bool {
        let Some(before) = self.back.pop() else {
            return false;
        };
        self.forward.push(self.screen);
        self.enter(before);
        true
    }

    /// Forward again; false if nothing was gone back from.
    pub fn go_forward(&mut self) -> bool {
        let Some(after) = self.forward.pop() else {
            return false;
        };
        self.back.push(self.screen);
        self.enter(after);
        true
    }

    pub(crate) fn enter(&mut self, screen: Screen) {
        self.screen = screen;
        self.cover = Cover::None;
    }

    /// What the operator has chosen about the list in sight.
    #[must_use]
    pub fn list(&self) -> Option<&TableUi> {
        self.lists.get(&self.screen)
    }

    /// The list in sight with its table, to be changed.
    pub(crate) fn list_with<'a, 'd>(
        &'a mut self,
        cache: &'d Cache,
    ) -> Option<(&'a mut TableUi, &'d crate::widgets::table::Table)> {
        let table = cache.table(self.screen)?;
        Some((self.lists.entry(self.screen).or_default(), table))
    }

    /// New data have come: every list is put in order again.
    pub fn settle(&mut self, cache: &Cache) {
        for (screen, table) in &cache.tables {
            // A filter that cannot be read was refused when it was typed.
            let _ = self.lists.entry(*screen).or_default().settle(table);
        }
    }

    /// The selected row of the list in sight.
    #[must_use]
    pub fn item(&self, cache: &Cache) -> Option<ListItem> {
        let table = cache.table(self.screen)?;
        self.list()?.item(table)
    }

    pub fn say(&mut self, text: impl Into<String>) {
        self.toast = Some(Toast {
            text: text.into(),
            is_fault: false,
        });
    }

    /// Says why a key did nothing.
    pub fn refuse(&mut self, text: impl Into<String>) {
        self.toast = Some(Toast {
            text: text.into(),
            is_fault: true,
        });
    }
}

/// A word to the operator, until the next key.
#[derive(Debug, Clone, PartialEq)]
pub struct Toast {
    pub text: String,
    pub is_fault: bool,
}
