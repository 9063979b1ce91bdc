//! One line of an outline: what it says of a step, read and written.
//!
//! Only what differs from the usual is written: the checks that kind and goal imply, and the mode that steps of a
//! kind have, go without saying.

use super::words::{Word, Words};
use crate::domain::check::Check;
use crate::domain::condition::text::ConditionError;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::plan::json::{
    CHECKS_MAX, PlanFault, TIMEOUT_MAX_S, default_timeout_s, usual_check,
};
use crate::domain::plan::{Executor, Goal, Mode, Subgoal, TaskKind, item_words};
use pithead_world::blueprint::{BadBlueprintName, BlueprintName};
use pithead_world::family::ItemSpec;
use pithead_world::ids::SubgoalId;

/// Words that say something of a step; no item is called so.
const CLAUSES: &str = "`×3`, `with TOOL`, `from ITEM`, `after sg_N`, `60s`, `until CHECK`; docs/FORMATS.md has them all";

const ONE_CHECK: &str = "expected one check such as `inv iron_ore >= 3`; put `;` between checks";

/// What one line says.
#[derive(Debug)]
pub(super) struct Line {
    /// None for a step that is new.
    pub id: Option<SubgoalId>,
    pub executor: Executor,
    pub kind: TaskKind,
    pub goal: Goal,
    pub mode: Mode,
    pub timeout_s: u32,
    pub checks: Vec<Check>,
    /// Named ones only, with the columns of their names.
    pub after: Vec<(SubgoalId, usize)>,
    pub parent: Option<(SubgoalId, usize)>,
    pub alternatives: Option<String>,
}

/// What was said so far, each at most once.
#[derive(Debug, Default)]
struct Said {
    object: Option<ItemSpec>,
    blueprint: Option<BlueprintName>,
    material: Option<ItemSpec>,
    tool: Option<ItemSpec>,
    count: Option<u32>,
    amount: Option<i64>,
    timeout_s: Option<u32>,
    mode: Option<Mode>,
    kind: Option<TaskKind>,
    after: Vec<(SubgoalId, usize)>,
    parent: Option<(SubgoalId, usize)>,
    alternatives: Option<String>,
    checks: Option<Vec<Check>>,
}

/// Reads one line; it has at least one word.
pub(super) fn read(words: &mut Words<'_>) -> Result<Line, PlanFault> {
    let id = words.peek().and_then(step_id);
    if id.is_some() {
        words.next()?;
    }
    let name = words.expect("what is to be done, such as `mine`")?;
    let known = Executor::ALL
        .into_iter()
        .find(|known| known.name() == name.text);
    let executor = known.ok_or_else(|| words.unexpected(&name, &executor_names()))?;
    let mut said = Said::default();
    let mut is_first = true;
    while let Some(word) = words.next()? {
        read_word(words, &word, executor, is_first, &mut said)?;
        is_first = false;
    }
    finish(words, id, executor, said, name.column)
}

fn read_word(
    words: &mut Words<'_>,
    word: &Word,
    executor: Executor,
    is_first: bool,
    said: &mut Said,
) -> Result<(), PlanFault> {
    let again = |is_said: bool| match is_said {
        true => Err(words.fault(
            word.column,
            &format!("`{}` says again what was said before", word.text),
        )),
        false => Ok(()),
    };
    match word.text.as_str() {
        "from" | "fuel" | "material" => {
            again(said.material.is_some())?;
            said.material = Some(item(words, None)?);
        }
        "with" | "tool" => {
            again(said.tool.is_some())?;
            said.tool = Some(item(words, None)?);
        }
        "y" if is_height(executor) => {
            again(said.amount.is_some())?;
            said.amount = Some(amount(words)?);
        }
        "amount" => {
            again(said.amount.is_some())?;
            said.amount = Some(amount(words)?);
        }
        "stay" | "roam" => {
            again(said.mode.is_some())?;
            let stays = word.text == "stay";
            said.mode = Some(if stays { Mode::Stay } else { Mode::Move });
        }
        "kind" => {
            again(said.kind.is_some())?;
            said.kind = Some(kind(words)?);
        }
        "after" => said.after.extend(ids(words)?),
        "under" => {
            again(said.parent.is_some())?;
            let word = words.expect("the id of a step")?;
            said.parent = Some(named_id(words, &word)?);
        }
        "either" => {
            again(said.alternatives.is_some())?;
            said.alternatives = Some(words.expect("the name of the group of alternatives")?.text);
        }
        "until" => said.checks = Some(checks(words)?),
        // Names of blueprints begin with a letter; what begins with a digit is a time limit or a count.
        _ if executor == Executor::Build
            && is_first
            && word.text.starts_with(|c: char| c.is_alphabetic())
            && item_words::named(&word.text).is_err() =>
        {
            let named = word.text.parse();
            let named = named
                .map_err(|error: BadBlueprintName| words.fault(word.column, &error.to_string()));
            said.blueprint = Some(named?);
        }
        _ => return read_amount_or_object(words, word, is_first, said),
    }
    Ok(())
}

/// A count, a number of ticks, a time limit or, right behind what is done, an item.
fn read_amount_or_object(
    words: &mut Words<'_>,
    word: &Word,
    is_first: bool,
    said: &mut Said,
) -> Result<(), PlanFault> {
    let text = word.text.as_str();
    let digits = text.trim_start_matches(['×', 'x', '*']);
    if let Some(seconds) = text
        .strip_suffix('s')
        .and_then(|digits| digits.parse().ok())
    {
        if !(1..=TIMEOUT_MAX_S).contains(&seconds) {
            let expected = format!("a time limit from 1s to {TIMEOUT_MAX_S}s");
            return Err(words.unexpected(word, &expected));
        }
        said.timeout_s = u32::try_from(seconds).ok();
    } else if words.peek() == Some("ticks") && text.parse::<i64>().is_ok() {
        words.next()?;
        said.amount = text.parse().ok();
    } else if let Ok(count) = digits.parse::<u32>() {
        said.count = Some(count);
    } else if is_first {
        said.object = Some(item(words, Some(word))?);
    } else {
        let because = format!(
            "`{}` is not understood here; a step has {CLAUSES}",
            word.text
        );
        return Err(words.fault(word.column, &because));
    }
    Ok(())
}

fn finish(
    words: &Words<'_>,
    id: Option<SubgoalId>,
    executor: Executor,
    said: Said,
    column: usize,
) -> Result<Line, PlanFault> {
    if said.count.is_some() && said.object.is_none() {
        return Err(words.fault(column, "a count needs the item that is counted"));
    }
    let kind = said.kind.unwrap_or_else(|| executor.kind());
    let goal = Goal {
        object: said.object,
        count: said.count.unwrap_or(1),
        material: said.material,
        tool: said.tool,
        amount: said.amount,
        info: None,
    };
    let built = said.blueprint.map(|blueprint| Check::Built { blueprint });
    let implied = || {
        let usual = built.or_else(|| usual_check(executor, kind, &goal));
        usual.map(|check| vec![check])
    };
    let checks = said.checks.or_else(implied).ok_or_else(|| {
        words.fault(
            column,
            "nothing says when it is done; add, for example, `until near chest 4`",
        )
    })?;
    let timeout_s = said.timeout_s;
    Ok(Line {
        id,
        executor,
        kind,
        mode: said.mode.unwrap_or_else(|| usual_mode(kind)),
        timeout_s: timeout_s.unwrap_or_else(|| default_timeout_s(kind, &goal, &checks)),
        checks,
        goal,
        after: said.after,
        parent: said.parent,
        alternatives: said.alternatives,
    })
}

/// The step as a line, without its indentation.
pub(super) fn written(step: &Subgoal, after: &[SubgoalId]) -> String {
    let goal = &step.goal;
    let mut words = vec![step.id.to_string(), step.executor_hint.name().to_owned()];
    if let Some(object) = goal.object {
        words.push(object.to_string());
        if goal.count != 1 {
            words.push(format!("×{}", goal.count));
        }
    }
    let built = step.blueprint().filter(|_| goal.object.is_none());
    words.extend(built.map(ToString::to_string));
    match (goal.amount, step.executor_hint) {
        (Some(y), executor) if is_height(executor) => words.push(format!("y {y}")),
        (Some(ticks), Executor::Wait) => words.push(format!("{ticks} ticks")),
        (Some(amount), _) => words.push(format!("amount {amount}")),
        (None, _) => (),
    }
    if let Some(material) = goal.material {
        let word = if step.task_kind == TaskKind::Smelt {
            "fuel"
        } else {
            "from"
        };
        words.push(format!("{word} {material}"));
    }
    words.extend(goal.tool.map(|tool| format!("with {tool}")));
    if step.task_kind != step.executor_hint.kind() {
        words.push(format!("kind {}", step.task_kind.name()));
    }
    if step.mode != usual_mode(step.task_kind) {
        let stays = step.mode == Mode::Stay;
        words.push(if stays { "stay" } else { "roam" }.to_owned());
    }
    words.push(format!("{}s", step.timeout_s));
    words.extend(step.parent.map(|parent| format!("under {parent}")));
    words.extend(
        step.alternatives
            .as_ref()
            .map(|name| format!("either {}", quoted(name))),
    );
    if !after.is_empty() {
        let ids: Vec<String> = after.iter().map(ToString::to_string).collect();
        words.push(format!("after {}", ids.join(", ")));
    }
    let usual = built.cloned().map(|blueprint| Check::Built { blueprint });
    let usual = usual.or_else(|| usual_check(step.executor_hint, step.task_kind, goal));
    if usual.as_ref() != step.checks.first() || step.checks.len() != 1 {
        let checks = step.checks.iter().cloned().map(Condition::from);
        let checks: Vec<String> = checks.map(|check| check.to_string()).collect();
        words.push(format!("until {}", checks.join("; ")));
    }
    words.join(" ")
}

/// A name that reads as one word, or in quotes.
fn quoted(name: &str) -> String {
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_word {
        return name.to_owned();
    }
    // A text is always valid JSON.
    serde_json::to_string(name).unwrap_or_default()
}

fn is_height(executor: Executor) -> bool {
    matches!(executor, Executor::DigDown | Executor::GoUp)
}

/// Work at a station is done on the spot.
fn usual_mode(kind: TaskKind) -> Mode {
    match kind {
        TaskKind::Craft | TaskKind::Smelt => Mode::Stay,
        TaskKind::Mine | TaskKind::Use | TaskKind::Combat | TaskKind::Move | TaskKind::Wait => {
            Mode::Move
        }
    }
}

/// An id as it is written; a bare number is a count.
fn step_id(word: &str) -> Option<SubgoalId> {
    let word = word.strip_suffix(':').unwrap_or(word);
    word.starts_with("sg_").then(|| word.parse().ok()).flatten()
}

fn named_id(words: &Words<'_>, word: &Word) -> Result<(SubgoalId, usize), PlanFault> {
    let id = step_id(word.text.trim_end_matches(','));
    let id = id.ok_or_else(|| words.unexpected(word, "the id of a step, such as sg_3"))?;
    Ok((id, word.column))
}

/// One id, and more as long as ids follow.
fn ids(words: &mut Words<'_>) -> Result<Vec<(SubgoalId, usize)>, PlanFault> {
    let first = words.expect("the id of a step")?;
    let mut ids = Vec::new();
    let mut next = Some(first);
    while let Some(word) = next {
        // `sg_1,sg_2` is one word.
        for part in word.text.split(',').filter(|part| !part.is_empty()) {
            let part = Word {
                text: part.to_owned(),
                column: word.column,
            };
            ids.push(named_id(words, &part)?);
        }
        let follows = words.peek().is_some_and(|word| word.starts_with("sg_"));
        next = if follows { words.next()? } else { None };
    }
    Ok(ids)
}

fn item(words: &mut Words<'_>, given: Option<&Word>) -> Result<ItemSpec, PlanFault> {
    let word = match given {
        Some(word) => word.clone(),
        None => words.expect("the name of an item")?,
    };
    item_words::named(&word.text).map_err(|unknown| words.fault(word.column, &unknown.to_string()))
}

fn amount(words: &mut Words<'_>) -> Result<i64, PlanFault> {
    let word = words.expect("a whole number")?;
    word.text
        .parse()
        .map_err(|_| words.unexpected(&word, "a whole number"))
}

fn kind(words: &mut Words<'_>) -> Result<TaskKind, PlanFault> {
    let expected = TaskKind::ALL.map(TaskKind::name).join(", ");
    let word = words.expect(&expected)?;
    let known = TaskKind::ALL
        .into_iter()
        .find(|kind| kind.name() == word.text);
    known.ok_or_else(|| words.unexpected(&word, &expected))
}

/// The rest of the line: checks with semicolons between them.
fn checks(words: &mut Words<'_>) -> Result<Vec<Check>, PlanFault> {
    let (text, start) = words.take_rest();
    let mut checks = Vec::new();
    let mut column = start;
    for part in text.split(';') {
        let condition: Condition = part.parse().map_err(|fault: ConditionError| {
            let because = format!("expected {}, found {}", fault.expected, fault.found);
            words.fault(column + fault.column - 1, &because)
        })?;
        match condition {
            Condition::Is(Predicate::Check(check)) => checks.push(check),
            _ => return Err(words.fault(column, ONE_CHECK)),
        }
        column += part.chars().count() + 1;
    }
    if checks.len() > CHECKS_MAX {
        return Err(words.fault(
            start,
            &format!(
                "expected at most {CHECKS_MAX} checks, found {}",
                checks.len()
            ),
        ));
    }
    Ok(checks)
}

fn executor_names() -> String {
    Executor::ALL.map(Executor::name).join(", ")
}
