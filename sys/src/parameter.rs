//! The kinds of parameters that operators have, as the list of operators names them.
//!
//! Each is the C type of the parameter. A kind also says which way data goes, and whether null is allowed, which C
//! does not say: several kinds have one type.

pub use core::ffi::c_int;
pub use core::primitive::{bool, f32, f64, i8, i32, i64, u64};

use core::ffi::c_char;

use crate::structs::{
    aclBoolArray, aclFloatArray, aclIntArray, aclScalar, aclScalarList, aclTensor, aclTensorList,
};
pub use crate::types::aclDataType;

/// A tensor that the operator reads.
pub type tensor = *const aclTensor;
/// A tensor that the operator reads although the header does not say `const`.
pub type mut_tensor = *mut aclTensor;
/// A tensor that the operator reads, or null.
pub type optional_tensor = *const aclTensor;
/// A tensor that the operator writes.
pub type out_tensor = *mut aclTensor;
/// A tensor that the operator writes although the header says `const`.
pub type const_out_tensor = *const aclTensor;
/// A tensor that the operator writes, or null where the caller does not want it.
pub type optional_out_tensor = *mut aclTensor;
/// A tensor that the operator writes although the header says `const`, or null where the caller does not want it.
pub type optional_const_out_tensor = *const aclTensor;
/// A tensor that the operator reads and writes.
pub type inout_tensor = *mut aclTensor;
/// A tensor that the operator reads and writes although the header says `const`.
pub type const_inout_tensor = *const aclTensor;
/// A tensor that the operator reads and writes, or null.
pub type optional_inout_tensor = *mut aclTensor;
/// A list of tensors that the operator reads.
pub type tensor_list = *const aclTensorList;
/// A list of tensors that the operator reads, or null.
pub type optional_tensor_list = *const aclTensorList;
/// A list of tensors that the operator reads. Elements of the list may be null.
pub type sparse_tensor_list = *const aclTensorList;
/// A list of tensors that the operator writes.
pub type out_tensor_list = *mut aclTensorList;
/// A list of tensors that the operator reads and writes although the header says `const`.
pub type const_inout_tensor_list = *const aclTensorList;
/// A list of tensors that the operator writes although the header says `const`.
pub type const_out_tensor_list = *const aclTensorList;
/// A list of tensors that the operator writes, or null where the caller does not want it.
pub type optional_out_tensor_list = *mut aclTensorList;
/// A scalar.
pub type scalar = *const aclScalar;
/// A scalar, or null.
pub type optional_scalar = *const aclScalar;
/// A list of scalars.
pub type scalar_list = *const aclScalarList;
/// A list of scalars, or null.
pub type optional_scalar_list = *const aclScalarList;
/// Whole numbers.
pub type int_array = *const aclIntArray;
/// Whole numbers, or null.
pub type optional_int_array = *const aclIntArray;
/// Numbers.
pub type float_array = *const aclFloatArray;
/// Numbers, or null.
pub type optional_float_array = *const aclFloatArray;
/// Truth values.
pub type bool_array = *const aclBoolArray;
/// Truth values, or null.
pub type optional_bool_array = *const aclBoolArray;
/// A text that ends in NUL, or null.
pub type text = *const c_char;
/// A text that ends in NUL, or null, of which the header does not say `const`.
pub type mut_text = *mut c_char;
