//! Reading untrusted checks, in our spelling and in those of released systems.

use super::fields::{Field, Object, count, item, text, whole};
use super::{PlanFault, note};
use crate::domain::check::{Check, FurnaceMeter, Place, check_kind_names};
use crate::domain::plan::item_words;
use crate::domain::plan::note::Note;
use pithead_world::action::Target;
use pithead_world::blueprint::{BadBlueprintName, BlueprintName};
use pithead_world::family::ItemSpec;
use pithead_world::ids::SubgoalId;
use pithead_world::space::Pos;
use serde_json::Value;

/// Blocks within which one counts as near when the text does not say.
const NEAR_DEFAULT: u32 = 4;
/// Heights beyond these do not exist.
const HEIGHT_MAX: i64 = 4_096;
pub(in crate::domain::plan) const CHECKS_MAX: usize = 16;
/// Kinds of other systems for which there is nothing to observe here.
const UNOBSERVABLE: [&str; 4] = ["path_clear", "line_of_sight", "block_visible", "custom"];

/// All checks of a subgoal under this name; those that can never be observed are left out with a note.
pub(super) fn read_all(
    subgoal: &mut Object<'_>,
    name: &'static str,
    id: SubgoalId,
    notes: &mut Vec<Note>,
) -> Result<Vec<Check>, PlanFault> {
    let mut checks = Vec::new();
    for row in subgoal.array(name, 0, CHECKS_MAX)? {
        checks.extend(read_check(&row, id, notes)?);
    }
    Ok(checks)
}

fn read_check(
    row: &Field<'_>,
    id: SubgoalId,
    notes: &mut Vec<Note>,
) -> Result<Option<Check>, PlanFault> {
    let mut fields = Object::new(&row.path, row.value)?;
    let Some(kind) = fields.first(&["check", "type"]) else {
        return Err(fields.missing("check", &check_kind_names()));
    };
    let name = text(&kind)?;
    if UNOBSERVABLE.contains(&name.as_str()) {
        let text = format!(
            "{} `{name}` cannot be observed here; it is left out.",
            kind.path
        );
        notes.push(note(Some(id), &kind.path, text));
        return Ok(None);
    }
    let check = of_kind(&name, &mut fields)?.ok_or_else(|| kind.fault(&check_kind_names()))?;
    fields.report_unknown(Some(id), notes);
    Ok(Some(check))
}

fn of_kind(kind: &str, fields: &mut Object<'_>) -> Result<Option<Check>, PlanFault> {
    Ok(Some(match kind {
        "inv_ge" | "inventory" | "inv" | "have" => Check::InvGe {
            item: wanted(fields)?,
            count: amount(fields)?,
        },
        "inv_lt" => Check::InvLt {
            item: wanted(fields)?,
            count: amount(fields)?,
        },
        "inv_delta_ge" => Check::InvDeltaGe {
            item: wanted(fields)?,
            count: amount(fields)?,
        },
        "crafted_ge" | "crafted" => Check::CraftedGe {
            item: wanted(fields)?,
            count: amount(fields)?,
        },
        "equipped" | "holding" => Check::Equipped {
            item: wanted(fields)?,
        },
        "near" => Check::Near {
            place: place(fields)?,
            range: range(fields)?,
        },
        "ypos_le" => Check::YposLe { y: height(fields)? },
        "ypos_ge" => Check::YposGe { y: height(fields)? },
        "gui_open" => Check::GuiOpen {
            gui: window(fields)?,
        },
        "gui_closed" => Check::GuiClosed,
        "furnace_ge" => {
            let meter = meter(fields)?;
            Check::FurnaceGe {
                meter,
                value: number(fields, &["value", "count", "n"])?,
            }
        }
        "container_ge" => Check::ContainerGe {
            count: amount(fields)?,
        },
        "world_time" => time(fields)?,
        "built" => Check::Built {
            blueprint: blueprint(fields)?,
        },
        // A kind without other spellings is read as it is stored; what is none is refused by the caller, who
        // knows the path.
        _ => return Ok(fields.stored_form("check", kind)),
    }))
}

fn blueprint(fields: &mut Object<'_>) -> Result<BlueprintName, PlanFault> {
    let field = fields.first(&["blueprint", "name"]);
    blueprint_name(&field.ok_or_else(|| fields.missing("blueprint", "the name of a blueprint"))?)
}

/// The name of a blueprint; whether there is one is for the verifier, which knows the operator's.
pub(super) fn blueprint_name(field: &Field<'_>) -> Result<BlueprintName, PlanFault> {
    text(field)?
        .parse()
        .map_err(|error: BadBlueprintName| PlanFault {
            path: field.path.clone(),
            because: error.to_string(),
        })
}

fn wanted(fields: &mut Object<'_>) -> Result<ItemSpec, PlanFault> {
    let field = fields.first(&["item", "object", "name"]);
    item(&field.ok_or_else(|| fields.missing("item", "the name of an item"))?)
}

/// One, unless it is said.
fn amount(fields: &mut Object<'_>) -> Result<u32, PlanFault> {
    fields
        .first(&["count", "n", "quantity", "value"])
        .map_or(Ok(1), |field| count(&field))
}

fn number(fields: &mut Object<'_>, names: &[&'static str]) -> Result<u32, PlanFault> {
    let field = fields.first(names);
    count(&field.ok_or_else(|| fields.missing(names[0], "a whole number"))?)
}

fn height(fields: &mut Object<'_>) -> Result<i32, PlanFault> {
    let field = fields.first(&["y", "value", "n"]);
    let field = field.ok_or_else(|| fields.missing("y", "a height"))?;
    let y = whole(&field, -HEIGHT_MAX, HEIGHT_MAX)?;
    i32::try_from(y).map_err(|_| field.fault("a height"))
}

fn range(fields: &mut Object<'_>) -> Result<u32, PlanFault> {
    fields
        .first(&["range", "radius", "distance"])
        .map_or(Ok(NEAR_DEFAULT), |field| count(&field))
}

/// Our own `place` object, or a bare `block`, `mob`, `item`, `target` or position.
fn place(fields: &mut Object<'_>) -> Result<Place, PlanFault> {
    if let Some(field) = fields.get("place") {
        let known = serde_json::from_value::<Place>(field.value.clone());
        return known.map_err(|_| {
            field.fault(
                "{\"thing\": {\"block\" | \"source\" | \"mob\": name}} or {\"at\": [x, y, z]}",
            )
        });
    }
    if let Some(field) = fields.first(&["at", "coords", "position"]) {
        return position(&field).map(Place::At);
    }
    let Some(field) = fields.first(&["block", "mob", "entity", "item", "target"]) else {
        return Err(fields.missing("place", "a block, a mob or a position"));
    };
    let name = text(&field)?;
    let target = match (name.parse(), name.parse(), item_words::named(&name)) {
        (Ok(block), _, _) => Target::Block(block),
        (_, Ok(mob), _) => Target::Mob(mob),
        (_, _, Ok(item)) => Target::Source(item),
        (Err(_), Err(_), Err(unknown)) => {
            return Err(PlanFault {
                path: field.path,
                because: unknown.to_string(),
            });
        }
    };
    Ok(Place::Thing(target))
}

fn position(field: &Field<'_>) -> Result<Pos, PlanFault> {
    serde_json::from_value(field.value.clone()).map_err(|_| field.fault("[x, y, z]"))
}

fn window(fields: &mut Object<'_>) -> Result<Option<pithead_world::observation::Gui>, PlanFault> {
    let Some(field) = fields.get("gui") else {
        return Ok(None);
    };
    let known = serde_json::from_value(field.value.clone());
    known
        .map(Some)
        .map_err(|_| field.fault("inventory, crafting_table, furnace or chest"))
}

fn meter(fields: &mut Object<'_>) -> Result<FurnaceMeter, PlanFault> {
    let field = fields
        .get("meter")
        .ok_or_else(|| fields.missing("meter", "burn, cook or output"))?;
    serde_json::from_value(field.value.clone()).map_err(|_| field.fault("burn, cook or output"))
}

fn time(fields: &mut Object<'_>) -> Result<Check, PlanFault> {
    let window = match fields.get("window") {
        None => None,
        Some(field) => Some(day_window(&field)?),
    };
    let elapsed = fields
        .get("elapsed")
        .map(|field| whole(&field, 0, i64::MAX))
        .transpose()?;
    Ok(Check::WorldTime {
        window,
        elapsed: elapsed.map(i64::unsigned_abs),
    })
}

fn day_window(field: &Field<'_>) -> Result<(u32, u32), PlanFault> {
    let fault = || field.fault("[from, to] in ticks of the day");
    let Value::Array(ends) = field.value else {
        return Err(fault());
    };
    let [from, to] = ends.as_slice() else {
        return Err(fault());
    };
    let end = |value| {
        count(&Field {
            path: field.path.clone(),
            value,
        })
    };
    Ok((end(from)?, end(to)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::condition::arbitrary::checks;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_check_in_its_stored_form_needs_no_reader_of_its_own(check in checks()) {
            let value = serde_json::to_value(&check).unwrap();
            let mut fields = Object::new("", &value).unwrap();
            prop_assert_eq!(fields.stored_form("check", check.kind()), Some(check));
        }
    }
}
