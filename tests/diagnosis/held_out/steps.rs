//! Steps of plans for the situations of this folder, beside those of the corpus.

/// Any step; `checks` and `goal` are the inside of their brackets.
pub(super) fn step(kind: &str, executor: &str, seconds: u32, checks: &str, goal: &str) -> String {
    format!(
        r#"{{"task_kind":"{kind}","executor_hint":"{executor}","timeout_s":{seconds},"checks":[{checks}],"goal":{{{goal}}}}}"#
    )
}

pub(super) fn holds(item: &str, count: u32) -> String {
    format!(r#"{{"check":"inv_ge","item":"{item}","count":{count}}}"#)
}

fn lacks(item: &str, count: u32) -> String {
    format!(r#"{{"check":"inv_lt","item":"{item}","count":{count}}}"#)
}

fn near(target: &str) -> String {
    format!(r#"{{"check":"near","target":"{target}","range":3}}"#)
}

pub(super) fn thing(item: &str, count: u32) -> String {
    format!(r#""object":"{item}","count":{count}"#)
}

/// Up to the nearest such thing.
pub(super) fn approach(target: &str, seconds: u32) -> String {
    step("move", "approach", seconds, &near(target), "")
}

/// A carried thing used on a block or a mob until so many of `gain` are held.
pub(super) fn use_on(tool: &str, on: &str, gain: &str, seconds: u32) -> String {
    let goal = format!(r#"{},"tool":"{tool}","info":"{on}""#, thing(gain, 1));
    step("use", "use", seconds, &holds(gain, 1), &goal)
}

/// Done when at most `left` of the item are carried.
pub(super) fn put(item: &str, count: u32, left: u32) -> String {
    let check = lacks(item, left + 1);
    step("use", "put", 60, &check, &thing(item, count))
}

pub(super) fn take(item: &str, seconds: u32) -> String {
    step("use", "take", seconds, &holds(item, 1), &thing(item, 1))
}

/// Done when fewer than `from` of the food are carried.
pub(super) fn eat(food: &str, from: u32) -> String {
    step("use", "eat", 60, &lacks(food, from), &thing(food, 1))
}

pub(super) fn build(item: &str, target: &str) -> String {
    step("use", "build", 60, &near(target), &thing(item, 1))
}

/// Done when something is held that only the work can give.
pub(super) fn work(executor: &str, item: &str, done: &str, more: &str) -> String {
    let goal = format!("{}{more}", thing(item, 1));
    step("use", executor, 60, done, &goal)
}

pub(super) fn breed(mob: &str, seconds: u32) -> String {
    let check = r#"{"check":"inv_ge","item":"leather","count":9}"#;
    let goal = format!(r#""info":"{mob}","object":"{}""#, drop_of(mob));
    step("use", "breed", seconds, check, &goal)
}

/// The thing by which a plan means this animal.
fn drop_of(mob: &str) -> &'static str {
    match mob {
        "sheep" => "mutton",
        "chicken" => "chicken",
        _ => "beef",
    }
}
