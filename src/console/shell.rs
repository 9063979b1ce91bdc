//! The shell: the state of the console around one run. Which screen, what its lists show, what lies
//! over it, and how to get back.
//!
//! Nothing here is about a run; losing it loses nothing.

use crate::cache::Cache;
use crate::input::keymap::Keymap;
use crate::overlay::{EditedText, OpenPage, Overlay, PageSubject};
use crate::saved_views::SavedViews;
use crate::screen::Screen;
use crate::screens::debug::state::DebugState;
use crate::screens::knowledge::state::KnowledgeState;
use crate::screens::live::state::{LiveState, ReplayState, RunMode};
use crate::screens::options::state::OptionsSubject;
use crate::widgets::editor::Editor;
use crate::widgets::table::{ListItem, TableUi};
use pithead_engine::eval::listing::EvalId;
use pithead_engine::launch::Choices;
use pithead_engine::runtime::lineage::LineageSubject;
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, KnowledgeId, RunId, Seq};
use ratatui::layout::Size;
use std::collections::BTreeMap;

/// Screens remembered for the way back.
const HISTORY_MAX: usize = 50;

/// The console around the run.
#[derive(Debug, Clone)]
pub struct Shell {
    pub screen: Screen,
    back: Vec<Place>,
    forward: Vec<Place>,
    pub lists: BTreeMap<Screen, TableUi>,
    /// What lies over the screen; the last one is on top and takes the keys.
    pub overlays: Vec<Overlay>,
    /// The run in sight.
    pub live: LiveState,
    pub keymap: Keymap,
    /// How often commands were chosen in the palette, by name.
    pub uses: BTreeMap<String, u32>,
    /// The saved views of lists.
    pub views: SavedViews,
    pub toast: Option<Toast>,
    /// A change waits for another program that is writing to the database.
    pub waits_for_database: bool,
    /// The wall clock when a key was pressed or something came last.
    pub now: Millis,
    pub size: Size,
    /// How the database was named on the command line.
    pub named: String,
    /// There is a run to show on the live screen.
    pub has_run: bool,
    pub mouse: bool,
    pub debug: DebugState,
    /// The evaluation whose episodes are looked at.
    pub opened: Option<EvalId>,
    /// The runs that are looked at beside each other.
    pub compared: Vec<RunId>,
    /// The runs whose failures are looked at.
    pub failing: Vec<RunId>,
    /// What the list of options is about.
    pub options: OptionsSubject,
    /// What the lineage is of.
    pub lineage: Option<LineageSubject>,
    /// What the run which is being opened is opened for.
    pub(crate) aim: Option<RunPlace>,
    /// The text that is open over a screen; the overlay says whose it is.
    pub editor: Option<Box<Editor>>,
    pub knowledge: KnowledgeState,
    /// What a new run can be; nothing where none can be started.
    pub choices: Option<Choices>,
}

/// A place in a run that it is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunPlace {
    /// On the Debug screen.
    Attempt(AttemptId),
    /// On its own screen.
    Moment(Seq),
}

/// A screen and what it was about, for the way back.
#[derive(Debug, Clone)]
struct Place {
    screen: Screen,
    options: OptionsSubject,
    lineage: Option<LineageSubject>,
    /// The selected line of a lineage: each lineage has lines of its own.
    selected: Option<ListItem>,
    /// The entry that was read over the screen.
    read: Option<KnowledgeId>,
}

impl Toast {
    #[must_use]
    pub fn word(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_fault: false,
        }
    }

    /// Why something was not done.
    #[must_use]
    pub fn fault(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_fault: true,
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
            overlays: Vec::new(),
            // No run is in sight before a session shows one.
            live: LiveState::new(RunMode::Replay(ReplayState::default())),
            keymap,
            uses: BTreeMap::new(),
            views: SavedViews::new(),
            toast: None,
            waits_for_database: false,
            now: Millis(0),
            size,
            named: String::new(),
            has_run: screen == Screen::Live,
            mouse: true,
            debug: DebugState::default(),
            opened: None,
            compared: Vec::new(),
            failing: Vec::new(),
            options: OptionsSubject::default(),
            lineage: None,
            aim: None,
            editor: None,
            knowledge: KnowledgeState::default(),
            choices: None,
        }
    }

    /// Goes to a screen; the way back leads here.
    pub fn go(&mut self, screen: Screen) {
        if screen != self.screen {
            self.leave_trace();
            self.enter(screen);
        }
    }

    /// Goes to the options of something.
    pub(crate) fn go_to_options(&mut self, subject: OptionsSubject) {
        if self.screen == Screen::Options && self.options.targets == subject.targets {
            return;
        }
        self.leave_trace();
        if self.options.targets != subject.targets {
            self.lists.remove(&Screen::Options);
        }
        self.options = subject;
        self.enter(Screen::Options);
    }

    /// Goes to a lineage; from one lineage to the next the way back leads to the one before.
    pub(crate) fn go_to_lineage(&mut self, subject: LineageSubject) {
        let before = self.lineage;
        if self.screen == Screen::Lineage && before == Some(subject) {
            return;
        }
        self.leave_trace();
        if before != Some(subject) {
            self.lists.remove(&Screen::Lineage);
        }
        self.lineage = Some(subject);
        self.enter(Screen::Lineage);
    }

    /// Remembers where one is before one goes on.
    fn leave_trace(&mut self) {
        self.back.push(self.place());
        if self.back.len() > HISTORY_MAX {
            self.back.remove(0);
        }
        self.forward.clear();
    }

    fn place(&self) -> Place {
        Place {
            screen: self.screen,
            options: self.options.clone(),
            lineage: self.lineage,
            selected: self
                .lists
                .get(&Screen::Lineage)
                .and_then(|list| list.selected),
            read: self.entry_in_hand(),
        }
    }

    fn return_to(&mut self, place: Place) {
        if self.lineage != place.lineage {
            self.lists.remove(&Screen::Lineage);
            self.lists.entry(Screen::Lineage).or_default().selected = place.selected;
        }
        (self.options, self.lineage) = (place.options, place.lineage);
        self.enter(place.screen);
        if let Some(id) = place.read {
            self.open_page(PageSubject::Entry(id));
        }
    }

    /// A run is in sight: on its own screen, or on the Debug screen at the attempt that was asked for.
    pub fn land(&mut self) {
        match self.aim.take() {
            None => self.go(Screen::Live),
            Some(RunPlace::Moment(seq)) => {
                self.go(Screen::Live);
                self.live.line = Some(seq);
            }
            Some(RunPlace::Attempt(attempt)) => {
                let list = self.lists.entry(Screen::Debug).or_default();
                list.selected = Some(ListItem::Attempt(attempt));
                self.debug.is_aimed = true;
                self.go(Screen::Debug);
            }
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
        self.forward.push(self.place());
        self.return_to(before);
        true
    }

    /// Forward again; false if nothing was gone back from.
    pub fn go_forward(&mut self) -> bool {
        let Some(after) = self.forward.pop() else {
            return false;
        };
        self.back.push(self.place());
        self.return_to(after);
        true
    }

    pub(crate) fn enter(&mut self, screen: Screen) {
        self.screen = screen;
        self.close_overlays();
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
        let list = self.lists.entry(self.screen).or_default();
        list.now = self.now;
        Some((list, table))
    }

    /// Unfolds what lies below a row of the list in sight, or folds it again.
    pub(crate) fn fold_or_unfold(&mut self, cache: &Cache, item: ListItem) {
        if let Some((list, table)) = self.list_with(cache) {
            list.fold_or_unfold(item);
            // The filter was read when it was typed.
            let _ = list.settle(table);
        }
    }

    /// New data have come: every list is put in order again.
    pub fn settle(&mut self, cache: &Cache) {
        for (screen, table) in &cache.tables {
            // A filter that cannot be read was refused when it was typed.
            let list = self.lists.entry(*screen).or_default();
            list.now = self.now;
            let _ = list.settle(table);
        }
    }

    /// The selected row of the list in sight.
    #[must_use]
    pub fn item(&self, cache: &Cache) -> Option<ListItem> {
        let table = cache.table(self.screen)?;
        self.list()?.item(table)
    }

    /// What lies on top.
    #[must_use]
    pub fn overlay(&self) -> Option<&Overlay> {
        self.overlays.last()
    }

    /// Puts something over what is there.
    pub fn open_overlay(&mut self, overlay: Overlay) {
        self.overlays.push(overlay);
    }

    /// Puts something in the place of what lies on top.
    pub fn replace_overlay(&mut self, overlay: Overlay) {
        self.overlays.pop();
        self.overlays.push(overlay);
    }

    /// Takes off what lies on top; what is below comes in sight again.
    pub fn close_overlay(&mut self) {
        if let Some(Overlay::Editor(_)) = self.overlays.pop() {
            self.editor = None;
        }
    }

    pub fn close_overlays(&mut self) {
        self.overlays.clear();
        self.editor = None;
    }

    /// Opens a text in full.
    pub fn open_page(&mut self, subject: PageSubject) {
        self.open_overlay(Overlay::Page(OpenPage::new(subject)));
    }

    /// Opens a text in the editor.
    pub fn open_editor(&mut self, whose: EditedText, editor: Editor) {
        self.editor = Some(Box::new(editor));
        self.open_overlay(Overlay::Editor(whose));
    }

    /// The entry of the knowledge base that is read in full.
    #[must_use]
    pub fn entry_in_hand(&self) -> Option<KnowledgeId> {
        match self.page()?.subject {
            PageSubject::Entry(id) => Some(id),
            _ => None, // nothing else is one entry
        }
    }

    /// The text that is read, if it lies on top.
    #[must_use]
    pub fn page(&self) -> Option<&OpenPage> {
        match self.overlay() {
            Some(Overlay::Page(page)) => Some(page),
            _ => None, // nothing else is read in full
        }
    }

    /// True if the end of what is read has been on the screen; says so if not.
    pub fn has_seen_end(&mut self) -> bool {
        let seen = self.page().is_some_and(|page| page.seen);
        if !seen {
            self.refuse(
                "scroll to the end first (pgdn or G): only what has been seen can be decided",
            );
        }
        seen
    }

    /// Closes the editor, unless its text was changed and leaving was not asked for twice.
    pub fn leave_editor(&mut self) {
        match self.editor.as_mut().and_then(|editor| editor.stays_open()) {
            Some(because) => self.refuse(because),
            None => self.close_overlay(),
        }
    }

    /// The text that is open, if it lies on top.
    pub fn open_text(&mut self) -> Option<&mut Editor> {
        match self.overlays.last() {
            Some(Overlay::Editor(_)) => self.editor.as_deref_mut(),
            _ => None, // nothing else has a text in an editor
        }
    }

    /// The line of text that is being typed.
    pub fn typed_line(&mut self) -> Option<&mut String> {
        self.overlays.last_mut().and_then(Overlay::typed_line)
    }

    pub fn say(&mut self, text: impl Into<String>) {
        self.toast = Some(Toast::word(text));
    }

    /// Says why a key did nothing.
    pub fn refuse(&mut self, text: impl Into<String>) {
        self.toast = Some(Toast::fault(text));
    }
}

/// A word to the operator, until the next key.
#[derive(Debug, Clone, PartialEq)]
pub struct Toast {
    pub text: String,
    pub is_fault: bool,
}
