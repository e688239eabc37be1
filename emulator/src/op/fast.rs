//! The element-wise operators that have kernels with vector instructions for their formula.

use ascendcl_sys::{ACL_BF16, ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT64, aclDataType};

use super::call::Output;
use super::dtype::is_half;
use super::operands::Source;
use super::scalar::Scalar;
use super::shape::Nest;
use super::view::Views;
use super::work::{Formula, Kind as Kernel, Work};

/// The arithmetic of the kernels with vector instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fast {
    /// `self + alpha * other`.
    Sum,
    /// `self - alpha * other`.
    Difference,
    /// `self * other`.
    Product,
}

/// A kernel with vector instructions, and its operands.
pub(super) struct FastWork {
    slots: [usize; 3],
    work: Work,
}

impl FastWork {
    /// Returns the kernel if there is one for these operands.
    pub(super) fn new(fast: Fast, sources: &[Source], out: &Output) -> Option<Self> {
        let factor = match (fast, sources) {
            (Fast::Sum, [_, _, Source::Scalar(_, alpha)]) => Factor::Alpha(*alpha),
            (Fast::Difference, [_, _, Source::Scalar(_, alpha)]) => Factor::Negated(*alpha),
            (Fast::Product, [_, Source::Scalar(_, number)]) => Factor::Number(*number),
            (Fast::Product, [_, _]) => Factor::Other,
            _ => return None,
        };
        let dtype = out.tensor.dtype;
        let (left, right) = match sources {
            // A formula multiplies numbers of other types without a conversion.
            [Source::Tensor(left), Source::Scalar(..)] if is_half(dtype) => (left, left),
            [Source::Tensor(left), Source::Tensor(right), ..] => (left, right),
            _ => return None,
        };
        if left.tensor.dtype != dtype || right.tensor.dtype != dtype {
            return None;
        }
        let nest = Nest::new(
            &out.tensor.shape,
            &out.tensor.strides,
            [
                (&left.tensor.shape, &left.tensor.strides),
                (&right.tensor.shape, &right.tensor.strides),
            ],
        );
        // A formula repeats an element once for many results.
        if dtype == ACL_FLOAT && nest.inner.inputs.contains(&0) {
            return None;
        }
        let kind = kernel(dtype, factor)?;
        let slots = [left.slot, right.slot, out.slot];
        let work = Work { nest, kind };
        Some(Self { slots, work })
    }

    /// Computes the results.
    pub(super) fn run(&self, views: &Views<'_>) {
        let [one, other, result] = self.slots;
        let (Some(left), Some(right), Some(out)) = (
            views.pointer(one),
            views.pointer(other),
            views.pointer(result),
        ) else {
            return;
        };
        let is_apart = views.is_apart(result, &[one, other]);
        // SAFETY: the views cover the extents of these operands, and the nest was made from them. `is_apart` compared
        // their memory.
        unsafe { self.work.run(left, right, out, is_apart) };
    }
}

/// The factors of a formula.
#[derive(Debug, Clone, Copy)]
enum Factor {
    /// `self * other`.
    Other,
    /// `self * number`.
    Number(Scalar),
    /// `self + alpha * other`.
    Alpha(Scalar),
    /// `self + -alpha * other`, which has the bits of `self - alpha * other` in every type: a sign does not change how
    /// a number is rounded, and whole numbers wrap.
    Negated(Scalar),
}

impl Factor {
    fn floating(self) -> Formula<f32> {
        match self {
            Factor::Other => Formula::Multiply,
            Factor::Number(number) => Formula::Scale(number.to_f32()),
            Factor::Alpha(alpha) => Formula::AddScaled(alpha.to_f32()),
            Factor::Negated(alpha) => Formula::AddScaled(-alpha.to_f32()),
        }
    }

    fn whole(self) -> Formula<i64> {
        match self {
            Factor::Other => Formula::Multiply,
            Factor::Number(number) => Formula::Scale(number.to_whole().0),
            Factor::Alpha(alpha) => Formula::AddScaled(alpha.to_whole().0),
            Factor::Negated(alpha) => Formula::AddScaled(alpha.to_whole().0.wrapping_neg()),
        }
    }
}

/// Returns the kernel for a data type.
fn kernel(dtype: aclDataType, factor: Factor) -> Option<Kernel> {
    Some(match dtype {
        ACL_FLOAT => Kernel::F32(factor.floating()),
        ACL_FLOAT16 => Kernel::F16(factor.floating()),
        ACL_BF16 => Kernel::Bf16(factor.floating()),
        ACL_INT32 => Kernel::I32(match factor.whole() {
            Formula::Multiply => Formula::Multiply,
            // CAST: an integer keeps its lower bits.
            Formula::AddScaled(alpha) => Formula::AddScaled(alpha as i32),
            // CAST: as above.
            Formula::Scale(number) => Formula::Scale(number as i32),
        }),
        ACL_INT64 => Kernel::I64(factor.whole()),
        _ => return None,
    })
}
