//! Element-wise operators: each has a table of cases, with results that were computed by hand.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use ascendcl_emulator::{elementwise, operator, take_findings};
use ascendcl_sys::*;
use common::tensor::*;
use common::*;

passes_while_watched!("operators_elementwise");

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

/// A data type, a shape and values.
type Operand = (aclDataType, &'static [i64], &'static [f64]);

fn made((dtype, shape, values): Operand) -> Tensor {
    tensor(dtype, shape, values)
}

/// Operators on two tensors.
#[derive(Debug, Clone, Copy)]
enum Binary {
    /// `aclnnAdd` with this `alpha`.
    Add(aclDataType, f64),
    /// `aclnnSub` with this `alpha`.
    Sub(aclDataType, f64),
    Mul,
    Div,
}

impl Binary {
    fn run(self, left: *mut aclTensor, right: *mut aclTensor, out: *mut aclTensor) -> i32 {
        match self {
            Binary::Add(dtype, alpha) => {
                let alpha = scalar(dtype, alpha);
                run!(aclnnAdd, aclnnAddGetWorkspaceSize(left, right, alpha, out))
            }
            Binary::Sub(dtype, alpha) => {
                let alpha = scalar(dtype, alpha);
                run!(aclnnSub, aclnnSubGetWorkspaceSize(left, right, alpha, out))
            }
            Binary::Mul => run!(aclnnMul, aclnnMulGetWorkspaceSize(left, right, out)),
            Binary::Div => run!(aclnnDiv, aclnnDivGetWorkspaceSize(left, right, out)),
        }
    }
}

/// An operator, its operands and its result.
const CASES: &[(Binary, Operand, Operand, Operand)] = &[
    (
        // The example of the manual.
        Binary::Add(ACL_FLOAT, 0.5),
        (
            ACL_FLOAT,
            &[4, 2],
            &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
        ),
        (
            ACL_FLOAT,
            &[4, 2],
            &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0],
        ),
        (
            ACL_FLOAT,
            &[4, 2],
            &[0.5, 1.5, 2.5, 4.0, 5.0, 6.0, 7.5, 8.5],
        ),
    ),
    (
        // The sum of whole numbers and halves is promoted to halves.
        Binary::Add(ACL_INT32, 2.0),
        (ACL_INT32, &[3], &[1.0, -2.0, 3.0]),
        (ACL_FLOAT16, &[3], &[0.5, 0.25, -1.0]),
        (ACL_FLOAT16, &[3], &[2.0, -1.5, 1.0]),
    ),
    (
        // FLOAT16 cannot hold 2049, so it is 2048 before the addition.
        Binary::Add(ACL_FLOAT, 1.0),
        (ACL_INT32, &[1], &[2049.0]),
        (ACL_FLOAT16, &[1], &[2.0]),
        (ACL_FLOAT16, &[1], &[2050.0]),
    ),
    (
        // Both types of halves are promoted to FLOAT.
        Binary::Mul,
        (ACL_FLOAT16, &[2], &[1.5, 2.0]),
        (ACL_BF16, &[2], &[2.5, -4.0]),
        (ACL_FLOAT, &[2], &[3.75, -8.0]),
    ),
    (
        // Signed and unsigned bytes are promoted to 16 bits, and do not wrap there.
        Binary::Mul,
        (ACL_INT8, &[2], &[-128.0, 127.0]),
        (ACL_UINT8, &[2], &[255.0, 2.0]),
        (ACL_INT16, &[2], &[-32640.0, 254.0]),
    ),
    (
        // A byte wraps.
        Binary::Add(ACL_INT32, 3.0),
        (ACL_INT8, &[2], &[127.0, -1.0]),
        (ACL_INT8, &[2], &[1.0, 1.0]),
        (ACL_INT8, &[2], &[-126.0, 2.0]),
    ),
    (
        // The sum wraps in the type of the operands, even if the output is wider.
        Binary::Add(ACL_INT32, 1.0),
        (ACL_INT8, &[1], &[127.0]),
        (ACL_INT8, &[1], &[1.0]),
        (ACL_INT64, &[1], &[-128.0]),
    ),
    (
        // The sum of truth values is true if one of them is.
        Binary::Add(ACL_INT32, 1.0),
        (ACL_BOOL, &[4], &[0.0, 0.0, 1.0, 1.0]),
        (ACL_BOOL, &[4], &[0.0, 1.0, 0.0, 1.0]),
        (ACL_BOOL, &[4], &[0.0, 1.0, 1.0, 1.0]),
    ),
    (
        Binary::Sub(ACL_INT32, 2.0),
        (ACL_INT32, &[3], &[1.0, -2_147_483_648.0, 5.0]),
        (ACL_INT32, &[1], &[3.0]),
        (ACL_INT32, &[3], &[-5.0, 2_147_483_642.0, -1.0]),
    ),
    (
        Binary::Sub(ACL_FLOAT, 0.5),
        (ACL_FLOAT16, &[2], &[1.0, -1.0]),
        (ACL_FLOAT, &[2], &[4.0, 0.5]),
        (ACL_FLOAT16, &[2], &[-1.0, -1.25]),
    ),
    (
        Binary::Mul,
        (ACL_BOOL, &[4], &[0.0, 0.0, 1.0, 1.0]),
        (ACL_BOOL, &[4], &[0.0, 1.0, 0.0, 1.0]),
        (ACL_BOOL, &[4], &[0.0, 0.0, 0.0, 1.0]),
    ),
    (
        Binary::Mul,
        (ACL_DOUBLE, &[2], &[1e200, 0.1]),
        (ACL_FLOAT, &[2], &[2.0, 0.5]),
        (ACL_DOUBLE, &[2], &[2e200, 0.05]),
    ),
    (
        // Broadcasting in both directions.
        Binary::Mul,
        (ACL_INT64, &[3, 1], &[1.0, 2.0, 3.0]),
        (ACL_INT16, &[2], &[10.0, 100.0]),
        (ACL_INT64, &[3, 2], &[10.0, 100.0, 20.0, 200.0, 30.0, 300.0]),
    ),
    (
        Binary::Div,
        (ACL_FLOAT, &[5], &[1.0, -1.0, 0.0, 3.0, -8.0]),
        (ACL_FLOAT, &[5], &[0.0, 0.0, 0.0, 2.0, 4.0]),
        (ACL_FLOAT, &[5], &[INF, -INF, NAN, 1.5, -2.0]),
    ),
    (
        // Whole numbers are divided as real numbers.
        Binary::Div,
        (ACL_INT32, &[3], &[7.0, -7.0, 6.0]),
        (ACL_INT32, &[3], &[2.0, 2.0, 4.0]),
        (ACL_FLOAT, &[3], &[3.5, -3.5, 1.5]),
    ),
    (
        // The digits behind the point are lost if the output is whole.
        Binary::Div,
        (ACL_INT32, &[3], &[7.0, -7.0, 6.0]),
        (ACL_INT8, &[1], &[2.0]),
        (ACL_INT32, &[3], &[3.0, -3.0, 3.0]),
    ),
    (
        Binary::Div,
        (ACL_DOUBLE, &[], &[1.0]),
        (ACL_INT64, &[], &[3.0]),
        (ACL_DOUBLE, &[], &[1.0 / 3.0]),
    ),
    (
        // A third of 1 in FLOAT16 is rounded once.
        Binary::Div,
        (ACL_FLOAT16, &[1], &[1.0]),
        (ACL_FLOAT16, &[1], &[3.0]),
        (ACL_FLOAT16, &[1], &[0.333_251_953_125]),
    ),
    (
        // There are no elements.
        Binary::Div,
        (ACL_FLOAT, &[0, 3], &[]),
        (ACL_FLOAT, &[3], &[1.0, 1.0, 1.0]),
        (ACL_FLOAT, &[0, 3], &[]),
    ),
];

#[test]
fn results_are_those_of_the_manual() {
    let _serial = start_checked();
    for (binary, left, right, (dtype, shape, expected)) in CASES {
        let (left, right, out) = (made(*left), made(*right), room(*dtype, shape));
        let code = binary.run(left.handle, right.handle, out.handle);
        assert_eq!(code, 0, "{binary:?}: {}", text());
        assert_same(&out.values(), expected);
    }
    assert_eq!(take_findings(), []);
}

#[test]
fn operands_and_results_may_be_views() {
    let _serial = start_checked();
    // Columns of a matrix of 2 by 3, the second half of a row, and a result with gaps.
    let matrix = tensor(ACL_FLOAT, &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let transposed = again(&matrix, &[3, 2], Some(&[1, 3]), 0);
    let row = view(ACL_FLOAT16, &[2], None, 2, &[9.0, 9.0, 10.0, 100.0]);
    let out = view(ACL_FLOAT, &[3, 2], Some(&[4, 2]), 1, &[0.0; 12]);
    assert_eq!(Binary::Mul.run(transposed, row.handle, out.handle), 0);
    assert_same(
        &out.values(),
        &[
            0.0, 10.0, 0.0, 400.0, 0.0, 20.0, 0.0, 500.0, 0.0, 30.0, 0.0, 600.0,
        ],
    );
    // One element is repeated at all positions.
    let repeated = view(ACL_FLOAT, &[3, 2], Some(&[0, 0]), 1, &[0.0, 0.5]);
    assert_eq!(Binary::Div.run(transposed, repeated.handle, out.handle), 0);
    assert_same(
        &out.values(),
        &[0.0, 2.0, 0.0, 8.0, 0.0, 4.0, 0.0, 10.0, 0.0, 6.0, 0.0, 12.0],
    );
    assert_eq!(take_findings(), []);
}

#[test]
fn long_operands_of_mixed_types_are_walked_to_their_end() {
    let _serial = start_checked();
    // The sizes are around the size of a chunk, in rows and as a whole.
    for (rows, columns) in [(1, 1), (1, 63), (1, 64), (1, 65), (3, 129), (130, 2)] {
        let count = rows * columns;
        let numbers: Vec<f64> = (0..count).map(|number| f64::from(number % 100)).collect();
        let shape = [i64::from(rows), i64::from(columns)];
        let left = tensor(ACL_INT16, &shape, &numbers);
        let right = tensor(
            ACL_FLOAT,
            &[i64::from(columns)],
            &numbers[..columns as usize],
        );
        let out = room(ACL_FLOAT, &shape);
        assert_eq!(Binary::Div.run(left.handle, right.handle, out.handle), 0);
        let expected: Vec<f64> = (0..count as usize)
            .map(|index| (numbers[index] as f32 / numbers[index % columns as usize] as f32).into())
            .collect();
        assert_same(&out.values(), &expected);
    }
}

#[test]
fn in_place_forms_read_and_write_one_tensor() {
    let _serial = start_checked();
    let add = |tensor: &Tensor, other: &Tensor, alpha: *mut aclScalar| {
        let (tensor, other) = (tensor.handle, other.handle);
        run!(
            aclnnInplaceAdd,
            aclnnInplaceAddGetWorkspaceSize(tensor, other, alpha)
        )
    };
    let (one, two) = (scalar(ACL_FLOAT, 1.0), scalar(ACL_INT32, 2.0));
    let numbers = tensor(ACL_FLOAT, &[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let row = tensor(ACL_FLOAT, &[2], &[10.0, 20.0]);
    assert_eq!(add(&numbers, &row, two), 0, "{}", text());
    assert_same(&numbers.values(), &[21.0, 42.0, 23.0, 44.0]);
    // A tensor is added to itself, and to a higher type, whose sum is cast back to the type of the tensor.
    assert_eq!(add(&numbers, &numbers, one), 0);
    assert_same(&numbers.values(), &[42.0, 84.0, 46.0, 88.0]);
    let halves = tensor(ACL_FLOAT16, &[2], &[1.0, 2.0]);
    assert_eq!(add(&halves, &row, one), 0);
    assert_same(&halves.values(), &[11.0, 22.0]);
    // A view of every second element.
    let spread = view(ACL_INT32, &[2], Some(&[2]), 0, &[1.0, 5.0, 2.0, 5.0]);
    let whole = tensor(ACL_INT32, &[2], &[100.0, 200.0]);
    assert_eq!(add(&spread, &whole, two), 0);
    assert_same(&spread.values(), &[201.0, 5.0, 402.0, 5.0]);
    // The second operand may be broadcast, the first one may not. A sum of fractions is not cast to whole numbers.
    assert_eq!(add(&row, &numbers, one), 161002);
    assert_eq!(add(&whole, &row, one), 161002);
    assert_eq!(take_findings(), []);
}

#[test]
fn relu_keeps_what_is_positive() {
    let _serial = start_checked();
    let relu = |input: &Tensor, out: &Tensor| {
        let (input, out) = (input.handle, out.handle);
        run!(aclnnRelu, aclnnReluGetWorkspaceSize(input, out))
    };
    let types = [
        ACL_FLOAT,
        ACL_FLOAT16,
        ACL_BF16,
        ACL_INT8,
        ACL_INT32,
        ACL_INT64,
    ];
    for dtype in types {
        let input = tensor(dtype, &[4], &[-2.0, 0.0, 3.0, -1.0]);
        let out = room(dtype, &[4]);
        assert_eq!(relu(&input, &out), 0, "{}", text());
        assert_same(&out.values(), &[0.0, 0.0, 3.0, 0.0]);
        assert_eq!(relu(&input, &input), 0);
        assert_same(&input.values(), &[0.0, 0.0, 3.0, 0.0]);
    }
    let special = tensor(ACL_FLOAT, &[3], &[NAN, -INF, INF]);
    assert_eq!(relu(&special, &special), 0);
    assert_same(&special.values(), &[NAN, 0.0, INF]);
    let (bytes, shorts) = (room(ACL_UINT8, &[1]), room(ACL_INT16, &[1]));
    let (floats, halves) = (room(ACL_FLOAT, &[1]), room(ACL_FLOAT16, &[1]));
    for (input, out, words) in [
        (&bytes, &bytes, "self has the data type ACL_UINT8"),
        (&shorts, &shorts, "self has the data type ACL_INT16"),
        (
            &halves,
            &floats,
            "do not go together: self ACL_FLOAT16, out ACL_FLOAT",
        ),
        (&floats, &room(ACL_FLOAT, &[2]), "do not give out [2]"),
    ] {
        assert_eq!(relu(input, out), 161002);
        let said = text();
        assert!(said.contains(words), "{said}");
    }
}

/// The first phase of a difference.
type Minus = unsafe extern "C" fn(
    *const aclTensor,
    *const aclTensor,
    *const aclScalar,
    *mut aclTensor,
    *mut u64,
    *mut *mut aclOpExecutor,
) -> aclnnStatus;

/// `aclnnSub` has a kernel with vector instructions. The arithmetic alone has the same results.
#[test]
fn differences_of_the_vector_kernel_are_those_of_the_arithmetic() {
    let _serial = start_checked();
    let minus = operator!(
        aclnnMinus(left: tensor, right: tensor, alpha: scalar, out: out_tensor) =
            elementwise!(|left, right, alpha| left - alpha * right)
    );
    // SAFETY: the caller below passes these parameters; the arithmetic writes all of `out`.
    unsafe { operator::register(minus) };
    let found = operator::find(c"aclnnMinus").unwrap();
    // SAFETY: the operator above has this signature.
    let minus =
        unsafe { core::mem::transmute::<*mut std::ffi::c_void, Minus>(found.prepare.as_ptr()) };
    let lowest = f64::from(i32::MIN);
    let whole: &[f64] = &[0.0, 1.0, -1.0, lowest, -lowest - 1.0, 77.0, 3.0];
    let floating: &[f64] = &[0.0, -0.0, 1.1, -3.3, INF, -INF, NAN, 65504.0, 1e-7];
    for (dtype, values) in [
        (ACL_FLOAT, floating),
        (ACL_FLOAT16, floating),
        (ACL_BF16, floating),
        (ACL_INT32, whole),
        (ACL_INT64, whole),
    ] {
        // Every value minus every value, more of them than a vector has.
        let len = values.len() as i64;
        let (left, right) = (
            tensor(dtype, &[len, 1], values),
            tensor(dtype, &[len], values),
        );
        for alpha in [1.0, -1.0, 0.0, 3.0, lowest] {
            let (vector, plain) = (room(dtype, &[len, len]), room(dtype, &[len, len]));
            let alpha = scalar(dtype, alpha);
            let (l, r) = (left.handle, right.handle);
            let code = run!(
                aclnnSub,
                aclnnSubGetWorkspaceSize(l, r, alpha, vector.handle)
            );
            assert_eq!(code, 0, "{}", text());
            let (mut size, mut executor) = (0, std::ptr::null_mut());
            // SAFETY: objects that exist, and places for the answers.
            let code = unsafe { minus(l, r, alpha, plain.handle, &mut size, &mut executor) };
            assert_eq!(code, 0, "{}", text());
            finish(found.launch, size, executor);
            let (vector, plain) = (vector.values(), plain.values());
            let bits = |values: &[f64]| -> Vec<_> {
                let bits = |one: &f64| (!one.is_nan()).then_some(one.to_bits());
                values.iter().map(bits).collect()
            };
            assert_eq!(bits(&vector), bits(&plain), "{dtype:?}");
        }
    }
    assert_eq!(take_findings(), []);
}
