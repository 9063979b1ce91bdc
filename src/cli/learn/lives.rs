//! What all ways to play lives have in common: their worlds and minds, how many go on at once, and the progress shown.

use crate::cli::output::print_stderr;
use crate::config::{WorldAndMind, minds};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pithead_core::domain::run::event::RunConfig;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::runtime::worlds::build_world;
use pithead_world::clock::{Clock, Millis};

/// The world of an episode, and a mind that errs as this seed says.
pub(super) fn world_and_mind(config: &RunConfig, seed: u64) -> Result<WorldAndMind, String> {
    let world = build_world(config, None).map_err(|error| error.to_string())?;
    let mind = minds::build_mind(&config.mind, seed, &config.profile.name, None);
    Ok((world, mind.map_err(|error| error.to_string())?))
}

/// Lives that go on at once: as many as wanted, else as there are cores.
pub(super) fn jobs(wanted: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    wanted.map_or_else(cores, usize::from)
}

/// How many lives are over: a bar on a terminal, lines elsewhere.
pub(super) struct Progress {
    bar: ProgressBar,
    began: Millis,
    /// Lives that were there already.
    kept: Option<usize>,
}

impl Progress {
    pub(super) fn begin() -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template(
            "{bar:30} {pos}/{len} lives  {elapsed} elapsed, {eta} left",
        );
        Self {
            bar: bar.with_style(style.expect("the template is sound")),
            began: Clock::System.now(),
            kept: None,
        }
    }

    pub(super) fn show(&mut self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        let kept = *self.kept.get_or_insert(done);
        if self.bar.is_hidden() {
            let gone_ms = Clock::System.now().since(self.began);
            print_stderr(&summary(done, total, kept, gone_ms));
        }
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line for logs; `kept` lives were there from the start and took no time.
pub(super) fn summary(done: usize, total: usize, kept: usize, gone_ms: u64) -> String {
    let lived = (done - kept) as u64;
    let left = match lived {
        0 => String::new(),
        lived => format!(
            ", about {} s left",
            gone_ms * (total - done) as u64 / lived / 1_000
        ),
    };
    format!(
        "{done} of {}, {} s elapsed{left}",
        count_with_noun(total, "life", "lives"),
        gone_ms / 1_000
    )
}
