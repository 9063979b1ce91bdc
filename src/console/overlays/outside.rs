//! The text in the editor: handed to the operator's own, taken back, written in its other form.

use crate::effect::Effect;
use crate::msg::TextMsg;
use crate::shell::Shell;
use crate::widgets::editor::TextFormat;

/// The text goes to the operator's own editor, and comes back.
pub(crate) fn edit_outside(shell: &mut Shell) -> Option<Effect> {
    let open = shell.open_text()?;
    let (text, ending) = (open.text(), open.ending());
    Some(Effect::EditOutside { text, ending })
}

/// A message about the text itself, whoever it belongs to.
pub(crate) fn update_text(shell: &mut Shell, what: TextMsg) {
    let Some(open) = shell.open_text() else {
        return;
    };
    let told = match what {
        TextMsg::SwitchForm if open.format != TextFormat::Plan => {
            Err("only a plan has another form")
        }
        // A fault tells itself.
        TextMsg::SwitchForm => open.switch_form().map_or(Ok(None), |word| Ok(Some(word))),
        TextMsg::Undo if !open.undo(false) => Err("there is no change to take back"),
        TextMsg::Redo if !open.undo(true) => Err("there is nothing to make again"),
        TextMsg::ToFault if !open.go_to_fault() => Err("there is no fault with a place"),
        TextMsg::Undo | TextMsg::Redo | TextMsg::ToFault => Ok(None),
    };
    match told {
        Ok(Some(word)) => shell.say(word),
        Ok(None) => (),
        Err(because) => shell.refuse(because),
    }
}
