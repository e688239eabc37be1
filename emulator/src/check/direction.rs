//! Copies with another direction than their addresses have.
//!
//! A kind is judged only where both ends are known for certain: allocated device memory, page-locked memory of
//! the runtime, or memory that is the host's own. Memory that the program registered is both.

use std::sync::Arc;

use ascendcl_sys::{
    ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
    ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_HOST_TO_HOST, aclrtMemcpyKind,
};

use crate::space::{Location, space};

use super::finding::Mistake;
use super::model::Checker;
use super::site::Site;

/// Where memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Host,
    Device,
}

impl Side {
    /// `None` where both would be right, and where nothing is.
    fn of(location: &Location) -> Option<Side> {
        match location {
            Location::Device(_, Some(_)) => Some(Side::Device),
            Location::Pageable | Location::Pinned(_, Some(_)) => Some(Side::Host),
            _ => None,
        }
    }
}

/// Where a kind has the source and the destination; `None` for the kind that leaves it to the addresses.
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

/// The kind for two places.
fn kind_for(from: Side, to: Side) -> aclrtMemcpyKind {
    match (from, to) {
        (Side::Host, Side::Host) => ACL_MEMCPY_HOST_TO_HOST,
        (Side::Host, Side::Device) => ACL_MEMCPY_HOST_TO_DEVICE,
        (Side::Device, Side::Host) => ACL_MEMCPY_DEVICE_TO_HOST,
        (Side::Device, Side::Device) => ACL_MEMCPY_DEVICE_TO_DEVICE,
    }
}

impl Checker {
    /// A copy is about to be made or queued.
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
            "{} was told {kind:?}, and copies from {from:#x} ({}) to {to:#x} ({}), which is {:?}",
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
