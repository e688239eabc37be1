//! Communicators of C: their handle, and the call that destroys them on their device.

use std::ffi::{CStr, c_char};
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::collective::claim::{self, Claim};
use crate::collective::product::Product;
use crate::collective::rank::check_rank;
use crate::device::{Core, Watched, current_context};
use crate::error::Result;
use crate::raw::{Handle, check};
use crate::release;

/// A communicator of one rank. Dropping it destroys it, on its device.
///
/// # Invariants
///
/// - `handle` is a live communicator of HCCL on the device of `core`, which nothing else destroys.
/// - `rank` is less than `size`, the number of ranks.
/// - When the value is dropped, no work of the communicator is unfinished.
#[derive(Debug)]
pub(super) struct RawComm {
    pub(super) handle: Handle,
    pub(super) core: Arc<Core>,
    pub(super) rank: u32,
    pub(super) size: u32,
    pub(super) product: Product,
    /// The name of the communicator in HCCL.
    pub(super) name: String,
    claim: Claim,
    is_destroyed: bool,
    /// The communicator of which this one is a part. It is destroyed after its parts.
    whole: Option<Arc<RawComm>>,
}

impl RawComm {
    /// Takes a communicator that a call has just made on the device of `core`, as the rank `rank` of `size`. Without a size it
    /// asks for it (`HcclGetRankSize`).
    pub(super) fn new(
        core: &Arc<Core>,
        handle: Handle,
        claim: Claim,
        (rank, size): (u32, Option<u32>),
        whole: Option<Arc<RawComm>>,
    ) -> Result<RawComm> {
        core.note_other_queues();
        // INVARIANT: the communicator was made now, and the caller gives the numbers with which it was made.
        let mut raw = RawComm {
            handle,
            core: Arc::clone(core),
            rank,
            size: size.unwrap_or(rank.saturating_add(1)),
            product: Product::current(),
            name: String::new(),
            claim,
            is_destroyed: false,
            whole,
        };
        if size.is_none() {
            raw.size = raw.read_size()?;
            check_rank(rank, raw.size)?;
        }
        raw.name = raw.read_name()?;
        Ok(raw)
    }

    /// Asks for the number of ranks (`HcclGetRankSize`).
    fn read_size(&self) -> Result<u32> {
        let mut size = 0;
        // SAFETY: a live communicator, and a place for a number.
        let code = unsafe { sys::HcclGetRankSize(self.raw(), &raw mut size) };
        check("HcclGetRankSize", code.0)?;
        Ok(size)
    }

    /// Asks for the name (`HcclGetCommName`).
    fn read_name(&self) -> Result<String> {
        let mut name = [0 as c_char; sys::COMM_NAME_MAX_LENGTH + 1];
        // SAFETY: a live communicator, and more room than the 128 bytes of a name. The last byte stays 0.
        let code = unsafe { sys::HcclGetCommName(self.raw(), name.as_mut_ptr()) };
        check("HcclGetCommName", code.0)?;
        // SAFETY: the text ends inside of the array.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) };
        Ok(name.to_string_lossy().into_owned())
    }

    pub(super) fn raw(&self) -> sys::HcclComm {
        self.handle.as_ptr()
    }

    pub(super) fn claim(&self) -> &Claim {
        &self.claim
    }

    /// Returns the text that names the rank and the communicator in messages.
    pub(super) fn about(&self) -> String {
        format!(
            "rank {} of {} of the communicator `{}`",
            self.rank, self.size, self.name
        )
    }

    /// Returns what a wait for a stream asks.
    pub(super) fn watched(&self) -> Watched {
        let call = "HcclGetCommAsyncError";
        // SAFETY: the function takes a live communicator, waits for nothing and calls nothing of this program (`hccl/hccl.h`).
        // The communicator leaves the list before it is destroyed (`close`).
        unsafe { Watched::new(self.handle, call, sys::HcclGetCommAsyncError) }
    }

    /// Destroys the communicator (`HcclCommDestroy`), and then the one of which it is the last part. Returns the first error.
    /// While another thread has communicators of the device, that thread does so later.
    pub(super) fn destroy(self) -> Result<()> {
        let Some(mut raw) = claim::take_over(self) else {
            return Ok(());
        };
        let destroyed = raw.close();
        let whole = raw.whole.take().and_then(Arc::into_inner);
        destroyed.and(whole.map_or(Ok(()), RawComm::destroy))
    }

    /// Enters that no thread has the communicator any more, and destroys the communicators that were left to this thread: it may
    /// have no other claim of the device to give back.
    pub(super) fn leave(&self) {
        destroy_left(self.claim.leave());
    }

    /// Forgets the communicator, which has ended with its device.
    pub(super) fn forget(mut self) {
        self.is_destroyed = true;
        if let Some(whole) = self.whole.take().and_then(Arc::into_inner) {
            whole.forget();
        }
    }

    /// Destroys the communicator, unless that was done. HCCL finds a communicator by the current device of the thread. So a
    /// thread that is bound to another device, or to none, lets another thread call.
    fn close(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.is_destroyed, true) {
            return Ok(());
        }
        let (core, handle) = (&self.core, self.handle);
        let destroy = move || {
            core.unwatch(handle);
            // SAFETY: a live communicator without unfinished work (invariant), whose device is current. The flag above
            // lets the call happen once.
            unsafe { sys::HcclCommDestroy(handle.as_ptr()) }.0
        };
        let code = if current_context().is_ok_and(|context| context == core.context()) {
            Ok(destroy())
        } else {
            core.elsewhere(move || Ok(destroy()))
        };
        let destroyed = code.and_then(|code| check("HcclCommDestroy", code));
        let destroyed = destroyed.map_err(|error| error.about(&self.about()));
        let left = match destroyed {
            Ok(()) => self.claim.release(),
            Err(_) => self.claim.keep(),
        };
        destroy_left(left);
        destroyed
    }
}

/// The communicator of a thread. It has no lifetime, so its drop does not need the binding of the thread.
pub(super) struct Hold(ManuallyDrop<Arc<RawComm>>);

impl Hold {
    pub(super) fn new(raw: Arc<RawComm>) -> Hold {
        Hold(ManuallyDrop::new(raw))
    }

    /// Destroys the communicator, or leaves it to a part that has it.
    pub(super) fn end(self) -> Result<()> {
        end(self.into_inner())
    }

    pub(super) fn into_inner(self) -> Arc<RawComm> {
        let mut hold = ManuallyDrop::new(self);
        // SAFETY: the value is never used or dropped again.
        unsafe { ManuallyDrop::take(&mut hold.0) }
    }
}

impl Deref for Hold {
    type Target = Arc<RawComm>;

    fn deref(&self) -> &Arc<RawComm> {
        &self.0
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // SAFETY: the value ends here.
        let raw = unsafe { ManuallyDrop::take(&mut self.0) };
        release::in_drop(end(raw));
    }
}

fn end(raw: Arc<RawComm>) -> Result<()> {
    match Arc::try_unwrap(raw) {
        Ok(raw) => raw.destroy(),
        Err(raw) => {
            raw.leave();
            // The last part may have ended meanwhile.
            Arc::into_inner(raw).map_or(Ok(()), RawComm::destroy)
        }
    }
}

/// Destroys the communicators that other threads have left to this one.
pub(super) fn destroy_left(left: Vec<RawComm>) {
    for raw in left {
        release::in_drop(raw.destroy());
    }
}

impl Drop for RawComm {
    fn drop(&mut self) {
        release::in_drop(self.close());
    }
}
