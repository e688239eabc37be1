//! The check of the direction of copies.
//!
//! The kind of a copy is checked only if the places of both ends are certain: allocated device memory, page-locked
//! memory of the runtime, or memory of the host. Memory that the program registered is memory of the host for copies: the
//! manual of `aclrtHostRegister` gives its device address to kernels alone, and forbids it in copies. The emulator has one
//! address for both uses, so the kind tells which one the program means.

use std::sync::Arc;

use ascendcl_sys::{
    ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
    ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_HOST_TO_HOST, aclrtMemcpyKind,
};

use crate::space::{Location, space};

use super::finding::Mistake;
use super::site::Site;
use super::state::Checker;

/// The place of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Host,
    Device,
}

impl Side {
    /// Returns the place of memory. `None` if there is no memory.
    fn of(location: &Location) -> Option<Side> {
        match location {
            Location::Device(_, Some(_)) => Some(Side::Device),
            Location::Pageable | Location::Pinned(_, Some(_)) | Location::Registered(_) => {
                Some(Side::Host)
            }
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

/// Returns what memory is called in a text.
fn named(location: &Location) -> &'static str {
    match location {
        Location::Device(..) => "device memory",
        Location::Registered(_) => {
            "registered memory of the host, whose device address is for kernels alone"
        }
        _ => "host memory",
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
        let places = (space().locate(from), space().locate(to));
        let (Some(source), Some(destination)) = (Side::of(&places.0), Side::of(&places.1)) else {
            return;
        };
        if said == (source, destination) {
            return;
        }
        let text = format!(
            "{} was called with {kind:?}, but copies from {from:#x} ({}) to {to:#x} ({}), which is {:?}",
            site.call(),
            named(&places.0),
            named(&places.1),
            kind_for(source, destination),
        );
        self.find(
            Mistake::WrongDirection,
            text,
            vec![("copied", Arc::clone(site))],
        );
    }
}
