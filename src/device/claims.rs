//! The slots and cards of this process that are in use.

use crate::error::{Result, Usage};
use crate::sync::{Mutex, lock, shared};

shared! {
    static CLAIMS: Mutex<Vec<Entry>> = Mutex::new(Vec::new());
}

/// A card that is in use, and its slot if it has one.
struct Entry {
    claim: Claim,
    state: State,
}

/// What a claimed card is claimed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// A device, or one that nothing proves to be unused.
    Held,
    /// A thread that ends the device, whose value is gone.
    Ending,
    /// A device that was given up, and that the runtime has refused to reset. It had this limit in milliseconds.
    Unreset(Option<i32>),
}

/// A claimed card, and its slot if it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) slot: Option<usize>,
    pub(super) id: u32,
}

/// Claims a slot and a card together. With two handles of one card, each would assume that its reset ends all work of
/// the card. `reset` is called for a device that holds one of them and could not be reset; it releases that claim, or enters
/// what has become of it.
pub(super) fn claim(
    slot: Option<usize>,
    id: u32,
    reset: fn(Claim, Option<i32>) -> Result<()>,
) -> Result<Claim> {
    loop {
        match claim_or_holder(slot, id)? {
            Ok(claim) => return Ok(claim),
            Err((unreset, limit)) => reset(unreset, limit)?,
        }
    }
}

/// Claims a slot and a card, or returns the claim of a device that has to be reset before. The caller ends that one.
fn claim_or_holder(slot: Option<usize>, id: u32) -> Result<Result<Claim, (Claim, Option<i32>)>> {
    let mut claims = lock(&CLAIMS);
    let in_slot = |entry: &&mut Entry| slot.is_some() && entry.claim.slot == slot;
    let held = match claims.iter_mut().find(in_slot) {
        Some(entry) => Some((entry, slot)),
        None => {
            let of_card = |entry: &&mut Entry| entry.claim.id == id;
            claims.iter_mut().find(of_card).map(|entry| (entry, None))
        }
    };
    let Some((entry, slot_of_both)) = held else {
        let claim = Claim { slot, id };
        let state = State::Held;
        claims.push(Entry { claim, state });
        return Ok(Ok(claim));
    };
    match entry.state {
        State::Held => Err(slot_of_both
            .map_or(Usage::DeviceTaken { id }, |slot| Usage::SlotTaken { slot })
            .into()),
        State::Ending => Err(Usage::DeviceEnding { id: entry.claim.id }.into()),
        State::Unreset(limit) => {
            entry.state = State::Ending;
            Ok(Err((entry.claim, limit)))
        }
    }
}

impl Claim {
    /// Gives the slot and the card back. The caller has a proof that the device is free again.
    pub(super) fn release(self) {
        lock(&CLAIMS).retain(|entry| entry.claim != self);
    }

    /// Enters that a thread ends the device, whose value is gone.
    pub(super) fn is_ending(self) {
        self.enter(State::Ending);
    }

    /// Enters that nothing proves the device to be unused.
    pub(super) fn is_held(self) {
        self.enter(State::Held);
    }

    /// Enters that the device was given up and not reset.
    pub(super) fn is_unreset(self, limit: Option<i32>) {
        self.enter(State::Unreset(limit));
    }

    fn enter(self, state: State) {
        let mut claims = lock(&CLAIMS);
        if let Some(entry) = claims.iter_mut().find(|entry| entry.claim == self) {
            entry.state = state;
        }
    }
}
