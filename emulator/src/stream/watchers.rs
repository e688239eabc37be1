//! Hooks of the program for the creation and destruction of streams (`acl/acl_rt.h`).
//!
//! The runtime's public source (`hicann/runtime`) calls the hooks in the order of their names, without a lock, after
//! a stream was created and before it is destroyed. Default streams count. When a context ends with streams that the
//! program did not destroy, only its default stream is reported.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use ascendcl_sys::{
    ACL_ERROR_RT_PARAM_INVALID, ACL_RT_STREAM_STATE_CREATE_POST, ACL_RT_STREAM_STATE_DESTROY_PRE,
    ACL_SUCCESS, aclError, aclrtContext, aclrtStream, aclrtStreamState, aclrtStreamStateCallback,
};

use crate::engine::context::Context;
use crate::engine::engine;
use crate::engine::queue::Stream;
use crate::error::{fail, null};
use crate::handles::slots::{Found, Slot, handle};
use crate::sync::lock;

/// A function of the program with its argument. Only the program uses the argument.
type Watcher = (
    unsafe extern "C" fn(aclrtStream, aclrtStreamState, *mut c_void),
    usize,
);

/// The hooks with their names, in the order of the names.
static WATCHERS: Mutex<Vec<(CString, Watcher)>> = Mutex::new(Vec::new());
/// Whether any hook is registered. A program without hooks takes no lock.
static ANY: AtomicBool = AtomicBool::new(false);

pub(crate) unsafe extern "C" fn aclrtRegStreamStateCallback(
    regName: *const c_char,
    callback: aclrtStreamStateCallback,
    args: *mut c_void,
) -> aclError {
    let call = "aclrtRegStreamStateCallback";
    if regName.is_null() {
        return null(call, "regName");
    }
    // SAFETY: not null; the caller's contract: a C string.
    let name = unsafe { CStr::from_ptr(regName) };
    let mut watchers = lock(&WATCHERS);
    let place = watchers.binary_search_by(|(other, _)| other.as_c_str().cmp(name));
    let Some(function) = callback else {
        if let Ok(place) = place {
            watchers.remove(place);
        }
        ANY.store(!watchers.is_empty(), Ordering::Relaxed);
        return ACL_SUCCESS;
    };
    let Err(place) = place else {
        return fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!("{call} failed: {name:?} is registered already; pass NULL to end that"),
        );
    };
    let watcher = (function, args.expose_provenance());
    watchers.insert(place, (name.to_owned(), watcher));
    ANY.store(true, Ordering::Relaxed);
    ACL_SUCCESS
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
    if !ANY.load(Ordering::Relaxed) {
        return;
    }
    let watchers: Vec<Watcher> = lock(&WATCHERS)
        .iter()
        .map(|(_, watcher)| *watcher)
        .collect();
    for (function, args) in watchers {
        // SAFETY: the contract of aclrtRegStreamStateCallback: function and argument are valid on any thread until
        // the registration ends.
        unsafe { function(stream, now, ptr::with_exposed_provenance_mut(args)) };
    }
}
