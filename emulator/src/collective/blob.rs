//! The root information: the bytes that the root rank makes and every rank gets.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use ascendcl_sys::{HCCL_E_TCP_CONNECT, HcclResult, HcclRootInfo};

use super::refuse;
use super::world::World;
use crate::sync::lock;

/// The address of the root: this process.
const IP: &[u8] = b"127.0.0.1";
/// The first port of the root.
const PORT: u32 = 60_000;
/// The places of the fields in bytes.
const PORT_AT: usize = 64;
const DEPLOY_AT: usize = 68;
const NAME_AT: usize = 72;
const RANK_AT: usize = 200;
/// The number of bytes that the library writes. The others keep their values.
const WRITTEN: usize = 204;

/// The worlds of the root informations of this process.
static WORLDS: Mutex<BTreeMap<String, Arc<World>>> = Mutex::new(BTreeMap::new());
static MADE: AtomicU64 = AtomicU64::new(0);

/// Makes a world, and the first bytes of its root information.
pub(super) fn make(device: u32) -> [u8; WRITTEN] {
    let name = name(device);
    let mut bytes = [0; WRITTEN];
    put(&mut bytes, 0, IP);
    put(&mut bytes, PORT_AT, &PORT.to_ne_bytes());
    put(&mut bytes, DEPLOY_AT, &0_u32.to_ne_bytes());
    put(&mut bytes, NAME_AT, name.as_bytes());
    put(&mut bytes, RANK_AT, &0_u32.to_ne_bytes());
    lock(&WORLDS).insert(name, World::new());
    bytes
}

/// Makes a name for a communicator whose root is this device.
pub(super) fn name(device: u32) -> String {
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    format!("127.0.0.1_{PORT}_{device}_{:020}", number + 1)
}

fn put(bytes: &mut [u8], at: usize, field: &[u8]) {
    for (to, from) in bytes.iter_mut().skip(at).zip(field) {
        *to = *from;
    }
}

/// Returns the world of a root information, and its name.
///
/// # Safety
///
/// `info` points to a root information.
pub(super) unsafe fn world(
    call: &str,
    info: *const HcclRootInfo,
) -> Result<(Arc<World>, String), HcclResult> {
    // SAFETY: the caller's contract. The structure has bytes only, and all values are valid.
    let info = unsafe { info.read() };
    let name = info.internal.iter().skip(NAME_AT).take(RANK_AT - NAME_AT);
    // CAST: `c_char` is one byte.
    let name: Vec<u8> = name.map(|byte| *byte as u8).collect();
    let name = CStr::from_bytes_until_nul(&name).ok();
    let name = name.and_then(|name| name.to_str().ok()).unwrap_or_default();
    let world = lock(&WORLDS).get(name).cloned();
    world.map(|world| (world, name.to_owned())).ok_or_else(|| {
        refuse(
            HCCL_E_TCP_CONNECT,
            format_args!(
                "{call} failed: no call of HcclGetRootInfo of this process has made this root information; the \
                 ranks of the emulator are threads of one process"
            ),
        )
    })
}

/// Returns the world of a part of another world, which the first of its ranks makes.
pub(super) fn part(name: &str) -> Arc<World> {
    let mut worlds = lock(&WORLDS);
    let world = worlds.entry(name.to_owned()).or_insert_with(World::new);
    Arc::clone(world)
}

/// Removes a world whose ranks have joined or have failed to, so that its name can have another one.
pub(super) fn forget(name: &str, world: &Arc<World>) {
    let mut worlds = lock(&WORLDS);
    if worlds
        .get(name)
        .is_some_and(|known| Arc::ptr_eq(known, world))
    {
        worlds.remove(name);
    }
}
