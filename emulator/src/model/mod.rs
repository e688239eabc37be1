//! Models: files of trained networks that are loaded, described and run (`acl/acl_mdl.h`).
//!
//! The emulator runs ONNX files. A card runs offline models, which `atc` compiles from the same files; the emulator
//! recognises them and refuses them. An [`Engine`] computes what the network computes.
//!
//! - `network`: the traits of engines, and the registered engine;
//! - `file`: what kind of file it is; `program` and `gears`: the model in it, with the shapes that it has;
//! - `loaded`: the models by their ids; `load` and `config`: loads, sizes, unloading, options;
//! - `desc` and `shape`: descriptions;
//! - `tensor_desc`, `tensor_set`, `dataset` and `gear`: the operands of a run;
//! - `aipp`: the preprocessing of pictures, which no ONNX file has;
//! - `execute` and `run`: runs.
//!
//! The codes and the order of checks are those of the sources of CANN (GE, 2026-08). They were not observed.

mod aipp;
mod config;
mod dataset;
mod desc;
mod execute;
mod file;
mod gear;
mod gears;
mod load;
mod loaded;
mod network;
mod program;
mod run;
mod shape;
mod tensor_desc;
mod tensor_set;

pub(crate) use aipp::*;
pub(crate) use config::*;
pub(crate) use dataset::*;
pub(crate) use desc::*;
pub(crate) use execute::*;
pub(crate) use gear::*;
pub(crate) use load::*;
pub(crate) use shape::*;
pub(crate) use tensor_desc::*;
pub(crate) use tensor_set::*;

pub use network::{
    Array, Description, Dim, Engine, Network, Output, PATH_KEY, Port, Unreadable, register,
    register_default,
};
