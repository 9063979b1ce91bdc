//! Performing: what the events ask of world, mind and stores, and how the answers come back.

use crate::agent::State;
use crate::clock::Clock;
use crate::domain::event::Event;
use crate::domain::input::Input;
use crate::domain::knowledge::Status;
use crate::domain::recall::RecallQuery;
use crate::domain::state_card::StateCard;
use crate::journal::{Filter, Journal, JournalError};
use crate::memory;
use crate::mind::Mind;
use crate::world::port::{Notice, Request};

/// The order to the world that an event stands for, if it does.
pub(super) fn request(event: &Event, state: &State) -> Option<Request> {
    match event {
        Event::WorldAsked => state
            .config()
            .map(|config| Request::Reset(config.world.clone())),
        Event::ActionIssued { action, order, .. } => Some(Request::Act {
            id: *action,
            action: order.clone(),
        }),
        Event::ActionCancelled { action, .. } => Some(Request::Cancel { id: *action }),
        // All other events ask nothing of the world.
        _ => None,
    }
}

/// True for events whose answer this thread is to find.
pub(super) fn is_question(event: &Event) -> bool {
    matches!(
        event,
        Event::MindAsked { .. } | Event::RecallAsked { .. } | Event::LookupAsked { .. }
    )
}

/// A notice as the core takes it.
pub(super) fn input(notice: Notice) -> Input {
    match notice {
        Notice::Ready(frame) => Input::Ready(frame),
        Notice::Frame(frame) => Input::Framed(frame),
        Notice::Acted { id, report, frame } => Input::Acted {
            action: id,
            report,
            frame,
        },
        Notice::Lost { because } => Input::Lost { because },
    }
}

/// Finds the answer to a question of the core.
pub(super) fn answer(
    question: Event,
    state: &State,
    journal: &Journal,
    mind: &mut dyn Mind,
    clock: &Clock,
) -> Result<Input, JournalError> {
    match question {
        Event::MindAsked { call, ask } => {
            let asked = clock.now();
            Ok(match mind.answer(&ask) {
                Ok(text) => Input::Answered {
                    call,
                    text,
                    ms: clock.now().since(asked),
                },
                Err(because) => Input::Unanswered { call, because },
            })
        }
        Event::RecallAsked { query } => recall(query, state, journal),
        Event::LookupAsked { drafts, .. } => {
            let like =
                |draft: &crate::domain::knowledge::Entry| journal.knowledge_like(&draft.body);
            Ok(Input::LookedUp {
                found: drafts.iter().map(like).collect::<Result<_, _>>()?,
            })
        }
        other => unreachable!("only questions are queued, not {other:?}"),
    }
}

/// What the stores hold for this run: experiences like it, and all knowledge that may act.
fn recall(task: String, state: &State, journal: &Journal) -> Result<Input, JournalError> {
    let config = state.config();
    let query = RecallQuery {
        task,
        state: state.frame.as_deref().map(StateCard::of),
        target: config.map(|config| config.task.goal),
        subgoal: None,
        limit: config.map_or(0, |config| config.limits.recalled_max),
    };
    let hits = journal.read("recall", |db| memory::recall(db, &query))?;
    let knowledge = journal.knowledge(Filter {
        status: Some(Status::Active),
        kind: None,
    })?;
    Ok(Input::Recalled { hits, knowledge })
}

#[cfg(test)]
mod tests {
    use crate::clock::Millis;
    use crate::domain::event::Event;
    use crate::domain::recall::RecallQuery;
    use crate::domain::samples;
    use crate::ids::AttemptId;
    use crate::journal::Journal;
    use crate::memory::recall;

    fn journal() -> Journal {
        let mut journal = Journal::in_memory().unwrap();
        let run = journal.create_run(samples::config(), Millis(1)).unwrap();
        for (n, target) in ["oak_log", "coal", "iron_ore", "coal"]
            .into_iter()
            .enumerate()
        {
            let n = n as u64 + 1;
            let experience = Box::new(samples::experience(run.0, n, target, n != 2));
            let attempt = AttemptId(n);
            let ended = Event::AttemptEnded {
                attempt,
                experience,
            };
            journal.append(run, Millis(2), vec![ended]).unwrap();
        }
        journal
    }

    fn found(query: &RecallQuery) -> Vec<(u64, bool, bool)> {
        let hits = journal().read("recall", |db| recall(db, query)).unwrap();
        assert!(hits.windows(2).all(|pair| pair[0].score >= pair[1].score));
        hits.iter()
            .map(|hit| (hit.id.n, hit.exact, hit.success))
            .collect()
    }

    #[test]
    fn the_like_comes_first_and_the_newer_of_equals() {
        let mut query = RecallQuery {
            task: "get a coal".to_owned(),
            state: None,
            target: Some(samples::item("coal")),
            subgoal: None,
            limit: 2,
        };
        assert_eq!(found(&query), [(4, true, true), (2, true, false)]);
        query.subgoal = Some(samples::subgoal(9, "iron_ore"));
        query.limit = 1;
        assert_eq!(found(&query), [(3, true, true)]);
    }
}
