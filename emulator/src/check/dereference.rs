//! The handler for memory faults of the program: reads and writes of memory that it must not access.
//!
//! In protected page-locked host memory (`guard`) the access is checked like the access of a call, and the program
//! continues. In device memory, which no host can access, the fault is reported before it ends the program. All other
//! faults go to the handler that was installed before.

use std::cell::Cell;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::{mem, ptr};

use crate::fork;
use crate::space::reserve::Access;
use crate::space::{Space, space};

use super::site::Site;
use super::state::StreamSlot;
use super::{learnt, report};

/// The addresses whose faults the checker handles.
#[derive(Debug)]
struct Watched {
    host: Range<usize>,
    /// Device memory, and addresses for physical memory that the program maps.
    device: [Range<usize>; 2],
}

static WATCHED: OnceLock<Watched> = OnceLock::new();

/// The handler that was installed before.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

thread_local! {
    /// The stream for which this thread runs a function of the program.
    static CALLER: Cell<Option<StreamSlot>> = const { Cell::new(None) };
}

/// Runs a function of the program as a task of a stream. The tasks behind it in the stream wait for it.
pub(crate) fn in_function(stream: StreamSlot, run: impl FnOnce()) {
    let outer = CALLER.replace(Some(stream));
    run();
    CALLER.set(outer);
}

/// Whether this thread runs a function of the program for which a stream waits.
#[inline]
pub(crate) fn is_called_by(stream: StreamSlot) -> bool {
    CALLER.get() == Some(stream)
}

/// Whether this thread runs a function of the program for which some stream waits.
pub(crate) fn is_called() -> bool {
    CALLER.get().is_some()
}

/// Returns the stream for which this thread runs a function of the program.
pub(crate) fn caller() -> Option<StreamSlot> {
    CALLER.get()
}

/// Returns whether faults in page-locked host memory are handled.
pub(super) fn is_seen() -> bool {
    WATCHED
        .get()
        .is_some_and(|watched| !watched.host.is_empty())
}

/// Installs the handler.
pub(crate) fn start(space: &Space) {
    let watched = Watched {
        host: space.guarded_host(),
        device: space.unreachable(),
    };
    if WATCHED.set(watched).is_err() {
        return;
    }
    // SAFETY: all zero bits are a valid `sigaction`: no handler, no flags, no signal blocked.
    let (mut new, mut before): (libc::sigaction, libc::sigaction) = unsafe { mem::zeroed() };
    // The handler runs on the stack of the faulting thread, because looking up the place needs more stack than the
    // one for signals has. A second fault meanwhile is not blocked, so it ends the program as usual.
    new.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER;
    let handler: extern "C" fn(_, _, _) = on_fault;
    new.sa_sigaction = (handler as *const ()).expose_provenance();
    // SAFETY: both point to a `sigaction`; the handler has the signature that `SA_SIGINFO` asks for.
    if unsafe { libc::sigaction(libc::SIGSEGV, &raw const new, &raw mut before) } == 0 {
        let _ = BEFORE.set(before);
    }
}

/// Handles a fault. Faults of the program in the watched memory are synchronous, so the handler may do what a call at
/// that place may do.
extern "C" fn on_fault(signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel passes a valid pointer to the information about the signal.
    let known = unsafe { *info };
    // SAFETY: a fault has its address in these bytes. A signal that a process sent has other data there, which is no
    // address of the watched memory.
    let address = unsafe { known.si_addr() }.addr();
    let (in_host, in_device) = WATCHED.get().map_or((false, false), |watched| {
        let in_device = watched.device.iter().any(|range| range.contains(&address));
        (watched.host.contains(&address), in_device)
    });
    if !in_host && !in_device {
        return pass_on(signal, info, context);
    }
    if fork::parent().is_some() {
        // Another thread may have held the locks of the checker at the fork. The child has a copy of the pages.
        match WATCHED.get().filter(|_| in_host) {
            Some(watched) => space().protect_host(&watched.host, Access::All),
            None => pass_on(signal, info, context),
        }
        return;
    }
    // A signal handler must not change the error number of the thread.
    // SAFETY: no preconditions.
    let place = unsafe { libc::__errno_location() };
    // SAFETY: the pointer to the error number of this thread.
    let number = unsafe { place.read() };
    // SAFETY: the kernel passes the registers at the fault.
    let write = unsafe { is_write(context) };
    let site = Site::of_program();
    if in_host {
        learnt(&|checker| checker.dereferenced(address, write, Arc::clone(&site)));
    } else {
        let location = space().locate(address);
        learnt(&|checker| {
            checker.reached_for_device(address, location, write, Arc::clone(&site));
        });
        report::cut_short();
        pass_on(signal, info, context);
    }
    // SAFETY: the pointer to the error number of this thread.
    unsafe { place.write(number) };
}

/// Returns whether the faulting access was a write, if the processor reports it.
///
/// # Safety
///
/// `context` is the pointer that the kernel passed to the handler.
unsafe fn is_write(context: *mut libc::c_void) -> Option<bool> {
    #[cfg(target_arch = "x86_64")]
    {
        let context = context.cast::<libc::ucontext_t>();
        let register = usize::try_from(libc::REG_ERR).ok()?;
        // SAFETY: the caller's contract.
        let registers = unsafe { (*context).uc_mcontext.gregs };
        // Bit 1 of the error code of a page fault.
        Some(registers.get(register)? & 2 != 0)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = context;
        None
    }
}

/// Calls the handler that was installed before.
fn pass_on(signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let before = BEFORE.get();
    let handler = before.map_or(libc::SIG_DFL, |before| before.sa_sigaction);
    if handler == libc::SIG_DFL || handler == libc::SIG_IGN {
        // The instruction faults again, and that ends the program.
        // SAFETY: no preconditions.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
        return;
    }
    let handler = ptr::with_exposed_provenance::<()>(handler);
    if before.is_some_and(|before| before.sa_flags & libc::SA_SIGINFO != 0) {
        type Handler = extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void);
        // SAFETY: the value is neither of the two special values, so it is a function, and the flag determines this
        // type.
        let handler = unsafe { mem::transmute::<*const (), Handler>(handler) };
        handler(signal, info, context);
    } else {
        // SAFETY: the value is a function; without the flag it takes only the signal.
        let handler = unsafe { mem::transmute::<*const (), extern "C" fn(i32)>(handler) };
        handler(signal);
    }
}
