//! Moments of wall time as people read them, in the zone of whoever looks.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use pithead_world::clock::Millis;

/// The zone of whoever looks; in tests that of nobody.
#[derive(Debug, Clone)]
pub struct Zone(TimeZone);

impl Default for Zone {
    fn default() -> Self {
        Self(TimeZone::UTC)
    }
}

impl Zone {
    /// That of this machine.
    #[must_use]
    pub fn of_system() -> Self {
        Self(TimeZone::system())
    }
}

/// `2026-11-23 12:05`; what is no moment of a calendar is told in milliseconds.
#[must_use]
pub fn moment(at: Millis, zone: &Zone) -> String {
    let ms = i64::try_from(at.0).unwrap_or(i64::MAX);
    let zoned = Timestamp::from_millisecond(ms).map(|at| at.to_zoned(zone.0.clone()));
    zoned.map_or_else(
        |_| format!("{} ms", at.0),
        |zoned| zoned.strftime("%Y-%m-%d %H:%M").to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_told_in_the_zone_of_the_reader() {
        let at = Millis(1_700_000_000_000);
        assert_eq!(moment(at, &Zone::default()), "2023-11-14 22:13");
        let east = Zone(TimeZone::fixed(jiff::tz::offset(2)));
        assert_eq!(moment(at, &east), "2023-11-15 00:13");
        assert_eq!(
            moment(Millis(u64::MAX), &Zone::default()),
            format!("{} ms", u64::MAX)
        );
    }
}
