//! `pithead doctor`: checks the configured language models, each with one small call.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_document, print_stderr, text_columns};
use crate::config::file;
use pithead_core::domain::mind::role::MindRole;
use pithead_engine::mind::llm::probe::{Probed, probe};
use serde::Serialize;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is printed; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Report {
    schema: u32,
    config: String,
    healthy: bool,
    models: Vec<Probed>,
    /// Roles that no model answers, and why.
    unanswered: Vec<String>,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let settings = file::settings().map_err(CommandError::unavailable)?.llm;
    let config = file::path().map_or("none".to_owned(), |path| path.display().to_string());
    if settings.servers.is_empty() {
        return Err(CommandError::unavailable(format!(
            "no language model is configured; `pithead init` writes a first config, or add a server under [llm.servers] in {config} (docs/MODELS.md has the lines)"
        )));
    }
    let asked = MindRole::ALL
        .into_iter()
        .filter(|role| settings.is_asked(*role));
    let asked: Vec<MindRole> = asked.collect();
    let faults = asked.iter().filter_map(|role| settings.role(*role).err());
    let unanswered: Vec<String> = faults.map(|fault| fault.to_string()).collect();
    let tell = |server: &str, model: &str| {
        print_stderr(&format!(
            "asking {model} at {server}; a slow model takes minutes"
        ));
    };
    let models = probe(&settings, &asked, tell);
    let healthy = unanswered.is_empty() && models.iter().all(|model| model.works);
    let report = Report {
        schema: 1,
        config,
        healthy,
        models,
        unanswered,
    };
    print_document(args.json, &report, text)?;
    Ok(if healthy {
        ExitStatus::Done
    } else {
        ExitStatus::Unavailable
    })
}

fn text(report: &Report) -> String {
    let mut text = format!("config      {}\n", report.config);
    for model in &report.models {
        text += &model_text(model);
    }
    for fault in &report.unanswered {
        text += &format!("\n✗ {fault}\n");
    }
    pithead_core::text::clean::clean_lines(&text)
}

fn model_text(model: &Probed) -> String {
    let yes = |is: bool| if is { "yes" } else { "no" };
    let mark = if model.works { "✓" } else { "✗" };
    let head = format!(
        "\n{mark} {} at {} ({})\n",
        model.model, model.server, model.base_url
    );
    let mut rows = Vec::new();
    let mut row = |name: &str, value: &str| {
        rows.push(vec![String::new(), name.to_owned(), value.to_owned()]);
    };
    row("roles", &MindRole::list_names(model.roles.iter().copied()));
    if let Some(because) = &model.because {
        row("fault", because);
    }
    if let Some(form) = model.form {
        row("form", form);
        row("streams", yes(model.streams));
        row("counts tokens", yes(model.counts_tokens));
        let first = model
            .first_token_ms
            .map_or("-".to_owned(), |ms| format!("{ms} ms"));
        row("first token", &first);
        row("whole answer", &format!("{} ms", model.ms));
    }
    let listed = match model.listed {
        Some(true) => "yes",
        Some(false) => "no; the server lists other models",
        None => "unknown; the server has no list of models",
    };
    row("listed", listed);
    let price = if model.has_price {
        "yes"
    } else {
        "no; a money budget needs one"
    };
    row("price", price);
    let embedding = model
        .embedding
        .map_or("no".to_owned(), |n| format!("{n} dimensions"));
    row("embeddings", &embedding);
    head + &text_columns(&rows)
}
