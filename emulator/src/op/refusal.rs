//! The error of a first phase.

use core::fmt;

use ascendcl_sys::{
    ACLNN_ERR_INNER, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR, aclDataType, aclnnStatus,
};

use crate::error::unread_text;
use crate::results::list_of;

/// The error of a first phase: the code that the first phase returns, and the text for `aclGetRecentErrMsg`.
///
/// It is one pointer: most lines of a definition can end with an error, and what passes it on is much of their code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(Box<(aclnnStatus, String)>);

impl Refusal {
    /// Makes an error with this code.
    pub fn new(code: aclnnStatus, text: impl fmt::Display) -> Self {
        Self(Box::new((code, text.to_string())))
    }

    /// Returns the code of the first phase.
    pub(super) fn code(&self) -> aclnnStatus {
        self.0.0
    }

    /// Returns what is wrong.
    pub(super) fn text(&self) -> &str {
        &self.0.1
    }

    /// Makes an error for wrong parameters: `ACLNN_ERR_PARAM_INVALID`.
    pub fn invalid(text: impl fmt::Display) -> Self {
        Self::new(ACLNN_ERR_PARAM_INVALID, text)
    }

    /// Makes an error for a null parameter: `ACLNN_ERR_PARAM_NULLPTR`. The text has the reason of the call that should have
    /// made the object, if that was the latest failure of the thread.
    pub(super) fn null(what: impl fmt::Display) -> Self {
        let reason = unread_text().filter(|text| text.starts_with("aclCreate"));
        let reason = reason.map_or_else(String::new, |text| format!("; {text}"));
        Self::new(
            ACLNN_ERR_PARAM_NULLPTR,
            format_args!("{what} is null{reason}"),
        )
    }

    /// Makes an error for a definition that reads a parameter which its operator does not have.
    pub(super) fn no_parameter(name: &str, what: &str) -> Self {
        Self::new(
            ACLNN_ERR_INNER,
            format_args!("the operator has no parameter {name} that is {what}"),
        )
    }

    /// Makes an error for a data type that is not supported.
    pub(super) fn unsupported(name: &str, dtype: aclDataType, types: &[aclDataType]) -> Self {
        let types = list_of(types.iter().map(|dtype| format!("{dtype:?}")));
        Self::invalid(format_args!(
            "{name} has the data type {dtype:?}, which is not one of {}",
            types.join(", ")
        ))
    }
}
