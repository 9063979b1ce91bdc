//! Exchange: what was written is read back, and what does not fit is refused at its place.

mod options;

use super::*;
use crate::domain::condition::Condition;
use crate::domain::condition::arbitrary::{checks, conditions, items};
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::knowledge::inputs::{Flow, Inputs};
use crate::domain::knowledge::post_mortem::PostMortem;
use crate::domain::knowledge::{
    Change, Guardrail, Pattern, ReferencePlan, Region, Remedy, Rule, RuleRecord, Skill,
    TaskGuardrail, TextNote,
};
use crate::domain::plan::{Subgoal, TaskKind};
use crate::domain::samples::{entry, subgoal};
use pithead_world::ids::{ExperienceId, RunId};
use pithead_world::space::Pos;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::{BTreeMap, BTreeSet};

fn source(path: &str, text: &str) -> ImportSource {
    ImportSource {
        path: path.to_owned(),
        text: text.to_owned(),
        folder: path.split('/').next().unwrap_or_default().to_owned(),
        beside: Vec::new(),
    }
}

fn remedies() -> impl Strategy<Value = Vec<Remedy>> {
    let one = prop_oneof![
        (items(), 0..99_u32).prop_map(|(item, count)| Remedy::Have { item, count }),
        (-9..99_i32).prop_map(|y| Remedy::GoBelow { y }),
        (0..99_u32).prop_map(|blocks| Remedy::MoveAway { blocks }),
        ".{0,20}".prop_map(|text| Remedy::Advice { text }),
        Just(Remedy::Station {
            block: "furnace".parse().unwrap()
        }),
    ];
    proptest::collection::vec(one, 0..4)
}

fn patterns() -> impl Strategy<Value = Pattern> {
    use proptest::option::of;
    let region = (-9..9, 0..99_u32).prop_map(|(x, radius)| Region {
        centre: Pos::new(x, 64, -x),
        radius,
    });
    (
        of(select(TaskKind::ALL.to_vec())),
        of(items()),
        of(items()),
        of(region),
        of(".{0,9}"),
    )
        .prop_map(|(kind, target, tool, region, text)| Pattern {
            kind,
            target,
            tool,
            region,
            text,
        })
}

fn steps() -> impl Strategy<Value = Vec<Subgoal>> {
    proptest::collection::vec((1..9_u64).prop_map(|n| subgoal(n, "stone")), 0..3)
}

fn flows() -> impl Strategy<Value = Flow> {
    let inputs = (items(), any::<u64>(), any::<u64>(), any::<u64>());
    let inputs = inputs.prop_map(|(item, used, made, times)| Inputs {
        used: BTreeMap::from([(item, used)]),
        made,
        times,
    });
    let sets = proptest::collection::vec(inputs, 0..3);
    (sets, items(), items(), any::<u64>()).prop_map(|(inputs, held, product, n)| Flow {
        inputs,
        held: BTreeSet::from([held]),
        by_products: BTreeMap::from([(product, n)]),
    })
}

fn skills() -> impl Strategy<Value = Skill> {
    let what = (items(), 0..9_u32, -3..9_i64);
    let checks = proptest::collection::vec(checks(), 0..3);
    let flows = proptest::collection::vec(flows(), 0..3);
    (what, conditions(), steps(), checks, flows).prop_map(
        |((goal, count, n), requires, steps, success, flows)| Skill {
            goal,
            count,
            requires,
            steps,
            success,
            effects: BTreeMap::from([(goal, n)]),
            flows,
        },
    )
}

fn bodies() -> impl Strategy<Value = Body> {
    prop_oneof![
        (
            conditions(),
            patterns(),
            ".{0,30}",
            remedies(),
            select(FailureReason::ALL.to_vec())
        )
            .prop_map(
                |(trigger, forbid, avoid, recovery, reason)| Body::Guardrail(Guardrail {
                    trigger,
                    forbid,
                    avoid,
                    recovery,
                    reason,
                })
            ),
        (patterns(), patterns(), remedies(), ".{0,30}", 0..9_u32).prop_map(
            |(task, before, missing, deadlock, died)| {
                let mut post_mortem = PostMortem::default();
                post_mortem.ends.died = died;
                Body::TaskGuardrail(TaskGuardrail {
                    task,
                    before,
                    missing,
                    deadlock,
                    post_mortem: (died > 0).then(|| Box::new(post_mortem)),
                })
            }
        ),
        skills().prop_map(Body::Skill),
        (conditions(), checks(), 0.0..1.0_f64).prop_map(|(when, then, score)| Body::Rule(Rule {
            when,
            then: Condition::from(then),
            scores: [score, 0.5, 1.0],
            record: RuleRecord::default(),
        })),
        (items(), steps(), 0..9_u32).prop_map(|(goal, steps, from_successes)| {
            Body::ReferencePlan(ReferencePlan {
                goal,
                steps,
                count: 1,
                requires: Condition::always(),
                flows: Vec::new(),
                runs: Vec::new(),
                from_successes,
            })
        }),
        (
            ".{0,9}",
            "(?s).{0,60}",
            "[a-z0-9 :#'\"\n-]{0,80}",
            proptest::option::of("[a-z]{1,9}")
        )
            .prop_map(|(name, about, text, language)| Body::Note(TextNote {
                name,
                about,
                text,
                language,
            })),
    ]
}

fn entries() -> impl Strategy<Value = Entry> {
    let authors = prop_oneof![
        ".{0,9}".prop_map(Author::Mind),
        ".{0,9}".prop_map(Author::Operator),
        ".{0,9}".prop_map(Author::Import),
        ".{0,9}".prop_map(Author::Policy),
    ];
    let change = (bodies(), ".{0,20}", select(Status::ALL.to_vec()));
    (
        bodies(),
        authors,
        change,
        0.0..1.0_f64,
        any::<u32>(),
        select(Status::ALL.to_vec()),
    )
        .prop_map(
            |(body, author, (before, reason, left), confidence, n, status)| Entry {
                status,
                title: reason.clone(),
                body,
                confidence,
                outcomes: Outcomes {
                    helped: n,
                    good: n / 2,
                    last: Some(Millis(u64::from(n))),
                    ..Outcomes::default()
                },
                provenance: Provenance {
                    run: Some(RunId(3)),
                    task: reason.clone(),
                    experiences: vec![ExperienceId {
                        run: RunId(3),
                        n: 7,
                    }],
                    imported: Some(Box::new(Imported {
                        format: "voyager".to_owned(),
                        label: Some(reason.clone()),
                        ..Imported::default()
                    })),
                },
                history: vec![Change {
                    version: 1,
                    at: Millis(4),
                    by: author.clone(),
                    reason,
                    before: Some(before),
                    status: Some(left),
                    other: None,
                }],
                author,
                ..entry(1, 1, "stone")
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn importing_an_export_gives_the_same_entries(entries in proptest::collection::vec(entries(), 0..3)) {
        let text = own::write(&entries).unwrap();
        let read = own::read_entries(&source("kb.yaml", &text));
        prop_assert_eq!(read, Ok(entries), "{}", text);
    }

    #[test]
    fn an_export_read_entry_by_entry_gives_the_same_entries(entries in proptest::collection::vec(entries(), 1..4)) {
        let text = own::write(&entries).unwrap();
        let parts = own_parts::split_entries(&text).unwrap();
        let read = own::read_parts(&source("kb.yaml", &text), &parts).unwrap();
        let read: Result<Vec<Entry>, ImportFault> = read.into_iter().collect();
        prop_assert_eq!(read, Ok(entries), "{}", text);
    }

    #[test]
    fn a_skill_folder_holds_the_whole_entry(entry in entries()) {
        let folder = agent_skill::write(&entry).unwrap();
        let file = source(&format!("{}/SKILL.md", folder.name), &folder.text);
        let draft = agent_skill::read_draft(&file);
        prop_assert_eq!(draft.map(|d| d.body), Ok(entry.body), "{}", folder.text);
    }
}

#[test]
fn a_foreign_skill_becomes_a_note_and_a_bad_one_says_where() {
    let good = "---\nname: pdf-forms\ndescription: Fills forms.\nmetadata:\n  version: 1.0\n---\n\n# How\n\nDo it.\n";
    let draft = agent_skill::read_draft(&source("pdf-forms/SKILL.md", good)).unwrap();
    let Body::Note(note) = draft.body else {
        panic!()
    };
    assert_eq!(
        (note.name.as_str(), note.text.as_str()),
        ("pdf-forms", "# How\n\nDo it.")
    );
    for (from, to, line, word) in [
        ("pdf-forms", "PDF-forms", Some(2), "a-z"),
        ("pdf-forms", "pdf--forms", Some(2), "two in a row"),
        ("pdf-forms", "other", Some(2), "its folder"),
        ("Fills forms.", "\"\"", Some(3), "1 to 1024"),
        ("description: Fills forms.\n", "", None, "description"),
        ("---\nname", "name", Some(1), "---"),
        ("name: pdf-forms", "name: [", Some(2), "YAML"),
    ] {
        let text = good.replacen(from, to, 1);
        let fault = agent_skill::read_draft(&source("pdf-forms/SKILL.md", &text)).unwrap_err();
        assert!(fault.to_string().contains(word), "{to}: {fault}");
        assert!(line.is_none() || fault.line.is_some(), "{to}: {fault}");
    }
}

#[test]
fn skills_of_voyager_are_kept_as_text() {
    let text = r#"{"mineWood": {"code": "async function mineWood(bot) {\n  x();\n}", "description": "async function mineWood(bot) {\n    // Mines one log.\n}"}}"#;
    let file = source("skill/skills.json", text);
    assert_eq!(
        ExchangeFormat::recognise(&file),
        Some(ExchangeFormat::Voyager)
    );
    let draft = read_source(ExchangeFormat::Voyager, &file)
        .unwrap()
        .remove(0);
    let Body::Note(note) = draft.body else {
        panic!()
    };
    assert_eq!(note.about, "Mines one log.");
    assert!(note.text.ends_with("x();\n}"));
    let bad = text.replace("\"code\": \"async", "\"code\": 3, \"x\": \"async");
    let fault = read_source(ExchangeFormat::Voyager, &source("skills.json", &bad)).unwrap_err();
    assert_eq!(
        (fault.field.as_str(), fault.line),
        ("mineWood.code", Some(1))
    );
}

#[test]
fn plans_of_jarvis_become_skills() {
    let text = r#"{
  "oak_slab": {"time": "t", "status": "success", "image": "x.png", "init_inventory": {"iron_axe": 1},
    "plan": [{"goal": {"oak_log": 2}, "type": "mine", "text": "oak_log"},
             {"goal": {"oak_slab": 1}, "type": "craft", "text": "oak_slab"}]},
  "weird": {"status": "success", "plan": [{"goal": {"moonstone": 1}, "type": "mine", "text": "m"}]},
  "bowl": {"status": "failed", "plan": []}
}"#;
    let file = source("memory.json", text);
    assert_eq!(
        ExchangeFormat::recognise(&file),
        Some(ExchangeFormat::Jarvis)
    );
    let drafts = read_source(ExchangeFormat::Jarvis, &file).unwrap();
    let Body::Skill(skill) = &drafts[0].body else {
        panic!("{drafts:?}")
    };
    assert_eq!(skill.requires.to_string(), "all(inv iron_axe >= 1)");
    let steps: Vec<String> = skill.steps.iter().map(|s| s.label()).collect();
    assert_eq!(steps, ["mine oak_log ×2", "craft oak_slab"]);
    assert_eq!((drafts.len(), drafts[1].body.kind()), (2, "note"));
    let bad = text.replace("\"oak_log\": 2", "\"oak_log\": \"two\"");
    let fault = read_source(ExchangeFormat::Jarvis, &source("memory.json", &bad)).unwrap_err();
    assert_eq!(fault.field, "oak_slab.plan[0].goal.oak_log");
    assert_eq!(fault.line, Some(3), "{fault}");
}

#[test]
fn remedies_of_mineevolve_are_read_as_far_as_they_can_be() {
    let remedy = |trigger: &str, label: &str| {
        format!(
            r#"[{{"knowledge_id": "k_1", "type": "remedy", "c": ["{label}", "{trigger}"],
 "u": {{"risk_pattern": "no table", "repair_action": ["craft a crafting_table", "place it"], "scope": "task_global",
  "category": "missing_prerequisite", "current_subgoal": "craft a wooden pickaxe"}},
 "phi": {{"applicability": ["no crafting_table in inventory"]}}, "rho": 0.9, "E": ["e_1"], "failure_type": "{label}"}}]"#
        )
    };
    let drafts =
        |text: &str| read_source(ExchangeFormat::MineEvolve, &source("remedies.json", text));
    let made = drafts(&remedy("inventory missing crafting_table", "GUI_FAIL"))
        .unwrap()
        .remove(0);
    let Body::Guardrail(rail) = &made.body else {
        panic!("{made:?}")
    };
    assert_eq!(rail.reason, FailureReason::GuiBlocked);
    assert_eq!(
        rail.trigger.normalised().to_string(),
        "not inv crafting_table >= 1"
    );
    assert_eq!(made.imported.label.as_deref(), Some("GUI_FAIL"));
    let words = drafts(&remedy("the recipe is 3x3", "DEADLOCK"))
        .unwrap()
        .remove(0);
    assert_eq!(words.body.kind(), "note");
    let fault = drafts(&remedy("x", "BAD_LUCK")).unwrap_err();
    assert_eq!(fault.field, "[0].failure_type");
    let fault = drafts(r#"[{"type": "spell", "u": {}}]"#).unwrap_err();
    assert!(fault.to_string().contains("spell"), "{fault}");
}

#[test]
fn hidden_text_does_not_come_in() {
    let evil = "a\u{1b}[31mb\u{202e}c\u{200b}d\u{7}";
    assert_eq!(without_hidden(evil), "a[31mbcd");
    let text = format!(
        r#"{{"x": {{"code": "{}", "description": "d"}}}}"#,
        "a\\u001b[2J\\u202eb"
    );
    let draft = read_source(ExchangeFormat::Voyager, &source("skills.json", &text))
        .unwrap()
        .remove(0);
    let Body::Note(note) = draft.body else {
        panic!()
    };
    assert_eq!(note.text, "a[2Jb");
}

#[test]
fn damaged_files_of_known_names_are_refused_with_their_line() {
    for (name, text, line, field) in [
        ("memory.json", "{\n\"bowl\": 3}", Some(2), "bowl"),
        ("remedies.json", "[\n1,", Some(2), ""),
        (
            "skills.json",
            "{\n\"mine\": {\"name\": 3}}",
            Some(2),
            "mine",
        ),
        ("skills.json", "[{\"name\": 3}]", Some(1), "[0]"),
    ] {
        let file = source(name, text);
        let format = ExchangeFormat::recognise(&file).unwrap_or_else(|| panic!("{name}"));
        let fault = read_source(format, &file).unwrap_err();
        assert_eq!(
            (fault.line, fault.field.as_str()),
            (line, field),
            "{name}: {fault}"
        );
    }
    assert_eq!(
        ExchangeFormat::recognise(&source("notes.json", "[1,")),
        None
    );
}

/// As many small entries as a base of years may have, with texts that look like the beginning of one.
fn many_entries(count: u64) -> Vec<Entry> {
    let numbered = |n| Entry {
        body: Body::Note(TextNote {
            name: format!("note {n}"),
            about: "- id: k1.1\nentries:\n\n- x".to_owned(),
            text: format!("- id: none\nentries:\n\n  - {n}\n{}", "word ".repeat(30)),
            language: None,
        }),
        ..entry(n, 1, "stone")
    };
    (0..count).map(numbered).collect()
}

#[test]
fn an_export_of_thousands_of_entries_is_imported_back() {
    let entries = many_entries(6_500);
    let text = own::write(&entries).unwrap();
    let whole = serde_saphyr::from_str::<Value>(&text);
    assert!(
        whole.is_err(),
        "in one piece it exceeds the reader's bounds"
    );
    assert!(own::read_entries(&source("kb.yaml", &text)) == Ok(entries));
    let drafts = read_source(ExchangeFormat::Own, &source("kb.yaml", &text)).unwrap();
    assert_eq!(drafts.len(), 6_500);
}

#[test]
fn each_entry_of_a_long_file_has_its_own_bounds_and_its_own_line() {
    let text = own::write(&many_entries(4_000)).unwrap();
    let with = |entry: &str| own::read_entries(&source("kb.yaml", &format!("{text}{entry}")));
    let line = text.lines().count() + 1;
    let indent = text
        .lines()
        .find(|line| line.trim_start().starts_with("- "));
    let indent = indent.map_or(0, |line| line.len() - line.trim_start().len());
    let pad = " ".repeat(indent);
    let bomb = format!(
        "{pad}- a: &a [x, x, x, x, x, x, x, x, x]\n{}",
        (b'b'..=b'j')
            .map(|name| {
                let (name, before) = (char::from(name), char::from(name - 1));
                let nine = vec![format!("*{before}"); 9].join(", ");
                format!("{pad}  {name}: &{name} [{nine}]\n")
            })
            .collect::<String>()
    );
    let deep = format!("{pad}- {}\n", "[".repeat(5_000));
    let wide = format!("{pad}- [{}]\n", "1, ".repeat(300_000));
    let long = format!("{pad}- {}\n", "x".repeat(2 << 20));
    let other = format!("{pad}- x: 1\n");
    for entry in [bomb, deep, wide, long, other] {
        let fault = with(&entry).unwrap_err();
        assert!(fault.line.is_none_or(|at| at >= line), "{fault}");
        assert!(fault.to_string().len() < 1_000, "{fault}");
    }
}
