//! Operators whose results have other shapes and data types: casts, joins, sums, products of matrices, selections.
//! The results were computed by hand or are from the manual.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use ascendcl_emulator::take_findings;
use ascendcl_sys::*;
use common::tensor::*;
use common::*;

passes_while_watched!("operators_shapes");

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

#[test]
fn cast_rounds_to_even_and_cuts_fractions() {
    let _serial = start_checked();
    let cases: &[(aclDataType, &[f64], aclDataType, &[f64])] = &[
        (
            ACL_FLOAT,
            &[1.9, -1.9, NAN, 0.5],
            ACL_INT32,
            &[1.0, -1.0, 0.0, 0.0],
        ),
        (
            ACL_FLOAT,
            &[2049.0, 2051.0, 1e6],
            ACL_FLOAT16,
            &[2048.0, 2052.0, INF],
        ),
        (ACL_FLOAT, &[257.0, 259.0], ACL_BF16, &[256.0, 260.0]),
        (ACL_DOUBLE, &[0.1, -0.0], ACL_FLOAT, &[0.1_f32 as f64, 0.0]),
        (
            ACL_INT32,
            &[16_777_217.0, -3.0],
            ACL_FLOAT,
            &[16_777_216.0, -3.0],
        ),
        (ACL_INT64, &[300.0, -1.0], ACL_UINT8, &[44.0, 255.0]),
        (
            ACL_UINT32,
            &[4_294_967_295.0],
            ACL_INT64,
            &[4_294_967_295.0],
        ),
        (ACL_INT16, &[-2.0, 0.0], ACL_BOOL, &[1.0, 0.0]),
        (ACL_FLOAT16, &[0.0, 0.25, NAN], ACL_BOOL, &[0.0, 1.0, 1.0]),
        (ACL_BOOL, &[1.0, 0.0], ACL_BF16, &[1.0, 0.0]),
        (
            ACL_UINT64,
            &[9_223_372_036_854_775_808.0],
            ACL_DOUBLE,
            &[9_223_372_036_854_775_808.0],
        ),
        (ACL_BF16, &[-3.5, INF], ACL_DOUBLE, &[-3.5, INF]),
    ];
    for (from, values, to, expected) in cases {
        let shape = [values.len() as i64];
        let (input, out) = (tensor(*from, &shape, values), room(*to, &shape));
        let code = run!(
            aclnnCast,
            aclnnCastGetWorkspaceSize(input.handle, *to, out.handle)
        );
        assert_eq!(code, 0, "{}", text());
        assert_same(&out.values(), expected);
    }
    // A column is cast to a row of another type.
    let matrix = tensor(ACL_FLOAT, &[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let (column, out) = (again(&matrix, &[2], Some(&[2]), 1), room(ACL_INT8, &[2]));
    assert_eq!(
        run!(
            aclnnCast,
            aclnnCastGetWorkspaceSize(column, ACL_INT8, out.handle)
        ),
        0
    );
    assert_same(&out.values(), &[2.0, 4.0]);
    assert_eq!(take_findings(), []);
}

#[test]
fn cat_joins_along_a_dimension() {
    let _serial = start_checked();
    let cat = |tensors: &[&Tensor], dim: i64, out: &Tensor| {
        let list = list(tensors);
        let code = run!(aclnnCat, aclnnCatGetWorkspaceSize(list, dim, out.handle));
        // The list owns its tensors.
        check!(op.aclDestroyTensorList(list));
        code
    };
    let three = || tensor(ACL_FLOAT, &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let one = |dtype| tensor(dtype, &[1, 3], &[7.0, 8.0, 9.0]);
    let numbers: Vec<f64> = (1..=9).map(f64::from).collect();

    let out = room(ACL_FLOAT, &[3, 3]);
    assert_eq!(cat(&[&three(), &one(ACL_FLOAT)], 0, &out), 0, "{}", text());
    assert_same(&out.values(), &numbers);
    // The tensors are promoted to FLOAT and cast to the type of the output.
    let out = room(ACL_DOUBLE, &[3, 3]);
    assert_eq!(cat(&[&three(), &one(ACL_INT8)], -2, &out), 0);
    assert_same(&out.values(), &numbers);
    // Along the last dimension the parts are not contiguous; a tensor of the shape [0] is skipped.
    let nothing = tensor(ACL_FLOAT, &[0], &[]);
    let two = tensor(ACL_FLOAT, &[2, 1], &[10.0, 20.0]);
    let out = room(ACL_FLOAT, &[2, 4]);
    assert_eq!(cat(&[&nothing, &two, &three()], 1, &out), 0);
    assert_same(&out.values(), &[10.0, 1.0, 2.0, 3.0, 20.0, 4.0, 5.0, 6.0]);
    // The output is a part of a larger tensor.
    let whole = room(ACL_FLOAT, &[2, 6]);
    let part = again(&whole, &[2, 4], Some(&[6, 1]), 1);
    let tensors = list(&[&three(), &tensor(ACL_FLOAT, &[2, 1], &[-1.0, -2.0])]);
    assert_eq!(
        run!(aclnnCat, aclnnCatGetWorkspaceSize(tensors, 1, part)),
        0
    );
    assert_same(
        &whole.values(),
        &[7.0, 1.0, 2.0, 3.0, -1.0, 7.0, 7.0, 4.0, 5.0, 6.0, -2.0, 7.0],
    );
    // A list of one tensor, and a list without elements.
    let out = room(ACL_FLOAT, &[2, 3]);
    assert_eq!(cat(&[&three()], 0, &out), 0);
    assert_same(&out.values(), &numbers[..6]);
    let empty = room(ACL_FLOAT, &[0]);
    let nothing = || tensor(ACL_FLOAT, &[0], &[]);
    assert_eq!(cat(&[&nothing(), &nothing()], 0, &empty), 0);
    assert_eq!(take_findings(), []);

    let list = |tensors: &[&Tensor]| list(tensors);
    let out = room(ACL_FLOAT, &[3, 3]).handle;
    let both = list(&[&three(), &one(ACL_FLOAT)]);
    refuses!(
        161001,
        "tensors is null",
        aclnnCatGetWorkspaceSize(std::ptr::null(), 0, out)
    );
    refuses!(
        161002,
        "tensors is an empty list",
        aclnnCatGetWorkspaceSize(list(&[]), 0, out)
    );
    refuses!(
        161002,
        "dim is 2; the tensor has the dimensions -2 to 1",
        aclnnCatGetWorkspaceSize(both, 2, out)
    );
    refuses!(161002, "dim is -3", aclnnCatGetWorkspaceSize(both, -3, out));
    refuses!(
        161002,
        "may differ only along dim 1",
        aclnnCatGetWorkspaceSize(both, 1, out)
    );
    let small = room(ACL_FLOAT, &[2, 3]).handle;
    refuses!(
        161002,
        "3 elements along dim 0",
        aclnnCatGetWorkspaceSize(both, 0, small)
    );
    let whole = room(ACL_INT32, &[3, 3]).handle;
    refuses!(
        161002,
        "cannot be cast to out of ACL_INT32",
        aclnnCatGetWorkspaceSize(both, 0, whole)
    );
    let odd = list(&[&tensor(ACL_UINT32, &[1, 3], &[0.0; 3]), &three()]);
    refuses!(
        161002,
        "no common data type",
        aclnnCatGetWorkspaceSize(odd, 0, out)
    );
}

#[test]
fn sums_go_over_the_dimensions_that_are_named() {
    let _serial = start_checked();
    let numbers: Vec<f64> = (0..8).map(f64::from).collect();
    let cases: &[(&[i64], &[i64], bool, &[i64], &[f64])] = &[
        (&[4, 2], &[0], false, &[2], &[12.0, 16.0]),
        (&[4, 2], &[-1], false, &[4], &[1.0, 5.0, 9.0, 13.0]),
        (&[4, 2], &[1], true, &[4, 1], &[1.0, 5.0, 9.0, 13.0]),
        (&[4, 2], &[], false, &[], &[28.0]),
        (&[4, 2], &[], true, &[1, 1], &[28.0]),
        (&[2, 2, 2], &[0, 2], false, &[2], &[10.0, 18.0]),
        (&[2, 2, 2], &[-2], true, &[2, 1, 2], &[2.0, 4.0, 10.0, 12.0]),
    ];
    for (shape, dims, keeps, to, expected) in cases {
        let (input, out) = (tensor(ACL_FLOAT, shape, &numbers), room(ACL_FLOAT, to));
        let dims = ints(dims);
        let code = run!(
            aclnnReduceSum,
            aclnnReduceSumGetWorkspaceSize(input.handle, dims, *keeps, ACL_FLOAT, out.handle)
        );
        assert_eq!(code, 0, "{}", text());
        assert_same(&out.values(), expected);
        check!(op.aclDestroyIntArray(dims));
    }
    let sum = |input: &Tensor, dims: &[i64], dtype, out: &Tensor| {
        let dims = ints(dims);
        run!(
            aclnnReduceSum,
            aclnnReduceSumGetWorkspaceSize(input.handle, dims, false, dtype, out.handle)
        )
    };
    // Halves are summed as FLOAT: 2048 and 16 ones are not 2048.
    let mut halves = vec![1.0; 17];
    halves[0] = 2048.0;
    let (input, out) = (tensor(ACL_FLOAT16, &[17], &halves), room(ACL_FLOAT16, &[]));
    assert_eq!(sum(&input, &[0], ACL_FLOAT16, &out), 0);
    assert_same(&out.values(), &[2064.0]);
    // Bytes are summed in 64 bits, and in 8 bits.
    let input = tensor(ACL_UINT8, &[3], &[200.0, 100.0, 1.0]);
    let (wide, narrow) = (room(ACL_INT64, &[]), room(ACL_UINT8, &[]));
    assert_eq!(sum(&input, &[], ACL_INT64, &wide), 0);
    assert_eq!(sum(&input, &[], ACL_UINT8, &narrow), 0);
    assert_same(&wide.values(), &[301.0]);
    assert_same(&narrow.values(), &[45.0]);
    // A sum of truth values is true if one of them is.
    let input = tensor(ACL_BOOL, &[2, 2], &[0.0, 0.0, 1.0, 1.0]);
    let out = room(ACL_BOOL, &[2]);
    assert_eq!(sum(&input, &[1], ACL_BOOL, &out), 0);
    assert_same(&out.values(), &[0.0, 1.0]);
    // The sum of no elements is 0.
    let (input, out) = (tensor(ACL_FLOAT, &[3, 0], &[]), room(ACL_FLOAT, &[3]));
    assert_eq!(sum(&input, &[1], ACL_FLOAT, &out), 0);
    assert_same(&out.values(), &[0.0; 3]);
    // The columns of a transposed view are summed into every second element.
    let matrix = tensor(ACL_FLOAT, &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let transposed = again(&matrix, &[3, 2], Some(&[1, 3]), 0);
    let out = view(ACL_FLOAT, &[2], Some(&[2]), 1, &[0.0; 4]);
    let dims = ints(&[0]);
    let code = run!(
        aclnnReduceSum,
        aclnnReduceSumGetWorkspaceSize(transposed, dims, false, ACL_FLOAT, out.handle)
    );
    assert_eq!(code, 0);
    assert_same(&out.values(), &[0.0, 6.0, 0.0, 15.0]);
    assert_eq!(take_findings(), []);

    let (input, out) = (matrix.handle, room(ACL_FLOAT, &[3]).handle);
    let sums = |dims: &[i64]| ints(dims);
    let float = ACL_FLOAT;
    refuses!(
        161001,
        "dims is null",
        aclnnReduceSumGetWorkspaceSize(input, std::ptr::null(), false, float, out)
    );
    refuses!(
        161002,
        "dims is 2",
        aclnnReduceSumGetWorkspaceSize(input, sums(&[2]), false, float, out)
    );
    refuses!(
        161002,
        "names -2 twice",
        aclnnReduceSumGetWorkspaceSize(input, sums(&[0, -2]), false, float, out)
    );
    refuses!(
        161002,
        "it has to be [1, 3]",
        aclnnReduceSumGetWorkspaceSize(input, sums(&[0]), true, float, out)
    );
    refuses!(
        161002,
        "dtype is ACL_INT32, and out has ACL_FLOAT",
        aclnnReduceSumGetWorkspaceSize(input, sums(&[0]), false, ACL_INT32, out)
    );
    refuses!(
        161002,
        "dtype has the data type ACL_UINT16",
        aclnnReduceSumGetWorkspaceSize(input, sums(&[0]), false, ACL_UINT16, out)
    );
}

#[test]
fn products_of_matrices_follow_the_rules_of_shapes() {
    let _serial = start_checked();
    let numbers = |count: i32| (1..=count).map(f64::from).collect::<Vec<_>>();
    let cases: &[(&[i64], &[i64], &[i64], &[f64])] = &[
        (&[2, 3], &[3, 2], &[2, 2], &[22.0, 28.0, 49.0, 64.0]),
        (&[3], &[3], &[], &[14.0]),
        (&[3], &[3, 2], &[2], &[22.0, 28.0]),
        (&[2, 3], &[3], &[2], &[14.0, 32.0]),
        (&[2, 1, 2], &[2, 2], &[2, 1, 2], &[7.0, 10.0, 15.0, 22.0]),
        (&[2, 2], &[2, 2, 1], &[2, 2, 1], &[5.0, 11.0, 11.0, 25.0]),
        (
            &[2, 1, 1, 2],
            &[2, 2, 1],
            &[2, 2, 1, 1],
            &[5.0, 11.0, 11.0, 25.0],
        ),
    ];
    for (left, right, shape, expected) in cases {
        let made = |shape: &[i64], dtype| {
            let count = shape.iter().product::<i64>() as i32;
            tensor(dtype, shape, &numbers(count))
        };
        for (one, other, dtype) in [
            (ACL_FLOAT, ACL_FLOAT, ACL_FLOAT),
            (ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16),
            (ACL_BF16, ACL_BF16, ACL_BF16),
            (ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT),
        ] {
            let (left, right) = (made(left, one), made(right, other));
            let out = room(dtype, shape);
            let code = run!(
                aclnnMatmul,
                aclnnMatmulGetWorkspaceSize(left.handle, right.handle, out.handle, 0)
            );
            assert_eq!(code, 0, "{}", text());
            assert_same(&out.values(), expected);
        }
    }
    // Sums are computed in FLOAT and rounded once: 2048 plus 16 ones.
    let mut row = vec![1.0; 17];
    row[0] = 2048.0;
    let (left, right) = (
        tensor(ACL_FLOAT16, &[1, 17], &row),
        tensor(ACL_FLOAT16, &[17, 1], &[1.0; 17]),
    );
    let out = room(ACL_FLOAT16, &[1, 1]);
    assert_eq!(
        run!(
            aclnnMatmul,
            aclnnMatmulGetWorkspaceSize(left.handle, right.handle, out.handle, 4)
        ),
        0
    );
    assert_same(&out.values(), &[2064.0]);
    // The rows are longer than a block: sums of 1 to 600, and of their halves.
    let row: Vec<f64> = (1..=600).map(f64::from).collect();
    let both: Vec<f64> = row
        .iter()
        .flat_map(|number| [*number, number / 2.0])
        .collect();
    let (left, right) = (
        view(ACL_FLOAT, &[2, 600], Some(&[0, 0]), 0, &[1.0]),
        tensor(ACL_FLOAT, &[600, 2], &both),
    );
    let out = room(ACL_FLOAT, &[2, 2]);
    assert_eq!(
        run!(
            aclnnMatmul,
            aclnnMatmulGetWorkspaceSize(left.handle, right.handle, out.handle, 0)
        ),
        0
    );
    assert_same(&out.values(), &[180_300.0, 90_150.0, 180_300.0, 90_150.0]);
    // Both factors are transposed, and the output is a part of a larger tensor.
    let (left, right) = (
        tensor(ACL_FLOAT, &[2, 3], &numbers(6)),
        tensor(ACL_FLOAT, &[2, 2], &numbers(4)),
    );
    let left = again(&left, &[3, 2], Some(&[1, 3]), 0);
    let right = again(&right, &[2, 2], Some(&[1, 2]), 0);
    let out = view(ACL_FLOAT, &[3, 2], Some(&[3, 1]), 1, &[0.0; 10]);
    assert_eq!(
        run!(
            aclnnMatmul,
            aclnnMatmulGetWorkspaceSize(left, right, out.handle, 1)
        ),
        0
    );
    // [[1,4],[2,5],[3,6]] by [[1,3],[2,4]].
    assert_same(
        &out.values(),
        &[0.0, 9.0, 19.0, 0.0, 12.0, 26.0, 0.0, 15.0, 33.0, 0.0],
    );
    // Without elements to sum, the product is 0.
    let (left, right) = (
        tensor(ACL_FLOAT, &[2, 0], &[]),
        tensor(ACL_FLOAT, &[0, 2], &[]),
    );
    let out = room(ACL_FLOAT, &[2, 2]);
    assert_eq!(
        run!(
            aclnnMatmul,
            aclnnMatmulGetWorkspaceSize(left.handle, right.handle, out.handle, 0)
        ),
        0
    );
    assert_same(&out.values(), &[0.0; 4]);
    assert_eq!(take_findings(), []);

    let of = |dtype, shape: &[i64]| room(dtype, shape).handle;
    let (a, b, out) = (
        of(ACL_FLOAT, &[2, 3]),
        of(ACL_FLOAT, &[3, 2]),
        of(ACL_FLOAT, &[2, 2]),
    );
    refuses!(
        161002,
        "do not give out [2, 2]",
        aclnnMatmulGetWorkspaceSize(a, a, out, 0)
    );
    refuses!(
        161002,
        "do not give out [2, 2]",
        aclnnMatmulGetWorkspaceSize(b, a, out, 0)
    );
    refuses!(
        161002,
        "cubeMathType is 5",
        aclnnMatmulGetWorkspaceSize(a, b, out, 5)
    );
    refuses!(
        161002,
        "cubeMathType is -1",
        aclnnMatmulGetWorkspaceSize(a, b, out, -1)
    );
    refuses!(
        161002,
        "self has the data type ACL_INT32",
        aclnnMatmulGetWorkspaceSize(of(ACL_INT32, &[2, 3]), b, out, 0)
    );
    refuses!(
        161002,
        "self has the shape []; it has 1 to 6 dimensions",
        aclnnMatmulGetWorkspaceSize(of(ACL_FLOAT, &[]), b, out, 0)
    );
}

#[test]
fn topk_chooses_in_order_and_says_where() {
    let _serial = start_checked();
    let topk = |input: &Tensor, (k, dim, largest): (i64, i64, bool), outs: [&Tensor; 2]| {
        let [values, indices] = outs.map(|out| out.handle);
        run!(
            aclnnTopk,
            aclnnTopkGetWorkspaceSize(input.handle, k, dim, largest, true, values, indices)
        )
    };
    let numbers = [0.0, 1.0, 2.5, 3.0, 4.0, 5.5, 6.0, 7.0];
    let cases: &[(i64, i64, bool, &[i64], &[f64], &[f64])] = &[
        (
            2,
            1,
            true,
            &[2, 2],
            &[3.0, 2.5, 7.0, 6.0],
            &[3.0, 2.0, 3.0, 2.0],
        ),
        (1, -1, false, &[2, 1], &[0.0, 4.0], &[0.0, 0.0]),
        (
            2,
            0,
            true,
            &[2, 4],
            &[4.0, 5.5, 6.0, 7.0, 0.0, 1.0, 2.5, 3.0],
            &[1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        ),
        (0, 0, true, &[0, 4], &[], &[]),
    ];
    for (k, dim, largest, shape, values, indices) in cases {
        for dtype in [ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE] {
            let input = tensor(dtype, &[2, 4], &numbers);
            let outs = [room(dtype, shape), room(ACL_INT64, shape)];
            let code = topk(&input, (*k, *dim, *largest), outs.each_ref());
            assert_eq!(code, 0, "{}", text());
            assert_same(&outs[0].values(), values);
            assert_same(&outs[1].values(), indices);
        }
    }
    // More elements than are in memory at a time, and a row that repeats one element.
    let many: Vec<f64> = (0..1000).map(|index| f64::from(index * 7 % 1000)).collect();
    let input = tensor(ACL_INT32, &[1000], &many);
    let outs = [room(ACL_INT32, &[3]), room(ACL_INT64, &[3])];
    assert_eq!(topk(&input, (3, 0, true), outs.each_ref()), 0);
    assert_same(&outs[0].values(), &[999.0, 998.0, 997.0]);
    assert_same(&outs[1].values(), &[857.0, 714.0, 571.0]);
    let input = view(ACL_INT32, &[100_000], Some(&[0]), 0, &[5.0]);
    assert_eq!(topk(&input, (3, 0, false), outs.each_ref()), 0);
    assert_same(&outs[0].values(), &[5.0; 3]);
    assert_same(&outs[1].values(), &[0.0, 1.0, 2.0]);
    // Whole numbers of 64 bits, in which equal numbers stay in order; NaN is the largest; a view as input, and views
    // as outputs.
    let input = tensor(ACL_INT64, &[4], &[5.0, -7.0, 5.0, 9.0]);
    let outs = [room(ACL_INT64, &[3]), room(ACL_INT64, &[3])];
    assert_eq!(topk(&input, (3, 0, true), outs.each_ref()), 0);
    assert_same(&outs[0].values(), &[9.0, 5.0, 5.0]);
    assert_same(&outs[1].values(), &[3.0, 0.0, 2.0]);
    let input = view(
        ACL_FLOAT,
        &[3],
        Some(&[2]),
        1,
        &[0.0, 1.0, 0.0, NAN, 0.0, 2.0],
    );
    let values = view(ACL_FLOAT, &[2], Some(&[2]), 0, &[0.0; 3]);
    let indices = view(ACL_INT64, &[2], None, 1, &[-1.0; 3]);
    assert_eq!(topk(&input, (2, 0, true), [&values, &indices]), 0);
    assert_same(&values.values(), &[NAN, 0.0, 2.0]);
    assert_same(&indices.values(), &[-1.0, 1.0, 2.0]);
    assert_eq!(take_findings(), []);

    let (input, values) = (room(ACL_FLOAT, &[4]).handle, room(ACL_FLOAT, &[2]).handle);
    let (indices, truth) = (room(ACL_INT64, &[2]).handle, room(ACL_BOOL, &[4]).handle);
    let null = std::ptr::null_mut();
    refuses!(
        161001,
        "indicesOut is null",
        aclnnTopkGetWorkspaceSize(input, 2, 0, true, true, values, null)
    );
    refuses!(
        161002,
        "k is 5",
        aclnnTopkGetWorkspaceSize(input, 5, 0, true, true, values, indices)
    );
    refuses!(
        161002,
        "k is -1",
        aclnnTopkGetWorkspaceSize(input, -1, 0, true, true, values, indices)
    );
    refuses!(
        161002,
        "dim is 1",
        aclnnTopkGetWorkspaceSize(input, 2, 1, true, true, values, indices)
    );
    refuses!(
        161002,
        "sorted is false",
        aclnnTopkGetWorkspaceSize(input, 2, 0, true, false, values, indices)
    );
    refuses!(
        161002,
        "valuesOut has the shape [2]",
        aclnnTopkGetWorkspaceSize(input, 3, 0, true, true, values, indices)
    );
    refuses!(
        161002,
        "indicesOut has the data type ACL_FLOAT",
        aclnnTopkGetWorkspaceSize(input, 2, 0, true, true, values, values)
    );
    refuses!(
        161002,
        "self has the data type ACL_BOOL",
        aclnnTopkGetWorkspaceSize(truth, 2, 0, true, true, values, indices)
    );
}

/// Asserts that an operator asks for a copy of 2^33 elements, and that it does not run without it.
macro_rules! needs_a_copy {
    ($launch:ident, $prepare:ident($($arg:expr),* $(,)?)) => {{
        let (mut size, mut executor) = (0, std::ptr::null_mut());
        check!(op.$prepare($($arg,)* &mut size, &mut executor));
        assert_eq!(size, 4 << 33);
        let (launch, none) = (ascendcl_emulator::API.op.$launch, std::ptr::null_mut());
        // SAFETY: the executor of the first phase; a workspace that is missing is refused.
        let code = unsafe { launch(none, 0, executor, none) };
        assert_eq!(code, 161002);
        let expected = concat!(
            stringify!($launch),
            ": the workspace has 0 bytes, the first phase asked for 34359738368"
        );
        assert_eq!(text(), expected);
    }};
}

#[test]
fn a_view_of_2_33_elements_needs_as_much_workspace() {
    let _serial = start_checked();
    let huge = view(ACL_FLOAT, &[1 << 33], Some(&[0]), 0, &[1.0]).handle;
    let (one, place) = (room(ACL_FLOAT, &[]).handle, room(ACL_INT64, &[]).handle);
    let all = ints(&[]);
    needs_a_copy!(
        aclnnReduceSum,
        aclnnReduceSumGetWorkspaceSize(huge, all, false, ACL_FLOAT, one)
    );
    needs_a_copy!(aclnnMax, aclnnMaxGetWorkspaceSize(huge, one));
    needs_a_copy!(
        aclnnArgMax,
        aclnnArgMaxGetWorkspaceSize(huge, 0, false, place)
    );
    #[cfg(feature = "training")]
    needs_a_copy!(
        aclnnMseLoss,
        aclnnMseLossGetWorkspaceSize(huge, one, 1, one)
    );
    let mut workspace = std::ptr::null_mut();
    let code = call!(memory.aclrtMalloc(&mut workspace, 4 << 33, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_eq!(code, 207001);
}
