//! Contexts, and which one is current on a thread (`acl/acl_rt.h`).

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};

use ascendcl_sys::{
    ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_CONTEXT_NULL, ACL_ERROR_RT_NO_STREAM_RESOURCE,
    ACL_ERROR_RT_PARAM_INVALID, ACL_SUCCESS, aclError, aclrtContext, aclrtStream,
};

use crate::callback::forget_stream;
use crate::check;
use crate::device::{self, Device, DeviceState};
use crate::engine::detour::{self, Reason};
use crate::engine::drive::drive;
use crate::engine::queue::Stream;
use crate::error::fail;
use crate::graph;
use crate::handles::slots::{Found, Slot, handle};
use crate::state::state;
use crate::stream::create;
use crate::stream::watchers;
use crate::sync::lock;

thread_local! {
    /// The context that the thread chose with `aclrtSetCurrentContext` or `aclrtCreateContext`.
    static EXPLICIT: Cell<aclrtContext> = const { Cell::new(ptr::null_mut()) };
    /// The device whose default context the thread uses since `aclrtSetDevice`; -1 is none.
    static PRIMARY: Cell<i32> = const { Cell::new(-1) };
    /// What these two led to last. Right for as long as the context lives.
    static FOUND: Cell<Option<Current>> = const { Cell::new(None) };
}

/// A context: the streams of one device that live and die together.
#[derive(Debug, Default)]
pub(crate) struct Context {
    generation: AtomicU32,
    pub(crate) device: AtomicU32,
    /// Whether `aclrtSetDevice` made it, and `aclrtResetDevice` shall destroy it.
    primary: AtomicBool,
    /// The code of the task that stopped it.
    failure: AtomicI32,
    /// The default stream, as an index.
    default_stream: AtomicU32,
    /// All streams with their generations, the default one first.
    streams: Mutex<Vec<(u32, u32)>>,
}

impl Slot for Context {
    const TAG: u8 = b'C';
    fn generation(&self) -> &AtomicU32 {
        &self.generation
    }
}

impl Context {
    /// Whether a task has ever stopped a context, which is rare, and spares most calls to look for
    /// their own.
    #[inline]
    pub(crate) fn has_any_failed() -> bool {
        detour::is(Reason::Stopped)
    }

    /// The code of the task that stopped it, or success.
    #[inline]
    pub(crate) fn failure(&self) -> aclError {
        self.failure.load(Ordering::Acquire)
    }

    /// Stops it.
    pub(crate) fn fail(&self, code: aclError) {
        detour::set(Reason::Stopped, true);
        self.failure.store(code, Ordering::Release);
    }

    /// Whether it still lives the life with this generation.
    pub(crate) fn is(&self, generation: u32) -> bool {
        self.generation.load(Ordering::Acquire) == generation
    }

    /// Its default stream.
    #[inline]
    pub(crate) fn default_stream(&self) -> Option<(u32, &'static Stream)> {
        let index = self.default_stream.load(Ordering::Relaxed);
        Some((index, state().streams.at(index)?))
    }

    /// Its streams, the default one first.
    pub(crate) fn streams(&self) -> Vec<&'static Stream> {
        let streams = lock(&self.streams);
        streams
            .iter()
            .filter_map(|(index, _)| state().streams.at(*index))
            .collect()
    }

    /// Adds a stream unless the context was closed.
    pub(crate) fn adopt(&self, generation: u32, stream: (u32, u32)) -> bool {
        let mut streams = lock(&self.streams);
        let alive = self.is(generation);
        if alive {
            streams.push(stream);
        }
        alive
    }

    /// Forgets a stream that is about to be destroyed.
    pub(crate) fn disown(&self, stream: (u32, u32)) {
        lock(&self.streams).retain(|entry| *entry != stream);
    }
}

/// A thread's current context.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Current {
    pub(crate) context: &'static Context,
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl Current {
    /// The device's id.
    #[inline]
    pub(crate) fn device(&self) -> u32 {
        self.context.device.load(Ordering::Relaxed)
    }

    /// The handle.
    fn handle(&self) -> aclrtContext {
        handle::<Context>(self.index, self.generation)
    }
}

/// The calling thread's context, if it has one.
#[inline(always)]
fn lookup() -> Option<Current> {
    match FOUND.get() {
        Some(found) if found.context.is(found.generation) => Some(found),
        _ => {
            FOUND.set(look_again());
            FOUND.get()
        }
    }
}

#[cold]
fn look_again() -> Option<Current> {
    let explicit = EXPLICIT.get();
    let handle = if !explicit.is_null() {
        explicit
    } else if let Ok(device) = usize::try_from(PRIMARY.get()) {
        state().devices.get(device)?.primary()
    } else {
        return None;
    };
    match state().contexts.find(handle) {
        Found::Live {
            slot,
            index,
            generation,
        } => Some(Current {
            context: slot,
            index,
            generation,
        }),
        Found::Stale | Found::Garbage => None,
    }
}

/// Makes the calling thread use another context, or the default one of a device.
fn choose(explicit: aclrtContext, primary: i32) {
    EXPLICIT.set(explicit);
    PRIMARY.set(primary);
    FOUND.set(None);
}

/// The calling thread's context, or the code for having none.
#[inline(always)]
pub(crate) fn current(call: &str) -> Result<Current, aclError> {
    match lookup() {
        Some(current) => Ok(current),
        None => default_device(call),
    }
}

/// The device of the JSON file, for a thread that has chosen nothing and would get it.
pub(crate) fn undecided() -> Option<i32> {
    if !EXPLICIT.get().is_null() || PRIMARY.get() >= 0 {
        return None;
    }
    lock(&state().process).default_device()
}

/// A thread that chose nothing gets the device of the JSON file, if it names one.
#[cold]
fn default_device(call: &str) -> Result<Current, aclError> {
    if let Some(device) = undecided() {
        device::set(call, device)?;
        if let Some(current) = lookup() {
            return Ok(current);
        }
    }
    Err(fail(
        ACL_ERROR_RT_CONTEXT_NULL,
        format_args!(
            "{call} failed: the calling thread has no context, or its device was reset; call \
             aclrtSetDevice or aclrtSetCurrentContext on this thread first"
        ),
    ))
}

/// Whether a question to the calling thread's device reaches one. It takes the device of the JSON file into
/// use, as any other call that needs a device.
pub(crate) fn reaches_device() -> bool {
    lookup().is_some()
        || undecided().is_some_and(|device| device::set("aclGetRecentErrMsg", device).is_ok())
}

/// Makes the calling thread use the default context of a device.
pub(crate) fn use_primary(device: i32) {
    choose(ptr::null_mut(), device);
}

/// Makes a context with its default stream. The caller holds the device's lock.
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
    let Some((index, context)) = state().contexts.take() else {
        return Err(full());
    };
    context.device.store(id, Ordering::Relaxed);
    context.primary.store(primary, Ordering::Relaxed);
    context.failure.store(ACL_SUCCESS, Ordering::Relaxed);
    device.begin(id, held);
    let generation = context.generation.load(Ordering::Relaxed) + 1;
    let Some((stream_index, stream)) = device.take_stream(held) else {
        device.end(id, held);
        state().contexts.put(index);
        return Err(full());
    };
    stream.default.store(true, Ordering::Relaxed);
    let stream_generation = create(stream, (index, generation), 0, 0);
    check::note(|checker| {
        let made = handle::<Context>(index, generation).addr();
        checker.default_stream(stream, id, (!primary).then_some(made));
    });
    context
        .default_stream
        .store(stream_index, Ordering::Relaxed);
    *lock(&context.streams) = vec![(stream_index, stream_generation)];
    context.generation.store(generation, Ordering::Release);
    Ok(handle::<Context>(index, generation))
}

/// Waits for the context's work and destroys it with its streams; false when somebody else does.
pub(crate) fn close(context: &'static Context, index: u32, generation: u32) -> bool {
    if context.is(generation) {
        watchers::context_ending(context);
    }
    let streams = {
        // The lock orders this with `adopt`: no stream is added behind.
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
        state()
            .streams
            .at(*index)
            .map(|stream| (stream, *index, *generation))
    });
    // First all of them stop to accept work, then all of it ends: they may wait for each other.
    let closing: Vec<_> = found
        .filter(|(stream, _, generation)| stream.close(*generation))
        .collect();
    let call = "the end of a context";
    check::tell(call, |checker, site| {
        let slots: Vec<_> = closing
            .iter()
            .map(|(stream, ..)| check::slot(stream))
            .collect();
        checker.ending(&slots, &site);
    });
    for (stream, stream_index, stream_generation) in &closing {
        let submitted = stream.submitted();
        let _ = drive(stream, submitted, None);
        check::tell(call, |checker, site| {
            checker.synchronised(stream, submitted);
            let handle = handle::<Stream>(*stream_index, *stream_generation);
            checker.ended_with_context(handle.addr(), &site);
        });
        forget_stream(stream);
    }
    check::tell(call, |checker, site| {
        checker.destroyed(handle::<Context>(index, generation).addr(), &site);
    });
    if let Some(device) = state().devices.get(id as usize) {
        let mut held = device.lock();
        for (_, index, _) in &closing {
            device.put_stream(&mut held, *index);
        }
        device.end(id, &mut held);
    }
    state().contexts.put(index);
    true
}

pub(crate) unsafe extern "C" fn aclrtCreateContext(
    context: *mut aclrtContext,
    deviceId: i32,
) -> aclError {
    let call = "aclrtCreateContext";
    if context.is_null() {
        return null(call, "context");
    }
    let Some((id, device)) = device::find(deviceId) else {
        return device::unknown(call, i64::from(deviceId));
    };
    let opened = open(call, id, device, &mut device.lock(), false);
    match opened {
        Err(code) => code,
        Ok(handle) => {
            check::tell(call, |checker, site| {
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
    if context.is_null() {
        return null(call, "context");
    }
    let refused = |why: &str| {
        fail(
            ACL_ERROR_RT_CONTEXT_NULL,
            format_args!("{call} failed: context {context:p} {why}"),
        )
    };
    match state().contexts.find(context) {
        Found::Garbage => unknown(call, context),
        Found::Stale => {
            check::tell(call, |checker, site| {
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
    if context.is_null() {
        return null(call, "context");
    }
    match state().contexts.find(context) {
        Found::Live { .. } => {
            choose(context, -1);
            ACL_SUCCESS
        }
        Found::Stale | Found::Garbage => unknown(call, context),
    }
}

pub(crate) unsafe extern "C" fn aclrtGetCurrentContext(context: *mut aclrtContext) -> aclError {
    let call = "aclrtGetCurrentContext";
    if context.is_null() {
        return null(call, "context");
    }
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
    if stream.is_null() {
        return null(call, "stream");
    }
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
    if active.is_null() {
        return null(call, "active");
    }
    if !flags.is_null() {
        return fail(
            ACL_ERROR_INVALID_PARAM,
            format_args!("{call} failed: flags is {flags:p}; it is reserved, pass NULL"),
        );
    }
    let Some((_, device)) = device::find(deviceId) else {
        return device::unknown(call, i64::from(deviceId));
    };
    let is_active = state().contexts.find(device.primary()).live().is_some();
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { active.write(i32::from(is_active)) };
    ACL_SUCCESS
}

/// The code for an argument that is null.
#[cold]
pub(crate) fn null(call: &str, argument: &str) -> aclError {
    fail(
        ACL_ERROR_INVALID_PARAM,
        format_args!("{call} failed: {argument} is NULL; pass a valid pointer or handle"),
    )
}

#[cold]
fn unknown(call: &str, context: *mut c_void) -> aclError {
    check::tell(call, |checker, site| {
        checker.stale("context", context.addr(), site);
    });
    fail(
        ACL_ERROR_RT_PARAM_INVALID,
        format_args!("{call} failed: context {context:p} does not exist (any more)"),
    )
}
