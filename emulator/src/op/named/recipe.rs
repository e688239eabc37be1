//! The types of operators that the emulator has, and the operator of `aclnn` that computes each.
//!
//! The names, the attributes and their usual values are those of the operator prototypes of CANN (`op_proto`).

use ascendcl_sys::{ACL_BOOL, ACL_DT_UNDEFINED, ACL_INT32, aclDataType};

use super::bind::Recipe::{self, Of, Own};
use super::bind::{Binder, Chosen, scalar_for};
use super::product;
use crate::op::argument::Argument;
use crate::op::define;
use crate::op::plan::Operator;
use crate::op::refusal::Refusal;
use crate::op::scalar::Scalar;
use crate::op::shape::Dims;
use crate::results::every;

/// Gives each type of operator its recipe: `"name" | "other name" => recipe;`.
macro_rules! recipes {
    ($($($name:literal)|+ => $recipe:expr;)*) => {
        /// The types of operators, each with its recipe.
        pub(super) static RECIPES: &[(&str, Recipe)] = &[$($(($name, $recipe)),+),*];
    };
}

recipes! {
    "Abs" => Of(unary, define::aclnnAbs());
    "Neg" => Of(unary, define::aclnnNeg());
    "Sign" => Of(unary, define::aclnnSign());
    "Reciprocal" | "Inv" => Of(unary, define::aclnnReciprocal());
    "Exp" => Of(power_of, define::aclnnExp());
    "Expm1" => Of(unary, define::aclnnExpm1());
    "Log" => Of(power_of, define::aclnnLog());
    "Log1p" => Of(unary, define::aclnnLog1p());
    "Sqrt" => Of(unary, define::aclnnSqrt());
    "Rsqrt" => Of(unary, define::aclnnRsqrt());
    "Sin" => Of(unary, define::aclnnSin());
    "Cos" => Of(unary, define::aclnnCos());
    "Erf" => Of(unary, define::aclnnErf());
    "Floor" => Of(unary, define::aclnnFloor());
    "Ceil" => Of(unary, define::aclnnCeil());
    "Rint" => Of(unary, define::aclnnRound());
    "Relu" => Of(unary, define::aclnnRelu());
    "Sigmoid" => Of(unary, define::aclnnSigmoid());
    "Tanh" => Of(unary, define::aclnnTanh());
    "Gelu" => Of(unary, define::aclnnGelu());
    "Mish" => Of(unary, define::aclnnMish());
    "HardSwish" => Of(unary, define::aclnnHardswish());
    "LogicalNot" => Of(unary, define::aclnnLogicalNot());
    "Invert" => Of(unary, define::aclnnBitwiseNot());
    "Square" => Own(square);
    "Identity" | "Reshape" | "Flatten" | "FlattenV2" | "Squeeze" | "Unsqueeze" | "ExpandDims" => Own(copy);
    "ZerosLike" => Of(filled, define::aclnnInplaceZero());
    "OnesLike" => Of(filled, define::aclnnInplaceOne());
    "Fills" => Own(fills);
    "LeakyRelu" => Own(leaky);
    "Adds" => Of(with_number, define::aclnnAdds());
    "Muls" => Of(with_number, define::aclnnMuls());

    "Add" | "AddV2" => Of(sum, define::aclnnAdd());
    "Sub" => Of(sum, define::aclnnSub());
    "Axpy" => Own(axpy);
    "BiasAdd" => Own(bias_add);
    "Mul" => Of(binary, define::aclnnMul());
    "Div" | "RealDiv" => Of(binary, define::aclnnDiv());
    "FloorDiv" => Of(binary, define::aclnnFloorDivide());
    "FloorMod" => Of(binary, define::aclnnRemainderTensorTensor());
    "Mod" => Of(binary, define::aclnnFmodTensor());
    "Pow" => Of(binary, define::aclnnPowTensorTensor());
    "Maximum" => Of(binary, define::aclnnMaximum());
    "Minimum" => Of(binary, define::aclnnMinimum());
    "BitwiseAnd" => Of(binary, define::aclnnBitwiseAndTensor());
    "BitwiseOr" => Of(binary, define::aclnnBitwiseOrTensor());
    "LogicalAnd" => Of(binary, define::aclnnLogicalAnd());
    "LogicalOr" => Of(binary, define::aclnnLogicalOr());
    "Equal" => Of(comparison, define::aclnnEqTensor());
    "NotEqual" => Of(comparison, define::aclnnNeTensor());
    "Greater" => Of(comparison, define::aclnnGtTensor());
    "GreaterEqual" => Of(comparison, define::aclnnGeTensor());
    "Less" => Of(comparison, define::aclnnLtTensor());
    "LessEqual" => Of(comparison, define::aclnnLeTensor());
    "Select" | "SelectV2" => Own(select);

    "Cast" => Own(cast);
    "MatMul" | "MatMulV2" => Own(|b| product::matmul(b, "transpose_x1", "transpose_x2"));
    "BatchMatMul" | "BatchMatMulV2" => Own(|b| product::matmul(b, "adj_x1", "adj_x2"));
    "GEMM" => Own(product::gemm);
    "SoftmaxV2" => Of(softmax, define::aclnnSoftmax());
    "LogSoftmaxV2" => Of(softmax, define::aclnnLogSoftmax());
    "ReduceSum" | "ReduceSumD" => Own(|b| reduce(b, define::aclnnReduceSum(), true));
    "ReduceMean" | "ReduceMeanD" => Own(|b| reduce(b, define::aclnnMean(), true));
    "ReduceMax" | "ReduceMaxD" => Own(|b| reduce(b, define::aclnnAmax(), false));
    "ReduceMin" | "ReduceMinD" => Own(|b| reduce(b, define::aclnnAmin(), false));
    "ReduceAll" | "ReduceAllD" => Own(|b| reduce(b, define::aclnnAll(), false));
    "ReduceAny" | "ReduceAnyD" => Own(|b| reduce(b, define::aclnnAny(), false));
    "ArgMaxD" | "ArgMaxV2" => Of(place_of, define::aclnnArgMax());
    "ArgMinD" | "ArgMinV2" => Of(place_of, define::aclnnArgMin());

    "Transpose" | "TransposeD" => Own(|b| by_list(b, define::aclnnPermute(), "dims", "perm"));
    "Tile" | "TileD" => Own(|b| by_list(b, define::aclnnRepeat(), "repeats", "multiples"));
    "BroadcastTo" | "BroadcastToD" => Own(|b| by_list(b, define::aclnnExpand(), "size", "shape"));
    "ConcatD" => Own(|b| join(b, define::aclnnCat(), "concat_dim"));
    "Pack" => Own(|b| join(b, define::aclnnStack(), "axis"));
    "SplitD" => Own(split);
    "Gather" | "GatherV2" | "GatherV2D" => Own(gather);
    "Tril" => Of(triangle, define::aclnnTril());
    "Triu" => Of(triangle, define::aclnnTriu());
}

/// `y = f(x)`.
fn unary(b: &mut Binder<'_>, operator: &'static Operator) -> Chosen {
    b.counts(1..=1, 1)?;
    b.one_type()?;
    let (x, y) = (b.input(0)?, b.output(0)?);
    b.read("self", x)?;
    b.write("out", y)?;
    Ok(operator)
}

/// A power or a logarithm, whose attributes have their usual values.
fn power_of(b: &mut Binder<'_>, operator: &'static Operator) -> Chosen {
    let usual = [
        ("base", b.number("base", -1.0)?, -1.0),
        ("scale", b.number("scale", 1.0)?, 1.0),
        ("shift", b.number("shift", 0.0)?, 0.0),
    ];
    if let Some((name, value, usual)) = usual.iter().find(|(_, value, usual)| value != usual) {
        return Err(Refusal::invalid(format_args!(
            "the attribute {name} is {value}; only {usual} is modelled"
        )));
    }
    unary(b, operator)
}

/// `y = x1 op x2`.
fn binary(b: &mut Binder<'_>, operator: &'static Operator) -> Chosen {
    b.one_type()?;
    two_operands(b, operator)
}

/// A comparison of `x1` and `x2`.
fn comparison(b: &mut Binder<'_>, operator: &'static Operator) -> Chosen {
    if b.input(0)?.dtype != b.input(1)?.dtype || b.output(0)?.dtype != ACL_BOOL {
        return Err(Refusal::invalid(
            "it takes two inputs of one data type, and the output has ACL_BOOL",
        ));
    }
    two_operands(b, operator)
}

fn two_operands(b: &mut Binder<'_>, operator: &'static Operator) -> Chosen {
    b.counts(2..=2, 1)?;
    let (x1, x2, y) = (b.input(0)?, b.input(1)?, b.output(0)?);
    b.read("self", x1)?;
    b.read("other", x2)?;
    b.write("out", y)?;
    Ok(operator)
}

/// `y = x1 + x2` or `y = x1 - x2`.
fn sum(b: &mut Binder<'_>, operator: &'static Operator) -> Chosen {
    scaled_sum(b, operator, Scalar::whole(1))
}

/// `y = x1 + alpha * x2`.
fn axpy(b: &mut Binder<'_>) -> Chosen {
    let alpha = b.number("alpha", 1.0)?;
    let alpha = scalar_for(b.input(0)?.dtype, alpha);
    scaled_sum(b, define::aclnnAdd(), alpha)
}

fn scaled_sum(b: &mut Binder<'_>, operator: &'static Operator, alpha: Scalar) -> Chosen {
    b.counts(2..=2, 1)?;
    b.one_type()?;
    let (x1, x2, y) = (b.input(0)?, b.input(1)?, b.output(0)?);
    b.read("self", x1)?;
    b.read("other", x2)?;
    b.scalar("alpha", alpha)?;
    b.write("out", y)?;
    Ok(operator)
}

/// `y = x + bias`, where `bias` has an element for each channel.
fn bias_add(b: &mut Binder<'_>) -> Chosen {
    b.counts(2..=2, 1)?;
    b.one_type()?;
    let is_first = match b.word("data_format")? {
        None | Some("NHWC" | "ND") => false,
        Some("NCHW") => true,
        Some(other) => {
            return Err(Refusal::invalid(format_args!(
                "the attribute data_format is {other}; it is NHWC or NCHW"
            )));
        }
    };
    let (x, mut bias, y) = (b.input(0)?, b.input(1)?, b.output(0)?);
    if bias.shape.rank() != 1 {
        return Err(Refusal::invalid("the bias has one dimension"));
    }
    if is_first {
        let channels = bias.shape.iter();
        let behind = std::iter::repeat_n(1, x.shape.rank().saturating_sub(2));
        let shape = Dims::new(channels.chain(behind)).unwrap_or_default();
        bias.strides = shape.contiguous_strides();
        (bias.rank, bias.shape) = (shape.rank() as u64, shape);
    }
    b.read("self", x)?;
    b.read("other", bias)?;
    b.scalar("alpha", Scalar::whole(1))?;
    b.write("out", y)?;
    Ok(define::aclnnAdd())
}

/// `y = x * x`.
fn square(b: &mut Binder<'_>) -> Chosen {
    b.counts(1..=1, 1)?;
    b.one_type()?;
    let (x, y) = (b.input(0)?, b.output(0)?);
    b.read("self", x)?;
    b.read("other", x)?;
    b.write("out", y)?;
    Ok(define::aclnnMul())
}

/// `y` has the elements of `x` in another shape. A constant with the shape may follow; `y` has the shape already.
fn copy(b: &mut Binder<'_>) -> Chosen {
    b.counts(1..=2, 1)?;
    for name in ["axis", "axes"] {
        let _ = b.wholes(name).or_else(|_| b.whole(name).map(|_| None))?;
    }
    let (mut x, y) = (b.input(0)?, b.output(0)?);
    if x.elements() != y.elements() || x.dtype != y.dtype {
        return Err(Refusal::invalid(
            "the output has the number of elements and the data type of the input",
        ));
    }
    (x.rank, x.shape, x.strides) = (y.rank, y.shape, y.strides);
    b.change("selfRef", y)?;
    b.read("src", x)?;
    Ok(define::aclnnInplaceCopy())
}

/// `y` has the shape of `x` and equal elements.
fn filled(b: &mut Binder<'_>, operator: &'static Operator) -> Chosen {
    b.counts(1..=1, 1)?;
    let (x, y) = (b.input(0)?, b.output(0)?);
    if x.shape != y.shape {
        return Err(Refusal::invalid("the output has the shape of the input"));
    }
    b.change("selfRef", y)?;
    Ok(operator)
}

/// `y` has the shape of `x`, and each element is `value`.
fn fills(b: &mut Binder<'_>) -> Chosen {
    let value = b.number("value", 0.0)?;
    filled(b, define::aclnnInplaceFillScalar())?;
    let value = scalar_for(b.output(0)?.dtype, value);
    b.scalar("value", value)?;
    Ok(define::aclnnInplaceFillScalar())
}

/// `y = x` for positive elements, and `negative_slope * x` for the others.
fn leaky(b: &mut Binder<'_>) -> Chosen {
    b.counts(1..=1, 1)?;
    b.one_type()?;
    let slope = b.number("negative_slope", 0.0)?;
    let (x, y) = (b.input(0)?, b.output(0)?);
    b.read("self", x)?;
    b.scalar("negativeSlope", Scalar::floating(slope.into()))?;
    b.write("out", y)?;
    Ok(define::aclnnLeakyRelu())
}

/// `y = x + value` or `y = x * value`.
fn with_number(b: &mut Binder<'_>, operator: &'static Operator) -> Chosen {
    b.counts(1..=1, 1)?;
    b.one_type()?;
    let (x, y) = (b.input(0)?, b.output(0)?);
    let value = b.number("value", 0.0)?;
    b.read("self", x)?;
    b.scalar("other", scalar_for(x.dtype, value))?;
    if std::ptr::eq(operator, define::aclnnAdds()) {
        b.scalar("alpha", Scalar::whole(1))?;
    }
    b.write("out", y)?;
    Ok(operator)
}

/// `y = condition ? x1 : x2`.
fn select(b: &mut Binder<'_>) -> Chosen {
    b.counts(3..=3, 1)?;
    let (condition, x1, x2, y) = (b.input(0)?, b.input(1)?, b.input(2)?, b.output(0)?);
    b.read("condition", condition)?;
    b.read("self", x1)?;
    b.read("other", x2)?;
    b.write("out", y)?;
    Ok(define::aclnnSWhere())
}

/// `y` has the elements of `x` in the data type `dst_type`.
fn cast(b: &mut Binder<'_>) -> Chosen {
    b.counts(1..=1, 1)?;
    let _ = b.flag("truncate", false)?;
    let number = b.needed("dst_type")?;
    let (x, y) = (b.input(0)?, b.output(0)?);
    let dtype = i32::try_from(number).map_or(ACL_DT_UNDEFINED, aclDataType);
    if y.dtype != dtype {
        return Err(Refusal::invalid(format_args!(
            "the attribute dst_type is {dtype:?}, and the output has {:?}",
            y.dtype
        )));
    }
    b.read("self", x)?;
    b.pass(Argument::aclDataType("dtype", dtype));
    b.write("out", y)?;
    Ok(define::aclnnCast())
}

/// Softmax, or its logarithm, along one axis.
fn softmax(b: &mut Binder<'_>, operator: &'static Operator) -> Chosen {
    b.counts(1..=1, 1)?;
    let axes = b.wholes("axes")?.unwrap_or_else(|| vec![-1]);
    let &[axis] = axes.as_slice() else {
        return Err(Refusal::invalid(format_args!(
            "the attribute axes is {axes:?}; it has one element"
        )));
    };
    let (x, y) = (b.input(0)?, b.output(0)?);
    b.one_type()?;
    b.read("self", x)?;
    b.pass(Argument::i64("dim", axis));
    b.write("out", y)?;
    Ok(operator)
}

/// Returns the numbers of an attribute, or those of the second input, which is a constant.
fn list(b: &mut Binder<'_>, name: &'static str) -> Result<Vec<i64>, Refusal> {
    if b.inputs() == 2 {
        return b.constant(1);
    }
    b.wholes(name)?.ok_or_else(|| {
        Refusal::invalid(format_args!(
            "there is neither the attribute {name} nor a second input with its numbers"
        ))
    })
}

/// A reduction along axes.
fn reduce(b: &mut Binder<'_>, operator: &'static Operator, has_dtype: bool) -> Chosen {
    b.counts(1..=2, 1)?;
    let axes = list(b, "axes")?;
    let keeps = b.flag("keep_dims", false)?;
    let (x, y) = (b.input(0)?, b.output(0)?);
    b.read("self", x)?;
    // The names of the two parameters differ between the operators.
    let names = match operator.name {
        "aclnnReduceSum" => ["dims", "keepDims"],
        "aclnnAll" | "aclnnAny" => ["dim", "keepdim"],
        _ => ["dim", "keepDim"],
    };
    b.ints(names[0], axes)?;
    b.pass(Argument::bool(names[1], keeps));
    if has_dtype {
        b.pass(Argument::aclDataType("dtype", y.dtype));
    }
    b.write("out", y)?;
    Ok(operator)
}

/// The place of the largest or smallest element along an axis.
fn place_of(b: &mut Binder<'_>, operator: &'static Operator) -> Chosen {
    b.counts(1..=2, 1)?;
    let axis = if b.inputs() == 2 {
        b.constant(1)?.first().copied().unwrap_or(0)
    } else {
        b.needed("dimension")?
    };
    let dtype = b.whole("dtype")?.unwrap_or(ACL_INT32.0.into());
    let (x, y) = (b.input(0)?, b.output(0)?);
    let is_wide = y.dtype == ascendcl_sys::ACL_INT64;
    if i64::from(y.dtype.0) != dtype && !is_wide {
        return Err(Refusal::invalid(format_args!(
            "the output has {:?}; it is ACL_INT32, or the attribute dtype",
            y.dtype
        )));
    }
    b.read("self", x)?;
    b.pass(Argument::i64("dim", axis));
    b.pass(Argument::bool("keepdim", false));
    b.write("out", y)?;
    Ok(operator)
}

/// An operator with one list of numbers, which is an attribute or a constant.
fn by_list(
    b: &mut Binder<'_>,
    operator: &'static Operator,
    parameter: &'static str,
    attribute: &'static str,
) -> Chosen {
    b.counts(1..=2, 1)?;
    let numbers = list(b, attribute)?;
    let (x, y) = (b.input(0)?, b.output(0)?);
    b.read("self", x)?;
    b.ints(parameter, numbers)?;
    b.write("out", y)?;
    Ok(operator)
}

/// Joins all inputs along an axis.
fn join(b: &mut Binder<'_>, operator: &'static Operator, attribute: &'static str) -> Chosen {
    let count = b.inputs();
    b.counts(1..=usize::MAX, 1)?;
    if let Some(n) = b.whole("N")?
        && usize::try_from(n) != Ok(count)
    {
        return Err(Refusal::invalid(format_args!(
            "the attribute N is {n}, and there are {count} inputs"
        )));
    }
    let axis = b.whole(attribute)?.unwrap_or(0);
    let inputs = (0..count).map(|index| b.input(index));
    let (inputs, y) = (every(inputs)?, b.output(0)?);
    b.read_all("tensors", inputs)?;
    b.pass(Argument::i64("dim", axis));
    b.write("out", y)?;
    Ok(operator)
}

/// Splits the input into parts of one size.
fn split(b: &mut Binder<'_>) -> Chosen {
    let parts = b.needed("num_split")?;
    let axis = b.needed("split_dim")?;
    let count = match usize::try_from(parts) {
        Ok(count @ 1..) => Some(count),
        _ => None,
    };
    let x = b.input(0)?;
    let rank = x.shape.rank();
    let dim = usize::try_from(if axis < 0 { axis + rank as i64 } else { axis }).ok();
    let size = dim.and_then(|dim| x.shape.as_slice().get(dim).copied());
    let (Some(count), Some(size)) = (count, size) else {
        return Err(Refusal::invalid(format_args!(
            "the attributes num_split and split_dim are {parts} and {axis}, and the input has {rank} dimensions"
        )));
    };
    b.counts(1..=1, count)?;
    if size % count != 0 {
        return Err(Refusal::invalid(format_args!(
            "{size} elements along the dimension {axis} do not give {count} equal parts"
        )));
    }
    let outputs = (0..count).map(|index| b.output(index));
    let outputs = every(outputs)?;
    b.read("self", x)?;
    b.pass(Argument::u64("splitSections", (size / count) as u64));
    b.pass(Argument::i64("dim", axis));
    b.write_all("out", outputs)?;
    Ok(define::aclnnSplitTensor())
}

/// Elements along an axis, by their numbers.
fn gather(b: &mut Binder<'_>) -> Chosen {
    b.counts(2..=3, 1)?;
    let _ = b.flag("validate_indices", true)?;
    let axis = if b.inputs() == 3 {
        b.constant(2)?.first().copied().unwrap_or(0)
    } else {
        b.whole("axis")?.unwrap_or(0)
    };
    let (x, indices, y) = (b.input(0)?, b.input(1)?, b.output(0)?);
    b.read("self", x)?;
    b.pass(Argument::i64("dim", axis));
    b.read("index", indices)?;
    b.write("out", y)?;
    Ok(define::aclnnGatherV2())
}

/// The part of matrices on one side of a diagonal.
fn triangle(b: &mut Binder<'_>, operator: &'static Operator) -> Chosen {
    b.counts(1..=1, 1)?;
    let diagonal = b.whole("diagonal")?.unwrap_or(0);
    let (x, y) = (b.input(0)?, b.output(0)?);
    b.read("self", x)?;
    b.pass(Argument::i64("diagonal", diagonal));
    b.write("out", y)?;
    Ok(operator)
}
