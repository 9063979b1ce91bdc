//! Whole pictures of small scenes.

