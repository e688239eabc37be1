//! The element-wise operators (`aclnnop/aclnn_add.h`, `aclnnop/aclnn_mul.h`).
//!
//! Workspace: the first phase asks for 0 bytes when all three tensors have one shape and lie in
//! memory without gaps. For every other tensor among them (a view with gaps, an operand that is
//! repeated) it asks for the bytes of its elements, rounded up to 32, as an implementation that
//! stages such tensors would. So a caller meets both answers.

use core::ffi::c_void;

use ascendcl_sys::{
    ACL_BF16, ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT64, ACLNN_ERR_INNER_CREATE_EXECUTOR,
    ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR, aclDataType, aclOpExecutor, aclScalar,
    aclTensor, aclnnStatus, aclrtStream,
};

use super::{
    executor::{Extent, Plan, launch, prepare},
    scalar::{SCALARS, Scalar},
    shape::{Nest, broadcast},
    tensor::{TENSORS, Tensor, element_size},
    work::{Formula, Kind, Work},
};
use crate::error::fail;

/// `out = self + alpha * other`, first phase.
///
/// 161001 for null, also as the address of a tensor with elements. 161002 for what is no tensor or
/// scalar (any more), for data types that differ or are not supported, for an `alpha` that has no
/// value of that type, for a fractal format, and for shapes of which `out` is not the broadcast one.
///
/// # Safety
///
/// `workspaceSize` and `executor` are null or may be written. The handles may be any values.
pub unsafe extern "C" fn aclnnAddGetWorkspaceSize(
    self_: *const aclTensor,
    other: *const aclTensor,
    alpha: *const aclScalar,
    out: *mut aclTensor,
    workspaceSize: *mut u64,
    executor: *mut *mut aclOpExecutor,
) -> aclnnStatus {
    let plan = plan("aclnnAdd", self_, other, Some(alpha), out);
    // SAFETY: the caller's contract.
    unsafe { answer("aclnnAdd", plan, workspaceSize, executor) }
}

/// `out = self + alpha * other`, second phase: queues the operator.
///
/// 161001 for null, 161002 for an executor that has run or belongs to another operator and for a
/// workspace smaller than the first phase asked for; else what the stream answers.
///
/// # Safety
///
/// The memory of the tensors and the workspace stays allocated until the operator has run.
pub unsafe extern "C" fn aclnnAdd(
    workspace: *mut c_void,
    workspaceSize: u64,
    executor: *mut aclOpExecutor,
    stream: aclrtStream,
) -> aclnnStatus {
    launch("aclnnAdd", workspace, workspaceSize, executor, stream)
}

/// `out = self * other`, first phase. The answers are those of [`aclnnAddGetWorkspaceSize`].
///
/// # Safety
///
/// `workspaceSize` and `executor` are null or may be written. The handles may be any values.
pub unsafe extern "C" fn aclnnMulGetWorkspaceSize(
    self_: *const aclTensor,
    other: *const aclTensor,
    out: *mut aclTensor,
    workspaceSize: *mut u64,
    executor: *mut *mut aclOpExecutor,
) -> aclnnStatus {
    let plan = plan("aclnnMul", self_, other, None, out);
    // SAFETY: the caller's contract.
    unsafe { answer("aclnnMul", plan, workspaceSize, executor) }
}

/// `out = self * other`, second phase. The answers are those of [`aclnnAdd`].
///
/// # Safety
///
/// The memory of the tensors and the workspace stays allocated until the operator has run.
pub unsafe extern "C" fn aclnnMul(
    workspace: *mut c_void,
    workspaceSize: u64,
    executor: *mut aclOpExecutor,
    stream: aclrtStream,
) -> aclnnStatus {
    launch("aclnnMul", workspace, workspaceSize, executor, stream)
}

/// Writes what the first phase found out.
///
/// # Safety
///
/// The two pointers are null or may be written.
unsafe fn answer(
    operator: &str,
    plan: Result<Plan, Refusal>,
    workspace_size: *mut u64,
    executor: *mut *mut aclOpExecutor,
) -> aclnnStatus {
    let refused = |code, text: &str| fail(code, format_args!("{operator}GetWorkspaceSize: {text}"));
    let plan = match plan {
        Ok(plan) => plan,
        Err(Refusal(code, text)) => return refused(code, &text),
    };
    if workspace_size.is_null() {
        return refused(ACLNN_ERR_PARAM_NULLPTR, "workspaceSize is null");
    }
    if executor.is_null() {
        return refused(ACLNN_ERR_PARAM_NULLPTR, "executor is null");
    }
    let workspace = plan.workspace;
    let Some(handle) = prepare(plan) else {
        return refused(ACLNN_ERR_INNER_CREATE_EXECUTOR, "too many executors");
    };
    // SAFETY: the caller's contract; not null.
    unsafe { workspace_size.write(workspace) };
    // SAFETY: the caller's contract; not null.
    unsafe { executor.write(handle) };
    0
}

/// Why a first phase fails.
#[derive(Debug)]
struct Refusal(aclnnStatus, String);

/// A refusal because of the parameters.
fn invalid<T>(text: String) -> Result<T, Refusal> {
    Err(Refusal(ACLNN_ERR_PARAM_INVALID, text))
}

/// Checks the parameters of a first phase, in the order of CANN: null, data types, scalar, shapes.
fn plan(
    operator: &'static str,
    left: *const aclTensor,
    right: *const aclTensor,
    alpha: Option<*const aclScalar>,
    out: *const aclTensor,
) -> Result<Plan, Refusal> {
    let null = |name: &str| Refusal(ACLNN_ERR_PARAM_NULLPTR, format!("{name} is null"));
    let operands = [("self", left), ("other", right), ("out", out)];
    if let Some((name, _)) = operands.iter().find(|(_, tensor)| tensor.is_null()) {
        return Err(null(name));
    }
    if alpha.is_some_and(<*const aclScalar>::is_null) {
        return Err(null("alpha"));
    }
    let left = find("self", left)?;
    let right = find("other", right)?;
    let out = find("out", out)?;
    let alpha = match alpha {
        None => None,
        Some(handle) => match SCALARS.get(handle.addr()) {
            Some(alpha) => Some(alpha),
            None => return invalid(format!("alpha, {handle:p}, is not a scalar")),
        },
    };

    let types = [left.dtype, right.dtype, out.dtype];
    if types.iter().any(|&dtype| dtype != left.dtype) {
        let [left, right, out] = types;
        return invalid(format!(
            "the data types differ: self {left:?}, other {right:?}, out {out:?}"
        ));
    }
    let (kind, size) = kind(left.dtype, alpha)?;

    for (name, tensor) in [("self", &left), ("other", &right), ("out", &out)] {
        if !tensor.has_plain_format() {
            return invalid(format!("{name} has the format {:?}", tensor.format));
        }
    }
    if broadcast(&left.shape, &right.shape) != Some(out.shape) {
        return invalid(format!(
            "self {} and other {} do not give out {} by broadcasting",
            left.shape, right.shape, out.shape
        ));
    }
    if out.repeats_elements() {
        return invalid(format!(
            "out {} with strides {} has one element for several results",
            out.shape, out.strides
        ));
    }
    for (name, tensor) in [("self", &left), ("other", &right), ("out", &out)] {
        if out.elements() > 0 && tensor.address == 0 {
            return Err(null(&format!("the address of {name}")));
        }
    }
    Ok(Plan {
        operator,
        views: [
            view(&left, size, &out),
            view(&right, size, &out),
            view(&out, size, &out),
        ],
        workspace: [&left, &right, &out]
            .into_iter()
            .map(|tensor| workspace(tensor, size, &out))
            .fold(0, u64::saturating_add),
        work: Work {
            nest: Nest::new(
                &out.shape,
                &out.strides,
                (&left.shape, &left.strides),
                (&right.shape, &right.strides),
            ),
            kind,
        },
    })
}

/// Looks a tensor up.
fn find(name: &str, tensor: *const aclTensor) -> Result<Tensor, Refusal> {
    match TENSORS.get(tensor.addr()) {
        Some(tensor) => Ok(tensor),
        None => invalid(format!(
            "{name}, {tensor:p}, is not a tensor, or was destroyed"
        )),
    }
}

/// The arithmetic for a data type and the size of its elements. With `alpha` it is a sum.
fn kind(dtype: aclDataType, alpha: Option<Scalar>) -> Result<(Kind, usize), Refusal> {
    let floating = || match alpha {
        None => Formula::Multiply,
        Some(alpha) => Formula::AddScaled(alpha.to_f32()),
    };
    let kind = match dtype {
        ACL_FLOAT => Kind::F32(floating()),
        ACL_FLOAT16 => Kind::F16(floating()),
        ACL_BF16 => Kind::Bf16(floating()),
        ACL_INT32 => Kind::I32(integer(dtype, alpha)?),
        ACL_INT64 => Kind::I64(integer(dtype, alpha)?),
        _ => return unsupported(dtype),
    };
    match element_size(dtype) {
        Some(size) => Ok((kind, size)),
        None => unsupported(dtype),
    }
}

/// The formula of an integer type.
fn integer<W: TryFrom<i128>>(
    dtype: aclDataType,
    alpha: Option<Scalar>,
) -> Result<Formula<W>, Refusal> {
    let Some(alpha) = alpha else {
        return Ok(Formula::Multiply);
    };
    match alpha.to_integer() {
        Some(factor) => Ok(Formula::AddScaled(factor)),
        None => invalid(format!(
            "alpha of {:?} cannot be converted to {dtype:?}",
            alpha.dtype
        )),
    }
}

fn unsupported<T>(dtype: aclDataType) -> Result<T, Refusal> {
    invalid(format!(
        "{dtype:?} is not one of ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64"
    ))
}

/// The bytes of a view; none if there is nothing to compute.
fn view(tensor: &Tensor, size: usize, out: &Tensor) -> Extent {
    if out.elements() == 0 {
        return Extent {
            address: 0,
            len: 0,
            dense: true,
        };
    }
    Extent {
        // Wrapping: an address that C made up is refused when the spans are checked.
        address: tensor.address.wrapping_add(tensor.offset * size),
        len: tensor.extent() * size,
        dense: tensor.is_contiguous(),
    }
}

/// The workspace for one of the three tensors.
fn workspace(tensor: &Tensor, size: usize, out: &Tensor) -> u64 {
    if out.elements() == 0 || (tensor.is_contiguous() && tensor.shape == out.shape) {
        return 0;
    }
    let bytes = tensor.elements().saturating_mul(size) as u64;
    bytes.div_ceil(32).saturating_mul(32)
}
