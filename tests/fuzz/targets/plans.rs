//! Plans as JSON and as outlines, from minds and editors.

use super::text;
use pithead_core::domain::plan::Plan;
use pithead_core::domain::plan::json::{parse_plan, plan_text};
use pithead_core::domain::plan::outline::{outline_text, parse_outline};

pub(crate) fn check(data: &[u8]) {
    match parse_plan(text(data)) {
        Ok((plan, _)) => {
            let written = plan_text(&plan);
            let (again, _) = parse_plan(&written).expect("what was written can be read");
            assert_eq!(plan, again, "{written}");
            let outline = outline_text(&plan);
            let read = parse_outline(&outline, &plan).expect("what was written can be read");
            assert_eq!(plan, read.plan, "{outline}");
        }
        Err(fault) => assert!(!fault.because.is_empty()),
    }
    if let Err(fault) = parse_outline(text(data), &Plan::default()) {
        assert!(!fault.because.is_empty());
    }
}
