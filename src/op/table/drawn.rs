//! More random numbers.

use ascendcl_sys as sys;

use crate::op::element::{Arithmetic, Floating, Fractional, Numeric};
use crate::op::table::{any_shape, functions};

functions! {
    "Equal seeds and offsets give equal numbers on one backend. The emulator draws other numbers than a card, with the same \
     distribution.";
    /// Prepares random whole numbers from `from` up to `to`, without it, for all elements (`aclnnInplaceRandom`).
    #[doc(alias("aclnnInplaceRandom", "aclnnInplaceRandomGetWorkspaceSize"))]
    InplaceRandom<T: Arithmetic>, inplace_random(a: only_out T, from: attr i64, to: attr i64, seed: attr i64, offset: attr i64)
        = aclnnInplaceRandom, aclnnInplaceRandomGetWorkspaceSize, |_| any_shape();
    /// Prepares random whole numbers as [`inplace_random`] does, with the seed and an offset of the device
    /// (`aclnnInplaceRandomTensor`). Both are one number; `more` is added to the offset.
    #[doc(alias("aclnnInplaceRandomTensor", "aclnnInplaceRandomTensorGetWorkspaceSize"))]
    InplaceRandomTensor<T: Arithmetic>,
        inplace_random_tensor(a: out T, from: attr i64, to: attr i64, seed: dense i64, offset: dense i64, more: attr i64)
        = aclnnInplaceRandomTensor, aclnnInplaceRandomTensorGetWorkspaceSize, |op| seed.dims.check_number(op, &a.dims).and_then(|()| offset.dims.check_number(op, &a.dims));
    /// Prepares random numbers as [`inplace_normal`](crate::op::inplace_normal) does, with the seed and an offset of the device
    /// (`aclnnInplaceNormalTensor`). Both are one number; `more` is added to the offset.
    #[doc(alias("aclnnInplaceNormalTensor", "aclnnInplaceNormalTensorGetWorkspaceSize"))]
    InplaceNormalTensor<T: Fractional>,
        inplace_normal_tensor(a: out T, mean: attr f32, std: attr f32, seed: dense i64, offset: dense i64, more: attr i64)
        = aclnnInplaceNormalTensor, aclnnInplaceNormalTensorGetWorkspaceSize, |op| seed.dims.check_number(op, &a.dims).and_then(|()| offset.dims.check_number(op, &a.dims));
    /// Prepares random numbers as [`inplace_uniform`](crate::op::inplace_uniform) does, with the seed and an offset of the device
    /// (`aclnnInplaceUniformTensor`). Both are one number; `more` is added to the offset.
    #[doc(alias("aclnnInplaceUniformTensor", "aclnnInplaceUniformTensorGetWorkspaceSize"))]
    InplaceUniformTensor<T: Numeric>,
        inplace_uniform_tensor(a: out T, from: attr f64, to: attr f64, seed: dense i64, offset: dense i64, more: attr u64)
        = aclnnInplaceUniformTensor, aclnnInplaceUniformTensorGetWorkspaceSize, |op| seed.dims.check_number(op, &a.dims).and_then(|()| offset.dims.check_number(op, &a.dims));
    /// Prepares random numbers of a normal distribution (`aclnnNormalFloatFloat`): `mean` and the standard deviation `std`.
    #[doc(alias("aclnnNormalFloatFloat", "aclnnNormalFloatFloatGetWorkspaceSize"))]
    NormalFloatFloat<T: Fractional>,
        normal_float_float(mean: attr f32, std: attr f32, seed: attr i64, offset: attr i64, out: only_out T)
        = aclnnNormalFloatFloat, aclnnNormalFloatFloatGetWorkspaceSize, |_| any_shape();
    /// Prepares random numbers of normal distributions with a standard deviation for each (`aclnnNormalFloatTensor`).
    #[doc(alias("aclnnNormalFloatTensor", "aclnnNormalFloatTensorGetWorkspaceSize"))]
    NormalFloatTensor<T: Fractional>,
        normal_float_tensor(mean: attr f32, std: in T, seed: attr i64, offset: attr i64, out: out T)
        = aclnnNormalFloatTensor, aclnnNormalFloatTensorGetWorkspaceSize, |op| out.dims.check_same(op, &std.dims);
    /// Prepares random numbers of normal distributions with a mean for each (`aclnnNormalTensorFloat`).
    #[doc(alias("aclnnNormalTensorFloat", "aclnnNormalTensorFloatGetWorkspaceSize"))]
    NormalTensorFloat<T: Fractional>,
        normal_tensor_float(mean: in T, std: attr f32, seed: attr i64, offset: attr i64, out: out T)
        = aclnnNormalTensorFloat, aclnnNormalTensorFloatGetWorkspaceSize, |op| out.dims.check_same(op, &mean.dims);
    /// Prepares random numbers of normal distributions with a mean and a standard deviation for each (`aclnnNormalTensorTensor`).
    #[doc(alias("aclnnNormalTensorTensor", "aclnnNormalTensorTensorGetWorkspaceSize"))]
    NormalTensorTensor<T: Fractional>, normal_tensor_tensor(mean: in T, std: in T, seed: attr i64, offset: attr i64, out: out T)
        = aclnnNormalTensorTensor, aclnnNormalTensorTensorGetWorkspaceSize, |op| std.dims.check_beside(op, &mean.dims, mean.dims.sizes()).and(out.dims.check_same(op, &mean.dims));
    /// Prepares 1 with this probability, and 0 otherwise, for all elements (`aclnnBernoulli`). Of `a` only the shape has a
    /// meaning.
    #[doc(alias("aclnnBernoulli", "aclnnBernoulliGetWorkspaceSize"))]
    Bernoulli<T: Arithmetic>, bernoulli(a: in T, probability: scalar f32, seed: attr i64, offset: attr i64, out: out T)
        = aclnnBernoulli, aclnnBernoulliGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares 1 with this probability, and 0 otherwise, for all elements, in place (`aclnnInplaceBernoulli`).
    #[doc(alias("aclnnInplaceBernoulli", "aclnnInplaceBernoulliGetWorkspaceSize"))]
    InplaceBernoulli<T: Arithmetic>, inplace_bernoulli(a: only_out T, probability: scalar f32, seed: attr i64, offset: attr i64)
        = aclnnInplaceBernoulli, aclnnInplaceBernoulliGetWorkspaceSize, |_| any_shape();
    /// Prepares 1 with a probability for each element, and 0 otherwise (`aclnnBernoulliTensor`). Of `a` only the shape has a
    /// meaning.
    #[doc(alias("aclnnBernoulliTensor", "aclnnBernoulliTensorGetWorkspaceSize"))]
    BernoulliTensor<T: Arithmetic, U: Floating>,
        bernoulli_tensor(a: in T, probabilities: in U, seed: attr i64, offset: attr i64, out: out T)
        = aclnnBernoulliTensor, aclnnBernoulliTensorGetWorkspaceSize, |op| probabilities.dims.check_beside(op, &a.dims, a.dims.sizes()).and(out.dims.check_same(op, &a.dims));
    /// Prepares 1 with a probability for each element, and 0 otherwise, in place (`aclnnInplaceBernoulliTensor`).
    #[doc(alias("aclnnInplaceBernoulliTensor", "aclnnInplaceBernoulliTensorGetWorkspaceSize"))]
    InplaceBernoulliTensor<T: Arithmetic, U: Floating>,
        inplace_bernoulli_tensor(a: out T, probabilities: in U, seed: attr i64, offset: attr i64)
        = aclnnInplaceBernoulliTensor, aclnnInplaceBernoulliTensorGetWorkspaceSize, |op| a.dims.check_same(op, &probabilities.dims);
    /// Prepares the numbers from 0 on in a random order, as many as the vector `out` has elements (`aclnnRandperm`).
    #[doc(alias("aclnnRandperm", "aclnnRandpermGetWorkspaceSize"))]
    Randperm<T: Numeric>, randperm(n: (out.dims.size(0)) i64, seed: attr i64, offset: attr i64, out: only_out T)
        = aclnnRandperm, aclnnRandpermGetWorkspaceSize, |op| out.dims.check_rank(op, 1);
}
