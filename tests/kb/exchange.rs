//! Import and export: our own files, skill folders, files of other programs; a source is imported whole or not at all.

use crate::kb::stage::{base, check, file, json};
use serde_json::Value;
use std::path::Path;

fn bodies(folder: &Path) -> Vec<Value> {
    let list = json(folder, "kb list");
    let each = list.as_array().unwrap().iter();
    each.map(|entry| entry["body"].clone()).collect()
}

#[test]
fn a_base_is_exported_and_imported_by_file_and_by_skill_folders() {
    let (here, there) = (base(), tempfile::tempdir().unwrap());
    let (here, there) = (here.path(), there.path());
    let out = json(here, "kb export --status all --out out.yaml");
    assert_eq!(
        (&out["entries"], &out["changed"]),
        (&3.into(), &true.into())
    );
    assert_eq!(
        json(here, "kb export --status all --out out.yaml")["changed"],
        false
    );
    std::fs::copy(here.join("out.yaml"), there.join("in.yaml")).unwrap();
    assert_eq!(json(there, "kb import in.yaml --dry-run")["changed"], true);
    assert!(
        !there.join("pithead.db").exists(),
        "a dry run made a database"
    );
    let first = json(there, "kb import in.yaml");
    assert_eq!(
        (
            first["imported"].as_array().unwrap().len(),
            &first["changed"]
        ),
        (3, &true.into())
    );
    let again = json(there, "kb import in.yaml");
    assert_eq!(
        (again["known"].as_array().unwrap().len(), &again["changed"]),
        (3, &false.into())
    );
    assert_eq!(bodies(here), bodies(there));
    let entry = &json(there, "kb list")[0];
    assert_eq!(
        (&entry["status"], &entry["author"]["import"]),
        (&"proposed".into(), &"pithead".into())
    );

    check(
        here,
        "kb export --format agent-skill --status all --out skills",
        0,
        &["SKILL.md", "3 files"],
    );
    check(
        here,
        "kb export --format agent-skill --status all --out skills",
        0,
        &["0 files"],
    );
    check(here, "kb export --format agent-skill", 2, &["--out"]);
    let third = tempfile::tempdir().unwrap();
    let skills = here.join("skills");
    let args = format!("kb import {}", skills.display());
    check(third.path(), &args, 0, &["3 entries from agent-skill"]);
    let mut moved = bodies(third.path());
    moved.sort_by_key(ToString::to_string);
    let mut known = bodies(here);
    known.sort_by_key(ToString::to_string);
    assert_eq!(moved, known);
}

#[test]
fn a_vetoed_entry_is_not_imported_again() {
    let folder = base();
    let folder = folder.path();
    check(folder, "kb veto k0.1 --reason wrong", 0, &[]);
    check(
        folder,
        "kb import kb.yaml",
        0,
        &["left out: k0.1 (vetoed)", "0 entries"],
    );
}

#[test]
fn an_import_tells_the_faults_of_all_its_entries_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bad = file().replace("target: torch", "target: torhc");
    let bad = bad.replacen("status: active", "status: dead", 1);
    std::fs::write(folder.join("kb.yaml"), bad).unwrap();
    std::fs::create_dir(folder.join("skills")).unwrap();
    check(
        folder,
        "kb import kb.yaml",
        2,
        &[
            "2 errors",
            "entries[0].status",
            "entries[1].body.forbid.target",
        ],
    );
    let skills = r#"{"a": {"code": 3, "description": "d"}, "b": {"code": "x", "description": 4}}"#;
    std::fs::write(folder.join("skills.json"), skills).unwrap();
    check(
        folder,
        "kb import skills.json",
        2,
        &["2 errors", "a.code", "b.description"],
    );
    for (name, text) in [
        ("one", "---\nname: x\ndescription: d\n---\nx\n"),
        ("two", "---\nname: two\n---\nx\n"),
    ] {
        let skill = folder.join("skills").join(name);
        std::fs::create_dir(&skill).unwrap();
        std::fs::write(skill.join("SKILL.md"), text).unwrap();
    }
    check(
        folder,
        "kb import skills",
        2,
        &["2 errors", "one/SKILL.md", "two/SKILL.md"],
    );
    assert!(!folder.join("pithead.db").exists(), "nothing is imported");
}

#[test]
fn an_import_with_errors_is_refused_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let good = file();
    let line = |word: &str| good.lines().position(|l| l.contains(word)).unwrap() + 1;
    write("kb.yaml", &good.replace("target: torch", "target: torhc"));
    let place = format!("line {}", line("torch"));
    check(
        folder,
        "kb import kb.yaml",
        2,
        &["kb.yaml", &place, "entries[1].body.forbid.target", "torhc"],
    );
    write("kb.yaml", &good.replace("status: active", "status: dead"));
    check(
        folder,
        "kb import kb.yaml",
        2,
        &["entries[0].status", "dead"],
    );
    write(
        "kb.yaml",
        &good.replace("pithead_knowledge: 1", "pithead_knowledge: 9"),
    );
    check(
        folder,
        "kb import kb.yaml",
        2,
        &["version 9", "pithead_knowledge"],
    );
    write("kb.yaml", "hello");
    check(
        folder,
        "kb import kb.yaml",
        2,
        &["not recognised", "--format"],
    );
    write("a/SKILL.md", "---\nname: b\ndescription: d\n---\nx\n");
    check(
        folder,
        "kb import a",
        2,
        &["SKILL.md", "line 2", "field name", "its folder"],
    );
    write(
        "skills.json",
        r#"{"ok": {"code": "x", "description": "d"}, "bad": {"code": 3, "description": "d"}}"#,
    );
    check(
        folder,
        "kb import skills.json",
        2,
        &["skills.json", "line 1", "bad.code"],
    );
    write(
        "memory.json",
        r#"{"x": {"plan": [{"goal": {"log": "two"}, "type": "mine"}]}}"#,
    );
    check(folder, "kb import memory.json", 2, &["x.plan[0].goal.log"]);
    write(
        "remedies.json",
        r#"[{"type": "remedy", "u": {"repair_action": ["x"]}, "failure_type": "BAD"}]"#,
    );
    check(
        folder,
        "kb import remedies.json",
        2,
        &["[0].failure_type", "eleven labels"],
    );
    check(
        folder,
        "kb import nowhere",
        2,
        &["nowhere", "could not read"],
    );
    std::fs::create_dir(folder.join("empty")).unwrap();
    check(folder, "kb import empty", 2, &["nothing to import"]);
    check(
        folder,
        "kb import skills.json --format word",
        2,
        &["word", "voyager"],
    );
    assert!(
        !folder.join("pithead.db").exists(),
        "a refused import made a database"
    );
}

/// In every format, even if the other files of the source are valid.
#[test]
fn an_import_that_is_not_text_is_refused_with_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let skill = |name: &str| format!("---\nname: {name}\ndescription: d\n---\nx\n").into_bytes();
    let sound: [(&str, Vec<u8>); 5] = [
        ("kb.yaml", file().into_bytes()),
        ("s/good/SKILL.md", skill("good")),
        (
            "v/skills.json",
            br#"{"ok": {"code": "x", "description": "d"}}"#.to_vec(),
        ),
        ("r/remedies.json", b"[]".to_vec()),
        ("m/memory.json", b"{}".to_vec()),
    ];
    for (name, bytes) in &sound {
        write(name, bytes);
        let cut = [bytes.as_slice(), b"\n\xff\n"].concat();
        let line = 2 + bytes.iter().filter(|byte| **byte == b'\n').count();
        let bad = name.replace("good", "bad");
        write(&bad, &cut);
        let place = format!("line {line};");
        let args = format!("kb import {}", bad.split('/').next().unwrap());
        check(folder, &args, 2, &[&bad, "byte 0xff", &place, "UTF-8"]);
    }
    assert!(
        !folder.join("pithead.db").exists(),
        "a refused import made a database"
    );
}

#[test]
fn files_of_other_programs_are_imported_with_their_kinds() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(
        folder.join("skills.json"),
        r#"{"mineWood": {"code": "async function mineWood(bot) {\u001b[2J}", "description": "// Mines."}}"#,
    )
    .unwrap();
    check(
        folder,
        "kb import skills.json",
        0,
        &["note imported as k0.1: mineWood", "voyager"],
    );
    let shown = check(
        folder,
        "kb show k0.1",
        0,
        &["Mines.", "voyager in skills.json", "async function"],
    );
    assert!(!shown.contains('\u{1b}'), "an escape came through");
    std::fs::write(
        folder.join("memory.json"),
        r#"{"stick": {"status": "success", "init_inventory": {}, "plan": [
            {"goal": {"logs": 1}, "type": "mine", "text": "logs"}, {"goal": {"planks": 2}, "type": "craft", "text": "planks"},
            {"goal": {"stick": 4}, "type": "craft", "text": "stick"}]}}"#,
    )
    .unwrap();
    check(
        folder,
        "kb import memory.json",
        0,
        &["skill imported as k0.2: stick ×4 in 3 steps", "jarvis-1"],
    );
    check(
        folder,
        "kb show k0.2",
        0,
        &["1. mine #logs", "needs      always"],
    );
    check(folder, "kb list --author jarvis", 0, &["k0.2"]);
}
