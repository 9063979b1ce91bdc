//! Numbers as people read them: spans of world time, counts, pace.

use pithead_world::clock::TICKS_PER_SECOND;

/// World time in seconds or minutes, for example `42 s`, `2:05 min`.
#[must_use]
pub fn format_ticks(ticks: u64) -> String {
    format_seconds(ticks / TICKS_PER_SECOND)
}

/// Minutes and seconds as a clock shows them: `0:07`.
#[must_use]
pub fn format_clock(seconds: u64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Seconds, for example `42 s`, `2:05 min`, `1:02:05 h`.
#[must_use]
pub fn format_seconds(seconds: u64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, seconds) {
        (0, 0..100) => format!("{seconds} s"),
        (0, _) => format!("{minutes}:{rest:02} min"),
        _ => format!("{hours}:{minutes:02}:{rest:02} h"),
    }
}

/// A count with thousands apart, for example `12,000`.
#[must_use]
pub fn format_count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count with its noun, for example `1 entry` or `3 entries`.
#[must_use]
pub fn count_with_noun(n: impl TryInto<u64>, one: &str, more: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    let noun = if n == 1 { one } else { more };
    format!("{} {noun}", format_count(n))
}

/// A distance in whole blocks, for example `1 block` or `12 blocks`.
#[must_use]
pub fn format_blocks(blocks: f64) -> String {
    count_with_noun(blocks.round_ties_even() as u64, "block", "blocks")
}

/// How often, for example `once`, `3 times`.
#[must_use]
pub fn format_times(n: impl TryInto<u64>) -> String {
    match n.try_into().unwrap_or(u64::MAX) {
        1 => "once".to_owned(),
        n => format!("{} times", format_count(n)),
    }
}

/// `a, b, c and 5 more`: the first `max`, and how many there are besides.
#[must_use]
pub fn list_first(all: &[&str], max: usize) -> String {
    let (named, others) = all.split_at(all.len().min(max));
    let more = match others.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    named.join(", ") + &more
}

/// How fast the world passes.
#[must_use]
pub fn format_pace(times_realtime: f64) -> String {
    if times_realtime == 0.0 {
        "max".to_owned()
    } else if (times_realtime - 1.0).abs() < 1e-9 {
        "realtime".to_owned()
    } else {
        format!("×{times_realtime}")
    }
}

/// The world's clock: day and hour, for example `day 1 14:20`. Time 0 is sunrise at six.
#[must_use]
pub fn format_day_time(tick: u64, time: u32) -> String {
    // 1,000 ticks are an hour of the world; tick 0 is six in the morning.
    let minutes = (u64::from(time) * 60 / 1000 + 6 * 60) % (24 * 60);
    let day = tick / pithead_world::clock::TICKS_PER_DAY + 1;
    format!("day {day} {:02}:{:02}", minutes / 60, minutes % 60)
}

/// A bar of `width` columns, filled to the share.
#[must_use]
pub fn share_bar(share: f64, width: usize) -> String {
    // Eighths of a column, because block characters have that many widths.
    let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    let parts = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let (full, rest) = (eighths / 8, eighths % 8);
    let mut out = "█".repeat(full);
    if rest > 0 {
        out.push_str(parts[rest]);
    }
    // The width is the same for every share.
    let missing = width.saturating_sub(full + usize::from(rest > 0));
    out.extend(std::iter::repeat_n(' ', missing));
    out
}

/// Values as a line of blocks, the last `width` of them.
#[must_use]
pub fn sparkline(values: impl ExactSizeIterator<Item = f64> + Clone, width: usize) -> String {
    let steps = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let skip = values.len().saturating_sub(width);
    let shown = values
        .skip(skip)
        .map(|v| if v.is_finite() { v.max(0.0) } else { 0.0 });
    let top = shown.clone().fold(0.0, f64::max);
    let step = |v: f64| {
        if top > 0.0 {
            (v / top * 7.0).round() as usize
        } else {
            0
        }
    };
    shown.map(|v| steps[step(v).min(7)]).collect()
}

/// A measured value without needless digits.
#[must_use]
pub fn format_value(v: f64) -> String {
    if !v.is_finite() {
        "–".to_owned()
    } else if v == 0.0 {
        // Zero may come with a sign.
        "0".to_owned()
    } else if v == v.trunc() || v.abs() >= 100.0 {
        format!("{v:.0}")
    } else if v.abs() >= 10.0 {
        format!("{v:.1}")
    } else {
        format!("{v:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            (format_ticks(840), format_ticks(2500)),
            ("42 s".to_owned(), "2:05 min".to_owned())
        );
        assert_eq!(format_seconds(3725), "1:02:05 h");
        assert_eq!(
            (
                format_count(7),
                format_count(12_000),
                format_count(1_234_567)
            ),
            ("7".to_owned(), "12,000".to_owned(), "1,234,567".to_owned())
        );
        assert_eq!(
            (format_pace(0.0), format_pace(1.0), format_pace(8.0)),
            ("max".to_owned(), "realtime".to_owned(), "×8".to_owned())
        );
        assert_eq!(
            (format_day_time(0, 0), format_day_time(32_000, 8000)),
            ("day 1 06:00".to_owned(), "day 2 14:00".to_owned())
        );
        assert_eq!(
            (share_bar(0.5, 4), share_bar(0.0, 3), share_bar(2.0, 2)),
            ("██  ".to_owned(), "   ".to_owned(), "██".to_owned())
        );
        assert_eq!(sparkline([0.0, 1.0, 7.0].into_iter(), 8), "▁▂█");
        assert_eq!(sparkline([5.0, f64::NAN, 0.0].into_iter(), 2), "▁▁");
        assert_eq!(
            (
                format_value(0.25),
                format_value(14.0),
                format_value(f64::NAN)
            ),
            ("0.25".to_owned(), "14".to_owned(), "–".to_owned())
        );
    }

    #[test]
    fn a_long_list_is_cut_and_counted() {
        let all = ["k1.1", "k1.2", "k2.1", "k3.4"];
        assert_eq!(list_first(&all, 3), "k1.1, k1.2, k2.1 and 1 more");
        assert_eq!(list_first(&all[..3], 3), "k1.1, k1.2, k2.1");
        assert_eq!(list_first(&[], 3), "");
    }
}
