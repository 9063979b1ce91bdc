//! Bounds: a number compared with a fixed one, for example `>= 8`. The text form is the stored form.

/// `>= 8`, `> 8`, `<= 8`, `< 8` or `= 8`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    sign: Sign,
    value: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Least,
    Above,
    Most,
    Below,
    Equal,
}

/// Longer signs first, so that `>=` is not read as `>`.
const SIGNS: [(&str, Sign); 5] = [
    (">=", Sign::Least),
    (">", Sign::Above),
    ("<=", Sign::Most),
    ("<", Sign::Below),
    ("=", Sign::Equal),
];

impl Bound {
    #[must_use]
    pub fn holds(self, given: f64) -> bool {
        match self.sign {
            Sign::Least => given >= self.value,
            Sign::Above => given > self.value,
            Sign::Most => given <= self.value,
            Sign::Below => given < self.value,
            // Whole numbers and shares as typed; both are exact or were written alike.
            Sign::Equal => (given - self.value).abs() < 1e-9,
        }
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = SIGNS.iter().find(|(_, sign)| *sign == self.sign);
        write!(f, "{} {}", sign.map_or("=", |(text, _)| text), self.value)
    }
}

impl std::str::FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault =
            || format!("`{text}` is no bound; write for example \">= 8\", \"< 16\" or \"= 1\"");
        let trimmed = text.trim();
        let (sign, rest) = SIGNS
            .iter()
            .find_map(|(sign, kind)| Some((*kind, trimmed.strip_prefix(sign)?)))
            .ok_or_else(fault)?;
        let value: f64 = rest.trim().parse().map_err(|_| fault())?;
        if !value.is_finite() {
            return Err(fault());
        }
        Ok(Self { sign, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_read_write_and_hold() {
        for (text, below, at, above) in [
            (">= 8", false, true, true),
            ("> 8", false, false, true),
            ("<= 8", true, true, false),
            ("< 8", true, false, false),
            ("= 8", false, true, false),
        ] {
            let bound: Bound = text.parse().unwrap();
            assert_eq!(bound.to_string(), text);
            let held = [7.5, 8.0, 8.5].map(|given| bound.holds(given));
            assert_eq!(held, [below, at, above], "{text}");
        }
        assert_eq!("<-16".parse::<Bound>().unwrap().to_string(), "< -16");
        for text in ["8", "", ">=", "> many", "!= 3", "< inf", "< NaN"] {
            let fault = text.parse::<Bound>().unwrap_err();
            assert!(fault.contains("for example"), "{text}: {fault}");
        }
    }
}
