//! The sources of the side process, carried in the program, so that one file is enough to install it.

/// Name and text of every file of the side process.
pub(crate) const FILES: [(&str, &str); 30] = [
    ("package.json", include_str!("bridge/package.json")),
    (
        "package-lock.json",
        include_str!("bridge/package-lock.json"),
    ),
    ("actions.js", include_str!("bridge/actions.js")),
    ("breeding.js", include_str!("bridge/breeding.js")),
    ("building.js", include_str!("bridge/building.js")),
    ("combining.js", include_str!("bridge/combining.js")),
    ("failure.js", include_str!("bridge/failure.js")),
    ("fighting.js", include_str!("bridge/fighting.js")),
    ("fishing.js", include_str!("bridge/fishing.js")),
    ("frames.js", include_str!("bridge/frames.js")),
    ("garden.js", include_str!("bridge/garden.js")),
    ("growing.js", include_str!("bridge/growing.js")),
    ("handling.js", include_str!("bridge/handling.js")),
    ("improving.js", include_str!("bridge/improving.js")),
    ("keep_safe.js", include_str!("bridge/keep_safe.js")),
    ("main.js", include_str!("bridge/main.js")),
    ("making.js", include_str!("bridge/making.js")),
    ("mining.js", include_str!("bridge/mining.js")),
    ("moving.js", include_str!("bridge/moving.js")),
    ("reach.js", include_str!("bridge/reach.js")),
    ("server_clock.js", include_str!("bridge/server_clock.js")),
    ("server_list.js", include_str!("bridge/server_list.js")),
    ("session.js", include_str!("bridge/session.js")),
    ("shelter.js", include_str!("bridge/shelter.js")),
    ("sight.js", include_str!("bridge/sight.js")),
    ("sign_in.js", include_str!("bridge/sign_in.js")),
    ("stations.js", include_str!("bridge/stations.js")),
    ("trading.js", include_str!("bridge/trading.js")),
    ("wire.js", include_str!("bridge/wire.js")),
    ("work.js", include_str!("bridge/work.js")),
];

/// The file that Node runs.
pub(crate) const MAIN: &str = "main.js";
