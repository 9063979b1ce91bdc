//! Diagnosis against people: situations played in the embedded world, and how often the label is the one
//! that a knowledgeable person gave. `cargo test --test diagnosis -- --nocapture` prints the matrix.

mod corpus;
mod held_out;
mod history;
mod matrix;
mod scene;
mod subgoals;

use matrix::Matrix;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_world::reports::Reports;

/// Least share of situations with the person's label.
const AGREEMENT: f64 = 0.95;
/// The same where the body says what it felt, and where it says nothing: then it has to be inferred.
const AGREEMENT_COARSE: f64 = 0.9;
const AGREEMENT_NONE: f64 = 0.8;
/// As many in one cell off the diagonal are no accident.
const CELL_MAX: u32 = 2;

/// The matrix at this level, what differs, and what could not be played.
fn judge_corpus(level: Reports) -> (Matrix, String, String) {
    let (mut matrix, mut others, mut unplayed) = (Matrix::default(), String::new(), String::new());
    for case in corpus::all() {
        let diagnosis = match case.scene.told(level).attempt(&case.subgoal) {
            Ok(diagnosis) => diagnosis,
            Err(because) => {
                unplayed += &format!("{}: {because}\n", case.what);
                continue;
            }
        };
        let found = diagnosis.reason;
        matrix.count(case.label, found);
        if found != Some(case.label) {
            let name = found.map_or("success", FailureReason::name);
            let told = (case.what, case.label.name(), &diagnosis.summary);
            others += &format!("{}: {} here, {name} found ({})\n", told.0, told.1, told.2);
        }
    }
    (matrix, others, unplayed)
}

#[test]
fn the_classifier_infers_what_the_body_does_not_say() {
    for (level, least) in [
        (Reports::Coarse, AGREEMENT_COARSE),
        (Reports::None, AGREEMENT_NONE),
    ] {
        let (matrix, others, unplayed) = judge_corpus(level);
        println!("{}\n{matrix}\n{others}", level.line());
        assert!(unplayed.is_empty(), "{unplayed}");
        let counts = (f64::from(matrix.agreed()), f64::from(matrix.total()));
        assert!(counts.0 >= least * counts.1, "{matrix}\n{others}");
    }
}

#[test]
fn the_classifier_gives_the_labels_that_a_person_gave() {
    let (matrix, others, unplayed) = judge_corpus(Reports::Typed);
    println!("{matrix}\n{others}{unplayed}");
    assert!(unplayed.is_empty(), "{unplayed}");
    let counts = (matrix.total(), matrix.agreed());
    assert!(counts.0 >= 60 && matrix.least_row() >= 5, "{matrix}");
    assert!(
        f64::from(counts.1) >= AGREEMENT * f64::from(counts.0),
        "{matrix}\n{others}"
    );
    assert!(matrix.worst_cell() <= CELL_MAX, "{matrix}\n{others}");
    assert!(
        !matrix.has_lost_row(),
        "half of a row is elsewhere\n{matrix}\n{others}"
    );
}
