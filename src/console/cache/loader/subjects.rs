//! Readings about one subject: the options of some items, a lineage, the live runs.

use super::{CacheWants, Reader};
use crate::cache::Loaded;
use crate::screen::Screen;
use crate::screens::options::state::OptionsReading;
use pithead_engine::runtime::lineage::Lineage;
use pithead_engine::runtime::option_table::read_options;

/// What was tried, if other items are asked about or the database has changed.
pub(super) fn options(reader: &mut Reader, wants: &CacheWants, changed: bool) -> Option<Loaded> {
    let is_told = reader.options.as_ref() == Some(&wants.options) && !changed;
    if wants.screen != Screen::Options || is_told {
        return None;
    }
    let records = read_options(reader.journal.as_ref()?, &wants.options.targets);
    reader.options = Some(wants.options.clone());
    Some(match records {
        Ok(records) => Loaded::Options(OptionsReading {
            subject: wants.options.clone(),
            records,
        }),
        Err(error) => Loaded::Fault(error.to_string()),
    })
}

/// The lineage, if it is another one or the database has changed.
pub(super) fn lineage(reader: &mut Reader, wants: &CacheWants, changed: bool) -> Option<Loaded> {
    let is_told = reader.lineage == wants.lineage && !changed;
    if wants.screen != Screen::Lineage || is_told {
        return None;
    }
    let subject = wants.lineage?;
    let found = Lineage::read(reader.journal.as_ref()?, subject);
    reader.lineage = Some(subject);
    Some(match found {
        Ok(found) => Loaded::Lineage(subject, found),
        Err(error) => Loaded::Fault(error.to_string()),
    })
}

/// Why attempts of the runs failed, if the database has changed since it was told.
pub(super) fn labels(reader: &mut Reader, wants: &CacheWants, changed: bool) -> Option<Loaded> {
    reader.labels_sent &= !changed;
    if wants.screen != Screen::Runs || reader.labels_sent {
        return None;
    }
    reader.labels_sent = true;
    Some(match reader.labels.read(reader.journal.as_ref()?) {
        Ok(labels) => Loaded::Labels(labels),
        Err(error) => Loaded::Fault(error.to_string()),
    })
}

/// What the live runs do, if anything has changed since it was told.
pub(super) fn wall(
    reader: &mut Reader,
    wants: &CacheWants,
    changed: Option<&Loaded>,
) -> Option<Loaded> {
    let Some(Loaded::Base { runs, .. }) = changed.filter(|_| wants.screen == Screen::Home) else {
        return None;
    };
    let told = reader.wall.read(reader.journal.as_ref()?, runs);
    Some(match told {
        Ok(wall) => Loaded::Wall(wall),
        Err(error) => Loaded::Fault(error.to_string()),
    })
}
