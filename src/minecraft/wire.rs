//! Wire: the lines of the side process, read within limits.
//!
//! What does not parse is a fault with a reason, never a guess. Invariant: no line is longer than `LINE_BYTES_MAX`, and no
//! list longer than its limit, whatever was sent.

use crate::account::{SignInCode, code_from_wire};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::BufRead;

/// The version of the protocol that this program speaks.
pub(crate) const PROTOCOL: u32 = 1;
/// A longer line is refused, and what follows it up to its end is skipped.
pub(crate) const LINE_BYTES_MAX: usize = 1 << 20;
/// Kinds of items or blocks in one table of counts.
const KINDS_MAX: usize = 512;

/// One line of the side process.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Line {
    Hello(Hello),
    /// The answer to the request of this number.
    Answer {
        id: u64,
        result: Result<Value, WireFailure>,
    },
    Frame(Box<WireFrame>),
    /// What the body did by itself.
    Reflex(WireReflex),
    Lost {
        because: String,
    },
    /// The side process cannot go on and ends.
    Fatal {
        because: String,
    },
    Warning {
        because: String,
    },
    /// What the owner of an account is to type, and where.
    Code(SignInCode),
    /// A sign of life.
    Beat,
}

/// What the side process says of itself before anything else.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Hello {
    pub(crate) protocol: u32,
    pub(crate) node: String,
    pub(crate) mineflayer: String,
}

#[derive(Debug, Deserialize)]
struct WireCode {
    address: String,
    code: String,
    minutes: u32,
}

/// Something that the body did by itself while nothing was ordered.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct WireReflex {
    pub(crate) what: String,
    #[serde(default)]
    pub(crate) because: Option<String>,
    #[serde(default)]
    pub(crate) ticks: u64,
    #[serde(default)]
    pub(crate) done: bool,
}

/// Why a request or an action failed, as the side process says it.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct WireFailure {
    pub(crate) code: String,
    pub(crate) because: Option<String>,
    pub(crate) at: Option<[i32; 3]>,
    pub(crate) to: Option<[i32; 3]>,
    pub(crate) by: Option<String>,
    pub(crate) y: Option<i32>,
    pub(crate) block: Option<String>,
    pub(crate) held: Option<String>,
    pub(crate) broken: Option<u32>,
    pub(crate) station: Option<String>,
    pub(crate) gui: Option<String>,
    pub(crate) of: Option<String>,
    pub(crate) ms: Option<u64>,
    /// Another item than the one that was ordered.
    pub(crate) item: Option<String>,
    pub(crate) needs: Option<String>,
    pub(crate) have: Option<u32>,
    pub(crate) need: Option<u32>,
    /// Why a building was given up, of what (any of these) too little is carried, and how much of it stands.
    pub(crate) stop: Option<String>,
    pub(crate) items: Vec<String>,
    pub(crate) stands: Option<u32>,
    pub(crate) whole: Option<u32>,
    pub(crate) ticks: Option<u64>,
    /// The version that the server speaks, if it has a name here, its number, and the one that it was joined in.
    pub(crate) speaks: Option<String>,
    pub(crate) protocol: Option<u32>,
    pub(crate) asked: Option<String>,
}

/// What the body senses, in names that may not exist here.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct WireFrame {
    pub(crate) tick: u64,
    pub(crate) time: u32,
    pub(crate) at: [f64; 3],
    pub(crate) yaw: f32,
    pub(crate) pitch: f32,
    pub(crate) health: f32,
    pub(crate) hunger: f32,
    pub(crate) air: u32,
    pub(crate) on_ground: bool,
    pub(crate) underground: bool,
    pub(crate) biome: String,
    pub(crate) weather: String,
    pub(crate) light: u8,
    pub(crate) inventory: BTreeMap<String, u32>,
    #[serde(default)]
    pub(crate) held: Option<String>,
    #[serde(default)]
    pub(crate) worn: Vec<String>,
    pub(crate) gui: String,
    pub(crate) gui_opened: u32,
    pub(crate) gui_closed: u32,
    #[serde(default)]
    pub(crate) furnace: Option<WireFurnace>,
    pub(crate) container_items: u32,
    pub(crate) crafted: BTreeMap<String, u32>,
    #[serde(default)]
    pub(crate) looted: BTreeMap<String, u32>,
    /// Places at which the body broke a block; a bridge of an earlier build does not say it.
    #[serde(default)]
    pub(crate) broken: u32,
    #[serde(default)]
    pub(crate) points: u32,
    #[serde(default)]
    pub(crate) level: u32,
    pub(crate) mobs: Vec<WireMob>,
    pub(crate) notable: Vec<WireBlock>,
    pub(crate) trail: Vec<[i32; 3]>,
    pub(crate) seen: WireCells,
    pub(crate) alive: bool,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct WireFurnace {
    pub(crate) at: [i32; 3],
    pub(crate) burn: u32,
    pub(crate) cook: u32,
    pub(crate) input: u32,
    pub(crate) fuel: u32,
    pub(crate) output: u32,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct WireMob {
    pub(crate) name: String,
    pub(crate) at: [f64; 3],
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct WireBlock {
    pub(crate) name: String,
    pub(crate) at: [i32; 3],
}

/// Blocks that came into sight: a table of names, then name, x, y, z for each.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub(crate) struct WireCells {
    pub(crate) names: Vec<String>,
    pub(crate) cells: Vec<i32>,
}

/// What the answer to `connect` holds.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Connected {
    pub(crate) version: String,
    pub(crate) frame: WireFrame,
}

/// What the answer to `act` holds.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Acted {
    pub(crate) ticks: u64,
    pub(crate) broken: BTreeMap<String, u32>,
    pub(crate) used: BTreeMap<String, u32>,
    pub(crate) windows: Vec<String>,
    #[serde(default)]
    pub(crate) failure: Option<WireFailure>,
    pub(crate) frame: WireFrame,
}

/// Reads one line; what is none of ours gives the reason.
pub(crate) fn read_line(text: &str) -> Result<Line, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if let Some(id) = value.get("id").and_then(Value::as_u64) {
        let is_ok = value.get("ok").and_then(Value::as_bool).unwrap_or(false);
        let result = if is_ok {
            Ok(value.get("result").cloned().unwrap_or(Value::Null))
        } else {
            Err(read_as("error", value.get("error").cloned())?)
        };
        return Ok(Line::Answer { id, result });
    }
    let because = || {
        let text = value.get("because").and_then(Value::as_str);
        text.unwrap_or("no reason was given").to_owned()
    };
    let event = value.get("ev").and_then(Value::as_str).unwrap_or_default();
    match event {
        "hello" => Ok(Line::Hello(read_as("hello", Some(value))?)),
        "frame" => {
            let frame: WireFrame = read_as("frame", value.get("frame").cloned())?;
            check_frame(&frame)?;
            Ok(Line::Frame(Box::new(frame)))
        }
        "reflex" => Ok(Line::Reflex(read_as("reflex", Some(value))?)),
        "lost" => Ok(Line::Lost { because: because() }),
        "fatal" => Ok(Line::Fatal { because: because() }),
        "warn" => Ok(Line::Warning { because: because() }),
        "code" => {
            let WireCode {
                address,
                code,
                minutes,
            } = read_as("code", Some(value))?;
            code_from_wire(&address, &code, minutes)
                .map(Line::Code)
                .ok_or_else(|| "a code for another page than Microsoft's".to_owned())
        }
        "beat" => Ok(Line::Beat),
        _ => Err("an event of no known kind".to_owned()),
    }
}

/// Reads a part of a line as a value of its type.
pub(crate) fn read_as<T: serde::de::DeserializeOwned>(
    what: &str,
    value: Option<Value>,
) -> Result<T, String> {
    let value = value.ok_or_else(|| format!("{what} is missing"))?;
    serde_json::from_value(value).map_err(|error| format!("{what}: {error}"))
}

/// Numbers that no body has, and tables larger than a world's.
pub(crate) fn check_frame(frame: &WireFrame) -> Result<(), String> {
    let is_number = frame.at.iter().all(|v| v.is_finite() && v.abs() < 3.2e7)
        && [frame.yaw, frame.pitch, frame.health, frame.hunger]
            .iter()
            .all(|v| v.is_finite() && v.abs() < 1e5);
    if !is_number {
        return Err("frame: a position, view or health that no body has".to_owned());
    }
    let tables = [&frame.inventory, &frame.crafted, &frame.looted];
    if tables.iter().any(|table| table.len() > KINDS_MAX) {
        return Err(format!("frame: more than {KINDS_MAX} kinds of items"));
    }
    if !frame.seen.cells.len().is_multiple_of(4) {
        return Err("frame: seen cells do not come in fours".to_owned());
    }
    Ok(())
}

/// The next line without its end; none at the end of the stream. A line beyond the limit is skipped to its end and
/// gives an error in its place.
pub(crate) fn next_line(reader: &mut impl BufRead) -> Option<Result<String, String>> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            // A stream that cannot be read has ended.
            Err(_) => return None,
        };
        if chunk.is_empty() {
            return (!line.is_empty()).then(|| text(line, is_too_long));
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(chunk.len(), |end| end + 1);
        if line.len() + taken > LINE_BYTES_MAX {
            is_too_long = true;
            line.clear();
        } else {
            line.extend_from_slice(&chunk[..taken]);
        }
        reader.consume(taken);
        if end.is_some() {
            return Some(text(line, is_too_long));
        }
    }
}

fn text(line: Vec<u8>, is_too_long: bool) -> Result<String, String> {
    if is_too_long {
        return Err(format!("a line of more than {LINE_BYTES_MAX} bytes"));
    }
    String::from_utf8(line).map_err(|_| "a line that is not UTF-8".to_owned())
}
