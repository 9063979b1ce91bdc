//! A mind: the questions it is asked, the replies it gives, and what they cost.

pub mod ask;
pub mod evidence;
pub mod judge;
pub mod plan_part;
pub mod reflection;
pub mod reply;
pub mod role;
pub mod sequences;
pub mod spending;
pub mod study;
