//! Handles: numbers that identify the objects of the program and are no addresses.
//!
//! `slots` is for objects that threads use often (streams, events, contexts, blocks of memory), `registry` for
//! objects behind a lock. `side_table` stores values that few objects have, and `named` functions of the program.

pub(crate) mod named;
pub(crate) mod registry;
pub(crate) mod side_table;
pub(crate) mod slots;
