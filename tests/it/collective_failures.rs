//! Collectives that fail: ranks that are missing, that disagree or that fail elsewhere, and releases that fail.

use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ascendcl::collective::{Comm, Sum, World};
use ascendcl::error::{ErrorKind, Usage};
use ascendcl::stream::Main;
use ascendcl::sys;
use ascendcl::{Current, DeviceTag, Npu, Queued, Result, Stream, StreamName};

use crate::collective::{Given, Member, on_ranks};
use crate::common::{acl_with_journal, assert_says, bound, calls, isolated, usage};

/// Both ranks reach a line of a test.
static LINES: [Barrier; 2] = [Barrier::new(2), Barrier::new(2)];

/// The call, the code and the hint of a failed wait.
#[track_caller]
fn failed<T>(result: Result<T>) -> (&'static str, i32, String) {
    match result.map_err(ascendcl::Error::into_kind) {
        Err(ErrorKind::Wait(failed)) => (
            failed.call,
            failed.code,
            failed.hint.unwrap_or_default().into_owned(),
        ),
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("no error"),
    }
}

/// Takes everything back after a failure, and destroys the communicator.
fn give_up<'d, D: DeviceTag>(mut member: Member<'_, 'd, D>, buf: crate::collective::Here<'d, D>) {
    let drained = member.stream.drain().unwrap();
    drained.take(buf).accept_unverified().free().unwrap();
    let comm = drained.take(member.comm).accept_unverified();
    comm.destroy().unwrap();
    // The name of the stream stays poisoned, so its destruction says so.
    drop(member.stream);
}

fn lost_rank<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let mut member = Member::join(current, given);
    let mut own = member.upload(&[1.0]);
    let name = {
        let Member { comm, stream, .. } = &mut member;
        stream
            .with(comm)
            .all_reduce_in_place(Sum, &mut own)
            .unwrap();
        stream.synchronize().unwrap();
        format!("rank {} of 2 of the communicator `127.0.0.1_", given.rank)
    };
    if given.rank == 0 {
        // Rank 1 does not take part in the second operation.
        let Member { comm, stream, .. } = &mut member;
        stream
            .with(comm)
            .all_reduce_in_place(Sum, &mut own)
            .unwrap();
        let (call, code, hint) = failed(stream.synchronize());
        assert_eq!(
            (call, code),
            (
                "aclrtSynchronizeStream",
                sys::ACL_ERROR_RT_FFTS_PLUS_TIMEOUT
            )
        );
        assert!(
            hint.starts_with(&name) && hint.contains("in the same order"),
            "{hint}"
        );
        // Later waits prove nothing about the failed operation.
        let (call, code, hint) = failed(stream.synchronize());
        assert_eq!(
            (call, code),
            ("HcclGetCommAsyncError", sys::HCCL_E_REMOTE.0)
        );
        assert!(hint.starts_with(&name) && hint.contains("drain"), "{hint}");
        LINES[0].wait();
    } else {
        LINES[0].wait();
        // All work of this rank has succeeded, and another rank has failed.
        let (call, code, hint) = failed(member.stream.synchronize());
        assert_eq!(
            (call, code),
            ("HcclGetCommAsyncError", sys::HCCL_E_REMOTE.0)
        );
        assert!(
            hint.starts_with(&name) && hint.contains("another rank"),
            "{hint}"
        );
    }
    give_up(member, own);
}

fn other_counts<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let mut member = Member::join(current, given);
    let mut own = member.upload(&[1.0, 2.0, 3.0]);
    let Member { comm, stream, .. } = &mut member;
    let end = 2 + given.rank as usize;
    stream
        .with(comm)
        .all_reduce_in_place(Sum, own.slice_mut(0..end).unwrap())
        .unwrap();
    let (wait, (call, code, hint)) = match given.rank {
        0 => ("aclrtSynchronizeStream", failed(stream.synchronize())),
        _ => (
            "aclrtSynchronizeStreamWithTimeout",
            failed(stream.synchronize_within(Duration::from_secs(60))),
        ),
    };
    let refused = sys::ACL_ERROR_RT_FFTS_PLUS_TIMEOUT;
    assert_eq!((call, code), (wait, refused));
    assert!(hint.contains("of 2 of the communicator"), "{hint}");
    give_up(member, own);
}

fn limited_wait<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let mut member = Member::join(current, given);
    let mut own = member.upload(&[1.0]);
    if given.rank == 0 {
        // The connection needs both ranks, and the second operation waits for rank 1.
        let Member { comm, stream, .. } = &mut member;
        stream
            .with(comm)
            .all_reduce_in_place(Sum, &mut own)
            .unwrap();
        stream.synchronize().unwrap();
        stream
            .with(comm)
            .all_reduce_in_place(Sum, &mut own)
            .unwrap();
        let (_, code, hint) = failed(stream.synchronize_within(Duration::from_millis(1)));
        assert_eq!(code, sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
        assert!(hint.contains("the time was up"), "{hint}");
        LINES[1].wait();
    } else {
        let Member { comm, stream, .. } = &mut member;
        stream
            .with(comm)
            .all_reduce_in_place(Sum, &mut own)
            .unwrap();
        LINES[1].wait();
        stream
            .with(comm)
            .all_reduce_in_place(Sum, &mut own)
            .unwrap();
    }
    // The memory and the communicator are as they were, and the wait can be repeated.
    member.assert(&own, &[4.0]);
    member.end();
}

/// Panics while an operation that has not run yet is queued.
fn panic_in_the_middle<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut member = Member::join(current, given);
        let mut own = member.upload(&[1.0]);
        let Member { comm, stream, .. } = &mut member;
        stream
            .with(comm)
            .all_reduce_in_place(Sum, &mut own)
            .unwrap();
        panic!("in the middle");
    }));
    assert!(panicked.is_err());
}

/// The number of failed releases that the hook has got.
static FAILED: AtomicUsize = AtomicUsize::new(0);

enum Second {}
impl StreamName for Second {}
enum Third {}
impl StreamName for Third {}

/// Queues an operation, ends the communicator by `end`, which does not wait by the stream, and waits afterwards. One of the
/// two returns the error of the communicator.
fn unasked<'t, 'd, D: DeviceTag, S: StreamName>(
    current: Current<'t, 'd, D>,
    end: impl FnOnce(
        Queued<'d, (D, S), Comm<'t, 'd, D, World>>,
        &mut Stream<'t, 'd, D, S>,
    ) -> Result<()>,
) -> Result<()> {
    let root = current.root_info(1)?;
    let comm = current.comm_init_root_info::<World>(&root, 0)?;
    let mut stream = current.create_stream::<S>()?;
    let comm = stream.adopt(comm);
    let own = stream.memset_async(stream.malloc::<f32>(4)?, 0)?;
    let sums = stream
        .with(&comm)
        .all_reduce(Sum, &own, stream.malloc(4)?)?;
    let told = end(comm, &mut stream).and_then(|()| stream.synchronize().map(drop));
    let (call, code, hint) = failed(told);
    assert_eq!((call, code), ("HcclGetCommAsyncError", 19));
    assert!(
        hint.starts_with("rank 0 of 1 of the communicator"),
        "{hint}"
    );
    // Without the question before the end, a wait would verify the sums.
    assert!(stream.synchronize().is_err());
    drop((own, sums));
    drop(stream);
    Ok(())
}

/// Runs a barrier on a stream without a name, which ends behind it.
fn on_a_short_stream<'t, 'd, D: DeviceTag>(
    current: Current<'t, 'd, D>,
    comm: Comm<'t, 'd, D>,
) -> Result<Comm<'t, 'd, D>> {
    let mut stream = current.create_parked_stream()?;
    let comm = stream.with(current, |stream| {
        let comm = stream.adopt(comm);
        stream.with(&comm).barrier()?;
        let idle = stream.synchronize()?;
        Ok::<_, ascendcl::Error>(idle.take(comm))
    })?;
    stream.destroy(current)?;
    Ok(comm)
}

/// Joins, fails in each way that this process can show, and destroys the communicator.
fn one_life<D: DeviceTag>(current: Current<'_, '_, D>) -> Result<()> {
    let root = current.root_info(1)?;
    usage(current.comm_init_root_info::<World>(&root, 1));
    let comm = current.comm_init_root_info::<World>(&root, 0)?;
    let mut stream = current.create_stream::<Main>()?;
    let comm = stream.adopt(comm);
    let mut numbers = stream.memset_async(stream.malloc::<i32>(64)?, 0)?;
    stream.with(&comm).all_reduce_in_place(Sum, &mut numbers)?;
    let none = numbers.slice_mut(0..0)?;
    usage(stream.with(&comm).all_reduce_in_place(Sum, none));
    // The fresh destination is parked.
    let short = stream.malloc::<i32>(1)?;
    usage(stream.with(&comm).all_gather(&numbers, short));
    let idle = stream.synchronize()?;
    idle.take(numbers).free()?;
    idle.take(comm).destroy()?;
    stream.destroy()
}

/// The memory of the process that is in use, in pages.
fn resident_pages() -> usize {
    let sizes = std::fs::read_to_string("/proc/self/statm").unwrap();
    sizes.split(' ').nth(1).unwrap().parse().unwrap()
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "2", "ASCENDCL_EMULATOR_RANK_TIMEOUT" = "1", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_lost_rank_is_an_error_of_the_wait_of_every_rank() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 2, lost_rank);
        assert_eq!(calls("HcclCommDestroy"), 2);
    }

    ["ASCENDCL_EMULATOR_DEVICES" = "2", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn counts_that_differ_are_an_error_of_both_waits() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 2, other_counts);
    }

    ["ASCENDCL_EMULATOR_DEVICES" = "2"]
    fn a_wait_with_a_limit_keeps_everything_queued() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 2, limited_wait);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "2", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_panic_releases_memory_and_communicators_after_their_work() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 2, panic_in_the_middle);
        crate::common::assert_clean(&acl);
        assert_eq!(calls("HcclCommDestroy"), 2);
    }

    ["ASCENDCL_EMULATOR_RANK_TIMEOUT" = "1"]
    on emulator fn a_rank_that_never_joins_is_an_error_of_the_others() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let root = current.root_info(2)?;
            let joined = current.comm_init_root_info::<World>(&root, 1);
            assert_says(joined, &[
                "HcclCommInitRootInfo failed with 9 (HCCL_E_TIMEOUT) on device 0: ",
                "rank 0 of 2 did not join in time",
                "; hint: a rank did not come in time",
            ]);
            // The name is free again.
            let root = current.root_info(1)?;
            current.comm_init_root_info::<World>(&root, 0)?.destroy()
        })
        .unwrap();
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "HcclCommDestroy#1=20"]
    fn a_communicator_that_is_not_destroyed_keeps_its_name() {
        bound!(acl with journal, device: Npu<0>, current);
        let join = || -> Result<Comm<'_, '_, Npu<0>>> {
            let root = current.root_info(1)?;
            current.comm_init_root_info::<World>(&root, 0)
        };
        assert_says(
            join().unwrap().destroy(),
            &[
                "HcclCommDestroy failed with 20 (HCCL_E_AGAIN)",
                "rank 0 of 1 of the communicator `127.0.0.1_",
                "inside of another call",
            ],
        );
        assert!(matches!(usage(join()), Usage::Collective(_)));
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "HcclCreateSubCommConfig#1=9"]
    fn a_part_that_is_not_made_names_its_whole() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let root = current.root_info(1)?;
            let mut whole = current.comm_init_root_info::<World>(&root, 0)?;
            let own = whole.ranks().own();
            assert_says(
                whole.create_sub_comm::<World>(&[own], 1),
                &[
                    "HcclCreateSubCommConfig failed with 9 (HCCL_E_TIMEOUT)",
                    "rank 0 of 1 of the communicator `127.0.0.1_",
                ],
            );
            // The name is free again.
            whole.create_sub_comm::<World>(&[own], 1)?.destroy()?;
            whole.destroy()
        })
        .unwrap();
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "HcclCommDestroy#1=20"]
    fn a_destruction_that_fails_in_a_drop_is_reported() {
        ascendcl::on_release_failure(|error| {
            assert!(error.to_string().contains("HcclCommDestroy"), "{error}");
            FAILED.fetch_add(1, Ordering::Relaxed);
        });
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let root = current.root_info(1)?;
            let comm = current.comm_init_root_info::<World>(&root, 0)?;
            let mut stream = current.create_stream::<Main>()?;
            drop(stream.adopt(comm));
            stream.synchronize()?;
            assert_eq!(FAILED.load(Ordering::Relaxed), 1);
            Ok(())
        })
        .unwrap();
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_FAULTS" = "HcclAllReduce#1=4"]
    fn a_refused_operation_parks_its_fresh_result() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let root = current.root_info(1)?;
            let comm = current.comm_init_root_info::<World>(&root, 0)?;
            let mut stream = current.create_stream::<Main>()?;
            let comm = stream.adopt(comm);
            let own = stream.memset_async(stream.malloc::<f32>(4)?, 0)?;
            let fresh = stream.malloc::<f32>(4)?;
            let refused = stream.with(&comm).all_reduce(Sum, &own, fresh);
            assert_says(refused, &["HcclAllReduce failed with 4 (HCCL_E_INTERNAL)", "rank 0 of 1"]);
            assert_eq!(calls("aclrtFree"), 0);
            let idle = stream.synchronize()?;
            assert_eq!(calls("aclrtFree"), 1);
            idle.take(comm).destroy()?;
            idle.take(own).free()
        })
        .unwrap();
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "HcclGetCommAsyncError#1=4"]
    fn a_question_that_fails_is_an_error_of_the_wait() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let root = current.root_info(1)?;
            let comm = current.comm_init_root_info::<World>(&root, 0)?;
            let mut stream = current.create_stream::<Main>()?;
            let comm = stream.adopt(comm);
            stream.with(&comm).barrier()?;
            let (call, code, hint) = failed(stream.synchronize());
            assert_eq!((call, code), ("HcclGetCommAsyncError", sys::HCCL_E_INTERNAL.0));
            assert!(hint.starts_with("rank 0 of 1 of the communicator"), "{hint}");
            // The stream is poisoned, as after each failed wait.
            assert!(matches!(usage(stream.synchronize()), Usage::StreamPoisoned { .. }));
            let comm = stream.drain()?.take(comm).accept_unverified();
            comm.destroy()?;
            drop(stream);
            Ok(())
        })
        .unwrap();
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "HcclGetCommAsyncError#1+=19"]
    fn a_communicator_that_ends_without_a_wait_is_asked_for_its_error() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            unasked::<_, Main>(current, |comm, stream| {
                stream.drain()?.take(comm).accept_unverified().destroy()
            })?;
            unasked::<_, Second>(current, |comm, stream| {
                drop(comm);
                stream.drain().map(drop)
            })?;
            unasked::<_, Third>(current, |comm, _| {
                drop(comm);
                current.synchronize_device()
            })
        })
        .unwrap();
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "HcclGetCommAsyncError#1+=19"]
    fn a_scope_asks_the_communicators_that_had_its_memory() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let root = current.root_info(1)?;
            let mut stream = current.create_stream::<Main>()?;
            let comm = stream.adopt(current.comm_init_root_info::<World>(&root, 0)?);
            let mut numbers = current.memset(current.malloc::<f32>(4)?, 0)?;
            let left = current.scope(|scope| {
                let mut lent = stream.adopt(scope.lend(&mut numbers));
                stream.with(&comm).all_reduce_in_place(Sum, &mut lent)
            });
            let (call, code, hint) = failed(left);
            assert_eq!((call, code), ("HcclGetCommAsyncError", 19));
            assert!(hint.starts_with("rank 0 of 1 of the communicator"), "{hint}");
            let comm = stream.drain()?.take(comm).accept_unverified();
            comm.destroy()?;
            drop(stream);
            Ok(())
        })
        .unwrap();
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_communicator_forgets_the_streams_that_have_ended() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let root = current.root_info(1)?;
            let mut comm = current.comm_init_root_info::<World>(&root, 0)?;
            for _ in 0..100 {
                comm = on_a_short_stream(current, comm)?;
            }
            // Each stream has asked it in a wait, and before its end.
            assert_eq!(calls("HcclGetCommAsyncError"), 200);
            // The end of the communicator asks it once more for each stream that is in the list.
            comm.destroy()?;
            assert_eq!(calls("HcclGetCommAsyncError"), 200);
            Ok(())
        })
        .unwrap();
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_loop_of_communicators_and_failing_calls_keeps_no_memory() {
        let acl = crate::common::acl();
        acl.on::<Npu<0>, _>(0, |current| {
            (0..100).try_for_each(|_| one_life(current))?;
            let before = resident_pages();
            (0..400).try_for_each(|_| one_life(current))?;
            // Less than 2.6 KiB for each of them.
            let more = resident_pages().saturating_sub(before);
            assert!(more < 256, "{more} pages more");
            Ok(())
        })
        .unwrap();
    }
}
