//! Notifies (`acl/acl_rt.h`): signals from one stream to another. A wait consumes the signal.
//!
//! A notify is an event with a flag, and only a notify has the handle of the event. A record sets the flag. A wait
//! waits for the flag and then resets it. `exported` has what processes share.

use std::ptr;
use std::slice;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_INVALID_HANDLE, ACL_NOTIFY_DEFAULT,
    ACL_NOTIFY_DEVICE_USE_ONLY, ACL_SUCCESS, aclError, aclrtEvent, aclrtNotify, aclrtStream,
};

use super::exported;
use crate::check;
use crate::engine::current::current;
use crate::error::fail;
use crate::event;
use crate::handles::registry::Registry;
use crate::object_calls::{attempt, invalid_below, not_null};
use crate::space::pages::Pages;

/// A notify.
#[derive(Debug, Clone)]
pub(super) enum Notify {
    /// A notify of this process: the address of its event.
    Own(usize),
    /// A notify of another process: the file with its signal.
    Imported(Arc<Pages>),
}

static NOTIFIES: Registry<Notify> = Registry::new(0x4e);

/// Registers a notify.
pub(super) fn insert(notify: Notify) -> aclrtNotify {
    NOTIFIES
        .insert(notify)
        .map_or(ptr::null_mut(), ptr::without_provenance_mut)
}

fn find(call: &str, notify: aclrtNotify) -> Result<Notify, aclError> {
    not_null(call, "notify", notify)?;
    NOTIFIES
        .get(notify.addr())
        .ok_or_else(|| stale(call, notify))
}

/// Returns the event of a notify of this process. Only its process waits for a notify and takes signals back (manual);
/// the code for others is an assumption.
pub(super) fn own(call: &str, notify: aclrtNotify) -> Result<aclrtEvent, aclError> {
    match find(call, notify)? {
        Notify::Own(event) => Ok(ptr::without_provenance_mut(event)),
        Notify::Imported(_) => Err(fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "{call} failed: {notify:p} is a notify of another process, and can only be recorded here"
            ),
        )),
    }
}

#[cold]
fn stale(call: &str, notify: aclrtNotify) -> aclError {
    check::tell(call, &|checker, site| {
        checker.stale("notify", notify.addr(), site);
    });
    fail(
        ACL_ERROR_RT_INVALID_HANDLE,
        format_args!("{call} failed: {notify:p} is no notify, or was destroyed already"),
    )
}

pub(crate) unsafe extern "C" fn aclrtCreateNotify(notify: *mut aclrtNotify, flag: u64) -> aclError {
    let call = "aclrtCreateNotify";
    attempt!(not_null(call, "notify", notify));
    if flag == ACL_NOTIFY_DEVICE_USE_ONLY {
        return fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!("{call} failed: no device of the emulator signals by itself; pass 0"),
        );
    }
    if flag != ACL_NOTIFY_DEFAULT {
        return invalid_below(
            call,
            format_args!("flag is {flag:#x}; pass ACL_NOTIFY_DEFAULT (0)"),
        );
    }
    let mut event = ptr::null_mut();
    let code = event::create_flag(call, &mut event);
    if code != ACL_SUCCESS {
        return code;
    }
    let handle = insert(Notify::Own(event.addr()));
    check::tell(call, &|checker, site| {
        checker.notify_created(handle.addr(), event.addr(), site);
    });
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { notify.write(handle) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtDestroyNotify(notify: aclrtNotify) -> aclError {
    let call = "aclrtDestroyNotify";
    attempt!(not_null(call, "notify", notify));
    match current(call).and_then(|_| find(call, notify)) {
        Ok(found) if NOTIFIES.remove(notify.addr()) => match found {
            Notify::Own(event) => {
                exported::forget(notify.addr());
                let event = ptr::without_provenance_mut(event);
                event::destroy(call, event, notify.addr())
            }
            Notify::Imported(_) => {
                check::tell(call, &|checker, site| {
                    checker.destroyed(notify.addr(), &site);
                });
                ACL_SUCCESS
            }
        },
        Ok(_) => stale(call, notify),
        Err(code) => code,
    }
}

pub(crate) unsafe extern "C" fn aclrtRecordNotify(
    notify: aclrtNotify,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtRecordNotify";
    match find(call, notify) {
        Ok(Notify::Own(event)) => signal(call, || {
            event::record(call, ptr::without_provenance_mut(event), stream)
        }),
        Ok(Notify::Imported(pages)) => exported::record(call, pages, stream),
        Err(code) => code,
    }
}

pub(crate) unsafe extern "C" fn aclrtWaitAndResetNotify(
    notify: aclrtNotify,
    stream: aclrtStream,
    timeout: u32,
) -> aclError {
    let call = "aclrtWaitAndResetNotify";
    let event = attempt!(own(call, notify));
    let seconds = i32::try_from(timeout).unwrap_or(i32::MAX);
    signal(call, || {
        match event::wait(call, stream, event, Some(seconds)) {
            ACL_SUCCESS => event::reset(call, event, stream),
            code => code,
        }
    })
}

/// Makes a call about a signal, and tells the checker where it stands.
fn signal(call: &str, make: impl FnOnce() -> aclError) -> aclError {
    check::tell(call, &|checker, site| checker.signal_begins(site));
    let code = make();
    check::note(&|checker| checker.signal_ends());
    code
}

pub(crate) unsafe extern "C" fn aclrtGetNotifyId(
    notify: aclrtNotify,
    notifyId: *mut u32,
) -> aclError {
    let call = "aclrtGetNotifyId";
    attempt!(not_null(call, "notifyId", notifyId));
    attempt!(find(call, notify));
    // The number is the slot of the handle; no other live notify has this slot.
    // SAFETY: not null; the caller ensures that it is valid for a write.
    unsafe { notifyId.write(notify.addr() as u32) };
    ACL_SUCCESS
}

/// Takes the signals back that no wait has consumed. The runtime does this at once and not in a stream (sources of
/// CANN), so the program waits for the streams first.
pub(crate) unsafe extern "C" fn aclrtNotifyBatchReset(
    notifies: *mut aclrtNotify,
    num: usize,
) -> aclError {
    let call = "aclrtNotifyBatchReset";
    attempt!(not_null(call, "notifies", notifies));
    if num == 0 {
        return invalid_below(call, format_args!("num is 0; pass at least one notify"));
    }
    // SAFETY: not null; the caller's contract: `num` notifies.
    let notifies = unsafe { slice::from_raw_parts(notifies, num) };
    let events: Result<Vec<_>, _> = notifies.iter().map(|&one| own(call, one)).collect();
    let cleared = events.and_then(|events| {
        current(call)?;
        events
            .into_iter()
            .try_for_each(|one| event::clear(call, one))
    });
    cleared.err().unwrap_or(ACL_SUCCESS)
}
