//! Subgoal ids as PlanJSON writes them: `sg_009`, alone, in lists, or left out.

use pithead_world::ids::SubgoalId;
use serde::{Deserialize, Deserializer, Serializer};

fn written(id: SubgoalId) -> String {
    format!("sg_{:03}", id.0)
}

/// `"sg_009"`.
pub mod id {
    use super::{Deserialize, Deserializer, Serializer, SubgoalId, written};

    pub fn serialize<S: Serializer>(id: &SubgoalId, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&written(*id))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<SubgoalId, D::Error> {
        String::deserialize(d)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// `["sg_001", "sg_002"]`.
pub mod ids {
    use super::{Deserialize, Deserializer, Serializer, SubgoalId, written};

    pub fn serialize<S: Serializer>(ids: &[SubgoalId], s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(ids.iter().map(|id| written(*id)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<SubgoalId>, D::Error> {
        let texts = Vec::<String>::deserialize(d)?;
        texts
            .iter()
            .map(|t| t.parse().map_err(serde::de::Error::custom))
            .collect()
    }
}

/// `"sg_009"` or nothing.
pub mod maybe_id {
    use super::{Deserialize, Deserializer, Serializer, SubgoalId, written};

    #[allow(clippy::ref_option)] // the signature serde asks for
    pub fn serialize<S: Serializer>(id: &Option<SubgoalId>, s: S) -> Result<S::Ok, S::Error> {
        match id {
            Some(id) => s.serialize_str(&written(*id)),
            None => s.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<SubgoalId>, D::Error> {
        Option::<String>::deserialize(d)?
            .map(|t| t.parse().map_err(serde::de::Error::custom))
            .transpose()
    }
}
