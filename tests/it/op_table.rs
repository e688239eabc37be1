//! The results of the operators: tables with one entry for each, on idle and on queued operands. The element-wise operators
//! have files of their own.

use ascendcl::bounds::Element;
use ascendcl::memory::Uninit;
use ascendcl::op::{self, Bool, CubeMath, Extreme, TensorOut};
use ascendcl::{Current, DeviceBuf, HostSide, Npu};
use half::f16;

use crate::common::{bound, isolated};

type D = Npu<0>;

/// Copies `values` to the device.
pub(crate) fn upload<'dev, T: bytemuck::Pod>(
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

/// Fresh memory for as many elements as `values` has.
pub(crate) fn room<'dev, T: bytemuck::Pod>(
    current: Current<'_, 'dev, D>,
    values: &[T],
) -> DeviceBuf<'dev, D, [T], Uninit> {
    current.malloc(values.len()).unwrap()
}

/// An output of a shape, in fresh memory.
pub(crate) fn output<'dev, T: Element>(
    current: Current<'_, 'dev, D>,
    shape: &[usize],
) -> TensorOut<DeviceBuf<'dev, D, [T], Uninit>> {
    let len = shape.iter().product();
    current.malloc(len).unwrap().into_tensor(shape).unwrap()
}

/// Copies a buffer to the host.
pub(crate) fn download<T: bytemuck::Pod>(
    current: Current<'_, '_, D>,
    side: HostSide<'_>,
    buf: &DeviceBuf<'_, D, [T]>,
) -> Vec<T> {
    let mut staged = current.malloc_host(side, buf.len()).unwrap();
    current.memcpy(&mut staged, buf).unwrap();
    staged.to_vec()
}

/// Runs each operator twice, on idle buffers and on buffers of a stream, into fresh outputs.
macro_rules! operators {
    ($(
        $name:ident($($operand:ident = $values:expr, $shape:expr);+) => ($($out:ident = $expected:expr, $out_shape:expr);+):
        |$current:ident| $plan:expr;
    )*) => { isolated! { $(
        #[allow(unused_parens, reason = "one output is no tuple")]
        fn $name() {
            $crate::common::bound!(acl, side, device: D, $current, stream);
            {
                $( let $operand = upload($current, side, &$values); )+
                $( let $operand = $operand.tensor(&$shape).unwrap(); )+
                $( let $out = $crate::op_table::room($current, &$expected).into_tensor(&$out_shape).unwrap(); )+
                let ($($out),+) = $plan.unwrap().run(&mut stream).unwrap();
                $( $crate::op_table::assert_near(&download($current, side, &$out), &$expected); )+
            }
            let held = ($( stream.adopt(upload($current, side, &$values)) ),+,);
            let ($(ref $operand),+,) = held;
            $( let $operand = $operand.tensor(&$shape).unwrap(); )+
            $(
                let $out = stream.adopt($crate::op_table::room($current, &$expected));
                let $out = $out.into_tensor(&$out_shape).unwrap();
            )+
            let ($($out),+) = $plan.unwrap().launch(&mut stream).unwrap().into_output();
            let idle = stream.synchronize().unwrap();
            $( $crate::op_table::assert_near(&download($current, side, &idle.take($out)), &$expected); )+
        }
    )* } };
}
pub(crate) use operators;

/// Runs each operator that changes its first operand, on an idle buffer and on one of a stream.
macro_rules! in_place {
    ($(
        $name:ident($changed:ident = $before:expr, $changed_shape:expr $(; $operand:ident = $values:expr, $shape:expr)*)
            => $expected:tt: |$current:ident| $plan:expr;
    )*) => { isolated! { $(
        fn $name() {
            $crate::common::bound!(acl, side, device: D, $current, stream);
            {
                let mut buf = upload($current, side, &$before);
                $( let $operand = upload($current, side, &$values); )*
                $( let $operand = $operand.tensor(&$shape).unwrap(); )*
                let $changed = buf.tensor_mut(&$changed_shape).unwrap();
                $plan.unwrap().run(&mut stream).unwrap();
                $crate::op_table::assert_near(&download($current, side, &buf), &$expected);
            }
            let mut buf = stream.adopt(upload($current, side, &$before));
            $( let $operand = stream.adopt(upload($current, side, &$values)); )*
            $( let $operand = $operand.tensor(&$shape).unwrap(); )*
            let $changed = buf.tensor_mut(&$changed_shape).unwrap();
            $plan.unwrap().launch(&mut stream).unwrap().into_output();
            let idle = stream.synchronize().unwrap();
            $crate::op_table::assert_near(&download($current, side, &idle.take(buf)), &$expected);
        }
    )* } };
}
pub(crate) use in_place;

/// A result that may differ from the expected one by its rounding.
pub(crate) trait Near: std::fmt::Debug + PartialEq {
    /// Whether it is near enough.
    fn is_near(&self, expected: &Self) -> bool {
        self == expected
    }
}
impl Near for i32 {}
impl Near for i64 {}
impl Near for u8 {}
impl Near for u64 {}
impl Near for i8 {}
impl Near for f64 {}
impl Near for f16 {}
impl Near for Bool {}
impl Near for f32 {
    fn is_near(&self, expected: &f32) -> bool {
        self == expected
            || self.is_nan() && expected.is_nan()
            || (self - expected).abs() <= 1e-5 * expected.abs().max(0.1)
    }
}

/// Compares results.
pub(crate) fn assert_near<T: Near>(results: &[T], expected: &[T]) {
    let is_near = |(result, expected): (&T, &T)| result.is_near(expected);
    assert!(
        results.len() == expected.len() && results.iter().zip(expected).all(is_near),
        "{results:?} is not {expected:?}"
    );
}

operators! {
    add(a = [1i32, 2, 3], [3]; b = [10, 20, 30], [3]) => (out = [21, 42, 63], [3]):
        |current| op::add(current, &a, &b, 2, out);
    sub(a = [1i32, i32::MIN], [2]; b = [10, 1], [2]) => (out = [-19, i32::MAX - 1], [2]): |current| op::sub(current, &a, &b, 2, out);
    mul(a = [1i64, 2, 3, 4], [2, 2]; b = [10, 20], [2]) => (out = [10, 40, 30, 80], [2, 2]):
        |current| op::mul(current, &a, &b, out);
    div(a = [1.0f32, -3.0], [2]; b = [4.0], []) => (out = [0.25, -0.75], [2]):
        |current| op::div(current, &a, &b, out);
    relu(a = [1.5f32, -2.0, 0.0], [3]) => (out = [1.5, 0.0, 0.0], [3]):
        |current| op::relu(current, &a, out);
    cast_truncates(a = [1.75f32, -2.5, 7.0], [3]) => (out = [1i32, -2, 7], [3]):
        |current| op::cast(current, &a, out);
    cast_to_half(a = [1i32, -2], [1, 2]) => (out = [f16::ONE, f16::from_f32(-2.0)], [1, 2]):
        |current| op::cast(current, &a, out);
    sum_of_columns(a = [1i32, 2, 3, 4, 5, 6], [2, 3]) => (out = [5, 7, 9], [3]):
        |current| op::reduce_sum(current, &a, &[0], false, out);
    sum_of_rows_keeps_the_dimension(a = [1i32, 2, 3, 4, 5, 6], [2, 3]) => (out = [6i64, 15], [2, 1]):
        |current| op::reduce_sum(current, &a, &[-1], true, out);
    sum_of_all(a = [f16::ONE; 4096], [2, 2048]) => (out = [4096.0f32], []):
        |current| op::reduce_sum(current, &a, &[], false, out);
    matmul(a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]; b = [1.0, 0.0, 0.0, 1.0, 2.0, 2.0], [3, 2])
        => (out = [7.0, 8.0, 16.0, 17.0], [2, 2]):
        |current| op::matmul(current, &a, &b, out, CubeMath::Keep);
    matmul_of_batches_and_a_vector(a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [2, 2, 2]; b = [1.0, 10.0], [2])
        => (out = [21.0, 43.0, 65.0, 87.0], [2, 2]):
        |current| op::matmul(current, &a, &b, out, CubeMath::Keep);
    cat(a = [1i32, 2, 3, 4], [2, 2]; b = [5, 6], [2, 1]) => (out = [1, 2, 5, 3, 4, 6], [2, 3]):
        |current| op::cat(current, &[&a, &b], -1, out);
    topk(a = [3.0f32, 9.0, 1.0, 5.0, 2.0, 8.0], [2, 3]) => (values = [9.0, 3.0, 8.0, 5.0], [2, 2]; indices = [1i64, 0, 2, 0], [2, 2]):
        |current| op::topk(current, &a, 2, 1, Extreme::Largest, values, indices);
    cast_to_truth_values(a = [0.0f32, -0.5, f32::NAN], [3]) => (out = [Bool::FALSE, Bool::TRUE, Bool::TRUE], [3]):
        |current| op::cast(current, &a, out);
    cast_of_truth_values(a = [Bool::FALSE, Bool::TRUE], [2]) => (out = [0i32, 1], [2]):
        |current| op::cast(current, &a, out);
    cat_of_truth_values(a = [Bool::TRUE], [1]; b = [Bool::FALSE], [1]) => (out = [Bool::TRUE, Bool::FALSE], [2]):
        |current| op::cat(current, &[&a, &b], 0, out);
    mul_of_doubles(a = [1.5f64, 1e300], [2]; b = [2.0], []) => (out = [3.0, 2e300], [2]):
        |current| op::mul(current, &a, &b, out);
    add_of_bytes(a = [250u8, 3], [2]; b = [10], [1]) => (out = [4, 13], [2]):
        |current| op::add(current, &a, &b, 1, out);
    sum_of_bytes(a = [250u8, 250], [2]) => (out = [500i64], []):
        |current| op::reduce_sum(current, &a, &[], false, out);
    topk_of_the_smallest(a = [3i32, 9, 1], [3]) => (values = [1], [1]; indices = [2i64], [1]):
        |current| op::topk(current, &a, 1, 0, Extreme::Smallest, values, indices);
}

isolated! {
    // Parts can begin and end at any element. Parts of one buffer may be operand and output.
    fn parts_of_buffers_are_operands_and_outputs() {
        bound!(acl, side, device: D, current, stream);
        let numbers: Vec<i32> = (0..20).collect();
        let mut buf = upload(current, side, &numbers);
        let (left, right) = buf.split_at_mut(9).unwrap();
        let left = left.into_slice();
        let (_, operand) = left.split_at(3).unwrap();
        let (out, _) = right.split_at_mut(6).unwrap();
        let a = operand.tensor(&[2, 3]).unwrap();
        let plan = op::mul(current, &a, &a, out.into_tensor(&[2, 3]).unwrap()).unwrap();
        plan.run(&mut stream).unwrap();
        let mut expected = numbers.clone();
        expected.splice(9..15, [9, 16, 25, 36, 49, 64]);
        assert_eq!(download(current, side, &buf), expected);

        let mut buf = stream.adopt(buf);
        let (left, right) = buf.split_at_mut(10).unwrap();
        let (operand, _) = left.into_slice().split_at(5).unwrap();
        let (_, out) = right.split_at_mut(5).unwrap();
        let a = operand.tensor(&[5]).unwrap();
        let plan = op::add(current, &a, &a, 1, out.into_tensor(&[5]).unwrap()).unwrap();
        plan.launch(&mut stream).unwrap().into_output();
        let mut part = buf.slice_mut(0..3).unwrap();
        let one = stream.adopt(upload(current, side, &[1]));
        // A part is lent as often as a buffer.
        for _ in 0..2 {
            let changed = part.tensor_mut(&[3]).unwrap();
            let plan = op::inplace_add(current, changed, &one.tensor(&[]).unwrap(), 50).unwrap();
            plan.launch(&mut stream).unwrap().into_output();
        }
        let idle = stream.synchronize().unwrap();
        expected.splice(15..20, [0, 2, 4, 6, 8]);
        expected.splice(0..3, [100, 101, 102]);
        assert_eq!(download(current, side, &idle.take(buf)), expected);
    }
}
