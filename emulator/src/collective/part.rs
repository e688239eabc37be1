//! Communicators of a part of the ranks.

use std::sync::Arc;

use ascendcl_sys::{HcclComm, HcclCommConfig, HcclResult};

use super::connections::Connections;
use super::handle::{Communicator, find};
use super::join::{Joiner, open};
use super::limits::{Limits, limits};
use super::world::World;
use super::{are_null, code, config, pointers, wrong};
use crate::check::issuer;
use crate::sorted::{Sorted, SortedSet};
use crate::sync::{Mutex, lock};

/// The number of a part that this rank does not belong to.
const NO_PART: u64 = 0xffff_ffff;

/// A part: the communicator that it is a part of, its number, and its ranks there. The communicator is known by the address
/// of its world, which lives while its ranks join parts.
type Key = (usize, u64, Vec<u32>);

/// The parts of this process that ranks are joining.
static PARTS: Mutex<Sorted<Key, Arc<World>>> = Mutex::new(Sorted::new());

/// Joins a part whose ranks are threads of one process. The first of its ranks makes it.
fn together(call: &str, key: &Key, of: Joiner, limits: Limits) -> Result<Arc<World>, HcclResult> {
    let world = {
        let mut parts = lock(&PARTS);
        Arc::clone(parts.get_or_insert_with(key.clone(), || World::new(limits)))
    };
    let joined = world.join(call, of.size, of.rank);
    // The key can have another part from now on, whether the ranks have joined this one or have failed to.
    let mut parts = lock(&PARTS);
    if parts
        .get(key)
        .is_some_and(|known| Arc::ptr_eq(known, &world))
    {
        parts.remove(key);
    }
    drop(parts);
    joined.map(|()| world)
}

/// Joins a part of a communicator whose ranks are in several processes.
fn apart(
    call: &str,
    parent: &Connections,
    id: u64,
    ranks: &[u32],
    of: Joiner,
    limits: Limits,
) -> Result<Arc<World>, HcclResult> {
    // Parts with other ranks are other parts, also if their numbers are equal.
    let connections = Connections::new(
        parent.net(),
        format!("{id} {ranks:?}"),
        ranks.to_vec(),
        of.rank,
    );
    let world = World::part(limits, parent.net(), connections);
    world.join(call, of.size, of.rank)?;
    Ok(world)
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
        pointers(call, &are_null![subComm])?;
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
        pointers(call, &are_null![comm])?;
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
        // Before any of them is read.
        if rankNum > parent.size {
            return Err(wrong(
                call,
                format_args!("rankNum is {rankNum}; comm has {} ranks only", parent.size),
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
        let limits = limits(call)?;
        let name = if chosen.is_empty() {
            format!("{}_sub_{subCommId}", parent.name)
        } else {
            chosen
        };
        let of = Joiner {
            rank: subCommRankId,
            size: rankNum,
            server: 0,
            device: parent.device,
        };
        let joined = open(
            call,
            issuer(call).as_ref(),
            name,
            of,
            false,
            || match parent.world.connections() {
                None => {
                    let whole = Arc::as_ptr(&parent.world).addr();
                    together(call, &(whole, subCommId, ranks.to_vec()), of, limits)
                }
                Some(connections) => apart(call, connections, subCommId, ranks, of, limits),
            },
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
    if ranks.iter().collect::<SortedSet<_>>().len() != ranks.len() {
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
