//! Model tests of accesses to peers (`device/interleavings.rs` says how to run them). The list and the lives are those that
//! devices use. A flag replaces the work of a device.

use std::sync::Arc;

use ascendcl_sys as sys;
use loom::sync::Notify;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;

use super::{User, Uses};
use crate::device::life::{Life, Lifetime};
use crate::error::{Error, Result, Usage};

/// A device without a runtime, whose queues use memory of other devices.
struct Peer {
    id: u32,
    life: Lifetime,
    is_over: AtomicBool,
    can_be_proven: bool,
    /// Whether the work may end, if it waits for that. Notified when it may.
    ends: Option<(Notify, AtomicBool)>,
}

impl Peer {
    fn new(id: u32) -> Peer {
        Peer {
            id,
            life: Lifetime::new(),
            is_over: AtomicBool::new(false),
            can_be_proven: true,
            ends: None,
        }
    }

    /// Waits as `Core::wait_elsewhere` does.
    fn wait(&self) -> Result<()> {
        if !self.can_be_proven {
            return Err(Error::wait(
                "aclrtSynchronizeDevice",
                sys::ACL_ERROR_RT_TS_ERROR,
            ));
        }
        if let Some((ends, may_end)) = &self.ends {
            while !may_end.load(Ordering::SeqCst) {
                ends.wait();
            }
        }
        self.is_over.store(true, Ordering::SeqCst);
        Ok(())
    }

    /// Ends the device as `Core::close` does, for a device that stops on failure.
    fn close(&self, uses: &Uses<Peer>) {
        let proven = !uses.has_user(self) || self.wait().is_ok();
        let life = if proven { Life::Over } else { Life::Lost };
        self.life.end(life);
        uses.user_ends(self, life);
    }
}

impl User for Peer {
    fn id(&self) -> u32 {
        self.id
    }

    fn is_lost(&self) -> bool {
        self.life.has_ended(Life::Lost)
    }

    fn wait_as_stranger(&self, owner: u32, _: Option<i32>) -> Result<Vec<Error>> {
        self.life.hold(|life| match life {
            Life::Over => Ok(Vec::new()),
            Life::Open if self.wait().is_ok() => Ok(Vec::new()),
            Life::Open | Life::Lost => Err(Usage::PeerLost {
                user: self.id,
                peer: owner,
                cause: String::new(),
                code: None,
            }
            .into()),
        })
    }

    fn failed_in_drop(&self, _: Error) {}
}

/// A device ends while the device ends whose memory it uses. The memory is there until the work on it is over.
#[test]
fn an_owner_ends_after_the_work_of_its_user() {
    loom::model(|| {
        let uses = Arc::new(Uses::new());
        let user = Arc::new(Peer::new(0));
        uses.enter(&user, 1).unwrap();
        let ends = {
            let (uses, user) = (Arc::clone(&uses), Arc::clone(&user));
            thread::spawn(move || user.close(&uses))
        };
        uses.owner_ends(1, None).unwrap();
        assert!(
            user.is_over.load(Ordering::SeqCst),
            "reset under the work of a peer"
        );
        ends.join().unwrap();
        assert!(!uses.has_user(&user));
    });
}

/// A device that was released without a proof may use the memory of its peer for ever, so the peer is never reset.
#[test]
fn an_owner_is_not_reset_after_a_lost_user() {
    loom::model(|| {
        let uses = Arc::new(Uses::new());
        let mut user = Peer::new(0);
        user.can_be_proven = false;
        let user = Arc::new(user);
        uses.enter(&user, 1).unwrap();
        let ends = {
            let (uses, user) = (Arc::clone(&uses), Arc::clone(&user));
            thread::spawn(move || user.close(&uses))
        };
        uses.owner_ends(1, None).unwrap_err();
        ends.join().unwrap();
        uses.owner_ends(1, None).unwrap_err();
        // The slot of the lost device is opened again, with the same card.
        let next = Arc::new(Peer::new(0));
        uses.enter(&next, 1).unwrap();
        uses.owner_ends(1, None).unwrap_err();
    });
}

/// Two contexts of one card enable the same access. One of them gets it, and its entry stays while other accesses come
/// and go.
#[test]
fn an_access_is_given_once() {
    loom::model(|| {
        let uses = Arc::new(Uses::new());
        let other = Arc::new(Peer::new(2));
        uses.enter(&other, 3).unwrap();
        let contexts = [Arc::new(Peer::new(0)), Arc::new(Peer::new(0))];
        let enables = {
            let (uses, context) = (Arc::clone(&uses), Arc::clone(&contexts[0]));
            thread::spawn(move || uses.enter(&context, 1).is_ok())
        };
        let second = uses.enter(&contexts[1], 1).is_ok();
        uses.owner_ends(3, None).unwrap();
        let first = enables.join().unwrap();
        assert!(first != second, "{first}, {second}");
        assert_eq!(uses.has_user(&contexts[0]), first);
        assert_eq!(uses.has_user(&contexts[1]), second);
        assert!(!uses.has_user(&other));
    });
}

/// The wait of an owner for its users does not hold up other accesses, also not another access of the same user.
/// Otherwise loom finds the deadlock.
#[test]
fn a_wait_for_users_holds_up_no_access() {
    loom::model(|| {
        let uses = Arc::new(Uses::new());
        let mut user = Peer::new(0);
        user.ends = Some((Notify::new(), AtomicBool::new(false)));
        let user = Arc::new(user);
        uses.enter(&user, 1).unwrap();
        let enables = {
            let (uses, user) = (Arc::clone(&uses), Arc::clone(&user));
            thread::spawn(move || {
                // It finds the first access of the user, and asks for the life of the user.
                uses.enter(&user, 1).unwrap_err();
                uses.enter(&user, 2).unwrap();
                uses.remove(&user, 2);
                let (ends, may_end) = user.ends.as_ref().unwrap();
                may_end.store(true, Ordering::SeqCst);
                ends.notify();
            })
        };
        uses.owner_ends(1, None).unwrap();
        enables.join().unwrap();
        assert!(!uses.has_user(&user));
    });
}
