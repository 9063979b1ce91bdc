//! The tools and resources of the server: search, read, backtest and, if that is allowed, propose.

use crate::cli::options::Database;
use crate::cli::outcome::CommandError;
use crate::cli::rpc::RpcError;
use pithead_core::domain::knowledge::kind::EntryKind;
use pithead_core::domain::knowledge::{Body, Entry, Imported, Status, title};
use pithead_core::domain::plan::note::Severity;
use pithead_core::knowledge::exchange::Draft;
use pithead_core::knowledge::reading;
use pithead_core::text::clean::{clean_line, clean_lines};
use pithead_engine::journal::{EntryFilter, Journal};
use pithead_engine::runtime::backtest;
use pithead_engine::runtime::operator::Operator;
use pithead_engine::runtime::operator::import::{carry_out_import, preview_import};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Entries in one answer, and as many as are listed when nothing is said.
const ENTRIES_MAX: u64 = 50;
const ENTRIES_USUAL: u64 = 10;
/// Resources on one page.
const PAGE: usize = 100;
const SCHEME: &str = "pithead://knowledge/";

/// What the server can do.
#[derive(Debug)]
pub(super) struct Tools {
    database: PathBuf,
    /// In whose name proposals arrive; none if none are taken.
    operator: Option<Operator>,
}

impl Tools {
    pub(super) fn new(database: &Database, proposes: bool) -> Result<Self, CommandError> {
        let operator = proposes.then(|| database.operator()).transpose()?;
        Ok(Self {
            database: database.path()?,
            operator,
        })
    }

    #[cfg(test)]
    pub(super) fn at(database: PathBuf, operator: Option<Operator>) -> Self {
        Self { database, operator }
    }

    pub(super) fn listed(&self) -> Vec<Value> {
        let mut tools = vec![search_tool(), read_tool(), backtest_tool()];
        if self.operator.is_some() {
            tools.push(propose_tool());
        }
        tools
    }

    /// What a tool answers. What went wrong in it is an answer too, so that the model behind the client sees it.
    pub(super) fn call(&self, name: &str, arguments: &Value) -> Result<Value, RpcError> {
        let told = match name {
            "search_knowledge" => self.search(arguments),
            "read_entry" => self.read(arguments),
            "backtest_guardrail" => self.backtest(arguments),
            "propose_entry" if self.operator.is_some() => self.propose(arguments),
            "propose_entry" => {
                Err("this server only reads; `pithead mcp --propose` takes proposals".to_owned())
            }
            other => return Err(RpcError::params(format!("there is no tool `{other}`"))),
        };
        Ok(match told {
            Ok((text, structured)) => json!({
                "content": [{"type": "text", "text": clean_lines(&text)}],
                "structuredContent": structured,
                "isError": false,
            }),
            Err(because) => json!({
                "content": [{"type": "text", "text": clean_lines(&because)}],
                "isError": true,
            }),
        })
    }

    fn journal(&self) -> Result<Journal, String> {
        Journal::look(&self.database).map_err(|error| error.to_string())
    }

    fn entries(&self, filter: EntryFilter) -> Result<Vec<Entry>, String> {
        self.journal()?
            .knowledge(filter)
            .map_err(|error| error.to_string())
    }

    fn search(&self, arguments: &Value) -> Result<(String, Value), String> {
        known_only(arguments, &["text", "kind", "status", "limit"])?;
        let kind = parsed::<EntryKind>(arguments, "kind")?;
        let status = parsed::<Status>(arguments, "status")?.unwrap_or(Status::Active);
        let limit = match arguments.get("limit") {
            None | Some(Value::Null) => ENTRIES_USUAL,
            Some(given) => given
                .as_u64()
                .filter(|n| (1..=ENTRIES_MAX).contains(n))
                .ok_or_else(|| format!("`limit` is a whole number from 1 to {ENTRIES_MAX}"))?,
        };
        let words = text_of(arguments, "text")?
            .unwrap_or_default()
            .to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        let filter = EntryFilter {
            status: Some(status),
            kind,
        };
        let mut found: Vec<(Entry, String)> = Vec::new();
        for entry in self.entries(filter)? {
            let text = as_text(&entry).to_lowercase();
            if words.iter().all(|word| text.contains(word)) {
                found.push((entry, String::new()));
            }
        }
        // The most trusted first; of equals the older one.
        found.sort_by(|(a, _), (b, _)| b.confidence.total_cmp(&a.confidence));
        let all = found.len();
        found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let lines = found.iter().map(|(entry, _)| headline(entry));
        let mut text = lines.collect::<Vec<_>>().join("\n");
        if all > found.len() {
            text += &format!(
                "\n{} more; ask for more words or a higher limit",
                all - found.len()
            );
        } else if all == 0 {
            text = "no entry fits".to_owned();
        }
        let entries: Vec<Value> = found.iter().map(|(entry, _)| brief(entry)).collect();
        Ok((text, json!({"entries": entries, "found": all})))
    }

    fn read(&self, arguments: &Value) -> Result<(String, Value), String> {
        known_only(arguments, &["id"])?;
        let id = text_of(arguments, "id")?.ok_or("`id` is missing, such as k1.3")?;
        let entry = self.entry(id)?;
        let whole = serde_json::to_value(&entry).map_err(|error| error.to_string())?;
        Ok((as_text(&entry), whole))
    }

    fn entry(&self, id: &str) -> Result<Entry, String> {
        let all = self.entries(EntryFilter::default())?;
        let found = all.into_iter().find(|entry| entry.id.to_string() == id);
        found.ok_or_else(|| format!("there is no entry `{}`", clean_line(id)))
    }

    fn backtest(&self, arguments: &Value) -> Result<(String, Value), String> {
        known_only(arguments, &["id", "body"])?;
        let body = match (text_of(arguments, "id")?, text_of(arguments, "body")?) {
            (Some(id), None) => self.entry(id)?.body,
            (None, Some(text)) => reading::body(text).map_err(|fault| fault.to_string())?,
            _ => return Err("one of `id` and `body` is needed".to_owned()),
        };
        let Body::Guardrail(rail) = &body else {
            return Err("only guardrails are held against attempts".to_owned());
        };
        let found = backtest(&self.journal()?, rail)
            .map_err(|error| error.to_string())?
            .listed();
        let structured = serde_json::to_value(&found).map_err(|error| error.to_string())?;
        Ok((found.sentence(), structured))
    }

    fn propose(&self, arguments: &Value) -> Result<(String, Value), String> {
        known_only(arguments, &["body", "task"])?;
        let operator = self.operator.as_ref().ok_or("this server only reads")?;
        let text =
            text_of(arguments, "body")?.ok_or("`body` is missing: the entry as YAML or JSON")?;
        let body = reading::body(text).map_err(|fault| fault.to_string())?;
        let draft = Draft {
            body,
            task: clean_line(text_of(arguments, "task")?.unwrap_or_default()),
            imported: Imported {
                format: "mcp".to_owned(),
                source: "a client of pithead mcp".to_owned(),
                ..Imported::default()
            },
        };
        let preview = preview_import(operator, &[draft]).map_err(|error| error.to_string())?;
        let remarks = preview.new.iter().flat_map(|(_, remarks)| remarks);
        let errors: Vec<&str> = remarks
            .filter(|remark| remark.severity == Severity::Error)
            .map(|remark| remark.message.as_str())
            .collect();
        if !errors.is_empty() {
            return Err(format!("not taken: {}", errors.join("; ")));
        }
        let done = carry_out_import(operator, preview).map_err(|error| error.to_string())?;
        if let Some(known) = done.known.first() {
            let said = format!("{} says the same already", headline(known));
            return Ok((said, json!({"id": known.id.to_string(), "new": false})));
        }
        let (entry, _) = done.new.first().ok_or("nothing was proposed")?;
        let said = format!("{} waits for the operator's answer", headline(entry));
        Ok((said, json!({"id": entry.id.to_string(), "new": true})))
    }

    /// The active entries, a page at a time.
    pub(super) fn resources(&self, cursor: Option<&str>) -> Result<Value, RpcError> {
        let from: usize = match cursor {
            None => 0,
            Some(cursor) => cursor
                .parse()
                .map_err(|_| RpcError::params("`cursor` is none of this server's"))?,
        };
        let filter = EntryFilter {
            status: Some(Status::Active),
            kind: None,
        };
        let entries = self.entries(filter).map_err(RpcError::internal)?;
        let page = entries.iter().skip(from).take(PAGE).map(|entry| {
            json!({
                "uri": format!("{SCHEME}{}", entry.id),
                "name": entry.id.to_string(),
                "title": title::title_of(&entry.body),
                "mimeType": "application/yaml",
            })
        });
        let page: Vec<Value> = page.collect();
        let end = from.saturating_add(page.len());
        let mut listed = json!({"resources": page});
        if end < entries.len() {
            listed["nextCursor"] = json!(end.to_string());
        }
        Ok(listed)
    }

    pub(super) fn resource(&self, uri: &str) -> Result<Value, RpcError> {
        let id = uri.strip_prefix(SCHEME);
        let id = id.ok_or_else(|| RpcError::params(format!("resources begin with {SCHEME}")))?;
        let entry = self.entry(id).map_err(RpcError::params)?;
        Ok(json!({"contents": [{
            "uri": uri,
            "mimeType": "application/yaml",
            "text": clean_lines(&as_text(&entry)),
        }]}))
    }
}

pub(super) fn template() -> Value {
    json!({
        "uriTemplate": format!("{SCHEME}{{id}}"),
        "name": "entry",
        "title": "An entry of the knowledge base",
        "mimeType": "application/yaml",
    })
}

fn headline(entry: &Entry) -> String {
    format!(
        "{} {} ({}, trust {:.2}): {}",
        entry.body.kind(),
        entry.id,
        entry.status.name(),
        entry.confidence,
        title::title_of(&entry.body)
    )
}

fn brief(entry: &Entry) -> Value {
    json!({
        "id": entry.id.to_string(),
        "kind": entry.body.kind(),
        "status": entry.status.name(),
        "title": title::title_of(&entry.body),
        "confidence": entry.confidence,
    })
}

/// The entry in full: who it is, then its body.
fn as_text(entry: &Entry) -> String {
    let body = serde_saphyr::to_string(&entry.body)
        .unwrap_or_else(|fault| format!("it cannot be written as YAML: {fault}"));
    format!("# {}\n{body}", headline(entry))
}

fn text_of<'a>(arguments: &'a Value, name: &str) -> Result<Option<&'a str>, String> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("`{name}` is a text")),
    }
}

fn parsed<T: std::str::FromStr>(arguments: &Value, name: &str) -> Result<Option<T>, String> {
    let text = text_of(arguments, name)?;
    let read = text.map(|text| {
        text.parse()
            .map_err(|_| format!("`{}` is no {name}", clean_line(text)))
    });
    read.transpose()
}

/// A misspelt argument would otherwise widen the search.
fn known_only(arguments: &Value, names: &[&str]) -> Result<(), String> {
    let Value::Object(fields) = arguments else {
        return Err("`arguments` is an object".to_owned());
    };
    match fields.keys().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(format!(
            "`{}` is no argument; there are {}",
            clean_line(name),
            names.join(", ")
        )),
    }
}

fn tool(
    name: &str,
    title: &str,
    about: &str,
    properties: &Value,
    required: &[&str],
    reads: bool,
) -> Value {
    json!({
        "name": name,
        "title": title,
        "description": about,
        "inputSchema": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        },
        "annotations": {
            "readOnlyHint": reads,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
        },
    })
}

fn search_tool() -> Value {
    let kinds = EntryKind::ALL.map(EntryKind::name);
    let statuses = Status::ALL.map(Status::name);
    let properties = json!({
        "text": {"type": "string", "description": "Words that must all be in the entry"},
        "kind": {"type": "string", "enum": kinds},
        "status": {"type": "string", "enum": statuses, "description": "active if left out"},
        "limit": {"type": "integer", "minimum": 1, "maximum": ENTRIES_MAX},
    });
    let about =
        "Finds entries of the knowledge base by words, kind and status; the most trusted first.";
    tool(
        "search_knowledge",
        "Search the knowledge",
        about,
        &properties,
        &[],
        true,
    )
}

fn read_tool() -> Value {
    let properties = json!({"id": {"type": "string", "description": "For example k1.3"}});
    let about =
        "One entry in full: what it says, who made it from which attempts, and how it fared.";
    tool(
        "read_entry",
        "Read an entry",
        about,
        &properties,
        &["id"],
        true,
    )
}

fn backtest_tool() -> Value {
    let properties = json!({
        "id": {"type": "string", "description": "A guardrail of the base"},
        "body": {"type": "string", "description": "Or a guardrail as YAML or JSON"},
    });
    let about = "What a guardrail would have blocked of all recorded attempts: failures and successes. Changes nothing.";
    tool(
        "backtest_guardrail",
        "Backtest a guardrail",
        about,
        &properties,
        &[],
        true,
    )
}

fn propose_tool() -> Value {
    let properties = json!({
        "body": {"type": "string", "description": "The entry as YAML or JSON, with its `kind`"},
        "task": {"type": "string", "description": "The task it was learnt in, in words"},
    });
    let about = "Proposes an entry. It does not act until the operator has approved it.";
    tool(
        "propose_entry",
        "Propose an entry",
        about,
        &properties,
        &["body"],
        false,
    )
}
