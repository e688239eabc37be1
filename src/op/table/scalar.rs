//! Arithmetic with a tensor and a number of the host.

use ascendcl_sys as sys;

use crate::op::element::{Arithmetic, Fractional};
use crate::op::table::binary::Rounding;
use crate::op::table::{any_shape, functions};

functions! {
    "The output has the shape of the tensor, or is the tensor itself, which `tensor_mut` lends then.";
    /// Prepares `out = a + alpha * b` (`aclnnAdds`).
    #[doc(alias("aclnnAdds", "aclnnAddsGetWorkspaceSize"))]
    Adds<T: Arithmetic>, adds(a: in T, b: scalar T, alpha: scalar T, out: out T)
        = aclnnAdds, aclnnAddsGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `out = a - alpha * b` (`aclnnSubs`).
    #[doc(alias("aclnnSubs", "aclnnSubsGetWorkspaceSize"))]
    Subs<T: Arithmetic>, subs(a: in T, b: scalar T, alpha: scalar T, out: out T)
        = aclnnSubs, aclnnSubsGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `out = a * b` (`aclnnMuls`).
    #[doc(alias("aclnnMuls", "aclnnMulsGetWorkspaceSize"))]
    Muls<T: Arithmetic>, muls(a: in T, b: scalar T, out: out T)
        = aclnnMuls, aclnnMulsGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `out = a / b` (`aclnnDivs`).
    #[doc(alias("aclnnDivs", "aclnnDivsGetWorkspaceSize"))]
    Divs<T: Fractional>, divs(a: in T, b: scalar T, out: out T)
        = aclnnDivs, aclnnDivsGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `out = a / b`, rounded to whole numbers (`aclnnDivMods`).
    #[doc(alias("aclnnDivMods", "aclnnDivModsGetWorkspaceSize"))]
    DivMods<T: Arithmetic>, div_mods(a: in T, b: scalar T, rounding: [Rounding: rounding as i32 => i32], out: out T)
        = aclnnDivMods, aclnnDivModsGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `out = a ^ b` (`aclnnPowTensorScalar`).
    #[doc(alias("aclnnPowTensorScalar", "aclnnPowTensorScalarGetWorkspaceSize"))]
    PowTensorScalar<T: Arithmetic>, pow_tensor_scalar(a: in T, b: scalar T, out: out T)
        = aclnnPowTensorScalar, aclnnPowTensorScalarGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `out = base ^ a` (`aclnnPowScalarTensor`).
    #[doc(alias("aclnnPowScalarTensor", "aclnnPowScalarTensorGetWorkspaceSize"))]
    PowScalarTensor<T: Arithmetic>, pow_scalar_tensor(base: scalar T, a: in T, out: out T)
        = aclnnPowScalarTensor, aclnnPowScalarTensorGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `out = max(min(a, most), least)` (`aclnnClamp`). A limit that is `None` is none.
    #[doc(alias("aclnnClamp", "aclnnClampGetWorkspaceSize"))]
    Clamp<T: Arithmetic>, clamp(a: in T, least: maybe_scalar T, most: maybe_scalar T, out: out T)
        = aclnnClamp, aclnnClampGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `out = max(a, least)` (`aclnnClampMin`).
    #[doc(alias("aclnnClampMin", "aclnnClampMinGetWorkspaceSize"))]
    ClampMin<T: Arithmetic>, clamp_min(a: in T, least: scalar T, out: out T)
        = aclnnClampMin, aclnnClampMinGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `out = min(a, most)` (`aclnnClampMax`).
    #[doc(alias("aclnnClampMax", "aclnnClampMaxGetWorkspaceSize"))]
    ClampMax<T: Arithmetic>, clamp_max(a: in T, most: scalar T, out: out T)
        = aclnnClampMax, aclnnClampMaxGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a += alpha * b` (`aclnnInplaceAdds`).
    #[doc(alias("aclnnInplaceAdds", "aclnnInplaceAddsGetWorkspaceSize"))]
    InplaceAdds<T: Arithmetic>, inplace_adds(a: only_inout T, b: scalar T, alpha: scalar T)
        = aclnnInplaceAdds, aclnnInplaceAddsGetWorkspaceSize, |_| any_shape();
    /// Prepares `a -= alpha * b` (`aclnnInplaceSubs`).
    #[doc(alias("aclnnInplaceSubs", "aclnnInplaceSubsGetWorkspaceSize"))]
    InplaceSubs<T: Arithmetic>, inplace_subs(a: only_inout T, b: scalar T, alpha: scalar T)
        = aclnnInplaceSubs, aclnnInplaceSubsGetWorkspaceSize, |_| any_shape();
    /// Prepares `a *= b` (`aclnnInplaceMuls`).
    #[doc(alias("aclnnInplaceMuls", "aclnnInplaceMulsGetWorkspaceSize"))]
    InplaceMuls<T: Arithmetic>, inplace_muls(a: only_inout T, b: scalar T)
        = aclnnInplaceMuls, aclnnInplaceMulsGetWorkspaceSize, |_| any_shape();
    /// Prepares `a /= b` (`aclnnInplaceDivs`).
    #[doc(alias("aclnnInplaceDivs", "aclnnInplaceDivsGetWorkspaceSize"))]
    InplaceDivs<T: Fractional>, inplace_divs(a: only_inout T, b: scalar T)
        = aclnnInplaceDivs, aclnnInplaceDivsGetWorkspaceSize, |_| any_shape();
    /// Prepares `a = a / b`, rounded to whole numbers (`aclnnInplaceDivMods`).
    #[doc(alias("aclnnInplaceDivMods", "aclnnInplaceDivModsGetWorkspaceSize"))]
    InplaceDivMods<T: Arithmetic>,
        inplace_div_mods(a: only_inout T, b: scalar T, rounding: [Rounding: rounding as i32 => i32])
        = aclnnInplaceDivMods, aclnnInplaceDivModsGetWorkspaceSize, |_| any_shape();
    /// Prepares `a = a ^ b` (`aclnnInplacePowTensorScalar`).
    #[doc(alias("aclnnInplacePowTensorScalar", "aclnnInplacePowTensorScalarGetWorkspaceSize"))]
    InplacePowTensorScalar<T: Arithmetic>, inplace_pow_tensor_scalar(a: only_inout T, b: scalar T)
        = aclnnInplacePowTensorScalar, aclnnInplacePowTensorScalarGetWorkspaceSize, |_| any_shape();
    /// Prepares `a = min(a, most)` (`aclnnInplaceClampMax`).
    #[doc(alias("aclnnInplaceClampMax", "aclnnInplaceClampMaxGetWorkspaceSize"))]
    InplaceClampMax<T: Arithmetic>, inplace_clamp_max(a: only_inout T, most: scalar T)
        = aclnnInplaceClampMax, aclnnInplaceClampMaxGetWorkspaceSize, |_| any_shape();
}
