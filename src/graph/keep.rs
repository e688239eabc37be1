//! What a graph keeps besides the memory of the program: its instances, and what its recordings have made and dropped.

use std::fmt;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::device::{Core, in_context};
use crate::error::{Error, Result, Usage};
use crate::park::{self, Parked, Parking, StreamKey};
use crate::raw::check;
use crate::release;

/// The call that destroys an instance.
const DESTROY: &str = "aclmdlRIDestroy";

/// # Invariants
///
/// - `first` and `others` are complete instances of the context of `core`, and nothing else destroys them.
/// - What the recordings have dropped, and their events and functions, is parked under their numbers.
pub(crate) struct Keep {
    /// The instance of the first recording.
    first: sys::aclmdlRI,
    /// Those of the further recordings.
    others: Vec<sys::aclmdlRI>,
    /// The numbers of the complete recordings.
    recordings: Vec<u64>,
    /// The number of the graph: the key of its memory when it ends. What a recording has dropped has the recording's.
    number: u64,
    /// The instance of the first recording, where an update was broken off: an operator may be half the old one.
    torn: Option<sys::aclmdlRI>,
    core: Arc<Core>,
}

// SAFETY: any thread may run and destroy an instance whose context is current (`Keep::destroy` makes it so).
unsafe impl Send for Keep {}
// SAFETY: `&Keep` only reads the handles.
unsafe impl Sync for Keep {}

impl Keep {
    /// One without instances, for a graph that is about to be recorded.
    pub(crate) fn new(core: Arc<Core>) -> Keep {
        Keep {
            first: core::ptr::null_mut(),
            others: Vec::new(),
            recordings: Vec::new(),
            number: park::number(),
            torn: None,
            core,
        }
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn len(&self) -> usize {
        self.recordings.len()
    }

    /// Whether this is the number of a complete recording of this graph.
    pub(crate) fn has(&self, recording: u64) -> bool {
        self.recordings.contains(&recording)
    }

    /// Takes the complete instance of a recording with that number.
    pub(crate) fn push(&mut self, instance: sys::aclmdlRI, recording: u64) {
        // INVARIANT: the caller gives the instance up.
        self.recordings.push(recording);
        if self.recordings.len() == 1 {
            self.first = instance;
        } else {
            self.others.push(instance);
        }
    }

    /// Destroys the second streams of a recording that has ended. Its context is current.
    pub(crate) fn end_forks(&self) {
        // SAFETY: streams of forks, which no capture has any more. The memory of the graph gets this key when it ends.
        unsafe { self.core.parking().free_recorded(&[self.number]) };
    }

    /// The keys of what lives as long as the graph: its own number for its memory, and those of its recordings.
    fn keys(&self) -> Vec<u64> {
        [self.number]
            .into_iter()
            .chain(self.recordings.iter().copied())
            .collect()
    }

    /// The instance of the first recording, which every graph has. It is null where an update was broken off.
    #[inline(always)]
    pub(crate) fn first(&self) -> sys::aclmdlRI {
        self.first
    }

    /// The instance of the recording number `index`.
    pub(crate) fn nth(&self, index: usize) -> Result<sys::aclmdlRI> {
        if self.torn.is_some() {
            return Err(Usage::TornGraph.into());
        }
        let instance = match index.checked_sub(1) {
            None => Some(self.first),
            Some(other) => self.others.get(other).copied(),
        };
        let of = self.len();
        instance.ok_or_else(|| Usage::Recording { index, of }.into())
    }

    /// Notes that an update was broken off. No recording of the graph runs any more.
    pub(crate) fn tear(&mut self) {
        let first = std::mem::replace(&mut self.first, core::ptr::null_mut());
        self.torn.get_or_insert(first);
    }

    /// Enters that the stream runs the graph from now on.
    pub(crate) fn enters(&self, stream: StreamKey) {
        self.core.host_funcs().graph_enters(self.number, stream);
    }

    /// Leaks and counts the instances and what they use.
    #[cold]
    pub(crate) fn leak(&self, why: &Error) {
        self.recordings.iter().for_each(|_| release::leaked(why));
        self.core.parking().leak_recorded(&self.keys(), why);
    }

    pub(crate) fn parking(&self) -> &Arc<Parking> {
        self.core.parking()
    }

    /// Destroys the instances, and then what they use.
    ///
    /// # Safety
    ///
    /// - No run of the graph is queued.
    pub(crate) unsafe fn destroy(self) -> Result<()> {
        // SAFETY: the caller's contract.
        let parked = unsafe { self.into_parked() };
        // SAFETY: an object that was made above, for which the caller vouches.
        check(DESTROY, unsafe { (parked.free)(parked.pointer) })
    }

    /// Makes a parked object of it, which is destroyed in its context.
    ///
    /// # Safety
    ///
    /// - Whoever frees the object has a proof that no run of the graph is queued.
    pub(crate) unsafe fn into_parked(self) -> Parked {
        let core = Arc::clone(&self.core);
        let bytes = core.parking().recorded_bytes(&self.keys());
        // SAFETY: the instances and the events are of the context of `core` (invariant), and the caller vouches for the rest.
        let parked = unsafe {
            in_context(&core, DESTROY, self, release_kept, |keep, why| {
                keep.leak(why)
            })
        };
        Parked { bytes, ..parked }
    }
}

/// Destroys instances, and then what only they use. If an instance cannot be destroyed, all of it is leaked.
///
/// # Safety
///
/// - No run of the graph is queued, and the context of the graph is current.
unsafe fn release_kept(keep: Keep) -> sys::aclError {
    let mut first = sys::ACL_SUCCESS;
    let instances = keep.others.iter().chain(&keep.torn).chain([&keep.first]);
    for instance in instances.filter(|instance| !instance.is_null()) {
        // SAFETY: a complete instance, of which no run is queued.
        let code = unsafe { sys::aclmdlRIDestroy(*instance) };
        if first == sys::ACL_SUCCESS {
            first = code;
        }
    }
    if first != sys::ACL_SUCCESS {
        keep.leak(&Error::refused(DESTROY, first));
        return first;
    }
    // SAFETY: only the instances have used it, and each is destroyed.
    unsafe { keep.core.parking().free_recorded(&keep.keys()) };
    first
}

impl fmt::Debug for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Graph(number {}, {} recordings)",
            self.number,
            self.len()
        )
    }
}
