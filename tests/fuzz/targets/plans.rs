//! Plans as JSON, from minds and editors.

use super::text;
use pithead_core::domain::plan::json::{parse_plan, plan_text};

pub(crate) fn check(data: &[u8]) {
    match parse_plan(text(data)) {
        Ok((plan, _)) => {
            let written = plan_text(&plan);
            let (again, _) = parse_plan(&written).expect("what was written can be read");
            assert_eq!(plan, again, "{written}");
        }
        Err(fault) => assert!(!fault.because.is_empty()),
    }
}
