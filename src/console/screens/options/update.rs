//! Update: what a message does on the list of options.

use crate::context::Context;
use crate::effect::Effect;
use crate::lists::update::update_list;
use crate::msg::Msg;
use crate::screens::options::state::OptionsSubject;

/// One message on the list.
pub(crate) fn update_options(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let subject = &mut context.shell.options;
    match msg {
        Msg::Circumstances => subject.by_circumstance = !subject.by_circumstance,
        Msg::AllOptions if subject.targets.is_empty() => {
            context.shell.say("these are the options of all items");
        }
        Msg::AllOptions => {
            *subject = OptionsSubject {
                by_circumstance: subject.by_circumstance,
                ..OptionsSubject::default()
            };
        }
        _ => return update_list(context, msg),
    }
    None
}
