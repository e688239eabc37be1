//! Storms: eight threads open four devices by slot and by brand, and use contexts, streams of each kind, shared
//! readers, hand-overs, scopes, host functions and peers, under each schedule and with faults.
//!
//! `ASCENDCL_STORM_ROUNDS` sets the number of rounds of each thread.

use std::sync::atomic::{AtomicU64, Ordering};

use ascendcl::bounds::WholeDevice;
use ascendcl::emulator::{faults_struck, live, violations};
use ascendcl::error::Usage;
use ascendcl::event::{Order, OrderProgress};
use ascendcl::stream::Main;
use ascendcl::{
    Acl, ContinueOnFailure, Current, Device, DeviceTag, Error, ErrorKind, Npu, Result, StreamName,
    Thread, release_failures,
};

use crate::common::{acl, embedded, host, isolated};

enum Second {}
impl StreamName for Second {}

const THREADS: u64 = 8;
const ROUNDS: u64 = 60;

/// What the threads have done.
#[derive(Default)]
struct Done {
    /// The number of devices that were opened.
    opened: AtomicU64,
    /// The number of steps that returned an error of the runtime, and of those that returned none.
    failed: AtomicU64,
    succeeded: AtomicU64,
    /// The number of events that are left, if the emulator is that of this process, whose state a test can read.
    events: Option<u64>,
}

impl Done {
    /// Counts a step. A failed step may leave the name of its stream taken until the device ends.
    fn count(&self, step: Result<()>) {
        match step.map_err(Error::into_kind) {
            Ok(()) => &self.succeeded,
            Err(ErrorKind::Refused { .. } | ErrorKind::Wait { .. } | ErrorKind::Usage(_)) => {
                &self.failed
            }
            Err(other) => panic!("{other}"),
        }
        .fetch_add(1, Ordering::Relaxed);
    }
}

/// A number for each thread and round, which chooses what happens.
fn next(kind: u64) -> u64 {
    kind.wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407)
        .rotate_right(29)
}

/// Two streams with names: shared readers, hand-overs, a fence that is dropped, and a device that frees all.
fn named<D: DeviceTag>(current: Current<'_, '_, D>, kind: u64) -> Result<()> {
    let mut main = current.create_stream::<Main>()?;
    let mut second = current.create_stream::<Second>()?;
    let queued = main.memset_async(main.malloc::<u32>(64)?, 1)?;
    match kind % 5 {
        0 => {
            let mut event = current.create_event::<Order>()?;
            let fence = main.fence(&mut event, queued.share())?;
            let reader = second.wait_shared(&fence)?;
            let copy = second.memcpy_async(second.malloc::<u32>(64)?, &reader)?;
            drop((fence, reader));
            second.synchronize()?.take(copy).free()?;
        }
        1 => {
            let mut event = current.create_event::<Order>()?;
            let moved = main.handoff(&mut second, &mut event, queued)?;
            drop(second.memcpy_async(second.malloc::<u32>(64)?, &moved)?);
            second.synchronize()?;
        }
        2 => {
            let event = current.create_event::<OrderProgress>()?;
            drop(main.fence(event, queued)?);
        }
        3 => {
            let parked = current.park(second);
            drop(queued);
            current.attach(parked).synchronize()?;
        }
        _ => {
            drop(queued);
            current.synchronize_device()?;
        }
    }
    main.synchronize().map(drop)
}

/// Streams without a name: with a brand, and parked with a number.
fn nameless<D: DeviceTag>(current: Current<'_, '_, D>) -> Result<()> {
    current.with_stream(|mut stream| {
        let queued = stream.memset_async(stream.malloc::<u8>(256)?, 3)?;
        stream.synchronize()?.take(queued).free()
    })??;
    let mut lanes = [
        current.create_parked_stream()?,
        current.create_parked_stream()?,
    ];
    for (value, lane) in (0..).zip(&mut lanes) {
        lane.with(current, |stream| {
            drop(stream.memset_async(stream.malloc::<u32>(16)?, value)?);
            Ok::<_, Error>(())
        })?;
    }
    Ok(())
}

/// Host functions on a stream, and memory that is lent for a scope.
fn lent<D: DeviceTag>(acl: &Acl, current: Current<'_, '_, D>) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let source = [7_u8; 64];
    let mut target = [0_u8; 64];
    let ran = AtomicU64::new(0);
    let copied = current.scope(|scope| {
        let from = stream.adopt(scope.lend(&source[..]));
        let mut to = stream.adopt(scope.lend(&mut target[..]));
        let on_device = stream.memcpy_async(stream.malloc::<u8>(64)?, &from)?;
        stream.memcpy_async(&mut to, &on_device)?;
        Ok::<_, Error>(())
    })?;
    copied?;
    assert_eq!(source, target, "a scope that succeeds has copied");
    let mut bytes = current.malloc_host::<u8>(host(acl), 64)?;
    bytes.fill(1);
    let mut bytes = stream.adopt(bytes);
    stream.launch_host_func_on(&mut bytes, |bytes| {
        bytes.iter_mut().for_each(|byte| *byte += 1)
    })?;
    let bytes = stream.synchronize()?.take(bytes);
    ran.fetch_add(1, Ordering::Relaxed);
    assert!(bytes.iter().all(|byte| *byte == 2), "{}", ran.into_inner());
    Ok(())
}

/// Uses a device and a context of it, and perhaps a peer.
fn work<D: WholeDevice<Mode = ContinueOnFailure>>(
    acl: &Acl,
    device: &Device<'_, D>,
    thread: &mut Thread,
    kind: u64,
    done: &Done,
) {
    let steps: [&mut dyn FnMut(&mut Thread) -> Result<()>; 4] = [
        &mut |thread| named(thread.set_current(device)?, kind),
        &mut |thread| nameless(thread.set_current(device)?),
        &mut |thread| lent(acl, thread.set_current(device)?),
        &mut |thread| {
            let context = device.create_context::<1>(thread)?;
            named(thread.set_current_context(&context)?, kind / 5)
        },
    ];
    for (number, step) in (0_u64..).zip(steps) {
        if (kind >> number) % 4 == 3 {
            continue;
        }
        done.count(step(thread));
    }
}

/// Opens the device of a slot, with a peer if that is free too.
fn by_slot<const N: usize, const M: usize>(
    acl: &Acl,
    thread: &mut Thread,
    kind: u64,
    done: &Done,
) -> Result<()> {
    let device = acl.set_device::<Npu<N>>(thread, N as u32)?;
    work(acl, &device, thread, kind, done);
    if let Ok(peer) = acl.set_device::<Npu<M>>(thread, M as u32) {
        let reach = |thread: &mut Thread| {
            let current = thread.set_current(&device)?;
            if let Some(route) = current.can_access_peer(&peer)? {
                let access = route.enable(current)?;
                let used = named(current, kind / 3);
                if kind.is_multiple_of(3) {
                    // The reset of the peer waits for this device.
                    std::mem::forget(access);
                }
                used?;
            }
            Ok(())
        };
        done.count(reach(thread));
        work(acl, &peer, thread, kind / 7, done);
        peer.reset()?;
    }
    device.reset()
}

/// Opens a device. Returns whether there was a free one.
fn open(acl: &Acl, thread: &mut Thread, kind: u64, done: &Done) -> bool {
    let opened = match kind % 6 {
        0 => by_slot::<0, 1>(acl, thread, kind / 6, done),
        1 => by_slot::<1, 2>(acl, thread, kind / 6, done),
        2 => by_slot::<3, 0>(acl, thread, kind / 6, done),
        _ => {
            let id = u32::try_from(kind / 6 % 4).unwrap();
            let opened = acl.with_device(thread, id, |device, thread| {
                work(acl, &device, thread, kind / 24, done);
                device.reset()
            });
            opened.and_then(|reset| reset)
        }
    };
    match opened.map_err(Error::into_kind) {
        Ok(()) => true,
        Err(ErrorKind::Usage(Usage::DeviceTaken { .. } | Usage::SlotTaken { .. })) => false,
        Err(other) => panic!("{other}"),
    }
}

/// Runs the storm. Nothing but events is left afterwards.
fn storm() -> Done {
    let acl = acl();
    let mut done = Done::default();
    let rounds = std::env::var("ASCENDCL_STORM_ROUNDS");
    let rounds = rounds.map_or(ROUNDS, |rounds| rounds.parse().unwrap());
    std::thread::scope(|scope| {
        for number in 0..THREADS {
            let (acl, done) = (&acl, &done);
            scope.spawn(move || {
                let mut thread = Thread::claim().unwrap();
                let mut kind = next(number);
                let mut opened = 0;
                while opened < rounds {
                    if open(acl, &mut thread, kind, done) {
                        opened += 1;
                    } else {
                        std::thread::yield_now();
                    }
                    kind = next(kind);
                }
                done.opened.fetch_add(opened, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(done.opened.load(Ordering::Relaxed), THREADS * rounds);
    if embedded(&acl) {
        let left = live();
        let without_events = (
            left.device_blocks,
            left.host_blocks,
            left.streams,
            left.contexts,
        );
        assert_eq!(without_events, (0, 0, 0, 0), "{left:?}");
        done.events = Some(left.events as u64);
        assert_eq!(violations(), []);
    }
    assert_eq!(ascendcl::leaks(), 0);
    done
}

/// The storm without faults: every step succeeds, and no release fails.
fn calm() {
    let done = storm();
    assert_eq!(done.failed.into_inner(), 0);
    assert!(done.succeeded.into_inner() > 0);
    assert_eq!((done.events.unwrap_or(0), release_failures()), (0, 0));
}

isolated! {
    ["ASCENDCL_EMULATOR_DEVICES" = "4", "ASCENDCL_EMULATOR_SCHEDULE" = "eager"]
    on emulator fn everything_at_once_eagerly() {
        calm();
    }

    ["ASCENDCL_EMULATOR_DEVICES" = "4", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn everything_at_once_lazily() {
        calm();
    }

    ["ASCENDCL_EMULATOR_DEVICES" = "4", "ASCENDCL_EMULATOR_SCHEDULE" = "seeded:16"]
    on emulator fn everything_at_once_in_a_seeded_order() {
        calm();
    }

    ["ASCENDCL_EMULATOR_DEVICES" = "4", "ASCENDCL_EMULATOR_FAULT_SEED" = "16",
     "ASCENDCL_EMULATOR_FAULTS" = "out-of-memory%2,no-stream%2,aclrtCreateEventExWithFlag%2=207000,aclrtMemsetAsync%3=507899,\
      aclrtMemcpyAsync%3=507899,aclrtRecordEvent%2=507899,aclrtStreamWaitEvent%2=507899,aclrtSetCurrentContext%1=507899,\
      aclrtCreateContext%5=507899,aclrtLaunchHostFunc%3=507899"]
    on emulator fn calls_fail_at_once() {
        let done = storm();
        assert!(done.failed.into_inner() > 0 && done.succeeded.into_inner() > 0);
        assert_eq!(faults_struck() > 0, done.events.is_some());
        assert_eq!((done.events.unwrap_or(0), release_failures()), (0, 0), "no call of a release has failed");
    }

    ["ASCENDCL_EMULATOR_DEVICES" = "4", "ASCENDCL_EMULATOR_FAULT_SEED" = "17",
     "ASCENDCL_EMULATOR_SCHEDULE" = "seeded:17",
     "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync%5=507001,task:aclrtMemcpyAsync%5=507001"]
    on emulator fn tasks_fail_at_once() {
        let done = storm();
        assert!(done.failed.into_inner() > 0 && done.succeeded.into_inner() > 0);
        if let Some(events) = done.events {
            assert!(release_failures() <= faults_struck(), "each failed task is told once");
            assert_eq!(events, 0);
        }
    }

    ["ASCENDCL_EMULATOR_DEVICES" = "4", "ASCENDCL_EMULATOR_FAULT_SEED" = "18", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtFree%5=507899,aclrtDestroyEvent%5=507899"]
    on emulator fn releases_fail_at_once() {
        let done = storm();
        // A release of a step by name returns its failure, and each other one is counted.
        let told = done.failed.into_inner() + release_failures();
        assert!(told > 0);
        if let Some(events) = done.events {
            assert_eq!(told, faults_struck());
            // Memory that was not freed ended with its device.
            assert!(events > 0 && events < told, "{events} of {told}");
        }
    }
}
