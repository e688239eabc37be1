//! Waits for one device do not hold up another one.

use std::sync::mpsc::channel;

use ascendcl::error::Usage;
use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, DeviceTag, Npu, StreamName, Thread};

use crate::common::{acl, assert_clean, isolated, usage};

enum Second {}
impl StreamName for Second {}

/// What a program does on a device, and the end of the device.
fn live<D: DeviceTag>(current: Current<'_, '_, D>) {
    let mut stream = current.create_stream::<Main>().unwrap();
    let mut other = current.create_stream::<Second>().unwrap();
    let queued = stream
        .memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 1)
        .unwrap();
    let mut event = current.create_event::<Order>().unwrap();
    let fence = stream.fence(&mut event, queued.share()).unwrap();
    drop(other.wait_shared(&fence).unwrap());
    drop(fence);
    current.synchronize_device().unwrap();
    let parked = current.park(other);
    let other = current.attach(parked);
    other.destroy().unwrap();
    drop(stream);
}

/// Opens the device 3, uses it with access to a neighbour, and resets it.
fn open_and_reset(acl: &Acl, thread: &mut Thread, neighbour: &ascendcl::Device<'_, Npu<2>>) {
    acl.with_device(thread, 3, |device, thread| {
        let current = thread.set_current(&device).unwrap();
        live(current);
        let route = current.can_access_peer(neighbour).unwrap().unwrap();
        route.enable(current).unwrap().disable().unwrap();
        let context = device.create_context::<1>(thread).unwrap();
        live(thread.set_current_context(&context).unwrap());
        context.destroy().unwrap();
        device.reset().unwrap();
    })
    .unwrap();
}

/// Whether a thread of this process waits for a device.
fn is_waiting() -> bool {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    tasks.flatten().any(|task| {
        let name = std::fs::read_to_string(task.path().join("comm"));
        name.is_ok_and(|name| name.starts_with("ascendcl rel"))
    })
}

isolated! {
    ["ASCENDCL_EMULATOR_DEVICES" = "4"]
    fn a_wait_for_one_device_does_not_hold_up_another() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let owner = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let user = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let other = acl.set_device::<Npu<2>>(&mut thread, 2).unwrap();
        let current = thread.set_current(&user).unwrap();
        let route = current.can_access_peer(&owner).unwrap().unwrap();
        // The access is forgotten, so the reset of its owner waits for its user.
        std::mem::forget(route.enable(current).unwrap());
        let route = current.can_access_peer(&other).unwrap().unwrap();
        let held = route.enable(current).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let (go, gone) = channel::<()>();
        stream.launch_host_func(move || gone.recv().unwrap()).unwrap();

        std::thread::scope(|scope| {
            let reset = scope.spawn(move || owner.reset());
            while !is_waiting() {
                std::thread::yield_now();
            }
            // Another access of the device that is waited for is refused without a wait.
            let again = current.can_access_peer(&other).unwrap().unwrap();
            let taken = Usage::PeerAccessTaken { user: 1, peer: 2 };
            assert_eq!(usage(again.enable(current)), taken);
            // The others come and go.
            let mut second = std::thread::scope(|scope| {
                let second = scope.spawn(|| {
                    let mut thread = Thread::claim().unwrap();
                    open_and_reset(&acl, &mut thread, &other);
                    live(thread.set_current(&other).unwrap());
                    acl.set_device::<Npu<7>>(&mut thread, 3).unwrap().reset().unwrap();
                });
                Some(second.join())
            });
            second.take().unwrap().unwrap();
            assert!(!reset.is_finished() && is_waiting());
            go.send(()).unwrap();
            reset.join().unwrap().unwrap();
        });
        drop((stream, held));
        other.reset().unwrap();
        user.reset().unwrap();
        assert_clean(&acl);
    }
}
