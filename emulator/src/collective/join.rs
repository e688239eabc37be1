//! How ranks join: by root information, or all ranks of a process at once.

use std::ptr;
use std::sync::Arc;

use ascendcl_sys::{
    HCCL_E_INTERNAL, HCCL_E_TCP_CONNECT, HcclComm, HcclCommConfig, HcclResult, HcclRootInfo,
};

use super::blob::{self, Root};
use super::connections::Connections;
use super::element::{Product, product};
use super::handle::{Communicator, KIND};
use super::limits::{Limits, limits};
use super::listener::{self, Met, listen};
use super::net::{ALL, Net};
use super::rendezvous::Refusal;
use super::world::World;
use super::{are_null, code, config, device, group, null, pointers, refuse, unsupported, wrong};
use crate::check::{self, Site, issuer};
use crate::device::set_for_library;
use crate::engine::engine;
use crate::results::list_of;
use crate::sorted::SortedSet;
use crate::sync::threads::together;

/// Makes a root information.
///
/// # Safety
///
/// - `rootInfo` is null or valid for a write.
unsafe fn make_root(call: &str, rootInfo: *mut HcclRootInfo) -> Result<(), HcclResult> {
    let current = device(call)?;
    if rootInfo.is_null() {
        return Err(null(call, "rootInfo"));
    }
    limits(call)?;
    let root = listener::make(current.device()).map_err(|refusal| refusal.of(call))?;
    let bytes = root.bytes();
    // SAFETY: not null; the caller's contract: valid for a write of 4108 bytes, of which these are the first.
    unsafe {
        rootInfo
            .cast::<u8>()
            .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
    }
    Ok(())
}

pub(crate) unsafe extern "C" fn HcclGetRootInfo(rootInfo: *mut HcclRootInfo) -> HcclResult {
    // SAFETY: the caller's contract.
    code(unsafe { make_root("HcclGetRootInfo", rootInfo) })
}

pub(crate) unsafe extern "C" fn HcclGetRootInfoScalable(rootInfo: *mut HcclRootInfo) -> HcclResult {
    let call = "HcclGetRootInfoScalable";
    // SAFETY: the caller's contract.
    code(scalable(call).and_then(|()| unsafe { make_root(call, rootInfo) }))
}

/// Refuses several root informations on products that join by one.
fn scalable(call: &str) -> Result<(), HcclResult> {
    match product() {
        Product::A2 | Product::A3 => Ok(()),
        _ => Err(unsupported(
            call,
            format_args!(
                "products of the A2 and A3 series only join by several root informations; call HcclGetRootInfo and \
                 HcclCommInitRootInfoConfig"
            ),
        )),
    }
}

/// A rank that joins: its number, the number of ranks, its server and its device.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joiner {
    pub(super) rank: u32,
    pub(super) size: u32,
    /// The number of its server in the rank table, or 0.
    pub(super) server: u32,
    pub(super) device: u32,
}

/// Joins as a rank with a name, and returns the communicator. `world` waits for the other ranks, maybe on another thread than
/// that of the call `issuer`.
pub(super) fn open(
    call: &str,
    issuer: Option<&Arc<Site>>,
    name: String,
    of: Joiner,
    is_global: bool,
    world: impl FnOnce() -> Result<Arc<World>, HcclResult>,
) -> Result<HcclComm, HcclResult> {
    Communicator::claim(call, of.device, &name)?;
    match world() {
        Ok(world) => {
            let ranks = (of.rank, of.size);
            let comm = Communicator::open(world, name, ranks, of.device, is_global);
            if let Some(site) = issuer {
                check::note(&|checker| {
                    checker.created_on(of.device, comm.addr(), KIND, Arc::clone(site))
                });
            }
            Ok(comm)
        }
        Err(code) => {
            Communicator::disclaim(of.device, &name);
            Err(code)
        }
    }
}

/// Checks the number of a rank.
pub(super) fn numbered(call: &str, rank: u32, size: u32) -> Result<(), HcclResult> {
    if size == 0 {
        return Err(wrong(
            call,
            format_args!("nRanks is 0; pass the number of ranks"),
        ));
    }
    if rank >= size {
        return Err(wrong(
            call,
            format_args!("rank is {rank} of {size} ranks; the numbers begin with 0"),
        ));
    }
    Ok(())
}

/// Waits for the other ranks of a root, which may be in several processes.
pub(super) fn meet(root: &Root, of: Joiner, limits: Limits) -> Result<Arc<World>, Refusal> {
    let listener = listen().and_then(|listener| Ok((listener.local_addr()?.port(), listener)));
    let (port, listener) = listener.map_err(|error| {
        Refusal::new(
            HCCL_E_TCP_CONNECT,
            format!("rank {} opens no port of this machine: {error}", of.rank),
        )
    })?;
    match listener::meet(root, of, port, limits)? {
        Met::Together(world) => Ok(world),
        Met::Apart(ports) => {
            let net = Net::connect(of.rank, &ports, &root.secret, &listener, limits)?;
            let connections =
                Connections::new(&net, ALL.to_owned(), (0..of.size).collect(), of.rank);
            let world = World::apart(limits, &net, connections);
            net.start(limits)?;
            Ok(world)
        }
    }
}

/// Joins the world of a root information.
///
/// # Safety
///
/// - The pointers are null or valid, as their types say. `config` is null for a call that has no options.
unsafe fn join_root(
    call: &'static str,
    nRanks: u32,
    rootInfo: *const HcclRootInfo,
    rank: u32,
    config: Option<*const HcclCommConfig>,
    comm: *mut HcclComm,
) -> Result<(), HcclResult> {
    let current = device(call)?;
    numbered(call, rank, nRanks)?;
    pointers(call, &are_null![comm, rootInfo])?;
    let chosen = match config {
        // SAFETY: the caller's contract.
        Some(config) => unsafe { config::name(call, config) }?,
        None => String::new(),
    };
    let limits = limits(call)?;
    // SAFETY: not null; the caller's contract.
    let root = unsafe { Root::of(rootInfo) }.ok_or_else(|| {
        refuse(
            HCCL_E_TCP_CONNECT,
            format_args!(
                "{call} failed: rootInfo is no root information of HcclGetRootInfo; pass all of its {} bytes on",
                size_of::<HcclRootInfo>()
            ),
        )
    })?;
    let name = if chosen.is_empty() {
        root.name.clone()
    } else {
        chosen
    };
    let of = Joiner {
        rank,
        size: nRanks,
        server: 0,
        device: current.device(),
    };
    let (out, issuer) = (Out(comm), issuer(call));
    let join = move || {
        let joined = open(call, issuer.as_ref(), name, of, true, || {
            meet(&root, of, limits).map_err(|refusal| refusal.of(call))
        });
        // SAFETY: not null; the caller's contract: valid for a write, in a group until its end.
        unsafe { out.write(joined?) };
        Ok(())
    };
    if group::is_open() {
        group::add_job(current, Box::new(join));
        return Ok(());
    }
    join()
}

/// The place for a handle.
struct Out(*mut HcclComm);

impl Out {
    /// # Safety
    ///
    /// - The place is valid for a write.
    unsafe fn write(self, comm: HcclComm) {
        // SAFETY: the caller's contract.
        unsafe { self.0.write(comm) };
    }
}

// SAFETY: an address, of which only the caller of `write` needs to know that it is valid on that thread.
unsafe impl Send for Out {}

pub(crate) unsafe extern "C" fn HcclCommInitRootInfo(
    nRanks: u32,
    rootInfo: *const HcclRootInfo,
    rank: u32,
    comm: *mut HcclComm,
) -> HcclResult {
    let call = "HcclCommInitRootInfo";
    // SAFETY: the caller's contract.
    code(unsafe { join_root(call, nRanks, rootInfo, rank, None, comm) })
}

pub(crate) unsafe extern "C" fn HcclCommInitRootInfoConfig(
    nRanks: u32,
    rootInfo: *const HcclRootInfo,
    rank: u32,
    config: *const HcclCommConfig,
    comm: *mut HcclComm,
) -> HcclResult {
    let call = "HcclCommInitRootInfoConfig";
    // SAFETY: the caller's contract.
    code(unsafe { join_root(call, nRanks, rootInfo, rank, Some(config), comm) })
}

pub(crate) unsafe extern "C" fn HcclCommInitRootInfoScalable(
    nRanks: u32,
    nRoot: u32,
    rootInfoList: *const HcclRootInfo,
    rank: u32,
    nExtRoot: u32,
    config: *const HcclCommConfig,
    comm: *mut HcclComm,
) -> HcclResult {
    let call = "HcclCommInitRootInfoScalable";
    let join = || {
        device(call)?;
        scalable(call)?;
        numbered(call, rank, nRanks)?;
        if nRoot == 0 || nRoot > nRanks {
            return Err(wrong(
                call,
                format_args!(
                    "nRoot is {nRoot} of {nRanks} ranks; pass the number of root informations"
                ),
            ));
        }
        if nExtRoot != 0 {
            return Err(wrong(
                call,
                format_args!("nExtRoot is {nExtRoot}; pass 0, as there is one level of roots"),
            ));
        }
        // SAFETY: the caller's contract; the first of `nRoot` root informations, or null.
        unsafe { join_root(call, nRanks, rootInfoList, rank, Some(config), comm) }?;
        for index in 1..nRoot as usize {
            // SAFETY: not null, or the rank had not joined; the caller's contract: `nRoot` root informations.
            let other = unsafe { Root::of(rootInfoList.wrapping_add(index)) };
            // No rank comes to it.
            other.iter().for_each(listener::forget);
        }
        Ok(())
    };
    code(join())
}

/// Joins all ranks of a process, each on a thread that takes its device into use, as the library does.
pub(crate) unsafe extern "C" fn HcclCommInitAll(
    ndev: u32,
    devices: *mut i32,
    comms: *mut HcclComm,
) -> HcclResult {
    let call = "HcclCommInitAll";
    let join_all = || {
        device(call)?;
        if ndev == 0 {
            return Err(wrong(
                call,
                format_args!("ndev is 0; pass the number of devices"),
            ));
        }
        pointers(call, &are_null![comms, devices])?;
        // Before any of them is read: so many devices cannot all be different.
        let most = engine().devices.len();
        if ndev as usize > most {
            return Err(wrong(
                call,
                format_args!("ndev is {ndev}; this machine has {most} devices"),
            ));
        }
        // SAFETY: not null; the caller's contract: `ndev` numbers.
        let devices = unsafe { std::slice::from_raw_parts(devices, ndev as usize) };
        if devices.iter().collect::<SortedSet<_>>().len() != devices.len() {
            return Err(wrong(
                call,
                format_args!("devices names a device twice; each rank has a device of its own"),
            ));
        }
        for rank in 0..devices.len() {
            // SAFETY: not null; the caller's contract: room for `ndev` handles.
            unsafe { comms.wrapping_add(rank).write(ptr::null_mut()) };
        }
        let joined = open_all(call, devices)?;
        for (rank, comm) in joined.into_iter().enumerate() {
            let comm = ptr::without_provenance_mut(comm);
            // SAFETY: not null; the caller's contract: room for `ndev` handles.
            unsafe { comms.wrapping_add(rank).write(comm) };
        }
        Ok(())
    };
    code(join_all())
}

/// Returns a communicator for each device, as an address.
fn open_all(call: &'static str, devices: &[i32]) -> Result<Vec<usize>, HcclResult> {
    let failed = |device: i32| {
        refuse(
            HCCL_E_INTERNAL,
            format_args!(
                "{call} failed: device {device} cannot be used; this machine has {} devices, from 0",
                engine().devices.len()
            ),
        )
    };
    for id in devices {
        let used = usize::try_from(*id)
            .ok()
            .and_then(|id| engine().devices.get(id));
        if used.is_none() {
            return Err(failed(*id));
        }
    }
    let limits = limits(call)?;
    let issuer = issuer(call);
    let world = World::new(limits);
    let first = devices.first().copied().unwrap_or(0);
    let name = blob::name(blob::NO_PORT, u32::try_from(first).unwrap_or(0));
    let size = u32::try_from(devices.len()).unwrap_or(u32::MAX);
    let join = |rank: u32, id: i32| -> Result<usize, HcclResult> {
        set_for_library(call, id).map_err(|_| failed(id))?;
        let device = u32::try_from(id).unwrap_or(0);
        let of = Joiner {
            rank,
            size,
            server: 0,
            device,
        };
        let world = || world.join(call, size, rank).map(|()| Arc::clone(&world));
        open(call, issuer.as_ref(), name.clone(), of, true, world).map(|comm| comm.addr())
    };
    let join = &join;
    let mut works: Vec<Box<dyn FnOnce() -> Option<usize> + Send>> = Vec::new();
    for (rank, id) in (0..).zip(devices) {
        works.push(Box::new(move || join(rank, *id).ok()));
    }
    let joined = list_of(together(works).into_iter().flatten().flatten());
    if joined.len() == devices.len() {
        return Ok(joined);
    }
    for comm in joined {
        Communicator::close(comm);
    }
    Err(refuse(
        HCCL_E_INTERNAL,
        format_args!(
            "{call} failed: a rank could not join; pass devices without a communicator of the same name"
        ),
    ))
}
