//! The memory behind the pointers of a launch.

use std::cell::{Cell, RefCell};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};

use ascendcl_sys::{ACL_ERROR_RT_PARAM_INVALID, aclError};

use super::function::{Declared, Function};
use super::launch::refuse_arguments;
use super::packed::{Packed, Placeholder};
use super::registered::ParameterKind;
use crate::check::{self, Touch};
use crate::engine::engine;
use crate::error::fail;
use crate::space::place::Place;
use crate::space::{Location, space};

/// Where the memory of a pointer is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Spot {
    /// In device memory.
    Device(Place),
    /// Behind the arguments, from this byte on.
    Arguments(usize),
}

/// The memory behind a pointer of a launch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Memory {
    /// The number of the parameter.
    pub(super) parameter: usize,
    pub(super) spot: Spot,
    /// The address as the program sees it. Memory behind the arguments has the address of this process.
    pub(super) address: usize,
    /// The bytes that the kernel may use.
    pub(super) len: usize,
    /// Whether the program has told these bytes, as with the data of placeholders. Otherwise they are those up to the end of
    /// the allocation.
    pub(super) is_exact: bool,
    kind: ParameterKind,
    pub(super) declared: Option<Declared>,
}

impl Memory {
    /// Returns whether the kernel may write it.
    pub(super) fn is_writable(&self) -> bool {
        self.kind == ParameterKind::Write && self.declared != Some(Declared::In)
    }

    /// Returns whether the program has declared that the kernel writes all of it.
    pub(super) fn is_whole(&self) -> bool {
        self.is_exact && self.declared == Some(Declared::Out)
    }

    /// Returns whether it lies in device memory.
    pub(super) fn is_of_device(&self) -> bool {
        matches!(self.spot, Spot::Device(_))
    }

    /// Returns the end of the memory.
    pub(super) fn end(&self) -> usize {
        self.address.saturating_add(self.len)
    }
}

thread_local! {
    /// The bytes behind the pointers of the next launch of the thread, which takes them. Without a destructor they are also there for
    /// a thread that is ending.
    static LENGTHS: ManuallyDrop<RefCell<Vec<usize>>> = const { ManuallyDrop::new(RefCell::new(Vec::new())) };
}

/// Whether the process has loaded a binary, so that it may launch kernels here.
static WANTED: AtomicBool = AtomicBool::new(false);

/// Notes that the process has loaded a binary.
pub(super) fn want_lengths() {
    WANTED.store(true, Ordering::Relaxed);
}

/// Tells the bytes behind each pointer parameter of the next launch of this thread, in the order of the parameters;
/// [`usize::MAX`] stands for an unknown number. The launch takes them, whether it succeeds or not. Makes no call of C.
#[doc(hidden)]
pub fn lengths(bytes: &[usize]) {
    LENGTHS.with(|all| all.replace(bytes.to_vec()));
}

/// Returns whether [`lengths`] has an effect: a kernel of the emulator may be launched.
#[doc(hidden)]
#[must_use]
#[inline]
pub fn wants_lengths() -> bool {
    WANTED.load(Ordering::Relaxed)
}

/// Takes the lengths of the launch that begins.
pub(super) fn take_lengths() -> Vec<usize> {
    LENGTHS.with(|all| all.take())
}

/// Why the memory of a pointer cannot be used.
pub(super) enum Unusable {
    /// The memory was freed, which the checker has reported.
    Freed(String),
    Wrong(String),
}

impl Unusable {
    /// Refuses a launch.
    pub(super) fn refuse(self, call: &'static str) -> aclError {
        match self {
            Unusable::Freed(text) => fail(
                ACL_ERROR_RT_PARAM_INVALID,
                format_args!("{call} failed: {text}"),
            ),
            Unusable::Wrong(text) => refuse_arguments(call, &text),
        }
    }
}

/// Returns the memory behind each pointer among the arguments. NULL has none.
pub(super) fn all(
    call: &str,
    function: &Function,
    packed: &Packed,
    placeholders: &[Placeholder],
    lengths: &[usize],
) -> Result<Vec<Memory>, Unusable> {
    let kernel = &function.kernel;
    let declared = function.declared();
    let is_told = lengths.len() == kernel.pointers().count();
    let mut lengths = lengths.iter();
    let mut memories = Vec::new();
    for (parameter, known) in kernel.pointers() {
        let told = lengths
            .next()
            .filter(|told| is_told && **told != usize::MAX);
        let mut memory = Memory {
            parameter,
            spot: Spot::Arguments(0),
            address: 0,
            len: 0,
            is_exact: told.is_some(),
            kind: known.kind,
            declared: declared.get(parameter).copied(),
        };
        let mut placed = placeholders.iter();
        if let Some(place) = placed.find(|place| place.parameter == parameter) {
            memory.spot = Spot::Arguments(place.data.start);
            memory.len = told.map_or(place.data.len(), |told| place.data.len().min(*told));
            memory.is_exact = true;
            memories.push(memory);
            continue;
        }
        memory.address = packed.word(known.offset);
        if memory.address == 0 {
            continue;
        }
        let name = kernel.parameter(parameter);
        let room = room(call, function, memory.address).map_err(|why| why.of(&name))?;
        memory.len = match told {
            Some(told) if *told > room => {
                return Err(Unusable::Wrong(format!(
                    "{name} shall have {told} bytes at {:#x}, whose allocation ends after {room}",
                    memory.address
                )));
            }
            Some(told) => *told,
            None => room,
        };
        let place = Place::new(space(), memory.address, memory.len);
        let Some(place) = place else {
            return Err(Unusable::Wrong(format!(
                "{name} is {:#x}, which is no memory of a device",
                memory.address
            )));
        };
        memory.spot = Spot::Device(place);
        memories.push(memory);
    }
    Ok(memories)
}

impl Unusable {
    /// Adds the name of the parameter.
    fn of(self, name: &str) -> Unusable {
        match self {
            Unusable::Freed(text) => Unusable::Freed(format!("{name} is {text}")),
            Unusable::Wrong(text) => Unusable::Wrong(format!("{name} is {text}")),
        }
    }
}

/// Returns the bytes from an address to the end of its allocation.
fn room(call: &str, function: &Function, address: usize) -> Result<usize, Unusable> {
    let (located, device) = match space().locate(address) {
        Location::Device(heap, Some(located)) => (located, Some(heap.index())),
        Location::Registered(located) => (located, None),
        Location::Device(_, None) => {
            // The checker knows whether it was freed.
            let is_freed = Cell::new(false);
            check::tell(call, &|checker, site| {
                is_freed.set(checker.refused(Touch::read(address, 1), site));
            });
            let text = format!("{address:#x}, where no device memory is allocated (any more)");
            return Err(if is_freed.get() {
                Unusable::Freed(text)
            } else {
                Unusable::Wrong(text)
            });
        }
        // Memory of aclrtMallocHost has an address for devices once it is registered.
        Location::Pinned(_, Some(located)) if space().is_registered(address) => (located, None),
        Location::Pinned(..) | Location::Unmapped | Location::Pageable => {
            return Err(Unusable::Wrong(format!(
                "{address:#x}, which is no memory of a device; copy the data to memory of aclrtMalloc, and pass that, or \
                 register memory of the host (aclrtHostRegisterV2)"
            )));
        }
    };
    let own = function.binary.device();
    if let Some(device) = device
        && device != own
        && !is_peer(own, device)
    {
        return Err(Unusable::Wrong(format!(
            "{address:#x}, memory of device {device}, and the kernel runs on device {own}; copy it there, or call \
             aclrtDeviceEnablePeerAccess"
        )));
    }
    // The checker knows the bytes that the program asked for. Those of the allocation are padded.
    let asked = Cell::new(None);
    check::note(&|checker| asked.set(checker.room(address)));
    let padded = located
        .start
        .wrapping_add(located.size)
        .wrapping_sub(address);
    Ok(asked.get().unwrap_or(padded))
}

/// Returns whether a device may access the memory of another one.
fn is_peer(own: u32, other: u32) -> bool {
    let device = engine().devices.get(own as usize);
    device.is_some_and(|device| device.lock().peers.contains(&other))
}

/// Returns the uses of the memories that the checker checks when the launch is queued.
///
/// If the program has told what the kernel does with each byte, as the typed API does, these are certain uses. Otherwise the
/// kernel may use any byte up to the end of the allocation; when it has run, it is known what it used.
pub(super) fn touches(memories: &[Memory]) -> (Vec<Touch>, bool) {
    let is_certain = memories
        .iter()
        .all(|one| !one.is_of_device() || (one.is_exact && one.declared.is_some()));
    let mut touches = Vec::new();
    for one in memories
        .iter()
        .filter(|one| one.is_of_device() && one.len > 0)
    {
        let touch = |write| Touch {
            write,
            dense: is_certain,
            maybe: !is_certain,
            ..Touch::read(one.address, one.len)
        };
        match one.declared {
            Some(Declared::InOut) if is_certain => touches.extend([touch(false), touch(true)]),
            _ => touches.push(touch(one.is_writable())),
        }
    }
    (touches, is_certain)
}
