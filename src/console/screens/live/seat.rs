//! The seat: who commands the run in sight and who watches it, in words, and what the key about it does.

use crate::effect::{Effect, HostWish};
use crate::screens::live::state::LiveState;
use crate::shell::{Shell, Toast};
use crate::theme::Role;
use crate::widgets::rich::Rich;
use pithead_core::text::clean::clean_line;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::runtime::attach::presence::Presence;

/// Gives the seat to the console that asks for it, or asks for it.
pub(crate) fn give_or_ask(shell: &mut Shell) -> Option<Effect> {
    let Some(presence) = &shell.live.presence else {
        let because = match shell.live.is_guest {
            true => "the process that drives this run does not answer",
            false => "this console drives the run itself, or shows a recording",
        };
        shell.refuse(because);
        return None;
    };
    if !presence.commands() {
        let wish = Effect::Host(HostWish::AskSeat);
        if let Some(name) = presence.other_commander().map(clean_line) {
            shell.say(format!("asked {name} for command of the run"));
        }
        return Some(wish);
    }
    let Some((id, name)) = presence
        .asking()
        .map(|guest| (guest.id, clean_line(&guest.name)))
    else {
        shell.refuse("you command this run, and nobody asks for it");
        return None;
    };
    shell.say(format!("{name} commands this run now"));
    Some(Effect::Host(HostWish::GiveSeat(id)))
}

/// Who commands instead, if somebody does.
#[must_use]
pub(crate) fn seat_fault(ui: &LiveState) -> Option<String> {
    let presence = ui
        .presence
        .as_ref()
        .filter(|presence| !presence.commands())?;
    let name = clean_line(presence.other_commander()?);
    Some(format!("{name} commands this run; K asks for it"))
}

/// The key about the seat would do something: others command, or ask to.
#[must_use]
pub(crate) fn can_change(ui: &LiveState) -> bool {
    let presence = ui.presence.as_ref();
    presence.is_some_and(|presence| !presence.commands() || presence.asking().is_some())
}

/// `you command · 2 watch`, or `ada commands`; nothing for a run of this process that nobody watches.
#[must_use]
pub(crate) fn seat_words(ui: &LiveState) -> Rich {
    let Some(presence) = &ui.presence else {
        return Rich::new();
    };
    let mut out = match presence.other_commander() {
        Some(name) => Rich::text(Role::Notice, format!("{} commands", clean_line(name))),
        None if presence.commands() && presence.others() == 0 => Rich::new(),
        None if presence.commands() => Rich::text(Role::Faint, "you command"),
        None => Rich::text(Role::Faint, "nobody commands"),
    };
    if let Some(guest) = presence.asking().filter(|_| presence.commands()) {
        let name = clean_line(&guest.name);
        return Rich::text(Role::Notice, format!("{name} asks for command: K"));
    }
    // Whoever commands is named already.
    let named = usize::from(presence.other_commander().is_some());
    let watching = presence.others().saturating_sub(named);
    if watching > 0 {
        let more = count_with_noun(watching, "other watches", "others watch");
        let sign = if out.width() > 0 { " · " } else { "" };
        out.add(Role::Faint, format!("{sign}{more}"));
    }
    out
}

/// What is said when somebody else commands or asks, all of a sudden.
#[must_use]
pub(crate) fn seat_change(before: Option<&Presence>, now: Option<&Presence>) -> Option<Toast> {
    let (before, now) = (before?, now?);
    let asks = |presence: &Presence| presence.asking().map(|guest| guest.id);
    if now.commands() && !before.commands() {
        return Some(Toast::word("you command this run now"));
    }
    if before.commands() && !now.commands() {
        let name = now.other_commander().map(clean_line);
        let name = name.unwrap_or_else(|| "nobody".to_owned());
        return Some(Toast::word(format!(
            "{name} commands this run now; K asks for it"
        )));
    }
    if now.commands() && asks(now).is_some() && asks(now) != asks(before) {
        let name = now.asking().map(|guest| clean_line(&guest.name))?;
        return Some(Toast::word(format!("{name} asks for command; K gives it")));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screens::live::state::{LiveState, RunMode};
    use crate::testing::shell_of;
    use pithead_engine::runtime::DriverStatus;
    use pithead_engine::runtime::attach::presence::Guest;
    use ratatui::layout::Size;

    fn presence(you: u64, commander: Option<u64>, asks: Option<u64>) -> Presence {
        let guest = |(id, name): (u64, &str)| Guest {
            id,
            name: name.to_owned(),
            asks: asks == Some(id),
        };
        Presence {
            you,
            commander,
            guests: [(1, "ada"), (2, "bea"), (3, "cyd\u{1b}[2J")]
                .map(guest)
                .into(),
        }
    }

    fn seen(presence: Presence) -> LiveState {
        LiveState {
            is_guest: true,
            presence: Some(presence),
            ..LiveState::new(RunMode::Live(DriverStatus::Running))
        }
    }

    #[test]
    fn who_commands_and_who_watches_is_told_in_clean_words() {
        let words = |presence| seat_words(&seen(presence)).plain();
        assert_eq!(
            words(presence(1, Some(1), None)),
            "you command · 2 others watch"
        );
        assert_eq!(
            words(presence(2, Some(1), None)),
            "ada commands · 1 other watches"
        );
        assert_eq!(
            words(presence(1, None, None)),
            "nobody commands · 2 others watch"
        );
        let asked = words(presence(1, Some(1), Some(3)));
        assert!(
            asked.starts_with("cyd") && !asked.contains('\u{1b}'),
            "{asked}"
        );
        let alone = Presence {
            you: 4,
            commander: Some(4),
            guests: Vec::new(),
        };
        assert_eq!(words(alone), "");
    }

    #[test]
    fn one_key_asks_gives_or_says_why_it_does_nothing() {
        let mut shell = shell_of(RunMode::Live(DriverStatus::Running), Size::new(120, 36));
        assert_eq!(give_or_ask(&mut shell), None);
        assert!(shell.toast.as_ref().is_some_and(|toast| toast.is_fault));
        shell.live = seen(presence(2, Some(1), None));
        assert_eq!(
            give_or_ask(&mut shell),
            Some(Effect::Host(HostWish::AskSeat))
        );
        shell.live = seen(presence(1, Some(1), Some(2)));
        assert_eq!(
            give_or_ask(&mut shell),
            Some(Effect::Host(HostWish::GiveSeat(2)))
        );
        shell.live = seen(presence(1, Some(1), None));
        assert_eq!(give_or_ask(&mut shell), None);
    }

    #[test]
    fn a_console_that_observes_is_told_who_commands_before_it_asks_anything() {
        let fault = |presence| seat_fault(&seen(presence));
        let told = fault(presence(2, Some(1), None));
        assert_eq!(
            told.as_deref(),
            Some("ada commands this run; K asks for it")
        );
        assert_eq!(fault(presence(1, Some(1), None)), None);
        assert_eq!(fault(presence(2, None, None)), None, "the seat is free");
        let can = |presence| can_change(&seen(presence));
        assert!(can(presence(2, Some(1), None)) && can(presence(1, Some(1), Some(2))));
        assert!(!can(presence(1, Some(1), None)));
    }

    #[test]
    fn a_change_is_told_once_to_those_whom_it_concerns() {
        let told = |before, now| seat_change(Some(&before), Some(&now)).map(|toast| toast.text);
        let (mine, asked) = (presence(1, Some(1), None), presence(1, Some(1), Some(2)));
        assert!(told(mine.clone(), asked.clone()).is_some_and(|text| text.contains("bea asks")));
        assert_eq!(told(asked.clone(), asked), None);
        let theirs = presence(1, Some(2), None);
        assert!(
            told(mine.clone(), theirs.clone()).is_some_and(|text| text.contains("bea commands"))
        );
        assert!(told(theirs, mine).is_some_and(|text| text.contains("you command")));
    }
}
