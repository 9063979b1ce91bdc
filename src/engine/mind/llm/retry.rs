//! Trying again: when, how often, and how long to wait in between.
//!
//! Waits double and are spread by chance, so that many runs do not knock at once; what the server
//! asks for goes before. Invariant: every wait ends at once when the question is cancelled.

use super::client::Client;
use super::completion::Completion;
use super::fault::{FaultKind, TryFault};
use super::server::{Form, Server, Takes};
use crate::mind::watch::{AnswerProgress, AnswerStage, Watch};
use pithead_world::ids::CallId;
use pithead_world::rng::Rng;
use std::time::Duration;

/// How soon a word to stop is heard.
/// Milliseconds; quick enough that an operator does not notice.
const LOOK_MS: u64 = 25;

/// An answer and what it took.
#[derive(Debug)]
pub(super) struct Tried {
    pub(super) result: Result<Completion, TryFault>,
    pub(super) tries: u32,
    /// Pieces of tries that broke off: they were paid for.
    pub(super) lost: u64,
    pub(super) form: Form,
}

/// Whom to tell, and what.
pub(super) struct Telling<'a> {
    pub(super) watch: &'a Watch,
    pub(super) progress: AnswerProgress,
}

impl Telling<'_> {
    fn report(&self, stage: AnswerStage) {
        self.watch.report(Some(AnswerProgress {
            stage,
            ..self.progress.clone()
        }));
    }

    fn call(&self) -> CallId {
        self.progress.call
    }
}

/// Asks until there is an answer or no more hope of one. `body` makes the request of what the server
/// takes, for an answer of at most so many tokens.
pub(super) async fn ask(
    client: &Client,
    server: &Server,
    telling: &Telling<'_>,
    rng: &mut Rng,
    (body, max_tokens): (impl Fn(&Takes) -> serde_json::Value, u64),
) -> Tried {
    let settings = &client.settings;
    let (mut tries, mut lost, mut failed) = (0, 0, 0);
    loop {
        let takes = server.takes();
        let form = takes.form;
        tries += 1;
        let result = once(client, server, telling, &body(&takes)).await;
        let fault = match result {
            Ok(done) => {
                return Tried {
                    result: Ok(done),
                    tries,
                    lost,
                    form,
                };
            }
            Err(fault) => fault,
        };
        lost += fault.pieces;
        let wait = match &fault.kind {
            // Leaving something out is no failure of the server; each part is left out once.
            FaultKind::Unsupported(part) if server.without(part, &takes, max_tokens) => continue,
            FaultKind::Passing { wait } if failed < settings.retries => {
                let own = backoff(settings.backoff_ms, failed, rng);
                // Never sooner than the own wait: a server may ask for zero.
                (*wait).map_or(own, |wanted| wanted.max(own))
            }
            FaultKind::Passing { .. }
            | FaultKind::Unsupported(_)
            | FaultKind::Lasting
            | FaultKind::TooLong
            | FaultKind::Answer
            | FaultKind::Cancelled => return given_up(fault, tries, lost, form),
        };
        failed += 1;
        if wait > Duration::from_secs(settings.wait_max_s) {
            let because = format!("{}; it asks to wait {} s", fault.because, wait.as_secs());
            return given_up(TryFault { because, ..fault }, tries, lost, form);
        }
        telling.report(AnswerStage::Waiting {
            tries,
            ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
            because: fault.because.clone(),
        });
        tracing::info!(
            because = fault.because,
            ?wait,
            "the mind's server will be asked again"
        );
        tokio::select! {
            () = tokio::time::sleep(wait) => (),
            () = called_off(telling) => return given_up(stopped(), tries, lost, form),
        }
    }
}

fn given_up(fault: TryFault, tries: u32, lost: u64, form: Form) -> Tried {
    let because = match tries {
        1 => fault.because.clone(),
        tries => format!("{} (after {tries} tries)", fault.because),
    };
    Tried {
        result: Err(TryFault { because, ..fault }),
        tries,
        lost,
        form,
    }
}

fn stopped() -> TryFault {
    TryFault::new(FaultKind::Cancelled, "the question was cancelled")
}

/// One try, in its turn and within its time.
async fn once(
    client: &Client,
    server: &Server,
    telling: &Telling<'_>,
    body: &serde_json::Value,
) -> Result<Completion, TryFault> {
    telling.report(AnswerStage::Queued);
    let seconds = client.settings.total_s;
    let chat = async {
        // Held until the answer is complete: this is what bounds the requests under way.
        let _turn = server.turns.acquire().await;
        telling.report(AnswerStage::Asked);
        let chat = client.chat(body, |done| {
            telling.report(AnswerStage::Answering {
                tokens: done.pieces,
                first_token_ms: done.first_token_ms.unwrap_or(0),
                said: client.said_so_far(done.said()),
            });
        });
        let within = tokio::time::timeout(Duration::from_secs(seconds), chat).await;
        within.unwrap_or_else(|_| {
            // Once more would take as long.
            Err(TryFault::lasting(format!(
                "no whole answer within {seconds} s; raise total_s, or choose a faster model"
            )))
        })
    };
    tokio::select! {
        done = chat => done,
        () = called_off(telling) => Err(stopped()),
    }
}

async fn called_off(telling: &Telling<'_>) {
    while !telling.watch.is_cancelled(telling.call()) {
        tokio::time::sleep(Duration::from_millis(LOOK_MS)).await;
    }
}

/// From half of the doubled wait to one and a half of it.
fn backoff(base_ms: u64, failed: u32, rng: &mut Rng) -> Duration {
    // At most 2^10 times the base, so that the shift cannot overflow.
    let doubled = base_ms.saturating_mul(1 << failed.min(10));
    Duration::from_millis(doubled).mul_f64(0.5 + rng.unit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_and_are_spread() {
        let mut rng = Rng::new(1);
        for failed in 0..20 {
            let doubled = Duration::from_millis(100 * (1 << failed.min(10)));
            let wait = backoff(100, failed, &mut rng);
            assert!(
                wait >= doubled / 2 && wait <= doubled * 3 / 2,
                "{failed}: {wait:?}"
            );
        }
    }
}
