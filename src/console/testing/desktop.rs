//! Everything that a key can look at, and an operator who presses keys.

use crate::cache::{Cache, Loaded};
use crate::context::{Context, Scene};
use crate::draw::draw;
use crate::effect::Effect;
use crate::export;
use crate::input::keymap::Keymap;
use crate::input::terminal::on_terminal;
use crate::screen::Screen;
use crate::shell::Shell;
use crate::testing::text_of;
use crate::theme::Theme;
use crate::view::View;
use pithead_core::text::clean::is_clean;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;

pub(crate) struct Console {
    pub(crate) shell: Shell,
    pub(crate) cache: Cache,
    pub(crate) view: View,
}

impl Console {
    pub(crate) fn new(shell: Shell, cache: Cache, view: View) -> Self {
        Self { shell, cache, view }
    }

    /// On the Knowledge screen, over this base.
    pub(crate) fn on_knowledge(base: Loaded, size: Size) -> Self {
        let mut cache = Cache::default();
        cache.apply(base);
        let mut shell = Shell::new(Screen::Knowledge, Keymap::default(), size);
        shell.settle(&cache);
        Self::new(shell, cache, View::default())
    }

    pub(crate) fn take(&mut self, event: &Event) -> Option<Effect> {
        let mut context = Context {
            shell: &mut self.shell,
            cache: &self.cache,
            view: &self.view,
        };
        on_terminal(&mut context, event)
    }

    /// Presses one key after the other; what the last one asks for.
    pub(crate) fn press(&mut self, keys: &str) -> Option<Effect> {
        let mut last = None;
        for key in keys.chars() {
            let code = match key {
                '⏎' => KeyCode::Enter,
                '⎋' => KeyCode::Esc,
                '⇥' => KeyCode::Tab,
                '⌫' => KeyCode::Backspace,
                '↑' => KeyCode::Up,
                '↓' => KeyCode::Down,
                '→' => KeyCode::Right,
                '←' => KeyCode::Left,
                c => KeyCode::Char(c),
            };
            last = self.take(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        }
        last
    }

    pub(crate) fn sight(&self) -> Scene<'_> {
        Scene {
            shell: &self.shell,
            cache: &self.cache,
            view: &self.view,
            pictures: None,
        }
    }

    pub(crate) fn screen(&self) -> String {
        text_of(&self.sight())
    }

    /// Nothing but printable cells is on the screen, nor in what is saved of it.
    #[track_caller]
    pub(crate) fn assert_clean(&self) {
        let theme = Theme::default_for(true);
        let drawn = export::render(self.shell.size, |frame| draw(frame, &self.sight(), &theme));
        let buffer = drawn.expect("it draws");
        for cell in &buffer.content {
            assert!(is_clean(cell.symbol()), "a cell holds {:?}", cell.symbol());
        }
        for saved in [export::text(&buffer), export::svg(&buffer, theme.paper)] {
            assert!(saved.lines().all(is_clean), "{saved:?}");
        }
    }

    /// The message at the foot of the screen.
    pub(crate) fn said(&self) -> &str {
        self.shell.toast.as_ref().map_or("", |toast| &toast.text)
    }
}
