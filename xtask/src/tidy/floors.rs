//! The table of floors: which modules of a package may use which.
//!
//! A file may name modules of its own floor and of the floors before it, never of a later one. A
//! new module is entered here, so that its place is a decision.

/// Stands for every module that the package's other floors do not name.
pub(crate) const REST: &str = "*";

/// A package whose modules stand on floors.
pub(crate) struct Package {
    /// Its source folder, with a slash at the end.
    pub(crate) folder: &'static str,
    /// The modules, lowest floor first. `lib.rs` stands above all of them.
    pub(crate) floors: &'static [&'static [&'static str]],
}

impl Package {
    /// The module of the root that a file belongs to, whose path is given from the source folder on.
    pub(crate) fn room(path: &str) -> &str {
        let first = path.split('/').next().unwrap_or(path);
        first.trim_end_matches(".rs")
    }

    /// The floor of a module, the lowest is 0.
    pub(crate) fn floor(&self, module: &str) -> Option<usize> {
        let holds = |word: &str| self.floors.iter().position(|floor| floor.contains(&word));
        holds(module).or_else(|| holds(REST))
    }
}

pub(crate) const PACKAGES: &[Package] = &[
    Package {
        folder: "src/",
        floors: &[
            &[
                "doubt", "error", "interop", "outcome", "park", "raw", "release", "state", "sync",
            ],
            &["runtime", "device", "context", "thread"],
            &["stream", "memory", "queue", "event", "scope", "peer"],
            &["op", "model", "media", "collective", "callback", "remedy"],
            &["auto_traits", "messages"],
        ],
    },
    // Below are the parts that know nothing of the C functions and can be tested alone.
    Package {
        folder: "emulator/src/",
        floors: &[
            &["config", "error", "handles", "ordered", "sync"],
            &["space"],
            &[REST],
        ],
    },
    Package {
        folder: "sys/src/",
        floors: &[
            &[
                "config",
                "parameter",
                "release",
                "status",
                "structs",
                "types",
            ],
            &["absent", "api", "functions", "link", "load", "operator"],
        ],
    },
    Package {
        folder: "xtask/src/",
        floors: &[
            &["error", "imports", "output"],
            &["process"],
            &["declarations", "files", "wheel"],
            &[
                "bench", "capi", "coverage", "headers", "linked", "msrv", "readme", "rules",
                "tidy", "ui",
            ],
            &["ci", "house", "suggestions"],
        ],
    },
    Package {
        folder: "ui-tests/src/",
        floors: &[
            &["area", "twin"],
            &["case"],
            &["cases", "package"],
            &["twins"],
        ],
    },
];
