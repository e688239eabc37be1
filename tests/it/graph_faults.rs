//! Calls of graphs that fail: memory comes back or is counted as leaked, and the stream works or says why it does not.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ascendcl::error::Usage;
use ascendcl::graph::NotCaptured;
use ascendcl::stream::Main;
use ascendcl::{Error, Npu, leaks, op, release_failures};

use crate::common::{
    acl, acl_with_journal, assert_clean, assert_refused, bound, calls, host, isolated, usage,
};

/// The code of all faults.
const CODE: i32 = 107_000;

/// A recording with a fork and an operator that changes: the numbers of the host become twice as many.
macro_rules! record {
    ($current:ident, $stream:ident, $memory:expr) => {
        $stream.capture($memory, |recording, (mut a, mut b, mut numbers)| {
            recording.memcpy_async(&mut a, &numbers)?;
            recording.fork((&a, &mut b), |_, side, (a, b)| side.memcpy_async(b, &a))?;
            let (one, other) = (a.tensor(&[4])?, a.tensor(&[4])?);
            let plan = op::add($current, &one, &other, 1, b.tensor_mut(&[4])?)?;
            let ((), group) = recording.updatable(plan)?;
            recording.memcpy_async(&mut numbers, &b)?;
            Ok(group)
        })
    };
}

/// An update that makes the numbers so many times as many.
macro_rules! update {
    ($current:ident, $stream:ident, $graph:ident, $times:expr) => {{
        let group = $graph.value().clone();
        $graph.update(&mut $stream, &group, |update, (a, mut b, _)| {
            let (one, other) = (a.tensor(&[4])?, a.tensor(&[4])?);
            update.launch(op::add(
                $current,
                &one,
                &other,
                $times - 1,
                b.tensor_mut(&[4])?,
            )?)
        })
    }};
}

/// The memory of a graph, with threes.
macro_rules! memory {
    ($current:ident, $host:ident) => {{
        let zeros = || $current.memset($current.malloc::<i32>(4)?, 0);
        let numbers = $current.malloc_host_from($host, &[3_i32; 4]);
        let all = || Ok::<_, Error>((zeros()?, zeros()?, numbers?));
        all().unwrap()
    }};
}

/// The first capture fails. Its memory comes back as it was, and the second capture works on the same streams.
fn the_second_capture_works() {
    bound!(acl, side_of_host, device: Npu<0>, current, stream);
    let memory = memory!(current, side_of_host);
    let failed = record!(current, stream, memory).map(drop);
    let NotCaptured { error, memory } = failed.unwrap_err();
    assert_refused(Err::<(), _>(error), CODE);
    let memory = stream.synchronize().unwrap().verify(memory.unwrap());
    assert_eq!(memory.2[..], [3; 4]);
    let mut graph = record!(current, stream, memory).unwrap();
    graph.launch(&mut stream).unwrap();
    graph.launch(&mut stream).unwrap();
    let memory = stream.synchronize().unwrap().take(graph).destroy().unwrap();
    assert_eq!(memory.2[..], [12; 4]);
    drop((memory, stream));
    drop(device);
    assert_eq!((leaks(), release_failures()), (0, 0));
    assert_clean(&acl);
}

isolated! {
    ["ASCENDCL_EMULATOR_FAULTS" = "aclmdlRICaptureBegin#1=107000"]
    fn a_begin_that_fails_gives_the_memory_back() { the_second_capture_works(); }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclmdlRICaptureEnd#1=107000"]
    fn an_end_that_fails_gives_the_memory_back() { the_second_capture_works(); }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtRecordEvent#1=107000"]
    fn a_fork_that_does_not_begin_gives_the_memory_back() { the_second_capture_works(); }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtStreamWaitEvent#1=107000"]
    fn a_fork_that_does_not_follow_gives_the_memory_back() { the_second_capture_works(); }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtRecordEvent#2=107000"]
    fn a_fork_that_does_not_end_gives_the_memory_back() { the_second_capture_works(); }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtStreamWaitEvent#2=107000"]
    fn a_fork_that_does_not_come_back_gives_the_memory_back() { the_second_capture_works(); }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclmdlRICaptureTaskGrpBegin#1=107000"]
    fn a_group_that_does_not_begin_gives_the_memory_back() { the_second_capture_works(); }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclmdlRICaptureTaskGrpEnd#1=107000"]
    fn a_group_that_does_not_end_gives_the_memory_back() { the_second_capture_works(); }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclnnAdd#1=107000"]
    fn an_operator_that_is_not_recorded_gives_the_memory_back() { the_second_capture_works(); }

    // Where nothing ends the capture, no wait proves that the memory is free, and the end of the device would wait for minutes.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclmdlRICaptureEnd#1+=107000", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn an_end_that_never_succeeds_leaks_or_gives_the_memory_back() {
        bound!(acl, side_of_host, device: Npu<0>, current, stream);
        let memory = memory!(current, side_of_host);
        let failed = record!(current, stream, memory).map(drop);
        let NotCaptured { error, memory } = failed.unwrap_err();
        assert_refused(Err::<(), _>(error), CODE);
        assert_eq!(memory.is_some(), stream.synchronize().is_ok());
        assert_eq!(memory.is_none(), leaks() > 0);
        std::mem::forget((stream, memory));
        std::mem::forget(device);
        std::mem::forget(acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclmdlRIExecuteAsync#1=107000"]
    fn a_refused_run_spoils_nothing() {
        bound!(acl, side_of_host, device: Npu<0>, current, stream);
        let mut graph = record!(current, stream, memory!(current, side_of_host)).unwrap();
        assert_refused(graph.launch(&mut stream), CODE);
        graph.launch(&mut stream).unwrap();
        let memory = stream.synchronize().unwrap().take(graph).destroy().unwrap();
        assert_eq!(memory.2[..], [6; 4]);
        drop((memory, stream));
        drop(device);
        assert_eq!((leaks(), release_failures()), (0, 0));
        assert_clean(&acl);
    }

    // The operator is the old one.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclmdlRICaptureTaskUpdateBegin#1=107000"]
    fn an_update_that_does_not_begin_changes_nothing() {
        bound!(acl, side_of_host, device: Npu<0>, current, stream);
        let mut graph = record!(current, stream, memory!(current, side_of_host)).unwrap();
        assert_refused(update!(current, stream, graph, 5), CODE);
        graph.launch(&mut stream).unwrap();
        update!(current, stream, graph, 5).unwrap();
        graph.launch(&mut stream).unwrap();
        let memory = stream.synchronize().unwrap().take(graph).destroy().unwrap();
        assert_eq!(memory.2[..], [30; 4]);
        drop((memory, stream));
        drop(device);
        assert_eq!((leaks(), release_failures()), (0, 0));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclnnAdd#2=107000"]
    fn an_update_without_its_operator_tears_the_graph() { the_graph_is_torn(); }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclmdlRICaptureTaskUpdateEnd#1=107000"]
    fn an_update_that_does_not_end_tears_the_graph() { the_graph_is_torn(); }

    // The memory is leaked, because an instance refers to it.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclmdlRIDestroy#1=107000", "ASCENDCL_EMULATOR_CHECK" = "1"]
    fn a_graph_that_is_not_destroyed_leaks_its_memory() {
        bound!(acl, side_of_host, device: Npu<0>, current, stream);
        let mut graph = record!(current, stream, memory!(current, side_of_host)).unwrap();
        graph.launch(&mut stream).unwrap();
        let graph = stream.synchronize().unwrap().take(graph);
        assert_refused(graph.destroy(), CODE);
        // The instance, three buffers, the workspace of the operator, and the two events of the fork.
        assert_eq!(leaks(), 7);
        let graph = record!(current, stream, memory!(current, side_of_host)).unwrap();
        drop(stream.synchronize().unwrap().take(graph));
        assert_eq!(leaks(), 7);
        drop(stream);
        drop(device);
    }
}

/// A value of a graph whose drop panics.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("the drop of a value");
    }
}

/// A graph of 64 KiB whose value is a [`Bomb`], with a run of it.
macro_rules! run_with_bomb {
    ($current:ident, $stream:ident) => {{
        let memory = $current.malloc::<u8>(1 << 16).unwrap();
        let memory = $current.memset(memory, 0).unwrap();
        let graph = $stream.capture(memory, |recording, memory| {
            recording.memset_async(memory, 1)?;
            Ok(Bomb)
        });
        let mut graph = graph.unwrap();
        graph.launch(&mut $stream).unwrap();
        graph
    }};
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "1"]
    fn a_value_whose_drop_panics_ends_behind_its_graph() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let graph = run_with_bomb!(current, stream);
            let idle = stream.synchronize()?.take(graph);
            assert!(catch_unwind(AssertUnwindSafe(|| idle.destroy().map(drop))).is_err());
            assert_eq!(calls("aclmdlRIDestroy"), 1);
            let graph = run_with_bomb!(current, stream);
            let idle = stream.synchronize()?.take(graph);
            assert!(catch_unwind(AssertUnwindSafe(|| drop(idle))).is_err());
            assert_eq!(calls("aclmdlRIDestroy"), 2);
            // A task of the memory beside it waits for the stream.
            let graph = run_with_bomb!(current, stream);
            let beside = stream.memset_async(stream.malloc::<u8>(1 << 16)?, 2)?;
            drop(graph.and(beside));
            stream.synchronize()?;
            assert_eq!(calls("aclmdlRIDestroy"), 3);
            Ok(())
        })
        .unwrap();
        assert_eq!((leaks(), release_failures()), (0, 0));
        assert_clean(&acl);
    }

    // No wait proves that the run is over.
    [
        "ASCENDCL_BACKEND" = "emulator",
        "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
        "ASCENDCL_EMULATOR_CHECK" = "1",
        "ASCENDCL_EMULATOR_FAULTS" = "aclmdlRICaptureBegin#2=107000,aclrtSynchronizeStream#1+=507899",
    ]
    fn a_value_whose_drop_panics_leaks_the_memory_of_a_run() {
        bound!(acl with journal, device: Npu<0>, current, stream);
        let graph = run_with_bomb!(current, stream);
        let failed = catch_unwind(AssertUnwindSafe(|| graph.also(&mut stream, |_, _| Ok(())).map(drop)));
        assert!(failed.map(drop).is_err());
        // The instance and its memory.
        assert_eq!(leaks(), 2);
        std::mem::forget(stream);
        drop(device);
        assert_eq!(calls("aclrtFree"), 0);
    }
}

/// An update that was broken off: each run is refused, and the memory comes back.
fn the_graph_is_torn() {
    let acl = acl();
    let side_of_host = host(&acl);
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let mut graph = record!(current, stream, memory!(current, side_of_host))?;
        graph.launch(&mut stream)?;
        assert_refused(update!(current, stream, graph, 5), CODE);
        assert!(matches!(usage(graph.launch(&mut stream)), Usage::TornGraph));
        assert!(matches!(
            usage(graph.launch_nth(0, &mut stream)),
            Usage::TornGraph
        ));
        let memory = stream.synchronize()?.take(graph).destroy()?;
        assert_eq!(memory.2[..], [6; 4]);
        // The stream works as before.
        let mut graph = record!(current, stream, memory)?;
        graph.launch(&mut stream)?;
        let memory = stream.synchronize()?.take(graph).destroy()?;
        assert_eq!(memory.2[..], [12; 4]);
        Ok(())
    })
    .unwrap();
    assert_eq!((leaks(), release_failures()), (0, 0));
    assert_clean(&acl);
}
