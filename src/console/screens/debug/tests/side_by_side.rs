//! Two attempts side by side: at one node of the plan, at the same time from their beginnings.

use super::*;

#[test]
fn two_attempts_stand_side_by_side_at_the_same_time() {
    let mut console = console(&running(), 140, 60);
    let failed = console.failed();
    console.choose(failed);
    console.press("0v");
    let line = |console: &Bench, words: &str| {
        let text = console.screen();
        let line = text.lines().find(|line| line.contains(words));
        line.unwrap_or_else(|| panic!("no `{words}` in {text}"))
            .to_owned()
    };
    // Both are at one node of the plan, and are told by their own ids.
    line(&console, "both at step sg_6 of the plan");
    let other = console.inspection().other.unwrap().row.id;
    assert_ne!(other, AttemptId(failed));
    line(&console, &format!("a{failed} beside {other}"));
    // They begin together, go on together, and the shorter one waits at its end.
    let places = line(&console, "in · frame 1 of");
    assert_eq!(places.matches("0 s in · frame 1 of").count(), 2, "{places}");
    console.press("]");
    let (own, there) = {
        let seen = console.inspection();
        let there = crate::screens::debug::inspection::at(seen.ui, seen.other.unwrap());
        let tick = |case: &CaseFile, at: usize| case.samples[at].tick - case.samples[0].tick;
        let (one, two) = (tick(seen.case, seen.at), tick(seen.other.unwrap(), there));
        let is_at_end = |case: &CaseFile, at: usize| at + 1 == case.samples.len();
        let is_over = is_at_end(seen.case, seen.at) || is_at_end(seen.other.unwrap(), there);
        assert!(one == two || is_over, "{one} and {two}");
        (seen.at, there)
    };
    assert!(own > 0 && there > 0);
    console.press("$");
    line(&console, "its last frame");
    // What differs is marked, and only that.
    for row in console.screen().lines().filter(|row| row.contains('≠')) {
        let (left, right) = row.split_once('≠').unwrap();
        let value = right.trim().trim_end_matches(['│', '┃']).trim();
        assert!(
            !value.is_empty() && !left.trim_end().ends_with(value),
            "{row}"
        );
    }
    assert!(console.screen().contains('≠'));
    // One again.
    console.press("v");
    assert!(!console.screen().contains("both at step"));
}
