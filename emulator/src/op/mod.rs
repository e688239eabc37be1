//! Operators: tensors, scalars, executors (`aclnn/acl_meta.h`) and the operators themselves (`aclnnop/aclnn_*.h`).
//!
//! An operator is a line in `define` with its name and its computation. The list of `ascendcl-sys` has its
//! parameters. From them `functions` makes both C functions of the operator. `custom` does this for operators of the
//! program.
//!
//! The modules, from the bottom: `shape` has dimensions and broadcasting, `dtype` the rules of data types, and
//! `number` the conversion between elements and numbers, `f16_convert` that of half precision, and `real`, `f32_math` and
//! `f32_inverse` the functions of real numbers, with `f16_math` for results of half precision. The kernels with vector
//! instructions, which compute sums and products for some data types, are in `element`, `machine`, `source`, `kernel` and
//! `work`, and those of functions of one number in `unary`. `crate::wide` compiles other loops for such instructions. The objects with
//! handles are in `tensor`, `scalar` and `list`, and the queries of tensors in `inspect`. A first phase goes through
//! `argument` (the arguments from C), `call` (the objects of the handles), the definition with the checks of `rule`,
//! and `plan` (the prepared kernel). `lacking` has the types that a product lacks, `overlap` operands that share memory, and
//! `stray` numbers that point nowhere. `executor` stores the plan for the second phase, and `view` is the memory of the
//! operands while the kernel runs. `pass` walks over operands of any data types, `elements` over those that become
//! one. `rows` walks over rows in memory of its own and `lines` over rows of single precision where they lie, and
//! `walk` is the memory of both. `normal`, `short_rows` and `sums` have the arithmetic of a row, `product` multiplies
//! matrices. `elementwise` has the rules of operators that compute each element by itself, `operands` their operands, and `summed` their sums. Their
//! arithmetic is a `formula`, a text that becomes a list of `steps`: `by_formula` joins both, and a new operator adds no code.
//! `moves` moves elements of any type by their size. The only way to the device is
//! `crate::engine::kernel::submit_kernel`.
//!
//! `named` has the older calls that name an operator by a text (`acl/acl_op.h`). They use the same operators.
//!
//! Differences from CANN:
//!
//! - Only real data types are supported. Complex numbers return 161002 with a text, and so do types below a byte, except
//!   for weights of 4 bits in `aclnnWeightQuantBatchMatmulV2`. Where
//!   products of Ascend differ, the emulator follows Atlas A2.
//! - A view must lie inside its storage when it is created; CANN notices the mistake later or never.
//! - A tensor in a fractal format is refused. CANN treats it as a plain one in most operators, with a warning.
//! - An executor of another operator is refused, and so is an executor that has run. CANN runs the first and touches
//!   freed memory with the second.
//! - The workspace is checked. It is in use until the operator has run, and the operator overwrites it. The kernels
//!   do not need it: they read the views directly. CANN does not compare its size with the size from the first phase
//!   and does not check where it is: the operator writes beyond the end, or fails. Under the checker each first phase asks
//!   for a workspace, and a workspace that is memory of an operand is a finding.
//! - `aclSetAclOpExecutorRepeatable` refuses with 561000 the operators that CANN refuses by its published source, where
//!   the source tells: outputs whose size the data decide, random numbers, index lists, in-place work on a strided view.
//!   It refuses an executor too that is not of the latest first phase of the thread, which CANN does not notice.
//! - The addresses of a one-shot executor are those of its first phase, and the calls that refresh addresses refuse it
//!   with 561000. A repeatable executor reads them from its tensors in each run, and refuses if one was destroyed.
//! - An output may be exactly one of the operands (in place). Any other overlap gives unspecified numbers, as on a
//!   device.
//! - Results in half and single precision are rounded once, also where a card rounds on the way. Functions of real
//!   numbers, softmax and normalized numbers are computed in single precision, with an error of at most 3 units in the
//!   last place. Sums are of double precision, where softmax adds 16 numbers in single precision before; those in products
//!   of matrices, attention and convolutions are of single precision. Results of half
//!   precision have shorter formulas for the exponential, the hyperbolic tangent, SiLU, GELU, the sigmoid and softmax:
//!   rarely they are the number beside the nearest one.
//! - The sigmoid of a single-precision number below -88 is 0, and so is SiLU.
//! - The number of threads changes no bit of a result.
//! - Random numbers depend on seed and offset alone, but they are others than those of a card.
//! - Operators on fractal formats refuse with 561003. Quantized attention and page tables return 161002, and so does the
//!   layout `TND`.
//! - Comparisons by order refuse unsigned integers of 64 bits.
//! - Single precision is kept where a card may drop some of it (`cubeMathType` of `aclnnMatmul`).
#![allow(
    non_snake_case,
    reason = "the exported functions keep their names of C"
)]

mod address;
mod argument;
mod by_formula;
mod bytes;
mod call;
pub mod custom;
mod define;
mod dtype;
mod element;
mod elements;
mod elementwise;
mod executor;
mod f16_convert;
mod f16_math;
mod f32_inverse;
mod f32_math;
mod fast;
mod formula;
mod functions;
mod inspect;
mod kernel;
mod keys;
mod lacking;
mod lines;
mod list;
mod machine;
mod moves;
mod named;
mod normal;
mod number;
mod operands;
mod operation;
mod overlap;
mod pass;
mod plan;
mod product;
mod real;
mod refusal;
mod rows;
mod rule;
mod scalar;
mod scaled;
mod shape;
mod short_rows;
mod source;
mod steps;
mod stored;
mod stray;
#[cfg(feature = "training")]
mod summed;
mod sums;
mod tensor;
mod truths;
mod unary;
mod view;
mod walk;
mod weight;
mod work;

#[cfg(test)]
mod tests;

pub use address::{
    aclSetDynamicInputTensorAddr, aclSetDynamicOutputTensorAddr, aclSetDynamicTensorAddr,
    aclSetInputTensorAddr, aclSetOutputTensorAddr, aclSetRawTensorAddr, aclSetTensorAddr,
};
pub(crate) use executor::end_executor;
pub use executor::{aclDestroyAclOpExecutor, aclSetAclOpExecutorRepeatable};
pub(crate) use functions::OPERATORS;
pub use inspect::{
    aclGetDataType, aclGetFormat, aclGetRawTensorAddr, aclGetViewOffset, aclGetViewShape,
    aclGetViewStrides, aclnnFinalize, aclnnInit,
};
pub use list::{
    aclCreateBoolArray, aclCreateFloatArray, aclCreateIntArray, aclCreateScalarList,
    aclCreateTensorList, aclDestroyBoolArray, aclDestroyFloatArray, aclDestroyIntArray,
    aclDestroyScalarList, aclDestroyTensorList, aclGetBoolArraySize, aclGetFloatArraySize,
    aclGetIntArraySize, aclGetScalarListSize, aclGetTensorListSize,
};
pub(crate) use named::*;
pub use scalar::{aclCreateScalar, aclDestroyScalar};
pub use tensor::{aclCreateTensor, aclDestroyTensor};
pub use weight::{aclnnCalculateMatmulWeightSize, aclnnCalculateMatmulWeightSizeV2};

/// Returns the number of live handles of each kind, for a report of leaks.
pub(crate) fn live_handles() -> [(&'static str, usize); 8] {
    [
        ("aclTensor", tensor::TENSORS.live()),
        ("aclScalar", scalar::SCALARS.live()),
        ("aclOpExecutor", executor::EXECUTORS.live()),
        ("aclIntArray", list::INTS.live()),
        ("aclFloatArray", list::FLOATS.live()),
        ("aclBoolArray", list::BOOLS.live()),
        ("aclTensorList", list::TENSOR_LISTS.live()),
        ("aclScalarList", list::SCALAR_LISTS.live()),
    ]
}
