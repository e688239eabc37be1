//! Handles: numbers that name the program's objects and are no addresses.
//!
//! `slots` is for objects that threads use all the time (streams, events, contexts, blocks of memory), `registry` for
//! those that a lock may guard. `beside` keeps what few objects have.

pub(crate) mod beside;
pub(crate) mod registry;
pub(crate) mod slots;
