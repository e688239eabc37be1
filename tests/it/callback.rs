//! Host functions in the order of a stream.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::channel;

use ascendcl::error::Usage;
use ascendcl::stream::{Main, StreamStatus};
use ascendcl::{
    Acl, Current, Device, HostSide, Npu, Stream, StreamName, Thread, release_failures, sys,
};

use crate::common::{
    acl, acl_with_journal, assert_clean, assert_says, bound, calls, host, isolated, usage,
};

/// A second stream.
#[derive(Debug)]
enum Other {}
impl StreamName for Other {}

type D = Npu<0>;

/// Copies numbers from the device, doubles them, copies them to the device, and back again.
fn doubled(
    current: Current<'_, '_, D>,
    side: HostSide<'_>,
    stream: &mut Stream<'_, '_, D, Main>,
) -> Vec<u32> {
    let first: Vec<u32> = (0..1000).collect();
    let mut source = current.malloc_host::<u32>(side, 1000).unwrap();
    source.copy_from_slice(&first);
    let mut host = stream.adopt(source);
    let mut back = stream.adopt(current.malloc_host::<u32>(side, 1000).unwrap());
    let on_device = stream.adopt(current.malloc::<u32>(1000).unwrap());
    let mut on_device = stream.memcpy_async(on_device, &host).unwrap();
    stream.memcpy_async(&mut host, &on_device).unwrap();
    stream
        .launch_host_func_on(&mut host, |numbers| {
            numbers.iter_mut().for_each(|number| *number *= 2)
        })
        .unwrap();
    stream.memcpy_async(&mut on_device, &host).unwrap();
    stream.memcpy_async(&mut back, &on_device).unwrap();
    let idle = stream.synchronize().unwrap();
    idle.take(back).to_vec()
}

/// The result of [`doubled`] on a fresh device.
fn check_doubled(acl: &Acl) {
    let side = host(acl);
    let mut thread = Thread::claim().unwrap();
    let device = acl.set_device::<D>(&mut thread, 0).unwrap();
    let current = thread.set_current(&device).unwrap();
    let mut stream = current.create_stream::<Main>().unwrap();
    let expected: Vec<u32> = (0..1000).map(|number| 2 * number).collect();
    assert_eq!(doubled(current, side, &mut stream), expected);
    assert_clean(acl);
}

/// Whether the error reports a panic on the stream `Main`.
fn is_told(mistake: &Usage) -> bool {
    matches!(mistake, Usage::HostFuncPanicked { name } if name.ends_with("Main"))
}

/// Passes `wait` a stream with a host function that panics. `wait` must return the panic, and no later wait does.
fn told_once(wait: impl FnOnce(Current<'_, '_, D>, Stream<'_, '_, D, Main>)) {
    bound!(acl, device: D, current, stream);
    stream
        .launch_host_func(|| panic!("its own mistake"))
        .unwrap();
    // Behind it, so that it is over.
    let (told, tells) = channel();
    stream
        .launch_host_func(move || told.send(()).unwrap())
        .unwrap();
    tells.recv().unwrap();
    wait(current, stream);
    let failures = release_failures();
    current.synchronize_device().unwrap();
    device.reset().unwrap();
    assert_eq!(release_failures(), failures);
}

isolated! {
    fn a_host_function_runs_between_the_copies_around_it() {
        check_doubled(&acl());
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn it_does_so_as_late_as_legal() {
        check_doubled(&acl());
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "seeded:7"]
    fn it_does_so_in_any_order() {
        check_doubled(&acl());
    }

    fn later_work_waits_for_the_function() {
        bound!(acl, device: D, current, stream);
        let (go, gone) = channel();
        let (began, begun) = channel();
        stream
            .launch_host_func(move || {
                began.send(std::thread::current().id()).unwrap();
                gone.recv().unwrap();
            })
            .unwrap();
        let (told, tells) = channel();
        stream.launch_host_func(move || told.send(()).unwrap()).unwrap();
        assert_ne!(begun.recv().unwrap(), std::thread::current().id());
        assert_eq!(stream.query().unwrap(), StreamStatus::NotReady);
        assert!(tells.try_recv().is_err());
        go.send(()).unwrap();
        stream.synchronize().unwrap();
        tells.recv().unwrap();
    }

    fn functions_of_two_devices_do_not_wait_for_one_thread() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let devices = (
            acl.set_device::<Npu<0>>(&mut thread, 0).unwrap(),
            acl.set_device::<Npu<1>>(&mut thread, 1).unwrap(),
        );
        let (tell, told) = channel();
        let current = thread.set_current(&devices.0).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let (began, begun) = channel();
        stream
            .launch_host_func(move || {
                began.send(()).unwrap();
                told.recv().unwrap();
            })
            .unwrap();
        begun.recv().unwrap();
        let parked = current.park(stream);
        let mut other = thread.set_current(&devices.1).unwrap().create_stream::<Main>().unwrap();
        other.launch_host_func(move || tell.send(()).unwrap()).unwrap();
        other.synchronize().unwrap();
        drop(other);
        thread.set_current(&devices.0).unwrap().attach(parked).synchronize().unwrap();
    }

    fn parts_and_lent_slices_are_touched_too() {
        bound!(acl, side, device: D, current, stream);
        let mut host = stream.adopt(current.malloc_host::<u8>(side, 8).unwrap());
        let part = host.slice_mut(2..5).unwrap();
        stream.launch_host_func_on(part, |bytes| bytes.fill(7)).unwrap();
        let idle = stream.synchronize().unwrap();
        assert_eq!(idle.take(host)[..], [0, 0, 7, 7, 7, 0, 0, 0]);

        let mut numbers = [1_u16, 2, 3];
        current
            .scope(|scope| {
                let mut lent = stream.adopt(scope.lend(&mut numbers[..]));
                stream.launch_host_func_on(&mut lent, |numbers| numbers.reverse())
            })
            .unwrap()
            .unwrap();
        assert_eq!(numbers, [3, 2, 1]);
    }

    fn what_a_function_owns_is_dropped_where_it_ran() {
        bound!(acl, device: D, current, stream);
        let owned = Arc::new(());
        let moved = Arc::clone(&owned);
        stream.launch_host_func(move || drop(moved)).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(Arc::strong_count(&owned), 1);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_FAULTS" = "aclrtLaunchHostFunc#1=507000"]
    fn a_refused_function_is_dropped_at_once() {
        bound!(acl, device: D, current, stream);
        let owned = Arc::new(());
        let moved = Arc::clone(&owned);
        assert_says(stream.launch_host_func(move || drop(moved)), &["aclrtLaunchHostFunc", "507000"]);
        assert_eq!(Arc::strong_count(&owned), 1);
        stream.synchronize().unwrap();
    }

    // If the runtime refuses a function and calls it all the same, the box of the function is empty.
    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_function_that_is_refused_and_called_does_nothing() {
        static LIES: AtomicBool = AtomicBool::new(false);
        unsafe extern "C" fn launch(
            stream: sys::aclrtStream,
            function: sys::aclrtHostFunc,
            data: *mut c_void,
        ) -> sys::aclError {
            // SAFETY: the caller's contract.
            let code = unsafe { (ascendcl::emulator::API.callback.aclrtLaunchHostFunc)(stream, function, data) };
            if LIES.load(Relaxed) { sys::ACL_ERROR_RT_INTERNAL_ERROR } else { code }
        }
        let mut api = ascendcl::emulator::api();
        api.callback.aclrtLaunchHostFunc = launch;
        // SAFETY: the emulator, with a lie in one function.
        unsafe { api.install() }.unwrap();
        bound!(acl, device: D, current, stream);
        // Queued before it, so that it is called after the refusal.
        let (go, gone) = channel();
        stream.launch_host_func(move || gone.recv().unwrap()).unwrap();
        LIES.store(true, Relaxed);
        let (called, calls) = channel();
        assert_says(stream.launch_host_func(move || called.send(()).unwrap()), &["507000"]);
        go.send(()).unwrap();
        stream.synchronize().unwrap();
        calls.recv().unwrap_err();
    }

    fn a_panic_poisons_its_stream_and_goes_no_further() {
        bound!(acl, side, device: D, current, stream);
        let mut other = current.create_stream::<Other>().unwrap();
        let mut host = stream.adopt(current.malloc_host::<u8>(side, 2).unwrap());
        stream
            .launch_host_func_on(&mut host, |bytes| {
                bytes[0] = 1;
                let behind_the_end = bytes.len();
                bytes[behind_the_end] = 1;
            })
            .unwrap();
        assert!(is_told(&usage(stream.synchronize())));
        let again = usage(stream.synchronize());
        assert!(matches!(again, Usage::StreamPoisoned { name } if name.ends_with("Main")));
        other.synchronize().unwrap();
        let drained = stream.drain().unwrap();
        assert_eq!(drained.take(host).accept_unverified()[..], [1, 0]);
        // The thread of the runtime continues.
        let (told, tells) = channel();
        stream.launch_host_func(move || told.send(Thread::claim().map(drop)).unwrap()).unwrap();
        assert_eq!(usage(tells.recv().unwrap()), Usage::InHostFunc);
        drop((stream, other));
        device.reset().unwrap();
        assert_eq!(release_failures(), 0);
    }

    // The next wait returns it, once, for each kind of wait.
    fn a_panic_is_told_by_a_wait_with_a_limit() {
        told_once(|current, mut stream| {
            assert!(is_told(&usage(stream.synchronize_within(std::time::Duration::from_secs(100)))));
            current.synchronize_device().unwrap();
            stream.destroy().unwrap();
        });
    }

    fn a_panic_is_told_by_a_wait_for_the_device() {
        told_once(|current, mut stream| {
            assert!(is_told(&usage(current.synchronize_device())));
            let again = usage(stream.synchronize());
            assert!(matches!(again, Usage::StreamPoisoned { .. }));
        });
    }

    fn panics_of_two_streams_are_told_one_after_the_other() {
        told_once(|current, stream| {
            let mut other = current.create_stream::<Other>().unwrap();
            other.launch_host_func(|| panic!("the other's own mistake")).unwrap();
            let told = [usage(current.synchronize_device()), usage(current.synchronize_device())];
            assert!(told.iter().any(is_told));
            assert!(told.iter().any(|mistake| !is_told(mistake)));
            current.synchronize_device().unwrap();
            // The device's waits have returned the panics; their own streams have not.
            for destroyed in [other.destroy(), stream.destroy()] {
                assert!(matches!(usage(destroyed), Usage::StreamPoisoned { .. }));
            }
        });
    }

    fn a_panic_is_told_by_the_end_of_a_scope() {
        told_once(|current, stream| {
            assert!(is_told(&usage(current.scope(|_| ()))));
            current.scope(|_| ()).unwrap();
            assert!(matches!(usage(stream.destroy()), Usage::StreamPoisoned { .. }));
        });
    }

    fn a_panic_is_told_by_the_destruction_of_its_stream() {
        told_once(|current, stream| {
            assert!(is_told(&usage(stream.destroy())));
            // Memory that was queued under the name may still be unverified.
            let mistake = usage(current.create_stream::<Main>());
            assert!(matches!(mistake, Usage::StreamNameTaken { .. }));
        });
    }

    // A parked stream, a device and `Acl` that a program has leaked for them, on the thread of the runtime.
    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn what_would_wait_is_not_released_in_a_function() {
        let acl: &'static Acl = Box::leak(Box::new(acl_with_journal()));
        let thread: &'static mut Thread = Box::leak(Box::new(Thread::claim().unwrap()));
        let other = acl.set_device::<Npu<1>>(thread, 1).unwrap();
        let device: &'static Device<'static, D> = Box::leak(Box::new(acl.set_device::<D>(thread, 0).unwrap()));
        let current = thread.set_current(device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let parked = current.park(current.create_stream::<Other>().unwrap());
        ascendcl::on_release_failure(|error| {
            assert!(error.to_string().contains("cannot be used inside a function"), "{error}");
        });
        stream.launch_host_func(move || drop((parked, other))).unwrap();
        stream.synchronize().unwrap();
        assert_eq!((release_failures(), calls("aclrtDestroyStream"), calls("aclrtResetDevice")), (2, 0, 0));
        let taken = usage(current.create_stream::<Other>());
        assert!(matches!(taken, Usage::StreamNameTaken { .. }), "{taken}");
    }

    fn a_panic_is_told_to_the_hook_when_its_stream_is_dropped() {
        told_once(|current, stream| {
            drop(stream);
            assert_eq!(release_failures(), 1);
            current.synchronize_device().unwrap();
        });
    }

    fn a_panic_that_nobody_was_told_of_is_told_to_the_hook_by_the_reset() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let mut stream = thread.set_current(&device).unwrap().default_stream().unwrap();
        stream.launch_host_func(|| panic!("its own mistake")).unwrap();
        stream.drain().unwrap();
        drop(stream);
        assert_eq!(release_failures(), 0);
        device.reset().unwrap();
        assert_eq!(release_failures(), 1);
    }

    fn a_panic_whose_payload_panics_goes_no_further_either() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("a second one");
            }
        }
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let mut stream = thread.set_current(&device).unwrap().create_stream::<Main>().unwrap();
        stream.launch_host_func(|| std::panic::panic_any(Bomb)).unwrap();
        assert!(is_told(&usage(stream.synchronize())));
    }

    fn a_function_cannot_claim_its_thread() {
        bound!(acl, device: D, current, stream);
        let (told, tells) = channel();
        stream.launch_host_func(move || told.send(Thread::claim().map(drop)).unwrap()).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(usage(tells.recv().unwrap()), Usage::InHostFunc);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_forgotten_stream_and_its_function_are_harmless() {
        bound!(acl, side, device: D, current, stream);
        let mut host = stream.adopt(current.malloc_host::<u8>(side, 64).unwrap());
        let (go, gone) = channel();
        let (told, tells) = channel();
        stream
            .launch_host_func_on(&mut host, move |bytes| {
                gone.recv().unwrap();
                bytes.fill(1);
                told.send(bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>()).unwrap();
            })
            .unwrap();
        // Parked, because the function may be about to touch it.
        drop(host);
        std::mem::forget(stream);
        go.send(()).unwrap();
        device.reset().unwrap();
        assert_eq!(tells.recv().unwrap(), 64);
    }
}
