//! Parked streams that a closure uses: they stay parked on every path out of it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use ascendcl::error::Usage;
use ascendcl::stream::{DefaultName, Main};
use ascendcl::{
    Current, Npu, ParkedStream, Result, Stream, StreamName, Thread, release_failures, sys,
};

use crate::common::{
    acl_with_journal, assert_clean, assert_says, bound, calls, embedded, host, isolated, usage,
};

type D = Npu<0>;

enum Upload {}
impl StreamName for Upload {}

/// Fills memory on the stream and waits.
fn work<S: ascendcl::bounds::StreamTag>(
    current: Current<'_, '_, D>,
    stream: &mut Stream<'_, '_, D, S>,
) -> Result<()> {
    let fresh = current.malloc::<u32>(16)?;
    drop(stream.memset_async(stream.adopt(fresh), 1)?);
    stream.synchronize().map(drop)
}

/// Fails unless the stream lives, is parked, and does its work.
fn assert_parked<'d>(current: Current<'_, 'd, D>, parked: &mut ParkedStream<'d, D, Upload>) {
    assert_says(current.create_stream::<Upload>(), &["Upload", "is taken"]);
    parked
        .with(current, |stream| work(current, stream))
        .unwrap();
}

isolated! {
    fn an_error_leaves_the_stream_parked() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut parked = current.park(current.create_stream::<Upload>().unwrap());
        let failed = parked.with(current, |stream| {
            current.malloc::<u8>(0)?;
            work(current, stream)
        });
        assert_eq!(usage(failed), Usage::ZeroSize { len: 0, size: 1 });
        assert_parked(current, &mut parked);
        if embedded(&acl) {
            assert_eq!(calls("aclrtDestroyStream"), 0);
        }
        // On another thread, too.
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut thread = Thread::claim().unwrap();
                assert_parked(thread.set_current(&device).unwrap(), &mut parked);
            });
        });
        parked.destroy(current).unwrap();
        current.create_stream::<Upload>().unwrap();
        assert_clean(&acl);
    }

    fn a_panic_leaves_the_stream_parked() {
        bound!(acl, device: D, current);
        let mut parked = current.park(current.create_stream::<Upload>().unwrap());
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            parked.with(current, |stream| {
                work(current, stream).unwrap();
                resume_unwind(Box::new("on the way"))
            })
        }));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"on the way"));
        assert_parked(current, &mut parked);
        drop(parked);
        current.create_stream::<Upload>().unwrap();
        assert_clean(&acl);
    }

    fn the_default_stream_is_taken_into_use_as_well() {
        bound!(acl, device: D, current);
        let mut parked: ParkedStream<'_, D, DefaultName> =
            current.park(current.default_stream().unwrap());
        parked.with(current, |stream| work(current, stream)).unwrap();
        let name = "the default stream".into();
        assert_eq!(usage(current.default_stream()), Usage::StreamNameTaken { name });
        drop(parked);
        current.default_stream().unwrap();
        assert_clean(&acl);
    }

    // The wait has returned the failure to the closure. The stream is as the closure left it.
    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failed_wait_poisons_the_parked_stream() {
        bound!(acl, device: D, current);
        let mut parked = current.park(current.create_stream::<Upload>().unwrap());
        let failed = parked.with(current, |stream| work(current, stream));
        assert_says(failed, &["aclrtSynchronizeStream failed with 507001"]);
        let again = parked.with(current, |stream| stream.synchronize().map(drop));
        assert!(matches!(usage(again), Usage::StreamPoisoned { name } if name.ends_with("Upload")));
        parked.with(current, |stream| stream.drain().map(drop)).unwrap();
        parked.destroy(current).unwrap();
        // The name stays taken, as that of each stream with a failure.
        assert!(matches!(usage(current.create_stream::<Upload>()), Usage::StreamNameTaken { .. }));
        device.reset().unwrap();
        assert_eq!(release_failures(), 0);
    }

    // No wait succeeds: the stream stays parked, and its drop leaks it.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeStream#1+=507011", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_stream_without_a_proof_stays_parked_and_is_not_destroyed() {
        bound!(acl with journal, device: D, current);
        let mut parked = current.park(current.create_stream::<Main>().unwrap());
        for _ in 0..2 {
            let failed = parked.with(current, |stream| stream.drain().map(drop));
            assert_says(failed, &["aclrtSynchronizeStream failed with 507011"]);
        }
        assert_says(parked.destroy(current), &["aclrtSynchronizeStream failed with 507011"]);
        if embedded(&acl) {
            assert_eq!(calls("aclrtDestroyStream"), 0);
        }
        assert_eq!(ascendcl::leaks(), 1, "the stream");
        device.reset().unwrap();
    }

    // While memory is lent in a scope, the end of the closure waits, so that no other thread receives the report.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#1=507001",
     "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_scope_learns_what_failed_on_a_stream_that_is_parked_again() {
        bound!(acl, device: D, current);
        let mut parked = current.park(current.create_stream::<Upload>().unwrap());
        let memory = current.memset(current.malloc::<u32>(16).unwrap(), 0).unwrap();
        let mut numbers = current.malloc_host::<u32>(host(&acl), 16).unwrap();
        numbers.fill(7);
        let ended = current.scope(|scope| {
            let raw = parked.with(current, |stream| {
                let memory = stream.adopt(scope.lend(&memory));
                let mut host = stream.adopt(scope.lend(&mut numbers));
                stream.memcpy_async(&mut host, &memory).unwrap();
                stream.as_raw()
            });
            // A wait at this point receives no report that the scope has missed.
            // SAFETY: a live stream.
            assert_eq!(unsafe { sys::aclrtSynchronizeStream(raw) }, 0);
        });
        assert_says(ended, &["aclrtSynchronizeStream failed with 507001"]);
        assert_eq!(numbers[..], [7; 16]);
        let again = parked.with(current, |stream| stream.synchronize().map(drop));
        assert!(matches!(usage(again), Usage::StreamPoisoned { .. }));
        drop((parked, memory, numbers));
        device.reset().unwrap();
    }

    // The scope also reports the failure if the closure panics.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#1=507001",
     "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn so_does_a_scope_in_which_the_closure_panics() {
        bound!(acl, device: D, current);
        let mut parked = current.create_parked_stream().unwrap();
        let memory = current.memset(current.malloc::<u32>(16).unwrap(), 0).unwrap();
        let mut numbers = current.malloc_host::<u32>(host(&acl), 16).unwrap();
        let ended = current.scope(|scope| {
            let lent = scope.lend(&mut numbers);
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                parked.with(current, |stream| {
                    let memory = stream.adopt(scope.lend(&memory));
                    let mut host = stream.adopt(lent);
                    stream.memcpy_async(&mut host, &memory).unwrap();
                    resume_unwind(Box::new(stream.as_raw() as usize))
                })
            }));
            let raw = *panicked.unwrap_err().downcast::<usize>().unwrap();
            // SAFETY: a live stream.
            assert_eq!(unsafe { sys::aclrtSynchronizeStream(raw as sys::aclrtStream) }, 0);
        });
        assert_says(ended, &["aclrtSynchronizeStream failed with 507001"]);
        drop((parked, memory, numbers));
        device.reset().unwrap();
    }
}
