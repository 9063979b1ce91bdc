//! Parsing script lines into commands, plans and lessons.

use pithead_core::domain::plan::json;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::Verdict;
use pithead_core::domain::run::steering;
use pithead_world::ids::DecisionId;

pub(crate) fn command(rest: &str) -> Command {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let decide = |id: &str, verdict| Command::Decide {
        decision: DecisionId(id.parse().expect("a number")),
        verdict,
    };
    match words[..] {
        ["approve", id] => decide(id, Verdict::Approve),
        ["veto", id, ..] => decide(
            id,
            Verdict::Veto {
                reason: words[2..].join(" "),
            },
        ),
        ["hold", id] => Command::HoldDecision {
            decision: DecisionId(id.parse().expect("a number")),
        },
        ["release", id] => Command::ReleaseDecision {
            decision: DecisionId(id.parse().expect("a number")),
        },
        ["abort"] => Command::Abort {
            reason: "enough".to_owned(),
        },
        ["pause"] => Command::Pause,
        // The run refuses what cannot be parsed, too.
        ["act", ..] => Command::Act {
            words: words[1..].join(" "),
        },
        _ => steering::parse_steering(rest).unwrap_or_else(|fault| panic!("`{rest}`: {fault}")),
    }
}

/// `mine oak_log 1 > craft oak_planks 4` as PlanJSON.
pub(crate) fn plan(text: &str) -> String {
    let subgoals: Vec<serde_json::Value> = (1..)
        .zip(text.split('>'))
        .map(|(n, step)| {
            let words: Vec<&str> = step.split_whitespace().collect();
            if let ["dig_down", y] = words[..] {
                return dig_down(n, y.parse().expect("a height"));
            }
            let count: u32 = words[2].parse().expect("a count");
            serde_json::json!({
                "subgoal_id": format!("sg_{n:03}"),
                "condition": step.trim(),
                "task_kind": words[0],
                "executor_hint": words[0],
                "timeout_s": 60,
                "goal": {"object": words[1], "count": count},
                "checks": [{"check": "inv_ge", "item": words[1], "count": count}],
            })
        })
        .collect();
    let text = serde_json::json!({"plan_id": "p", "subgoals": subgoals, "global_constraints": []});
    json::parse_plan(&text.to_string()).expect("the test's own plans are readable");
    text.to_string()
}

fn dig_down(n: i32, y: i64) -> serde_json::Value {
    serde_json::json!({
        "subgoal_id": format!("sg_{n:03}"),
        "condition": format!("dig_down {y}"),
        "task_kind": "move",
        "executor_hint": "dig_down",
        "timeout_s": 60,
        "goal": {"count": 1, "amount": y},
        "checks": [{"check": "ypos_le", "y": y}],
    })
}

/// `CONDITION | KIND ITEM` as a lesson.
pub(crate) fn lesson(text: &str) -> String {
    let (trigger, forbid) = text.split_once('|').expect("CONDITION | KIND ITEM");
    let words: Vec<&str> = forbid.split_whitespace().collect();
    serde_json::json!({
        "root_cause": "told by the script",
        "constraint": {
            "trigger": trigger.trim(),
            "forbid": {"kind": words[0], "target": words[1]},
            "avoid": "fails",
            "recovery": [],
            "reason": "TOOL_MISSING",
        },
        "next_actions": [],
    })
    .to_string()
}
