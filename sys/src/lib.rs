//! Raw bindings to AscendCL, the C runtime of Huawei Ascend NPUs (CANN 8.1 to 9.x).
#![expect(
    non_camel_case_types,
    non_snake_case,
    reason = "the names of C are kept"
)]

pub mod absent;
mod api;
#[cfg(feature = "config")]
pub mod config;
pub mod functions;
#[cfg(feature = "linked")]
mod link;
#[cfg(feature = "loaded")]
mod load;
mod operator;
pub mod parameter;
mod release;
pub mod status;
pub mod structs;
pub mod types;

pub use api::{AlreadyInstalled, Api, Origin, installed};
pub use functions::{
    callback::*, context::*, device::*, event::*, log::*, media::*, memory::*, model::*, op::*,
    runtime::*, stream::*,
};
#[cfg(feature = "loaded")]
pub use load::LoadError;
pub use operator::{FindOperator, Operator, aclnnLaunch, operator};
pub use status::*;
pub use structs::*;
pub use types::*;
