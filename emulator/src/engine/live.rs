//! The number of objects that exist.

use crate::engine::engine;
use crate::space::space;

/// The number of allocations and objects that exist, each of which the program or a reset has to release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Live {
    /// Allocations of device memory, media memory included.
    pub device_blocks: usize,
    /// Allocations of page-locked host memory.
    pub host_blocks: usize,
    /// Streams that the program created.
    pub streams: usize,
    /// Events that the program created.
    pub events: usize,
    /// Contexts, those of `aclrtSetDevice` included.
    pub contexts: usize,
}

/// Returns the number of allocations and objects that exist, for leak tests.
#[must_use]
pub fn live() -> Live {
    let engine = engine();
    let blocks = space().blocks();
    let host_blocks = space().host().map_or(0, |heap| heap.live(blocks));
    let contexts = engine.contexts.live().count();
    Live {
        device_blocks: blocks.live().count() - host_blocks,
        host_blocks,
        streams: engine
            .streams
            .live()
            .filter(|(_, stream)| !stream.is_default())
            .count(),
        events: engine.events.live().count(),
        contexts,
    }
}
