//! Captures on several threads beside threads that work and wait: no capture spoils a wait of another thread.

use std::sync::Barrier;

use ascendcl::{Current, Device, HostSide, Npu, Result, Stream, StreamName, Thread, leaks, sys};

use crate::common::{acl, assert_clean, assert_refused, bound, host, isolated};

/// The number of rounds in which all threads meet.
const ROUNDS: usize = 20;

enum Names<const NUMBER: usize> {}
impl<const NUMBER: usize> StreamName for Names<NUMBER> {}

/// A thread that is bound to the device, with a stream of its own.
fn on_thread<const NUMBER: usize>(
    device: &Device<'_, Npu<0>>,
    work: impl FnOnce(Current<'_, '_, Npu<0>>, Stream<'_, '_, Npu<0>, Names<NUMBER>>) -> Result<()>,
) {
    let mut thread = Thread::claim().unwrap();
    let current = thread.set_current(device).unwrap();
    let stream = current.create_stream::<Names<NUMBER>>().unwrap();
    work(current, stream).unwrap();
}

/// Captures a graph between the barriers of each round, and runs it behind them.
fn captures<S: StreamName>(
    current: Current<'_, '_, Npu<0>>,
    mut stream: Stream<'_, '_, Npu<0>, S>,
    host: HostSide<'_>,
    meet: &Barrier,
) -> Result<()> {
    let mut numbers = current.malloc_host_from(host, &[0_u32; 4])?;
    let mut on_device = current.memset(current.malloc::<u32>(4)?, 0)?;
    for round in 1.. {
        let graph = stream.capture(
            (numbers, on_device),
            |recording, (mut numbers, mut on_device)| {
                meet.wait(); // both record
                recording.each_run_on(&mut numbers, |numbers| numbers[0] += 1)?;
                recording.memcpy_async(&mut on_device, &numbers)?;
                meet.wait(); // both others have waited
                recording.memcpy_async(&mut numbers, &on_device)
            },
        )?;
        meet.wait(); // nothing records
        let mut graph = graph;
        graph.launch(&mut stream)?;
        (numbers, on_device) = stream.synchronize()?.take(graph).destroy()?;
        assert_eq!(numbers[0] as usize, round);
        if round == ROUNDS {
            break;
        }
    }
    Ok(())
}

/// Works while the other threads record: waits for its stream succeed, and those for the device are refused.
fn works<S: StreamName>(
    current: Current<'_, '_, Npu<0>>,
    mut stream: Stream<'_, '_, Npu<0>, S>,
    meet: &Barrier,
) -> Result<()> {
    for _ in 0..ROUNDS {
        meet.wait();
        let ones = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
        assert_refused(
            current.synchronize_device(),
            sys::ACL_ERROR_RT_STREAM_CAPTURED,
        );
        stream.synchronize()?.take(ones).free()?;
        // A queued buffer that is dropped is freed by a later wait.
        drop(stream.memset_async(stream.malloc::<u8>(4)?, 2)?);
        assert_refused(
            current.synchronize_device(),
            sys::ACL_ERROR_RT_STREAM_CAPTURED,
        );
        meet.wait();
        meet.wait();
    }
    Ok(())
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn two_threads_capture_and_two_work_lazily() { two_capture_and_two_work(); }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "seeded:7"]
    on emulator fn two_threads_capture_and_two_work_in_any_order() { two_capture_and_two_work(); }

    // A scope waits for what was lent in it, and no capture of another thread holds it up.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn a_scope_ends_beside_captures() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let meet = Barrier::new(3);
        std::thread::scope(|threads| {
            threads.spawn(|| on_thread::<0>(&device, |current, stream| captures(current, stream, side, &meet)));
            threads.spawn(|| on_thread::<1>(&device, |current, stream| captures(current, stream, side, &meet)));
            threads.spawn(|| on_thread::<2>(&device, |current, stream| lends(current, stream, side, &meet)));
        });
        let current = thread.set_current(&device).unwrap();
        current.synchronize_device().unwrap();
        drop(device);
        assert_eq!(leaks(), 0);
        assert_clean(&acl);
    }

    // A graph of one thread runs on a stream of another one, which takes it over by its event.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn a_graph_goes_to_another_thread() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let numbers = current.malloc_host_from(side, &[1_u32; 4]).unwrap();
        let graph = stream.capture(numbers, |recording, mut numbers| {
            recording.each_run_on(&mut numbers, |numbers| numbers[0] *= 2)
        });
        let mut graph = graph.map_err(ascendcl::Error::from).unwrap();
        graph.launch(&mut stream).unwrap();
        let graph = stream.synchronize().unwrap().take(graph);
        std::thread::scope(|threads| {
            threads.spawn(|| on_thread::<0>(&device, move |_, mut stream| {
                let mut graph = stream.adopt(graph);
                graph.launch(&mut stream)?;
                let numbers = stream.synchronize()?.take(graph).destroy()?;
                assert_eq!(numbers[0], 4);
                Ok(())
            }));
        });
        drop(stream);
        drop(device);
        assert_eq!(leaks(), 0);
        assert_clean(&acl);
    }
}

/// Lends memory in a scope that ends while the other threads record.
fn lends<S: StreamName>(
    current: Current<'_, '_, Npu<0>>,
    mut stream: Stream<'_, '_, Npu<0>, S>,
    host: HostSide<'_>,
    meet: &Barrier,
) -> Result<()> {
    let mut pinned = current.malloc_host::<u8>(host, 4)?;
    for round in 0..ROUNDS {
        meet.wait();
        let byte = u8::try_from(round).unwrap_or(0);
        current.scope(|scope| -> Result<()> {
            let filled = stream.memset_async(stream.malloc::<u8>(4)?, byte)?;
            stream.memcpy_async(&mut stream.adopt(scope.lend(&mut pinned)), &filled)
        })??;
        assert_eq!(pinned[..], [byte; 4]);
        meet.wait();
        meet.wait();
    }
    Ok(())
}

fn two_capture_and_two_work() {
    let acl = acl();
    let side = host(&acl);
    let mut thread = Thread::claim().unwrap();
    let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
    let meet = Barrier::new(4);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            on_thread::<0>(&device, |current, stream| {
                captures(current, stream, side, &meet)
            })
        });
        threads.spawn(|| {
            on_thread::<1>(&device, |current, stream| {
                captures(current, stream, side, &meet)
            })
        });
        threads.spawn(|| on_thread::<2>(&device, |current, stream| works(current, stream, &meet)));
        threads.spawn(|| on_thread::<3>(&device, |current, stream| works(current, stream, &meet)));
    });
    let current = thread.set_current(&device).unwrap();
    current.synchronize_device().unwrap();
    drop(device);
    assert_eq!(leaks(), 0);
    assert_clean(&acl);
}
