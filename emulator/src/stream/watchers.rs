//! Hooks of the program for the creation and destruction of streams (`acl/acl_rt.h`).
//!
//! The runtime's public source (`hicann/runtime`) calls the hooks in the order of their names, without a lock, after
//! a stream was created and before it is destroyed. Default streams count. When a context ends with streams that the
//! program did not destroy, only its default stream is reported.

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::atomic::Ordering;

use ascendcl_sys::{
    ACL_RT_STREAM_STATE_CREATE_POST, ACL_RT_STREAM_STATE_DESTROY_PRE, aclError, aclrtContext,
    aclrtStream, aclrtStreamState, aclrtStreamStateCallback,
};

use crate::engine::context::Context;
use crate::engine::engine;
use crate::engine::queue::Stream;
use crate::handles::named::Named;
use crate::handles::slots::{Found, Slot, handle};

static WATCHERS: Named<unsafe extern "C" fn(aclrtStream, aclrtStreamState, *mut c_void)> =
    Named::new();

pub(crate) unsafe extern "C" fn aclrtRegStreamStateCallback(
    regName: *const c_char,
    callback: aclrtStreamStateCallback,
    args: *mut c_void,
) -> aclError {
    // SAFETY: the same contract.
    unsafe { WATCHERS.change("aclrtRegStreamStateCallback", regName, callback, args) }
}

/// Reports the creation of a stream.
pub(crate) fn created(stream: aclrtStream) {
    tell(stream, ACL_RT_STREAM_STATE_CREATE_POST);
}

/// Reports the coming destruction of a stream.
pub(crate) fn ending(stream: aclrtStream) {
    tell(stream, ACL_RT_STREAM_STATE_DESTROY_PRE);
}

/// Reports the creation of a context's default stream.
pub(crate) fn context_created(context: aclrtContext) {
    if let Found::Live { slot, .. } = engine().contexts.find(context) {
        tell_default(slot, ACL_RT_STREAM_STATE_CREATE_POST);
    }
}

/// Reports the coming destruction of a context's default stream.
pub(crate) fn context_ending(context: &Context) {
    tell_default(context, ACL_RT_STREAM_STATE_DESTROY_PRE);
}

fn tell_default(context: &Context, now: aclrtStreamState) {
    if let Some((index, stream)) = context.default_stream() {
        let generation = stream.generation().load(Ordering::Acquire);
        tell(handle::<Stream>(index, generation), now);
    }
}

fn tell(stream: aclrtStream, now: aclrtStreamState) {
    for (function, args) in WATCHERS.all() {
        // SAFETY: the contract of aclrtRegStreamStateCallback: function and argument are valid on any thread until
        // the registration ends.
        unsafe { function(stream, now, ptr::with_exposed_provenance_mut(args)) };
    }
}
