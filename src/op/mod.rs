//! Operators (aclnn): tensors over device memory, and plans that run once or several times.
//!
//! An aclnn operator has two phases. The first checks its arguments and says how much workspace it needs; here it is a
//! function such as [`add`] and gives a [`Plan`], which owns the one-shot executor, holds the outputs and borrows the
//! operands. The second queues the work; [`Plan::run`] and [`Plan::launch`] consume the plan, so it cannot be repeated.
//!
//! ```
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
//! # ascendcl::example!(|acl| { add(&acl)?; });
//! ```
//!
//! # Operands and outputs
//!
//! An operand is `&` of a [`Tensor`]: a written buffer, or a part of one, with a shape. An output is a [`TensorOut`] by
//! value: a fresh buffer by `into_tensor`, which comes back initialised, or a borrow of a written one by `tensor_mut`, which
//! comes back as `()`. Several outputs come back as a tuple. An output cannot be an operand; what an operator changes in
//! place is lent to [`inplace_add`] and the like by `tensor_mut`.
//!
//! Rows of a fixed length are numbers for an operator. [`as_flattened`](slice::as_flattened) makes numbers of them before the
//! copy to the device, and [`as_chunks`](slice::as_chunks) makes rows again behind the copy back:
//!
//! ```
//! # ascendcl::example!(|acl, host, current| {
//! let rows = [[1.0_f32, 2.0], [3.0, 4.0]];
//! let numbers = current.malloc_host_from(host, rows.as_flattened())?;
//! let x = current.memcpy(current.malloc(4)?, &numbers)?;
//! let x = x.tensor(&[2, 2])?; // the operand of an operator
//! let (back, _) = numbers.as_chunks::<2>();
//! assert_eq!(back, rows);
//! # drop(x);
//! # });
//! ```
//!
//! The data decide how many elements [`nonzero`], [`masked_select`] and [`unique2`] write. Their output is a
//! [`TensorUpTo`] with the largest shape that the result can have, and comes back as [`Counted`] memory with the shape that
//! it really has:
//!
//! ```
//! # use ascendcl::{Current, DeviceBuf, Npu, Result, Stream, op};
//! # fn example(current: Current<'_, '_, Npu<0>>, stream: &mut Stream<'_, '_, Npu<0>>, a: &DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
//! let out = current.malloc::<i64>(32)?.into_tensor_up_to(&[16, 2])?;
//! let found = op::nonzero(current, &a.tensor(&[4, 4])?, out)?.run(stream)?;
//! let rows = found.shape()?[0];
//! let positions = found.tensor()?; // of the shape `[rows, 2]`
//! # let _ = (rows, positions);
//! # Ok(()) }
//! ```
//!
//! All of them are of one site: idle on a device, then the plan runs by [`Plan::run`]; or queued on one stream, then it goes
//! there by [`Plan::launch`].
//!
//! # Operators
//!
//! Each is a function of this module that has the name of its C function in Rust case; `docs/operators.md` lists them. Those
//! that change a tensor in place begin with `inplace_`. An operator is an entry of a table (`src/op/table/`): its names, its
//! parameters, the families of its element types, both functions of C, and the check of shapes.
//!
//! Those that only training needs (gradients, losses, optimizers, dropout, and operators on lists of tensors) are there with the
//! feature `training`.
//!
//! Families are traits of [`bounds`](crate::bounds): [`Arithmetic`](crate::bounds::Arithmetic),
//! [`Fractional`](crate::bounds::Fractional), [`Floating`](crate::bounds::Floating),
//! [`Comparable`](crate::bounds::Comparable) and others. A wide family includes the narrower ones: a function that is
//! generic over `Floating` elements calls operators on `Fractional` and `Comparable` ones too. Comparisons give [`Bool`].
//! [`cast`] and [`reduce_sum`] relate two types by [`CastTo`](crate::bounds::CastTo) and
//! [`SumTo`](crate::bounds::SumTo). No operator takes complex numbers, which Rust has no type for.
//!
//! Shapes are checked before C is called, with an error that names the operator, the shapes and the remedy. The operators of
//! [`array`](mod@array) take shapes that the compiler compares.
//!
//! # An operator that is chosen at run time
//!
//! Plans of different operators are different types, and what they write has one type. So a program chooses around the run:
//!
//! ```
//! # use ascendcl::{Current, DeviceBuf, Npu, Result, Stream, op};
//! # use ascendcl::op::Tensor;
//! # type D = Npu<0>;
//! # fn example<'d>(name: &str, current: Current<'_, 'd, D>, stream: &mut Stream<'_, 'd, D>, a: &Tensor<'_, D, f32>) -> Result<DeviceBuf<'d, D, [f32]>> {
//! let out = current.malloc(16)?.into_tensor(&[16])?;
//! let out = match name {
//!     "add" => op::add(current, a, a, 1.0, out)?.run(stream)?,
//!     _ => op::mul(current, a, a, out)?.run(stream)?,
//! };
//! # Ok(out) }
//! ```
//!
//! Plans that run again are variants of an `enum` of the program, or closures in a `Box<dyn FnMut(..)>`, at the price of an
//! indirect call for each run.
//!
//! # Operators that a text names
//!
//! The calls from before aclnn name an operator by a text, and describe its tensors and attributes while the program runs
//! (`aclopCompile`, `aclopExecuteV2`). A wrong name, type or attribute is an error of the run, and so is a description that
//! was not compiled before. This API has no form of them: [`add`] is `Add`, [`matmul`] is `MatMul`, [`cast`] is `Cast`, and
//! none of them is compiled first. [`sys`](crate::sys) has the raw calls.
//!
//! # Views
//!
//! [`Tensor::permute`], [`Tensor::transpose`], [`Tensor::slice`], [`Tensor::select`] and [`Tensor::expand`] give other shapes and
//! strides over the same elements, and copy none. Such a view is [`Strided`], and operators take it where CANN takes
//! non-contiguous tensors. An output can be a view too, except an expanded one.
//!
//! # Indices
//!
//! Operators that take and put elements by indices, such as [`embedding`] and [`index_select`], take [`Indices`]: a tensor whose
//! elements [`Tensor::indices`] has compared with a bound. [`scatter_nd_update`] takes [`Positions`], which have a bound for
//! each dimension ([`Tensor::positions`]). [`index_mask`] and [`index_put_mask`] take a [`Mask`], whose true elements
//! [`Tensor::mask`] has counted. `grouped_matmul_v4_of_rows` of `more-operators` takes `Groups`, which `Tensor::groups` has compared.
//!
//! # Other operators
//!
//! A program declares what this crate does not have, an operator of CANN or one of its own, by an `unsafe impl` of
//! [`Operator`] with [`operator!`](crate::operator!) in it. It runs like the others:
//!
//! ```
//! use std::marker::PhantomData;
//!
//! use ascendcl::bounds::Floating;
//! use ascendcl::op::{In, Operator, Out};
//!
//! /// The sum of the tutorials of Ascend C.
//! struct AddCustom<T>(PhantomData<T>);
//! // SAFETY: the parameters in `aclnn_add_custom.h`; it writes all of `z`.
//! unsafe impl<T: Floating> Operator for AddCustom<T> {
//!     ascendcl::operator!(aclnnAddCustom(x: In<T>, y: In<T>, z: Out<T>));
//! }
//! # use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};
//! # fn example(current: Current<'_, '_, Npu<0>>, stream: &mut Stream<'_, '_, Npu<0>>, [x, y]: [&DeviceBuf<'_, Npu<0>, [f32]>; 2]) -> Result<()> {
//!
//! let sum = current.malloc(16)?.into_tensor(&[16])?;
//! let sum = AddCustom::plan(current, (&x.tensor(&[16])?, &y.tensor(&[16])?, sum))?.run(stream)?;
//! # sum.free() }
//! ```
//!
//! # Plans that run several times
//!
//! [`Plan::repeatable`] makes a [`Repeatable`] of a plan. Each run gets the tensors anew and costs the second phase alone,
//! where a plan costs a description for each argument and the first phase too:
//!
//! ```
//! # use ascendcl::{Current, DeviceBuf, Npu, Result, Stream, op};
//! # fn example<'d>(current: Current<'_, 'd, Npu<0>>, stream: &mut Stream<'_, 'd, Npu<0>>, a: &DeviceBuf<'_, Npu<0>, [f32]>, out: &mut DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
//! let a = a.tensor(&[16])?;
//! let mut square = op::mul(current, &a, &a, out.tensor_mut(&[16])?)?.repeatable(current)?;
//! for _ in 0..10 {
//!     square.run(stream, (&a, &a, out.tensor_mut(&[16])?))?;
//! }
//! # Ok(()) }
//! ```
//!
//! # Workspaces
//!
//! Some operators need device memory besides their operands. [`Plan::run`] allocates it and frees it again;
//! [`Plan::launch`] gives it back in [`Launched`], and what is dropped is freed behind the stream's next wait. A loop keeps
//! one [`Workspaces`] for its stream instead and calls [`Plan::launch_in`], which allocates only when it has to grow.

pub mod array;
mod builtin;
pub(crate) mod counted;
mod declared;
pub(crate) mod element;
mod executor;
mod format;
mod functions;
#[cfg(feature = "more-operators")]
mod groups;
mod handle;
mod indices;
pub(crate) mod layout;
mod list;
mod located;
mod mask;
pub(crate) mod operator;
pub(crate) mod output;
pub(crate) mod parameter;
mod plan;
mod positions;
pub(crate) mod repeatable;
mod reserved;
mod rule;
mod shape;
pub(crate) mod site;
pub(crate) mod slot;
mod table;
mod tensor;
mod truth;
pub(crate) mod view;
mod window;
mod workspace;

/// The operators as types, by which a [`Plan`] names its own.
pub mod operators {
    pub use super::table::{
        activation::types::*, attention::types::*, binary::types::*, binary_in_place::types::*,
        compare::types::*, convert::types::*, convolution::types::*, decided::types::*,
        fill::types::*, image::types::*, index::types::*, join::types::*, logic::types::*,
        matrix::types::*, network::types::*, norm::types::*, order::types::*, part::types::*,
        place::types::*, quantize::types::*, random::types::*, reduce::types::*, rotate::types::*,
        scalar::types::*, unary::types::*,
    };
    #[cfg(feature = "training")]
    pub use super::table::{
        backward::types::*, derived::types::*, foreach::types::*, gradient::types::*,
        loss::types::*, optimize::types::*, scarce::types::*, spread::types::*, tokens::types::*,
        train::types::*,
    };
    #[cfg(feature = "more-operators")]
    pub use super::table::{
        border::types::*, combine::types::*, drawn::types::*, experts::types::*, further::types::*,
        grouped::types::*, moment::types::*, packed::types::*, plain::types::*, rank::types::*,
        rows::types::*, single::types::*, versions::types::*, volume::types::*,
    };
}

pub use counted::{Counted, TensorUpTo};
#[doc(hidden)]
pub use declared::Entry;
pub use format::Images;
#[cfg(feature = "more-operators")]
pub use groups::{GroupList, Groups};
pub use indices::Indices;
pub use layout::{Contiguous, Layout, Strided, View};
pub use mask::Mask;
#[doc(hidden)]
pub use operator::ByType;
pub use operator::Operator;
#[cfg(feature = "graphs")]
pub(crate) use operator::OutputsOf;
pub use parameter::{
    Bools, Floats, In, InOut, Ints, List, Out, OutList, OutUpTo, Parameter, Scalar, Scalars,
    SparseList, Text,
};
pub use plan::Plan;
pub use positions::Positions;
pub use repeatable::Repeatable;
pub use table::{
    activation::*, attention::*, binary::*, binary_in_place::*, compare::*, convert::*,
    convolution::*, decided::*, fill::*, image::*, index::*, join::*, logic::*, matrix::*,
    network::*, norm::*, order::*, part::*, place::*, quantize::*, random::*, reduce::*, rotate::*,
    scalar::*, unary::*,
};
#[cfg(feature = "training")]
pub use table::{
    backward::*, derived::*, foreach::*, gradient::*, loss::*, optimize::*, scarce::*, spread::*,
    tokens::*, train::*,
};
#[cfg(feature = "more-operators")]
pub use table::{
    border::*, combine::*, drawn::*, experts::*, further::*, grouped::*, moment::*, packed::*,
    plain::*, rank::*, rows::*, single::*, versions::*, volume::*,
};
pub use tensor::{Tensor, TensorOut};
pub use truth::Bool;
#[cfg(feature = "graphs")]
pub(crate) use workspace::recorded_room;
pub use workspace::{Launched, Workspace, Workspaces};
