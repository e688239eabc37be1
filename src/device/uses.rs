//! The devices whose queues use memory of other devices.
//!
//! The reset of a device frees its memory. Queues of another device may still use that memory: they have access to it
//! through a [`PeerAccess`](crate::peer::PeerAccess), and that value can be dropped or forgotten. So each access is
//! entered here, and a device waits for the other devices before it is reset.

#[cfg(all(test, loom))]
mod interleavings;

use std::sync::Arc;

use super::life::Life;
use crate::device::Core;
use crate::error::{Error, Result, Usage};
use crate::sync::{Mutex, lock, shared};

/// A device or context whose queues use memory of another device. The models (`uses/interleavings.rs`) have users without a
/// runtime.
pub(super) trait User {
    /// The number of the card.
    fn id(&self) -> u32;

    /// Whether the user was released without a proof that its work is over. Does not wait.
    fn is_lost(&self) -> bool;

    /// Waits for the work of the user before the device `owner` is reset, whose waits have this limit. Returns the errors of
    /// failed work.
    ///
    /// # Errors
    ///
    /// There is no proof that the work is over.
    fn wait_as_stranger(&self, owner: u32, limit: Option<i32>) -> Result<Vec<Error>>;

    /// Reports an error of work of the user, which has no caller to return it to.
    fn failed_in_drop(&self, error: Error);
}

struct Use<U> {
    user: Arc<U>,
    owner: u32,
}

/// A list of accesses. The process has one.
pub(super) struct Uses<U>(Mutex<Vec<Use<U>>>);

shared! {
    static USES: Uses<Core> = Uses(Mutex::new(Vec::new()));
}

/// Enters that queues of `user` may use memory of the device `owner` from now on.
pub(crate) fn enter(user: &Arc<Core>, owner: u32) -> Result<()> {
    USES.enter(user, owner)
}

/// Removes the entry: no queue of `user` uses memory of `owner` any more.
pub(crate) fn remove(user: &Arc<Core>, owner: u32) {
    USES.remove(user, owner);
}

/// Whether queues of `core` may use memory of other devices.
pub(super) fn has_user(core: &Core) -> bool {
    USES.has_user(core)
}

/// Enters that `core` ends. If its work is proven to be over, it uses no memory of other devices any more. Without a
/// proof, those devices can never be reset.
pub(super) fn user_ends(core: &Core, life: Life) {
    USES.user_ends(core, life);
}

/// Waits for the work of other devices that may use memory of the device `owner`, before `owner` is reset. Frees the
/// parked memory of those devices. Failed work is reported as a failure of the device that has queued it.
///
/// # Errors
///
/// There is no proof that the other devices have stopped. The device `owner` must not be reset then.
pub(super) fn owner_ends(owner: u32, limit: Option<i32>) -> Result<()> {
    USES.owner_ends(owner, limit)
}

impl<U: User> Uses<U> {
    /// Makes a list for a model.
    #[cfg(all(test, loom))]
    pub(super) fn new() -> Uses<U> {
        Uses(Mutex::new(Vec::new()))
    }

    pub(super) fn enter(&self, user: &Arc<U>, owner: u32) -> Result<()> {
        let mut uses = lock(&self.0);
        // Access is a property of two cards, so the contexts of one card share it.
        let user_id = user.id();
        if uses.iter().any(|entry| {
            entry.user.id() == user_id && entry.owner == owner && !entry.user.is_lost()
        }) {
            let user = user_id;
            return Err(Usage::PeerAccessTaken { user, peer: owner }.into());
        }
        uses.push(Use {
            user: Arc::clone(user),
            owner,
        });
        Ok(())
    }

    pub(super) fn remove(&self, user: &Arc<U>, owner: u32) {
        lock(&self.0).retain(|entry| !(Arc::ptr_eq(&entry.user, user) && entry.owner == owner));
    }

    pub(super) fn has_user(&self, user: &U) -> bool {
        lock(&self.0).iter().any(|entry| entry.is_of(user))
    }

    pub(super) fn user_ends(&self, user: &U, life: Life) {
        if life == Life::Over {
            lock(&self.0).retain(|entry| !entry.is_of(user));
        }
    }

    pub(super) fn owner_ends(&self, owner: u32, limit: Option<i32>) -> Result<()> {
        // The wait does not hold the lock, because other devices come and go meanwhile. There is no new access to this
        // device: an access would borrow it.
        let entries = lock(&self.0);
        let of_owner = entries.iter().filter(|entry| entry.owner == owner);
        let users: Vec<_> = of_owner.map(|entry| Arc::clone(&entry.user)).collect();
        drop(entries);
        for user in &users {
            for error in user.wait_as_stranger(owner, limit)? {
                user.failed_in_drop(error);
            }
        }
        lock(&self.0).retain(|entry| entry.owner != owner);
        Ok(())
    }
}

impl User for Core {
    fn id(&self) -> u32 {
        Core::id(self)
    }

    fn is_lost(&self) -> bool {
        Core::is_lost(self)
    }

    fn wait_as_stranger(&self, owner: u32, limit: Option<i32>) -> Result<Vec<Error>> {
        Core::wait_as_stranger(self, owner, limit)
    }

    fn failed_in_drop(&self, error: Error) {
        Core::failed_in_drop(self, error);
    }
}

impl<U> Use<U> {
    fn is_of(&self, user: &U) -> bool {
        std::ptr::eq(&raw const *self.user, user)
    }
}
