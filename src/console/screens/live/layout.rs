//! The layout: where panes stand on a screen of some size. Pure.
//! ```text
//! wide (from 110×28)          two columns (from 60×16)     portrait (narrow, from 46 lines)
//! ┌plan┐┌monitor──┐┌map──┐    tabs                         plan
//! │    ││diagnosis││     │    ┌plan─┐┌beside───────┐        monitor · diagnosis · inbox
//! └────┘└inbox────┘└know.┘    └─────┘└─────────────┘        knowledge · map
//! ┌events────────────────┐    ┌events──────────────┐        events
//! ```

use crate::screen::has_tab_line;
use crate::screens::live::state::LiveState;
use ratatui::layout::{Constraint, Layout as Split, Rect, Size};

/// Where things stand; what has no room is absent.
#[derive(Debug, Clone, Default)]
pub struct LiveLayout {
    pub title: Option<Rect>,
    pub status: Option<Rect>,
    pub tabs: Option<Rect>,
    pub position: Option<Rect>,
    pub footer: Option<Rect>,
    pub panes: Vec<(Focus, Rect)>,
}

/// The shape that a size allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Wide,
    Portrait,
    TwoColumns,
    One,
    /// No room for a pane.
    Line,
}

fn shape(size: Size, zoom: bool) -> Shape {
    match (size.width, size.height) {
        (_, 0..4) | (0..16, _) => Shape::Line,
        _ if zoom => Shape::One,
        (110.., 28..) => Shape::Wide,
        (40..100, 46..) => Shape::Portrait,
        (60.., 16..) => Shape::TwoColumns,
        _ => Shape::One,
    }
}

/// The layout for a screen.
#[must_use]
pub fn live_layout(size: Size, ui: &LiveState) -> LiveLayout {
    let shape = shape(size, ui.zoom);
    let mut left = Rect::new(0, 0, size.width, size.height);
    let mut layout = LiveLayout::default();
    if shape == Shape::Line {
        layout.status = take_top(&mut left);
        layout.footer = take_bottom(&mut left);
        return layout;
    }
    if has_tab_line(size) {
        take_top(&mut left); // the tabs of the screens
    }
    if size.height >= 8 {
        layout.title = take_top(&mut left);
    }
    layout.status = take_top(&mut left);
    layout.footer = take_bottom(&mut left);
    if ui.is_replay() && size.height >= 6 {
        layout.position = take_bottom(&mut left);
    }
    if matches!(shape, Shape::TwoColumns | Shape::One) && size.height >= 12 {
        layout.tabs = take_top(&mut left);
    }
    layout.panes = match shape {
        Shape::Wide => wide(left, ui),
        Shape::Portrait => portrait(left, ui),
        Shape::TwoColumns => two_columns(left, ui),
        Shape::One => vec![(ui.focus, left)],
        Shape::Line => Vec::new(),
    };
    layout
}

fn take_top(left: &mut Rect) -> Option<Rect> {
    if left.height == 0 || left.width == 0 {
        return None;
    }
    let top = Rect { height: 1, ..*left };
    (left.y, left.height) = (left.y + 1, left.height - 1);
    Some(top)
}

fn take_bottom(left: &mut Rect) -> Option<Rect> {
    if left.height == 0 || left.width == 0 {
        return None;
    }
    left.height -= 1;
    Some(Rect {
        y: left.y + left.height,
        height: 1,
        ..*left
    })
}

/// Whether there is room for all panes at once.
#[must_use]
pub fn shows_all(size: Size) -> bool {
    matches!(shape(size, false), Shape::Wide | Shape::Portrait)
}

fn wide(area: Rect, ui: &LiveState) -> Vec<(Focus, Rect)> {
    let looks = ui.looks;
    // The plan and the map gain most from height; the last events are enough below.
    let events = (area.height / 4).clamp(7, 14);
    let [top, bottom] =
        Split::vertical([Constraint::Fill(1), Constraint::Length(events)]).areas(area);
    // A picture gains from width, and the others can spare some.
    let (plan, middle) = if looks { (30, 31) } else { (36, 37) };
    let columns = [
        Constraint::Percentage(plan),
        Constraint::Percentage(middle),
        Constraint::Fill(1),
    ];
    let [left, centre, right] = Split::horizontal(columns).areas(top);
    let parts = [
        Constraint::Fill(9),
        Constraint::Fill(9),
        Constraint::Fill(8),
    ];
    let [monitor, diagnosis, inbox] = Split::vertical(parts).areas(centre);
    let [view, right] = Split::vertical([
        Constraint::Fill(if looks { 6 } else { 0 }),
        Constraint::Fill(7),
    ])
    .areas(right);
    let [map, knowledge] = Split::vertical([Constraint::Fill(5), Constraint::Fill(3)]).areas(right);
    let mut panes = vec![
        (Focus::Plan, left),
        (Focus::Monitor, monitor),
        (Focus::Diagnosis, diagnosis),
        (ui.decisions, inbox),
        (Focus::Map, map),
        (ui.corner, knowledge),
        (Focus::Timeline, bottom),
    ];
    panes.extend(looks.then_some((Focus::View, view)));
    panes
}

fn portrait(area: Rect, ui: &LiveState) -> Vec<(Focus, Rect)> {
    let looks = ui.looks;
    let parts = [
        Constraint::Fill(if looks { 9 } else { 0 }),
        Constraint::Fill(6),
        Constraint::Length(9),
        Constraint::Length(8),
        Constraint::Length(8),
        Constraint::Fill(5),
        Constraint::Fill(3),
    ];
    let [view, plan, monitor, diagnosis, inbox, lower, events] = Split::vertical(parts).areas(area);
    let halves = [Constraint::Percentage(50), Constraint::Percentage(50)];
    let [map, knowledge] = Split::horizontal(halves).areas(lower);
    let mut panes = vec![
        (Focus::Plan, plan),
        (Focus::Monitor, monitor),
        (Focus::Diagnosis, diagnosis),
        (ui.decisions, inbox),
        (Focus::Map, map),
        (ui.corner, knowledge),
        (Focus::Timeline, events),
    ];
    panes.extend(looks.then_some((Focus::View, view)));
    panes
}

fn two_columns(area: Rect, ui: &LiveState) -> Vec<(Focus, Rect)> {
    let events = if area.height >= 18 { 6 } else { 0 };
    let [top, bottom] =
        Split::vertical([Constraint::Fill(1), Constraint::Length(events)]).areas(area);
    let halves = [Constraint::Percentage(47), Constraint::Fill(1)];
    let [left, right] = Split::horizontal(halves).areas(top);
    // The events have their own place below where there is room.
    let beside = match ui.beside {
        Focus::Timeline if events > 0 => Focus::Monitor,
        Focus::Plan => Focus::Monitor,
        Focus::View if !ui.looks => Focus::Map,
        other => other,
    };
    let mut panes = vec![(Focus::Plan, left), (beside, right)];
    if events > 0 {
        panes.push((Focus::Timeline, bottom));
    }
    panes
}

/// A place where one of several panes is in sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SharedPlace {
    /// Below the diagnosis.
    Decisions,
    /// Below the map.
    Corner,
}

/// A pane of the live screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Focus {
    Plan,
    Monitor,
    Diagnosis,
    Inbox,
    /// The answer under way, and the questions before it.
    Mind,
    Map,
    Knowledge,
    /// The steps that could be next, and what is predicted of each (DEPS).
    Select,
    /// Rules with their scores and their record (Metagent-P).
    Rules,
    /// What set off the last reflection, and how far the plan is trusted (Metagent-P).
    Reflector,
    /// The tree of goals, with the effort for each (GITM).
    Goals,
    Timeline,
    /// What the body sees; there only when it is asked for.
    View,
}

impl Focus {
    /// Those that are always there, in the order of tab.
    pub const ALL: [Self; 8] = [
        Self::Plan,
        Self::Monitor,
        Self::Diagnosis,
        Self::Inbox,
        Self::Mind,
        Self::Map,
        Self::Knowledge,
        Self::Timeline,
    ];

    /// Those that a profile switches on.
    pub const SWITCHED: [Self; 4] = [Self::Select, Self::Rules, Self::Reflector, Self::Goals];

    /// The place that it shares with others, if it does.
    #[must_use]
    pub fn place(self) -> Option<SharedPlace> {
        match self {
            Self::Inbox | Self::Mind => Some(SharedPlace::Decisions),
            Self::Knowledge | Self::Select | Self::Rules | Self::Reflector | Self::Goals => {
                Some(SharedPlace::Corner)
            }
            Self::Plan
            | Self::Monitor
            | Self::Diagnosis
            | Self::Map
            | Self::Timeline
            | Self::View => None,
        }
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plan => "Plan",
            Self::Monitor => "Monitor",
            Self::Diagnosis => "Diagnosis",
            Self::Inbox => "Inbox",
            Self::Mind => "Mind",
            Self::Map => "Map",
            Self::Knowledge => "Knowledge",
            Self::Select => "Select",
            Self::Rules => "Rules",
            Self::Reflector => "Reflector",
            Self::Goals => "Goals",
            Self::Timeline => "Events",
            Self::View => "View",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screens::live::state::RunMode;
    use pithead_engine::runtime::DriverStatus;

    #[test]
    fn nothing_stands_outside_the_screen_or_on_something_else() {
        for width in 0..140 {
            for height in 0..60 {
                let size = Size::new(width, height);
                for (zoom, looks) in [(false, false), (true, false), (false, true)] {
                    let mut ui = LiveState::new(RunMode::Live(DriverStatus::Running));
                    (ui.zoom, ui.looks) = (zoom, looks);
                    let layout = live_layout(size, &ui);
                    let mut areas: Vec<Rect> = layout.panes.iter().map(|(_, area)| *area).collect();
                    areas.extend(
                        [layout.title, layout.status, layout.tabs, layout.footer]
                            .into_iter()
                            .flatten(),
                    );
                    let screen = Rect::new(0, 0, width, height);
                    for (at, area) in areas.iter().enumerate() {
                        assert_eq!(area.intersection(screen), *area, "{size:?}");
                        let others = &areas[at + 1..];
                        assert!(
                            others.iter().all(|o| o.intersection(*area).is_empty()),
                            "{size:?}"
                        );
                    }
                }
            }
        }
    }
}
