//! Products of matrices.

use super::bind::Binder;
use crate::op::argument::Argument;
use crate::op::call::Call;
use crate::op::define;
use crate::op::dtype::SINGLE;
use crate::op::plan::{Operator, Plan};
use crate::op::refusal::Refusal;
use crate::op::rule::Checks as _;
use crate::op::scalar::Scalar;
use crate::op::shape::Dims;
use crate::op::tensor::Tensor;
use crate::results::list_of;

/// Exchanges the last two dimensions.
fn transposed(tensor: Tensor, is_wanted: bool) -> Result<Tensor, Refusal> {
    if !is_wanted {
        return Ok(tensor);
    }
    let exchanged = |dims: &Dims| {
        let mut all = dims.as_slice().to_vec();
        let last = all.len().checked_sub(2)?;
        all.get_mut(last..)?.reverse();
        Dims::new(all)
    };
    match (exchanged(&tensor.shape), exchanged(&tensor.strides)) {
        (Some(shape), Some(strides)) => Ok(Tensor {
            shape,
            strides,
            ..tensor
        }),
        _ => Err(Refusal::invalid(
            "a matrix to transpose has at least two dimensions",
        )),
    }
}

/// The product of `x1` and `x2`, each of which may be transposed, and a bias if there is one.
pub(super) fn matmul(
    b: &mut Binder<'_>,
    left: &'static str,
    right: &'static str,
) -> Result<&'static Operator, Refusal> {
    b.counts(2..=4, 1)?;
    let (left, right) = (b.flag(left, false)?, b.flag(right, false)?);
    if b.whole("offset_x")?.is_some_and(|offset| offset != 0) {
        return Err(Refusal::invalid("the attribute offset_x is not 0"));
    }
    if b.optional(3).is_some() {
        return Err(Refusal::invalid("the input offset_w is not modelled"));
    }
    let (x1, x2, y) = (b.input(0)?, b.input(1)?, b.output(0)?);
    let (x1, x2) = (transposed(x1, left)?, transposed(x2, right)?);
    let operator = if b.optional(2).is_some() {
        let bias = b.input(2)?;
        b.read("self", bias)?;
        b.read("mat1", x1)?;
        b.read("mat2", x2)?;
        b.scalar("beta", Scalar::whole(1))?;
        b.scalar("alpha", Scalar::whole(1))?;
        define::aclnnAddmm()
    } else {
        b.read("self", x1)?;
        b.read("mat2", x2)?;
        define::aclnnMatmul()
    };
    b.write("out", y)?;
    b.pass(Argument::i8("cubeMathType", 0));
    Ok(operator)
}

/// `y = alpha * a * b + beta * c`, where `alpha` and `beta` are tensors of one element.
pub(super) fn gemm(b: &mut Binder<'_>) -> Result<&'static Operator, Refusal> {
    b.counts(5..=5, 1)?;
    let (left, right) = (b.flag("transpose_a", false)?, b.flag("transpose_b", false)?);
    let (one, other) = (
        transposed(b.input(0)?, left)?,
        transposed(b.input(1)?, right)?,
    );
    let (c, alpha, beta, y) = (b.input(2)?, b.input(3)?, b.input(4)?, b.output(0)?);
    b.read("a", one)?;
    b.read("b", other)?;
    b.read("c", c)?;
    b.read("alpha", alpha)?;
    b.read("beta", beta)?;
    b.write("out", y)?;
    Ok(&GEMM)
}

static GEMM: Operator = Operator::new("GEMM", &general);

/// The kernel of [`gemm`]. The elements are added in single precision.
fn general(call: &Call) -> Result<Plan, Refusal> {
    let input = |name| call.input(name).and_then(|input| input.of(SINGLE));
    let (a, b, c) = (input("a")?, input("b")?, input("c")?);
    let (alpha, beta, out) = (
        input("alpha")?,
        input("beta")?,
        call.output("out").of(SINGLE)?,
    );
    let (&[rows, length], &[depth, columns]) = (a.shape(), b.shape()) else {
        return Err(Refusal::invalid("a and b have two dimensions"));
    };
    let is_product = length == depth && out.shape() == [rows, columns] && c.shape() == out.shape();
    if !is_product || alpha.elements() != 1 || beta.elements() != 1 {
        return Err(Refusal::invalid(format_args!(
            "a {:?}, b {:?} and c {:?} do not give {:?}, or alpha or beta has not one element",
            a.shape(),
            b.shape(),
            c.shape(),
            out.shape()
        )));
    }
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let (a, b, c) = (views.input(&a), views.input(&b), views.input(&c));
        let (alpha, beta) = (views.input(&alpha), views.input(&beta));
        let (alpha, beta) = (alpha.get::<f64>(0), beta.get::<f64>(0));
        let product = |index: usize| {
            let (row, column) = (index / columns, index % columns);
            let terms = (0..length).map(|step| {
                // CAST: elements of single precision.
                a.get::<f64>(row * length + step) as f32
                    * b.get::<f64>(step * columns + column) as f32
            });
            f64::from(terms.sum::<f32>())
        };
        // The result may be stored in `c`, whose elements are read first.
        let all = 0..rows * columns;
        let sums = all.map(|index| alpha * product(index) + beta * c.get::<f64>(index));
        let sums: Vec<f64> = list_of(sums);
        let mut to = views.output(&out);
        for (index, sum) in sums.into_iter().enumerate() {
            to.set(index, sum);
        }
    })
}
