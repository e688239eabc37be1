//! Operators that the program declares.

use std::marker::PhantomData;

use ascendcl::bounds::Arithmetic;
use ascendcl::emulator::operator::{self as emulated, Call, Refusal};
use ascendcl::op::{In, InOut, Ints, List, Operator, Out, Scalar};
use ascendcl::stream::Main;
use ascendcl::{ErrorKind, Npu, Thread, error::BackendError, sys};

use crate::common::{acl, bound, host, isolated};
use crate::op_table::{download, upload};

type D = Npu<0>;

/// `out = a + alpha * b`.
struct MyAdd<T>(PhantomData<T>);
// SAFETY: the parameters of `aclnn_add.h`.
unsafe impl<T: Arithmetic> Operator for MyAdd<T> {
    ascendcl::operator!(aclnnAdd(a: In<T>, b: In<T>, alpha: Scalar<T>, out: Out<T>));
}
/// Without type parameters, in place.
enum AddTo {}
// SAFETY: the parameters of `aclnn_add.h`.
unsafe impl Operator for AddTo {
    ascendcl::operator!(aclnnInplaceAdd(a: InOut<f32>, b: In<f32>, alpha: Scalar<f32>));
}
/// A list.
struct Joined<T>(PhantomData<T>);
// SAFETY: the parameters of `aclnn_cat.h`.
unsafe impl<T: Arithmetic> Operator for Joined<T> {
    ascendcl::operator!(aclnnCat(tensors: List<T>, axis: i64, out: Out<T>));
}
/// An array, a truth value, a data type.
enum Sum {}
// SAFETY: the parameters of `aclnn_reduce_sum.h`.
unsafe impl Operator for Sum {
    ascendcl::operator!(aclnnReduceSum(a: In<i32>, axes: Ints, keep: bool, to: sys::aclDataType, out: Out<i64>));
}
/// Two outputs.
enum Largest {}
// SAFETY: the parameters of `aclnn_topk.h`.
unsafe impl Operator for Largest {
    ascendcl::operator!(aclnnTopk(a: In<f32>, k: i64, axis: i64, largest: bool, sorted: bool, values: Out<f32>, indices: Out<i64>));
}
/// No backend has it.
enum Nowhere {}
// SAFETY: nothing is called.
unsafe impl Operator for Nowhere {
    ascendcl::operator!(aclnnNowhere(a: In<f32>, out: Out<f32>));
}

/// Without operands.
struct CountUp<T>(PhantomData<T>);
// SAFETY: the parameters of the operator that the test registers; it writes all of `out`.
unsafe impl<T: Arithmetic> Operator for CountUp<T> {
    ascendcl::operator!(aclnnCountUp(first: Scalar<T>, step: Option<Scalar<T>>, out: Out<T>));
}

/// `out[i] = first + i * step`; without a step it is 1.
fn count_up(call: &Call) -> Result<emulated::Plan, Refusal> {
    let (first, out) = (call.scalar("first")?.to_f64(), call.output("out")?);
    let step = call
        .optional_scalar("step")?
        .map_or(1.0, |step| step.to_f64());
    call.plan(move |views| {
        let mut to = views.output(&out);
        for index in 0..out.elements() {
            to.set(index, first + index as f64 * step);
        }
    })
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn an_operator_without_operands_needs_no_annotation() {
        let acl = acl();
        let definition = ascendcl::emulator::operator!(
            aclnnCountUp(first: scalar, step: optional_scalar, out: out_tensor) = count_up
        );
        // SAFETY: `CountUp` has these parameters, and the definition writes all of `out`.
        unsafe { emulated::register(definition) };
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let fresh = current.malloc::<i32>(3).unwrap().into_tensor(&[3]).unwrap();
        let mut counted = CountUp::plan(current, (5, None, fresh)).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &counted), [5, 6, 7]);
        let lent = counted.tensor_mut(&[3]).unwrap();
        CountUp::plan(current, (1, Some(10), lent)).unwrap().run(&mut stream).unwrap();
        let part = counted.slice_mut(1..3).unwrap().into_tensor(&[2]).unwrap();
        CountUp::plan(current, (0, None, part)).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &counted), [1, 0, 1]);
        let mut queued = stream.adopt(counted);
        let lent = queued.tensor_mut(&[3]).unwrap();
        CountUp::plan(current, (7, None, lent)).unwrap().launch(&mut stream).unwrap().into_output();
        let fresh = stream.adopt(current.malloc::<f32>(2).unwrap()).into_tensor(&[2]).unwrap();
        let floats = CountUp::plan(current, (0.5, Some(0.25), fresh)).unwrap();
        let floats = floats.launch(&mut stream).unwrap().into_output();
        let idle = stream.synchronize().unwrap();
        assert_eq!(download(current, side, &idle.take(queued)), [7, 8, 9]);
        assert_eq!(download(current, side, &idle.take(floats)), [0.5, 0.75]);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn the_newest_definition_of_a_name_runs() {
        bound!(acl, side, device: D, current, stream);
        let mut count = || {
            let out = current.malloc::<i32>(2).unwrap().into_tensor(&[2]).unwrap();
            let out = CountUp::plan(current, (5, None, out)).map(|plan| plan.run(&mut stream).unwrap());
            out.map(|out| download(current, side, &out))
        };
        count().unwrap_err();
        let up = ascendcl::emulator::operator!(
            aclnnCountUp(first: scalar, step: optional_scalar, out: out_tensor) = count_up
        );
        // SAFETY: `CountUp` has these parameters, and the definition writes all of `out`.
        unsafe { emulated::register(up) };
        assert_eq!(count().unwrap(), [5, 6]);
        let zero = ascendcl::emulator::operator!(
            aclnnCountUp(first: scalar, step: optional_scalar, out: out_tensor) = |call: &Call| {
                let out = call.output("out")?;
                call.plan(move |views| (0..2).for_each(|index| views.output(&out).set(index, 0.0)))
            }
        );
        // SAFETY: `CountUp` has these parameters, and the definition writes all of `out`.
        unsafe { emulated::register(zero) };
        assert_eq!(count().unwrap(), [0, 0]);
    }

    fn a_declared_operator_runs_on_both_sites() {
        bound!(acl, side, device: D, current, stream);
        let a = upload(current, side, &[1i32, 2]);
        let out = current.malloc(2).unwrap().into_tensor(&[2]).unwrap();
        let tensor = a.tensor(&[2]).unwrap();
        let plan = MyAdd::plan(current, (&tensor, &tensor, 10, out)).unwrap();
        assert_eq!(format!("{plan:?}"), format!("Plan(aclnnAdd, workspace {} bytes)", plan.workspace_size()));
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [11, 22]);
        let a = stream.adopt(a);
        let out = stream.adopt(current.malloc(4).unwrap()).into_tensor(&[4]).unwrap();
        let tensor = a.tensor(&[2]).unwrap();
        let out = Joined::plan(current, (&[&tensor, &tensor], 0, out)).unwrap();
        let out = out.launch(&mut stream).unwrap().into_output();
        let idle = stream.synchronize().unwrap();
        assert_eq!(download(current, side, &idle.take(out)), [1, 2, 1, 2]);
    }

    fn every_kind_of_parameter_reaches_c() {
        bound!(acl, side, device: D, current, stream);
        let mut floats = upload(current, side, &[1.0f32, 5.0, 3.0]);
        let one = upload(current, side, &[1.0f32]);
        let changed = floats.tensor_mut(&[3]).unwrap();
        let plan = AddTo::plan(current, (changed, &one.tensor(&[]).unwrap(), 0.5)).unwrap();
        plan.run(&mut stream).unwrap();
        let values = current.malloc(2).unwrap().into_tensor(&[2]).unwrap();
        let indices = current.malloc(2).unwrap().into_tensor(&[2]).unwrap();
        let a = floats.tensor(&[3]).unwrap();
        let plan = Largest::plan(current, (&a, 2, 0, true, true, values, indices)).unwrap();
        let (values, indices) = plan.run(&mut stream).unwrap();
        assert_eq!(download(current, side, &values), [5.5, 3.5]);
        assert_eq!(download(current, side, &indices), [1, 2]);
        let integers = upload(current, side, &[1i32, 2, 3, 4]);
        let out = current.malloc(2).unwrap().into_tensor(&[2]).unwrap();
        let a = integers.tensor(&[2, 2]).unwrap();
        let plan = Sum::plan(current, (&a, &[0], false, sys::ACL_INT64, out)).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [4i64, 6]);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn an_operator_that_the_backend_lacks_is_named() {
        bound!(acl, device: D, current);
        let a = current.memset(current.malloc::<f32>(2).unwrap(), 0).unwrap();
        let out = current.malloc(2).unwrap().into_tensor(&[2]).unwrap();
        let error = Nowhere::plan(current, (&a.tensor(&[2]).unwrap(), out)).unwrap_err();
        let text = error.to_string();
        let ErrorKind::Backend(BackendError::MissingOperator { operator, backend }) = error.into_kind() else {
            panic!("{text}");
        };
        assert_eq!((operator, backend.as_str()), ("aclnnNowhere", "the emulator"));
        for part in ["the emulator has no operator aclnnNowhere", "libcust_opapi.so", "ASCEND_CUSTOM_OPP_PATH", "register"] {
            assert!(text.contains(part), "{part:?} is missing in {text}");
        }
    }
}
