//! Typed code beside another library of the process, which is simulated by plain calls of C: the owner of each
//! resource, the order of work, and the effect of a wait, a fault, a panic and a forgotten handle on the other side.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use ascendcl::error::Usage;
use ascendcl::event::{Order, OrderProgress};
use ascendcl::interop::Foreign;
use ascendcl::memory::{ForeignBuf, Init, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Acl, DeviceBuf, Npu, Thread, leaks, op, release_failures, sys};

use crate::common::{acl, host, isolated, usage};

/// The name under which a stream of the other library is borrowed.
pub(crate) enum Torch {}
impl ascendcl::StreamName for Torch {}

type D = Npu<0>;

/// Elements of the memory that both sides use.
const LEN: usize = 64;
const BYTES: usize = LEN * size_of::<f32>();

/// A call of C that the other library makes.
macro_rules! c {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: the other library's own handles, alive, on a thread whose current context is theirs.
        let code = unsafe { sys::$function($($argument),*) };
        assert_eq!(code, 0, stringify!($function));
    }};
}

pub(crate) use c;

/// The other library: its device, its stream, its event and its memory.
struct Other {
    stream: sys::aclrtStream,
    event: sys::aclrtEvent,
    memory: *mut c_void,
}

impl Other {
    /// Opens device 0, as the other library would.
    fn new() -> Other {
        acl().finalize().unwrap(); // installs the backend
        c!(aclInit(ptr::null()));
        c!(aclrtSetDevice(0));
        let (mut event, mut memory) = (ptr::null_mut(), ptr::null_mut());
        c!(aclrtCreateEventExWithFlag(
            &raw mut event,
            sys::ACL_EVENT_SYNC
        ));
        c!(aclrtMalloc(
            &raw mut memory,
            BYTES,
            sys::ACL_MEM_MALLOC_HUGE_FIRST
        ));
        c!(aclrtMemset(memory, BYTES, 0, BYTES));
        Other {
            stream: new_stream(),
            event,
            memory,
        }
    }

    /// Queues a fill on its stream.
    fn fill(&self, byte: i32) {
        c!(aclrtMemsetAsync(
            self.memory,
            BYTES,
            byte,
            BYTES,
            self.stream
        ));
    }

    /// Waits for its stream and reads its memory.
    fn read(&self) -> Vec<u8> {
        c!(aclrtSynchronizeStream(self.stream));
        read(self.memory)
    }

    /// Releases everything, in the order that C requires. A call fails if the typed side has released something.
    fn release(self) {
        c!(aclrtDestroyEvent(self.event));
        c!(aclrtDestroyStream(self.stream));
        c!(aclrtFree(self.memory));
        c!(aclrtResetDevice(0));
        // SAFETY: takes a number; the reset was the last one.
        let code = unsafe { sys::aclrtResetDevice(0) };
        assert_eq!(code, sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
        let mut left = 7;
        c!(aclFinalizeReference(&raw mut left));
        assert_eq!(left, 0);
    }
}

/// A stream of the other library, in the context that is current.
pub(crate) fn new_stream() -> sys::aclrtStream {
    let mut stream = ptr::null_mut();
    c!(aclrtCreateStream(&raw mut stream));
    stream
}

fn read(memory: *mut c_void) -> Vec<u8> {
    let mut bytes = vec![0_u8; BYTES];
    c!(aclrtMemcpy(
        bytes.as_mut_ptr().cast(),
        BYTES,
        memory,
        BYTES,
        sys::ACL_MEMCPY_DEVICE_TO_HOST
    ));
    bytes
}

/// The typed side attaches to the process.
fn attach() -> (Acl, Thread) {
    (Acl::attach().unwrap(), Thread::claim().unwrap())
}

isolated! {
    ["ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn both_sides_share_a_device_a_stream_an_event_and_memory() {
        let other = Other::new();
        let (acl, mut thread) = attach();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            // SAFETY: the other library's stream and event, which it keeps, of the context that is current.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(other.stream) }.unwrap();
            // SAFETY: as above; an event of that function and flag.
            let mut event = unsafe { current.borrow_raw_event::<Order>(other.event) }.unwrap();
            let mut own = current.create_stream::<Main>().unwrap();
            assert_eq!((stream.as_raw(), event.as_raw()), (other.stream, other.event));

            // The other library writes on its stream, and typed code reads behind that.
            other.fill(1);
            // SAFETY: memory of the other library, which uses it on this stream only until the end of the block.
            let theirs: ForeignBuf<'_, D, [f32], Init> =
                unsafe { current.borrow_raw_memory(&other, other.memory.cast(), LEN) }.unwrap();
            let theirs = stream.adopt(theirs);
            let mut back = stream.adopt(current.malloc_host::<f32>(host(&acl), LEN).unwrap());
            stream.memcpy_async(&mut back, &theirs).unwrap();

            // Typed code writes on the borrowed stream and hands the memory to a stream of its own by the event that is
            // borrowed; the other library sees it behind a wait for that stream.
            let mut theirs = theirs;
            stream.memset_async(&mut theirs, 2).unwrap();
            let theirs = stream.handoff(&mut own, &mut event, theirs).unwrap();
            let mut theirs = theirs.accept_unverified();
            own.memset_async(&mut theirs, 3).unwrap();
            let recorded = own.record(&mut event).unwrap();
            stream.wait(recorded).unwrap();

            // The other library records its event, and a stream of typed code waits for it.
            other.fill(4);
            c!(aclrtRecordEvent(other.event, other.stream));
            // SAFETY: recorded just now on a stream of this device.
            let point = unsafe { event.assume_recorded::<Foreign<Torch>>() };
            own.wait(point).unwrap();
            let copy = own.adopt(current.malloc::<f32>(LEN).unwrap());
            let copy = own.memcpy_async(copy, &theirs).unwrap();

            assert_eq!(stream.synchronize().unwrap().take(back)[..], [f32::from_ne_bytes([1; 4]); LEN]);
            let idle = own.synchronize().unwrap();
            let (copy, _) = (idle.take(copy), idle.take(theirs));
            assert_eq!(read(copy.as_raw().cast()), [4; BYTES]);
            copy.free().unwrap();
        }
        device.reset().unwrap();
        acl.finalize().unwrap();
        assert_eq!(other.read(), [4; BYTES]);
        other.release();
        assert_eq!((release_failures(), leaks()), (0, 0));
    }

    ["ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn the_other_library_uses_typed_memory_on_its_stream() {
        let other = Other::new();
        let (acl, mut thread) = attach();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            // SAFETY: the other library's stream, which it keeps.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(other.stream) }.unwrap();
            let ours = stream.adopt(current.malloc::<f32>(LEN).unwrap());
            let ours = stream.memset_async(ours, 5).unwrap();
            let kind = sys::ACL_MEMCPY_DEVICE_TO_DEVICE;
            c!(aclrtMemcpyAsync(other.memory, BYTES, ours.as_raw().cast(), BYTES, kind, other.stream));
            c!(aclrtMemsetAsync(ours.as_raw().cast(), BYTES, 6, BYTES, other.stream));
            let ours = stream.synchronize().unwrap().take(ours);
            assert_eq!(read(ours.as_raw().cast()), [6; BYTES]);
            ours.free().unwrap();
        }
        assert_eq!(other.read(), [5; BYTES]);
        device.reset().unwrap();
        acl.finalize().unwrap();
        other.release();
    }

    // An extension function of an interpreter: it borrows, queues and returns without a wait.
    ["ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn what_is_dropped_is_neither_waited_for_nor_released() {
        let other = Other::new();
        let acl = Acl::attach().unwrap();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        for turn in 1..4_u8 {
            let current = thread.set_current(&device).unwrap();
            // SAFETY: the other library's stream, which it keeps.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(other.stream) }.unwrap();
            // SAFETY: the other library uses the memory in the order of this stream only.
            let theirs: ForeignBuf<'_, D, [f32], Uninit> =
                unsafe { current.borrow_raw_memory(&other, other.memory.cast(), LEN) }.unwrap();
            let theirs = stream.memset_async(stream.adopt(theirs), turn).unwrap();
            // SAFETY: the other library's event, which it keeps.
            let event = unsafe { current.borrow_raw_event::<Order>(other.event) }.unwrap();
            let fence = stream.fence(event, theirs).unwrap();
            drop(fence);
        }
        let mut status = sys::ACL_STREAM_STATUS_COMPLETE;
        c!(aclrtStreamQuery(other.stream, &raw mut status));
        assert_eq!(status, sys::ACL_STREAM_STATUS_NOT_READY, "somebody has waited");
        assert_eq!(other.read(), [3; BYTES]);
        device.reset().unwrap();
        acl.finalize().unwrap();
        other.release();
        assert_eq!((release_failures(), leaks()), (0, 0));
    }

    ["ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn blocking_calls_and_operators_take_borrowed_memory() {
        let other = Other::new();
        let (acl, mut thread) = attach();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            // SAFETY: the other library's stream, which it keeps.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(other.stream) }.unwrap();
            // SAFETY: the other library leaves its memory alone until the end of the block.
            let mut theirs: ForeignBuf<'_, D, [f32], Init> =
                unsafe { current.borrow_raw_memory(&other, other.memory.cast(), LEN) }.unwrap();
            let mut numbers = current.malloc_host::<f32>(host(&acl), LEN).unwrap();
            numbers.fill(1.5);
            current.memcpy(&mut theirs, &numbers).unwrap();
            let ours = current.memset(current.malloc::<f32>(LEN).unwrap(), 0).unwrap();
            let sum: DeviceBuf<'_, D, [f32]> = op::add(
                current,
                &theirs.tensor(&[LEN]).unwrap(),
                &theirs.tensor(&[LEN]).unwrap(),
                1.0,
                current.malloc(LEN).unwrap().into_tensor(&[LEN]).unwrap(),
            )
            .unwrap()
            .run(&mut stream)
            .unwrap();
            // Borrowed memory is an output, too.
            op::add(
                current,
                &sum.tensor(&[LEN]).unwrap(),
                &ours.tensor(&[LEN]).unwrap(),
                1.0,
                theirs.tensor_mut(&[LEN]).unwrap(),
            )
            .unwrap()
            .run(&mut stream)
            .unwrap();
            current.memcpy(&mut numbers, &theirs).unwrap();
            assert_eq!(numbers[..], [3.0; LEN]);
            current.scope(|scope| {
                let mut lent = stream.adopt(scope.lend(&mut theirs));
                stream.memset_async(&mut lent, 7).unwrap();
            }).unwrap();
        }
        assert_eq!(other.read(), [7; BYTES]);
        device.reset().unwrap();
        acl.finalize().unwrap();
        other.release();
    }

    ["ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_panic_releases_nothing_of_the_other_library() {
        let other = Other::new();
        let (acl, mut thread) = attach();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let current = thread.set_current(&device).unwrap();
            // SAFETY: the other library's stream, which it keeps.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(other.stream) }.unwrap();
            // SAFETY: the other library uses the memory in the order of this stream only.
            let theirs: ForeignBuf<'_, D, [f32], Uninit> =
                unsafe { current.borrow_raw_memory(&other, other.memory.cast(), LEN) }.unwrap();
            let _theirs = stream.memset_async(stream.adopt(theirs), 8).unwrap();
            // SAFETY: the other library's event, which it keeps.
            let _event = unsafe { current.borrow_raw_event::<Order>(other.event) }.unwrap();
            panic!("half-way");
        }));
        assert!(panicked.is_err());
        assert_eq!(other.read(), [8; BYTES]);
        device.reset().unwrap();
        acl.finalize().unwrap();
        other.release();
        assert_eq!((release_failures(), leaks()), (0, 0));
    }

    ["ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn what_is_forgotten_is_left_to_the_other_library() {
        let other = Other::new();
        let (acl, mut thread) = attach();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            // SAFETY: the other library's stream, which it keeps.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(other.stream) }.unwrap();
            // SAFETY: the other library uses the memory in the order of this stream only.
            let theirs: ForeignBuf<'_, D, [f32], Uninit> =
                unsafe { current.borrow_raw_memory(&other, other.memory.cast(), LEN) }.unwrap();
            let theirs = stream.memset_async(stream.adopt(theirs), 9).unwrap();
            // SAFETY: the other library's event, which it keeps.
            let event = unsafe { current.borrow_raw_event::<OrderProgress>(other.event) }.unwrap();
            std::mem::forget(stream.fence(event, theirs).unwrap());
            let ours = stream.adopt(current.malloc::<u8>(4096).unwrap());
            drop(stream.memset_async(ours, 1).unwrap());
            std::mem::forget(stream);
            // SAFETY: as above.
            let again = unsafe { current.borrow_raw_stream::<Torch>(other.stream) };
            assert!(matches!(usage(again), Usage::StreamNameTaken { .. }));
        }
        assert_eq!(other.read(), [9; BYTES]);
        // The other library may destroy its stream first: nothing here uses it any more.
        c!(aclrtDestroyStream(other.stream));
        device.reset().unwrap();
        acl.finalize().unwrap();
        Other { stream: new_stream(), ..other }.release();
        assert_eq!((release_failures(), leaks()), (0, 0));
    }

    // The reset of a device that the other library holds too does not wait in C.
    ["ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn the_reset_waits_for_work_on_a_borrowed_stream() {
        let other = Other::new();
        let (acl, mut thread) = attach();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            // SAFETY: the other library's stream, which it keeps.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(other.stream) }.unwrap();
            drop(stream.memset_async(stream.adopt(current.malloc::<u8>(4096).unwrap()), 1).unwrap());
        }
        let mut status = sys::ACL_STREAM_STATUS_COMPLETE;
        c!(aclrtStreamQuery(other.stream, &raw mut status));
        assert_eq!(status, sys::ACL_STREAM_STATUS_NOT_READY);
        device.reset().unwrap();
        c!(aclrtStreamQuery(other.stream, &raw mut status));
        assert_eq!(status, sys::ACL_STREAM_STATUS_COMPLETE);
        acl.finalize().unwrap();
        other.fill(1);
        assert_eq!(other.read(), [1; BYTES]);
        other.release();
    }

    ["ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_borrowed_stream_crosses_threads() {
        let other = Other::new();
        let (acl, mut thread) = attach();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            // SAFETY: the other library's stream, which it keeps.
            let stream = unsafe { current.borrow_raw_stream::<Torch>(other.stream) }.unwrap();
            // SAFETY: the other library uses the memory in the order of this stream only.
            let theirs: ForeignBuf<'_, D, [f32], Uninit> =
                unsafe { current.borrow_raw_memory(&(), other.memory.cast(), LEN) }.unwrap();
            let (parked, theirs) = (current.park(stream), theirs);
            let (parked, theirs) = std::thread::scope(|scope| {
                let run = || {
                    let mut thread = Thread::claim().unwrap();
                    let current = thread.set_current(&device).unwrap();
                    let mut stream = current.attach(parked);
                    let theirs = stream.memset_async(stream.adopt(theirs), 4).unwrap();
                    (current.park(stream), theirs)
                };
                scope.spawn(run).join().unwrap()
            });
            drop((parked, theirs));
        }
        assert_eq!(other.read(), [4; BYTES]);
        device.reset().unwrap();
        acl.finalize().unwrap();
        other.release();
    }
}
