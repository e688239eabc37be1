//! Pools that streams allocate from and free to in their order (`acl/acl_rt_memory_soma.h`, which the manual calls an
//! experiment).
//!
//! The checks and their codes are those of the sources of CANN (July 2026). A pool gives out multiples of 2 MiB. The stream
//! that has allocated memory reuses it at once behind its free, and another stream once the task of the free has run; which
//! stream queues the free does not matter for that, as on a card. `aclrtFree` frees memory of a pool, too.
//!
//! These are assumptions: the codes of a full pool, of a handle that is no pool, and of other numbers for an attribute; that a
//! pool with memory is not destroyed. The threshold is stored, and only `aclrtMemPoolTrimTo` gives memory back to the device.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ascendcl_sys::{
    ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_INVALID_DEVICEID,
    ACL_ERROR_RT_MEMORY_ALLOCATION, ACL_ERROR_RT_PARAM_INVALID, ACL_MEM_ALLOCATION_TYPE_PINNED,
    ACL_MEM_LOCATION_TYPE_DEVICE, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD,
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH,
    ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH, ACL_SUCCESS,
    aclError, aclrtMemPool, aclrtMemPoolAttr, aclrtMemPoolProps, aclrtStream,
};

use crate::check;
use crate::engine::current::current;
use crate::engine::queue::Stream;
use crate::engine::submit::{self, Target, own};
use crate::engine::task::{Fault, Task};
use crate::engine::work::Work;
use crate::object_calls::{Objects, attempt, invalid, invalid_below, not_null, refused};
use crate::ordered::Ordered;
use crate::space::heap::{Heap, Located, Maker};
use crate::space::space;
use crate::sync::{Mutex, lock};

/// The unit of a pool in bytes.
const UNIT: usize = 2 << 20;

static POOLS: Objects<Pool> = Objects::new("memory pool", 0x7e);

/// The handle of the pool of each piece, by address.
static OWNERS: Mutex<Ordered<usize>> = Mutex::new(Ordered::new());

/// Whether any pool was created. A program without pools takes no lock for a free.
static ANY: AtomicBool = AtomicBool::new(false);

#[derive(Debug)]
struct Pool {
    heap: &'static Heap,
    /// The largest size in bytes.
    most: usize,
    pieces: Vec<Piece>,
    /// The first three attributes, and the threshold.
    settings: [u64; 4],
    used_high: usize,
    reserved_high: usize,
}

/// An allocation that a pool has from its device.
#[derive(Debug)]
struct Piece {
    memory: Located,
    /// The stream that allocated it last.
    stream: (u32, u32),
    state: State,
}

#[derive(Debug)]
enum State {
    /// The program has it.
    Used,
    /// The task that frees it is being queued: no task in front of that may get the memory.
    Leaving,
    /// It was freed by a task, which has run if this is true.
    Freed(Arc<AtomicBool>),
}

impl Piece {
    fn is_used(&self) -> bool {
        !matches!(self.state, State::Freed(_))
    }

    /// Takes the piece from the program. Returns `None` if the program does not have it.
    fn leave(&mut self) -> Option<u64> {
        if !matches!(self.state, State::Used) {
            return None;
        }
        self.state = State::Leaving;
        Some(0)
    }

    /// Whether no task of the program is left that may use it.
    fn is_free(&self) -> bool {
        matches!(&self.state, State::Freed(ran) if ran.load(Ordering::Acquire))
    }
}

impl Pool {
    fn used(&self) -> usize {
        self.bytes(&Piece::is_used)
    }

    fn reserved(&self) -> usize {
        self.bytes(&|_| true)
    }

    fn bytes(&self, of: &dyn Fn(&Piece) -> bool) -> usize {
        let mut bytes = 0;
        for piece in &self.pieces {
            if of(piece) {
                bytes += piece.memory.size;
            }
        }
        bytes
    }

    /// Returns the address of memory for a stream: the smallest freed piece that is large enough, or a new one.
    fn take(&mut self, size: usize, stream: (u32, u32)) -> Option<usize> {
        // A reset of the device has freed the pieces of before.
        self.keep(&mut |piece| piece.memory.is_alive());
        let mut smallest: Option<&mut Piece> = None;
        for piece in &mut self.pieces {
            let reusable = piece.is_free() || !piece.is_used() && piece.stream == stream;
            let limit = smallest.as_ref().map_or(usize::MAX, |one| one.memory.size);
            if reusable && (size..limit).contains(&piece.memory.size) {
                smallest = Some(piece);
            }
        }
        let address = if let Some(piece) = smallest {
            (piece.stream, piece.state) = (stream, State::Used);
            piece.memory.start
        } else {
            self.grow(size, stream)?
        };
        self.used_high = self.used_high.max(self.used());
        self.reserved_high = self.reserved_high.max(self.reserved());
        Some(address)
    }

    /// Allocates from the device.
    fn grow(&mut self, size: usize, stream: (u32, u32)) -> Option<usize> {
        if size > self.most.saturating_sub(self.reserved()) {
            self.trim(0);
        }
        if size > self.most.saturating_sub(self.reserved()) {
            return None;
        }
        let address = self.heap.allocate(space().blocks(), size, Maker::Device)?;
        let (_, memory) = space().locate(address).whole(address)?;
        self.pieces.push(Piece {
            memory,
            stream,
            state: State::Used,
        });
        Some(address)
    }

    /// Forgets the other pieces.
    fn keep(&mut self, is_kept: &mut dyn FnMut(&Piece) -> bool) {
        self.pieces.retain(|piece| is_kept(piece));
    }

    /// Gives freed pieces back to the device until no more than so many bytes are left.
    fn trim(&mut self, keep: usize) {
        let mut reserved = self.reserved();
        let heap = self.heap;
        self.keep(&mut |piece| {
            if reserved <= keep || !piece.is_free() {
                return true;
            }
            reserved -= piece.memory.size;
            lock(&OWNERS).remove(piece.memory.start);
            heap.free(space().blocks(), &piece.memory);
            false
        });
    }

    #[expect(clippy::manual_find, reason = "a closure is more to compile")]
    fn piece(&mut self, address: usize) -> Option<&mut Piece> {
        for piece in &mut self.pieces {
            if piece.memory.start == address && piece.memory.is_alive() {
                return Some(piece);
            }
        }
        None
    }
}

/// What `aclrtFree` does with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaves {
    /// Frees it: it is no memory of a pool, or was until now.
    Freed,
    /// Refuses: it was freed to its pool.
    Twice,
}

/// Takes memory out of its pool, which `aclrtFree` frees.
pub(super) fn leaves(address: usize) -> Leaves {
    if !ANY.load(Ordering::Relaxed) {
        return Leaves::Freed;
    }
    let owner = lock(&OWNERS).get(address).copied();
    let Some(pool) = owner.map(ptr::without_provenance::<c_void>) else {
        return Leaves::Freed;
    };
    let left = POOLS.with("aclrtFree", "the pool", pool, &mut |pool| {
        if pool.piece(address).is_some_and(|piece| !piece.is_used()) {
            return None;
        }
        pool.keep(&mut |piece| piece.memory.start != address);
        Some(0)
    });
    match left {
        Ok(None) => return Leaves::Twice,
        Ok(Some(_)) => _ = lock(&OWNERS).remove(address),
        Err(_) => {}
    }
    Leaves::Freed
}

pub(crate) unsafe extern "C" fn aclrtMemPoolCreate(
    memPool: *mut aclrtMemPool,
    poolProps: *const aclrtMemPoolProps,
) -> aclError {
    let call = "aclrtMemPoolCreate";
    attempt!(not_null(call, "memPool", memPool));
    attempt!(not_null(call, "poolProps", poolProps));
    // SAFETY: not null; the caller's contract: valid for a read.
    let props = unsafe { poolProps.read() };
    if props.allocType != ACL_MEM_ALLOCATION_TYPE_PINNED
        || props.location.type_ != ACL_MEM_LOCATION_TYPE_DEVICE
    {
        return invalid(
            call,
            format_args!(
                "allocType is {:?} and the type of location {:?}; pass ACL_MEM_ALLOCATION_TYPE_PINNED and \
                 ACL_MEM_LOCATION_TYPE_DEVICE",
                props.allocType, props.location.type_
            ),
        );
    }
    if props.reserved != [0; 32] {
        return invalid(call, format_args!("reserved has bytes; set them to 0"));
    }
    attempt!(current(call));
    let Some(heap) = space().device(props.location.id) else {
        return refused(
            call,
            ACL_ERROR_RT_INVALID_DEVICEID,
            format_args!("there is no device {}", props.location.id),
        );
    };
    let (_, total) = heap.info();
    let most = match props.maxSize {
        0 => Some(total / UNIT * UNIT),
        size => size.checked_next_multiple_of(UNIT),
    };
    let Some(most) = most.filter(|most| *most <= total) else {
        return invalid_below(
            call,
            format_args!(
                "maxSize is {}, and the device has {total} bytes",
                props.maxSize
            ),
        );
    };
    ANY.store(true, Ordering::Relaxed);
    let pool = Pool {
        heap,
        most,
        pieces: Vec::new(),
        settings: [0; 4],
        used_high: 0,
        reserved_high: 0,
    };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { memPool.write(POOLS.create(call, pool)) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtMemPoolDestroy(memPool: aclrtMemPool) -> aclError {
    let call = "aclrtMemPoolDestroy";
    attempt!(not_null(call, "memPool", memPool));
    attempt!(current(call));
    let used = attempt!(find(call, memPool, &mut |pool| {
        pool.keep(&mut |piece| piece.memory.is_alive());
        let used = pool.used();
        if used == 0 {
            // The tasks that free to it, and the work in front of them.
            check::tell(call, &|checker, site| {
                checker.destroying(memPool.addr(), &site);
            });
            let heap = pool.heap;
            pool.keep(&mut |piece| {
                lock(&OWNERS).remove(piece.memory.start);
                heap.free(space().blocks(), &piece.memory);
                false
            });
        }
        Some(used as u64)
    }));
    if let Some(used @ 1..) = used {
        return invalid_below(
            call,
            format_args!("the program has {used} bytes of the pool; free them first"),
        );
    }
    POOLS.destroy(call, "memPool", memPool)
}

/// Uses a pool. All uses return one type, so that the compiler has one function for them.
fn find(
    call: &str,
    pool: aclrtMemPool,
    work: &mut dyn FnMut(&mut Pool) -> Option<u64>,
) -> Result<Option<u64>, aclError> {
    POOLS.with(call, "memPool", pool, work).map_err(|code| {
        // The runtime finds out, and not the layer above it.
        if code == ACL_ERROR_INVALID_PARAM {
            ACL_ERROR_RT_PARAM_INVALID
        } else {
            code
        }
    })
}

/// The number of an attribute among those that a pool stores, and whether it has 64 bits.
fn setting(attr: aclrtMemPoolAttr) -> Option<(usize, bool)> {
    let index = (attr.0 as usize)
        .checked_sub(1)
        .filter(|index| *index < 4)?;
    Some((index, attr == ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD))
}

pub(crate) unsafe extern "C" fn aclrtMemPoolSetAttr(
    memPool: aclrtMemPool,
    attr: aclrtMemPoolAttr,
    value: *mut c_void,
) -> aclError {
    let call = "aclrtMemPoolSetAttr";
    attempt!(not_null(call, "memPool", memPool));
    if value.is_null() {
        return invalid_below(call, format_args!("value is NULL"));
    }
    attempt!(current(call));
    let is_wide = setting(attr).is_none_or(|(_, is_wide)| is_wide);
    let number = if is_wide {
        // SAFETY: not null; the caller's contract: a `uint64_t` for this attribute.
        unsafe { value.cast::<u64>().read_unaligned() }
    } else {
        // SAFETY: not null; the caller's contract: a `uint32_t` for this attribute.
        u64::from(unsafe { value.cast::<u32>().read_unaligned() } != 0)
    };
    let set = attempt!(find(call, memPool, &mut |pool| {
        match (setting(attr), attr) {
            (Some((index, is_wide)), _) => {
                if is_wide && number > pool.most as u64 {
                    return None;
                }
                *pool.settings.get_mut(index)? = number;
            }
            (None, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH) if number == 0 => {
                pool.reserved_high = 0;
            }
            (None, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH) if number == 0 => {
                pool.used_high = 0;
            }
            _ => return None,
        }
        Some(number)
    }));
    if set.is_none() {
        return invalid_below(
            call,
            format_args!(
                "attr {attr:?} does not take {number}: the threshold is at most the size of the pool, the largest \
                 numbers are set to 0, and the others are only read"
            ),
        );
    }
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtMemPoolGetAttr(
    memPool: aclrtMemPool,
    attr: aclrtMemPoolAttr,
    value: *mut c_void,
) -> aclError {
    let call = "aclrtMemPoolGetAttr";
    attempt!(not_null(call, "memPool", memPool));
    if value.is_null() {
        return invalid_below(call, format_args!("value is NULL"));
    }
    attempt!(current(call));
    let number = attempt!(find(call, memPool, &mut |pool| match attr {
        ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT => Some(pool.reserved() as u64),
        ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH => Some(pool.reserved_high as u64),
        ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT => Some(pool.used() as u64),
        ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH => Some(pool.used_high as u64),
        _ => pool.settings.get(setting(attr)?.0).copied(),
    }));
    let Some(number) = number else {
        return invalid_below(call, format_args!("attr {attr:?} is none"));
    };
    if setting(attr).is_none_or(|(_, is_wide)| is_wide) {
        // SAFETY: not null; the caller's contract: a `uint64_t` for this attribute.
        unsafe { value.cast::<u64>().write_unaligned(number) };
    } else {
        // SAFETY: not null; the caller's contract: a `uint32_t` for this attribute.
        unsafe { value.cast::<u32>().write_unaligned(number as u32) };
    }
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtMemPoolTrimTo(
    memPool: aclrtMemPool,
    minBytesToKeep: usize,
) -> aclError {
    let call = "aclrtMemPoolTrimTo";
    attempt!(not_null(call, "memPool", memPool));
    attempt!(current(call));
    let fits = find(call, memPool, &mut |pool| {
        pool.trim(minBytesToKeep);
        (minBytesToKeep <= pool.most).then_some(0)
    });
    if attempt!(fits).is_none() {
        return invalid_below(
            call,
            format_args!("minBytesToKeep is {minBytesToKeep}, more than the pool can have"),
        );
    }
    ACL_SUCCESS
}

/// A task that allocates or frees memory of a pool.
#[derive(Debug, Clone)]
struct Step {
    call: &'static str,
    /// Set when the task is over.
    over: Option<Arc<AtomicBool>>,
}

impl Step {
    fn end(&self) {
        if let Some(over) = &self.over {
            over.store(true, Ordering::Release);
        }
    }
}

impl Work for Step {
    fn call(&self) -> &'static str {
        self.call
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        self.end();
        Ok(())
    }

    fn abandon(&mut self) {
        self.end();
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}

/// Queues a task of a pool, and tells the checker of it by `tell`.
fn push(
    target: Target,
    step: Step,
    tell: &dyn Fn(&mut check::Checker, u64, Arc<check::Site>),
) -> aclError {
    let call = step.call;
    let told = |number| {
        check::tell(call, &|checker, site| tell(checker, number, site));
    };
    let work: Box<dyn Work> = Box::new(step);
    submit::push_told(call, target, false, &told, |_| Task::Other(work))
}

pub(crate) unsafe extern "C" fn aclrtMemPoolMallocAsync(
    ptr: *mut *mut c_void,
    size: usize,
    memPool: aclrtMemPool,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtMemPoolMallocAsync";
    attempt!(not_null(call, "ptr", ptr));
    attempt!(not_null(call, "memPool", memPool));
    attempt!(not_null(call, "stream", stream));
    if size == 0 {
        return ACL_SUCCESS;
    }
    let target = attempt!(submit::find(call, stream).and_then(|found| own(call, found)));
    let Some(padded) = size.checked_next_multiple_of(UNIT) else {
        return invalid_below(call, format_args!("size is {size}; ask for less than 2^64"));
    };
    let (mut reserved, mut used, mut most) = (0, 0, 0);
    let taken = find(call, memPool, &mut |pool| {
        let address = pool.take(padded, target.key());
        (reserved, used, most) = (pool.reserved(), pool.used(), pool.most);
        address.map(|address| address as u64)
    });
    let Some(address) = attempt!(taken) else {
        return refused(
            call,
            ACL_ERROR_RT_MEMORY_ALLOCATION,
            format_args!(
                "{size} bytes do not fit: the pool has {reserved} of {most} bytes from the device, and the program \
                 {used} of them"
            ),
        );
    };
    let address = address as usize;
    lock(&OWNERS).insert(address, memPool.addr());
    let (step, slot) = (Step { call, over: None }, target.stream.slot());
    let code = push(target, step, &|checker, number, site| {
        checker.pool_gives((slot, number), address, size, site);
    });
    if code != ACL_SUCCESS {
        let give_back = &mut |pool: &mut Pool| {
            if let Some(piece) = pool.piece(address) {
                piece.state = State::Freed(Arc::new(AtomicBool::new(true)));
            }
            None
        };
        let _ = find(call, memPool, give_back);
        return code;
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { ptr.write(ptr::with_exposed_provenance_mut(address)) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtMemPoolFreeAsync(
    ptr: *mut c_void,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtMemPoolFreeAsync";
    attempt!(not_null(call, "ptr", ptr));
    if stream.is_null() {
        return invalid_below(
            call,
            format_args!("stream is NULL; pass a stream that was created"),
        );
    }
    let target = attempt!(submit::find(call, stream).and_then(|found| own(call, found)));
    let address = ptr.addr();
    let owner = lock(&OWNERS).get(address).copied();
    let freed = owner.map(|pool| {
        let pool = ptr::without_provenance_mut(pool);
        find(call, pool, &mut |pool| pool.piece(address)?.leave())
    });
    let found = match freed {
        Some(freed) => attempt!(freed),
        None => match space().locate(address).whole(address) {
            Some((_, memory)) if memory.kind == Maker::Device => {
                return refused(
                    call,
                    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    format_args!(
                        "the emulator frees only memory of pools in the order of a stream"
                    ),
                );
            }
            _ => None,
        },
    };
    if found.is_none() {
        let why = "is no memory that a pool has given out";
        check::tell(call, &|checker, site| {
            checker.free_refused(address, why, site);
        });
        return invalid_below(call, format_args!("{address:#x} {why}"));
    }
    let (over, slot) = (Arc::new(AtomicBool::new(false)), target.stream.slot());
    let step = Step {
        call,
        over: Some(Arc::clone(&over)),
    };
    let code = push(target, step, &|checker, number, site| {
        checker.uses_object(owner.unwrap_or(0), slot, number, Arc::clone(&site));
        checker.pool_takes((slot, number), address, site);
    });
    let settle = &mut |pool: &mut Pool| {
        pool.piece(address)?.state = match code {
            ACL_SUCCESS => State::Freed(Arc::clone(&over)),
            _ => State::Used,
        };
        None
    };
    let pool = ptr::without_provenance_mut(owner.unwrap_or(0));
    let _ = find(call, pool, settle);
    code
}
