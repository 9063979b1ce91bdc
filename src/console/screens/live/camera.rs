//! Looking: when what the body sees is asked for, and where it is shown.
//!
//! The picture is no event and no part of the fold: it is asked of the driver while it is on the screen, at most a few
//! times a second and only when something has happened since. Invariant: hidden, it costs nothing.

use crate::feed::Feed;

use crate::screens::live::scenery;
use crate::shell::Shell;
use crate::terminal::pictures::placement::PictureMode;
use pithead_world::clock::Millis;
use std::sync::Arc;

/// Between two pictures.
const EVERY_MS: u64 = 250;
/// Sides of the largest picture asked for: beyond it a ray caster would hold the world up.
const SIDES_MAX: (u32, u32) = (360, 240);

/// The asking, without a clock of its own.
#[derive(Debug, Default)]
pub(crate) struct Camera {
    asked: Option<(Millis, (u32, u32))>,
    /// Nothing has happened since the last picture was asked for.
    current: bool,
}

impl Camera {
    pub(crate) fn something_happened(&mut self) {
        self.current = false;
    }

    /// Takes what has come and asks for more if it is shown; true if there is something new to draw.
    pub(crate) fn look(
        &mut self,
        shell: &mut Shell,
        mode: Option<PictureMode>,
        feed: &mut Feed,
        now: Millis,
    ) -> bool {
        let Some(size) = shown_at(shell, mode) else {
            return false;
        };
        let is_due = self.asked.is_none_or(|(at, before)| {
            let stale = !self.current || before != size;
            stale && now.since(at) >= EVERY_MS
        });
        if is_due {
            feed.ask_view(size.0, size.1);
            (self.asked, self.current) = (Some((now, size)), true);
        }
        let came = feed.view();
        let ui = &mut shell.live;
        let is_new = match (&came, &ui.seen) {
            (Some(came), Some(seen)) => !Arc::ptr_eq(came, seen) && came != seen,
            (came, seen) => came.is_some() != seen.is_some(),
        };
        if is_new {
            ui.seen = came;
        }
        is_new
    }
}

/// The pixels that there is room for: those of its cells where pictures are written beside the frame,
/// else two to a cell. None while it is not on the screen.
fn shown_at(shell: &Shell, mode: Option<PictureMode>) -> Option<(u32, u32)> {
    if !shell.live.looks {
        return None;
    }
    let area = scenery::place(shell.size, &shell.live)?;
    let (wide, high) = mode.map_or((1, 2), |mode| (mode.cell.width, mode.cell.height));
    let pixels = |cells: u16, of_cell: u16| u32::from(cells) * u32::from(of_cell);
    let (width, height) = (pixels(area.width, wide), pixels(area.height, high));
    // Narrowed in its proportions: a picture is stretched over its place.
    let over = (width * SIDES_MAX.1).max(height * SIDES_MAX.0);
    let whole = SIDES_MAX.0 * SIDES_MAX.1;
    if over <= whole {
        return Some((width, height));
    }
    let narrowed = |side: u32| (u64::from(side) * u64::from(whole) / u64::from(over)).max(1) as u32;
    Some((narrowed(width), narrowed(height)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::Script;
    use crate::screens::live::layout::Focus;
    use crate::screens::live::panes::view::{missing_picture, toggle};
    use crate::screens::live::state::{ReplayState, RunMode};
    use crate::testing::shell_of;
    use pithead_engine::runtime::DriverStatus;
    use pithead_world::port::Pixels;
    use ratatui::layout::Size;

    fn shell(width: u16, height: u16) -> Shell {
        shell_of(
            RunMode::Live(DriverStatus::Running),
            Size::new(width, height),
        )
    }

    fn feed() -> Feed {
        Feed::Scripted(Script::of([]))
    }

    fn script(feed: &mut Feed) -> &mut Script {
        let Feed::Scripted(script) = feed else {
            panic!("it is scripted")
        };
        script
    }

    #[test]
    fn nothing_is_asked_while_it_is_hidden_and_little_while_it_is_shown() {
        let (mut shell, mut feed, mut camera) = (shell(120, 36), feed(), Camera::default());
        for ms in 0..2_000 {
            camera.something_happened();
            assert!(!camera.look(&mut shell, None, &mut feed, Millis(ms)));
        }
        assert_eq!(script(&mut feed).looked, []);
        toggle(&mut shell);
        for ms in 2_000..4_000 {
            camera.something_happened();
            camera.look(&mut shell, None, &mut feed, Millis(ms));
        }
        assert_eq!(script(&mut feed).looked.len(), 8, "four times a second");
        for ms in 4_000..60_000 {
            camera.look(&mut shell, None, &mut feed, Millis(ms));
        }
        // One more for what happened last, then rest.
        assert_eq!(script(&mut feed).looked.len(), 9, "nothing happened");
        toggle(&mut shell);
        camera.something_happened();
        camera.look(&mut shell, None, &mut feed, Millis(70_000));
        assert_eq!(script(&mut feed).looked.len(), 9);
    }

    #[test]
    fn what_comes_is_drawn_once() {
        let (mut shell, mut feed, mut camera) = (shell(120, 36), feed(), Camera::default());
        toggle(&mut shell);
        assert!(!camera.look(&mut shell, None, &mut feed, Millis(0)));
        let picture = Pixels {
            width: 1,
            height: 1,
            rgb: vec![[1, 2, 3]],
        };
        script(&mut feed).picture = Some(Arc::new(picture.clone()));
        assert!(camera.look(&mut shell, None, &mut feed, Millis(1)));
        assert!(!camera.look(&mut shell, None, &mut feed, Millis(2)));
        script(&mut feed).picture = Some(Arc::new(picture));
        assert!(
            !camera.look(&mut shell, None, &mut feed, Millis(3)),
            "the same again"
        );
        assert_eq!(
            shell.live.seen.as_ref().map(|seen| seen.at(0, 0)),
            Some([1, 2, 3])
        );
    }

    #[test]
    fn the_key_shows_and_hides_it_at_every_size() {
        for (width, height, fills) in [
            (120, 36, false),
            (80, 24, true),
            (60, 50, false),
            (40, 10, true),
        ] {
            let mut shell = shell(width, height);
            toggle(&mut shell);
            assert!(shown_at(&shell, None).is_some(), "{width}x{height}");
            assert_eq!(shell.live.zoom, fills, "{width}x{height}");
            toggle(&mut shell);
            assert_eq!((shown_at(&shell, None), shell.live.zoom), (None, false));
            assert_ne!(shell.live.focus, Focus::View);
        }
    }

    #[test]
    fn pixels_are_asked_for_in_the_proportions_of_their_place() {
        let mut shell = shell(120, 36);
        toggle(&mut shell);
        let cells = shown_at(&shell, None).unwrap();
        let mode = |width, height| {
            Some(PictureMode {
                protocol: pithead_engine::config::pictures::Protocol::Kitty,
                cell: Size::new(width, height),
            })
        };
        let sharp = shown_at(&shell, mode(4, 8)).unwrap();
        assert_eq!(sharp, (cells.0 * 4, cells.1 * 4));
        let (width, height) = shown_at(&shell, mode(40, 80)).unwrap();
        assert!(width <= SIDES_MAX.0 && height <= SIDES_MAX.1);
        let skew = (width * cells.1).abs_diff(height * cells.0);
        assert!(skew <= cells.0.max(cells.1) * 2, "{width}x{height}");
    }

    #[test]
    fn a_recording_has_none() {
        let (mut shell, mut feed, mut camera) = (shell(120, 36), feed(), Camera::default());
        shell.live.mode = RunMode::Replay(ReplayState::default());
        toggle(&mut shell);
        assert!(!camera.look(&mut shell, None, &mut feed, Millis(0)));
        assert_eq!(script(&mut feed).looked, []);
        let said = missing_picture(&shell.live);
        assert!(format!("{:?}", said.lines[0]).contains("not recorded"));
    }
}
