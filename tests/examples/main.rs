//! The examples as programs: their output, files and exit status, on the emulator.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod allreduce;
mod classify;
mod common;
mod data_transfer;
mod doctor;
mod generate;
mod interop;
mod loaded;
mod model;
mod own_operator;
mod ranks;
mod resources;
mod resources_failures;
mod service;
mod short;
mod storable;
mod train_dp;
mod vector_add;
mod vector_add_refusals;
mod waiting;
