//! Operators that make tensors of nothing: numbers in order, one value for all.

use ascendcl_sys as sys;

use crate::error::{Misplaced, Result};
use crate::op::element::{Comparable, Element, Numeric, Stepped};
use crate::op::shape::Dims;
use crate::op::table::{any_shape, functions};

functions! {
    "`tensor_mut` lends memory that was written. Where all of it is overwritten it may be fresh: the buffer of `into_tensor` \
     comes back filled.";
    /// Prepares zeros (`aclnnInplaceZero`).
    #[doc(alias("aclnnInplaceZero", "aclnnInplaceZeroGetWorkspaceSize"))]
    InplaceZero<T: Comparable>, inplace_zero(a: only_out T)
        = aclnnInplaceZero, aclnnInplaceZeroGetWorkspaceSize, |_| any_shape();
    /// Prepares ones (`aclnnInplaceOne`).
    #[doc(alias("aclnnInplaceOne", "aclnnInplaceOneGetWorkspaceSize"))]
    InplaceOne<T: Comparable>, inplace_one(a: only_out T)
        = aclnnInplaceOne, aclnnInplaceOneGetWorkspaceSize, |_| any_shape();
    /// Prepares one value for all elements (`aclnnInplaceFillScalar`).
    #[doc(alias("aclnnInplaceFillScalar", "aclnnInplaceFillScalarGetWorkspaceSize"))]
    InplaceFillScalar<T: Element>, inplace_fill_scalar(a: only_out T, value: scalar T)
        = aclnnInplaceFillScalar, aclnnInplaceFillScalarGetWorkspaceSize, |_| any_shape();
    /// Prepares the value of a tensor without dimensions for all elements (`aclnnInplaceFillTensor`).
    #[doc(alias("aclnnInplaceFillTensor", "aclnnInplaceFillTensorGetWorkspaceSize"))]
    InplaceFillTensor<T: Numeric>, inplace_fill_tensor(a: inout T, value: in T)
        = aclnnInplaceFillTensor, aclnnInplaceFillTensorGetWorkspaceSize, |op| value.dims.check_beside(op, &a.dims, &[]);
    /// Prepares the numbers from `start` to `end`, without it, by steps of `step` (`aclnnArange`). The output is a
    /// vector of as many elements as there are numbers. `tensor_mut` lends it: the operator does not compare its length,
    /// and a card may round the number of steps of floating-point numbers in another way.
    #[doc(alias("aclnnArange", "aclnnArangeGetWorkspaceSize"))]
    Arange<T: Stepped>, arange(start: scalar T, end: scalar T, step: scalar T, out: only_inout T)
        = aclnnArange, aclnnArangeGetWorkspaceSize, |op| check_range(op, T::count(start, end, step, false), &out.dims);
    /// Prepares the numbers from `start` to `end`, with it, by steps of `step` (`aclnnRange`). The output is a vector of
    /// as many elements as there are numbers. `tensor_mut` lends it: the operator does not compare its length, and a card
    /// may round the number of steps of floating-point numbers in another way.
    #[doc(alias("aclnnRange", "aclnnRangeGetWorkspaceSize"))]
    Range<T: Stepped>, range(start: scalar T, end: scalar T, step: scalar T, out: only_inout T)
        = aclnnRange, aclnnRangeGetWorkspaceSize, |op| check_range(op, T::count(start, end, step, true), &out.dims);
    /// Prepares ones on the diagonal of a matrix and zeros elsewhere (`aclnnEye`).
    #[doc(alias("aclnnEye", "aclnnEyeGetWorkspaceSize"))]
    Eye<T: Numeric>, eye(rows: (out.dims.size(0)) i64, columns: (out.dims.size(1)) i64, out: only_out T)
        = aclnnEye, aclnnEyeGetWorkspaceSize, |op| out.dims.check_rank(op, 2);
}

/// Checks that the output has as many elements as a range has numbers.
fn check_range(operator: &'static str, count: Option<i64>, output: &Dims) -> Result<()> {
    let Some(count) = count.and_then(|count| usize::try_from(count).ok()) else {
        // C does not compare the length of the output, so a range without an end would be accepted for any output.
        let output = output.to_vec();
        return Err(Misplaced::NoRange { operator, output }.into());
    };
    let output = output.to_vec();
    if output == [count] {
        return Ok(());
    }
    let wrong = Misplaced::RangeLength {
        operator,
        count,
        output,
    };
    Err(wrong.into())
}
