//! The one emulator of the process.

use std::ffi::CString;
use std::process;
use std::sync::{Mutex, OnceLock};

use crate::callback::Reports;
use crate::check;
use crate::config::EmulatorConfig;
use crate::config::chosen;
use crate::context::Context;
use crate::device::Device;
use crate::engine::host_thread::HostThread;
use crate::engine::queue::Stream;
use crate::engine::schedule::Seeded;
use crate::engine::signal::Event;
use crate::engine::watch;
use crate::engine::worker::Pool;
use crate::handles::slots::Slots;
use crate::observe::trace;
use crate::runtime::Process;
use crate::space::Space;
use crate::sync::Progress;

/// Everything that outlives a call. It is made at the first call and never dropped, because calls may
/// still come from destructors at process exit.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) config: EmulatorConfig,
    pub(crate) soc_name: CString,
    pub(crate) process: Mutex<Process>,
    pub(crate) devices: Box<[Device]>,
    pub(crate) contexts: Slots<Context>,
    pub(crate) streams: Slots<Stream>,
    pub(crate) events: Slots<Event>,
    pub(crate) space: Space,
    pub(crate) progress: Progress,
    pub(crate) pool: Pool,
    pub(crate) seeded: Option<Seeded>,
    /// One for each device.
    pub(crate) host_threads: Box<[HostThread]>,
    pub(crate) reports: Reports,
}

static STATE: OnceLock<State> = OnceLock::new();

/// The emulator of this process.
#[inline(always)]
pub(crate) fn state() -> &'static State {
    match STATE.get() {
        Some(state) => state,
        None => first(),
    }
}

#[cold]
fn first() -> &'static State {
    STATE.get_or_init(start)
}

#[expect(
    clippy::print_stderr,
    reason = "a C caller has no other way to learn of it"
)]
fn start() -> State {
    let config = chosen::freeze().unwrap_or_else(|error| {
        eprintln!("ascendcl-emulator: {error}");
        process::exit(2)
    });
    check::start(&config);
    let space = Space::new(&config);
    if check::is_on() {
        check::see_dereferences(&space);
    }
    trace::start(&config);
    watch::start(&config);
    State {
        soc_name: CString::new(config.soc_name.as_str()).unwrap_or_default(),
        process: Mutex::default(),
        devices: (0..config.devices).map(|_| Device::default()).collect(),
        contexts: Slots::new(),
        streams: Slots::new(),
        events: Slots::new(),
        space,
        progress: Progress::default(),
        pool: Pool::new(&config),
        seeded: Seeded::new(config.schedule),
        host_threads: (0..config.devices).map(|_| HostThread::default()).collect(),
        reports: Reports::default(),
        config,
    }
}
