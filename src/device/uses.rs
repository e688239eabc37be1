//! Which device's queues use memory of which other device.
//!
//! A device's reset frees its memory. Queues of another device may still be using some of it: they were
//! given it through a [`PeerAccess`](crate::peer::PeerAccess), and the values that say so can be dropped or
//! forgotten. So what was given is entered here, and a device waits for the others before it is reset.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::device::Core;
use crate::error::{Error, Result, Usage};
use crate::park;
use crate::release;

struct Use {
    user: Arc<Core>,
    owner: u32,
    /// Whether the user is gone without a proof that its work is over.
    lost: bool,
}

static USES: Mutex<Vec<Use>> = Mutex::new(Vec::new());

fn uses() -> MutexGuard<'static, Vec<Use>> {
    USES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Enters that queues of `user` may use memory of the device `owner` from now on.
pub(crate) fn enter(user: &Arc<Core>, owner: u32) -> Result<()> {
    let mut uses = uses();
    // Access is a property of the two cards: contexts of one card share it.
    let user_id = user.id();
    if uses
        .iter()
        .any(|entry| entry.user.id() == user_id && entry.owner == owner)
    {
        let user = user_id;
        return Err(Usage::PeerAccessTaken { user, peer: owner }.into());
    }
    uses.push(Use {
        user: Arc::clone(user),
        owner,
        lost: false,
    });
    Ok(())
}

/// Removes the entry: no queue of `user` uses memory of `owner` any more.
pub(crate) fn remove(user: &Arc<Core>, owner: u32) {
    uses().retain(|entry| !entry.is(user, owner));
}

/// To be called before contexts are released: waits for the work of those that `ends` names, if it may use memory
/// of other devices.
pub(crate) fn users_end(ends: impl Fn(&Arc<Core>) -> bool) {
    let mut users: Vec<Arc<Core>> = Vec::new();
    for entry in uses().iter().filter(|entry| ends(&entry.user)) {
        if !users.iter().any(|user| Arc::ptr_eq(user, &entry.user)) {
            users.push(Arc::clone(&entry.user));
        }
    }
    for user in users {
        user_ends(&user);
    }
}

/// Waits for the work of `user`. Without a proof that it is over, whose memory it uses is never free.
fn user_ends(user: &Arc<Core>) {
    let waited = user.wait_elsewhere();
    let mut uses = uses();
    match waited {
        Ok(failed) => {
            uses.retain(|entry| !Arc::ptr_eq(&entry.user, user));
            drop(uses);
            failed.iter().for_each(release::failed);
        }
        Err(error) => {
            for entry in uses.iter_mut() {
                entry.lost |= Arc::ptr_eq(&entry.user, user);
            }
            drop(uses);
            release::failed(&error);
        }
    }
}

/// To be called before the device `owner` is reset: waits for the work of others that may use its memory,
/// and frees what of it is parked.
///
/// # Errors
///
/// A wait that failed twice: then nothing proves that the others have stopped, and the device must not be
/// reset.
pub(super) fn owner_ends(owner: u32) -> Result<()> {
    // The lock stays: no user ends meanwhile.
    let mut uses = uses();
    if !uses.iter().any(|entry| entry.owner == owner) && !park::holds_foreign() {
        return Ok(());
    }
    let began = park::wait_begins();
    let mut failed = Vec::new();
    let waited = wait_for_users(&uses, owner, &mut failed);
    if waited.is_ok() {
        // SAFETY: memory of one device comes to queues of another only by a use that is entered here. All users
        // have been waited for since `began`, and those that are gone were before they went.
        failed.extend(unsafe { park::free_foreign(began) });
        uses.retain(|entry| entry.owner != owner);
    }
    drop(uses);
    failed.iter().for_each(release::failed);
    waited
}

/// Waits for all users of memory of other devices, and collects what of their work has `failed`.
fn wait_for_users(uses: &[Use], owner: u32, failed: &mut Vec<Error>) -> Result<()> {
    for entry in uses {
        if entry.lost && entry.owner == owner {
            let user = entry.user.id();
            return Err(Usage::PeerLost { user, peer: owner }.into());
        }
        // What a lost user may use of others was given up with it.
        if !entry.lost {
            failed.extend(entry.user.wait_elsewhere()?);
        }
    }
    Ok(())
}

impl Use {
    fn is(&self, user: &Arc<Core>, owner: u32) -> bool {
        Arc::ptr_eq(&self.user, user) && self.owner == owner
    }
}
