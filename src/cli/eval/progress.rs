//! How far an evaluation is: a bar on a terminal, and a line for each episode.

use crate::cli::output::print_stdout;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::eval::{Ended, Episode, EvalProgress};

/// On standard error, and only if that is a terminal.
pub(super) fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    let style =
        ProgressStyle::with_template("{bar:30} {pos}/{len}  {elapsed} elapsed, {eta} left  {msg}");
    bar.with_style(style.expect("the template is sound; a test draws it"))
}

/// One line per episode: on standard output, or with `--json` nowhere.
pub(super) fn show_progress(
    bar: &ProgressBar,
    json: bool,
    progress: EvalProgress,
    episode: Option<&Episode>,
) {
    bar.set_length(progress.total as u64);
    let Some(episode) = episode else {
        bar.set_position(progress.done as u64);
        // What was done before says nothing about the time that is left.
        bar.reset_eta();
        if progress.found > 0 && !json {
            bar.suspend(|| {
                print_stdout(&format!(
                    "{} of {} already finished",
                    progress.found,
                    count_with_noun(progress.total, "episode is", "episodes are")
                ));
            });
        }
        return;
    };
    bar.set_position(progress.done as u64);
    if !json {
        bar.suspend(|| print_stdout(&line(episode)));
    }
}

fn line(episode: &Episode) -> String {
    let mark = match (episode.success, episode.ended) {
        (true, _) => "success",
        (false, Ended::Void) => "void",
        (false, _) => "failure",
    };
    let line = format!(
        "{mark:<7}  {:<32} seed {:<4} {:>12}  {:>12}, {} failed  {}  {}",
        episode.task,
        episode.seed,
        count_with_noun(episode.ticks, "tick", "ticks"),
        count_with_noun(episode.attempts, "attempt", "attempts"),
        episode.failed_attempts,
        count_with_noun(episode.replans, "replan", "replans"),
        if episode.success {
            ""
        } else {
            &episode.because
        }
    );
    pithead_core::text::clean::clean_lines(line.trim_end())
        .trim_end()
        .to_owned()
}
