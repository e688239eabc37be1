//! The words of the areas.

/// The areas of the API: one word names the file or folder of an area in every tree. The last one is
/// none of the API's: it holds mistakes that were found in public programs.
pub const AREAS: [&str; 12] = [
    "runtime",
    "device",
    "context",
    "stream",
    "event",
    "memory",
    "callback",
    "op",
    "model",
    "media",
    "collective",
    "real",
];
