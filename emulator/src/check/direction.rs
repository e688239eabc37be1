//! The check of the direction of copies.
//!
//! The kind of a copy is checked only if the places of both ends are certain: allocated device memory, page-locked
//! memory of the runtime, or memory of the host alone. Memory that the program registered is both host and device
//! memory.

use std::sync::Arc;

use ascendcl_sys::{
    ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
    ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_HOST_TO_HOST, aclrtMemcpyKind,
};

use crate::space::{Location, space};

use super::finding::Mistake;
use super::model::Checker;
use super::site::Site;

/// The place of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Host,
    Device,
}

impl Side {
    /// Returns the place of memory. `None` if both places are right, or if there is no memory.
    fn of(location: &Location) -> Option<Side> {
        match location {
            Location::Device(_, Some(_)) => Some(Side::Device),
            Location::Pageable | Location::Pinned(_, Some(_)) => Some(Side::Host),
            _ => None,
        }
    }
}

/// Returns the places of source and destination that a kind names. `None` for the kind that depends on the addresses.
fn sides(kind: aclrtMemcpyKind) -> Option<(Side, Side)> {
    match kind {
        ACL_MEMCPY_HOST_TO_HOST => Some((Side::Host, Side::Host)),
        ACL_MEMCPY_HOST_TO_DEVICE | ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE => {
            Some((Side::Host, Side::Device))
        }
        ACL_MEMCPY_DEVICE_TO_HOST => Some((Side::Device, Side::Host)),
        ACL_MEMCPY_DEVICE_TO_DEVICE => Some((Side::Device, Side::Device)),
        _ => None,
    }
}

/// Returns the kind for two places.
fn kind_for(from: Side, to: Side) -> aclrtMemcpyKind {
    match (from, to) {
        (Side::Host, Side::Host) => ACL_MEMCPY_HOST_TO_HOST,
        (Side::Host, Side::Device) => ACL_MEMCPY_HOST_TO_DEVICE,
        (Side::Device, Side::Host) => ACL_MEMCPY_DEVICE_TO_HOST,
        (Side::Device, Side::Device) => ACL_MEMCPY_DEVICE_TO_DEVICE,
    }
}

impl Checker {
    /// Called before a copy is made or queued.
    pub(crate) fn directed(
        &mut self,
        kind: aclrtMemcpyKind,
        to: usize,
        from: usize,
        site: &Arc<Site>,
    ) {
        let Some(said) = sides(kind).filter(|_| !self.shared) else {
            return;
        };
        let (source, destination) = (space().locate(from), space().locate(to));
        let (Some(source), Some(destination)) = (Side::of(&source), Side::of(&destination)) else {
            return;
        };
        if said == (source, destination) {
            return;
        }
        let memory = |side| match side {
            Side::Host => "host memory",
            Side::Device => "device memory",
        };
        let text = format!(
            "{} was called with {kind:?}, but copies from {from:#x} ({}) to {to:#x} ({}), which is {:?}",
            site.call(),
            memory(source),
            memory(destination),
            kind_for(source, destination),
        );
        self.find(
            Mistake::WrongDirection,
            text,
            vec![("copied", Arc::clone(site))],
        );
    }
}
