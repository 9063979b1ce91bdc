//! Samples of the events that only systems which judge plans, reflect or plan in parts have.

use pithead_core::domain::knowledge::Remedy;
use pithead_core::domain::mind::ask::Explanation;
use pithead_core::domain::mind::judge::{JudgedBy, Judgement};
use pithead_core::domain::mind::plan_part::{LastStep, PlanPart};
use pithead_core::domain::mind::reflection::{Disturbance, Trigger};
use pithead_core::domain::mind::sequences::{Sequence, Sequences};
use pithead_core::domain::mind::study::{Reflected, Reflection};
use pithead_core::domain::plan::Goal;
use pithead_core::domain::plan::note::{About, Note, Severity};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::samples::seen_skill;
use pithead_world::ids::{ExperienceId, KnowledgeId, Revision, RunId, SubgoalId};

pub(super) fn sequences() -> Vec<Sequences> {
    let way = seen_skill(
        "glass",
        "always",
        &[("smelt 1 glass", "sand 1, coal 1", "furnace")],
    );
    let sequence = Sequence {
        run: RunId(1),
        way,
        experiences: vec![ExperienceId {
            run: RunId(1),
            n: 2,
        }],
    };
    Sequences::of_goal(vec![sequence]).into_iter().collect()
}

pub(super) fn judged() -> Event {
    let missing = vec![Remedy::Have {
        item: "oak_log".parse().expect("it is an item"),
        count: 1,
    }];
    let judgement = |success, by| Judgement {
        subgoal: SubgoalId(1),
        success,
        by,
        missing: missing.clone(),
        suggestion: "get a log first".to_owned(),
    };
    let rule = KnowledgeId {
        run: RunId(1),
        n: 2,
    };
    Event::PlanJudged {
        revision: Revision(1),
        judged: vec![
            judgement(true, JudgedBy::Rules(vec![rule])),
            judgement(false, JudgedBy::Mind),
        ],
        notes: vec![Note {
            severity: Severity::Error,
            subgoal: Some(SubgoalId(1)),
            about: About::JudgedToFail {
                missing: missing.clone(),
            },
            text: "it is judged to fail".to_owned(),
        }],
    }
}

pub(super) fn continued() -> Event {
    let last = LastStep {
        step: "mine 3 oak_log".to_owned(),
        success: true,
    };
    let part = Box::new(PlanPart::NextStep { last });
    Event::PlanContinued { part }
}

pub(super) fn reached(goal: Goal) -> Event {
    Event::GoalReached { goal }
}

pub(super) fn reflected() -> Event {
    Event::PlanReflected {
        reflected: Box::new(Reflected {
            subgoal: SubgoalId(1),
            reflection: Reflection {
                now: "the table is gone".to_owned(),
                before: "nothing like this is remembered".to_owned(),
                ..Reflection::default()
            },
            trigger: Trigger::GoalLost,
            disturbance: Some(Disturbance::Environment),
            history: Some(0.5),
            said: Some(0.0),
            cases: 2,
            confidence: 0.25,
            keeps: false,
            repairs: true,
        }),
    }
}

pub(super) fn explained(subgoal: SubgoalId) -> Event {
    Event::FailureExplained {
        subgoal,
        explanation: Explanation {
            observed: "nothing dropped".to_owned(),
            explanation: "a better tool is needed".to_owned(),
            missing: Vec::new(),
            wrong_step: None,
        },
    }
}
