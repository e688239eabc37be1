//! The allocations that the checker tracks: the requested size, and the calls that allocated and freed the memory.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::ordered::Ordered;
use crate::space::heap::Maker;

use super::clock::StreamId;
use super::shadow::Shadow;
use super::site::Site;
use crate::results::list_of;

/// Maximum number of stored freed allocations. They distinguish a second free from the free of an invalid address.
const REMEMBERED: usize = 10_000;

/// A live allocation.
#[derive(Debug)]
pub(super) struct Block {
    /// The requested size in bytes. The program must not use the padding of the allocator.
    pub(super) size: usize,
    pub(super) kind: Maker,
    /// The device, if it is device memory.
    pub(super) device: Option<u32>,
    pub(super) allocated: Arc<Site>,
    pub(super) shadow: Shadow,
}

/// A freed allocation.
#[derive(Debug, Clone)]
pub(super) struct Freed {
    pub(super) size: usize,
    pub(super) allocated: Arc<Site>,
    pub(super) freed: Arc<Site>,
    /// The task that has freed it, where that is one of a stream.
    pub(super) by: Option<(StreamId, u64)>,
}

/// All allocations.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    live: Ordered<Block>,
    freed: Ordered<Freed>,
}

/// The allocation at a range of addresses.
#[derive(Debug)]
pub(super) enum Found<'a> {
    /// The range lies inside this allocation, from this offset on.
    Inside(usize, &'a mut Block),
    /// The range begins in this allocation, at this offset, and ends after it.
    Beyond(usize, &'a Block),
    /// The range begins in an allocation that was freed.
    Freed(usize, &'a Freed),
    /// No allocation is known.
    Nothing,
}

impl Blocks {
    /// Records an allocation.
    pub(super) fn insert(&mut self, address: usize, block: Block) {
        let end = address + block.size.max(1);
        while let Some((start, freed)) = self.freed.below(end)
            && start + freed.size > address
        {
            self.freed.remove(start);
        }
        self.live.insert(address, block);
    }

    /// Returns the allocation that starts at an address.
    pub(super) fn at(&self, address: usize) -> Option<&Block> {
        self.live.get(address)
    }

    /// Returns the freed allocation that started at an address.
    pub(super) fn freed_at(&self, address: usize) -> Option<&Freed> {
        self.freed.get(address)
    }

    /// Records a free by a call.
    pub(super) fn remove(&mut self, address: usize, freed: &Arc<Site>) {
        self.remove_by(address, freed, None);
    }

    /// Records a free, by a task if it is one.
    pub(super) fn remove_by(
        &mut self,
        address: usize,
        freed: &Arc<Site>,
        by: Option<(StreamId, u64)>,
    ) {
        let Some(block) = self.live.remove(address) else {
            return;
        };
        if self.freed.len() >= REMEMBERED {
            self.freed.pop_first();
        }
        let gone = Freed {
            size: block.size,
            allocated: block.allocated,
            freed: Arc::clone(freed),
            by,
        };
        self.freed.insert(address, gone);
    }

    /// Returns the addresses of the allocations of a device.
    pub(super) fn of_device(&self, device: u32) -> Vec<usize> {
        list_of(
            self.live
                .iter()
                .filter(|(_, block)| block.device == Some(device))
                .map(|(start, _)| start),
        )
    }

    /// Returns all live allocations, in the order of their addresses.
    pub(super) fn live(&self) -> impl Iterator<Item = (usize, &Block)> {
        self.live.iter()
    }

    /// Returns all live allocations, in no order.
    pub(super) fn live_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        self.live.values_mut()
    }

    /// Returns the allocation at a range.
    pub(super) fn find(&mut self, range: &Range<usize>) -> Found<'_> {
        let live = self.live.up_to_mut(range.start);
        if let Some((start, block)) = live
            && range.start < start + block.size
        {
            return if range.end <= start + block.size {
                Found::Inside(range.start - start, block)
            } else {
                Found::Beyond(start, block)
            };
        }
        let freed = self.freed.up_to(range.start);
        match freed.filter(|(start, freed)| range.start < start + freed.size) {
            Some((start, freed)) => Found::Freed(start, freed),
            None => Found::Nothing,
        }
    }
}

/// Writes the kind of the memory.
impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.device) {
            (Maker::Object, _) => f.write_str("an object"),
            (Maker::Host, _) => f.write_str("page-locked host memory"),
            (_, Some(device)) => write!(f, "memory of device {device}"),
            (_, None) => f.write_str("device memory"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(size: usize) -> Block {
        Block {
            size,
            kind: Maker::Device,
            device: Some(0),
            allocated: Site::here("aclrtMalloc"),
            shadow: Shadow::new(size, false),
        }
    }

    #[test]
    fn an_address_leads_to_what_lies_there() {
        let mut blocks = Blocks::default();
        blocks.insert(0x1000, block(100));
        assert!(matches!(
            blocks.find(&(0x1000..0x1064)),
            Found::Inside(0, _)
        ));
        assert!(matches!(
            blocks.find(&(0x1010..0x1020)),
            Found::Inside(16, _)
        ));
        assert!(matches!(
            blocks.find(&(0x1010..0x1065)),
            Found::Beyond(0x1000, _)
        ));
        assert!(matches!(blocks.find(&(0x1064..0x1065)), Found::Nothing));
        blocks.remove(0x1000, &Site::here("aclrtFree"));
        assert!(matches!(
            blocks.find(&(0x1010..0x1020)),
            Found::Freed(0x1000, _)
        ));
        assert!(blocks.freed_at(0x1000).is_some());
        blocks.insert(0x1040, block(4096));
        assert!(matches!(blocks.find(&(0x1010..0x1020)), Found::Nothing));
        assert_eq!(blocks.of_device(0), [0x1040]);
    }
}
