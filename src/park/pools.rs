//! Memory of pools: the pool that it keeps alive, and the stream in whose order it can be freed.
//!
//! A pool reuses memory in the order of the stream that has allocated it, and looks at no other one (sources of the CANN
//! runtime, July 2026). So only memory that is dropped on that stream is freed there. All other memory is parked, and freed
//! behind a proof.

use std::any::Any;
use std::ffi::c_void;
use std::mem;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ascendcl_sys as sys;

use crate::park::{Key, StreamKey, User};
use crate::raw::{Handle, bound_device, in_host_func};
use crate::release;
use crate::sync::{Condvar, Mutex, MutexGuard, Ordering, lock, shared, unpoisoned};

/// What keeps a pool: the last that lets it go destroys it.
pub(crate) type Keeps = Arc<dyn Any + Send + Sync>;

/// A stream: the key of its device, its own key, and its address.
#[derive(Debug, Clone, Copy)]
struct Home(Key, StreamKey, Handle);

impl Home {
    fn is(&self, device: Key, stream: StreamKey) -> bool {
        self.0 == device && self.1 == stream
    }
}

/// What has to be known of an allocation.
struct Owner {
    pool: Keeps,
    /// The stream that has allocated it, unless that has ended.
    home: Option<Home>,
}

/// The memory that the program has of all pools.
///
/// # Invariants
///
/// - The stream of a home lives: who ends a stream calls [`stream_leaves`] before.
struct Owners {
    /// By address, in order: a search tree would be ten thousand lines for the compiler.
    memory: Vec<(usize, Owner)>,
    /// The streams that frees are being submitted to.
    busy: Vec<(Key, StreamKey)>,
    /// How many threads wait for that: waking nobody would be a call of the system in each free.
    waiting: usize,
    /// The streams that record a graph, whose frees would be recorded too.
    #[cfg(feature = "graphs")]
    paused: Vec<(Key, StreamKey)>,
}

shared! {
    static OWNERS: Mutex<Owners> = Mutex::new(Owners {
        memory: Vec::new(),
        busy: Vec::new(),
        waiting: 0,
        #[cfg(feature = "graphs")]
        paused: Vec::new(),
    });
    /// Notified when a free was submitted.
    static SUBMITTED: Condvar = Condvar::new();
}

/// Whether any pool has given memory out. Without one, the end of a stream takes no lock.
static ANY: AtomicBool = AtomicBool::new(false);

impl Owners {
    /// The place of an address, or where it would be.
    fn place(&self, address: usize) -> Result<usize, usize> {
        self.memory.binary_search_by_key(&address, |(one, _)| *one)
    }

    /// Enters an owner, and returns the one that was there.
    fn insert(&mut self, address: usize, owner: Owner) -> Option<Owner> {
        let older = self.remove(address);
        let (Ok(place) | Err(place)) = self.place(address);
        self.memory.insert(place, (address, owner));
        older
    }

    fn remove(&mut self, address: usize) -> Option<Owner> {
        let place = self.place(address).ok()?;
        let (_, owner) = self.memory.remove(place);
        Some(owner)
    }

    fn frees_to(&self, device: Key, stream: StreamKey) -> bool {
        self.busy.contains(&(device, stream))
    }

    #[cfg(feature = "graphs")]
    fn is_paused(&self, device: Key, stream: StreamKey) -> bool {
        self.paused.contains(&(device, stream))
    }

    #[cfg(not(feature = "graphs"))]
    #[expect(
        clippy::unused_self,
        reason = "with the feature `graphs` streams record"
    )]
    fn is_paused(&self, _: Key, _: StreamKey) -> bool {
        false
    }
}

/// Enters memory that a stream has just allocated from a pool.
///
/// # Safety
///
/// - `raw` is the stream, which this crate has created and which is not the default stream.
/// - The end of the stream calls [`stream_leaves`] first.
pub(crate) unsafe fn enter(
    memory: NonNull<c_void>,
    pool: Keeps,
    device: Key,
    stream: StreamKey,
    raw: Handle,
) {
    // Relaxed: who ends the stream got it behind this call.
    ANY.store(true, Ordering::Relaxed);
    let home = Some(Home(device, stream, raw));
    let owner = Owner { pool, home };
    let older = lock(&OWNERS).insert(memory.addr().get(), owner);
    // Memory that was forgotten, of a device that was reset since. Its pool went with the device.
    mem::forget(older.map(|owner| owner.pool));
}

/// Takes memory out that is about to be freed. The caller drops the pool when it is free.
pub(crate) fn leave(memory: NonNull<c_void>) -> Option<Keeps> {
    let owner = lock(&OWNERS).remove(memory.addr().get());
    owner.map(|owner| owner.pool)
}

/// Frees memory of a pool in the order of the stream that has allocated it, if that stream alone may use it. Returns false if
/// the memory has to be parked.
///
/// # Safety
///
/// - The caller has the memory of a pool, and does not use it again if this returns true.
/// - All work that uses the memory is on the streams `users` of the device, or they have waited for it.
pub(crate) unsafe fn free_in_order(memory: NonNull<c_void>, device: Key, users: &[User]) -> bool {
    let &[Some(stream)] = users else {
        return false;
    };
    // The runtime allows no call in a host function, and needs a context for this one.
    if in_host_func() || bound_device().is_none() {
        return false;
    }
    let address = memory.addr().get();
    let mut owners = lock(&OWNERS);
    let owner = owners.place(address).ok();
    let owner = owner.and_then(|place| owners.memory.get(place));
    let home = owner.and_then(|(_, owner)| owner.home);
    let Some(home) = home.filter(|home| home.is(device, stream)) else {
        return false;
    };
    if owners.is_paused(device, stream) {
        return false;
    }
    let owner = owners.remove(address);
    owners.busy.push((device, stream));
    // Not under the lock: the call may wait for the stream, and a host function of the stream may drop memory.
    drop(owners);
    let Home(.., raw) = home;
    // SAFETY: memory of a pool that nothing frees again, and the stream that has allocated it, which lives (invariant of
    // `Owners`) and does not end before this call is over. Its work that uses the memory was submitted before.
    let code = unsafe { sys::aclrtMemPoolFreeAsync(memory.as_ptr(), raw.as_ptr()) };
    // Another context is current: the runtime has done nothing.
    let is_elsewhere = matches!(
        code,
        sys::ACL_ERROR_RT_STREAM_CONTEXT | sys::ACL_ERROR_RT_CONTEXT_NULL
    );
    let mut owners = lock(&OWNERS);
    let busy = owners.busy.iter();
    let at = busy.clone().position(|busy| *busy == (device, stream));
    at.map(|at| owners.busy.swap_remove(at));
    if owners.waiting > 0 {
        SUBMITTED.notify_all();
    }
    if is_elsewhere {
        owner.map(|owner| owners.insert(address, owner));
        return false;
    }
    drop(owners);
    // After another error the pool may have the memory back. So it is given up, and never freed again.
    release::status_in_drop("aclrtMemPoolFreeAsync", code);
    true
}

/// Enters that a stream ends: from here on no memory is freed in its order. Waits for the frees that are being submitted.
pub(crate) fn stream_leaves(device: Key, stream: StreamKey) {
    if !ANY.load(Ordering::Relaxed) {
        return;
    }
    let mut owners = lock(&OWNERS);
    for (_, owner) in &mut owners.memory {
        if owner.home.is_some_and(|home| home.is(device, stream)) {
            owner.home = None;
        }
    }
    wait_for_frees(owners, device, stream);
}

/// Waits for the frees that are being submitted to a stream.
fn wait_for_frees(mut owners: MutexGuard<'_, Owners>, device: Key, stream: StreamKey) {
    while owners.frees_to(device, stream) {
        owners.waiting += 1;
        owners = unpoisoned(SUBMITTED.wait(owners));
        owners.waiting -= 1;
    }
}

/// A stream that records a graph. Memory that is dropped meanwhile is parked.
#[cfg(feature = "graphs")]
pub(crate) struct Paused(Key, StreamKey);

#[cfg(feature = "graphs")]
impl Paused {
    pub(crate) fn new(device: Key, stream: StreamKey) -> Paused {
        let mut owners = lock(&OWNERS);
        owners.paused.push((device, stream));
        wait_for_frees(owners, device, stream);
        Paused(device, stream)
    }
}

#[cfg(feature = "graphs")]
impl Drop for Paused {
    fn drop(&mut self) {
        let mut owners = lock(&OWNERS);
        let mut paused = owners.paused.iter();
        let at = paused.position(|paused| *paused == (self.0, self.1));
        at.map(|at| owners.paused.swap_remove(at));
    }
}
