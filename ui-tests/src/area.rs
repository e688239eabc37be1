//! The words of the areas, which are the same in every tree.

/// The areas of AscendCL: one word names the file or folder of an area in every tree.
///
/// `cargo xtask tidy` compares the trees and the documents with this list.
pub const AREAS: [&str; 14] = [
    "runtime",
    "device",
    "context",
    "stream",
    "event",
    "memory",
    "callback",
    "op",
    "kernel",
    "graph",
    "model",
    "media",
    "collective",
    "profiling",
];

/// The folder of the cases that are mistakes of public programs.
pub const REAL: &str = "real";

/// The folders that cases stand in: the areas, and [`REAL`].
pub fn folders() -> impl Iterator<Item = &'static str> {
    AREAS.into_iter().chain([REAL])
}
