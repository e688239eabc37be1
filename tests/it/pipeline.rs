//! Pipelines: results in order and proven, batches that fail alone, panics, limits, and values of lanes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ascendcl::error::{ErrorKind, Recovery, Usage};
use ascendcl::event::Order;
use ascendcl::model::Queueing;
use ascendcl::pipeline::{Batch, InLane, Pipeline};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Error, HostSide, Npu, Result, Thread, leaks, op, sys};

use crate::common::{acl, acl_with_journal, bound, calls, host, isolated, usage};
use crate::model::{SUM, engine};
use crate::release_limit::LIMIT;

type D = Npu<0>;
type Numbers<'d, 'id> = InLane<'d, 'id, D, DeviceBuf<'d, D, [f32]>>;

const LEN: usize = 64;

fn fill(turn: u64, input: &mut [f32]) {
    input.fill(turn as f32);
}

/// The middle step: twice the input.
fn twice<'d, 'id>(
    batch: Batch<'_, '_, 'd, 'id, D, f32, f32>,
    current: Current<'_, 'd, D>,
) -> Result<Numbers<'d, 'id>> {
    let x = batch.input.tensor(&[LEN])?;
    let output = batch.output.into_tensor(&[LEN])?;
    Ok(op::add(current, &x, &x, 1.0, output)?
        .launch(batch.stream)?
        .into_output())
}

/// Runs batches, and returns for each one whether it is right, or its error.
fn run(
    current: Current<'_, '_, D>,
    host: HostSide<'_>,
    lanes: usize,
    batches: u64,
) -> Vec<Result<(), Error>> {
    let mut pipeline = Pipeline::new(current, host, lanes, [LEN, LEN]).unwrap();
    let mut results = Vec::new();
    pipeline
        .run(
            0..batches,
            fill,
            |batch| twice(batch, current),
            |turn, output| {
                assert_eq!(turn, results.len() as u64);
                results.push(output.map(|output| assert_eq!(output, [turn as f32 * 2.0; LEN])));
                Ok(())
            },
        )
        .unwrap();
    assert_eq!(pipeline.in_flight(), 0);
    results
}

/// The numbers of the batches that have failed.
fn failed(results: &[Result<(), Error>]) -> Vec<usize> {
    let failed = |(at, result): (usize, &Result<(), Error>)| result.is_err().then_some(at);
    results.iter().enumerate().filter_map(failed).collect()
}

isolated! {
    fn each_batch_has_one_result_in_order() {
        bound!(acl, device: D, current);
        let host = host(&acl);
        for lanes in [0, 1, 2, 3, 7] {
            for batches in [0, 1, 2, 3, 20] {
                let results = run(current, host, lanes, batches);
                assert_eq!((results.len() as u64, failed(&results)), (batches, vec![]));
            }
        }
    }

    // Under the checker an operator asks for a workspace.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn a_batch_makes_two_copies_one_launch_and_one_wait() {
        let acl = acl_with_journal();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let of = || ["aclrtMemcpyAsync", "aclnnAdd", "aclrtSynchronizeStream", "aclrtMalloc"].map(calls);
            let mut pipeline = Pipeline::new(current, host, 2, [LEN, LEN])?;
            let before = of();
            pipeline.run(0..10, fill, |batch| twice(batch, current), |_, output| output.map(drop))?;
            let made: Vec<_> = of().iter().zip(before).map(|(after, before)| after - before).collect();
            assert_eq!(made, [20, 10, 10, 0]);
            Ok(())
        })
        .unwrap();
    }

    ["ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#7=507011,task:aclnnAdd#8=507015"]
    on emulator fn a_failed_task_is_the_result_of_its_batch_alone() {
        let acl = acl();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let results = run(current, host, 3, 20);
            assert_eq!(failed(&results), [3, 7]);
            assert!(matches!(results[3].as_ref().unwrap_err().kind(), ErrorKind::Wait(_)));
            Ok(())
        })
        .unwrap();
        assert_eq!((leaks(), ascendcl::parked_bytes()), (0, 0));
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtMemcpyAsync#2=507899,aclrtSynchronizeStream#5=507011,aclnnAdd#10=507015"]
    on emulator fn a_refused_call_and_a_failed_wait_are_results_too() {
        let acl = acl();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let results = run(current, host, 2, 20);
            assert_eq!(results.len(), 20);
            assert_eq!(failed(&results).len(), 3, "{results:?}");
            assert_eq!(results[0].as_ref().unwrap_err().code(), Some(507899));
            Ok(())
        })
        .unwrap();
        assert_eq!(leaks(), 0);
    }

    // Without a limit, this process would wait for ever.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = "hang:aclrtMemcpyAsync#5"]
    on emulator fn a_batch_that_hangs_fails_at_the_limit_of_the_device() {
        let acl = acl();
        let host = acl.host().unwrap();
        acl.on_within::<D, _>(0, LIMIT, |current| {
            let results = run(current, host, 2, 10);
            assert_eq!(failed(&results), [2]);
            assert_eq!(results[2].as_ref().unwrap_err().code(), Some(sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT));
            Ok(())
        })
        .unwrap();
        assert_eq!((leaks(), ascendcl::parked_bytes()), (0, 0));
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "device-lost#40~reset"]
    on emulator fn a_lost_device_fails_the_batches_and_heals_by_the_reset() {
        let acl = acl();
        let host = acl.host().unwrap();
        let lost = acl.on::<D, _>(0, |current| run(current, host, 2, 100).into_iter().collect::<Result<Vec<_>>>());
        assert_eq!(lost.unwrap_err().recovery(), Recovery::Reset);
        acl.on::<D, _>(0, |current| { assert!(failed(&run(current, host, 2, 10)).is_empty()); Ok(()) }).unwrap();
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#1=507011,aclrtCreateStream#3=207008"]
    on emulator fn a_lane_that_cannot_be_made_again_is_made_by_a_later_batch() {
        let acl = acl();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let results = run(current, host, 2, 10);
            assert_eq!(failed(&results), [0, 2]);
            assert_eq!(results[2].as_ref().unwrap_err().code(), Some(207008));
            Ok(())
        })
        .unwrap();
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = "task:aclnnAdd#4=507015"]
    on emulator fn a_failed_wait_for_the_device_fails_no_later_batch() {
        bound!(acl, device: D, current);
        let mut pipeline = Pipeline::new(current, host(&acl), 3, [LEN, LEN]).unwrap();
        let mut failed = Vec::new();
        for turn in 0..9 {
            let done = pipeline.push(|input| fill(turn, input), |batch| twice(batch, current));
            failed.extend(done.and_then(|done| done.output.is_err().then_some(done.number)));
            if turn == 4 {
                current.synchronize_device().unwrap_err();
            }
        }
        // 3 has failed, and 4 was in flight.
        assert_eq!(failed, [3, 4]);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#3=507015", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn a_device_that_stops_on_failure_ends_the_pipeline() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap().stop_on_failure();
        let current = thread.set_current(&device).unwrap();
        let mut pipeline = Pipeline::<_, u8, u8>::new(current, host(&acl), 2, [4, 4]).unwrap();
        let mut left = Vec::new();
        for _ in 0..12 {
            let done = pipeline.push(|input| input.fill(1), |batch| batch.stream.memcpy_async(batch.output, batch.input));
            let error = done.and_then(|done| done.output.err());
            left.extend(error.map(|error| (error.recovery(), leaks())));
        }
        let last = *left.last().unwrap();
        assert_eq!(last.0, Recovery::Reset);
        // The lane that has failed, and the one in flight.
        assert!(left.len() > 8 && left[2..].iter().all(|one| *one == last), "{left:?}");
        drop(pipeline);
        drop(device);
    }

    fn a_step_that_is_wrong_is_the_result_of_its_batch() {
        bound!(acl, device: D, current);
        let mut pipeline = Pipeline::new(current, host(&acl), 2, [LEN, LEN]).unwrap();
        let mut errors = Vec::new();
        for turn in 0..9 {
            let done = pipeline.push(|input: &mut [f32]| fill(turn, input), |batch| match turn {
                3 => Err(Usage::ThreadClaimed.into()),
                // Another length than the host buffer has.
                5 => batch.stream.memset_async(batch.stream.malloc(LEN + 1)?, 0),
                _ => twice(batch, current),
            });
            errors.extend(done.map(|done| (done.number, done.output.map(<[f32]>::to_vec))));
        }
        assert_eq!(pipeline.in_flight(), 1);
        let errors: Vec<_> = errors.into_iter().filter_map(|(at, output)| Some((at, usage::<()>(Err(output.err()?))))).collect();
        assert!(matches!(errors[..], [(3, Usage::ThreadClaimed), (5, Usage::Length { .. })]), "{errors:?}");
    }

    fn a_panic_costs_no_result() {
        bound!(acl, device: D, current);
        let mut pipeline = Pipeline::new(current, host(&acl), 2, [LEN, LEN]).unwrap();
        assert!(pipeline.push(|input| fill(0, input), |batch| twice(batch, current)).is_none());
        let panicked = catch_unwind(AssertUnwindSafe(|| drop(pipeline.push(|_| panic!("fill"), |batch| twice(batch, current)))));
        assert!(panicked.is_err());
        let panicked = catch_unwind(AssertUnwindSafe(|| drop(pipeline.push(|_| (), |_| panic!("compute")))));
        assert!(panicked.is_err());
        assert_eq!(pipeline.in_flight(), 1);
        let done = pipeline.push(|input| fill(1, input), |batch| twice(batch, current)).unwrap();
        assert_eq!((done.number, done.output.unwrap()[5]), (0, 0.0));
        let done = pipeline.pop().unwrap();
        assert_eq!((done.number, done.output.unwrap()[5]), (1, 2.0));
        assert!(pipeline.pop().is_none());
    }

    fn an_error_of_the_caller_leaves_the_other_batches_in_flight() {
        bound!(acl, device: D, current);
        let mut pipeline = Pipeline::new(current, host(&acl), 3, [LEN, LEN]).unwrap();
        let ended = pipeline.run(0..9, fill, |batch| twice(batch, current), |turn, _| match turn {
            4 => Err(Usage::ThreadClaimed.into()),
            _ => Ok(()),
        });
        assert!(matches!(usage(ended), Usage::ThreadClaimed));
        assert_eq!(pipeline.in_flight(), 2);
        let done = pipeline.pop().unwrap();
        assert_eq!((done.number, done.output.unwrap()[0]), (5, 10.0));
        drop(pipeline); // waits for batch 6
    }

    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_forgotten_pipeline_is_left_to_its_device() {
        let acl = acl();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let mut pipeline = Pipeline::new(current, host, 2, [LEN, LEN])?;
            drop(pipeline.push(|input| fill(0, input), |batch| twice(batch, current)));
            std::mem::forget(pipeline);
            Ok(())
        })
        .unwrap();
    }

    fn weights_are_shared_by_all_lanes() {
        bound!(acl, device: D, current);
        let host = host(&acl);
        let mut main = current.create_stream::<Main>().unwrap();
        let weights = main.memset_async(main.malloc::<f32>(LEN).unwrap(), 0).unwrap();
        let weights = main.fence(current.create_event::<Order>().unwrap(), weights.share()).unwrap();
        main.synchronize().unwrap();
        let mut pipeline = Pipeline::new(current, host, 3, [LEN, LEN]).unwrap();
        let ended = pipeline.run(
            0..10,
            fill,
            |batch| {
            let weights = batch.stream.wait_shared(&weights)?;
            let output = batch.output.into_tensor(&[LEN])?;
            let plan = op::add(current, &batch.input.tensor(&[LEN])?, &weights.tensor(&[LEN])?, 1.0, output)?;
            Ok(plan.launch(batch.stream)?.into_output())
            },
            |turn, output| { assert_eq!(output?, [turn as f32; LEN]); Ok(()) },
        );
        ended.unwrap();
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn each_lane_has_a_model() {
        let acl = acl();
        let host = acl.host().unwrap();
        engine();
        acl.on::<D, _>(0, |current| {
            let model = || current.load_model_from::<Queueing>(SUM);
            let mut pipeline = Pipeline::with_values(current, host, 2, [6, 6], model)?;
            pipeline.run(
                0..10,
                |turn: u8, input: &mut [f32]| input.fill(f32::from(turn)),
                |batch| {
                    let zeros = batch.stream.memset_async(batch.stream.malloc::<i32>(6)?, 0)?;
                    let (sum,) = batch.stream.execute_async(batch.value, (batch.input, &zeros), (batch.output,))?;
                    Ok(sum)
                },
                |turn, sum: Result<&[f32]>| { assert_eq!(sum?, [turn as f32; 6]); Ok(()) },
            )
        })
        .unwrap();
    }
}
