//! What the operators compute.

use super::*;

#[test]
fn each_family_computes_what_its_name_says() {
    let _serial = start_checked();
    let f = |shape: &[i64], values: &[f64]| Operand::new(ACL_FLOAT, shape, values);
    let room = |shape: &[i64]| Operand::room(ACL_FLOAT, shape);
    let (x, y) = (
        f(&[2, 2], &[1., -2., 3., -4.]),
        f(&[2, 2], &[4., 3., 2., 1.]),
    );
    let row = f(&[2], &[10., 20.]);
    let out = room(&[2, 2]);
    expect("Relu", &[&x], &[], &[(&out, &[1., 0., 3., 0.])]);
    expect("Square", &[&x], &[], &[(&out, &[1., 4., 9., 16.])]);
    expect("Add", &[&x, &row], &[], &[(&out, &[11., 18., 13., 16.])]);
    expect("Sub", &[&x, &y], &[], &[(&out, &[-3., -5., 1., -5.])]);
    expect("Mul", &[&x, &y], &[], &[(&out, &[4., -6., 6., -4.])]);
    expect("RealDiv", &[&x, &x], &[], &[(&out, &[1.; 4])]);
    expect("Maximum", &[&x, &y], &[], &[(&out, &[4., 3., 3., 1.])]);
    expect(
        "BiasAdd",
        &[&x, &row],
        &[(c"data_format", Is::Word(c"NCHW"))],
        &[(&out, &[11., 18., 13., 16.])],
    );
    expect(
        "Adds",
        &[&x],
        &[(c"value", Is::Number(0.5))],
        &[(&out, &[1.5, -1.5, 3.5, -3.5])],
    );
    expect(
        "Muls",
        &[&x],
        &[(c"value", Is::Number(2.0))],
        &[(&out, &[2., -4., 6., -8.])],
    );
    expect(
        "Axpy",
        &[&x, &y],
        &[(c"alpha", Is::Number(2.0))],
        &[(&out, &[9., 4., 7., -2.])],
    );
    expect(
        "LeakyRelu",
        &[&x],
        &[(c"negative_slope", Is::Number(0.5))],
        &[(&out, &[1., -1., 3., -2.])],
    );
    expect(
        "Fills",
        &[&x],
        &[(c"value", Is::Number(3.0))],
        &[(&out, &[3.; 4])],
    );
    expect("ZerosLike", &[&x], &[], &[(&out, &[0.; 4])]);
    expect("OnesLike", &[&x], &[], &[(&out, &[1.; 4])]);
    expect("Exp", &[&f(&[2, 2], &[0.; 4])], &[], &[(&out, &[1.; 4])]);
    expect(
        "Transpose",
        &[&x, &Operand::constant(&[1, 0])],
        &[],
        &[(&out, &[1., 3., -2., -4.])],
    );
    expect(
        "TransposeD",
        &[&x],
        &[(c"perm", Is::Wholes(&[1, 0]))],
        &[(&out, &[1., 3., -2., -4.])],
    );
    expect("Triu", &[&x], &[], &[(&out, &[1., -2., 0., -4.])]);

    let truth = Operand::room(ACL_BOOL, &[2, 2]);
    expect("Greater", &[&x, &y], &[], &[(&truth, &[0., 0., 1., 0.])]);
    expect(
        "Select",
        &[&truth, &x, &y],
        &[],
        &[(&out, &[4., 3., 3., 1.])],
    );
    let whole = Operand::room(ACL_INT32, &[2, 2]);
    let to = i64::from(ACL_INT32.0);
    expect(
        "Cast",
        &[&x],
        &[(c"dst_type", Is::Whole(to))],
        &[(&whole, &[1., -2., 3., -4.])],
    );
    expect(
        "Reshape",
        &[&x, &Operand::constant(&[4])],
        &[],
        &[(&room(&[4]), &[1., -2., 3., -4.])],
    );
    expect(
        "ConcatD",
        &[&x, &y],
        &[(c"concat_dim", Is::Whole(1)), (c"N", Is::Whole(2))],
        &[(&room(&[2, 4]), &[1., -2., 4., 3., 3., -4., 2., 1.])],
    );
    expect(
        "SplitD",
        &[&x],
        &[(c"split_dim", Is::Whole(1)), (c"num_split", Is::Whole(2))],
        &[(&room(&[2, 1]), &[1., 3.]), (&room(&[2, 1]), &[-2., -4.])],
    );
    expect(
        "TileD",
        &[&row],
        &[(c"multiples", Is::Wholes(&[2]))],
        &[(&room(&[4]), &[10., 20., 10., 20.])],
    );
    expect(
        "BroadcastToD",
        &[&row],
        &[(c"shape", Is::Wholes(&[2, 2]))],
        &[(&out, &[10., 20., 10., 20.])],
    );
    let index = Operand::new(ACL_INT32, &[1], &[1.]);
    expect(
        "GatherV2D",
        &[&x, &index],
        &[(c"axis", Is::Whole(0))],
        &[(&room(&[1, 2]), &[3., -4.])],
    );
    expect(
        "ReduceSumD",
        &[&x],
        &[(c"axes", Is::Wholes(&[1])), (c"keep_dims", Is::Flag(true))],
        &[(&room(&[2, 1]), &[-1., -1.])],
    );
    expect(
        "ReduceMean",
        &[&x, &Operand::constant(&[0])],
        &[],
        &[(&room(&[2]), &[2., -3.])],
    );
    expect(
        "ReduceMaxD",
        &[&x],
        &[(c"axes", Is::Wholes(&[0]))],
        &[(&room(&[2]), &[3., -2.])],
    );
    expect(
        "ArgMaxD",
        &[&x],
        &[(c"dimension", Is::Whole(1))],
        &[(&Operand::room(ACL_INT32, &[2]), &[0., 0.])],
    );
    expect(
        "SoftmaxV2",
        &[&f(&[1, 2], &[5., 5.])],
        &[(c"axes", Is::Wholes(&[-1]))],
        &[(&room(&[1, 2]), &[0.5, 0.5])],
    );
}

#[test]
fn matrices_are_multiplied_as_the_attributes_say() {
    let _serial = start_checked();
    let f = |shape: &[i64], values: &[f64]| Operand::new(ACL_FLOAT16, shape, values);
    let (a, b) = (
        f(&[2, 3], &[1., 2., 3., 4., 5., 6.]),
        f(&[3, 2], &[1., 0., 0., 1., 1., 1.]),
    );
    let out = Operand::room(ACL_FLOAT16, &[2, 2]);
    expect("MatMul", &[&a, &b], &[], &[(&out, &[4., 5., 10., 11.])]);
    let bias = f(&[2], &[100., 200.]);
    expect(
        "MatMulV2",
        &[&a, &b, &bias],
        &[],
        &[(&out, &[104., 205., 110., 211.])],
    );
    let flags = [
        (c"transpose_x1", Is::Flag(false)),
        (c"transpose_x2", Is::Flag(true)),
    ];
    let turned = f(&[2, 3], &[1., 0., 1., 0., 1., 1.]);
    expect(
        "MatMul",
        &[&a, &turned],
        &flags,
        &[(&out, &[4., 5., 10., 11.])],
    );
    let (one, other) = (
        f(&[1, 2, 3], &[1., 2., 3., 4., 5., 6.]),
        f(&[1, 2, 3], &[1., 0., 1., 0., 1., 1.]),
    );
    let out3 = Operand::room(ACL_FLOAT16, &[1, 2, 2]);
    expect(
        "BatchMatMul",
        &[&one, &other],
        &[(c"adj_x2", Is::Flag(true))],
        &[(&out3, &[4., 5., 10., 11.])],
    );
    let c = f(&[2, 2], &[1., 1., 1., 1.]);
    let (alpha, beta) = (f(&[], &[2.]), f(&[], &[10.]));
    expect(
        "GEMM",
        &[&a, &b, &c, &alpha, &beta],
        &[(c"transpose_a", Is::Flag(false))],
        &[(&out, &[18., 20., 30., 32.])],
    );
}
