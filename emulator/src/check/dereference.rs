//! The program's own forbidden reads and writes: the processor faults, and this handles the signal.
//!
//! In page-locked host memory that is kept from the program (`guard`) the access is judged as that of a call
//! is, and the program goes on. In device memory, which no host can reach, it is told before it ends. All
//! other faults go where they went before.

use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::{mem, ptr};

use crate::space::{Space, space};

use super::site::Site;
use super::{learnt, report};

/// Where faults are the checker's.
#[derive(Debug)]
struct Watched {
    host: Range<usize>,
    /// Device memory, and addresses for memory that the program maps.
    device: [Range<usize>; 2],
}

static WATCHED: OnceLock<Watched> = OnceLock::new();

/// What happened at a fault before.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// Whether faults in page-locked host memory are seen.
pub(super) fn is_seen() -> bool {
    WATCHED
        .get()
        .is_some_and(|watched| !watched.host.is_empty())
}

/// Hears of faults from now on.
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
    // On the stack of who faults: looking up the place takes more than the one for signals has. A second
    // fault meanwhile is not blocked, so that it ends the program as ever.
    new.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER;
    let handler: extern "C" fn(_, _, _) = on_fault;
    new.sa_sigaction = (handler as *const ()).expose_provenance();
    // SAFETY: both point to a `sigaction`; the handler has the signature that `SA_SIGINFO` asks for.
    if unsafe { libc::sigaction(libc::SIGSEGV, &raw const new, &raw mut before) } == 0 {
        let _ = BEFORE.set(before);
    }
}

/// A fault. Those of the program in the memory that is watched are synchronous: this runs as if it had made a
/// call there.
extern "C" fn on_fault(signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel passes what is known of the signal: of a fault its address. What somebody else
    // sent has no address of ours in these bytes.
    let known = unsafe { *info };
    // SAFETY: as above.
    let address = unsafe { known.si_addr() }.addr();
    let (in_host, in_device) = WATCHED.get().map_or((false, false), |watched| {
        let in_device = watched.device.iter().any(|range| range.contains(&address));
        (watched.host.contains(&address), in_device)
    });
    if !in_host && !in_device {
        return pass_on(signal, info, context);
    }
    // A signal has to keep the thread's error number.
    // SAFETY: no preconditions.
    let place = unsafe { libc::__errno_location() };
    // SAFETY: this thread's own number.
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
    // SAFETY: as above.
    unsafe { place.write(number) };
}

/// Whether the access that faulted was a write, if the processor tells.
///
/// # Safety
///
/// `context` is what the kernel passed to the handler.
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

/// Does what was done at a fault before.
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
        // SAFETY: neither of the two special values, so it is a function, of this type by the flag.
        let handler = unsafe { mem::transmute::<*const (), Handler>(handler) };
        handler(signal, info, context);
    } else {
        // SAFETY: as above; without the flag it takes the signal alone.
        let handler = unsafe { mem::transmute::<*const (), extern "C" fn(i32)>(handler) };
        handler(signal);
    }
}
