//! Operators (aclnn): tensors over device memory, and plans that run once.
//!
//! An aclnn operator has two phases. The first checks the operands and says how much workspace it
//! needs; here it is [`add`] or [`mul`] and gives a [`Plan`], which owns the workspace and the
//! one-shot executor and borrows its operands. The second queues the work; [`Plan::run`] consumes the
//! plan, so it cannot be repeated.
//!
//! ```
//! # #[cfg(feature = "emulator")]
//! fn add(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
//!     use ascendcl::{Npu, Thread, op, stream::Main};
//!     let mut thread = Thread::claim()?;
//!     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
//!     let current = thread.set_current(&device)?;
//!     let mut stream = current.create_stream::<Main>()?;
//!
//!     let a = current.memset(current.malloc::<i32>(6)?, 1)?;
//!     let b = current.memset(current.malloc::<i32>(3)?, 2)?;
//!     let out = current.malloc::<i32>(6)?; // fresh: `run` gives it back initialised
//!     let plan = op::add(current, &a.tensor(&[2, 3])?, &b.tensor(&[3])?, 1, out.into_tensor(&[2, 3])?)?;
//!     let sum = plan.run(&mut stream)?;
//!     assert_eq!(sum.len(), 6);
//!     Ok(())
//! }
//! # #[cfg(feature = "emulator")]
//! # fn main() -> ascendcl::Result<()> { add(&ascendcl::Acl::from_env()?) }
//! # #[cfg(not(feature = "emulator"))]
//! # fn main() {}
//! ```

mod arithmetic;
pub(crate) mod element;
mod handle;
mod plan;
pub(crate) mod site;
mod tensor;

pub use arithmetic::{add, mul};
pub use plan::{Launched, Plan, Workspace};
pub use tensor::{Tensor, TensorOut};
