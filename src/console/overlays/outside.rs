//! The text in the editor, handed to the operator's own.

use crate::effect::Effect;
use crate::shell::Shell;

/// The text goes to the operator's own editor, and comes back.
pub(crate) fn edit_outside(shell: &mut Shell) -> Option<Effect> {
    let open = shell.open_text()?;
    let (text, ending) = (open.text(), open.format.ending());
    Some(Effect::EditOutside { text, ending })
}
