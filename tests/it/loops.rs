//! Long loops of each area: what a wait has proven is pruned, so a loop uses no more memory and makes no more allocations
//! in its last quarter than in an earlier one.
//!
//! `ASCENDCL_STORM_ROUNDS` sets the number of rounds. The loops run without the checker: it remembers thousands of released
//! objects, so that it can tell their story, and the loops are too short to reach its limits.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ascendcl::collective::{Sum, World};
use ascendcl::event::{Order, Progress};
use ascendcl::media::{All, Nv12, Region, Rgb888, Scaling};
use ascendcl::model::{Blocking, Queueing};
use ascendcl::stream::{Main, StreamBrand};
use ascendcl::{Current, Npu, Result, Stream, StreamName, op};

use crate::common::{assert_clean, bound, isolated};
use crate::op_table::upload;

type D = Npu<0>;

enum Second {}
impl StreamName for Second {}

const ROUNDS: usize = 2000;

/// The bytes that are allocated in this process, and the number of allocations so far.
static LIVE: AtomicUsize = AtomicUsize::new(0);
static MADE: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: the allocator of the system, with the same arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), Relaxed);
        MADE.fetch_add(1, Relaxed);
        // SAFETY: the caller's contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What the calls of a process have used up to a moment.
#[derive(Debug, Clone, Copy)]
struct Used {
    live: usize,
    made: usize,
}

/// The bytes that are allocated in this process.
pub(crate) fn live_bytes() -> usize {
    LIVE.load(Relaxed)
}

fn used() -> Used {
    let (live, made) = (LIVE.load(Relaxed), MADE.load(Relaxed));
    Used { live, made }
}

/// Runs the rounds, and fails unless the last quarters are like the second one. In the last one at most a twentieth more
/// allocations were made. And since the second one the bytes that are allocated have not grown by as much as a pointer for
/// each round.
///
/// A queue doubles when another thread falls behind, which looks the same once. So the rounds run up to three times: a queue
/// that has room for the longest delay grows no more, and what is never pruned grows each time.
fn flat(area: &str, mut round: impl FnMut()) {
    let rounds = std::env::var("ASCENDCL_STORM_ROUNDS");
    let rounds = rounds.map_or(ROUNDS, |rounds| rounds.parse().unwrap());
    let mut run = || quarters_unlike(area, rounds, &mut round);
    let unlike: Vec<_> = (0..3).map_while(|_| run()).collect();
    assert!(unlike.len() < 3, "{unlike:#?}");
}

/// What differs in the last quarter of some rounds.
#[expect(
    clippy::print_stdout,
    reason = "the figures, for whoever asks for the output"
)]
fn quarters_unlike(area: &str, rounds: usize, round: &mut impl FnMut()) -> Option<String> {
    let quarters = [(); 4].map(|()| {
        let before = used();
        (0..rounds / 4).for_each(|_| round());
        let after = used();
        (after.live, after.made - before.made)
    });
    println!("{area}, {rounds} rounds: (bytes, allocations) of each quarter: {quarters:?}");
    let [_, (second, made), _, (last, last_made)] = quarters;
    if last > second + 4096 + rounds / 2 * size_of::<usize>() {
        return Some(format!("{area} grows: {quarters:?}"));
    }
    (last_made > made + made / 20 + 64).then(|| format!("{area} slows down: {quarters:?}"))
}

/// Queues work on a stream that ends with the round, and waits for it. A failed stream stays poisoned.
pub(crate) fn on_own_stream<'t, 'dev>(
    current: Current<'t, 'dev, D>,
    queue: impl for<'id> FnOnce(&mut Stream<'t, 'dev, D, StreamBrand<'id>>) -> Result<()>,
) -> Result<()> {
    let mut lane = current.create_parked_stream()?;
    let done = lane.with(current, |stream| {
        queue(stream)?;
        stream.synchronize().map(drop)
    });
    drop(lane.destroy(current));
    done
}

isolated! {
    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn memory_and_copies() {
        bound!(acl, side, device: D, current, stream);
        let mut host = stream.adopt(current.malloc_host::<u32>(side, 64).unwrap());
        flat("memory", || {
            let ones = stream.memset_async(stream.malloc::<u32>(64).unwrap(), 1).unwrap();
            stream.memcpy_async(&mut host, &ones).unwrap();
            drop(ones);
            stream.synchronize().unwrap();
            let numbers = [1_u8; 16];
            current.scope(|scope| scope.lend(&numbers[..]).into_inner()[0]).unwrap();
        });
        drop((host, stream));
        drop(device);
        assert_clean(&acl);
    }

    // One of ten copies fails, each on a stream of its own.
    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync%10=507001"]
    fn copies_that_fail() {
        bound!(acl, side, device: D, current);
        let mut failed = 0;
        flat("failing copies", || {
            failed += usize::from(on_own_stream(current, |stream| {
                let host = stream.adopt(current.malloc_host::<u32>(side, 64)?);
                stream.memcpy_async(stream.malloc::<u32>(64)?, &host).map(drop)
            }).is_err());
        });
        assert!(failed > 0);
        let _ = current.synchronize_device();
        drop(device);
        drop(acl);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn operators_and_repeatable_plans() {
        bound!(acl, side, device: D, current, stream);
        let (one, two) = (upload(current, side, &[1, 2, 3, 4]), upload(current, side, &[1, 1, 1, 1]));
        let mut out = upload(current, side, &[0; 4]);
        let plan = {
            let (a, b) = (one.tensor(&[4]).unwrap(), two.tensor(&[4]).unwrap());
            op::add(current, &a, &b, 1, out.tensor_mut(&[4]).unwrap()).unwrap()
        };
        let mut again = plan.repeatable(current).unwrap();
        flat("operators", || {
            let (a, b) = (one.tensor(&[4]).unwrap(), two.tensor(&[4]).unwrap());
            let fresh = current.malloc(4).unwrap().into_tensor(&[4]).unwrap();
            let sum = op::add(current, &a, &b, 1, fresh).unwrap().run(&mut stream).unwrap();
            drop(sum);
            again.run(&mut stream, (&a, &b, out.tensor_mut(&[4]).unwrap())).unwrap();
        });
        drop((again, stream, one, two, out));
        drop(device);
        assert_clean(&acl);
    }

    // One of ten fails, each on a stream of its own: single plans, and a plan that runs again.
    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_FAULTS" = "task:aclnnAdd%10=507015"]
    fn operators_that_fail() {
        bound!(acl, side, device: D, current);
        let (one, two) = (upload(current, side, &[1, 2, 3, 4]), upload(current, side, &[1, 1, 1, 1]));
        let mut out = upload(current, side, &[0; 4]);
        let plan = {
            let (a, b) = (one.tensor(&[4]).unwrap(), two.tensor(&[4]).unwrap());
            op::add(current, &a, &b, 1, out.tensor_mut(&[4]).unwrap()).unwrap()
        };
        let mut again = plan.repeatable(current).unwrap();
        let mut failed = 0;
        flat("failing operators", || {
            failed += usize::from(on_own_stream(current, |stream| {
                let (a, b) = (one.tensor(&[4])?, two.tensor(&[4])?);
                let fresh = current.malloc(4)?.into_tensor(&[4])?;
                let sum = op::add(current, &a, &b, 1, fresh)?.run(stream)?;
                drop(sum);
                again.run(stream, (&a, &b, out.tensor_mut(&[4])?))
            }).is_err());
        });
        assert!(failed > 0);
        let _ = current.synchronize_device();
        drop((again, one, two, out));
        drop(device);
        drop(acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn models() {
        crate::model::engine();
        bound!(acl, device: D, current, stream);
        let mut model = current.load_model_from::<Blocking>(crate::model::SUM).unwrap();
        let mut queued = stream.adopt(current.load_model_from::<Queueing>(crate::model::SUM).unwrap());
        let left = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        let right = current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap();
        let there = stream.adopt(current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap());
        let other = stream.adopt(current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap());
        flat("models", || {
            let sum = (current.malloc::<f32>(6).unwrap(),);
            drop(model.execute((&left, &right), sum).unwrap());
            let sum = (stream.malloc::<f32>(6).unwrap(),);
            drop(stream.execute_async(&mut queued, (&there, &other), sum).unwrap());
            stream.synchronize().unwrap();
        });
        model.unload().unwrap();
        stream.synchronize().unwrap().take(queued).unload().unwrap();
        drop((left, right, there, other, stream));
        drop(device);
        assert_clean(&acl);
    }

    // A blocking run fails and the next one does not; a queued one fails on a stream of its own.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "aclmdlExecute%7=507018,task:aclmdlExecuteAsync%10=507011"]
    on emulator fn models_that_fail() {
        crate::model::engine();
        bound!(acl, device: D, current);
        let mut model = current.load_model_from::<Blocking>(crate::model::SUM).unwrap();
        let left = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        let right = current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap();
        let (mut blocking, mut queueing) = (0, 0);
        flat("failing models", || {
            let sum = (current.malloc::<f32>(6).unwrap(),);
            blocking += usize::from(model.execute((&left, &right), sum).is_err());
            queueing += usize::from(on_own_stream(current, |stream| {
                let mut queued = stream.adopt(current.load_model_from::<Queueing>(crate::model::SUM)?);
                let left = stream.memset_async(stream.malloc::<f32>(6)?, 0)?;
                let right = stream.memset_async(stream.malloc::<i32>(6)?, 0)?;
                let sum = (stream.malloc::<f32>(6)?,);
                stream.execute_async(&mut queued, (&left, &right), sum).map(drop)
            }).is_err());
        });
        assert!(blocking > 0 && queueing > 0);
        let _ = current.synchronize_device();
        drop((model, left, right));
        drop(device);
        drop(acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn media_of_the_first_interface() {
        bound!(acl, device: D, current);
        let media = crate::media::media(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let channel = stream.adopt(media.create_channel::<All, _>(current).unwrap());
        let fresh = |width, height| media.picture::<Nv12, _>(current, width, height).unwrap();
        let tile = stream.adopt(fresh(32, 16).fill(current, 7).unwrap());
        let canvas = fresh(64, 48).fill(current, 7).unwrap().into_canvas();
        let mut canvas = stream.adopt(canvas);
        let region = Region { left: 0, top: 0, width: 32, height: 16 };
        // A canvas that is painted again, and a picture that is made from the one before it.
        let first = stream.adopt(fresh(32, 16));
        let mut last = stream.with(&channel).crop(&tile, region, first).unwrap();
        flat("media", || {
            stream.with(&channel).crop_paste(&tile, region, &mut canvas, region).unwrap();
            let next = stream.adopt(fresh(32, 16));
            let next = stream.with(&channel).crop(&last, region, next).unwrap();
            drop(std::mem::replace(&mut last, next));
            stream.synchronize().unwrap();
        });
        let idle = stream.synchronize().unwrap();
        drop((idle.take(canvas).check().unwrap(), idle.take(last).check().unwrap()));
        drop((idle.take(tile), idle.take(channel)));
        drop(stream);
        drop(device);
        assert_clean(&acl);
    }

    // The first task fails, and the stream stays poisoned: no wait will ever show that the others have succeeded.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "task:acldvppVpcCropAndPasteAsync#1=507001"]
    on emulator fn media_behind_a_failure() {
        bound!(acl, device: D, current);
        let media = crate::media::media(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let channel = stream.adopt(media.create_channel::<All, _>(current).unwrap());
        let fresh = |width, height| media.picture::<Nv12, _>(current, width, height).unwrap();
        let tile = stream.adopt(fresh(32, 16).fill(current, 7).unwrap());
        let canvas = fresh(64, 48).fill(current, 7).unwrap().into_canvas();
        let mut canvas = stream.adopt(canvas);
        let region = Region { left: 0, top: 0, width: 32, height: 16 };
        flat("media behind a failure", || {
            stream.with(&channel).crop_paste(&tile, region, &mut canvas, region).unwrap();
            stream.drain().unwrap();
        });
        let canvas = stream.drain().unwrap().take(canvas).accept_unverified();
        assert!(canvas.check().is_err());
        drop((tile, channel));
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn media_of_the_second_interface() {
        bound!(acl, device: D, current);
        let media = crate::media_second::media(&acl, current);
        let processor = media.create_processor(current).unwrap();
        let picture = Arc::new(media.picture::<Rgb888>(current, 40, 30).unwrap().fill(current, 1).unwrap());
        flat("media, second interface", || {
            let small = media.picture::<Rgb888>(current, 40, 30).unwrap();
            drop(processor.resize(&picture, small, Scaling::Nearest).unwrap().wait().unwrap());
        });
        drop((picture, processor));
        drop(media);
        drop(device);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn collectives() {
        bound!(acl, side, device: D, current, stream);
        let root = current.root_info(1).unwrap();
        let comm = stream.adopt(current.comm_init_root_info::<World>(&root, 0).unwrap());
        let numbers = stream.adopt(current.malloc_host_from(side, &[1.0_f32, 2.0]).unwrap());
        let own = stream.memcpy_async(stream.malloc(2).unwrap(), &numbers).unwrap();
        flat("collectives", || {
            let fresh = stream.malloc(2).unwrap();
            drop(stream.with(&comm).all_reduce(Sum, &own, fresh).unwrap());
            stream.synchronize().unwrap();
        });
        stream.synchronize().unwrap().take(comm).destroy().unwrap();
        drop((numbers, own, stream));
        drop(device);
        assert_clean(&acl);
    }

    // One of ten fails, each with a communicator and a stream of its own.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "task:HcclAllReduce%10=507015"]
    on emulator fn collectives_that_fail() {
        bound!(acl, device: D, current);
        let mut failed = 0;
        flat("failing collectives", || {
            failed += usize::from(on_own_stream(current, |stream| {
                let root = current.root_info(1)?;
                let comm = stream.adopt(current.comm_init_root_info::<World>(&root, 0)?);
                let own = stream.memset_async(stream.malloc::<f32>(2)?, 0)?;
                let fresh = stream.malloc(2)?;
                stream.with(&comm).all_reduce(Sum, &own, fresh).map(drop)
            }).is_err());
        });
        assert!(failed > 0);
        let _ = current.synchronize_device();
        drop(device);
        drop(acl);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn callbacks_events_fences_and_hand_overs() {
        bound!(acl, side, device: D, current, stream);
        let mut second = current.create_stream::<Second>().unwrap();
        let mut host = stream.adopt(current.malloc_host::<u8>(side, 16).unwrap());
        let mut order = current.create_event::<Order>().unwrap();
        let mut progress = current.create_event::<Progress>().unwrap();
        flat("callbacks, events, fences, hand-overs", || {
            stream.launch_host_func_on(&mut host, |bytes| bytes[0] = bytes[0].wrapping_add(1)).unwrap();
            stream.record(&mut progress).unwrap().synchronize().unwrap();
            let zeros = stream.memset_async(stream.malloc::<u8>(16).unwrap(), 0).unwrap();
            let fence = stream.fence(&mut progress, zeros).unwrap();
            let (zeros, _) = fence.synchronize().unwrap();
            let zeros = stream.synchronize().unwrap().verify(zeros);
            let zeros = stream.adopt(zeros);
            let mut zeros = stream.handoff(&mut second, &mut order, zeros).unwrap();
            second.memset_async(&mut zeros, 1).unwrap();
            let zeros = second.synchronize().unwrap().take(zeros);
            stream.synchronize().unwrap().verify(zeros).free().unwrap();
        });
        drop((host, order, progress, second, stream));
        drop(device);
        assert_clean(&acl);
    }

    // Many short streams read one share, and each of their shares is dropped.
    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn readers_of_one_share() {
        bound!(acl, device: D, current, stream);
        let mut event = current.create_event::<Order>().unwrap();
        let zeros = stream.memset_async(stream.malloc::<u8>(16).unwrap(), 0).unwrap().share();
        flat("readers of one share", || {
            let fence = stream.fence(&mut event, zeros.clone()).unwrap();
            let read = current.with_stream(|mut reader| -> Result<()> {
                let share = reader.wait_shared(&fence)?;
                let copy = reader.memcpy_async(reader.malloc(16)?, &share)?;
                drop(share);
                reader.synchronize()?.take(copy).free()
            });
            read.unwrap().unwrap();
            let (share, _) = fence.cancel();
            drop(stream.synchronize().unwrap().take(share));
        });
        let last = stream.synchronize().unwrap().take(zeros);
        last.try_unwrap().expect("the streams of the other shares have ended").free().unwrap();
        drop((event, stream));
        drop(device);
        assert_clean(&acl);
    }

    // Each function panics, on a stream of its own.
    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn functions_that_panic() {
        bound!(acl, device: D, current);
        flat("functions that panic", || {
            let failed = on_own_stream(current, |stream| {
                stream.launch_host_func(|| std::panic::resume_unwind(Box::new(())))
            });
            assert!(failed.is_err());
        });
        let _ = current.synchronize_device();
        drop(device);
        drop(acl);
    }
}
