//! Situations and the truth, distance and words that each check gives in them.

use super::*;
use crate::domain::check::Place;
use crate::domain::condition::situation::Baseline;
use pithead_world::action::Target;
use pithead_world::observation::{BlockSight, FurnaceView, MobSight};
use pithead_world::space::{Point, Pos};

struct Case {
    counts: Counts,
    crafted: Counts,
    baseline: Baseline,
    furnace: FurnaceView,
    mobs: Vec<MobSight>,
    notable: Vec<BlockSight>,
}

fn case() -> Case {
    let counts = |text: &str| text.parse::<Counts>().unwrap();
    Case {
        counts: counts("iron_ore=1,oak_log=2,birch_log=3"),
        crafted: counts("stick=6"),
        baseline: Baseline {
            tick: 100,
            inventory: counts("oak_log=1"),
            crafted: counts("stick=4"),
        },
        furnace: FurnaceView {
            at: Pos::new(2, 43, 0),
            burn: 90,
            cook: 120,
            input: 1,
            fuel: 0,
            output: 2,
        },
        mobs: vec![MobSight {
            kind: "cow".parse().unwrap(),
            at: Point::new(3.5, 43.0, 0.5),
        }],
        notable: vec![BlockSight {
            block: "furnace".parse().unwrap(),
            at: Pos::new(2, 43, 0),
        }],
    }
}

fn situation(case: &Case) -> Situation<'_> {
    Situation {
        inventory: Some(&case.counts),
        crafted: Some(&case.crafted),
        held: Some(Some("iron_pickaxe".parse().unwrap())),
        position: Some(Point::new(0.5, 43.0, 0.5)),
        gui: Some(Gui::Furnace),
        furnace: Some(Some(&case.furnace)),
        container_items: Some(3),
        tick: Some(300),
        time: Some(12_500),
        mobs: Some(&case.mobs),
        notable: Some(&case.notable),
        baseline: Some(&case.baseline),
        ..Situation::default()
    }
}

fn spec(name: &str) -> ItemSpec {
    name.parse().unwrap()
}

fn near(target: Target, range: u32) -> Check {
    Check::Near {
        place: Place::Thing(target),
        range,
    }
}

#[track_caller]
fn check(check: &Check, words: &str, observed: &str, truth: Truth, distance: Option<f64>) {
    let case = case();
    let now = situation(&case);
    assert_eq!(check.describe(), words);
    assert_eq!(check.observed(&now), observed);
    assert_eq!(check.truth(&now), truth, "{words}");
    assert_eq!(check.distance(&now), distance, "{words}");
}

#[test]
fn items_are_counted_by_name_and_by_family() {
    let iron = spec("iron_ore");
    check(
        &Check::InvGe {
            item: iron,
            count: 3,
        },
        "inv_ge iron_ore 3",
        "have 1",
        Truth::False,
        Some(2.0),
    );
    let logs = spec("#logs");
    check(
        &Check::InvGe {
            item: logs,
            count: 5,
        },
        "inv_ge #logs 5",
        "have 5",
        Truth::True,
        Some(0.0),
    );
    check(
        &Check::InvLt {
            item: logs,
            count: 5,
        },
        "inv_lt #logs 5",
        "have 5",
        Truth::False,
        Some(1.0),
    );
    check(
        &Check::InvLt {
            item: logs,
            count: 6,
        },
        "inv_lt #logs 6",
        "have 5",
        Truth::True,
        Some(0.0),
    );
}

#[test]
fn gains_and_hands_are_told_from_what_was_there() {
    let logs = spec("#logs");
    let gain = Check::InvDeltaGe {
        item: logs,
        count: 6,
    };
    check(
        &gain,
        "inv_delta_ge #logs 6",
        "gained 4",
        Truth::False,
        Some(2.0),
    );
    let made = Check::CraftedGe {
        item: spec("stick"),
        count: 2,
    };
    check(
        &made,
        "crafted_ge stick 2",
        "made 2",
        Truth::True,
        Some(0.0),
    );
    let hand = Check::Equipped {
        item: spec("iron_pickaxe"),
    };
    check(
        &hand,
        "equipped iron_pickaxe",
        "holding iron_pickaxe",
        Truth::True,
        Some(0.0),
    );
}

#[test]
fn places_and_things_are_measured_in_blocks() {
    check(
        &Check::YposLe { y: 12 },
        "ypos_le 12",
        "y 43",
        Truth::False,
        Some(31.0),
    );
    check(
        &Check::YposGe { y: 12 },
        "ypos_ge 12",
        "y 43",
        Truth::True,
        Some(0.0),
    );
    let furnace = near(Target::Block("furnace".parse().unwrap()), 4);
    check(
        &furnace,
        "near furnace 4",
        "2.0 blocks away",
        Truth::True,
        Some(0.0),
    );
    let table = near(Target::Block("crafting_table".parse().unwrap()), 4);
    check(
        &table,
        "near crafting_table 4",
        "none visible",
        Truth::False,
        None,
    );
    let dirt = near(Target::Block("dirt".parse().unwrap()), 4);
    check(&dirt, "near dirt 4", "not known", Truth::Unknown, None);
    let cow = near(Target::Mob("cow".parse().unwrap()), 2);
    check(
        &cow,
        "near cow 2",
        "3.0 blocks away",
        Truth::False,
        Some(1.0),
    );
    let logs = near(Target::Source(spec("#logs")), 8);
    check(&logs, "near #logs 8", "none visible", Truth::False, None);
    let spot = Check::Near {
        place: Place::At(Pos::new(0, 43, 10)),
        range: 4,
    };
    check(
        &spot,
        "near 0 43 10 4",
        "10.0 blocks away",
        Truth::False,
        Some(6.0),
    );
}

#[test]
fn windows_furnaces_and_times() {
    check(
        &Check::GuiOpen { gui: None },
        "gui_open",
        "furnace window",
        Truth::True,
        Some(0.0),
    );
    let chest = Check::GuiOpen {
        gui: Some(Gui::Chest),
    };
    check(
        &chest,
        "gui_open chest",
        "furnace window",
        Truth::False,
        Some(1.0),
    );
    check(
        &Check::GuiClosed,
        "gui_closed",
        "furnace window",
        Truth::False,
        Some(1.0),
    );
    let cook = Check::FurnaceGe {
        meter: FurnaceMeter::Cook,
        value: 200,
    };
    check(
        &cook,
        "furnace_ge cook 200",
        "cook 120",
        Truth::False,
        Some(80.0),
    );
    check(
        &Check::ContainerGe { count: 3 },
        "container_ge 3",
        "3 inside",
        Truth::True,
        Some(0.0),
    );
    let night = Check::WorldTime {
        window: Some((13_000, 1_000)),
        elapsed: None,
    };
    check(
        &night,
        "world_time 13000..1000",
        "time 12500",
        Truth::False,
        Some(500.0),
    );
    let wait = Check::WorldTime {
        window: None,
        elapsed: Some(200),
    };
    check(
        &wait,
        "world_time elapsed 200",
        "200 ticks elapsed",
        Truth::True,
        Some(0.0),
    );
}

#[test]
fn nothing_is_true_of_an_unknown_state() {
    let nothing = Situation::default();
    let checks = [
        Check::InvGe {
            item: spec("stick"),
            count: 1,
        },
        Check::InvDeltaGe {
            item: spec("stick"),
            count: 1,
        },
        Check::Equipped {
            item: spec("stick"),
        },
        near(Target::Mob("cow".parse().unwrap()), 4),
        Check::YposLe { y: 12 },
        Check::GuiClosed,
        Check::FurnaceGe {
            meter: FurnaceMeter::Burn,
            value: 1,
        },
        Check::ContainerGe { count: 1 },
        Check::WorldTime {
            window: None,
            elapsed: Some(1),
        },
    ];
    for check in checks {
        assert_eq!(
            check.truth(&nothing),
            Truth::Unknown,
            "{}",
            check.describe()
        );
        assert_eq!(check.observed(&nothing), "not known");
    }
}
