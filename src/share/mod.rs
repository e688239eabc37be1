//! Memory and signals that processes share (`acl/acl_rt.h`; manual chapters 07, 08 and 11-07).
//!
//! One process owns what is shared and makes a key of it. The program sends the bytes of the key to another process, over a pipe
//! for instance, and the other process imports it:
//!
//! | | in the process that owns it | in another process |
//! |---|---|---|
//! | memory, in buffers or at reserved addresses | [`Current::export_memory`]: [`SharedBuf`] with [`Exported`] | [`Current::import_memory`]: [`SharedBuf`] with [`Imported`] |
//! | a notify | [`Current::create_shared_notify`]: [`SharedNotify`] with [`Exported`] | [`Current::import_notify`]: [`SharedNotify`] with [`Imported`] |
//! | an event | [`Current::create_shared_event`]: [`SharedEvent`] with [`Exported`] | [`Current::import_event`]: [`SharedEvent`] with [`Imported`] |
//!
//! No type of this process can say what another process does, and when. So shared memory is reached by copies alone: a copy gives
//! bytes, which are values of every [`Plain`](crate::bounds::Plain) element, whoever writes them meanwhile. Nothing here becomes
//! a reference or an operand of an operator. A notify orders the copies: the process that has
//! created it waits until another one has recorded it. An event orders them too: the process that has created it records it, and any
//! number of others wait.
//!
//! The owner names the processes that may import ([`Importers`]) when it makes the key, so there is no key that nobody can use.

mod event;
mod handle;
mod memory;
mod notify;
mod operand;

use std::ffi::c_char;
use std::marker::PhantomData;

use ascendcl_sys as sys;

pub use self::event::{EventKey, SharedEvent};
pub use self::memory::SharedBuf;
pub use self::notify::SharedNotify;
pub use self::operand::Domain;
use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::raw::check;
use crate::state::Invariant;

/// What this process owns and shares from its device `D`. With [`Reserved<D>`](crate::memory::Reserved) in place of `D` it is memory at
/// reserved addresses, which other processes have by a handle.
///
/// ```
/// use ascendcl::Npu;
/// use ascendcl::share::{Exported, SharedBuf};
///
/// /// Frames that another process reads.
/// type Frames<'dev> = SharedBuf<'dev, Exported<Npu<0>>, u8>;
/// ```
pub struct Exported<D>(PhantomData<Invariant<D>>);

/// What another process owns and this process uses on its device `D`.
///
/// ```
/// use ascendcl::Npu;
/// use ascendcl::share::{Imported, SharedBuf};
///
/// /// Frames that another process writes.
/// type Frames<'dev> = SharedBuf<'dev, Imported<Npu<0>>, u8>;
/// ```
pub struct Imported<D>(PhantomData<Invariant<D>>);

/// The processes that may import: those with these numbers, or every one that gets the key.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::share::Importers;
///
/// let other = current.bare_tgid()?; // a process asks for its own number, and sends it to the owner
/// let one = current.create_shared_notify(Importers::Listed(&[other]))?;
/// let all = current.create_shared_notify(Importers::Any)?;
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Importers<'p> {
    /// The processes with these numbers, each from [`Current::bare_tgid`] in that process.
    Listed(&'p [i32]),
    /// Every process of the server: the validation of numbers is off.
    Any,
}

/// The characters of a key (manual chapters 08 and 11-07).
const KEY: usize = 65;
/// The bytes of a number behind them.
const NUMBER: usize = size_of::<u64>();

/// The key of shared memory: a name of 65 characters, or the number of a handle of physical memory, and the bytes of the memory. Any
/// process may have copies of it.
///
/// ```
/// use ascendcl::share::MemoryKey;
/// use std::io::{Read, Result};
///
/// /// Reads a key that another process has written with `write_all(&key.to_bytes())`.
/// fn receive(mut pipe: impl Read) -> Result<MemoryKey> {
///     let mut bytes = [0; 73];
///     pipe.read_exact(&mut bytes)?;
///     Ok(MemoryKey::from_bytes(bytes))
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryKey {
    /// The characters of C. No name is empty, so zeros in the first places mean a handle: the last places have its number, and how
    /// many more bytes its memory has.
    name: [u8; KEY],
    bytes: u64,
}

impl MemoryKey {
    /// Returns the bytes to send to another process: the 65 characters of C, or a zero and the numbers of a handle in their place, and
    /// the bytes of the memory as 8 bytes, the lowest first.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # use ascendcl::share::{Importers, MemoryKey};
    /// let frames = current.memset(current.malloc::<u8>(4096)?, 0)?;
    /// let frames = current.export_memory(frames, Importers::Any)?;
    /// let bytes: [u8; 73] = frames.key().to_bytes(); // for a pipe
    /// assert_eq!(bytes[65..], 4096_u64.to_le_bytes());
    /// assert_eq!(MemoryKey::from_bytes(bytes), frames.key());
    /// # });
    /// ```
    #[must_use]
    pub fn to_bytes(self) -> [u8; KEY + NUMBER] {
        let mut bytes = [0; KEY + NUMBER];
        let (name, number) = bytes.split_at_mut(KEY);
        name.copy_from_slice(&self.name);
        number.copy_from_slice(&self.bytes.to_le_bytes());
        bytes
    }

    /// Returns the key with these bytes.
    ///
    /// ```
    /// use ascendcl::share::MemoryKey;
    ///
    /// let key = MemoryKey::from_bytes([7; 73]); // no memory has it, so an import is refused
    /// assert_eq!(key.to_bytes(), [7; 73]);
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: [u8; KEY + NUMBER]) -> MemoryKey {
        let (mut name, mut number) = ([0; KEY], [0; NUMBER]);
        let (front, behind) = bytes.split_at(KEY);
        name.copy_from_slice(front);
        number.copy_from_slice(behind);
        MemoryKey {
            name,
            bytes: u64::from_le_bytes(number),
        }
    }

    /// The key of `bytes` bytes in physical memory of `whole` bytes with this handle.
    fn of_handle(handle: u64, whole: usize, bytes: usize) -> MemoryKey {
        let (mut name, bytes) = ([0; KEY], bytes as u64);
        let slack = u128::from((whole as u64).saturating_sub(bytes));
        if let Some(numbers) = name.last_chunk_mut() {
            *numbers = (slack << u64::BITS | u128::from(handle)).to_le_bytes();
        }
        MemoryKey { name, bytes }
    }

    /// Returns the number of the handle, and how many more bytes its memory has. `None` for the key of a buffer.
    fn handle(&self) -> Option<(u64, u64)> {
        let numbers = u128::from_le_bytes(*self.name.last_chunk()?);
        // CAST: splits them.
        let (handle, slack) = (numbers as u64, (numbers >> u64::BITS) as u64);
        let (zeros, _) = self.name.split_at(KEY - size_of::<u128>());
        zeros
            .iter()
            .all(|byte| *byte == 0)
            .then_some((handle, slack))
    }
}

/// The key of a shared notify. Any process may have copies of it.
///
/// ```
/// use ascendcl::share::NotifyKey;
/// use std::io::{Read, Result};
///
/// /// Reads a key that another process has written with `write_all(&key.to_bytes())`.
/// fn receive(mut pipe: impl Read) -> Result<NotifyKey> {
///     let mut bytes = [0; 65];
///     pipe.read_exact(&mut bytes)?;
///     Ok(NotifyKey::from_bytes(bytes))
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotifyKey([u8; KEY]);

impl NotifyKey {
    /// Returns the bytes to send to another process: the 65 characters of C.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # use ascendcl::share::{Importers, NotifyKey};
    /// let filled = current.create_shared_notify(Importers::Any)?;
    /// let bytes: [u8; 65] = filled.key().to_bytes(); // for a pipe
    /// assert_eq!(NotifyKey::from_bytes(bytes), filled.key());
    /// # });
    /// ```
    #[must_use]
    pub fn to_bytes(self) -> [u8; KEY] {
        self.0
    }

    /// Returns the key with these bytes.
    ///
    /// ```
    /// use ascendcl::share::NotifyKey;
    ///
    /// let key = NotifyKey::from_bytes([7; 65]); // no notify has it, so an import is refused
    /// assert_eq!(key.to_bytes(), [7; 65]);
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: [u8; KEY]) -> NotifyKey {
        NotifyKey(bytes)
    }
}

/// The characters of a key as a text of C: a zero stands behind them, whatever the bytes are.
#[derive(Clone, Copy)]
struct Text([u8; KEY + 1]);

impl Text {
    fn of(name: [u8; KEY]) -> Text {
        let mut text = [0; KEY + 1];
        if let Some(front) = text.first_chunk_mut() {
            *front = name;
        }
        Text(text)
    }

    fn as_ptr(&self) -> *const c_char {
        self.0.as_ptr().cast()
    }
}

impl Importers<'_> {
    /// Refuses an empty list: no process could import.
    fn some(self) -> Result<Self> {
        match self {
            Importers::Listed([]) => Err(Usage::NoImporters.into()),
            _ => Ok(self),
        }
    }
}

impl<D: AnyDevice> Current<'_, '_, D> {
    /// Returns the number of this process for [`Importers::Listed`] of another process (`aclrtDeviceGetBareTgid`, pyACL
    /// `acl.rt.device_get_bare_tgid`). In a container or a virtual machine it is not the number that the process itself sees.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let number = current.bare_tgid()?; // send it to the process that owns the memory
    /// assert!(number > 0);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] if an older CANN lacks the function.
    #[doc(alias = "aclrtDeviceGetBareTgid")]
    #[doc(alias = "acl.rt.device_get_bare_tgid")]
    pub fn bare_tgid(self) -> Result<i32> {
        let mut number = 0;
        // SAFETY: `number` is valid for a write.
        let code = unsafe { sys::aclrtDeviceGetBareTgid(&raw mut number) };
        check("aclrtDeviceGetBareTgid", code)?;
        Ok(number)
    }
}
