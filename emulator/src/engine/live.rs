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
///
/// Other threads may allocate and release meanwhile. What they hold for a part of this call is counted or not.
#[must_use]
pub fn live() -> Live {
    let engine = engine();
    let space = space();
    // Each block is looked at once: a block that ends between two looks would be missing in one of them only.
    let (mut device_blocks, mut host_blocks) = (0, 0);
    for (_, block) in space.blocks().live() {
        if space.host().is_some_and(|heap| heap.owns(block)) {
            host_blocks += 1;
        } else {
            device_blocks += 1;
        }
    }
    let contexts = engine.contexts.live().count();
    Live {
        device_blocks,
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
