//! Samples of the events that only runs on a server have.

use pithead_core::domain::run::event::Event;
use pithead_core::domain::samples::frame;
use pithead_world::mob::MobKind;
use pithead_world::port::{Reflex, ReflexKind};

pub(super) fn rejoined() -> Event {
    Event::WorldRejoined {
        frame: frame(18, 8),
        differs: vec!["2 oak_log less".to_owned()],
    }
}

pub(super) fn reflex() -> Reflex {
    Reflex {
        what: ReflexKind::StepBack,
        of: Some(MobKind::Zombie),
        ticks: 30,
        done: true,
    }
}
