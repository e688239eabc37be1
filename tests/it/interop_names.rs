//! Streams of another library under names of this program: when a name is free, the effect of a failure on it, and
//! the streams that cannot be borrowed.

use std::ptr;
use std::sync::mpsc::channel;

use ascendcl::error::Usage;
use ascendcl::event::Order;
use ascendcl::memory::{ForeignBuf, Uninit};
use ascendcl::{Npu, Thread, leaks, sys};

use crate::common::{
    acl, acl_with_journal, assert_clean, assert_says, calls, embedded, isolated, usage,
};
use crate::interop::{Torch, c, new_stream};

/// Another name than [`Torch`].
enum Second {}
impl ascendcl::StreamName for Second {}

type D = Npu<0>;

isolated! {
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn own_memory_that_is_dropped_on_a_borrowed_stream_waits_for_it() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let raw = new_stream();
            // SAFETY: a stream of this context, which lives longer.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }.unwrap();
            drop(stream.memset_async(stream.adopt(current.malloc::<u8>(4096).unwrap()), 1).unwrap());
            drop(stream);
            assert_eq!(calls("aclrtFree"), 0, "its work may run");
            // SAFETY: as above.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }.unwrap();
            assert_eq!(calls("aclrtFree"), 0);
            stream.synchronize().unwrap();
            assert_eq!(calls("aclrtFree"), 1);
            drop(stream.memset_async(stream.adopt(current.malloc::<u8>(4096).unwrap()), 1).unwrap());
            stream.give_back().unwrap();
            assert_eq!((calls("aclrtFree"), calls("aclrtDestroyStream")), (2, 0));
            c!(aclrtDestroyStream(raw));
        }
        device.reset().unwrap();
        assert_clean(&acl);
        assert_eq!(leaks(), 0);
    }

    // Memory is queued under a name on a stream that no longer has this name.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_name_moves_to_another_stream_behind_a_wait_for_the_device() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let (first, second) = (new_stream(), new_stream());
            // SAFETY: a stream of this context, which lives longer.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(first) }.unwrap();
            let kept = stream.memset_async(stream.adopt(current.malloc::<u8>(4096).unwrap()), 1).unwrap();
            drop(stream);
            assert_eq!(calls("aclrtSynchronizeDevice"), 0);
            // SAFETY: as above.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(second) }.unwrap();
            assert_eq!(calls("aclrtSynchronizeDevice"), 1);
            stream.synchronize().unwrap().take(kept).free().unwrap();
            // Given back, the name waits for its stream alone.
            stream.give_back().unwrap();
            // SAFETY: as above.
            let stream = unsafe { current.borrow_raw_stream::<Torch>(first) }.unwrap();
            assert_eq!(calls("aclrtSynchronizeDevice"), 1);
            drop(stream);
            c!(aclrtDestroyStream(first));
            c!(aclrtDestroyStream(second));
        }
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn what_cannot_be_borrowed_is_refused() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let raw = new_stream();
            // SAFETY: a null stream is refused.
            let null = unsafe { current.borrow_raw_stream::<Torch>(ptr::null_mut()) };
            assert_says(null, &["null is no stream that can be borrowed", "Current::default_stream"]);
            // SAFETY: a null event is refused.
            let null = unsafe { current.borrow_raw_event::<Order>(ptr::null_mut()) };
            assert_eq!(usage(null), Usage::BorrowedNull { what: "event" });
            // SAFETY: a stream of this context, which lives longer.
            let borrowed = unsafe { current.borrow_raw_stream::<Torch>(raw) }.unwrap();
            // SAFETY: as above.
            let again = unsafe { current.borrow_raw_stream::<Torch>(raw) };
            assert!(matches!(usage(again), Usage::StreamNameTaken { .. }));
            // SAFETY: as above.
            let renamed = unsafe { current.borrow_raw_stream::<Second>(raw) };
            assert_says(renamed, &["borrowed under the name `it::interop::Torch` already"]);
            drop(borrowed);
            // SAFETY: as above.
            let renamed = unsafe { current.borrow_raw_stream::<Second>(raw) };
            assert!(matches!(usage(renamed), Usage::StreamBorrowed { .. }), "work may be left under the first name");
            // SAFETY: as above.
            unsafe { current.borrow_raw_stream::<Torch>(raw) }.unwrap().give_back().unwrap();
            // SAFETY: as above.
            unsafe { current.borrow_raw_stream::<Second>(raw) }.unwrap().give_back().unwrap();
            // A name of one's own is another name.
            let own = current.create_stream::<Torch>().unwrap();
            // SAFETY: as above.
            unsafe { current.borrow_raw_stream::<Torch>(raw) }.unwrap().give_back().unwrap();
            own.destroy().unwrap();
            c!(aclrtDestroyStream(raw));

            let memory = current.malloc::<u8>(256).unwrap();
            let at = |offset: usize| memory.as_raw().wrapping_add(offset);
            let borrow = |pointer: *mut f32, len| {
                // SAFETY: nothing is queued on the memory, which lives longer.
                unsafe { current.borrow_raw_memory::<f32, Uninit, _>(&memory, pointer, len) }
            };
            assert_eq!(usage(borrow(ptr::null_mut(), 4)), Usage::BorrowedNull { what: "memory" });
            assert_eq!(usage(borrow(at(0).cast(), 0)), Usage::ZeroSize { len: 0, size: 4 });
            assert_eq!(usage(borrow(at(0).cast(), usize::MAX)), Usage::SizeOverflow { len: usize::MAX, size: 4 });
            let address = at(4).addr();
            assert_eq!(usage(borrow(at(4).cast(), 4)), Usage::BorrowedAddress { address });
            assert_eq!(borrow(at(64).cast(), 16).unwrap().len(), 16);
            memory.free().unwrap();
        }
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_scope_waits_for_a_borrowed_stream_that_leaves_it() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let raw = new_stream();
            let mut target = [0_u8; 64];
            current.scope(|scope| {
                // SAFETY: a stream of this context, which lives longer.
                let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }.unwrap();
                let source = stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap();
                let mut lent = stream.adopt(scope.lend(&mut target[..]));
                stream.memcpy_async(&mut lent, &source).unwrap();
                drop(stream);
                assert_eq!(calls("aclrtSynchronizeStream"), 1);
            }).unwrap();
            assert_eq!(target, [1; 64]);
            c!(aclrtDestroyStream(raw));
        }
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn a_stream_of_an_explicit_context_is_borrowed_there() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        {
            let current = thread.set_current_context(&context).unwrap();
            let raw = new_stream();
            // SAFETY: a stream of this context, which lives longer.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }.unwrap();
            let buf = stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap();
            stream.synchronize().unwrap().take(buf).free().unwrap();
            stream.give_back().unwrap();
            assert_eq!(calls("aclrtDestroyStream"), 0);
            c!(aclrtDestroyStream(raw));
        }
        context.destroy().unwrap();
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001"]
    fn a_failure_poisons_the_name_of_a_borrowed_stream() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let raw = new_stream();
            // SAFETY: a stream of this context, which lives longer.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }.unwrap();
            let buf = stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap();
            assert_says(stream.synchronize(), &["507001"]);
            assert!(matches!(usage(stream.synchronize()), Usage::StreamPoisoned { .. }));
            stream.drain().unwrap().take(buf).accept_unverified().free().unwrap();
            drop(stream);
            // SAFETY: as above.
            let again = unsafe { current.borrow_raw_stream::<Torch>(raw) };
            assert!(matches!(usage(again), Usage::StreamNameTaken { .. }));
            // SAFETY: as above. The failure was told, and another name has nothing to do with it.
            let mut stream = unsafe { current.borrow_raw_stream::<Second>(raw) }.unwrap();
            let buf = stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap();
            stream.synchronize().unwrap().take(buf).free().unwrap();
            stream.give_back().unwrap();
            c!(aclrtDestroyStream(raw));
        }
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001"]
    fn giving_back_tells_what_has_failed() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let raw = new_stream();
            // SAFETY: a stream of this context, which lives longer.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }.unwrap();
            drop(stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap());
            assert_says(stream.give_back(), &["aclrtSynchronizeStream failed with 507001"]);
            // SAFETY: as above.
            let again = unsafe { current.borrow_raw_stream::<Torch>(raw) };
            assert!(matches!(usage(again), Usage::StreamNameTaken { .. }));
            c!(aclrtDestroyStream(raw));
        }
        device.reset().unwrap();
        assert_clean(&acl);
        assert_eq!(leaks(), 0);
    }

    // No wait for the stream succeeds: nothing proves that its work is over, so the name is not given out again.
    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeStream#1+=507011",
     "ASCENDCL_BACKEND" = "emulator"]
    fn a_stream_without_a_proof_keeps_its_name() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let raw = new_stream();
            // SAFETY: a stream of this context, which lives longer.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }.unwrap();
            drop(stream.memset_async(stream.adopt(current.malloc::<u8>(4096).unwrap()), 1).unwrap());
            assert_says(stream.give_back(), &["aclrtSynchronizeStream failed with 507011"]);
            assert_eq!((leaks(), calls("aclrtFree")), (1, 0), "the stream is given up, and its memory waits for the device");
            // SAFETY: as above.
            let again = unsafe { current.borrow_raw_stream::<Torch>(raw) };
            assert!(matches!(usage(again), Usage::StreamNameTaken { .. }));
            current.synchronize_device().unwrap();
            assert_eq!(calls("aclrtFree"), 1);
            c!(aclrtDestroyStream(raw));
        }
        device.reset().unwrap();
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1=507011",
     "ASCENDCL_BACKEND" = "emulator"]
    fn a_name_stays_with_its_stream_when_the_wait_fails() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let (first, second) = (new_stream(), new_stream());
            // SAFETY: a stream of this context, which lives longer.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(first) }.unwrap();
            drop(stream.memset_async(stream.adopt(current.malloc::<u8>(4096).unwrap()), 1).unwrap());
            drop(stream);
            // SAFETY: as above.
            let moved = unsafe { current.borrow_raw_stream::<Torch>(second) };
            assert_says(moved, &["aclrtSynchronizeDevice failed with 507011"]);
            assert_eq!(calls("aclrtFree"), 0);
            // The wait may have received the report of a failure under the name.
            // SAFETY: as above.
            let again = unsafe { current.borrow_raw_stream::<Torch>(first) };
            assert!(matches!(usage(again), Usage::StreamNameTaken { .. }));
            current.synchronize_device().unwrap();
            assert_eq!(calls("aclrtFree"), 1);
            c!(aclrtDestroyStream(first));
            c!(aclrtDestroyStream(second));
        }
        device.reset().unwrap();
        if embedded(&acl) {
            assert_eq!(ascendcl::emulator::violations(), []);
        }
    }

    // A function on a stream panics, and the name moves to another stream before a wait has returned the panic.
    ["ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn a_panic_under_a_name_is_told_before_it_moves() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let (first, second) = (new_stream(), new_stream());
            // SAFETY: a stream of this context, which lives longer.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(first) }.unwrap();
            stream.launch_host_func(|| panic!("on purpose")).unwrap();
            drop(stream);
            // SAFETY: as above.
            let moved = unsafe { current.borrow_raw_stream::<Torch>(second) };
            assert!(matches!(usage(moved), Usage::HostFuncPanicked { .. }));
            c!(aclrtDestroyStream(first));
            c!(aclrtDestroyStream(second));
        }
        device.reset().unwrap();
        assert_clean(&acl);
    }

    // Memory that another library frees is not parked, so a program that never waits here does not grow.
    ["ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_MEMORY" = "1048576"]
    fn borrowed_memory_is_not_parked() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let raw = new_stream();
            let memory = current.malloc::<u8>(4096).unwrap();
            // SAFETY: a stream of this context, which lives longer.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }.unwrap();
            // SAFETY: the owner frees the memory behind a wait for the stream.
            let borrowed: ForeignBuf<'_, D, [u8], Uninit> =
                unsafe { current.borrow_raw_memory(&memory, memory.as_raw(), 4096) }.unwrap();
            drop(stream.memset_async(stream.adopt(borrowed), 1).unwrap());
            let exhausted = current.malloc::<u8>(1 << 30).unwrap_err().to_string();
            assert!(exhausted.contains("memory is exhausted: "), "{exhausted}");
            drop(stream.memset_async(stream.adopt(current.malloc::<u8>(4096).unwrap()), 1).unwrap());
            let exhausted = current.malloc::<u8>(1 << 30).unwrap_err().to_string();
            assert!(exhausted.contains("4096 bytes of it are parked"), "{exhausted}");
            stream.give_back().unwrap();
            memory.free().unwrap();
            c!(aclrtDestroyStream(raw));
        }
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn a_subscription_does_not_move_with_the_name() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        std::thread::scope(|scope| {
            let ((ready, id), (done, is_done)) = (channel(), channel::<()>());
            let server = &device;
            scope.spawn(move || {
                let mut thread = Thread::claim().unwrap();
                let reports = thread.set_current(server).unwrap().report_thread();
                ready.send(reports.id()).unwrap();
                // Until the other side is done, or has failed.
                let _ = is_done.recv();
            });
            let current = thread.set_current(&device).unwrap();
            let (first, second) = (new_stream(), new_stream());
            // SAFETY: a stream of this context, which lives longer.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(first) }.unwrap();
            let subscription = stream.subscribe_report(&id.recv().unwrap()).unwrap();
            drop(stream);
            // SAFETY: as above.
            let mut stream = unsafe { current.borrow_raw_stream::<Torch>(second) }.unwrap();
            let launched = stream.launch_callback(&subscription, || panic!("nobody serves the second stream"));
            assert_eq!(usage(launched), Usage::SubscriptionEnded);
            drop(stream);
            c!(aclrtDestroyStream(first));
            c!(aclrtDestroyStream(second));
            drop(done);
        });
        device.reset().unwrap();
        assert_clean(&acl);
    }
}
