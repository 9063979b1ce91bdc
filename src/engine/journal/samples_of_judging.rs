//! A sample of the event that only systems which judge plans have.

use pithead_core::domain::knowledge::Remedy;
use pithead_core::domain::mind::judge::{JudgedBy, Judgement};
use pithead_core::domain::plan::note::{About, Note, Severity};
use pithead_core::domain::run::event::Event;
use pithead_world::ids::{KnowledgeId, Revision, RunId, SubgoalId};

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
