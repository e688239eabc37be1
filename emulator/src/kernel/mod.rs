//! Kernels of the program (`acl/acl_rt.h`): functions of the host that stand for those of a binary for AI cores.
//!
//! The emulator has no AI cores. A kernel runs here as code of the host, and it is found by the name that it has on a card.
//! There are two kinds:
//!
//! - A kernel in Rust, which the program [`register`]s. As soon as one is registered, each file or memory that a program
//!   loads as a binary has the registered kernels, unless it is a shared object of this machine. So the same program loads
//!   its `kernels.o` on a card.
//! - A kernel in Ascend C, built for the host with the emulator's `kernel_operator.h` into a shared object.
//!
//! The emulator runs nothing else: a binary for AI cores is refused with both ways out as long as no kernel is registered.
//!
//! ```
//! use ascendcl_emulator::kernel::{self, View, ViewMut};
//!
//! // y += a * x
//! kernel::register(ascendcl_emulator::kernel!(
//!     saxpy(x: View<f32>, y: ViewMut<f32>, a: f32, n: u32) |block| {
//!         for i in block.part(n as usize) {
//!             y.set(i, a * x.get(i) + y.get(i));
//!         }
//!     }
//! ));
//! ```
//!
//! # Rules
//!
//! - A kernel runs once for each block. The blocks run in any order, and on several threads if the arguments are large.
//!   With the schedule `batch` (`ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE` 1) each block has a thread of its own, and
//!   [`Block::sync`] waits for all of them.
//! - An access beyond the memory of an argument, and a write to memory that the program has declared for reading, ends the
//!   block. The task fails then with 507015 (`ACL_ERROR_RT_AICORE_EXCEPTION`), as with a panic, and a
//!   [`Violation`](crate::Violation) names the kernel, the block, the parameter and the bytes. A program whose panics abort
//!   ends there.
//! - The memory of a pointer ends with its allocation, or where the typed API says.
//! - A pointer argument is NULL or an address of a device. Other addresses are refused by the launch (107000); on a card the
//!   kernel fails. A structure of arguments in device memory (`aclrtLaunchKernel`) is read when the task runs, so such an
//!   address fails the task.
//! - A limit of time (`ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT` and `.._TIMEOUT_US`) ends a block at its next access or barrier,
//!   and the task fails with 507014. A kernel that makes neither cannot be stopped; its task fails when it has returned.
//! - A launch whose binary was unloaded before it runs fails with 507015. On a card it runs code that was freed.
//! - Of the attributes of a launch, the schedule and the limits have an effect. A first block other than 0 is refused.
//! - `aclrtKernelArgsInit` returns the one list of the calling thread, as the runtime does according to its sources: the
//!   next call ends the list before it, whose handle is refused from then on.
//!
//! The files: `registered`, `argument`, `view` and `block` are what a kernel in Rust sees; `file` and `shared` are for files
//! and shared objects. `binary`, `function`, `list` and `launch` have the functions of C. `packed` and `memory` are the
//! arguments of a launch, `config` its attributes. `task` is the launch in the queue, `blocks` and `barrier` run it, and
//! `used` and `judge` are for the checker.

mod argument;
mod barrier;
mod binary;
mod block;
mod blocks;
mod config;
mod file;
mod function;
mod judge;
mod launch;
mod list;
mod memory;
mod packed;
mod registered;
mod shared;
mod task;
mod used;
mod view;

pub use argument::Argument;
pub use block::Block;
pub use function::{Declared, declare};
pub use memory::{lengths, wants_lengths};
pub use registered::{Parameter, Registered, register};
pub use view::{Element, View, ViewMut};

pub(crate) use binary::*;
pub(crate) use function::*;
pub(crate) use launch::*;
pub(crate) use list::*;

/// Returns from a function of C if an argument in brackets is missing, with the code of the layer in front of them. The order
/// is that of the runtime.
macro_rules! given {
    ($call:ident, $($layer:ident [$($given:ident),*])*) => {
        $( $( if !crate::refusal::Given::is_given(&$given) {
            return crate::refusal::$layer($call, stringify!($given));
        } )* )*
    };
}
pub(crate) use given;
