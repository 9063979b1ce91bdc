//! The world of a server: requests become orders to the side process, what it says becomes notices.
//!
//! Two deadlines guard each request: the side process has one, and this side a longer one, after which it is ended.
//! Invariant: one action has one report, and after `Lost` nothing comes.

use crate::install::{Bridge, InstallError};
use crate::notices::Said;
use crate::order::{foods, order_for_bridge};
use crate::outcome::report;
use crate::process::SideProcess;
use crate::refusal::{connect_words, loss_words};
use crate::sensed::{Carried, frame_from_wire};
use crate::wire::{
    Acted, Connected, Hello, PROTOCOL, WireFailure, WireFrame, WireReflex, check_frame, read_as,
};
use pithead_core::text::clean::clean_excerpt;
use pithead_world::abilities::impossible_on_server;
use pithead_world::action::{Action, ActionFailure, ActionReport};
use pithead_world::aids::SenseLevel;
use pithead_world::block::BlockId;
use pithead_world::counts::Counts;
use pithead_world::ids::ActionId;
use pithead_world::mob::MobKind;
use pithead_world::natural::is_notable;
use pithead_world::observation::Frame;
use pithead_world::port::{Account, Notice, Reflex, ReflexKind, Request, World, WorldSpec};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::Duration;

/// A poll waits at most so long, so that an operator's command comes in between.
const POLL_MS: u64 = 100;
const TICK_MS: u64 = 50;
/// The side process gives up connecting after this time, and this side two seconds later.
const CONNECT_MS: u64 = 20_000;
const GRACE_MS: u64 = 2_000;
/// Node has that long to start; on a busy machine it takes some seconds.
const START_MS_MAX: u64 = 60_000;
/// It says something every two seconds, whatever happens.
const SILENCE_MS_MAX: u64 = 10_000;
/// A body walks four blocks a second where nothing is in its way.
const WALK_MS_PER_BLOCK: u64 = 500;
/// It answers a cancellation within this time.
const CANCEL_MS_MAX: u64 = 6_000;
/// Letters of a reason that comes from outside.
const REASON_MAX: usize = 200;

/// How the side process is found; asked only when a server is joined.
pub type FindBridge = Box<dyn Fn() -> Result<Bridge, InstallError> + Send>;

/// A body on a Minecraft server.
pub struct MinecraftWorld {
    find: FindBridge,
    process: Option<SideProcess>,
    connecting: Option<Connecting>,
    running: Option<Running>,
    /// An order that came before the one under way had ended.
    next: Option<(ActionId, Action)>,
    carried: Carried,
    last: Option<Frame>,
    queue: VecDeque<Notice>,
    is_lost: bool,
    /// The side process has said hello: its times count from then.
    has_started: bool,
    silent_ms: u64,
    /// The body may walk so long to its place before it is in the world.
    walk_ms: u64,
}

struct Connecting {
    request: u64,
    waited_ms: u64,
}

/// The action under way.
struct Running {
    id: ActionId,
    request: u64,
    action: Action,
    before: Counts,
    /// Since it was called off.
    cancelled_ms: Option<u64>,
}

impl std::fmt::Debug for MinecraftWorld {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MinecraftWorld {{ {:?} }}", self.process)
    }
}

impl MinecraftWorld {
    /// A world that waits for its `Reset` or `Rejoin`.
    #[must_use]
    pub fn new(find: FindBridge) -> Self {
        Self {
            find,
            process: None,
            connecting: None,
            running: None,
            next: None,
            carried: Carried::default(),
            last: None,
            queue: VecDeque::new(),
            is_lost: false,
            has_started: false,
            silent_ms: 0,
            walk_ms: 0,
        }
    }

    fn lose(&mut self, because: &str) {
        if self.is_lost {
            return;
        }
        self.is_lost = true;
        // Ended here, so that nothing of it plays on.
        self.process = None;
        self.queue.push_back(Notice::Lost {
            because: clean_excerpt(&loss_words(because), REASON_MAX),
        });
    }

    fn join(&mut self, spec: &WorldSpec, carried: Carried, is_first: bool) {
        *self = Self {
            carried,
            ..Self::new(std::mem::replace(
                &mut self.find,
                Box::new(|| Err(InstallError::NotInstalled)),
            ))
        };
        match self.try_join(spec, is_first) {
            Ok(request) => {
                self.connecting = Some(Connecting {
                    request,
                    waited_ms: 0,
                });
            }
            Err(because) => self.lose(&because),
        }
    }

    fn try_join(&mut self, spec: &WorldSpec, is_first: bool) -> Result<u64, String> {
        let server = spec.server.as_ref().ok_or("no server is named")?;
        if !spec.aids.given.is_empty() {
            return Err("a body on a server begins with what the server gives it".to_owned());
        }
        let bridge = (self.find)().map_err(|error| error.to_string())?;
        let mut process = SideProcess::start(&bridge, server.account)?;
        let notable: Vec<&str> = BlockId::all()
            .map(BlockId::name)
            .filter(|name| is_notable(name))
            .collect();
        let senses = match spec.aids.senses {
            SenseLevel::Scout => "scout",
            SenseLevel::Player => "player",
            SenseLevel::Client => "client",
        };
        // A body that comes back stays where it is.
        let place = server.place.filter(|_| is_first);
        let walk_ms = place.map_or(0, |place| walk_ms(place.offset()));
        let args = json!({
            "host": server.host, "port": server.port, "player": server.player, "version": server.version,
            "senses": senses, "frame_ticks": spec.frame_ticks.max(1), "notable": notable, "foods": foods(),
            "account": server.account, "tokens": (server.account == Account::Microsoft).then_some(&bridge.tokens),
            "walk": place.map(|place| json!({"by": place.offset(), "ms": walk_ms})),
        });
        let request = process.ask("connect", &args, CONNECT_MS);
        self.walk_ms = walk_ms;
        self.process = Some(process);
        request.ok_or_else(|| "the side process takes no requests".to_owned())
    }

    fn start(&mut self, id: ActionId, action: Action) {
        if self.running.is_some() {
            self.cancel_running();
            self.next = Some((id, action));
            return;
        }
        if let Some(because) = impossible_on_server(&action) {
            return self.refuse(id, because);
        }
        let args = json!({"order": order_for_bridge(&action)});
        let Some(process) = &mut self.process else {
            return; // lost already, and said so
        };
        // An action has no time limit of its own: whoever ordered it calls it off.
        match process.ask("act", &args, 0) {
            Some(request) => {
                let before = self.last.as_ref().map(|frame| frame.inventory.clone());
                self.running = Some(Running {
                    id,
                    request,
                    action,
                    before: before.unwrap_or_default(),
                    cancelled_ms: None,
                });
            }
            None => self.lose("the side process takes no requests"),
        }
    }

    /// An action that ends as it began.
    fn refuse(&mut self, id: ActionId, because: String) {
        let Some(frame) = self.last.clone() else {
            return;
        };
        let report = ActionReport {
            failure: Some(ActionFailure::Invalid { because }),
            ticks: 0,
            broken: Vec::new(),
            gained: Counts::default(),
            used: Counts::default(),
            windows: Vec::new(),
        };
        let frame = Box::new(frame);
        self.queue.push_back(Notice::Acted { id, report, frame });
    }

    fn cancel_running(&mut self) {
        let (Some(running), Some(process)) = (&mut self.running, &mut self.process) else {
            return;
        };
        if running.cancelled_ms.is_some() {
            return;
        }
        running.cancelled_ms = Some(0);
        if process.ask("cancel", &Value::Null, GRACE_MS).is_none() {
            self.lose("the side process takes no requests");
        }
    }

    /// What was said, as notices.
    fn hear(&mut self, said: Said) {
        let Said {
            hello,
            answers,
            frame,
            reflexes,
            lost,
            ..
        } = said;
        if let Some(Hello {
            protocol,
            node,
            mineflayer,
        }) = hello
        {
            tracing::info!(node, mineflayer, "the bridge runs");
            self.has_started = true;
            if protocol != PROTOCOL {
                self.lose(&format!(
                    "the bridge speaks protocol {protocol} and this program {PROTOCOL}; run `pithead bridge install`"
                ));
            }
        }
        // Before the answers: a frame that waited is older than the end of an action.
        if let Some(frame) = frame
            && self.last.is_some()
            && !self.is_lost
        {
            let frame = self.see(&frame);
            self.queue.push_back(Notice::Frame(frame));
        }
        self.queue
            .extend(reflexes.iter().filter_map(reflex).map(Notice::Reacted));
        for (id, result) in answers {
            self.answered(id, result);
        }
        if let Some(because) = lost {
            self.lose(&because);
        }
    }

    fn answered(&mut self, id: u64, result: Result<Value, WireFailure>) {
        if self.connecting.as_ref().is_some_and(|c| c.request == id) {
            self.connecting = None;
            match result {
                Ok(value) => self.joined(value),
                Err(failure) => self.lose(&connect_words(&failure)),
            }
            return;
        }
        // Other answers are those of cancellations, which the end of the action follows.
        if let Some(running) = self.running.take_if(|running| running.request == id) {
            match result {
                Ok(value) => self.acted(&running, value),
                Err(failure) if failure.code == "busy" => {
                    self.refuse(running.id, "the body is still busy".to_owned());
                }
                Err(failure) => {
                    let because = failure.because.unwrap_or(failure.code);
                    self.lose(&because);
                }
            }
        }
        if self.running.is_none()
            && let Some((id, action)) = self.next.take()
        {
            self.start(id, action);
        }
    }

    fn joined(&mut self, value: Value) {
        let read: Result<Connected, String> = read_as("the answer to connect", Some(value));
        match read.and_then(|joined| check_frame(&joined.frame).map(|()| joined)) {
            Ok(Connected { version, frame }) => {
                tracing::info!(version, "joined the server");
                let frame = self.see(&frame);
                self.queue.push_back(Notice::Ready(frame));
            }
            Err(because) => self.lose(&because),
        }
    }

    fn acted(&mut self, running: &Running, value: Value) {
        let read: Result<Acted, String> = read_as("the answer to act", Some(value));
        match read.and_then(|acted| check_frame(&acted.frame).map(|()| acted)) {
            Ok(acted) => {
                let frame = self.see(&acted.frame);
                let report = report(&running.action, &acted, &running.before, &frame);
                let id = running.id;
                self.queue.push_back(Notice::Acted { id, report, frame });
            }
            Err(because) => self.lose(&because),
        }
    }

    fn see(&mut self, frame: &WireFrame) -> Box<Frame> {
        let mut frame = frame_from_wire(frame, &self.carried);
        // Time never goes back, whatever a server says.
        let before = self
            .last
            .as_ref()
            .map_or(self.carried.tick, |last| last.tick);
        frame.tick = frame.tick.max(before);
        self.last = Some(Frame {
            // These are told once.
            seen: pithead_world::seen::SeenCells::default(),
            trail: Vec::new(),
            ..frame.clone()
        });
        Box::new(frame)
    }

    /// What has waited too long.
    fn watch(&mut self, waited_ms: u64, was_silent: bool) {
        self.silent_ms = if was_silent {
            self.silent_ms + waited_ms
        } else {
            0
        };
        let silence_max = if self.has_started {
            SILENCE_MS_MAX
        } else {
            START_MS_MAX
        };
        if self.silent_ms > silence_max {
            self.lose("the side process does not answer; it was ended");
        }
        if let Some(connecting) = self.connecting.as_mut().filter(|_| self.has_started) {
            connecting.waited_ms += waited_ms;
            if connecting.waited_ms > CONNECT_MS + GRACE_MS + self.walk_ms {
                self.lose("the server did not let the body in within 22 s");
            }
        }
        let cancelled = self.running.as_mut().and_then(|r| r.cancelled_ms.as_mut());
        if let Some(cancelled_ms) = cancelled {
            *cancelled_ms += waited_ms;
            if *cancelled_ms > CANCEL_MS_MAX {
                self.lose("the body did not stop when it was told to; the side process was ended");
            }
        }
    }
}

impl World for MinecraftWorld {
    fn request(&mut self, request: Request) {
        match request {
            Request::Reset(spec) => self.join(&spec, Carried::default(), true),
            Request::Rejoin { spec, last } => self.join(&spec, Carried::from_frame(&last), false),
            Request::Keep(kept) => {
                let args = json!({"kept": kept});
                let taken = self
                    .process
                    .as_mut()
                    .map(|p| p.ask("keep", &args, GRACE_MS));
                if taken == Some(None) {
                    self.lose("the side process takes no requests");
                }
            }
            Request::Say { text } => {
                let taken = self
                    .process
                    .as_mut()
                    .map(|p| p.ask("say", &json!({"text": text}), GRACE_MS));
                if taken == Some(None) {
                    self.lose("the side process takes no requests");
                }
            }
            Request::Act { id, action } => self.start(id, action),
            Request::Cancel { id } => {
                if self
                    .running
                    .as_ref()
                    .is_some_and(|running| running.id == id)
                {
                    self.cancel_running();
                }
            }
            Request::Observe => {
                if let Some(frame) = self.last.clone() {
                    self.queue.push_back(Notice::Frame(Box::new(frame)));
                }
            }
        }
    }

    fn poll(&mut self, ticks_max: u32) -> Vec<Notice> {
        if let (true, Some(process)) = (self.queue.is_empty(), &self.process) {
            let waited_ms = POLL_MS.min(u64::from(ticks_max) * TICK_MS);
            let said = process.notices.take(Duration::from_millis(waited_ms));
            let was_silent = said.lines == 0;
            self.hear(said);
            self.watch(waited_ms, was_silent);
        }
        self.queue.drain(..).collect()
    }

    fn tick(&self) -> u64 {
        self.last
            .as_ref()
            .map_or(self.carried.tick, |last| last.tick)
    }
}

/// So long a body may walk to its place: at half the pace of an open way.
fn walk_ms([east, south]: [i64; 2]) -> u64 {
    (east.unsigned_abs() + south.unsigned_abs()) * WALK_MS_PER_BLOCK + GRACE_MS
}

/// What the body did by itself, if it is one of the things we know.
fn reflex(wire: &WireReflex) -> Option<Reflex> {
    Some(Reflex {
        what: ReflexKind::named(&wire.what)?,
        of: wire.because.as_deref().and_then(MobKind::named),
        ticks: wire.ticks,
        done: wire.done,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_bridge_the_world_is_lost_and_says_what_to_do() {
        let mut world = MinecraftWorld::new(Box::new(|| Err(InstallError::NotInstalled)));
        let server = pithead_world::port::ServerSpec {
            host: "127.0.0.1".to_owned(),
            port: 1,
            player: "Bot".to_owned(),
            version: None,
            place: None,
            account: Account::Offline,
        };
        let aids = pithead_world::aids::WorldAids::default();
        world.request(Request::Reset(WorldSpec::on_server(server, 7, aids)));
        let because = match &world.poll(10)[..] {
            [Notice::Lost { because }] => because.clone(),
            other => panic!("{other:?}"),
        };
        assert!(because.contains("pithead bridge install"), "{because}");
        assert!(world.poll(10).is_empty());
    }
}
