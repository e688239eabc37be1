//! Operators: addition and multiplication, plans.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use ascendcl::bounds::Arithmetic;
use ascendcl::error::Usage;
use ascendcl::op::{self};
use ascendcl::stream::Main;
use ascendcl::{
    Current, DeviceBuf, DeviceTag, ErrorKind, HostSide, Npu, Thread, leaks, release_failures, sys,
};
use half::{bf16, f16};

use crate::common::{acl, assert_says, bound, embedded, host, isolated, usage};

/// Copies `values` to the device.
fn upload<'dev, D: DeviceTag, T: bytemuck::Pod>(
    current: Current<'_, 'dev, D>,
    side: HostSide<'_>,
    values: &[T],
) -> DeviceBuf<'dev, D, [T]> {
    let mut staged = current.malloc_host(side, values.len()).unwrap();
    staged.copy_from_slice(values);
    current
        .memcpy(current.malloc(values.len()).unwrap(), &staged)
        .unwrap()
}

fn download<D: DeviceTag, T: bytemuck::Pod>(
    current: Current<'_, '_, D>,
    side: HostSide<'_>,
    buf: &DeviceBuf<'_, D, [T]>,
) -> Vec<T> {
    let mut staged = current.malloc_host(side, buf.len()).unwrap();
    current.memcpy(&mut staged, buf).unwrap();
    staged.to_vec()
}

/// Adds and multiplies on the device and compares every bit with `expected`.
fn check<T: Arithmetic + PartialEq + std::fmt::Debug>(
    a: (&[T], &[usize]),
    b: (&[T], &[usize]),
    alpha: T,
    sum: &[T],
    product: &[T],
    shape: &[usize],
) {
    bound!(acl, side, device: Npu<0>, current, stream);
    let left = upload(current, side, a.0);
    let right = upload(current, side, b.0);
    let (left, right) = (left.tensor(a.1).unwrap(), right.tensor(b.1).unwrap());
    let out = current
        .malloc(sum.len())
        .unwrap()
        .into_tensor(shape)
        .unwrap();
    let mut out = op::add(current, &left, &right, alpha, out)
        .unwrap()
        .run(&mut stream)
        .unwrap();
    let bits = |values: &[T]| bytemuck::cast_slice::<T, u8>(values).to_vec();
    assert_eq!(bits(&download(current, side, &out)), bits(sum));
    op::mul(current, &left, &right, out.tensor_mut(shape).unwrap())
        .unwrap()
        .run(&mut stream)
        .unwrap();
    assert_eq!(bits(&download(current, side, &out)), bits(product));
}

isolated! {
    fn f32_is_exact() {
        let a = [1.5, -0.0, f32::MAX, 1e-45, f32::INFINITY, 0.1];
        let b = [2.25, 0.0, f32::MAX, 1e-45, f32::INFINITY, 0.2];
        let sum: Vec<f32> = a.iter().zip(b).map(|(a, b)| a + b).collect();
        let product: Vec<f32> = a.iter().zip(b).map(|(a, b)| a * b).collect();
        check((&a, &[2, 3]), (&b, &[2, 3]), 1.0, &sum, &product, &[2, 3]);
    }

    fn alpha_scales_the_second_operand() {
        check((&[1.0f32, 2.0], &[2]), (&[10.0, 20.0], &[2]), -0.5, &[-4.0, -8.0], &[10.0, 40.0], &[2]);
    }

    fn shapes_broadcast_from_the_last_dimension() {
        check(
            (&[1, 2, 3, 4, 5, 6], &[2, 3]), (&[10, 20, 30], &[3]), 1,
            &[11, 22, 33, 14, 25, 36], &[10, 40, 90, 40, 100, 180], &[2, 3],
        );
    }

    fn both_operands_may_broadcast() {
        check(
            (&[1i64, 2], &[2, 1]), (&[10, 20, 30], &[1, 3]), 2,
            &[21, 41, 61, 22, 42, 62], &[10, 20, 30, 20, 40, 60], &[2, 3],
        );
    }

    fn a_scalar_broadcasts_to_anything() {
        check((&[5.0f32], &[]), (&[1.0, 2.0], &[2, 1]), 1.0, &[6.0, 7.0], &[5.0, 10.0], &[2, 1]);
    }

    fn integers_wrap() {
        check(
            (&[i32::MAX, i32::MIN], &[2]), (&[1, -1], &[2]), 1,
            &[i32::MIN, i32::MAX], &[i32::MAX, i32::MIN], &[2],
        );
    }

    fn f16_rounds_once() {
        let f = f16::from_f32;
        check(
            (&[f(2048.0), f(0.1)], &[2]), (&[f(1.0), f(0.2)], &[2]), f(1.0),
            &[f(2049.0), f(f(0.1).to_f32() + f(0.2).to_f32())],
            &[f(2048.0), f(f(0.1).to_f32() * f(0.2).to_f32())], &[2],
        );
    }

    fn bf16_rounds_once() {
        let f = bf16::from_f32;
        check(
            (&[f(256.0), f(0.1)], &[2]), (&[f(1.0), f(0.2)], &[2]), f(1.0),
            &[f(257.0), f(f(0.1).to_f32() + f(0.2).to_f32())],
            &[f(256.0), f(f(0.1).to_f32() * f(0.2).to_f32())], &[2],
        );
    }

    fn the_default_stream_runs_plans_too() {
        bound!(acl, side, device: Npu<0>, current);
        let mut stream = current.default_stream().unwrap();
        let a = upload(current, side, &[1.0f32, 2.0]);
        let out = current.malloc(2).unwrap().into_tensor(&[2]).unwrap();
        let a = a.tensor(&[2]).unwrap();
        let out = op::add(current, &a, &a, 1.0, out).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &out), [2.0, 4.0]);
    }

    fn shapes_that_do_not_describe_the_buffer_are_refused() {
        bound!(acl, device: Npu<0>, current);
        let mut buf = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        assert_eq!(usage(buf.tensor(&[2, 4])), Usage::ShapeSize { shape: vec![2, 4], elements: 8, len: 6 });
        assert_says(buf.tensor(&[usize::MAX, 2]), &["elements"]);
        assert_says(buf.tensor(&[0]), &["0 elements"]);
        let empty = buf.slice(6..6).unwrap();
        assert_eq!(empty.tensor(&[0, 5]).map(|_| ()).map_err(|error| error.to_string()), Ok(()));
        let shape = vec![usize::MAX, 0];
        assert_eq!(usage(empty.tensor(&shape)), Usage::Dimension { shape });
        assert_says(buf.tensor_mut(&[1; 9]), &["at most 8 dimensions", "9"]);
        buf.tensor(&[1, 1, 1, 1, 1, 1, 2, 3]).unwrap();
        assert_says(current.malloc::<f32>(6).unwrap().into_tensor(&[5]), &["5 elements", "6"]);
    }

    fn shapes_that_do_not_broadcast_are_refused() {
        bound!(acl, device: Npu<0>, current);
        let six = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        let two = current.memset(current.malloc::<f32>(2).unwrap(), 0).unwrap();
        let out = |shape: &[usize]| current.malloc::<f32>(6).unwrap().into_tensor(shape).unwrap();
        let (six, two) = (six.tensor(&[2, 3]).unwrap(), two.tensor(&[2]).unwrap());
        let mistake = usage(op::add(current, &six, &two, 1.0, out(&[2, 3])));
        assert_eq!(
            mistake,
            Usage::Broadcast { operator: "aclnnAdd", operands: vec![vec![2, 3], vec![2]], output: vec![2, 3] }
        );
        assert_says(op::mul(current, &six, &six, out(&[6])), &["[6]"]);
        assert_says(op::mul(current, &six, &six, out(&[1, 2, 3])), &["[1, 2, 3]"]);
        let big = current.malloc::<f32>(12).unwrap().into_tensor(&[2, 2, 3]).unwrap();
        assert_says(op::mul(current, &six, &six, big), &["[2, 2, 3]"]);
    }

    fn a_plan_that_never_runs_releases_everything() {
        bound!(acl, device: Npu<0>, current);
        let a = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        let before = current.mem_info(ascendcl::MemAttr::Hbm).unwrap();
        let row = current.memset(current.malloc::<f32>(3).unwrap(), 0).unwrap();
        let out = current.malloc(6).unwrap().into_tensor(&[2, 3]).unwrap();
        let plan =
            op::add(current, &a.tensor(&[2, 3]).unwrap(), &row.tensor(&[3]).unwrap(), 1.0, out).unwrap();
        if embedded(&acl) {
            // The emulator needs a workspace if an operand broadcasts.
            assert!(plan.workspace_size() > 0);
        }
        drop(plan);
        drop(row);
        assert_eq!(current.mem_info(ascendcl::MemAttr::Hbm).unwrap(), before);
        assert_eq!(release_failures(), 0);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failed_wait_gives_no_result() {
        bound!(acl, device: Npu<0>, current, stream);
        let a = current.memset(current.malloc::<f32>(4).unwrap(), 0).unwrap();
        let a = a.tensor(&[4]).unwrap();
        let out = current.malloc(4).unwrap().into_tensor(&[4]).unwrap();
        let plan = op::add(current, &a, &a, 1.0, out).unwrap();
        crate::stream::queue_a_failing_task(stream.as_raw());
        let error = plan.run(&mut stream).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Wait(_)), "{error}");
        // The second wait proved that the queue is empty, so nothing was leaked.
        assert_eq!(leaks(), 0);
        let out = current.malloc(4).unwrap().into_tensor(&[4]).unwrap();
        op::add(current, &a, &a, 1.0, out).unwrap().run(&mut stream).unwrap();
    }

    // The operands belong to the caller again after `run`, so `run` waits until a wait succeeds.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeStream#1=507001,aclrtSynchronizeStream#2=507001"]
    fn after_failed_waits_the_operands_are_idle() {
        bound!(acl, device: Npu<0>, current, stream);
        let mut a = current.memset(current.malloc::<i32>(4).unwrap(), 1).unwrap();
        let mut out = current.memset(current.malloc::<i32>(4).unwrap(), 2).unwrap();
        let tensor = a.tensor(&[4]).unwrap();
        let plan = op::add(current, &tensor, &tensor, 1, out.tensor_mut(&[4]).unwrap()).unwrap();
        let error = plan.run(&mut stream).unwrap_err();
        assert_eq!(error.code(), Some(sys::ACL_ERROR_RT_TS_ERROR), "{error}");
        // Under the checker these would be findings if the operator were still queued.
        current.memset(&mut a, 9).unwrap();
        current.memset(&mut out, 9).unwrap();
        a.free().unwrap();
        assert_eq!(leaks(), 0);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeStream#1+=507011"]
    fn a_run_that_cannot_wait_aborts() {
        bound!(acl, device: Npu<0>, current, stream);
        let a = current.memset(current.malloc::<i32>(4).unwrap(), 1).unwrap();
        let tensor = a.tensor(&[4]).unwrap();
        let out = current.malloc(4).unwrap().into_tensor(&[4]).unwrap();
        let outcome = op::add(current, &tensor, &tensor, 1, out).unwrap().run(&mut stream);
        panic!("the run went on: {outcome:?}");
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn what_failed_on_another_device_is_no_doubt_about_a_run() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let other = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let run = |thread: &mut Thread| {
            let current = thread.set_current(&device).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let a = current.memset(current.malloc::<i32>(4).unwrap(), 1).unwrap();
            let a = a.tensor(&[4]).unwrap();
            let out = current.malloc(4).unwrap().into_tensor(&[4]).unwrap();
            let sum = op::add(current, &a, &a, 1, out).unwrap().run(&mut stream).unwrap();
            let mut back = current.malloc_host::<i32>(side, 4).unwrap();
            current.memcpy(&mut back, &sum).unwrap();
            assert_eq!(back[..], [0x0202_0202; 4]);
        };
        run(&mut thread);
        let fail = |current: Current<'_, '_, _>| {
            let stream = current.create_stream::<Main>().unwrap();
            crate::stream::queue_a_failing_task(stream.as_raw());
            assert_says(current.synchronize_device(), &["507001"]);
        };
        fail(thread.set_current(&other).unwrap());
        run(&mut thread);
    }

    // Another thread's wait for the whole device takes the one report of a failed task, just before this
    // stream's own wait, which then succeeds and proves nothing.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_report_that_another_wait_took_is_not_success() {
        static THIEF: Mutex<Option<(Sender<()>, Receiver<()>)>> = Mutex::new(None);
        unsafe extern "C" fn late_wait(stream: sys::aclrtStream) -> sys::aclError {
            if let Some((ask, done)) = THIEF.lock().unwrap().take() {
                ask.send(()).unwrap();
                done.recv().unwrap();
            }
            // SAFETY: the caller's contract.
            unsafe { (ascendcl::emulator::API.stream.aclrtSynchronizeStream)(stream) }
        }
        let mut api = ascendcl::emulator::api();
        api.stream.aclrtSynchronizeStream = late_wait;
        // SAFETY: the emulator, with a pause in one function.
        unsafe { api.install() }.unwrap();
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let a = current.memset(current.malloc::<f32>(4).unwrap(), 0).unwrap();
        let a = a.tensor(&[4]).unwrap();
        let out = current.malloc(4).unwrap().into_tensor(&[4]).unwrap();
        let plan = op::add(current, &a, &a, 1.0, out).unwrap();
        crate::stream::queue_a_failing_task(stream.as_raw());
        let (ask, asked) = channel();
        let (tell, told) = channel();
        *THIEF.lock().unwrap() = Some((ask, told));
        std::thread::scope(|scope| {
            let device = &device;
            scope.spawn(move || {
                let mut thread = Thread::claim().unwrap();
                let current = thread.set_current(device).unwrap();
                asked.recv().unwrap();
                assert_says(current.synchronize_device(), &["507001"]);
                tell.send(()).unwrap();
            });
            let mistake = usage(plan.run(&mut stream));
            assert!(matches!(mistake, Usage::StreamPoisoned { .. }));
        });
        assert_says(stream.synchronize().map(drop), &["drain"]);
    }
}
