//! Kernels that differ from their declaration, and arguments that the declaration does not admit.

use std::time::Duration;

/// A kernel that is not the declared one, or a launch that the declaration does not admit. Nothing was queued.
///
/// ```
/// use ascendcl::error::{KernelMismatch, Usage};
/// use ascendcl::{Error, ErrorKind};
///
/// fn is_condition(error: &Error) -> bool {
///     matches!(error.kind(), ErrorKind::Usage(Usage::Kernel(KernelMismatch::Condition { .. })))
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KernelMismatch {
    /// Arguments that break a condition of the declaration.
    #[error(
        "the arguments of the kernel `{kernel}` break the condition `{condition}` of its declaration: {values}"
    )]
    Condition {
        /// The kernel.
        kernel: &'static str,
        /// The condition, as the declaration has it.
        condition: &'static str,
        /// The arguments that are numbers.
        values: String,
    },
    /// A part of a buffer that does not begin where AI cores copy from.
    #[error(
        "`{parameter}` of the kernel `{kernel}` begins at {address:#x}, {} bytes behind a multiple of 32, where AI cores copy \
         from: slice the buffer at a multiple of 32 bytes, or copy the part to a buffer of its own", address % 32
    )]
    Part {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The address.
        address: usize,
    },
    /// More elements than a `LenOf` counts.
    #[error(
        "`{parameter}` of the kernel `{kernel}` cannot count {len} elements: launch it on parts of the buffer, or declare the \
         parameter as `LenOf<_, u64>` if the kernel has a `uint64_t` there"
    )]
    Length {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The elements.
        len: usize,
    },
    /// A binary whose kernel has another number of parameters.
    #[error(
        "the kernel `{kernel}` has {found} parameters in its binary, and {declared} in its declaration: declare each of them, in \
         C's order; a build with printf or for cores of both kinds has a hidden one in front"
    )]
    Count {
        /// The kernel.
        kernel: &'static str,
        /// The number that is declared.
        declared: usize,
        /// The number in the binary.
        found: usize,
    },
    /// A binary whose kernel has another parameter there.
    #[error(
        "`{parameter}` of the kernel `{kernel}` is declared as {} bytes at offset {}, and has {} bytes at offset {} in its \
         binary: declare the types of C, in C's order", declared.1, declared.0, found.1, found.0
    )]
    Layout {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The offset and the bytes of the declaration.
        declared: (usize, usize),
        /// The offset and the bytes in the binary.
        found: (usize, usize),
    },
    /// A limit of the time of a kernel that C cannot take.
    #[error(
        "a kernel can be limited to 1 microsecond or more, not to {limit:?}; without a limit launch it by `launch`"
    )]
    Timeout {
        /// The limit.
        limit: Duration,
    },
}
