//! Contexts, and the current context of each thread (`acl/acl_rt.h`). The type is in `engine/context.rs`.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::Ordering;

use ascendcl_sys::{
    ACL_ERROR_RT_CONTEXT_NULL, ACL_ERROR_RT_NO_STREAM_RESOURCE, ACL_SUCCESS, aclError,
    aclrtContext, aclrtStream,
};

use crate::callback::forget_stream;
use crate::check;
use crate::engine::context::Context;
use crate::engine::current::{choose, current};
use crate::engine::device::{self, Device, DeviceState};
use crate::engine::drive::drive;
use crate::engine::engine;
use crate::engine::life::create;
use crate::engine::queue::Stream;
use crate::engine::submit;
use crate::error::fail;
use crate::graph;
use crate::handles::slots::{Found, Slot, handle};
use crate::object_calls::{attempt, invalid, invalid_below, not_null};
use crate::observe::inject;
use crate::results::list_of;
use crate::stream::watchers;
use crate::sync::lock;

/// Creates a context with its default stream. The caller holds the device's lock.
pub(crate) fn open(
    call: &str,
    id: u32,
    device: &Device,
    held: &mut DeviceState,
    primary: bool,
) -> Result<aclrtContext, aclError> {
    let full = || {
        fail(
            ACL_ERROR_RT_NO_STREAM_RESOURCE,
            format_args!("{call} failed: device {id} has no stream left; destroy one"),
        )
    };
    let Some((index, context)) = engine().contexts.take() else {
        return Err(full());
    };
    context.device.store(id, Ordering::Relaxed);
    context.primary.store(primary, Ordering::Relaxed);
    context.failure.store(ACL_SUCCESS, Ordering::Relaxed);
    device.begin(id, held);
    let generation = context.generation.load(Ordering::Relaxed) + 1;
    let Some((stream_index, stream)) = device.take_stream(held) else {
        device.end(id, held);
        engine().contexts.put(index);
        return Err(full());
    };
    stream.default.store(true, Ordering::Relaxed);
    let stream_generation = create(stream, (index, generation), 0, 0);
    check::note(&|checker| {
        let made = handle::<Context>(index, generation).addr();
        checker.default_stream(stream.slot(), id, (!primary).then_some(made));
    });
    context
        .default_stream
        .store(stream_index, Ordering::Relaxed);
    *lock(&context.streams) = vec![(stream_index, stream_generation)];
    context.generation.store(generation, Ordering::Release);
    Ok(handle::<Context>(index, generation))
}

/// Waits for the context's tasks and destroys the context with its streams. Returns false if another thread destroys
/// it.
pub(crate) fn close(context: &'static Context, index: u32, generation: u32) -> bool {
    if context.is(generation) {
        watchers::context_ending(context);
    }
    let streams = {
        // The lock orders this with `adopt`: afterwards no stream can be added.
        let mut streams = lock(&context.streams);
        let closed = context.generation.compare_exchange(
            generation,
            generation + 1,
            Ordering::AcqRel,
            Ordering::Relaxed,
        );
        if closed.is_err() {
            return false;
        }
        std::mem::take(&mut *streams)
    };
    graph::forget_context((index, generation));
    let id = context.device.load(Ordering::Relaxed);
    let found = streams.iter().filter_map(|(index, generation)| {
        engine()
            .streams
            .at(*index)
            .map(|stream| (stream, *index, *generation))
    });
    // First all streams stop accepting tasks, then all of them end: they may wait for each other.
    let closing = list_of(found.filter(|(stream, _, generation)| stream.close(*generation)));
    let call = "the end of a context";
    if !inject::has_lost_device() {
        check::tell(call, &|checker, site| {
            let slots = list_of(closing.iter().map(|(stream, ..)| stream.slot()));
            checker.ending(&slots, &site);
        });
    }
    for (stream, stream_index, stream_generation) in &closing {
        let submitted = stream.submitted();
        let _ = drive(stream, submitted, None);
        check::tell(call, &|checker, site| {
            checker.synchronised(stream.slot(), submitted);
            let handle = handle::<Stream>(*stream_index, *stream_generation);
            checker.ended_with_context(handle.addr(), &site);
        });
        forget_stream(stream);
    }
    check::tell(call, &|checker, site| {
        checker.destroyed(handle::<Context>(index, generation).addr(), &site);
    });
    if let Some(device) = engine().devices.get(id as usize) {
        let mut held = device.lock();
        for (_, index, _) in &closing {
            device.put_stream(&mut held, *index);
        }
        device.end(id, &mut held);
    }
    engine().contexts.put(index);
    true
}

pub(crate) unsafe extern "C" fn aclrtCreateContext(
    context: *mut aclrtContext,
    deviceId: i32,
) -> aclError {
    let call = "aclrtCreateContext";
    attempt!(not_null(call, "context", context));
    let Some((id, device)) = device::find(deviceId) else {
        return device::unknown(call, i64::from(deviceId));
    };
    let opened = open(call, id, device, &mut device.lock(), false);
    match opened {
        Err(code) => code,
        Ok(handle) => {
            check::tell(call, &|checker, site| {
                checker.created(handle.addr(), "context", site);
            });
            choose(handle, -1);
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { context.write(handle) };
            watchers::context_created(handle);
            ACL_SUCCESS
        }
    }
}

pub(crate) unsafe extern "C" fn aclrtDestroyContext(context: aclrtContext) -> aclError {
    let call = "aclrtDestroyContext";
    attempt!(not_null(call, "context", context));
    let refused = |why: &str| {
        fail(
            ACL_ERROR_RT_CONTEXT_NULL,
            format_args!("{call} failed: context {context:p} {why}"),
        )
    };
    match engine().contexts.find(context) {
        Found::Garbage => unknown(call, context),
        Found::Stale => {
            check::tell(call, &|checker, site| {
                checker.stale("context", context.addr(), site);
            });
            refused("was destroyed before")
        }
        Found::Live { slot, .. } if slot.primary.load(Ordering::Relaxed) => {
            refused("is the default one of its device; aclrtResetDevice ends it")
        }
        Found::Live {
            slot,
            index,
            generation,
        } => {
            attempt!(submit::no_end_inside(call));
            if close(slot, index, generation) {
                ACL_SUCCESS
            } else {
                refused("is being destroyed by another thread")
            }
        }
    }
}

pub(crate) unsafe extern "C" fn aclrtSetCurrentContext(context: aclrtContext) -> aclError {
    let call = "aclrtSetCurrentContext";
    attempt!(not_null(call, "context", context));
    match engine().contexts.find(context) {
        Found::Live { .. } => {
            choose(context, -1);
            ACL_SUCCESS
        }
        Found::Stale | Found::Garbage => unknown(call, context),
    }
}

pub(crate) unsafe extern "C" fn aclrtGetCurrentContext(context: *mut aclrtContext) -> aclError {
    let call = "aclrtGetCurrentContext";
    attempt!(not_null(call, "context", context));
    match current(call) {
        Err(code) => code,
        Ok(current) => {
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { context.write(current.handle()) };
            ACL_SUCCESS
        }
    }
}

pub(crate) unsafe extern "C" fn aclrtCtxGetCurrentDefaultStream(
    stream: *mut aclrtStream,
) -> aclError {
    let call = "aclrtCtxGetCurrentDefaultStream";
    attempt!(not_null(call, "stream", stream));
    let current = match current(call) {
        Err(code) => return code,
        Ok(current) => current,
    };
    let default = current
        .context
        .default_stream()
        .map_or(ptr::null_mut(), |(index, default)| {
            handle::<Stream>(index, default.generation().load(Ordering::Acquire))
        });
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { stream.write(default) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtGetPrimaryCtxState(
    deviceId: i32,
    flags: *mut u32,
    active: *mut i32,
) -> aclError {
    let call = "aclrtGetPrimaryCtxState";
    attempt!(not_null(call, "active", active));
    if !flags.is_null() {
        return invalid(
            call,
            format_args!("flags is {flags:p}; it is reserved, pass NULL"),
        );
    }
    let Some((_, device)) = device::find(deviceId) else {
        return device::unknown(call, i64::from(deviceId));
    };
    let is_active = engine().contexts.find(device.primary()).live().is_some();
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { active.write(i32::from(is_active)) };
    ACL_SUCCESS
}

#[cold]
fn unknown(call: &str, context: *mut c_void) -> aclError {
    check::tell(call, &|checker, site| {
        checker.stale("context", context.addr(), site);
    });
    invalid_below(
        call,
        format_args!("context {context:p} does not exist (any more)"),
    )
}
