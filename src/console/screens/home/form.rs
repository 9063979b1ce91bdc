//! The form for a new run: fields, what they can hold, and the tasks found by what is typed.
//!
//! Invariant: what the form says of the task is what starting will make of it, or says that it cannot
//! be known before.

use crate::screens::home::tasks;
use crate::widgets::scroll::Motion;
use pithead_core::domain::check::Check;
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::decision::{GateKind, Policy};
use pithead_core::text::clean::clean_line;
use pithead_engine::journal::RunRow;
use pithead_engine::launch::goal::plain_task;
use pithead_engine::launch::{Choices, RunAim, WantedRun};
use pithead_engine::suites::SuiteTask;

/// Longest task in words.
const WORDS_MAX: usize = 200;
/// Digits of the largest seed.
const SEED_DIGITS_MAX: usize = 20;
/// Policies that a gate's field goes through.
const POLICIES: [&str; 4] = ["auto", "ask", "ask:60:approve", "ask:60:veto"];

/// A field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Task,
    Seed,
    Mind,
    System,
    /// One of the gates that a form has, by its place among them.
    Gate(usize),
}

/// The gates of the form: a name, the kinds that it stands for, and what it is about.
pub const GATES: [(&str, &[GateKind], &str); 5] = [
    ("plan", &[GateKind::Plan], "the first plan"),
    (
        "replan",
        &[GateKind::Replan],
        "every new plan after failures",
    ),
    (
        "guardrail",
        &[GateKind::Guardrail],
        "what the run learns not to do",
    ),
    (
        "skill",
        &[GateKind::Skill, GateKind::Rule, GateKind::ReferencePlan],
        "what the run learns to do",
    ),
    ("risk", &[GateKind::RiskyAction], "steps that might kill"),
];

impl Field {
    pub const ALL: [Self; 9] = [
        Self::Task,
        Self::Seed,
        Self::Mind,
        Self::System,
        Self::Gate(0),
        Self::Gate(1),
        Self::Gate(2),
        Self::Gate(3),
        Self::Gate(4),
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Seed => "seed",
            Self::Mind => "mind",
            Self::System => "system",
            Self::Gate(n) => GATES[n].0,
        }
    }
}

/// The form.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRunForm {
    pub at: Field,
    pub words: String,
    /// The published task that was taken, as long as its words stand.
    pub taken: Option<&'static SuiteTask>,
    /// Tasks that fit the words, and which of them is selected.
    pub found: Vec<&'static SuiteTask>,
    pub pick: Option<usize>,
    /// What the words come to.
    pub reads: Result<String, String>,
    pub seed: String,
    /// The seed is as it was when its field was reached: what is typed takes its place.
    is_seed_given: bool,
    mind: usize,
    system: usize,
    gates: [usize; 5],
    /// What a gate can be: the usual ones, and what saved rules say besides.
    policies: Vec<String>,
    choices: Choices,
}

/// What the form holds when it is opened.
#[derive(Debug, Clone, Copy)]
pub enum FormContent<'a> {
    Nothing,
    Task(&'static SuiteTask),
    Words(&'a str),
    /// What this run was started with.
    Again(&'a RunRow),
}

impl NewRunForm {
    /// A form with what it holds at first.
    #[must_use]
    pub fn new(choices: &Choices, content: FormContent<'_>) -> Self {
        let place = |names: &[String], wanted: &str| {
            let found = names.iter().position(|name| name == wanted);
            found.unwrap_or(0)
        };
        let mut policies = POLICIES.map(str::to_owned).to_vec();
        for saved in choices.gates.0.values().map(Policy::to_string) {
            if !policies.contains(&saved) {
                policies.push(saved);
            }
        }
        let mut form = Self {
            at: Field::Task,
            words: String::new(),
            taken: None,
            found: Vec::new(),
            pick: None,
            reads: Err(String::new()),
            seed: "7".to_owned(),
            is_seed_given: true,
            mind: place(&choices.minds, "builtin:competent"),
            system: 0,
            gates: [0; 5],
            policies,
            choices: choices.clone(),
        };
        form.gates = GATES.map(|(_, kinds, _)| form.unchanged(kinds));
        form.settle();
        match content {
            FormContent::Nothing => (),
            FormContent::Task(task) => form.take(task),
            FormContent::Words(words) => form.type_in(words),
            FormContent::Again(run) => {
                form.mind = place(&choices.minds, &run.mind);
                form.system = place(&choices.systems, &run.system);
                form.seed = run.seed.to_string();
                form.type_in(&run.task);
            }
        }
        form
    }

    /// The place of the policy that a field shows until it is changed.
    fn unchanged(&self, kinds: &[GateKind]) -> usize {
        // A gate that stands for several asks if one of them does.
        let asked = kinds.iter().map(|kind| self.choices.gates.of(*kind));
        let asked = asked.max_by_key(|policy| *policy != Policy::Auto);
        let name = asked.map_or(String::new(), |policy| policy.to_string());
        let known = self.policies.iter().position(|known| *known == name);
        known.unwrap_or(0)
    }

    #[must_use]
    pub fn mind(&self) -> &str {
        self.choices.minds.get(self.mind).map_or("", String::as_str)
    }

    #[must_use]
    pub fn system(&self) -> &str {
        let name = self.choices.systems.get(self.system);
        name.map_or("", String::as_str)
    }

    #[must_use]
    pub fn policy(&self, gate: usize) -> &str {
        &self.policies[self.gates[gate]]
    }

    /// To the next field, or the one before.
    pub fn go(&mut self, by: isize) {
        let all = Field::ALL;
        let at = all.iter().position(|field| *field == self.at).unwrap_or(0);
        let to = (at as isize + by).rem_euclid(all.len() as isize);
        self.at = all[usize::try_from(to).unwrap_or(0)];
        self.pick = None;
        self.is_seed_given = true;
    }

    /// The keys that move: among the tasks found, the fields, or what a field can hold.
    pub fn change_field(&mut self, motion: Motion) {
        match motion {
            Motion::Up | Motion::Down if self.at == Field::Task && !self.found.is_empty() => {
                let last = self.found.len() - 1;
                self.pick = match (self.pick, motion) {
                    (None, Motion::Down) => Some(0),
                    (None | Some(0), _) => None,
                    (Some(at), Motion::Down) => Some((at + 1).min(last)),
                    (Some(at), _) => Some(at - 1),
                };
            }
            Motion::Up => self.go(-1),
            Motion::Down => self.go(1),
            Motion::Left => self.turn(-1),
            Motion::Right => self.turn(1),
            // There is nothing longer than the screen.
            Motion::PageUp | Motion::PageDown | Motion::Top | Motion::Bottom => (),
        }
    }

    /// The next of what a field can hold.
    fn turn(&mut self, by: isize) {
        let turned = |at: usize, len: usize| {
            let to = (at as isize + by).rem_euclid(len.max(1) as isize);
            usize::try_from(to).unwrap_or(0)
        };
        match self.at {
            Field::Task => (),
            Field::Seed => {
                let seed: u64 = self.seed.parse().unwrap_or(0);
                self.seed = seed.saturating_add_signed(by as i64).to_string();
            }
            Field::Mind => {
                self.mind = turned(self.mind, self.choices.minds.len());
                self.read();
            }
            Field::System => self.system = turned(self.system, self.choices.systems.len()),
            Field::Gate(n) => self.gates[n] = turned(self.gates[n], self.policies.len()),
        }
    }

    /// Text that was typed or pasted.
    pub fn type_in(&mut self, text: &str) {
        match self.at {
            Field::Task => {
                let room = WORDS_MAX.saturating_sub(self.words.chars().count());
                let text: String = clean_line(text).chars().take(room).collect();
                self.words.push_str(&text);
                self.settle();
            }
            Field::Seed => {
                let digits: String = text.chars().filter(char::is_ascii_digit).collect();
                if !digits.is_empty() && std::mem::take(&mut self.is_seed_given) {
                    self.seed.clear();
                }
                let room = SEED_DIGITS_MAX.saturating_sub(self.seed.len());
                self.seed.extend(digits.chars().take(room));
            }
            Field::Mind | Field::System | Field::Gate(_) if text == " " => self.turn(1),
            Field::Mind | Field::System | Field::Gate(_) => (),
        }
    }

    /// One character less, or all of them.
    pub fn wipe(&mut self, all: bool) {
        let line = match self.at {
            Field::Task => &mut self.words,
            Field::Seed => &mut self.seed,
            Field::Mind | Field::System | Field::Gate(_) => return,
        };
        self.is_seed_given = false;
        if all {
            line.clear();
        } else {
            line.pop();
        }
        if self.at == Field::Task {
            self.settle();
        }
    }

    /// The words have changed.
    fn settle(&mut self) {
        self.taken = None;
        self.pick = None;
        self.found = tasks::find(&self.words);
        self.read();
    }

    fn take(&mut self, task: &'static SuiteTask) {
        self.words.clone_from(&task.instruction);
        self.settle();
        self.taken = Some(task);
        self.read();
    }

    /// What the words come to, said in a line.
    fn read(&mut self) {
        self.reads = match self.taken {
            Some(task) => Ok(of_suite(task)),
            None if self.words.trim().is_empty() => {
                Err("type what to obtain, or choose below with ↓".to_owned())
            }
            None => match plain_task(&self.words) {
                Ok(Ok(task)) => Ok(understood(&task)),
                Err(fault) => Err(fault.to_string()),
                Ok(Err(_)) if self.mind().starts_with("llm") => {
                    Ok("unclear; the model will be asked what it means".to_owned())
                }
                Ok(Err(error)) => Err(error.to_string()),
            },
        };
    }

    /// Enter: takes the selected task first; then the run as it is wished, or what is wrong.
    pub fn submit(&mut self) -> Result<Option<WantedRun>, String> {
        let picked = self.pick.and_then(|at| self.found.get(at).copied());
        if let Some(task) = picked {
            self.take(task);
            return Ok(None);
        }
        self.reads.clone()?;
        let seed = self.seed.parse().map_err(|_| {
            self.at = Field::Seed;
            format!("`{}` is not a seed; use a whole number from 0", self.seed)
        })?;
        let mut gates = self.choices.gates.clone();
        for ((_, kinds, _), at) in GATES.iter().zip(self.gates) {
            let policy = self.policies[at]
                .parse()
                .expect("they were written by Policy or are read by a test");
            // A field that stands for several kinds says nothing of them until it is changed.
            if at != self.unchanged(kinds) {
                gates.0.extend(kinds.iter().map(|kind| (*kind, policy)));
            }
        }
        Ok(Some(WantedRun {
            aim: match self.taken {
                Some(task) => RunAim::Suite(task),
                None => RunAim::Words(self.words.trim().to_owned()),
            },
            seed,
            mind: self.mind().to_owned(),
            system: self.system().to_owned(),
            gates,
        }))
    }
}

/// `beef ×2 and #beds ×1`, and how the words were understood if that was not plain.
fn understood(task: &Task) -> String {
    let note = task.note.as_ref();
    let note = note.map_or(String::new(), |note| format!(" · {note}"));
    format!("{}{note}", goals(task))
}

/// All that has to be held for it.
fn goals(task: &Task) -> String {
    let held = task.success.iter().filter_map(|check| match check {
        Check::InvGe { item, count } => Some(format!("{item} ×{count}")),
        _ => None, // tasks are about what is held
    });
    let held: Vec<String> = held.collect();
    held.join(if task.any { " or " } else { " and " })
}

/// `iron_pickaxe ×1 · mcu70/iron/03 · 12,000 ticks · begins in plains`
fn of_suite(task: &SuiteTask) -> String {
    let goal = task.task();
    let ticks = pithead_core::text::numbers::format_count(task.budget_ticks);
    let mut words = format!("{} · {} · {ticks} ticks", goals(&goal), task.id);
    if let Some(biome) = &task.aids.biome {
        words.push_str(&format!(" · begins in {biome}"));
    }
    if let Err(because) = &task.feasible {
        words.push_str(&format!(" · cannot be done as worded: {because}"));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::run::decision::Gates;

    fn form() -> NewRunForm {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let choices = Choices {
            minds: names(&["builtin:novice", "builtin:competent", "llm"]),
            systems: names(&["steve-evolving", "deps"]),
            gates: Gates::console(),
        };
        NewRunForm::new(&choices, FormContent::Nothing)
    }

    #[test]
    fn every_policy_reads() {
        for policy in POLICIES {
            assert_eq!(policy.parse::<Policy>().unwrap().to_string(), policy);
        }
    }

    #[test]
    fn words_are_read_while_they_are_typed() {
        let mut form = form();
        assert!(form.submit().is_err());
        form.type_in("craft an iron pickaxe");
        assert_eq!(form.reads.as_deref(), Ok("iron_pickaxe ×1"));
        let reads = |words: &str| {
            let mut form = self::form();
            form.type_in(words);
            form.reads
        };
        let several = reads("2 beef and a bed");
        assert_eq!(several.as_deref(), Ok("beef ×2 and #beds ×1"));
        let either = reads("beef or 3 mutton");
        assert_eq!(either.as_deref(), Ok("beef ×1 or mutton ×3"));
        let wanted = form.submit().unwrap().unwrap();
        assert_eq!(
            wanted.aim,
            RunAim::Words("craft an iron pickaxe".to_owned())
        );
        assert_eq!(
            (wanted.seed, wanted.mind.as_str()),
            (7, "builtin:competent")
        );
        for kind in GateKind::ALL {
            assert_eq!(wanted.gates.of(kind), Gates::console().of(kind), "{kind:?}");
        }
        form.type_in(" of moonlight");
        form.wipe(true);
        form.type_in("craft a moonstone");
        assert!(form.submit().unwrap_err().contains("moonstone"));
    }

    #[test]
    fn a_seed_that_is_typed_takes_the_place_of_the_one_that_was_there() {
        let mut form = form();
        form.go(1);
        form.type_in("1");
        form.type_in("1");
        assert_eq!(form.seed, "11");
        form.go(1);
        form.go(-1);
        form.wipe(false);
        form.type_in("2");
        assert_eq!(form.seed, "12", "what is corrected stays");
        form.go(1);
        form.go(-1);
        form.type_in("no number");
        assert_eq!(form.seed, "12");
    }

    #[test]
    fn a_published_task_is_taken_before_it_is_started() {
        let mut form = form();
        form.type_in("diamond");
        form.change_field(Motion::Down);
        assert_eq!(form.submit(), Ok(None));
        let taken = form.taken.unwrap();
        let wanted = form.submit().unwrap().unwrap();
        assert_eq!(wanted.aim, RunAim::Suite(taken));
        form.type_in("s");
        assert_eq!(form.taken, None, "other words are another task");
    }

    #[test]
    fn fields_hold_only_what_they_can() {
        let mut form = form();
        form.go(1);
        form.type_in("x12");
        assert_eq!(form.seed, "12");
        form.wipe(true);
        assert!(
            {
                form.words = "wood".to_owned();
                form.settle();
                form.submit()
            }
            .unwrap_err()
            .contains("not a seed")
        );
        form.change_field(Motion::Right);
        assert_eq!(form.seed, "1");
        form.go(3);
        assert_eq!(form.at, Field::Gate(0));
        form.change_field(Motion::Right);
        assert_eq!(form.policy(0), "ask");
        form.go(-1);
        form.change_field(Motion::Left);
        assert_eq!(form.system(), "deps");
    }

    #[test]
    fn a_model_may_read_what_is_not_plain() {
        let mut form = form();
        form.type_in("melt ore for me please");
        assert!(form.reads.is_err());
        form.at = Field::Mind;
        form.change_field(Motion::Right);
        assert_eq!(form.mind(), "llm");
        assert!(form.reads.as_ref().unwrap().contains("asked"));
    }
}
