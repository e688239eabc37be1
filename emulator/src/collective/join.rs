//! How ranks join: by root information, all ranks of a process at once, or as a part of another communicator.

use std::collections::BTreeSet;
use std::ptr;
use std::sync::Arc;
use std::thread;

use ascendcl_sys::{
    ACL_SUCCESS, HCCL_E_INTERNAL, HcclComm, HcclCommConfig, HcclResult, HcclRootInfo,
};

use super::handle::{Communicator, find};
use super::world::World;
use super::{blob, code, config, device, null, pointers, refuse, wrong};
use crate::device::aclrtSetDevice;
use crate::engine::engine;

/// The number of a part that this rank does not belong to.
const NO_PART: u64 = 0xffff_ffff;

pub(crate) unsafe extern "C" fn HcclGetRootInfo(rootInfo: *mut HcclRootInfo) -> HcclResult {
    let call = "HcclGetRootInfo";
    let make = || {
        let current = device(call)?;
        if rootInfo.is_null() {
            return Err(null(call, "rootInfo"));
        }
        let bytes = blob::make(current.device());
        // SAFETY: not null; the caller's contract: valid for a write of 4108 bytes, of which these are the first.
        unsafe {
            rootInfo
                .cast::<u8>()
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        Ok(())
    };
    code(make())
}

/// Joins a world as one rank on a device, and returns the communicator. `key` is the name under which the world is
/// found, if it has one. The key gets another world when the ranks have joined this one, or have failed to.
fn join(
    call: &str,
    (world, key): (&Arc<World>, &str),
    name: String,
    (rank, size): (u32, u32),
    (device, is_global): (u32, bool),
) -> Result<HcclComm, HcclResult> {
    Communicator::claim(call, device, &name)?;
    let joined = world.join(call, size, rank);
    blob::forget(key, world);
    if let Err(code) = joined {
        Communicator::disclaim(device, &name);
        return Err(code);
    }
    Ok(Communicator::open(
        Arc::clone(world),
        name,
        (rank, size),
        device,
        is_global,
    ))
}

/// Joins the world of a root information.
///
/// # Safety
///
/// The pointers are null or valid, as their types say. `config` is null for a call that has no options.
unsafe fn join_root(
    call: &'static str,
    nRanks: u32,
    rootInfo: *const HcclRootInfo,
    rank: u32,
    config: Option<*const HcclCommConfig>,
    comm: *mut HcclComm,
) -> Result<(), HcclResult> {
    let current = device(call)?;
    if nRanks == 0 {
        return Err(wrong(
            call,
            format_args!("nRanks is 0; pass the number of ranks"),
        ));
    }
    if rank >= nRanks {
        return Err(wrong(
            call,
            format_args!("rank is {rank} of {nRanks} ranks; the numbers begin with 0"),
        ));
    }
    pointers(
        call,
        &[("comm", comm.is_null()), ("rootInfo", rootInfo.is_null())],
    )?;
    let chosen = match config {
        // SAFETY: the caller's contract.
        Some(config) => unsafe { config::name(call, config) }?,
        None => String::new(),
    };
    // SAFETY: not null; the caller's contract.
    let (world, own) = unsafe { blob::world(call, rootInfo) }?;
    let name = if chosen.is_empty() {
        own.clone()
    } else {
        chosen
    };
    let joined = join(
        call,
        (&world, own.as_str()),
        name,
        (rank, nRanks),
        (current.device(), true),
    );
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { comm.write(joined?) };
    Ok(())
}

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
        pointers(
            call,
            &[("comms", comms.is_null()), ("devices", devices.is_null())],
        )?;
        // SAFETY: not null; the caller's contract: `ndev` numbers.
        let devices = unsafe { std::slice::from_raw_parts(devices, ndev as usize) };
        if devices.iter().collect::<BTreeSet<_>>().len() != devices.len() {
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
    let world = World::new();
    let first = devices.first().copied().unwrap_or(0);
    let name = blob::name(u32::try_from(first).unwrap_or(0));
    let size = u32::try_from(devices.len()).unwrap_or(u32::MAX);
    let open = |rank: u32, id: i32| {
        // SAFETY: no preconditions.
        let code = unsafe { aclrtSetDevice(id) };
        if code != ACL_SUCCESS {
            return Err(failed(id));
        }
        let on = (u32::try_from(id).unwrap_or(0), true);
        join(
            call,
            (&world, name.as_str()),
            name.clone(),
            (rank, size),
            on,
        )
        .map(|comm| comm.addr())
    };
    let joined: Vec<_> = thread::scope(|threads| {
        let ranks = (0_u32..).zip(devices);
        let started: Vec<_> = ranks
            .map(|(rank, id)| threads.spawn(move || open(rank, *id)))
            .collect();
        let ended = started.into_iter().map(thread::ScopedJoinHandle::join);
        ended
            .map(|ended| ended.unwrap_or(Err(HCCL_E_INTERNAL)))
            .collect()
    });
    if joined.iter().all(Result::is_ok) {
        return Ok(joined.into_iter().flatten().collect());
    }
    for comm in joined.into_iter().flatten() {
        Communicator::close(comm);
    }
    Err(refuse(
        HCCL_E_INTERNAL,
        format_args!(
            "{call} failed: a rank could not join; pass devices without a communicator of the same name"
        ),
    ))
}

pub(crate) unsafe extern "C" fn HcclCreateSubCommConfig(
    comm: *mut HcclComm,
    rankNum: u32,
    rankIds: *mut u32,
    subCommId: u64,
    subCommRankId: u32,
    config: *mut HcclCommConfig,
    subComm: *mut HcclComm,
) -> HcclResult {
    let call = "HcclCreateSubCommConfig";
    let create = || {
        pointers(call, &[("subComm", subComm.is_null())])?;
        match (rankIds.is_null(), subCommId == NO_PART) {
            // This rank does not belong to the part.
            (true, true) => return Ok(()),
            (false, false) => {}
            _ => {
                return Err(wrong(
                    call,
                    format_args!(
                        "rankIds is {rankIds:p} and subCommId is {subCommId:#x}; a rank outside of the part passes \
                         NULL and 0xffffffff, and the others pass neither"
                    ),
                ));
            }
        }
        if rankNum == 0 || subCommRankId >= rankNum {
            return Err(wrong(
                call,
                format_args!(
                    "subCommRankId is {subCommRankId} of {rankNum} ranks; the numbers begin with 0"
                ),
            ));
        }
        pointers(call, &[("comm", comm.is_null())])?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let parent = unsafe { comm.read() };
        pointers(call, &[("comm", parent.is_null())])?;
        let parent = find(call, parent)?;
        if !parent.is_global {
            return Err(wrong(
                call,
                format_args!("comm is a part of another communicator itself; pass that one"),
            ));
        }
        // SAFETY: not null; the caller's contract: `rankNum` numbers.
        let ranks = unsafe { std::slice::from_raw_parts(rankIds, rankNum as usize) };
        members(call, &parent, ranks, subCommRankId)?;
        let chosen = if config.is_null() {
            String::new()
        } else {
            // SAFETY: the caller's contract.
            unsafe { config::name(call, config) }?
        };
        let key = format!("{}_sub_{subCommId}", parent.name);
        let name = if chosen.is_empty() {
            key.clone()
        } else {
            chosen
        };
        let world = blob::part(&key);
        let joined = join(
            call,
            (&world, key.as_str()),
            name,
            (subCommRankId, rankNum),
            (parent.device, false),
        );
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { subComm.write(joined?) };
        Ok(())
    };
    code(create())
}

/// Checks the ranks of a part.
fn members(call: &str, parent: &Communicator, ranks: &[u32], own: u32) -> Result<(), HcclResult> {
    let unknown = ranks.iter().find(|rank| **rank >= parent.size);
    if let Some(unknown) = unknown {
        return Err(wrong(
            call,
            format_args!(
                "rankIds names rank {unknown}; comm has {} ranks, from 0",
                parent.size
            ),
        ));
    }
    if ranks.iter().collect::<BTreeSet<_>>().len() != ranks.len() {
        return Err(wrong(call, format_args!("rankIds names a rank twice")));
    }
    if ranks.get(own as usize) != Some(&parent.rank) {
        return Err(wrong(
            call,
            format_args!(
                "rankIds[{own}] is not {}, the rank of the caller in comm; subCommRankId is the place of the own \
                 rank in rankIds",
                parent.rank
            ),
        ));
    }
    Ok(())
}
