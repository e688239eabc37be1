//! A CUDA driver on host memory, with a thread for each stream: a test double for the library over the driver.
//!
//! It shows that the library makes the right calls, and proves nothing about a card. Where the manual of the driver leaves
//! something open, it does what forgives least: a copy only is queued, also one that is not named asynchronous; memory has
//! other bytes than 0 before it is written; and a function of the host that calls the driver is refused.
#![expect(
    clippy::missing_safety_doc,
    reason = "the contract of each function is that of `cuda.h`"
)]

mod handles;
mod memory;
mod stream;

use std::cell::Cell;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use handles::Handles;
use memory::{Kind, Pool};
use stream::{Event, Stream};

/// What functions return: 0, or the number of an error of the driver.
type Answer<T = ()> = Result<T, c_int>;
type HostFunction = unsafe extern "C" fn(*mut c_void);

const INVALID_VALUE: c_int = 1;
const OUT_OF_MEMORY: c_int = 2;
const INVALID_DEVICE: c_int = 101;
const INVALID_CONTEXT: c_int = 201;
const INVALID_HANDLE: c_int = 400;
const NOT_READY: c_int = 600;
const ALREADY_REGISTERED: c_int = 712;
const NOT_REGISTERED: c_int = 713;
const NOT_PERMITTED: c_int = 800;

const DEVICES: usize = 2;
/// The stream that a null handle stands for, and the pool, of each device.
static DEFAULTS: [OnceLock<(Arc<Stream>, usize)>; DEVICES] = [const { OnceLock::new() }; DEVICES];
static STREAMS: Handles<Stream> = Handles::new();
static EVENTS: Handles<Event> = Handles::new();
static POOLS: Handles<Pool> = Handles::new();

thread_local! {
    /// The device whose context the thread has.
    static CURRENT: Cell<Option<usize>> = const { Cell::new(None) };
    static IN_HOST_FUNCTION: Cell<bool> = const { Cell::new(false) };
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

fn current() -> Answer<usize> {
    CURRENT.get().ok_or(INVALID_CONTEXT)
}

fn device(number: c_int) -> Answer<usize> {
    let number = usize::try_from(number).ok();
    number
        .filter(|number| *number < DEVICES)
        .ok_or(INVALID_DEVICE)
}

fn defaults(device: usize) -> &'static (Arc<Stream>, usize) {
    DEFAULTS[device].get_or_init(|| {
        let pool = Pool::new(device, 0);
        (Stream::new(device), POOLS.add(Arc::new(pool)))
    })
}

fn stream(handle: usize) -> Answer<Arc<Stream>> {
    match handle {
        0 => Ok(Arc::clone(&defaults(current()?).0)),
        handle => STREAMS.get(handle),
    }
}

/// Waits for all streams of a device.
fn settle(device: usize) {
    defaults(device).0.wait();
    for stream in STREAMS.all() {
        if stream.device == device {
            stream.wait();
        }
    }
}

/// Queues a copy, and waits for nothing.
fn copy(to: u64, from: u64, len: usize, stream: &Stream) -> Answer {
    let (to, from) = (memory::within(to, len)?, memory::within(from, len)?);
    stream.push(move || {
        let (to, from) = (
            ptr::with_exposed_provenance_mut::<u8>(to),
            ptr::with_exposed_provenance::<u8>(from),
        );
        // SAFETY: the caller's contract: memory of this size, until the stream is waited for. What breaks it is measured: then
        // the bytes race, in blocks that the library over the driver keeps.
        unsafe { ptr::copy(from, to, len) };
    });
    Ok(())
}

/// Functions of the driver. What stands in brackets is the first parameter, an output, which gets the answer.
macro_rules! driver {
    ($( $name:ident $([$out:ty])? ($($argument:ident: $type:ty),*) $body:block )*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($(out: *mut $out,)? $($argument: $type),*) -> c_int {
            if IN_HOST_FUNCTION.get() {
                return NOT_PERMITTED;
            }
            let run = || -> Answer<_> { $body };
            match run() {
                Ok(_answer) => {
                    $(
                        let answer: $out = _answer;
                        // SAFETY: the caller's contract: valid for a write.
                        unsafe { out.write(answer) };
                    )?
                    0
                }
                Err(code) => code,
            }
        }
    )* };
}

driver! {
    cuInit(_flags: c_uint) { Ok(()) }
    cuDeviceGetCount[c_int]() { Ok(DEVICES as c_int) }
    cuDeviceGet[c_int](ordinal: c_int) { device(ordinal).map(|_| ordinal) }
    cuDeviceGetName(name: *mut c_char, size: c_int, _device: c_int) {
        const NAME: &[u8] = b"stand-in on host memory, which is no card\0";
        if usize::try_from(size).is_ok_and(|size| size >= NAME.len()) {
            // SAFETY: the caller's contract: `size` bytes.
            unsafe { name.copy_from_nonoverlapping(NAME.as_ptr().cast(), NAME.len()) };
            return Ok(());
        }
        Err(INVALID_VALUE)
    }
    // The handle of a context is the number of its device and 1.
    cuDevicePrimaryCtxRetain[usize](number: c_int) { device(number).map(|device| device + 1) }
    cuCtxSetCurrent(context: usize) {
        CURRENT.set(context.checked_sub(1));
        Ok(())
    }
    cuCtxSynchronize() {
        settle(current()?);
        Ok(())
    }

    cuStreamCreate[usize](_flags: c_uint) { Ok(STREAMS.add(Stream::new(current()?))) }
    cuStreamDestroy_v2(handle: usize) {
        STREAMS.remove(handle)?.close();
        Ok(())
    }
    cuStreamSynchronize(handle: usize) {
        stream(handle)?.wait();
        Ok(())
    }
    cuStreamQuery(handle: usize) { stream(handle)?.query() }
    cuStreamWaitEvent(handle: usize, event: usize, _flags: c_uint) {
        EVENTS.get(event)?.hold(&*stream(handle)?);
        Ok(())
    }
    cuLaunchHostFunc(handle: usize, function: HostFunction, data: *mut c_void) {
        let data = data.expose_provenance();
        stream(handle)?.push(move || {
            IN_HOST_FUNCTION.set(true);
            // SAFETY: the caller's contract: one call of the function with its data, on any thread.
            unsafe { function(ptr::with_exposed_provenance_mut(data)) };
            IN_HOST_FUNCTION.set(false);
        });
        Ok(())
    }

    cuEventCreate[usize](flags: c_uint) { current().map(|_| EVENTS.add(Arc::new(Event::new(flags)))) }
    cuEventDestroy_v2(event: usize) { EVENTS.remove(event).map(drop) }
    cuEventRecord(event: usize, handle: usize) {
        EVENTS.get(event)?.record(stream(handle)?);
        Ok(())
    }
    cuEventQuery(event: usize) { EVENTS.get(event)?.query() }
    cuEventSynchronize(event: usize) {
        EVENTS.get(event)?.wait();
        Ok(())
    }
    cuEventElapsedTime[f32](start: usize, end: usize) { EVENTS.get(start)?.millis_until(&*EVENTS.get(end)?) }

    cuMemAlloc_v2[u64](len: usize) { memory::allocate(len, Kind::Device(current()?)) }
    cuMemFree_v2(start: u64) {
        // As the driver does, which cannot know who uses it.
        settle(current()?);
        memory::free(start)
    }
    cuMemGetInfo_v2(free: *mut usize, total: *mut usize) {
        let used = memory::used(current()?);
        // SAFETY: the caller's contract: valid for a write.
        unsafe { free.write(memory::MOST - used) };
        // SAFETY: as above.
        unsafe { total.write(memory::MOST) };
        Ok(())
    }
    cuMemHostAlloc[u64](len: usize, _flags: c_uint) { current().and_then(|_| memory::allocate(len, Kind::Host)) }
    cuMemHostRegister_v2(start: u64, len: usize, _flags: c_uint) { memory::register(start, len) }
    cuMemHostUnregister(start: u64) { memory::unregister(start) }
    cuMemHostGetDevicePointer_v2[u64](start: u64, _flags: c_uint) { Ok(start) }
    cuMemcpy(to: u64, from: u64, len: usize) { copy(to, from, len, &*stream(0)?) }
    cuMemcpyAsync(to: u64, from: u64, len: usize, handle: usize) { copy(to, from, len, &*stream(handle)?) }
    cuMemsetD8Async(to: u64, byte: u8, len: usize, handle: usize) {
        let to = memory::within(to, len)?;
        stream(handle)?.push(move || {
            // SAFETY: as for a copy.
            unsafe { ptr::with_exposed_provenance_mut::<u8>(to).write_bytes(byte, len) };
        });
        Ok(())
    }

    cuDeviceGetDefaultMemPool[usize](number: c_int) { device(number).map(|device| defaults(device).1) }
    cuMemPoolCreate[usize](properties: *const memory::PoolProperties) {
        // SAFETY: the caller's contract: valid for a read.
        let (place, most) = unsafe { (*properties).device_and_most() };
        Ok(POOLS.add(Arc::new(Pool::new(device(place)?, most))))
    }
    cuMemPoolDestroy(pool: usize) { POOLS.remove(pool).map(drop) }
    cuMemPoolSetAttribute(pool: usize, attribute: c_uint, value: *mut c_void) {
        // SAFETY: the caller's contract: a value of the attribute's type.
        unsafe { POOLS.get(pool)?.set(attribute, value) }
    }
    cuMemPoolGetAttribute(pool: usize, attribute: c_uint, value: *mut c_void) {
        // SAFETY: as above.
        unsafe { POOLS.get(pool)?.get(attribute, value) }
    }
    cuMemPoolTrimTo(pool: usize, _len: usize) { POOLS.get(pool).map(drop) }
    cuMemAllocFromPoolAsync[u64](len: usize, pool: usize, handle: usize) {
        stream(handle)?;
        memory::allocate(len, Kind::Pool(POOLS.get(pool)?))
    }
    cuMemFreeAsync(start: u64, handle: usize) {
        memory::within(start, 1)?;
        stream(handle)?.push(move || _ = memory::free(start));
        Ok(())
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(code: c_int, name: *mut *const c_char) -> c_int {
    let text = match code {
        INVALID_VALUE => c"CUDA_ERROR_INVALID_VALUE",
        OUT_OF_MEMORY => c"CUDA_ERROR_OUT_OF_MEMORY",
        _ => c"another error of the stand-in",
    };
    // SAFETY: the caller's contract: valid for a write.
    unsafe { name.write(text.as_ptr()) };
    0
}
