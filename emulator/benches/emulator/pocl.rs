//! The same work with PoCL, an OpenCL for processors, if it is installed.
//!
//! PoCL has two devices: `basic` runs work on the submitting thread, `pthread` on threads of its own. OpenCL is
//! loaded when the benchmark runs; `cl.h` is the source of the few declarations here.

use std::env;
use std::ffi::c_void;
use std::ptr;

use libloading::Library;

use crate::calls::{copy, free, malloc, stream, synchronise};
use crate::table::{Goal, Table, each};

/// Number of operations of one round.
const ROUND: u32 = 1000;
/// Size of a small copy in bytes.
const SMALL: usize = 64;
/// `CL_DEVICE_TYPE_ALL`.
const ALL: u64 = 0xffff_ffff;
/// `CL_MEM_READ_WRITE`.
const READ_WRITE: u64 = 1;

/// A platform, device, context, queue, buffer or event.
type Object = *mut c_void;
type Find = unsafe extern "C" fn(u32, *mut Object, *mut u32) -> i32;
type FindOf = unsafe extern "C" fn(Object, u64, u32, *mut Object, *mut u32) -> i32;
type MakeContext =
    unsafe extern "C" fn(*const isize, u32, *const Object, Object, Object, *mut i32) -> Object;
type MakeQueue = unsafe extern "C" fn(Object, Object, u64, *mut i32) -> Object;
type MakeBuffer = unsafe extern "C" fn(Object, u64, usize, Object, *mut i32) -> Object;
type Copy = unsafe extern "C" fn(
    Object,
    Object,
    Object,
    usize,
    usize,
    usize,
    u32,
    *const Object,
    *mut Object,
) -> i32;
type Finish = unsafe extern "C" fn(Object) -> i32;

/// A queue of one device with the functions of OpenCL. It exists as long as the benchmark.
struct Queue {
    context: Object,
    queue: Object,
    buffer: MakeBuffer,
    copy: Copy,
    finish: Finish,
}

/// Returns a symbol of OpenCL.
fn symbol<T: std::marker::Copy>(library: &'static Library, name: &str) -> Option<T> {
    // SAFETY: the types above are those of `cl.h`, and the library stays loaded.
    let found = unsafe { library.get::<T>(name) };
    found.ok().map(|symbol| *symbol)
}

/// Configures PoCL for its two devices, before the process has threads.
pub(crate) fn prepare() {
    // SAFETY: this is the first action of the benchmark; no other thread exists.
    unsafe { env::set_var("POCL_DEVICES", "basic pthread") };
}

/// Returns the queues of the devices `basic` and `pthread` of PoCL.
fn queues() -> Option<[Queue; 2]> {
    // SAFETY: loading OpenCL runs its initialisers; the benchmark trusts those of the machine.
    let library = unsafe { Library::new("libOpenCL.so.1") }.ok()?;
    let library: &'static Library = Box::leak(Box::new(library));
    let platforms: Find = symbol(library, "clGetPlatformIDs")?;
    let devices: FindOf = symbol(library, "clGetDeviceIDs")?;
    let mut platform = ptr::null_mut();
    // SAFETY: room for one platform.
    let found = unsafe { platforms(1, &raw mut platform, ptr::null_mut()) };
    let mut both = [ptr::null_mut(); 2];
    let mut count = 0;
    if found != 0 {
        return None;
    }
    // SAFETY: room for two devices.
    let found = unsafe { devices(platform, ALL, 2, both.as_mut_ptr(), &raw mut count) };
    if found != 0 || count != 2 {
        return None;
    }
    let [basic, pthread] = both;
    Some([Queue::new(library, basic)?, Queue::new(library, pthread)?])
}

impl Queue {
    fn new(library: &'static Library, device: Object) -> Option<Queue> {
        let make_context: MakeContext = symbol(library, "clCreateContext")?;
        let make_queue: MakeQueue = symbol(library, "clCreateCommandQueue")?;
        let (none, mut code) = (ptr::null_mut(), 0);
        // SAFETY: no properties, one device, no callback.
        let context =
            unsafe { make_context(ptr::null(), 1, &raw const device, none, none, &raw mut code) };
        // SAFETY: the context of the device; the queue runs in order.
        let queue = unsafe { make_queue(context, device, 0, &raw mut code) };
        (!queue.is_null()).then_some(Queue {
            context,
            queue,
            buffer: symbol(library, "clCreateBuffer")?,
            copy: symbol(library, "clEnqueueCopyBuffer")?,
            finish: symbol(library, "clFinish")?,
        })
    }

    /// Allocates two buffers of `size` bytes and touches them with a first copy.
    fn pair(&self, size: usize) -> [Object; 2] {
        let pair = [(); 2].map(|()| {
            let mut code = 0;
            // SAFETY: the queue's context, and no memory of the host's.
            unsafe {
                (self.buffer)(
                    self.context,
                    READ_WRITE,
                    size,
                    ptr::null_mut(),
                    &raw mut code,
                )
            }
        });
        let [to, from] = pair;
        self.copy(from, to, size);
        self.copy(to, from, size);
        self.finish();
        pair
    }

    fn copy(&self, to: Object, from: Object, size: usize) {
        let (none, event) = (ptr::null(), ptr::null_mut());
        // SAFETY: two buffers of this size, no events.
        let code = unsafe { (self.copy)(self.queue, from, to, 0, 0, size, 0, none, event) };
        assert_eq!(code, 0, "clEnqueueCopyBuffer");
    }

    fn finish(&self) {
        // SAFETY: the queue exists.
        assert_eq!(unsafe { (self.finish)(self.queue) }, 0, "clFinish");
    }
}

pub(crate) fn rows(table: &Table) {
    if !table.wants("PoCL") {
        return;
    }
    let Some(queues) = queues() else {
        println!("PoCL is not here (Debian has it as pocl-opencl-icd), so its rows are left out");
        return;
    };
    for (queue, device) in queues.iter().zip(["basic", "pthread"]) {
        small(table, queue, device);
        for (what, size) in [("1 MiB", 1 << 20), ("64 MiB", 64 << 20)] {
            large(table, queue, device, what, size);
        }
    }
}

fn small(table: &Table, queue: &Queue, device: &str) {
    let stream = stream();
    let (to, from) = (malloc(SMALL), malloc(SMALL));
    let [theirs, other] = queue.pair(SMALL);
    // Fewer rounds, because waking a thread is slow.
    let rounds = if device == "basic" { 51 } else { 5 };
    table.row(
        &format!("64 B, synchronise (PoCL {device})"),
        Goal::Ratio(1.0),
        rounds,
        || {
            each(ROUND, || {
                copy(to, from, SMALL, stream);
                synchronise(stream);
            })
        },
        || {
            each(ROUND, || {
                queue.copy(theirs, other, SMALL);
                queue.finish();
            })
        },
    );
    table.row(
        &format!("1000 queued 64 B, each (PoCL {device})"),
        Goal::Ratio(1.0),
        rounds,
        || {
            each(ROUND, || copy(to, from, SMALL, stream))
                + each(1, || synchronise(stream)) / f64::from(ROUND)
        },
        || {
            each(ROUND, || queue.copy(theirs, other, SMALL))
                + each(1, || queue.finish()) / f64::from(ROUND)
        },
    );
    table.row(
        &format!("synchronise nothing (PoCL {device})"),
        Goal::Ratio(1.0),
        rounds,
        || each(ROUND, || synchronise(stream)),
        || each(ROUND, || queue.finish()),
    );
    crate::calls::destroy(stream);
    free(to);
    free(from);
}

fn large(table: &Table, queue: &Queue, device: &str, what: &str, size: usize) {
    let stream = stream();
    let (to, from) = (crate::large::touched(size), crate::large::touched(size));
    let [theirs, other] = queue.pair(size);
    let count = u32::try_from((64 << 20) / size).unwrap();
    table.row(
        &format!("{what}, synchronise (PoCL {device})"),
        Goal::Ratio(1.05),
        11,
        || {
            each(count, || {
                copy(to, from, size, stream);
                synchronise(stream);
            })
        },
        || {
            each(count, || {
                queue.copy(theirs, other, size);
                queue.finish();
            })
        },
    );
    crate::calls::destroy(stream);
    free(to);
    free(from);
}
