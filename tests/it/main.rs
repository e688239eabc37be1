//! The typed API against a backend: the emulator, or the one that `ASCENDCL_BACKEND` names.
//!
//! The state of AscendCL belongs to the process, so each test runs in a process of its own (see `common`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod attach;
mod callback;
mod callback_exception;
mod callback_report;
mod collective;
mod collective_ends;
mod collective_failures;
mod collective_processes;
mod collective_refused;
mod collective_varied;
mod common;
mod context;
mod context_on;
mod device;
#[cfg(feature = "dlpack")]
mod dlpack;
mod error;
#[cfg(feature = "serde")]
mod error_report;
mod event;
mod event_count;
mod event_notify;
mod failure_mode;
mod failures;
mod flat;
mod flows;
#[cfg(feature = "graphs")]
mod graph;
#[cfg(feature = "graphs")]
mod graph_beside;
#[cfg(all(feature = "graphs", feature = "operators"))]
mod graph_faults;
#[cfg(all(feature = "graphs", feature = "kernels"))]
mod graph_members;
#[cfg(feature = "graphs")]
mod graph_threads;
mod interop;
mod interop_names;
#[cfg(feature = "kernels")]
mod kernel;
mod local;
mod loops;
mod lost_waits;
mod media;
mod media_chips;
mod media_faults;
mod media_second;
mod media_status;
mod media_tasks;
mod memory;
mod memory_alloc;
mod memory_batch;
mod memory_block;
mod memory_copy;
mod memory_pool;
mod memory_reserved;
mod memory_rows;
mod model;
mod model_gears;
mod model_lives;
mod model_load;
mod op;
mod op_arithmetic;
mod op_array;
mod op_attention;
#[cfg(feature = "training")]
mod op_backward;
mod op_compare;
mod op_decided;
mod op_declared;
#[cfg(feature = "more-operators")]
mod op_empty;
#[cfg(feature = "more-operators")]
mod op_experts;
#[cfg(feature = "training")]
mod op_foreach;
mod op_formula;
mod op_function;
#[cfg(all(feature = "more-operators", feature = "training"))]
mod op_further;
#[cfg(feature = "more-operators")]
mod op_fused;
#[cfg(feature = "training")]
mod op_gradient;
#[cfg(feature = "more-operators")]
mod op_grouped;
mod op_image;
#[cfg(feature = "more-operators")]
mod op_inference;
mod op_kinds;
#[cfg(feature = "training")]
mod op_loss;
mod op_mask;
mod op_move;
mod op_norm;
mod op_part;
#[cfg(feature = "training")]
mod op_parts;
mod op_place;
mod op_reduce;
mod op_refused;
mod op_repeatable;
#[cfg(all(feature = "more-operators", feature = "training"))]
mod op_scarce;
#[cfg(feature = "training")]
mod op_sequence;
#[cfg(feature = "training")]
mod op_spread;
mod op_table;
#[cfg(feature = "training")]
mod op_train;
mod op_view;
mod op_workspace;
mod parking;
mod parking_events;
mod peer;
mod pipeline;
mod queue;
mod queue_alloc;
mod queue_moved;
mod queue_op;
mod queue_random;
mod queue_shared;
mod refused_waits;
mod release;
mod release_again;
mod release_limit;
mod release_order;
mod runtime;
mod scope;
mod scope_registered;
mod settings;
mod share;
mod soundness;
mod storm;
mod storm_mixed;
mod storm_waits;
mod stream;
mod stream_abort;
mod stream_branded;
#[cfg(feature = "async")]
mod stream_future;
mod stream_parked;
mod unproven;
mod worker;
mod worker_failures;
