//! The engine: streams as queues of tasks, and the threads that run them.
//!
//! `submit` has the checks of every submission, `task` and `queue` are a stream's tasks, `drive`, `schedule` and
//! `patience` say who runs them and when, `worker` and `host_thread` are threads of the emulator, `signal` is what
//! events are. `detour` keeps the rare out of the way of the usual call, `watch` looks at tasks that run.

pub(crate) mod detour;
pub(crate) mod drive;
pub(crate) mod host_thread;
pub(crate) mod patience;
pub(crate) mod queue;
pub(crate) mod schedule;
pub(crate) mod signal;
pub(crate) mod submit;
pub(crate) mod task;
pub(crate) mod watch;
pub(crate) mod worker;
