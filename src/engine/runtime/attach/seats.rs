//! Seats: the guests of a host, who of them commands, and what each is told.
//!
//! Its owners are the threads of the guests and the one that looks for news; the lock is held for a few
//! moves and never across a wait. Invariant: a notice that a guest has no room for is dropped, an answer never.

use super::lines::HostLine;
use super::presence::{Guest, Presence};
use std::collections::BTreeMap;
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The guest that stands for the console of the driving process.
pub(super) const OWN: u64 = 0;

/// All who are at a run.
#[derive(Debug, Default)]
pub(super) struct Seats(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    members: BTreeMap<u64, Member>,
    commander: Option<u64>,
    /// How often the seat was asked for, which gives the order.
    asked: u64,
}

#[derive(Debug)]
struct Member {
    name: String,
    is_console: bool,
    /// When it asked for the seat, if it did.
    asks: Option<u64>,
    /// A picture of this size is on its way to it.
    looks: Option<(u32, u32)>,
    /// None for the console of the driving process.
    out: Option<SyncSender<HostLine>>,
}

impl Seats {
    /// The seat belongs to the console of the driving process.
    pub(super) fn taken_by(name: &str) -> Self {
        let own = Member {
            name: name.to_owned(),
            is_console: true,
            asks: None,
            looks: None,
            out: None,
        };
        Self(Mutex::new(Table {
            members: [(OWN, own)].into(),
            commander: Some(OWN),
            asked: 0,
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        // Each move leaves a whole table behind.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn enter(&self, id: u64, name: &str, is_console: bool, out: SyncSender<HostLine>) {
        let mut table = self.lock();
        let member = Member {
            name: name.to_owned(),
            is_console,
            asks: None,
            looks: None,
            out: Some(out),
        };
        table.members.insert(id, member);
        if is_console {
            table.tell_presence();
        }
    }

    /// A guest has gone; its seat goes to whoever asked first.
    pub(super) fn leave(&self, id: u64) {
        let mut table = self.lock();
        table.members.remove(&id);
        if table.commander == Some(id) {
            table.pass_on();
        }
        table.tell_presence();
    }

    /// A guest that has said nothing for long gives its seat back and stays.
    pub(super) fn yield_seat(&self, id: u64) {
        let mut table = self.lock();
        if table.commander == Some(id) {
            table.pass_on();
            table.tell_presence();
        }
    }

    /// Lets a guest command: it has the seat, or takes it if it is free. A command line of the operator who
    /// commands already speaks with the same voice.
    pub(super) fn command(&self, id: u64) -> Result<(), String> {
        let mut table = self.lock();
        let Some(commander) = table.commander else {
            table.seat(id);
            return Ok(());
        };
        let name = |id: &u64| table.members.get(id).map(|member| member.name.as_str());
        let is_short = table.members.get(&id).is_some_and(|own| !own.is_console);
        if commander == id || (is_short && name(&commander) == name(&id)) {
            return Ok(());
        }
        let name = name(&commander).unwrap_or("another console");
        Err(format!("{name} commands this run; you observe it"))
    }

    /// Takes the seat if it is free, else asks for it.
    pub(super) fn ask(&self, id: u64) -> Result<(), String> {
        let mut table = self.lock();
        match table.commander {
            Some(commander) if commander == id => return Err("you command already".to_owned()),
            Some(OWN) => {
                return Err(
                    "this run is driven by a console itself, which keeps the seat".to_owned(),
                );
            }
            Some(_) => {
                table.asked += 1;
                let asked = table.asked;
                if let Some(member) = table.members.get_mut(&id) {
                    member.asks.get_or_insert(asked);
                }
                table.tell_presence();
            }
            None => table.seat(id),
        }
        Ok(())
    }

    /// Gives the seat to another console.
    pub(super) fn give(&self, id: u64, to: u64) -> Result<(), String> {
        let mut table = self.lock();
        if table.commander != Some(id) {
            return Err("only who commands can hand that over".to_owned());
        }
        if !table.members.get(&to).is_some_and(|other| other.is_console) {
            return Err("that console has gone".to_owned());
        }
        table.seat(to);
        Ok(())
    }

    /// A guest wants to see a picture of this size.
    pub(super) fn look(&self, id: u64, size: (u32, u32)) {
        if let Some(member) = self.lock().members.get_mut(&id) {
            member.looks = Some(size);
        }
    }

    /// Whether anybody waits for a picture.
    pub(super) fn is_looked(&self) -> bool {
        let table = self.lock();
        table.members.values().any(|member| member.looks.is_some())
    }

    /// Hands a picture to those who asked for one of its size.
    pub(super) fn show(&self, size: (u32, u32), picture: &HostLine) {
        for member in self.lock().members.values_mut() {
            if member.looks == Some(size) {
                member.looks = None;
                member.tell(picture.clone());
            }
        }
    }

    /// Tells all consoles.
    pub(super) fn tell(&self, line: &HostLine) {
        let table = self.lock();
        let consoles = table.members.values().filter(|member| member.is_console);
        consoles.for_each(|member| member.tell(line.clone()));
    }

    /// Consoles that are attached, without that of the driving process.
    pub(super) fn consoles(&self) -> usize {
        let table = self.lock();
        let attached = table.members.values();
        attached
            .filter(|member| member.is_console && member.out.is_some())
            .count()
    }
}

impl Table {
    fn seat(&mut self, id: u64) {
        self.commander = Some(id);
        if let Some(member) = self.members.get_mut(&id) {
            member.asks = None;
        }
        self.tell_presence();
    }

    fn pass_on(&mut self) {
        let asking = self
            .members
            .iter()
            .filter_map(|(id, member)| Some((member.asks?, *id)));
        self.commander = asking.min().map(|(_, id)| id);
        if let Some(member) = self.commander.and_then(|id| self.members.get_mut(&id)) {
            member.asks = None;
        }
    }

    fn tell_presence(&self) {
        let consoles = || self.members.iter().filter(|(_, member)| member.is_console);
        let guest = |(id, member): (&u64, &Member)| Guest {
            id: *id,
            name: member.name.clone(),
            asks: member.asks.is_some(),
        };
        let guests: Vec<Guest> = consoles().map(guest).collect();
        for (id, member) in consoles() {
            member.tell(HostLine::Present(Presence {
                you: *id,
                commander: self.commander,
                guests: guests.clone(),
            }));
        }
    }
}

impl Member {
    /// A guest that does not read misses what is only for eyes; it is let go when an answer finds no room.
    fn tell(&self, line: HostLine) {
        if let Some(out) = &self.out {
            let _ = out.try_send(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, sync_channel};

    fn enter(seats: &Seats, id: u64, name: &str, is_console: bool) -> Receiver<HostLine> {
        let (out, lines) = sync_channel(16);
        seats.enter(id, name, is_console, out);
        lines
    }

    fn last(lines: &Receiver<HostLine>) -> Presence {
        let told = lines.try_iter().filter_map(|line| match line {
            HostLine::Present(presence) => Some(presence),
            _ => None, // other lines are of other tests
        });
        told.last().expect("presence is told")
    }

    #[test]
    fn the_seat_is_taken_asked_for_given_and_passed_on() {
        let seats = Seats::default();
        let (ada, bea) = (enter(&seats, 1, "ada", true), enter(&seats, 2, "bea", true));
        assert_eq!(seats.command(1), Ok(()));
        assert!(seats.command(2).unwrap_err().contains("ada commands"));
        assert_eq!(seats.ask(2), Ok(()));
        let seen = last(&ada);
        assert!(seen.commands() && seen.asking().is_some_and(|guest| guest.id == 2));
        assert_eq!(last(&bea).other_commander(), Some("ada"));
        assert_eq!(seats.give(1, 2), Ok(()));
        assert!(last(&bea).commands() && last(&ada).asking().is_none());
        assert!(seats.give(1, 1).is_err(), "she no longer has it");
        assert_eq!(seats.ask(1), Ok(()));
        seats.leave(2);
        assert!(last(&ada).commands(), "who asked first has it next");
        assert_eq!(seats.consoles(), 1);
    }

    #[test]
    fn a_command_line_speaks_for_the_operator_who_commands_and_for_nobody_else() {
        let seats = Seats::default();
        let _console = enter(&seats, 1, "ada", true);
        seats.command(1).unwrap();
        let _lines = (
            enter(&seats, 2, "ada", false),
            enter(&seats, 3, "bea", false),
            enter(&seats, 4, "ada", true),
        );
        assert_eq!(seats.command(2), Ok(()));
        assert!(seats.command(3).is_err());
        assert!(seats.command(4).is_err(), "another console asks first");
    }

    #[test]
    fn the_driving_console_keeps_its_seat() {
        let seats = Seats::taken_by("ann");
        let _bea = enter(&seats, 1, "bea", true);
        assert!(seats.command(1).unwrap_err().contains("ann commands"));
        assert!(seats.ask(1).unwrap_err().contains("keeps the seat"));
        assert_eq!(seats.consoles(), 1, "its own is none that is attached");
    }
}
