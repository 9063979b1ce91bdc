//! Places: where the list, the scrubber and the parts stand on the Debug screen of some size. Pure.
//! ```text
//! title                        from 110 columns: observables │ checks     │ shared
//! list of attempts                               │            │ indicators │
//! the chosen attempt           else: tabs, and the part in focus
//! scrubber
//! ```

use crate::screen::has_tab_line;
use crate::screens::debug::state::{DebugPart, DebugState};
use ratatui::layout::{Constraint, Layout, Rect, Size};

/// Where things stand; what has no room is absent.
#[derive(Debug, Clone, Default)]
pub struct Places {
    pub title: Option<Rect>,
    pub told: Option<Rect>,
    pub heading: Option<Rect>,
    pub rows: Rect,
    /// Words about the chosen attempt, and its scrubber.
    pub case: Option<Rect>,
    pub scrubber: Option<Rect>,
    pub tabs: Option<Rect>,
    pub parts: Vec<(DebugPart, Rect)>,
    /// Two attempts beside each other.
    pub side: Option<Rect>,
}

/// From here on there is room for three columns of parts.
const WIDE: u16 = 110;
/// Lines that the parts need to be of use.
const PARTS_MIN: u16 = 6;

/// The part that is shown when the list has the focus.
#[must_use]
pub fn lower(ui: &DebugState) -> DebugPart {
    match (ui.part, ui.shared) {
        (DebugPart::Attempts, DebugPart::Attempts) => DebugPart::Trace,
        (DebugPart::Attempts, shared) => shared,
        (part, _) => part,
    }
}

#[must_use]
pub fn debug_places(size: Size, ui: &DebugState) -> Places {
    let mut left = Rect::new(0, 0, size.width, size.height.saturating_sub(1));
    let mut out = Places::default();
    if left.width == 0 || left.height == 0 {
        return out;
    }
    if has_tab_line(size) {
        take_row(&mut left); // the tabs of the screens
    }
    if size.height >= 4 {
        out.title = take_row(&mut left);
    }
    let is_zoomed = ui.zoom && ui.part != DebugPart::Attempts;
    if !is_zoomed {
        if size.height >= 16 {
            out.told = take_row(&mut left);
        }
        if size.height >= 8 {
            out.heading = take_row(&mut left);
        }
        let only_list = (ui.zoom && ui.part == DebugPart::Attempts) || left.height < PARTS_MIN + 4;
        let rows = if only_list {
            left.height
        } else {
            (left.height / 4).clamp(3, 9)
        };
        out.rows = Rect {
            height: rows,
            ..left
        };
        (left.y, left.height) = (left.y + rows, left.height - rows);
        // On a very small screen the part in focus takes the place of the list.
        if only_list && !ui.zoom && ui.part != DebugPart::Attempts {
            left = out.rows;
            out.rows = Rect { height: 0, ..left };
            out.heading = None;
        }
    }
    if left.height == 0 {
        return out;
    }
    if left.height >= 5 {
        out.case = take_row(&mut left);
        out.scrubber = take_row(&mut left);
    }
    if ui.side {
        out.side = Some(left);
        return out;
    }
    if is_zoomed {
        out.parts = vec![(ui.part, left)];
    } else if size.width >= WIDE && left.height >= 12 {
        out.parts = wide(left, ui);
    } else {
        if left.height >= 8 {
            out.tabs = take_row(&mut left);
        }
        out.parts = vec![(lower(ui), left)];
    }
    out
}

fn wide(area: Rect, ui: &DebugState) -> Vec<(DebugPart, Rect)> {
    let [left, middle, right] = Layout::horizontal([
        Constraint::Percentage(27),
        Constraint::Percentage(36),
        Constraint::Fill(1),
    ])
    .areas(area);
    let [checks, charts] =
        Layout::vertical([Constraint::Percentage(38), Constraint::Fill(1)]).areas(middle);
    let shared = match lower(ui) {
        shared @ (DebugPart::Thresholds | DebugPart::Mind) => shared,
        _ => match ui.shared {
            shared @ (DebugPart::Thresholds | DebugPart::Mind) => shared,
            _ => DebugPart::Trace,
        },
    };
    let shared = if ui.part == DebugPart::Trace {
        DebugPart::Trace
    } else {
        shared
    };
    vec![
        (DebugPart::Observed, left),
        (DebugPart::Checks, checks),
        (DebugPart::Charts, charts),
        (shared, right),
    ]
}

fn take_row(left: &mut Rect) -> Option<Rect> {
    if left.height == 0 {
        return None;
    }
    let top = Rect { height: 1, ..*left };
    (left.y, left.height) = (left.y + 1, left.height - 1);
    Some(top)
}
