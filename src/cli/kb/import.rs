//! `pithead kb import`: entries from a file or folder; with an error in one of them, none.
//!
//! Invariant: an imported entry waits for approval, whatever its status was where it came from.

use super::change::{ChangeOptions, remark_line};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use pithead_core::domain::experience::shared_options::OptionsOfOrigin;
use pithead_core::domain::knowledge::title;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::plan::note::Severity;
use pithead_core::knowledge::exchange::{
    self, ExchangeFormat, FILES_MAX, ImportFault, ImportSource, OWN_FILE_BYTES_MAX, agent_skill,
    own,
};
use pithead_core::knowledge::lint::Remark;
use pithead_core::text::clean::{clean_line, clean_lines};
use pithead_core::text::numbers::count_with_noun;
use pithead_core::text::untrusted_file::read_text;
use pithead_engine::runtime::operator::Operator;
use pithead_engine::runtime::operator::import::{
    Import, carry_out_import, preview_import, take_options,
};
use pithead_world::ids::KnowledgeId;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file or a folder: YAML of `kb export`, a SKILL.md or a folder of skills, or skills.json, remedies.json
    /// or memory.json of other programs
    #[arg(value_name = "PATH")]
    from: PathBuf,
    /// The format: pithead, agent-skill, mineevolve, voyager or jarvis-1 [default: detected]
    #[arg(long, value_name = "FORMAT")]
    format: Option<ExchangeFormat>,
    /// Take the options too: what was tried elsewhere to get things, which later runs plan by at once. A file counts
    /// once, however often it is imported
    #[arg(long)]
    options: bool,
    /// Accept it even if lint finds errors
    #[arg(long)]
    anyway: bool,
    #[command(flatten)]
    change: ChangeOptions,
}

/// What was imported; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    format: &'static str,
    imported: Vec<Line>,
    /// Left out because the base holds the same content.
    known: Vec<Line>,
    /// Databases whose options the source has, were or would be taken, and were known before.
    options: OptionsLine,
    changed: bool,
    dry_run: bool,
}

#[derive(Debug, Default, Serialize)]
struct OptionsLine {
    found: usize,
    taken: usize,
    known: usize,
}

#[derive(Debug, Serialize)]
struct Line {
    id: KnowledgeId,
    kind: &'static str,
    title: String,
    status: Status,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<Remark>,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let sources = sources(&args.from)?;
    let mut format = args.format;
    let (mut drafts, mut options, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for source in &sources {
        let looks = args
            .format
            .or_else(|| ExchangeFormat::recognise(source))
            .ok_or_else(|| {
                CommandError::usage(format!(
                    "the format of {} is not recognised; name it with --format",
                    source.path
                ))
            })?;
        let each = exchange::read_each_draft(looks, source);
        for draft in each.unwrap_or_else(|fault| vec![Err(fault)]) {
            match draft {
                Ok(draft) => drafts.push(draft),
                Err(fault) => faults.push(fault),
            }
        }
        if looks == ExchangeFormat::Own {
            match own::read_options(source) {
                Ok(found) => options.extend(found),
                // What keeps the entries from being read is told once.
                Err(fault) if faults.contains(&fault) => (),
                Err(fault) => faults.push(fault),
            }
        }
        format = Some(looks);
    }
    let entries_max = format.map_or(exchange::ENTRIES_MAX, ExchangeFormat::entries_max);
    let format = format.map_or("pithead", ExchangeFormat::name);
    if drafts.len() > entries_max {
        return Err(CommandError::usage(format!(
            "{} entries are more than the {entries_max} that one import may have",
            drafts.len()
        )));
    }
    let operator = args.change.database.operator()?;
    let plan = preview_import(&operator, &drafts)?;
    refuse_faults(args, &faults, &plan)?;
    let plan = if args.change.is_dry() || plan.new.is_empty() {
        plan
    } else {
        carry_out_import(&operator, plan)?
    };
    let options = import_options(args, &operator, &options)?;
    report(args, format, plan, options)
}

/// Faults named of one import; a file that is of another kind altogether has one in each of its entries.
const FAULTS_MAX: usize = 50;

/// Refuses what cannot be read or has errors, all of it at once. `--anyway` is for errors that lint finds.
fn refuse_faults(args: &Args, faults: &[ImportFault], plan: &Import) -> Result<(), CommandError> {
    let errors = plan.new.iter().flat_map(|(entry, remarks)| {
        let name = title::title_of(&entry.body);
        let wrong = remarks.iter().filter(|r| r.severity == Severity::Error);
        wrong.map(move |r| format!("{name}: {}", remark_line(r)))
    });
    let errors: Vec<String> = errors.filter(|_| !args.anyway).collect();
    if let ([fault], []) = (faults, &errors[..]) {
        return Err(CommandError::usage(
            clean_lines(&fault.to_string()).trim_end(),
        ));
    }
    let all = faults.len() + errors.len();
    if all == 0 {
        return Ok(());
    }
    let advice = match faults {
        [] => "correct them, or add --anyway",
        _ => "correct them", // what cannot be read cannot be taken anyway
    };
    let mut text = format!(
        "{} is not imported because it has {}; {advice}",
        args.from.display(),
        count_with_noun(all, "error", "errors")
    );
    let told = faults.iter().map(ImportFault::to_string).chain(errors);
    for line in told.take(FAULTS_MAX) {
        text += &format!("\n{line}");
    }
    if all > FAULTS_MAX {
        text += &format!("\nand {} more", all - FAULTS_MAX);
    }
    Err(CommandError::usage(clean_lines(&text).trim_end()))
}

/// Options of a source are taken if that is asked for: runs plan by them without an approval.
fn import_options(
    args: &Args,
    operator: &Operator,
    options: &[OptionsOfOrigin],
) -> Result<OptionsLine, CommandError> {
    let found = options.len();
    if !args.options || options.is_empty() {
        return Ok(OptionsLine {
            found,
            ..OptionsLine::default()
        });
    }
    let source = args.from.file_name().map(|name| name.to_string_lossy());
    let source = clean_line(&source.unwrap_or_default());
    let done = take_options(operator, options, &source, args.change.is_dry())?;
    Ok(OptionsLine {
        found,
        taken: done.taken,
        known: done.known,
    })
}

fn report(
    args: &Args,
    format: &'static str,
    plan: Import,
    options: OptionsLine,
) -> Result<ExitStatus, CommandError> {
    let line = |entry: Entry, remarks| Line {
        id: entry.id,
        kind: entry.body.kind(),
        title: title::title_of(&entry.body),
        status: entry.status,
        remarks,
    };
    let page = Page {
        schema: 1,
        format,
        changed: !plan.new.is_empty() || options.taken > 0,
        imported: plan.new.into_iter().map(|(e, r)| line(e, r)).collect(),
        known: plan
            .known
            .into_iter()
            .map(|e| line(e, Vec::new()))
            .collect(),
        options,
        dry_run: args.change.is_dry(),
    };
    if args.change.json {
        print_stdout(&to_json(&page)?);
        return Ok(ExitStatus::Done);
    }
    let verb = if page.dry_run {
        "would be imported as"
    } else {
        "imported as"
    };
    let mut text = String::new();
    for one in &page.imported {
        let title = one.title.replace('\n', " ");
        text += &format!("{} {verb} {}: {title}\n", one.kind, one.id);
        for remark in &one.remarks {
            text += &format!("  {}\n", remark_line(remark));
        }
    }
    for one in &page.known {
        let status = one.status.name();
        text += &format!(
            "{} left out: {} ({status}) says the same\n",
            one.kind, one.id
        );
    }
    text += &format!(
        "{} from {format}, {} already known; new entries wait for approval\n",
        count_with_noun(page.imported.len(), "entry", "entries"),
        page.known.len()
    );
    text += &options_text(&page.options, args, page.dry_run);
    print_stdout(&clean_lines(&text));
    Ok(ExitStatus::Done)
}

fn options_text(options: &OptionsLine, args: &Args, is_dry: bool) -> String {
    let OptionsLine {
        found,
        taken,
        known,
    } = *options;
    if found == 0 {
        return String::new();
    }
    if !args.options {
        let of = count_with_noun(found, "database", "databases");
        return format!("options of {of} left out; --options takes them\n");
    }
    let verb = if is_dry { "would be taken" } else { "taken" };
    let of = count_with_noun(taken, "database", "databases");
    format!("options of {of} {verb}, {known} already known\n")
}

/// The files that a path stands for.
fn sources(path: &Path) -> Result<Vec<ImportSource>, CommandError> {
    if !path.is_dir() {
        return Ok(vec![source(path)?]);
    }
    let mut files = BTreeSet::new();
    for name in [
        agent_skill::FILE,
        "skills.json",
        "remedies.json",
        "memory.json",
    ] {
        let file = path.join(name);
        if file.is_file() {
            files.insert(file);
        }
    }
    let fault = |error: std::io::Error| {
        CommandError::usage(format!("could not read {}: {error}", path.display()))
    };
    for found in std::fs::read_dir(path).map_err(fault)? {
        let inner = found.map_err(fault)?.path().join(agent_skill::FILE);
        if inner.is_file() {
            files.insert(inner);
        }
        if files.len() > FILES_MAX {
            return Err(CommandError::usage(format!(
                "{} holds more than {FILES_MAX} files to import",
                path.display()
            )));
        }
    }
    if files.is_empty() {
        return Err(CommandError::usage(format!(
            "there is nothing to import in {}: no SKILL.md, skills.json, remedies.json or memory.json",
            path.display()
        )));
    }
    files.iter().map(|file| source(file)).collect()
}

fn source(path: &Path) -> Result<ImportSource, CommandError> {
    let place = path.display();
    let cannot =
        |error: std::io::Error| CommandError::usage(format!("could not read {place}: {error}"));
    let text = read_text(path, OWN_FILE_BYTES_MAX).map_err(cannot)?;
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = whole.parent();
    let name = folder
        .and_then(Path::file_name)
        .map(|n| n.to_string_lossy().into_owned());
    let is_skill = path
        .file_name()
        .is_some_and(|name| name == agent_skill::FILE);
    let beside = if is_skill {
        folder.map(beside).unwrap_or_default()
    } else {
        Vec::new()
    };
    Ok(ImportSource {
        path: place.to_string(),
        text,
        folder: name.unwrap_or_default(),
        beside,
    })
}

/// The names of what else lies in a skill's folder, in order.
fn beside(folder: &Path) -> Vec<String> {
    let found = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = found.map(|file| file.file_name().to_string_lossy().into_owned());
    let others: BTreeSet<String> = names.filter(|name| name != agent_skill::FILE).collect();
    others.into_iter().take(FILES_MAX).collect()
}
