//! Whole tasks with a scripted model behind HTTP: whether the prompts say enough, and what a task takes.

mod model;
mod planner;

use crate::models::place::{Place, config};
use crate::models::server::{Say, Server, json_body};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const SEEDS: u64 = 20;
/// Worlds that are told apart from chance: over twenty, the questions of a task vary by half of one.
const WORLDS: u64 = 100;
/// The share of steps that are left out, and of counts that are one short.
const SLIPS: f64 = 0.05;

/// What the server was asked, over all questions.
#[derive(Default)]
struct Asked {
    questions: AtomicU64,
    tokens_in: AtomicU64,
    tokens_out: AtomicU64,
}

/// About three and a half letters each.
fn tokens(text: &str) -> u64 {
    text.chars().count() as u64 * 2 / 7
}

fn scripted(slips: f64) -> (Server, Arc<Asked>) {
    let asked = Arc::new(Asked::default());
    let counted = Arc::clone(&asked);
    let server = Server::start(move |_, body: &Value| -> Say {
        let said = |n: usize| body["messages"][n]["content"].as_str().unwrap();
        let (system, user) = (said(0), said(1));
        let text = model::answer(system, user, slips);
        let (into, out) = (tokens(system) + tokens(user), tokens(&text));
        counted.questions.fetch_add(1, Ordering::SeqCst);
        counted.tokens_in.fetch_add(into, Ordering::SeqCst);
        counted.tokens_out.fetch_add(out, Ordering::SeqCst);
        json_body(
            200,
            &json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": into, "completion_tokens": out}}),
        )
    });
    (server, asked)
}

/// What came of a task over some seeds, the questions and tokens for one episode.
struct Came {
    episodes: Vec<Value>,
    questions: f64,
    tokens_in: f64,
    tokens_out: f64,
}

impl Came {
    fn successes(&self) -> usize {
        let done = self.episodes.iter().filter(|e| e["success"] == true);
        done.count()
    }

    fn told(&self) -> String {
        format!(
            "{} of {} | {:.1} | {:.0} | {:.0}",
            self.successes(),
            self.episodes.len(),
            self.questions,
            self.tokens_in,
            self.tokens_out
        )
    }
}

/// Plays a task of a suite on the first seeds, with the program's prompts or others.
fn play(suite: &str, task: &str, seeds: u64, slips: f64, prompts: Option<&str>) -> Came {
    let (server, asked) = scripted(slips);
    let head = prompts.map_or(String::new(), |folder| {
        format!("[llm]\nprompts = \"{folder}\"\n")
    });
    let server_told =
        config(&server.base_url, "").replacen("backoff", "stream = false\nbackoff", 1);
    let place = Place::new(&(head + &server_told));
    let (out, seeds_told) = (place.path("eval"), format!("1..{seeds}"));
    let task = ["--suite", suite, "--tasks", task, "--seeds", &seeds_told];
    let out_told = out.to_str().unwrap();
    let with = ["--jobs", "2", "--mind", "llm", "--out", out_told, "--json"];
    place.good(&[&["eval"][..], &task, &with].concat());
    let lines = std::fs::read_to_string(out.join("episodes.jsonl")).unwrap();
    let rows = lines.lines().skip(1);
    let each = |of: &AtomicU64| of.load(Ordering::SeqCst) as f64 / seeds as f64;
    Came {
        episodes: rows.map(|row| serde_json::from_str(row).unwrap()).collect(),
        questions: each(&asked.questions),
        tokens_in: each(&asked.tokens_in),
        tokens_out: each(&asked.tokens_out),
    }
}

#[test]
fn a_scripted_model_makes_an_iron_pickaxe_from_the_prompts_alone() {
    let came = play("mcu70", "mcu70/iron/01", WORLDS, SLIPS, None);
    let told = came.told();
    println!("{told}");
    assert_eq!(came.episodes.len() as u64, WORLDS);
    assert!(came.successes() >= 85, "{told}");
    assert!(came.questions <= 3.0, "{told}");
}

#[test]
fn what_a_prompt_does_not_say_the_model_cannot_know() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("steve-evolving");
    std::fs::create_dir(&own).unwrap();
    let planner = include_str!("../../../prompts/steve-evolving/planner.md");
    let without = planner.replace("The state now:\n<data>{{ state }}</data>\n", "");
    assert_ne!(without, planner);
    std::fs::write(own.join("planner.md"), without).unwrap();
    let prompts = folder.path().to_str();
    let came = play("mcu70", "mcu70/iron/01", 1, 0.0, prompts);
    assert_eq!(came.successes(), 0, "{}", came.told());
}

#[test]
fn a_task_is_decomposed_in_one_question() {
    let (server, _) = scripted(0.0);
    let place = Place::new("");
    let server_told =
        config(&server.base_url, "").replacen("backoff", "stream = false\nbackoff", 1);
    std::fs::write(place.path("config.toml"), server_told).unwrap();
    let run = ["run", "craft a stone pickaxe", "--headless", "--seed", "1"];
    place.run(&[&run[..], &["--mind", "llm", "--system", "gitm"]].concat());
    let costs: Value =
        serde_json::from_str(&place.good(&["show", "1", "--costs", "--json"])).unwrap();
    assert_eq!(costs["by_role"]["decomposer"]["questions"], 1, "{costs}");
    let goals = server.requests().iter().any(|body| {
        let user = body["messages"][1]["content"].as_str().unwrap();
        user.contains("Plan for this goal") && user.contains("\"object\":\"wooden_pickaxe\"")
    });
    assert!(goals, "the goals below were not planned for");
}

/// The table of docs/MODELS.md: `cargo test --test all scripted -- --ignored --nocapture`.
#[test]
#[ignore = "it measures, and takes minutes"]
fn what_tasks_take() {
    println!("task | slips | success | questions | tokens in | out");
    for (name, suite, task) in [
        ("a bucket", "mcu70", "mcu70/iron/06"),
        ("a shield", "gitm262", "gitm262/097"),
        ("an iron pickaxe", "mcu70", "mcu70/iron/01"),
    ] {
        for slips in [0.0, SLIPS] {
            let came = play(suite, task, SEEDS, slips, None);
            println!("{name} | {slips} | {}", came.told());
        }
    }
}
