//! Ctrl-C and SIGTERM: the first asks the work to stop, the second ends the program.

use super::outcome::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that the first interrupt sets.
pub(crate) fn interrupt_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // In this order: with the flag set by the first signal, only the second one shuts down.
        let hard = signal_hook::flag::register_conditional_shutdown(
            signal,
            ExitStatus::Interrupted as i32,
            Arc::clone(&flag),
        );
        let soft = signal_hook::flag::register(signal, Arc::clone(&flag));
        if let Err(error) = hard.and(soft) {
            tracing::warn!(%error, "interrupts will end the program at once");
        }
    }
    flag
}
