//! Subgoals as a planner would write them, one line each, and the keyboards of bodies that fail.

use pithead_world::keys::KeyPresses;

fn subgoal(kind: &str, executor: &str, seconds: u32, checks: &str, goal: &str) -> String {
    format!(
        r#"{{"task_kind":"{kind}","executor_hint":"{executor}","timeout_s":{seconds},"checks":[{checks}],"goal":{{{goal}}}}}"#
    )
}

fn held(item: &str, count: u32) -> String {
    format!(r#"{{"check":"inv_ge","item":"{item}","count":{count}}}"#)
}

fn object(item: &str, count: u32) -> String {
    format!(r#""object":"{item}","count":{count}"#)
}

pub(crate) fn craft(item: &str, count: u32) -> String {
    subgoal(
        "craft",
        "craft",
        60,
        &held(item, count),
        &object(item, count),
    )
}

/// One piece, after another step of the plan that makes something for it. That step counts as done: the thing is
/// gone again, as after a table that was left behind.
pub(crate) fn craft_after(item: &str, part: &str) -> String {
    let gone = format!(r#"{{"check":"inv_lt","item":"{part}","count":1}}"#);
    let first = subgoal("craft", "craft", 60, &gone, &object(part, 1));
    let then = craft(item, 1);
    let named = |id: &str, step: &str| format!(r#"{{"subgoal_id":"{id}",{}"#, &step[1..]);
    let needs = r#""needs":["sg_1"],"#;
    let then = format!("{{{needs}{}", &then[1..]);
    format!("{},{}", named("sg_1", &first), named("sg_2", &then))
}

pub(crate) fn mine(item: &str, count: u32, seconds: u32) -> String {
    subgoal(
        "mine",
        "mine",
        seconds,
        &held(item, count),
        &object(item, count),
    )
}

pub(crate) fn smelt(item: &str, count: u32, seconds: u32) -> String {
    subgoal(
        "smelt",
        "smelt",
        seconds,
        &held(item, count),
        &object(item, count),
    )
}

/// To a place relative to the body.
pub(crate) fn goto([x, y, z]: [i32; 3], seconds: u32) -> String {
    let (x, y, z) = (8 + x, 41 + y, 8 + z);
    let check = format!(r#"{{"check":"near","at":[{x},{y},{z}],"range":2}}"#);
    subgoal("move", "approach", seconds, &check, "")
}

pub(crate) fn explore(thing: &str, seconds: u32) -> String {
    let check = format!(r#"{{"check":"near","target":"{thing}","range":6}}"#);
    subgoal("move", "explore", seconds, &check, "")
}

pub(crate) fn down_to(y: i32, seconds: u32) -> String {
    let check = format!(r#"{{"check":"ypos_le","y":{y}}}"#);
    subgoal(
        "move",
        "dig_down",
        seconds,
        &check,
        &format!(r#""amount":{y}"#),
    )
}

pub(crate) fn up_to(y: i32, seconds: u32) -> String {
    let check = format!(r#"{{"check":"ypos_ge","y":{y}}}"#);
    subgoal(
        "move",
        "go_up",
        seconds,
        &check,
        &format!(r#""amount":{y}"#),
    )
}

pub(crate) fn hunt(mob: &str, item: &str, count: u32, seconds: u32) -> String {
    let goal = format!(r#"{},"info":"{mob}""#, object(item, count));
    subgoal("combat", "attack", seconds, &held(item, count), &goal)
}

/// Anything else that is done with a thing; done when so many of it are held.
pub(crate) fn using(executor: &str, item: &str, count: u32) -> String {
    subgoal(
        "use",
        executor,
        60,
        &held(item, count),
        &object(item, count),
    )
}

pub(crate) fn place(item: &str) -> String {
    let check = format!(r#"{{"check":"near","target":"{item}","range":4}}"#);
    subgoal("use", "place", 60, &check, &object(item, 1))
}

pub(crate) fn equip(item: &str, check: &str) -> String {
    let check = format!(r#"{{"check":"equipped","item":"{check}"}}"#);
    subgoal("use", "equip", 60, &check, &object(item, 1))
}

pub(crate) fn sleep() -> String {
    let check = r#"{"check":"world_time","window":[0,11000]}"#;
    subgoal("use", "sleep", 60, check, "")
}

pub(crate) fn wait(ticks: u32, check: &str, seconds: u32) -> String {
    subgoal(
        "wait",
        "wait",
        seconds,
        check,
        &format!(r#""amount":{ticks}"#),
    )
}

pub(crate) fn idle(_: u32) -> KeyPresses {
    KeyPresses::default()
}

pub(crate) fn forward(_: u32) -> KeyPresses {
    KeyPresses {
        forward: true,
        ..KeyPresses::default()
    }
}

pub(crate) fn jumping(_: u32) -> KeyPresses {
    KeyPresses {
        jump: true,
        ..KeyPresses::default()
    }
}

/// Two seconds there, two seconds back.
pub(crate) fn to_and_fro(tick: u32) -> KeyPresses {
    let back = tick / 40 % 2 == 1;
    KeyPresses {
        forward: !back,
        back,
        ..KeyPresses::default()
    }
}

pub(crate) fn side_to_side(tick: u32) -> KeyPresses {
    let left = tick / 30 % 2 == 1;
    KeyPresses {
        left,
        right: !left,
        ..KeyPresses::default()
    }
}

/// A round of four blocks across, again and again.
pub(crate) fn circle(_: u32) -> KeyPresses {
    KeyPresses {
        forward: true,
        camera: [6.0, 0.0],
        ..KeyPresses::default()
    }
}

/// Wide rounds, each next to the last one, so that an area is swept.
pub(crate) fn sweep(tick: u32) -> KeyPresses {
    // Four sides and then one more straight on: the next round begins at the far corner.
    const SIDES: u32 = 5;
    const SIDE_TICKS: u32 = 80;
    let turns = tick.is_multiple_of(SIDE_TICKS) && !(tick / SIDE_TICKS).is_multiple_of(SIDES);
    KeyPresses {
        forward: true,
        camera: [if turns { 90.0 } else { 0.0 }, 0.0],
        ..KeyPresses::default()
    }
}

/// The same wide round again and again.
pub(crate) fn round(tick: u32) -> KeyPresses {
    KeyPresses {
        forward: true,
        camera: [if tick.is_multiple_of(60) { 90.0 } else { 0.0 }, 0.0],
        ..KeyPresses::default()
    }
}

/// The inventory opened and closed, twice a second.
pub(crate) fn toggling(tick: u32) -> KeyPresses {
    KeyPresses {
        inventory: tick.is_multiple_of(10),
        ..KeyPresses::default()
    }
}

/// The inventory opened and left open.
pub(crate) fn opening(tick: u32) -> KeyPresses {
    KeyPresses {
        inventory: tick == 5,
        ..KeyPresses::default()
    }
}

/// What is in front of the eyes used once, and then nothing more.
pub(crate) fn using_once(tick: u32) -> KeyPresses {
    KeyPresses {
        r#use: tick == 5,
        ..KeyPresses::default()
    }
}

/// What is in front of the eyes opened and closed, twice a second.
pub(crate) fn using_and_closing(tick: u32) -> KeyPresses {
    KeyPresses {
        r#use: tick % 20 == 5,
        inventory: tick % 20 == 15,
        ..KeyPresses::default()
    }
}

pub(crate) fn explore_item(item: &str) -> String {
    let check = held(item, 1);
    subgoal("move", "explore", 60, &check, &object(item, 1))
}
