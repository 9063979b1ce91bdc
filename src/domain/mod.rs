//! The nouns of the loop: plain data that every layer above speaks of.

pub mod act;
pub mod ask;
pub mod attempt;
pub mod budget;
pub mod cell;
pub mod check;
pub mod command;
pub mod condition;
pub mod decision;
pub mod diagnosis;
pub mod event;
pub mod experience;
pub mod hindsight;
pub mod input;
pub mod item_words;
pub mod knowledge;
mod knowledge_life;
mod knowledge_merge;
mod knowledge_outcomes;
mod knowledge_signature;
pub mod locate;
pub mod note;
pub mod pattern;
pub mod plan;
pub mod plan_json;
pub mod profile;
pub mod recall;
pub mod reply;
#[cfg(test)]
pub(crate) mod samples;
pub mod signature;
pub mod situation;
mod skill_merge;
pub mod spending;
pub mod state_card;
pub mod task;
pub mod thresholds;
