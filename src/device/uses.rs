//! The devices whose queues use memory of other devices.
//!
//! The reset of a device frees its memory. Queues of another device may still use that memory: they have access to it
//! through a [`PeerAccess`](crate::peer::PeerAccess), and that value can be dropped or forgotten. So each access is
//! entered here, and a device waits for the other devices before it is reset.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::life::Life;
use crate::device::Core;
use crate::error::{Result, Usage};

struct Use {
    user: Arc<Core>,
    owner: u32,
}

static USES: Mutex<Vec<Use>> = Mutex::new(Vec::new());

fn uses() -> MutexGuard<'static, Vec<Use>> {
    USES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Enters that queues of `user` may use memory of the device `owner` from now on.
pub(crate) fn enter(user: &Arc<Core>, owner: u32) -> Result<()> {
    let mut uses = uses();
    // Access is a property of two cards, so the contexts of one card share it.
    let user_id = user.id();
    if uses
        .iter()
        .any(|entry| entry.user.id() == user_id && entry.owner == owner && !entry.user.is_lost())
    {
        let user = user_id;
        return Err(Usage::PeerAccessTaken { user, peer: owner }.into());
    }
    uses.push(Use {
        user: Arc::clone(user),
        owner,
    });
    Ok(())
}

/// Removes the entry: no queue of `user` uses memory of `owner` any more.
pub(crate) fn remove(user: &Arc<Core>, owner: u32) {
    uses().retain(|entry| !(Arc::ptr_eq(&entry.user, user) && entry.owner == owner));
}

/// Whether queues of `core` may use memory of other devices.
pub(super) fn has_user(core: &Core) -> bool {
    uses().iter().any(|entry| entry.is_of(core))
}

/// Enters that `core` ends. If its work is proven to be over, it uses no memory of other devices any more. Without a
/// proof, those devices can never be reset.
pub(super) fn user_ends(core: &Core, life: Life) {
    if life == Life::Over {
        uses().retain(|entry| !entry.is_of(core));
    }
}

/// Waits for the work of other devices that may use memory of the device `owner`, before `owner` is reset. Frees the
/// parked memory of those devices. Failed work is reported as a failure of the device that has queued it.
///
/// # Errors
///
/// There is no proof that the other devices have stopped. The device `owner` must not be reset then.
pub(super) fn owner_ends(owner: u32) -> Result<()> {
    // The wait does not hold the lock, because other devices come and go meanwhile. There is no new access to this
    // device: an access would borrow it.
    let entries = uses();
    let of_owner = entries.iter().filter(|entry| entry.owner == owner);
    let users: Vec<_> = of_owner.map(|entry| Arc::clone(&entry.user)).collect();
    drop(entries);
    for user in &users {
        for error in user.wait_as_stranger(owner)? {
            user.failed_in_drop(error);
        }
    }
    uses().retain(|entry| entry.owner != owner);
    Ok(())
}

impl Use {
    fn is_of(&self, core: &Core) -> bool {
        std::ptr::eq(&raw const *self.user, core)
    }
}
