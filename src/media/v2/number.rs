//! The numbers of channels, which a program chooses for decoders and encoders.

use std::sync::{Mutex, PoisonError};

use crate::error::{MediaMismatch, Result};

/// The numbers that channels of a kind may have: those that each chip allows.
const NUMBERS: i32 = 128;

/// The numbers of one kind of channels that are in use.
#[derive(Debug)]
pub(super) struct Numbers {
    what: &'static str,
    taken: Mutex<Vec<i32>>,
}

impl Numbers {
    /// Makes the list of the channels `what`, which messages name.
    pub(super) const fn new(what: &'static str) -> Numbers {
        Numbers {
            what,
            taken: Mutex::new(Vec::new()),
        }
    }

    /// Takes a number that is not in use.
    pub(super) fn take(&self) -> Result<i32> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(id) = (0..NUMBERS).find(|id| !taken.contains(id)) else {
            let (what, most) = (self.what, taken.len());
            return Err(MediaMismatch::Channels { what, most }.into());
        };
        taken.push(id);
        Ok(id)
    }

    /// Takes a number, and creates the channel with it.
    pub(super) fn create(&self, create: impl FnOnce(i32) -> Result<()>) -> Result<i32> {
        let id = self.take()?;
        match create(id) {
            Ok(()) => Ok(id),
            Err(error) => {
                self.give_back(id);
                Err(error)
            }
        }
    }

    /// Gives back the number of a channel that was destroyed.
    pub(super) fn give_back(&self, id: i32) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.retain(|other| *other != id);
    }
}

#[cfg(all(test, not(loom)))]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::Numbers;

    #[test]
    fn a_number_is_used_again_and_the_last_one_is_named() {
        let numbers = Numbers::new("JPEG decoder");
        let all: Vec<i32> = (0..128).map(|_| numbers.take().unwrap()).collect();
        assert_eq!(all, (0..128).collect::<Vec<_>>());
        assert_eq!(
            numbers.take().unwrap_err().to_string(),
            "the process has 128 JPEG decoders already, and there are no more channels: drop one, or decode and encode several \
             files with each"
        );
        numbers.give_back(7);
        assert_eq!(numbers.take().unwrap(), 7);
    }
}
