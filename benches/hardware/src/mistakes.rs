//! The mistakes that the types refuse, as raw calls without any delay: how often the data are wrong, and how often with the wait.

use std::ffi::c_void;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, hint, ptr, slice};

use ascendcl::sys;
use ascendcl::{Current, Npu};

use crate::Done;

// What the data should be, what somebody else writes, and what was there before.
const RIGHT: u8 = 0xa1;
const OTHER: u8 = 0xb2;
const OLD: u8 = 0;

/// The sizes, and how often each is tried.
const SIZES: [(usize, usize); 3] = [(4 << 10, 200), (1 << 20, 100), (64 << 20, 6)];

/// Two streams and an event, for raw calls.
struct Lab {
    first: sys::aclrtStream,
    second: sys::aclrtStream,
    event: sys::aclrtEvent,
}

/// One mistake: with `true` the wait is there. Returns whether data were wrong.
type Mistake = fn(&Lab, usize, bool) -> bool;

const MISTAKES: [(&str, Mistake); 10] = [
    (
        "read of a page-locked target before the wait",
        read_before_wait,
    ),
    ("page-locked source refilled before the wait", refilled),
    ("page-locked source freed while queued", source_freed),
    ("page-locked target freed while queued", target_freed),
    ("device memory freed while queued", device_freed),
    ("no event between two streams", no_event),
    ("event recorded before the copy", event_too_early),
    ("overwrite under a reader of another stream", overwritten),
    ("wait for another stream", other_stream),
    ("device memory read before it was written", unwritten),
];

/// Prints a row for each mistake, which is made in a process of its own: one that ends the process takes no other along. Returns
/// whether all data were right with the wait.
pub(crate) fn run_each() -> Done {
    println!(
        "| mistake (wrong results / trials) | 4 KiB | 1 MiB | 64 MiB | with the wait |\n|---|--:|--:|--:|--:|"
    );
    let (program, mut is_right) = (env::current_exe()?, true);
    for (place, (name, _)) in MISTAKES.iter().enumerate() {
        let mut child = Command::new(&program);
        let status = child.args(["mistake", &place.to_string()]).status()?;
        if !status.success() {
            println!("| {name} | {status} |");
            is_right = false;
        }
    }
    Ok(is_right)
}

/// Prints the row of a mistake. Returns whether all data were right with the wait.
pub(crate) fn run(_current: Current<'_, '_, Npu<0>>, place: usize) -> Done {
    let (name, mistake) = MISTAKES.get(place).ok_or("there is no such mistake")?;
    let lab = Lab {
        first: stream(),
        second: stream(),
        event: event(),
    };
    let mut right = 0;
    let cells = SIZES.map(|(size, trials)| {
        right += (0..trials.min(20))
            .filter(|_| mistake(&lab, size, true))
            .count();
        let before = REPORTED.load(Ordering::Relaxed);
        let wrong = (0..trials).filter(|_| mistake(&lab, size, false)).count();
        match REPORTED.load(Ordering::Relaxed) - before {
            0 => format!("{wrong}/{trials}"),
            reported => format!("{wrong}/{trials} ({reported} errors)"),
        }
    });
    println!("| {name} | {} | {right} |", cells.join(" | "));
    for stream in [lab.first, lab.second] {
        // SAFETY: a stream of this module, destroyed once.
        ok(unsafe { sys::aclrtDestroyStream(stream) });
    }
    // SAFETY: as above.
    ok(unsafe { sys::aclrtDestroyEvent(lab.event) });
    Ok(right == 0)
}

fn ok(code: sys::aclError) {
    assert_eq!(code, sys::ACL_SUCCESS, "a raw call has failed");
}

/// How many waits and copies have said that work has failed: an emulator notices what hardware does not.
static REPORTED: AtomicUsize = AtomicUsize::new(0);

/// Counts an error of a call that may report earlier work.
fn noted(code: sys::aclError) {
    REPORTED.fetch_add(usize::from(code != sys::ACL_SUCCESS), Ordering::Relaxed);
}

/// Calls a function of C with an output, and returns it.
fn made(call: impl FnOnce(*mut *mut c_void) -> sys::aclError) -> *mut c_void {
    let mut out = ptr::null_mut();
    ok(call(&raw mut out));
    out
}

fn stream() -> sys::aclrtStream {
    // SAFETY: the output is valid for a write.
    made(|out| unsafe { sys::aclrtCreateStream(out) })
}

fn event() -> sys::aclrtEvent {
    // SAFETY: as above.
    made(|out| unsafe { sys::aclrtCreateEventExWithFlag(out, sys::ACL_EVENT_SYNC) })
}

/// Page-locked memory full of a byte.
fn host(size: usize, byte: u8) -> *mut c_void {
    // SAFETY: as above.
    let memory = made(|out| unsafe { sys::aclrtMallocHost(out, size) });
    fill(memory, size, byte);
    memory
}

/// Device memory full of a byte.
fn device(size: usize, byte: u8) -> *mut c_void {
    // SAFETY: as above.
    let memory = made(|out| unsafe { sys::aclrtMalloc(out, size, sys::ACL_MEM_MALLOC_HUGE_FIRST) });
    // SAFETY: fresh memory of this size.
    ok(unsafe { sys::aclrtMemset(memory, size, byte.into(), size) });
    memory
}

fn fill(memory: *mut c_void, size: usize, byte: u8) {
    // SAFETY: page-locked memory of this size. That the device may use it meanwhile is the mistake which is measured.
    unsafe { memory.cast::<u8>().write_bytes(byte, size) };
}

/// Whether a byte of page-locked memory is another one.
fn differs(memory: *mut c_void, size: usize, byte: u8) -> bool {
    // SAFETY: as above.
    let bytes: &[u8] = hint::black_box(unsafe { slice::from_raw_parts(memory.cast(), size) });
    bytes.iter().fold(0, |found, one| found | (one ^ byte)) != 0
}

/// Whether a byte of device memory is another one.
fn differs_there(memory: *mut c_void, size: usize, byte: u8) -> bool {
    let back = host(size, OLD);
    // SAFETY: live memory of this size.
    noted(unsafe { sys::aclrtMemcpy(back, size, memory, size, sys::ACL_MEMCPY_DEVICE_TO_HOST) });
    let differs = differs(back, size, byte);
    free_host(back);
    differs
}

fn free(memory: *mut c_void) {
    // SAFETY: device memory of this module; when it is freed is what is measured.
    ok(unsafe { sys::aclrtFree(memory) });
}

fn free_host(memory: *mut c_void) {
    // SAFETY: as for `free`.
    ok(unsafe { sys::aclrtFreeHost(memory) });
}

fn settle() {
    // SAFETY: no contract.
    noted(unsafe { sys::aclrtSynchronizeDevice() });
}

impl Lab {
    fn up(&self, to: *mut c_void, from: *mut c_void, size: usize) {
        // SAFETY: memory of this size.
        ok(unsafe {
            sys::aclrtMemcpyAsync(
                to,
                size,
                from,
                size,
                sys::ACL_MEMCPY_HOST_TO_DEVICE,
                self.first,
            )
        });
    }

    fn down(&self, to: *mut c_void, from: *mut c_void, size: usize, stream: sys::aclrtStream) {
        // SAFETY: memory of this size.
        ok(unsafe {
            sys::aclrtMemcpyAsync(to, size, from, size, sys::ACL_MEMCPY_DEVICE_TO_HOST, stream)
        });
    }

    fn record(&self) {
        // SAFETY: live objects.
        ok(unsafe { sys::aclrtRecordEvent(self.event, self.first) });
    }

    /// Lets the second stream wait for the event.
    fn follow(&self) {
        // SAFETY: live objects.
        ok(unsafe { sys::aclrtStreamWaitEvent(self.second, self.event) });
    }
}

fn wait(stream: sys::aclrtStream) {
    // SAFETY: a live stream.
    noted(unsafe { sys::aclrtSynchronizeStream(stream) });
}

fn read_before_wait(lab: &Lab, size: usize, right: bool) -> bool {
    let (from, to) = (device(size, RIGHT), host(size, OLD));
    lab.down(to, from, size, lab.first);
    if right {
        wait(lab.first);
    }
    let wrong = differs(to, size, RIGHT);
    settle();
    free(from);
    free_host(to);
    wrong
}

fn refilled(lab: &Lab, size: usize, right: bool) -> bool {
    let (from, to) = (host(size, RIGHT), device(size, OLD));
    lab.up(to, from, size);
    if right {
        wait(lab.first);
    }
    fill(from, size, OTHER);
    settle();
    let wrong = differs_there(to, size, RIGHT);
    free(to);
    free_host(from);
    wrong
}

fn source_freed(lab: &Lab, size: usize, right: bool) -> bool {
    let (from, to) = (host(size, RIGHT), device(size, OLD));
    lab.up(to, from, size);
    if right {
        wait(lab.first);
    }
    free_host(from);
    let others = host(size, OTHER);
    settle();
    let wrong = differs_there(to, size, RIGHT);
    free(to);
    free_host(others);
    wrong
}

fn target_freed(lab: &Lab, size: usize, right: bool) -> bool {
    let (from, to) = (device(size, RIGHT), host(size, OLD));
    lab.down(to, from, size, lab.first);
    if right {
        wait(lab.first);
    }
    free_host(to);
    let others = host(size, OTHER);
    settle();
    let wrong = differs(others, size, OTHER);
    free(from);
    free_host(others);
    wrong
}

fn device_freed(lab: &Lab, size: usize, right: bool) -> bool {
    let (from, to) = (host(size, RIGHT), device(size, OLD));
    lab.up(to, from, size);
    if right {
        wait(lab.first);
    }
    free(to);
    let others = device(size, OTHER);
    settle();
    let wrong = differs_there(others, size, OTHER);
    free(others);
    free_host(from);
    wrong
}

fn no_event(lab: &Lab, size: usize, right: bool) -> bool {
    between(lab, size, |copy| {
        copy();
        if right {
            lab.record();
            lab.follow();
        }
    })
}

fn event_too_early(lab: &Lab, size: usize, right: bool) -> bool {
    between(lab, size, |copy| {
        if !right {
            lab.record();
        }
        copy();
        if right {
            lab.record();
        }
        lab.follow();
    })
}

/// Uploads on the first stream, in `order`, and downloads on the second one.
fn between(lab: &Lab, size: usize, order: impl FnOnce(&dyn Fn())) -> bool {
    let (from, on_device, to) = (host(size, RIGHT), device(size, OLD), host(size, OTHER));
    order(&|| lab.up(on_device, from, size));
    lab.down(to, on_device, size, lab.second);
    wait(lab.second);
    let wrong = differs(to, size, RIGHT);
    settle();
    free(on_device);
    free_host(from);
    free_host(to);
    wrong
}

fn overwritten(lab: &Lab, size: usize, right: bool) -> bool {
    let (from, to) = (device(size, RIGHT), host(size, OLD));
    lab.down(to, from, size, lab.first);
    if right {
        lab.record();
        lab.follow();
    }
    // SAFETY: memory of this size.
    ok(unsafe { sys::aclrtMemsetAsync(from, size, OTHER.into(), size, lab.second) });
    settle();
    let wrong = differs(to, size, RIGHT);
    free(from);
    free_host(to);
    wrong
}

fn other_stream(lab: &Lab, size: usize, right: bool) -> bool {
    let (from, to) = (device(size, RIGHT), host(size, OLD));
    lab.down(to, from, size, lab.first);
    wait(if right { lab.first } else { lab.second });
    let wrong = differs(to, size, RIGHT);
    settle();
    free(from);
    free_host(to);
    wrong
}

fn unwritten(_: &Lab, size: usize, right: bool) -> bool {
    // What another program part has left there.
    let secret = device(size, OTHER);
    free(secret);
    // SAFETY: the output is valid for a write.
    let memory = made(|out| unsafe { sys::aclrtMalloc(out, size, sys::ACL_MEM_MALLOC_HUGE_FIRST) });
    if right {
        // SAFETY: fresh memory of this size.
        ok(unsafe { sys::aclrtMemset(memory, size, OLD.into(), size) });
    }
    let wrong = differs_there(memory, size, OLD);
    free(memory);
    wrong
}
