//! `pithead init`: a first config, from a server on this machine or a few answers.
//!
//! Invariant: a config that is there is never changed, and keys are neither asked for nor written.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{is_stderr_terminal, print_stderr, print_text};
use crate::config::file;
use crate::config::first::{FirstConfig, SERVICES, TOKENS};
use pithead_core::text::clean::clean_line;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::mind::llm::catalogue::{Catalogue, local};
use pithead_engine::mind::llm::settings::LlmSettings;
use std::io::{BufRead, IsTerminal, Read};

/// A typed answer; what is longer is none.
const ANSWER_BYTES_MAX: u64 = 1_024;
/// A wrong answer is asked again so often.
const TRIES_MAX: usize = 5;
/// Models of one server that are offered by number; others can be named.
const MODELS_OFFERED: usize = 20;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The server's address with its version, for example http://127.0.0.1:11434/v1; nothing is asked then
    #[arg(long, value_name = "URL", requires = "model")]
    server: Option<String>,
    /// The model of --server
    #[arg(long, value_name = "NAME", requires = "server")]
    model: Option<String>,
    /// The environment variable that holds the key of --server
    #[arg(long, value_name = "VARIABLE", requires = "server")]
    key_env: Option<String>,
    /// Print the config; write nothing
    #[arg(long)]
    print: bool,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let path = file::path().ok_or_else(|| {
        CommandError::unavailable("this system names no config folder; set PITHEAD_CONFIG")
    })?;
    if path.exists() && !args.print {
        return Err(CommandError::unavailable(format!(
            "{} is there already and is not changed; edit it (docs/MODELS.md has the lines), or see what would be \
             written with `pithead init --print`",
            path.display()
        )));
    }
    let first = match (&args.server, &args.model) {
        (Some(url), Some(model)) => FirstConfig {
            server: "main".to_owned(),
            base_url: url.clone(),
            model: model.clone(),
            key_env: args.key_env.clone(),
            tokens: TOKENS,
        },
        _ if std::io::stdin().is_terminal() && is_stderr_terminal() => ask()?,
        _ => {
            return Err(CommandError::usage(
                "`pithead init` asks on a terminal; elsewhere give --server URL and --model NAME",
            ));
        }
    };
    if args.print {
        print_text(&first.text().map_err(CommandError::usage)?);
        return Ok(ExitStatus::Done);
    }
    first.write(&path).map_err(CommandError::unavailable)?;
    let mut next = format!("wrote {}\n", path.display());
    if let Some(name) = &first.key_env {
        let is_set = std::env::var_os(name).is_some();
        let set = if is_set { "is set" } else { "is not set yet" };
        next += &format!("the key is read from {name}, which {set}\n");
    }
    next += "next:\n  \
             pithead doctor                                      one small question to the model\n  \
             pithead run \"craft a wooden pickaxe\" --mind llm     a first run\n";
    print_text(&next);
    Ok(ExitStatus::Done)
}

/// A place that can be chosen by number.
enum Choice {
    Local(Catalogue),
    Service(usize),
    Other,
}

fn ask() -> Result<FirstConfig, CommandError> {
    print_stderr("looking for servers of models on this machine");
    let mut choices: Vec<Choice> = local(&LlmSettings::default())
        .into_iter()
        .map(Choice::Local)
        .collect();
    if choices.is_empty() {
        print_stderr("none answers (Ollama, llama.cpp, LM Studio and vLLM are looked for)");
    }
    choices.extend((0..SERVICES.len()).map(Choice::Service));
    choices.push(Choice::Other);
    print_stderr("\nWho is to plan?");
    for (n, choice) in (1..).zip(&choices) {
        print_stderr(&format!("  {n}  {}", choice_text(choice)));
    }
    let at = ask_number("number", choices.len(), 1)?;
    match &choices[at - 1] {
        Choice::Local(found) => ask_local(found),
        Choice::Service(at) => ask_service(*at),
        Choice::Other => ask_other(),
    }
}

fn choice_text(choice: &Choice) -> String {
    match choice {
        Choice::Local(found) => format!(
            "{} on this machine, {} ({})",
            found.program.unwrap_or("a server"),
            found.base_url,
            count_with_noun(found.models.len(), "model", "models")
        ),
        Choice::Service(at) => format!(
            "{} (needs a key in {})",
            SERVICES[*at].title, SERVICES[*at].key_env
        ),
        Choice::Other => "another server, by its address".to_owned(),
    }
}

fn ask_local(found: &Catalogue) -> Result<FirstConfig, CommandError> {
    let model = match found.models.len() {
        0 => ask_text("model", None)?,
        1 => found.models[0].model.clone(),
        _ => {
            print_stderr("\nWhich model?");
            let offered = found.models.iter().take(MODELS_OFFERED);
            for (n, model) in (1..).zip(offered) {
                print_stderr(&format!("  {n}  {}", clean_line(&model.model)));
            }
            let offered = found.models.len().min(MODELS_OFFERED);
            found.models[ask_number("number", offered, 1)? - 1]
                .model
                .clone()
        }
    };
    let named = pithead_engine::mind::llm::catalogue::LOCAL_SERVERS
        .iter()
        .find(|place| place.base_url == found.base_url);
    Ok(FirstConfig {
        server: named.map_or("local", |place| place.name).to_owned(),
        base_url: found.base_url.clone(),
        model,
        key_env: None,
        tokens: ask_tokens()?,
    })
}

fn ask_service(at: usize) -> Result<FirstConfig, CommandError> {
    let service = &SERVICES[at];
    Ok(FirstConfig {
        server: service.name.to_owned(),
        base_url: service.base_url.to_owned(),
        model: ask_text("model", Some(service.example))?,
        key_env: Some(ask_text(
            "environment variable with the key",
            Some(service.key_env),
        )?),
        tokens: ask_tokens()?,
    })
}

fn ask_other() -> Result<FirstConfig, CommandError> {
    let base_url = ask_text("address, up to and with the version (…/v1)", None)?;
    let model = ask_text("model", None)?;
    let key = ask_text(
        "environment variable with the key, or - for none",
        Some("-"),
    )?;
    Ok(FirstConfig {
        server: "main".to_owned(),
        base_url,
        model,
        key_env: (key != "-").then_some(key),
        tokens: ask_tokens()?,
    })
}

fn ask_tokens() -> Result<u64, CommandError> {
    for _ in 0..TRIES_MAX {
        let usual = TOKENS.to_string();
        let said = ask_text("tokens that one run may use", Some(&usual))?;
        match said.replace([',', '_'], "").parse() {
            Ok(tokens) if tokens > 0 => return Ok(tokens),
            _ => print_stderr("a number above 0, please"),
        }
    }
    Err(given_up())
}

fn ask_number(what: &str, most: usize, usual: usize) -> Result<usize, CommandError> {
    for _ in 0..TRIES_MAX {
        let said = ask_text(what, Some(&usual.to_string()))?;
        match said.parse() {
            Ok(n) if (1..=most).contains(&n) => return Ok(n),
            _ => print_stderr(&format!("a number from 1 to {most}, please")),
        }
    }
    Err(given_up())
}

/// One line from the terminal; enter alone takes the usual answer.
fn ask_text(what: &str, usual: Option<&str>) -> Result<String, CommandError> {
    for _ in 0..TRIES_MAX {
        let offer = usual.map_or(String::new(), |usual| format!(" [{usual}]"));
        print_stderr(&format!("{what}{offer}:"));
        let mut said = String::new();
        let mut input = std::io::stdin().lock().take(ANSWER_BYTES_MAX);
        let read = input
            .read_line(&mut said)
            .map_err(CommandError::unavailable)?;
        if read == 0 {
            return Err(given_up());
        }
        match (said.trim(), usual) {
            ("", Some(usual)) => return Ok(usual.to_owned()),
            ("", None) => (),
            (said, _) => return Ok(said.to_owned()),
        }
    }
    Err(given_up())
}

fn given_up() -> CommandError {
    CommandError::usage("nothing was written: a question was not answered")
}
