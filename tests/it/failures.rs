//! A failure is returned to some wait, in every order of calls, and no later wait verifies the failed work.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ascendcl::bounds::AnyDevice;
use ascendcl::error::Usage;
use ascendcl::event::{Order, Progress};
use ascendcl::memory::Rows;
use ascendcl::stream::Main;
use ascendcl::{
    Current, Device, Error, HostSide, Npu, Result, Stream, StreamName, Thread, op, release_failures,
};

use crate::common::{acl, assert_says, bound, host, isolated, usage};

type D = Npu<0>;

/// A second stream.
enum Other {}
impl StreamName for Other {}

/// The values of a step, after a copy on `stream` that fails.
struct World<'a, 't, 'd> {
    current: Current<'t, 'd, D>,
    device: &'d Device<'d, D>,
    stream: &'a mut Stream<'t, 'd, D, Main>,
    side: HostSide<'a>,
}

/// The number of calls of the hook for the failure.
static HOOKED: AtomicU32 = AtomicU32::new(0);

fn hook(error: &Error) {
    if is_told(error) {
        HOOKED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Whether the error is the failure of the copy.
fn is_told(error: &Error) -> bool {
    error.to_string().contains("507001")
}

/// Makes a copy fail, takes the step, and then waits for the stream.
fn behind_a_failure(step: impl FnOnce(World<'_, '_, '_>) -> Result<()>) {
    ascendcl::on_release_failure(hook);
    bound!(acl, side, device: D, current, stream);
    let source = stream.adopt(current.malloc_host::<u32>(side, 16).unwrap());
    let on_device = stream.adopt(current.malloc::<u32>(16).unwrap());
    let on_device = stream.memcpy_async(on_device, &source).unwrap();
    let stepped = step(World {
        current,
        device: &device,
        stream: &mut stream,
        side,
    });
    let asked = stream.synchronize().map(drop);
    assert!(
        asked.is_err(),
        "the failed copy is vouched for behind {stepped:?}"
    );
    let errors = [stepped.as_ref().err(), asked.as_ref().err()];
    let told = errors.into_iter().flatten().any(is_told);
    let hooked = HOOKED.load(Ordering::Relaxed) > 0;
    assert!(told || hooked, "nobody was told: {stepped:?}, {asked:?}");
    drop(stream.drain().unwrap().take(on_device));
}

/// Declares a test for each step, under two schedules.
macro_rules! steps {
    ($($name:ident, $late:ident: $step:expr;)*) => {
        isolated! { $(
            ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#1=507001,aclnnAdd#2=561000"]
            fn $name() {
                behind_a_failure($step);
            }
            [
                "ASCENDCL_EMULATOR_CHECK" = "0",
                "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#1=507001,aclnnAdd#2=561000",
                "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
            ]
            fn $late() {
                behind_a_failure($step);
            }
        )* }
    };
}

/// An operator on memory of its own.
fn add(current: Current<'_, '_, D>, stream: &mut Stream<'_, '_, D, Main>) -> Result<()> {
    let zeros = current.memset(current.malloc::<f32>(4)?, 0)?;
    let zeros = zeros.tensor(&[4])?;
    let out = current.malloc(4)?.into_tensor(&[4])?;
    op::add(current, &zeros, &zeros, 1.0, out)?
        .run(stream)
        .map(drop)
}

steps! {
    nothing, nothing_late: |_| Ok(());
    a_wait, a_wait_late: |world| world.stream.synchronize().map(drop);
    a_wait_with_a_limit, a_wait_with_a_limit_late: |world| {
        world.stream.synchronize_within(Duration::from_secs(100)).map(drop)
    };
    a_query, a_query_late: |world| world.stream.query().map(drop);
    draining, draining_late: |world| world.stream.drain().map(|_| ());
    a_wait_for_the_device, a_wait_for_the_device_late: |world| world.current.synchronize_device();
    a_scope, a_scope_late: |world| world.current.scope(|_| ());
    a_copy_from_rust, a_copy_from_rust_late: |world| {
        let numbers = [0_u32; 16];
        world.current.scope(|scope| {
            let from = world.stream.adopt(scope.lend(&numbers[..]));
            let to = world.stream.adopt(world.current.malloc::<u32>(16)?);
            world.stream.memcpy_async(to, &from).map(drop)
        })?
    };
    a_blocking_copy, a_blocking_copy_late: |world| {
        let from = world.current.malloc_host::<u8>(world.side, 16)?;
        let mut to = world.current.memcpy(world.current.malloc(16)?, &from)?;
        world.current.memset(&mut to, 0)?;
        to.free()
    };
    a_blocking_copy_of_rows, a_blocking_copy_of_rows_late: |world| {
        let mut to = world.current.malloc_host::<u8>(world.side, 16)?;
        let from = world.current.memset(world.current.malloc::<u8>(16)?, 1)?;
        world.current.memcpy_2d(Rows::new(&mut to, 2, 4, 8)?, Rows::new(&from, 2, 4, 8)?, world.side)
    };
    a_free_that_waits, a_free_that_waits_late: |world| {
        world.stream.adopt(world.current.malloc::<u8>(16)?).free_with_dev_sync(world.current)
    };
    a_block_that_waits, a_block_that_waits_late: |world| {
        world.current.malloc_block(1 << 16)?.free_with_dev_sync(world.current)
    };
    a_fence, a_fence_late: |world| {
        let host = world.stream.adopt(world.current.malloc_host::<u8>(world.side, 16)?);
        let fence = world.stream.fence(world.current.create_event::<Progress>()?, host)?;
        let (host, event) = fence.synchronize()?;
        drop(host.accept_unverified());
        event.destroy()
    };
    an_event, an_event_late: |world| {
        let mut event = world.current.create_event::<Progress>()?;
        world.stream.record(&mut event)?.synchronize().map(drop)
    };
    another_stream, another_stream_late: |world| {
        let mut other = world.current.create_stream::<Other>()?;
        let mut event = world.current.create_event::<Order>()?;
        let buf = world.stream.adopt(world.current.malloc::<u8>(16)?);
        let buf = world.stream.handoff(&mut other, &mut event, buf)?;
        drop(other.synchronize()?.take(buf));
        other.destroy()
    };
    an_operator, an_operator_late: |world| add(world.current, world.stream);
    a_refused_operator, a_refused_operator_late: |world| {
        let mut other = world.current.create_stream::<Other>()?;
        let zeros = world.current.memset(world.current.malloc::<f32>(4)?, 0)?;
        let zeros = zeros.tensor(&[4])?;
        let out = world.current.malloc(4)?.into_tensor(&[4])?;
        op::add(world.current, &zeros, &zeros, 1.0, out)?.run(&mut other).map(drop)?;
        add(world.current, world.stream)
    };
    a_host_function, a_host_function_late: |world| world.stream.launch_host_func(|| {});
    a_context, a_context_late: |world| {
        std::thread::scope(|scope| {
            let create = || -> Result<()> {
                let mut thread = Thread::claim()?;
                world.device.create_context::<1>(&mut thread)?.destroy()
            };
            scope.spawn(create).join().unwrap()
        })
    };
}

/// Queues a fill that fails, and then makes a blocking copy that exceeds its time limit. The copy waits for the device,
/// so it receives the report of the fill.
fn behind_a_time_limit<T: AnyDevice>(
    current: Current<'_, '_, T>,
    stream: &mut Stream<'_, '_, T, Main>,
    side: HostSide<'_>,
) {
    let other = current.memset(current.malloc::<u32>(16).unwrap(), 0);
    let other = other.unwrap();
    let mut back = current.malloc_host::<u32>(side, 16).unwrap();
    let queued = stream.memset_async(stream.malloc::<u32>(16).unwrap(), 9);
    let queued = queued.unwrap();
    let late = current.memcpy(&mut back, &other);
    assert_says(late, &["aclrtMemcpy", "507046"]);
    current.memcpy(&mut back, &other).unwrap();
    drop(queued);
}

isolated! {
    [
        "ASCENDCL_EMULATOR_CHECK" = "0",
        "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001,aclrtMemcpy#1=507046",
        "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
    ]
    fn a_failure_behind_a_time_limit_is_returned_to_its_stream() {
        bound!(acl, side, device: D, current, stream);
        behind_a_time_limit(current, &mut stream, side);
        assert_says(stream.synchronize().map(drop), &["aclrtSynchronizeDevice", "507001"]);
        assert!(matches!(usage(stream.synchronize()), Usage::StreamPoisoned { .. }));
        drop(stream);
        current.synchronize_device().unwrap();
        device.reset().unwrap();
        assert_eq!(release_failures(), 0);
    }

    [
        "ASCENDCL_EMULATOR_CHECK" = "0",
        "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001,aclrtMemcpy#1=507046",
        "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
    ]
    fn a_failure_behind_a_time_limit_is_returned_to_a_wait_for_the_device() {
        bound!(acl, side, device: D, current, stream);
        behind_a_time_limit(current, &mut stream, side);
        assert_says(current.synchronize_device(), &["aclrtSynchronizeDevice", "507001"]);
        current.synchronize_device().unwrap();
        assert!(matches!(usage(stream.synchronize()), Usage::StreamPoisoned { .. }));
        drop(stream);
        device.reset().unwrap();
        assert_eq!(release_failures(), 0);
    }

    [
        "ASCENDCL_EMULATOR_CHECK" = "0",
        "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001,aclrtMemcpy#1=507046",
        "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
    ]
    fn a_failure_behind_a_time_limit_is_reported_by_a_dropped_stream() {
        ascendcl::on_release_failure(hook);
        bound!(acl, side, device: D, current, stream);
        behind_a_time_limit(current, &mut stream, side);
        drop(stream);
        assert_eq!((release_failures(), HOOKED.load(Ordering::Relaxed)), (1, 1));
        current.synchronize_device().unwrap();
        device.reset().unwrap();
        assert_eq!(release_failures(), 1);
    }

    [
        "ASCENDCL_EMULATOR_CHECK" = "0",
        "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001,aclrtMemcpy#1=507046",
        "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
    ]
    fn a_failure_behind_a_time_limit_is_reported_by_the_reset() {
        ascendcl::on_release_failure(hook);
        bound!(acl, side, device: D, current, stream);
        behind_a_time_limit(current, &mut stream, side);
        std::mem::forget(stream);
        device.reset().unwrap();
        assert_eq!((release_failures(), HOOKED.load(Ordering::Relaxed)), (1, 1));
    }

    [
        "ASCENDCL_EMULATOR_CHECK" = "0",
        "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001,aclrtMemcpy#1=507046",
        "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
    ]
    fn a_failure_behind_a_time_limit_of_a_forgotten_context_is_reported_by_the_reset() {
        ascendcl::on_release_failure(hook);
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        let current = thread.set_current_context(&context).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        behind_a_time_limit(current, &mut stream, side);
        std::mem::forget(stream);
        std::mem::forget(context);
        device.reset().unwrap();
        assert_eq!((release_failures(), HOOKED.load(Ordering::Relaxed)), (1, 1));
    }

    // The first wait fails, and the second one succeeds.
    [
        "ASCENDCL_EMULATOR_CHECK" = "0",
        "ASCENDCL_EMULATOR_FAULTS" = "aclrtMemset#1=507046,aclrtSynchronizeDevice#1=507001",
    ]
    fn a_failure_behind_a_time_limit_of_a_device_that_stops_is_kept_too() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap().stop_on_failure();
        let current = thread.set_current(&device).unwrap();
        let late = current.memset(current.malloc::<u32>(16).unwrap(), 0);
        assert_says(late.map(drop), &["aclrtMemset", "507046"]);
        assert_says(current.synchronize_device(), &["aclrtSynchronizeDevice", "507001"]);
        current.synchronize_device().unwrap();
        device.reset().unwrap();
    }
}

isolated! {
    [
        "ASCENDCL_EMULATOR_CHECK" = "0",
        "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#1=507001",
    ]
    fn a_copy_behind_a_drained_failure_runs_and_is_never_verified() {
        bound!(acl, side, device: D, current, stream);
        let source = stream.malloc_host_from::<u32>(side, &[7; 16]).unwrap();
        let filled = current.memset(current.malloc::<u32>(16).unwrap(), 1).unwrap();
        let mut on_device = stream.adopt(filled);
        stream.memcpy_async(&mut on_device, &source).unwrap();
        stream.drain().unwrap();
        // The runtime has given its report to the wait in `drain`, so the copy is executed.
        let mut back = stream.malloc_host_from::<u32>(side, &[0; 16]).unwrap();
        stream.memcpy_async(&mut back, &on_device).unwrap();
        assert_says(stream.synchronize().map(drop), &["507001"]);
        assert!(matches!(
            usage(stream.synchronize().map(drop)),
            Usage::StreamPoisoned { .. }
        ));
        let back = stream.drain().unwrap().take(back).accept_unverified();
        assert_eq!(&back[..], &[0x0101_0101; 16], "the data before the failed copy");
    }
}
