//! Hand-made attempts and the reason a knowledgeable person would give.
