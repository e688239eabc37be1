//! The engine: streams as queues of tasks, and the threads that run them.
//!
//! The objects are `device`, `context`, `queue` (a stream) and `signal` (an event). The areas of these names offer
//! them to the program. `current` is the context of a thread, `life` creates and ends streams, `live` counts the
//! objects that exist.
//!
//! The work: `submit` has the checks that all submissions share, `task` the tasks of the engine, `work` the tasks of
//! other areas, `kernel` the operators. `slow_path` keeps rare cases out of the fast path.
//!
//! The threads that run the work: `drive`, `schedule` and `idle_host_func` decide which thread runs a task and when, and
//! `circle` finds waits that never end, and `still` the end of limits without a clock. `worker` and `host_thread` are threads of the emulator. `watch` observes tasks
//! while they run, `failed` reports failed tasks to the program.

mod circle;
pub(crate) mod context;
pub(crate) mod current;
pub(crate) mod device;
pub(crate) mod drive;
pub(crate) mod failed;
pub(crate) mod host_thread;
pub(crate) mod idle_host_func;
pub(crate) mod kernel;
pub(crate) mod life;
pub(crate) mod live;
pub(crate) mod queue;
mod scattered;
pub(crate) mod schedule;
pub(crate) mod signal;
pub(crate) mod slow_path;
mod still;
pub(crate) mod submit;
pub(crate) mod task;
pub(crate) mod watch;
pub(crate) mod work;
pub(crate) mod worker;

use std::sync::OnceLock;

use crate::check;
use crate::config::EmulatorConfig;
use crate::config::chosen::settled;
use crate::fork;
use crate::handles::slots::Slots;
use crate::observe::trace;
use crate::space::space;
use crate::sync::Progress;

use context::Context;
use device::Device;
use host_thread::HostThread;
use queue::Stream;
use schedule::Seeded;
use signal::Event;
use worker::Pool;

/// The state that outlives a call. The first call creates it. It is never dropped, because destructors may still make
/// calls at the end of the process.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) config: &'static EmulatorConfig,
    pub(crate) devices: Box<[Device]>,
    pub(crate) contexts: Slots<Context>,
    pub(crate) streams: Slots<Stream>,
    pub(crate) events: Slots<Event>,
    /// Where threads sleep until a queue goes on, or anything else changes.
    pub(crate) progress: Progress,
    /// Where threads sleep that wait for parts of other ranks alone. A queue that goes on does not wake them: each rank would wake
    /// all others.
    pub(crate) ranks: Progress,
    pub(crate) pool: Pool,
    pub(crate) seeded: Option<Seeded>,
    /// One thread for each device.
    pub(crate) host_threads: Box<[HostThread]>,
}

impl Engine {
    /// Wakes every sleeping thread, after a change that is not the end of a task.
    pub(crate) fn announce(&self) {
        self.progress.announce();
        self.ranks.announce();
    }
}

static ENGINE: OnceLock<Engine> = OnceLock::new();

/// Returns the engine of this process.
#[inline(always)]
pub(crate) fn engine() -> &'static Engine {
    match ENGINE.get() {
        Some(engine) => engine,
        None => first(),
    }
}

#[cold]
fn first() -> &'static Engine {
    fork::used();
    ENGINE.get_or_init(start)
}

/// Starts the parts that the configuration asks for, before any task runs.
fn start() -> Engine {
    let config = settled();
    check::start(config);
    if check::is_on() {
        check::see_dereferences(space());
    }
    trace::start(config);
    watch::start(config);
    Engine {
        config,
        devices: (0..config.devices).map(|_| Device::default()).collect(),
        contexts: Slots::new(),
        streams: Slots::new(),
        events: Slots::new(),
        progress: Progress::default(),
        ranks: Progress::default(),
        pool: Pool::new(config),
        seeded: Seeded::new(config.schedule),
        host_threads: (0..config.devices).map(|_| HostThread::default()).collect(),
    }
}
