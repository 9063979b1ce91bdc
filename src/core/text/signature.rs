//! Signatures: short stable names for what conditions and knowledge mean.
//!
//! Invariant: a signature depends on its text only, never on the machine or the program's version.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// 64 bits, written as 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature(pub u64);

impl Signature {
    /// The signature of a text that is already in its normal form (FNV-1a).
    #[must_use]
    pub fn from_normal_form(normal: &str) -> Self {
        let step =
            |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        Self(normal.bytes().fold(0xCBF2_9CE4_8422_2325, step))
    }
}

impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl std::str::FromStr for Signature {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || format!("`{text}` is not a signature of 16 hexadecimal digits");
        if text.len() != 16 {
            return Err(fault());
        }
        u64::from_str_radix(text, 16).map(Self).map_err(|_| fault())
    }
}

impl Serialize for Signature {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Signature {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}
