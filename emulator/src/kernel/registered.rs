//! Kernels: the description of each, and those that a program has registered.

use std::fmt;
use std::sync::Arc;

use super::argument::Argument;
use super::block::Block;
use crate::results::{joined, list_of};
use crate::sync::{Mutex, lock};

/// What a parameter of a kernel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterKind {
    /// A value.
    Value,
    /// A pointer to memory that the kernel cannot write.
    Read,
    /// A pointer to memory that the kernel may write.
    Write,
}

/// A parameter of a kernel, and its place among the packed arguments.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name; that of a parameter in C++ is not known.
    name: Option<&'static str>,
    pub(super) kind: ParameterKind,
    /// The offset among the arguments, in bytes.
    pub(super) offset: usize,
    pub(super) size: usize,
}

impl Parameter {
    /// Describes a parameter in Rust. [`kernel!`](crate::kernel!) calls it.
    #[must_use]
    pub fn of<A: Argument>(name: &'static str) -> Parameter {
        A::parameter(name)
    }

    pub(super) fn named(name: &'static str, kind: ParameterKind, size: usize) -> Parameter {
        Parameter {
            name: Some(name),
            kind,
            offset: 0,
            size,
        }
    }

    pub(super) fn at(kind: ParameterKind, offset: usize, size: usize) -> Parameter {
        Parameter {
            name: None,
            kind,
            offset,
            size,
        }
    }

    /// Returns whether it is a pointer.
    pub(super) fn is_pointer(&self) -> bool {
        self.kind != ParameterKind::Value
    }
}

/// The least alignment of a parameter: that of the compiler for AI cores, as its generated launchers have it.
const LEAST: usize = 4;

/// The code of a kernel for one block.
pub(super) type Body = dyn Fn(&Block<'_>) + Send + Sync;

/// A kernel.
#[derive(Clone)]
pub(super) struct Kernel {
    pub(super) name: Arc<str>,
    pub(super) parameters: Arc<[Parameter]>,
    /// The end of the last parameter.
    pub(super) end: usize,
    pub(super) body: Arc<Body>,
    /// Whether the emulator sees each access: not those of C++ through plain pointers.
    pub(super) is_seen: bool,
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Kernel {
    /// Returns a parameter as a finding names it: by its name, or by its number from 0.
    pub(super) fn parameter(&self, number: usize) -> String {
        let known = self.parameters.get(number).and_then(|one| one.name);
        match known {
            Some(name) => format!("parameter {name}"),
            None => format!("parameter {number}"),
        }
    }

    /// Returns the numbers of the pointers among the parameters, with the parameters.
    pub(super) fn pointers(&self) -> impl Iterator<Item = (usize, &Parameter)> {
        let all = self.parameters.iter().enumerate();
        all.filter(|(_, one)| one.is_pointer())
    }
}

/// A kernel in Rust, for [`register`]. [`kernel!`](crate::kernel!) makes it.
#[derive(Debug, Clone)]
pub struct Registered(Kernel);

impl Registered {
    /// Makes a kernel. Its parameters lie as the members of a structure in C, each at a multiple of its alignment and of 4.
    #[doc(hidden)]
    pub fn new(
        name: &str,
        parameters: &[(Parameter, usize)],
        body: impl Fn(&Block<'_>) + Send + Sync + 'static,
    ) -> Registered {
        let mut end = 0_usize;
        let placed = parameters.iter().map(|(parameter, align)| {
            let offset = end.next_multiple_of((*align).max(LEAST));
            end = offset + parameter.size;
            Parameter {
                offset,
                ..*parameter
            }
        });
        let placed = list_of(placed);
        Registered(Kernel {
            name: name.into(),
            parameters: placed.into(),
            end,
            body: Arc::new(body),
            is_seen: true,
        })
    }
}

static REGISTERED: Mutex<Vec<Kernel>> = Mutex::new(Vec::new());

/// Registers a kernel. Each binary that is loaded and is no shared object of this machine has it under its name, also one
/// that was loaded before. It replaces a kernel of the same name; functions that were looked up before keep the old one.
///
/// This is safe: a kernel reaches memory through its [`Block`] and its views alone, and they check each access.
pub fn register(kernel: Registered) {
    let mut all = lock(&REGISTERED);
    all.retain(|one| one.name != kernel.0.name);
    all.push(kernel.0);
}

/// Returns whether the program has registered a kernel.
pub(super) fn is_any() -> bool {
    !lock(&REGISTERED).is_empty()
}

/// Returns the kernel that is registered under a name, or the names that are.
pub(super) fn find(name: &str) -> Result<Kernel, String> {
    let all = lock(&REGISTERED);
    let found = all.iter().find(|one| &*one.name == name).cloned();
    found.ok_or_else(|| {
        let names = list_of(all.iter().map(|one| &*one.name));
        joined(&names, ", ")
    })
}

/// Makes a kernel from its parameters and its code for one block.
///
/// A parameter is a [`View`](crate::kernel::View) of memory that the kernel reads, a [`ViewMut`](crate::kernel::ViewMut) of
/// memory that it writes, a number, or an array of numbers for a structure that is passed by value. See
/// [`kernel`](mod@crate::kernel) for an example.
#[macro_export]
macro_rules! kernel {
    ($name:ident($($argument:ident: $Parameter:ty),* $(,)?) |$block:ident| $body:expr) => {{
        #[allow(elided_lifetimes_in_paths, reason = "a parameter has the lifetime of its block")]
        let kernel = $crate::kernel::Registered::new(
            stringify!($name),
            &[$((
                $crate::kernel::Parameter::of::<$Parameter>(stringify!($argument)),
                <$Parameter as $crate::kernel::Argument>::ALIGN,
            )),*],
            |$block: &$crate::kernel::Block<'_>| {
                let _ = $block;
                $( let $argument = <$Parameter as $crate::kernel::Argument>::take($block); )*
                $body
            },
        );
        kernel
    }};
}
