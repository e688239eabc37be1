//! Operators that a text names (`acl/acl_op.h`, `acl/acl_op_compiler.h`): the calls from before `aclnn`.
//!
//! A program describes the operands, compiles the operator for them, and queues it by the same description. In the
//! emulator a compiled operator is one of the operators of `aclnn`, so nothing is compiled: a call of `aclopCompile`
//! checks the operator, and keeps its description for the calls that queue it.
//!
//! - `attribute`: sets of attributes;
//! - `operand`: the operands of a call, with their descriptions;
//! - `bind`: the way from operands and attributes to the arguments of an operator of `aclnn`;
//! - `recipe`, `product` and `f32_math`: what each type of operator computes;
//! - `compiled`: the operators that were compiled;
//! - `call`: the calls; `handle`: those of an operator that was looked up;
//! - `folder`: the folder of `aclopSetModelDir`; `option`: options of compiling.
//!
//! The codes and the order of checks are those of the sources of CANN (GE, 2026-08). They were not observed. Differences:
//!
//! - An operator that was compiled for fixed sizes runs with these sizes only. Some products of Ascend compile it for all
//!   sizes unless the program asks for fixed ones.
//! - Data types are not mixed, and an attribute that is not modelled is refused.
//! - A tensor in host memory is a constant or refused: `aclSetTensorConst` passes its elements.
//! - A single-operator model is not read. `aclopSetModelDir` reads the JSON file that `atc --singleop` compiles to one.

mod attribute;
mod bind;
mod call;
mod compiled;
mod folder;
mod handle;
mod operand;
mod option;
mod product;
mod recipe;

pub(crate) use attribute::*;
pub(crate) use call::*;
pub(crate) use folder::{aclopLoad, aclopSetModelDir};
pub(crate) use handle::{
    aclopCreateHandle, aclopCreateHandleForCast, aclopDestroyHandle, aclopExecWithHandle,
};
pub(crate) use option::*;
