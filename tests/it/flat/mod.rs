//! Loops that run for ever in a service: no round leaves more behind than the rounds before it.
//!
//! A loop of each area runs with and without failures, and is left at every line. The judge counts what exists behind a round:
//! bytes of the device, parked bytes, allocations, streams, events, contexts, and bytes of the process's heap, in which the
//! tables of this crate are. Nothing is measured in time, and the lazy schedule of the emulator makes each run alike.
//!
//! `ASCENDCL_FLAT_ROUNDS` sets the number of rounds, for example to 20000; 600 is the default. The loops run without the
//! checker, which remembers released objects so that it can tell their story.

mod collectives;
mod contexts;
mod control;
mod events;
#[cfg(feature = "graphs")]
mod graphs;
mod media;
mod memory;
mod streams;
mod work;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ascendcl::bounds::{AnyDevice, StreamTag};
use ascendcl::error::Usage;
use ascendcl::{
    Acl, Current, Device, DeviceTag, HostSide, MemAttr, Npu, Result, Stream, StreamName, Thread,
};

use crate::loops::live_bytes;

pub(crate) type D = Npu<0>;

pub(crate) enum Second {}
impl StreamName for Second {}
pub(crate) enum Third {}
impl StreamName for Third {}

pub(crate) const ROUNDS: usize = 600;

/// How often the number of rounds is doubled until a doubling adds nothing: a table that is full then stays as it is.
const DOUBLINGS: usize = 5;

/// What each figure counts.
const FIGURES: [&str; 8] = [
    "bytes of the device",
    "parked bytes",
    "allocations of the device",
    "allocations of the host",
    "streams",
    "events",
    "contexts",
    "bytes of the heap",
];
type Figures = [usize; FIGURES.len()];

fn figures(used: usize) -> Figures {
    let heap = live_bytes();
    let live = ascendcl::emulator::live();
    [
        used,
        ascendcl::parked_bytes(),
        live.device_blocks,
        live.host_blocks,
        live.streams,
        live.events,
        live.contexts,
        heap,
    ]
}

/// Runs the rounds and twice as many, and returns what the second half has added: for each figure the most behind one of
/// the last rounds, because a loop may have another number of things under way behind each round.
///
/// What grows with each round is in a table that doubles at least once while the number of rounds doubles, so the heap has grown.
/// What is full, or has room for the longest delay, grows no more: so the number of rounds is doubled again, up to five times.
#[expect(
    clippy::print_stdout,
    reason = "the figures, for whoever asks for the output"
)]
pub(crate) fn judge(
    rounds: usize,
    used: &dyn Fn() -> usize,
    round: &mut dyn FnMut(),
) -> std::result::Result<(), String> {
    let mut half = rounds / 2;
    let mut run = |count: usize| {
        let mut most = Figures::default();
        for left in (0..count).rev() {
            round();
            if left < count.min(100) / 2 {
                let now = figures(used());
                most = std::array::from_fn(|at| most[at].max(now[at]));
            }
        }
        most
    };
    let mut before = run(half);
    let mut grown = String::new();
    for _ in 0..DOUBLINGS {
        let after = run(half);
        println!("{} rounds: {before:?}, {after:?}", 2 * half);
        let spare = |at: usize| match FIGURES[at] {
            // A pointer for one of a hundred rounds.
            "bytes of the heap" => half / 100 * size_of::<usize>(),
            _ => 0,
        };
        let mut all = 0..FIGURES.len();
        let Some(at) = all.find(|at| after[*at] > before[*at] + spare(*at)) else {
            return Ok(());
        };
        grown = format!(
            "{} grow: {} behind {half} rounds, {} behind {}",
            FIGURES[at],
            before[at],
            after[at],
            2 * half
        );
        half *= 2;
        before = after;
    }
    Err(grown)
}

/// Fails if the rounds leave anything behind.
#[track_caller]
pub(crate) fn rounds<T: DeviceTag>(current: Current<'_, '_, T>, mut round: impl FnMut()) {
    let used = || {
        let info = current.mem_info(MemAttr::Hbm).unwrap();
        info.total - info.free
    };
    let rounds = std::env::var("ASCENDCL_FLAT_ROUNDS");
    let rounds = rounds.map_or(ROUNDS, |rounds| rounds.parse().unwrap());
    judge(rounds, &used, &mut round).unwrap_or_else(|grown| panic!("{grown}"));
}

/// What a loop gets.
pub(crate) struct Given<'a, 't, 'd> {
    pub(crate) acl: &'a Acl,
    pub(crate) side: HostSide<'a>,
    pub(crate) device: &'d Device<'a, D>,
    pub(crate) current: Current<'t, 'd, D>,
}

/// Runs a loop with a device, and fails if something is left behind the device.
pub(crate) fn on_device(test: impl FnOnce(Given<'_, '_, '_>)) {
    let acl = crate::common::acl();
    let mut thread = Thread::claim().unwrap();
    let device = acl.set_device::<D>(&mut thread, 0).unwrap();
    test(Given {
        acl: &acl,
        side: crate::common::host(&acl),
        device: &device,
        current: thread.set_current(&device).unwrap(),
    });
    // The last failure that no wait has returned comes here.
    let _ = device.reset();
    let left = figures(0);
    assert_eq!(
        left[..FIGURES.len() - 1],
        [0; FIGURES.len() - 1],
        "{FIGURES:?}"
    );
}

/// The lines of a round: it is left at another line each time.
pub(crate) struct Lines {
    round: AtomicUsize,
    left: AtomicUsize,
    count: usize,
}

impl Lines {
    /// For a round that is left at one of so many lines, or not at all.
    pub(crate) fn new(count: usize) -> Lines {
        let (round, left) = Default::default();
        Lines { round, left, count }
    }

    /// A round begins.
    pub(crate) fn begin(&self) {
        let round = self.round.fetch_add(1, Relaxed);
        self.left.store(round % (self.count + 1), Relaxed);
    }

    /// The end of a line: an error if the round is left here.
    pub(crate) fn end(&self) -> Result<()> {
        let left = self.left.load(Relaxed);
        let left = left.checked_sub(1).ok_or(Usage::ThreadClaimed)?;
        self.left.store(left, Relaxed);
        Ok(())
    }
}

/// Fills fresh memory on a stream, and drops it while it is queued.
pub(crate) fn drop_queued<T: AnyDevice, S: StreamTag>(
    stream: &mut Stream<'_, '_, T, S>,
) -> Result<()> {
    let fresh = stream.malloc::<u8>(4096)?;
    stream.memset_async(fresh, 1).map(drop)
}

/// Declares loops, each with the faults that are injected.
macro_rules! loops {
    ($(
        $(#[$meta:meta])*
        $([$faults:literal])? fn $name:ident($given:pat) $body:block
    )*) => { $crate::common::isolated! { $(
        $(#[$meta])*
        [
            "ASCENDCL_BACKEND" = "emulator",
            "ASCENDCL_EMULATOR_CHECK" = "0",
            "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
            "ASCENDCL_EMULATOR_DEVICES" = "3",
            $("ASCENDCL_EMULATOR_FAULTS" = $faults)?
        ]
        on emulator fn $name() {
            $crate::flat::on_device(|$given| $body)
        }
    )* } };
}
pub(crate) use loops;
