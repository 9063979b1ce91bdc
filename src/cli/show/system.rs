//! What the phases of other systems did in a run, as text: selections, rules, reflections.

use pithead_core::text::numbers::count_with_noun;
use pithead_engine::runtime::goals_record::{GoalState, GoalsRecord};
use pithead_engine::runtime::system_record::{
    ReflectorRecord, RulesRecord, SelectRecord, Selection, SystemRecord,
};

pub(super) fn text(system: &SystemRecord) -> String {
    let mut text = String::new();
    text += &system.select.as_ref().map_or(String::new(), selections);
    text += &system.rules.as_ref().map_or(String::new(), rules);
    text += &system.reflector.as_ref().map_or(String::new(), reflections);
    text + &system.goals.as_ref().map_or(String::new(), goals)
}

fn selections(record: &SelectRecord) -> String {
    let mut text = format!(
        "\nselections, round {} of {}\n",
        u64::from(record.round) + 1,
        u64::from(record.rounds_max) + 1
    );
    for selection in &record.selections {
        text += &format!("  {}{}\n", selection.selected, outcome(selection));
        for candidate in &selection.candidates {
            text += &format!(
                "    {:>3.0} % {} {}: {} ({}–{})\n",
                candidate.probability * 100.0,
                candidate.subgoal,
                candidate.step,
                count_with_noun(candidate.ticks, "tick", "ticks"),
                candidate.early,
                candidate.late
            );
        }
    }
    text
}

fn outcome(selection: &Selection) -> String {
    match (selection.ticks, selection.success) {
        (Some(ticks), Some(true)) => {
            format!(" done after {}", count_with_noun(ticks, "tick", "ticks"))
        }
        (Some(ticks), _) => {
            format!(" failed after {}", count_with_noun(ticks, "tick", "ticks"))
        }
        (None, _) => String::new(),
    }
}

fn rules(record: &RulesRecord) -> String {
    let mut text = format!(
        "\nrules, judged by them {}, by the mind {}; right {}, wrong {}\n",
        record.judged_by_rules, record.judged_by_mind, record.right, record.wrong
    );
    for rule in &record.rules {
        let [consistent, clear, feasible] = rule.scores;
        let above = if rule.admitted { ">" } else { "≤" };
        text += &format!(
            "  {} {}: consistent {consistent:.2} clear {clear:.2} feasible {feasible:.2}, total {:.2} {above} {}; \
             {}, {}; refused {} here\n",
            rule.id,
            rule.requirement,
            rule.total,
            record.admitted_above,
            count_with_noun(rule.hits, "hit", "hits"),
            count_with_noun(rule.misses, "miss", "misses"),
            rule.refused
        );
    }
    text
}

fn reflections(record: &ReflectorRecord) -> String {
    let mut text = format!("\nreflections, kept above {:.2}\n", record.trust_min);
    let number = |value: Option<f64>| value.map_or("unknown".to_owned(), |v| format!("{v:.2}"));
    for line in &record.reflections {
        text += &format!(
            "  {} {}: trust {:.2} (C_history {}, C_LLM {}), {}: {}\n",
            line.trigger,
            line.step,
            line.confidence,
            number(line.history),
            number(line.said),
            line.then,
            line.suggestion
        );
    }
    text
}

fn goals(record: &GoalsRecord) -> String {
    let mut text = "\ngoals, each after what it needs\n".to_owned();
    for goal in &record.goals {
        let sign = match goal.state {
            GoalState::Waiting => "○",
            GoalState::Current => "▶",
            GoalState::Reached => "●",
        };
        let indent = "  ".repeat(usize::from(goal.depth));
        let effort = record.describe_effort(goal);
        let effort = match effort.is_empty() {
            true => effort,
            false => format!(" · {effort}"),
        };
        text += &format!("  {sign} {indent}{}{effort}\n", goal.describe());
    }
    for step in &record.steps {
        let sign = match step.success {
            None => "·",
            Some(true) => "✔",
            Some(false) => "✗",
        };
        text += &format!("  {sign} {} {}\n", step.subgoal, step.step);
        for (name, said) in [
            ("expected", &step.expectation),
            ("became  ", &step.feedback),
        ] {
            if let Some(said) = said {
                text += &format!("      {name} {said}\n");
            }
        }
    }
    text
}
