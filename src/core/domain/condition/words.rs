//! Writing the text form of conditions, so that reading it gives the same condition back.

use super::predicate_text::TIERS;
use super::{Condition, Predicate, lexer};
use std::fmt::{Display, Formatter, Result, Write as _};

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::All(parts) => joined(f, parts, ["always", "all", " and "], nests_in_all),
            Self::Any(parts) => joined(f, parts, ["never", "any", " or "], nests_in_any),
            Self::Not(part) if is_unary(part) => write!(f, "not {part}"),
            Self::Not(part) => write!(f, "not ({part})"),
            Self::Is(predicate) => predicate.fmt(f),
        }
    }
}

/// `[when empty, around one, between several]`; `nests` says which parts need parentheses.
fn joined(
    f: &mut Formatter<'_>,
    parts: &[Condition],
    [empty, one, between]: [&str; 3],
    nests: fn(&Condition) -> bool,
) -> Result {
    match parts {
        [] => return f.write_str(empty),
        [part] => return write!(f, "{one}({part})"),
        _ => {}
    }
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(between)?;
        }
        if nests(part) {
            write!(f, "({part})")?;
        } else {
            part.fmt(f)?;
        }
    }
    Ok(())
}

fn is_unary(part: &Condition) -> bool {
    match part {
        Condition::All(parts) | Condition::Any(parts) => parts.len() < 2,
        Condition::Not(_) | Condition::Is(_) => true,
    }
}

fn nests_in_all(part: &Condition) -> bool {
    !is_unary(part)
}

/// `and` binds tighter than `or`, so a conjunction may stand bare between them.
fn nests_in_any(part: &Condition) -> bool {
    matches!(part, Condition::Any(parts) if parts.len() > 1)
}

impl Display for Predicate {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Check(check) => check.write_condition(f),
            Self::BiomeIn(names) if names.is_empty() => f.write_str("biome none"),
            Self::BiomeIn(names) => {
                for (at, name) in names.iter().enumerate() {
                    f.write_str(if at == 0 { "biome " } else { "|" })?;
                    write_name(f, name)?;
                }
                Ok(())
            }
            Self::HealthLt(bound) => write!(f, "health < {bound}"),
            Self::HungerLt(bound) => write!(f, "hunger < {bound}"),
            Self::Holding(item) => write!(f, "holding {item}"),
            Self::OnGround => f.write_str("on_ground"),
            Self::Underground => f.write_str("underground"),
            Self::MobNear { mob, range } => write!(f, "mob_near {mob} {range}"),
            Self::SubgoalKind(kind) => write!(f, "subgoal is {}", kind.name()),
            Self::Target(item) => write!(f, "target {item}"),
            Self::ToolGe { kind, tier } => {
                let word = TIERS
                    .iter()
                    .find(|(known, _)| known == tier)
                    .map_or("", |(_, word)| word);
                write!(f, "tool {} >= {word}", kind.word())
            }
            Self::AttemptsGe { reason, n } => write!(f, "failed {} >= {n}", reason.name()),
        }
    }
}

/// Bare where it reads as one word, in quotes otherwise.
fn write_name(f: &mut Formatter<'_>, name: &str) -> Result {
    if !name.is_empty() && name != "none" && name.chars().all(lexer::is_word) {
        return f.write_str(name);
    }
    f.write_char('"')?;
    for c in name.chars() {
        if matches!(c, '"' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_char('"')
}
