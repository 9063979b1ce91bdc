//! Plays the inputs that fuzzing found worth keeping, on stable Rust and without cargo-fuzz.

mod targets;

use std::path::Path;

/// A finding is kept in the corpus too, under a name that says what it was.
#[test]
fn every_input_of_the_corpus_is_refused_or_comes_back_as_it_was() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    for (name, check) in targets::TARGETS {
        let folder = std::fs::read_dir(corpus.join(name));
        let inputs: Vec<_> = folder.unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(!inputs.is_empty(), "{name} has no corpus");
        for path in inputs {
            let data = std::fs::read(&path).unwrap();
            println!("{name}: {}", path.display());
            check(&data);
        }
    }
}
