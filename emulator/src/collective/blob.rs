//! The root information: the bytes that the root makes and every rank gets.

use std::ffi::CStr;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use ascendcl_sys::HcclRootInfo;

/// The address of the root: the ranks of the emulator are on one machine.
const IP: &[u8] = b"127.0.0.1\0";
/// The port in the names of communicators that no other process can join.
pub(super) const NO_PORT: u16 = 60_000;
/// The places of the fields in bytes. The secret lies behind the name, in the same field.
const PORT_AT: usize = 64;
const DEPLOY_AT: usize = 68;
const NAME_AT: usize = 72;
const SECRET_AT: usize = 184;
const RANK_AT: usize = 200;
/// The number of bytes that the library writes. The others keep their values.
pub(super) const WRITTEN: usize = 204;

/// A number that nobody guesses.
pub(super) type Secret = [u8; RANK_AT - SECRET_AT];

/// What the bytes say: where the root waits for the ranks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Root {
    pub(super) port: u16,
    /// The name of the communicator, if no rank chooses another one.
    pub(super) name: String,
    pub(super) secret: Secret,
}

impl Root {
    /// Makes another root at this port, for a device.
    pub(super) fn new(port: u16, device: u32) -> Root {
        // The keys of the hash are random numbers of the operating system.
        let keys = RandomState::new();
        let halves = [keys.hash_one(0), keys.hash_one(1)];
        let mut secret = Secret::default();
        put(&mut secret, 0, &halves[0].to_ne_bytes());
        put(&mut secret, 8, &halves[1].to_ne_bytes());
        Root {
            port,
            name: name(port, device),
            secret,
        }
    }

    /// Returns the first bytes of the root information.
    pub(super) fn bytes(&self) -> [u8; WRITTEN] {
        let mut bytes = [0; WRITTEN];
        put(&mut bytes, 0, IP);
        put(&mut bytes, PORT_AT, &u32::from(self.port).to_ne_bytes());
        put(&mut bytes, DEPLOY_AT, &0_u32.to_ne_bytes());
        put(&mut bytes, NAME_AT, self.name.as_bytes());
        put(&mut bytes, SECRET_AT, &self.secret);
        put(&mut bytes, RANK_AT, &0_u32.to_ne_bytes());
        bytes
    }

    /// Reads the first bytes of a root information; `None` if the emulator has not made them.
    pub(super) fn read(bytes: &[u8; WRITTEN]) -> Option<Root> {
        if !bytes.starts_with(IP) {
            return None;
        }
        let name = CStr::from_bytes_until_nul(bytes.get(NAME_AT..SECRET_AT)?).ok()?;
        let port = u32::from_ne_bytes(*bytes.get(PORT_AT..)?.first_chunk()?);
        Some(Root {
            port: u16::try_from(port).ok()?,
            name: name.to_str().ok()?.to_owned(),
            secret: *bytes.get(SECRET_AT..)?.first_chunk()?,
        })
    }

    /// Reads a root information.
    ///
    /// # Safety
    ///
    /// - `info` points to a root information.
    pub(super) unsafe fn of(info: *const HcclRootInfo) -> Option<Root> {
        // SAFETY: the caller's contract. The structure is longer, has bytes only, and all values are valid.
        let bytes = unsafe { info.cast::<[u8; WRITTEN]>().read() };
        Root::read(&bytes)
    }
}

/// Makes a name for a communicator whose root is this device.
pub(super) fn name(port: u16, device: u32) -> String {
    static MADE: AtomicU64 = AtomicU64::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    format!("127.0.0.1_{port}_{device}_{:020}", number + 1)
}

fn put(bytes: &mut [u8], at: usize, field: &[u8]) {
    for (to, from) in bytes.iter_mut().skip(at).zip(field) {
        *to = *from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_read_as_it_was_written() {
        let root = Root::new(40_000, 7);
        assert_eq!(Root::read(&root.bytes()), Some(root.clone()));
        assert_ne!(Root::new(40_000, 7).secret, root.secret);
        assert_eq!(Root::read(&[1; WRITTEN]), None);
        assert_eq!(Root::read(&[0; WRITTEN]), None);
    }
}
