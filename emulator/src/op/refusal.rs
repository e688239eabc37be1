//! Why a first phase fails.

use core::fmt;

use ascendcl_sys::{
    ACLNN_ERR_INNER, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR, aclDataType, aclnnStatus,
};

/// Why a first phase fails: the code that it returns, and the text for `aclGetRecentErrMsg`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub(super) code: aclnnStatus,
    pub(super) text: String,
}

impl Refusal {
    /// A refusal with this code.
    pub fn new(code: aclnnStatus, text: impl fmt::Display) -> Self {
        let text = text.to_string();
        Self { code, text }
    }

    /// A refusal because of the parameters: `ACLNN_ERR_PARAM_INVALID`.
    pub fn invalid(text: impl fmt::Display) -> Self {
        Self::new(ACLNN_ERR_PARAM_INVALID, text)
    }

    /// A refusal because something is null: `ACLNN_ERR_PARAM_NULLPTR`.
    pub(super) fn null(what: impl fmt::Display) -> Self {
        Self::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("{what} is null"))
    }

    /// A definition asks for a parameter that its operator does not have.
    pub(super) fn no_parameter(name: &str, what: &str) -> Self {
        Self::new(
            ACLNN_ERR_INNER,
            format_args!("the operator has no parameter {name} that is {what}"),
        )
    }

    /// A data type that is not in the list of those that are supported.
    pub(super) fn unsupported(name: &str, dtype: aclDataType, types: &[aclDataType]) -> Self {
        let types: Vec<_> = types.iter().map(|dtype| format!("{dtype:?}")).collect();
        Self::invalid(format_args!(
            "{name} has the data type {dtype:?}, which is not one of {}",
            types.join(", ")
        ))
    }
}
