//! The media engine DVPP: decoding, encoding and processing of pictures (`acl/ops/acl_dvpp.h`, `acl/dvpp/hi_dvpp.h`).
//!
//! - `engine`: the trait of what decodes, encodes and scales, and the registered engine;
//! - `product`, `format`, `picture`: what the products accept, the layouts of formats, the checks of the device;
//! - `image`, `colour`, `operate`: pictures outside of device memory, and what is done with them;
//! - `jpeg`, `png`, `decode`: headers, and what both generations decode and encode;
//! - `transfer`: cropping, scaling, converting and pasting, for both generations;
//! - `task`: tasks in a stream; `generation`: which generation a process uses;
//! - first generation: `object`, `description`, `config`, `values`, `channel` (objects), `vpc`, `batch`, `coding` (tasks),
//!   `query` (headers and sizes);
//! - `mpi`: the second generation.
//!
//! The codes and the order of checks of the first generation are those of the sources of CANN (2021-09). They were not
//! observed. The calls check little; strides, alignment, rectangles and memory are checked by the device. Then the wait for
//! the stream fails with 507018, and the description of the output has a status, which is a status code of ACL here.

mod batch;
mod channel;
mod coding;
mod colour;
mod config;
mod decode;
mod description;
mod engine;
mod format;
mod generation;
mod image;
mod jpeg;
mod mpi;
mod object;
mod operate;
mod picture;
mod png;
mod product;
mod query;
mod rows;
mod task;
mod transfer;
mod values;
mod vpc;

pub(crate) use batch::*;
pub(crate) use channel::*;
pub(crate) use coding::*;
pub(crate) use config::*;
pub(crate) use description::*;
pub(crate) use mpi::*;
pub(crate) use query::*;
pub(crate) use values::*;
pub(crate) use vpc::*;

pub use engine::{Engine, register, register_default};
pub use image::Plane;
