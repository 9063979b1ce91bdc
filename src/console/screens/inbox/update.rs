//! Update: what a message does on the three lists of the inbox.

use crate::msg::{Effect, Msg};
use crate::screen::Screen;
use crate::screens::inbox::sheet;
use crate::screens::inbox::sheet::Sheet;
use crate::screens::inbox::{Act, alike};
use crate::shell::Cover;
use crate::update::{Hands, go, on_list};
use crate::widgets::table::Item;
use pithead_world::ids::{KnowledgeId, RunId};

/// One message on a list of the inbox.
pub fn on(hands: &mut Hands<'_>, msg: Msg) -> Option<Effect> {
    let item = hands.shell.item(hands.desk);
    match (msg, item) {
        (Msg::Open | Msg::Approve | Msg::Veto | Msg::Edit, Some(_))
            if hands.shell.screen == Screen::Inbox =>
        {
            open(hands, msg)
        }
        (Msg::Open, Some(Item::Past(run, seq))) => {
            let past = hands.desk.decisions.past(run, seq);
            match past.and_then(|past| past.about.entry()) {
                Some(id) => sheet::read(hands, vec![id]),
                None => sheet::open_undo(hands, run, seq),
            }
            None
        }
        (Msg::Open, Some(Item::Rule(kind))) => {
            sheet::open_rule(hands, kind, RunId(0));
            None
        }
        (Msg::Alike, Some(item)) => {
            mark_alike(hands, item);
            None
        }
        (Msg::Rule, Some(item)) => {
            rule(hands, item);
            None
        }
        (Msg::Undo, Some(Item::Past(run, seq))) => {
            sheet::open_undo(hands, run, seq);
            None
        }
        (Msg::Remove, Some(Item::Rule(kind))) => {
            if hands.desk.rules.0.contains_key(&kind) {
                hands.shell.cover = Cover::Inbox(Sheet::Forget(kind));
            } else {
                hands
                    .shell
                    .refuse("this is the program's own; nothing was saved about it");
            }
            None
        }
        (Msg::Decided, _) => {
            go(hands, Screen::Decided);
            None
        }
        (Msg::Rules, _) => {
            go(hands, Screen::Rules);
            None
        }
        _ => on_list(hands, msg),
    }
}

/// Opens what is marked, or selected: entries here, one question of a run on that run's screen.
fn open(hands: &mut Hands<'_>, msg: Msg) -> Option<Effect> {
    let (list, table) = hands.shell.list_with(hands.desk)?;
    let chosen = list.chosen(table);
    if let [Item::Question(run, decision)] = chosen[..] {
        return Some(Effect::Inbox(Act::Open { run, decision }));
    }
    let ids: Option<Vec<KnowledgeId>> = chosen.iter().map(|item| entry(*item)).collect();
    let Some(ids) = ids else {
        hands
            .shell
            .refuse("a question that blocks a run is read and answered alone; unmark it");
        return None;
    };
    // A clock stands while its question is read, and the run's own screen holds it.
    let clocked = ids.iter().find_map(|id| {
        let asked = hands.desk.decisions.about(*id)?;
        (asked.question.deadline.is_some() || asked.question.held.is_some()).then_some(asked)
    });
    match (clocked, ids.len()) {
        (Some(asked), 1) => {
            return Some(Effect::Inbox(Act::Open {
                run: asked.run,
                decision: asked.question.id,
            }));
        }
        (Some(asked), _) => {
            let because = format!(
                "{} of run {} answers by itself; open it alone",
                asked.question.id, asked.run
            );
            hands.shell.refuse(because);
            return None;
        }
        (None, _) => (),
    }
    sheet::read(hands, ids);
    if msg != Msg::Open {
        hands.shell.say("read it to its end, then a, e or v");
    }
    None
}

fn entry(item: Item) -> Option<KnowledgeId> {
    match item {
        Item::Entry(id) => Some(id),
        _ => None, // everything else is no entry
    }
}

fn mark_alike(hands: &mut Hands<'_>, item: Item) {
    let marks = alike(hands.desk, item);
    let n = marks.len();
    if let Some((list, _)) = hands.shell.list_with(hands.desk) {
        list.marks = marks.into_iter().collect();
    }
    if n > 1 {
        hands.shell.say(format!(
            "{n} alike are marked; enter reads them all, m unmarks one"
        ));
    } else {
        hands.shell.refuse("nothing that waits is like it");
    }
}

fn rule(hands: &mut Hands<'_>, item: Item) {
    let found = match item {
        Item::Rule(kind) => Some((kind, RunId(0))),
        Item::Entry(id) => sheet::kind_of(hands.desk, id).map(|kind| (kind, id.run)),
        Item::Question(run, id) => {
            let asked = hands.desk.decisions.asked(run, id);
            asked.map(|asked| (asked.question.kind, run))
        }
        _ => None, // no gate asks about anything else
    };
    match found {
        Some((kind, run)) => sheet::open_rule(hands, kind, run),
        None => hands.shell.refuse("no gate asks about this"),
    }
}
