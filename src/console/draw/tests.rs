//! Screens as plain text at several sizes, and what must hold at every size.

use crate::console::testing::{running, screen, story, view_of};
use crate::console::ui::{Mode, Ui};
use crate::runtime::DriverStatus;
use ratatui::layout::Size;

fn ui(width: u16, height: u16) -> Ui {
    Ui::new(Mode::Live(DriverStatus::Running), Size::new(width, height))
}

#[test]
fn look() {
    let view = view_of(&running());
    println!("{}", screen(&view, &ui(120, 36)));
    println!("{}", screen(&view_of(&story()), &ui(200, 50)));
}
