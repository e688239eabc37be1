//! How ranks join by a rank table.
//!
//! The first rank to come makes a root information, and gives it to the others through a socket whose name follows
//! from the table. The name is in the abstract space of Linux, so no file is left behind.

use std::ffi::{CStr, OsStr, c_char};
use std::io::{self, ErrorKind, Read, Write};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ascendcl_sys::{HCCL_E_INTERNAL, HCCL_E_TCP_CONNECT, HcclComm, HcclCommConfig, HcclResult};

use super::blob::{Root, WRITTEN};
use super::join::{Joiner, meet, open};
use super::limits::{Limits, limits};
use super::listener;
use super::rendezvous::Refusal;
use super::world::World;
use super::{are_null, code, config, device, pointers, refuse, table, wrong};
use crate::check::issuer;
use crate::sync::threads;

/// The name of the communicator, if the rank chooses no other one.
const NAME: &str = "hccl_world_group";
/// The longest path of a table.
const LONGEST: usize = 4096;
/// The time between two attempts to reach the first rank.
const LOOK: Duration = Duration::from_millis(2);
/// The time that a connection has.
const PATIENCE: Duration = Duration::from_secs(1);

/// Returns the address of the first rank of a table. Jobs with other tables, other paths or another port do not meet.
fn address(path: &Path, text: &str) -> io::Result<SocketAddr> {
    let path = path.canonicalize()?;
    let port = std::env::var_os("HCCL_IF_BASE_PORT").unwrap_or_default();
    let parts = [
        path.as_os_str().as_bytes(),
        text.as_bytes(),
        port.as_bytes(),
    ];
    // FNV-1a, whose numbers are the same in all programs.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in parts.join(&0) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    SocketAddr::from_abstract_name(format!("ascendcl-emulator-ranks-{hash:016x}"))
}

/// The first rank of a table. The others do not find it any more when this is dropped.
#[derive(Debug)]
struct First {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
}

impl First {
    /// Becomes the first rank, unless there is one.
    fn new(
        address: &SocketAddr,
        root: impl FnOnce() -> Result<Root, Refusal>,
    ) -> io::Result<Result<(First, Root), Refusal>> {
        let listener = UnixListener::bind_addr(address)?;
        let root = match root() {
            Ok(root) => root,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let is_over = Arc::new(AtomicBool::new(false));
        let (over, bytes) = (Arc::clone(&is_over), root.bytes());
        let serve = move || {
            while let Ok((mut stream, _)) = listener.accept() {
                if over.load(Ordering::Acquire) {
                    return;
                }
                let _ = stream.set_write_timeout(Some(PATIENCE));
                // A rank that has gone needs no answer.
                let _ = stream.write_all(&bytes);
            }
        };
        threads::start(String::from("ascendcl-rank-table"), Box::new(serve));
        let address = address.clone();
        Ok(Ok((First { address, is_over }, root)))
    }
}

impl Drop for First {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        // Wakes the thread.
        let _ = UnixStream::connect_addr(&self.address);
    }
}

/// Asks the first rank for the root information.
fn ask(address: &SocketAddr) -> io::Result<Root> {
    let mut stream = UnixStream::connect_addr(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut bytes = [0; WRITTEN];
    stream.read_exact(&mut bytes)?;
    Root::read(&bytes).ok_or_else(|| io::Error::from(ErrorKind::InvalidData))
}

/// Waits for the other ranks of a table.
fn gather(address: &SocketAddr, of: Joiner, limits: Limits) -> Result<Arc<World>, Refusal> {
    let until = Instant::now() + limits.join;
    loop {
        let left = Limits {
            join: until.saturating_duration_since(Instant::now()),
            ..limits
        };
        let met = match First::new(address, || listener::make(of.device)) {
            Ok(first) => {
                // The others find the first rank until all have come.
                let (_first, root) = first?;
                return meet(&root, of, left);
            }
            Err(error) if error.kind() == ErrorKind::AddrInUse => match ask(address) {
                Ok(root) => meet(&root, of, left),
                Err(error) => Err(Refusal::new(HCCL_E_TCP_CONNECT, error.to_string())),
            },
            Err(error) => Err(Refusal::new(HCCL_E_TCP_CONNECT, error.to_string())),
        };
        match met {
            // The first rank of an earlier communicator of this table, which ends.
            Err(refusal) if refusal.code == HCCL_E_TCP_CONNECT && Instant::now() < until => {
                thread::sleep(LOOK);
            }
            met => return met,
        }
    }
}

/// Joins the communicator of a rank table.
///
/// # Safety
///
/// - `clusterInfo` is null or a C string, and `comm` is null or valid for a write.
/// - `config` is `None` for a call that has no options. Otherwise it is null or valid, as its type says.
unsafe fn join_cluster(
    call: &'static str,
    clusterInfo: *const c_char,
    rank: u32,
    config: Option<*const HcclCommConfig>,
    comm: *mut HcclComm,
) -> Result<(), HcclResult> {
    let current = device(call)?;
    let arguments = are_null![clusterInfo, comm];
    pointers(call, &arguments)?;
    let chosen = match config {
        // SAFETY: the caller's contract.
        Some(config) => unsafe { config::name(call, config) }?,
        None => String::new(),
    };
    let limits = limits(call)?;
    // SAFETY: not null; the caller's contract.
    let path = unsafe { CStr::from_ptr(clusterInfo) };
    let unloaded = |text: String| refuse(HCCL_E_INTERNAL, format_args!("{call} failed: {text}"));
    if path.is_empty() || path.count_bytes() > LONGEST {
        return Err(unloaded(format!(
            "the path of the rank table has {} bytes; pass a path of 1 to {LONGEST} bytes",
            path.count_bytes()
        )));
    }
    let path = Path::new(OsStr::from_bytes(path.to_bytes()));
    let text = table::load(path).map_err(unloaded)?;
    let table = table::parse(&text).map_err(unloaded)?;
    let size = u32::try_from(table.len()).unwrap_or(u32::MAX);
    let Some(placed) = table.get(rank as usize) else {
        return Err(wrong(
            call,
            format_args!(
                "rank is {rank}; the rank table has {size} ranks, from 0; add a device with the rank_id {rank}"
            ),
        ));
    };
    if placed.device != current.device() {
        return Err(wrong(
            call,
            format_args!(
                "the device_id of rank {rank} is {}, and the current device is {}; call aclrtSetDevice with the \
                 device of the rank, or change the rank table",
                placed.device,
                current.device()
            ),
        ));
    }
    let of = Joiner {
        rank,
        size,
        server: placed.server,
        device: placed.device,
    };
    let address = address(path, &text).map_err(|error| unloaded(error.to_string()))?;
    let name = if chosen.is_empty() {
        NAME.to_owned()
    } else {
        chosen
    };
    let joined = open(call, issuer(call).as_ref(), name, of, true, || {
        gather(&address, of, limits).map_err(|refusal| refusal.of(call))
    });
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { comm.write(joined?) };
    Ok(())
}

pub(crate) unsafe extern "C" fn HcclCommInitClusterInfo(
    clusterInfo: *const c_char,
    rank: u32,
    comm: *mut HcclComm,
) -> HcclResult {
    let call = "HcclCommInitClusterInfo";
    // SAFETY: the caller's contract.
    code(unsafe { join_cluster(call, clusterInfo, rank, None, comm) })
}

pub(crate) unsafe extern "C" fn HcclCommInitClusterInfoConfig(
    clusterInfo: *const c_char,
    rank: u32,
    config: *mut HcclCommConfig,
    comm: *mut HcclComm,
) -> HcclResult {
    let call = "HcclCommInitClusterInfoConfig";
    // SAFETY: the caller's contract.
    code(unsafe { join_cluster(call, clusterInfo, rank, Some(config), comm) })
}
