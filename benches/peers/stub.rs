//! What both libraries without a device have: the count of their calls, handles, and one host function that is queued.

use std::ffi::{c_int, c_void};
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering::Relaxed};

static COUNTS: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicU64 = AtomicU64::new(0);
static NEXT: AtomicUsize = AtomicUsize::new(0x10_0000);
/// The host function that is queued, and what it gets.
static FUNCTION: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static DATA: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

pub type HostFunction = unsafe extern "C" fn(*mut c_void);

/// Starts or ends the count.
#[unsafe(no_mangle)]
pub extern "C" fn stub_counts(on: bool) {
    COUNTS.store(on, Relaxed);
}

/// The number of calls that were counted.
#[unsafe(no_mangle)]
pub extern "C" fn stub_calls() -> u64 {
    CALLS.load(Relaxed)
}

/// Calls the host function that is queued: the program says that it would wait now. A thread for it, as in the real library,
/// would add the time of the switch to both sides.
#[unsafe(no_mangle)]
pub extern "C" fn stub_call_host_function() {
    let function = FUNCTION.load(Relaxed);
    if !function.is_null() {
        FUNCTION.store(null_mut(), Relaxed);
        // SAFETY: `queue` has stored a function of this type.
        let function = unsafe { std::mem::transmute::<*mut c_void, HostFunction>(function) };
        // SAFETY: the caller has queued both for one call.
        unsafe { function(DATA.load(Relaxed)) };
    }
}

/// Queues a host function. There is one at a time, so an older one is called first.
pub fn queue(function: HostFunction, data: *mut c_void) {
    stub_call_host_function();
    DATA.store(data, Relaxed);
    FUNCTION.store(function as *mut c_void, Relaxed);
}

/// Counts, of every thread. A locked instruction would change the times, so there is no count meanwhile.
pub fn count() -> c_int {
    if COUNTS.load(Relaxed) {
        CALLS.fetch_add(1, Relaxed);
    }
    0
}

/// A new address or handle.
pub fn fresh() -> *mut c_void {
    let next = NEXT.load(Relaxed);
    NEXT.store(next + 0x1000, Relaxed);
    without_provenance_mut(next)
}

/// Functions that count, and write the results that their entries give.
macro_rules! stub {
    ($($name:ident($($arg:ident: $type:ty),*) $({$out:ident = $value:expr})?;)*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> c_int {
            $(
                // SAFETY: the caller passes an address that is valid for a write.
                unsafe { $out.write($value) };
            )?
            count()
        }
    )* };
}
pub(crate) use stub;
