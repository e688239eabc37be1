//! The slots and cards of this process that are in use.

use crate::error::{Result, Usage};
use crate::sync::{Mutex, lock, shared};

struct Claims {
    slots: Vec<usize>,
    ids: Vec<u32>,
}

shared! {
    static CLAIMS: Mutex<Claims> = Mutex::new(Claims {
        slots: Vec::new(),
        ids: Vec::new(),
    });
}

/// A claimed card, and its slot if it has one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim {
    pub(super) slot: Option<usize>,
    pub(super) id: u32,
}

/// Claims a slot and a card together. With two handles of one card, each would assume that its reset ends all work of
/// the card.
pub(super) fn claim(slot: Option<usize>, id: u32) -> Result<Claim> {
    let mut claims = lock(&CLAIMS);
    if let Some(slot) = slot.filter(|slot| claims.slots.contains(slot)) {
        return Err(Usage::SlotTaken { slot }.into());
    }
    if claims.ids.contains(&id) {
        return Err(Usage::DeviceTaken { id }.into());
    }
    claims.slots.extend(slot);
    claims.ids.push(id);
    Ok(Claim { slot, id })
}

impl Claim {
    /// Gives the slot and the card back. The caller has a proof that the device is free again.
    pub(super) fn release(self) {
        let mut claims = lock(&CLAIMS);
        claims.slots.retain(|taken| Some(*taken) != self.slot);
        claims.ids.retain(|taken| *taken != self.id);
    }
}
