//! Communicators of some ranks of another one.

use std::sync::Arc;

use ascendcl_sys as sys;

use crate::collective::claim::Claim;
use crate::collective::comm::Comm;
use crate::collective::join::make;
use crate::collective::name::{CommName, Name, Sub};
use crate::collective::options::CommOptions;
use crate::collective::rank::Rank;
use crate::collective::raw_comm::{RawComm, destroy_left};
use crate::device::DeviceTag;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{CollectiveMismatch, Result};

/// The number of a part that HCCL takes for a rank outside of it.
const NO_PART: u64 = 0xffff_ffff;

impl<'t, 'dev, D: DeviceTag, N: CommName> Comm<'t, 'dev, D, N> {
    /// Makes a communicator of some of the ranks (`HcclCreateSubCommConfig`). The rank `i` of the part is the rank at place `i`
    /// of `ranks`.
    ///
    /// Each of these ranks calls it with the same list and the same `id`, and the other ranks do not call it. A rank that
    /// belongs to several parts makes them in the same order as the others. Parts without a common rank may have the same `id`.
    /// The name of the part in HCCL is `{name of this one}_sub_{id}`.
    ///
    /// A part has no parts of its own: `Comm<.., Sub<N, P>>` does not have this method.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm| {
    /// use ascendcl::collective::CommName;
    ///
    /// enum Single {}
    /// impl CommName for Single {}
    ///
    /// // Each rank makes a part with itself alone.
    /// let own = comm.ranks().own();
    /// let part = comm.create_sub_comm::<Single>(&[own], own.number().into())?;
    /// assert_eq!(part.ranks().size(), 1);
    /// part.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::Part`] for a list that has a rank twice or lacks the own one, and for the id 0xffffffff.
    /// - [`CollectiveMismatch::Rank`] for a rank of a larger communicator that had this name before.
    /// - [`CollectiveMismatch::NameTaken`] if the device has such a part already.
    /// - [`ErrorKind::Refused`] when HCCL does not make the part, for instance with 9 when a rank does not come in time.
    #[doc(alias = "HcclCreateSubCommConfig")]
    pub fn create_sub_comm<P: CommName>(
        &mut self,
        ranks: &[Rank<N>],
        id: u64,
    ) -> Result<Comm<'t, 'dev, D, Sub<N, P>>> {
        self.create_sub_comm_config(ranks, id, &CommOptions::default())
    }

    /// Makes a communicator of some of the ranks, with options (`HcclCreateSubCommConfig`). All ranks of the part pass the same
    /// options.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm| {
    /// use ascendcl::collective::{CommName, CommOptions};
    ///
    /// enum Pair {}
    /// impl CommName for Pair {}
    ///
    /// let ranks = [comm.rank(1)?, comm.rank(0)?]; // in another order
    /// let options = CommOptions::default().with_name("turned");
    /// let pair = comm.create_sub_comm_config::<Pair>(&ranks, 7, &options)?;
    /// assert_eq!(pair.ranks().own().number(), 1 - comm.ranks().own().number());
    /// pair.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::CommName`] for a name that does not fit, and the errors of [`Comm::create_sub_comm`]:
    /// [`CollectiveMismatch::Part`], [`CollectiveMismatch::Rank`], [`CollectiveMismatch::NameTaken`] and
    /// [`ErrorKind::Refused`].
    #[doc(alias = "HcclCreateSubCommConfig")]
    pub fn create_sub_comm_config<P: CommName>(
        &mut self,
        ranks: &[Rank<N>],
        id: u64,
        options: &CommOptions,
    ) -> Result<Comm<'t, 'dev, D, Sub<N, P>>> {
        const CALL: &str = "HcclCreateSubCommConfig";
        let (mut numbers, own) = self.places(ranks, id)?;
        let size = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        let mut config = options.to_c()?;
        let current = self.current();
        let name = Name::of::<Sub<N, P>>();
        let claim = Claim::new(current.core(), name)?;
        let mut whole = self.as_raw();
        let (list, options) = (numbers.as_mut_ptr(), &raw mut config);
        let made = make(CALL, |part| {
            let whole = &raw mut whole;
            // SAFETY: a live communicator, as many ranks as `size` says, complete options, and a place for the communicator. The
            // device of the communicator is current.
            unsafe { sys::HcclCreateSubCommConfig(whole, size, list, id, own, options, part) }
        });
        let handle = made
            .inspect_err(|_| destroy_left(claim.release()))
            .map_err(|error| error.about(&self.raw_comm().about()))?;
        let whole = Some(Arc::clone(self.raw_comm()));
        let raw = RawComm::new(current.core(), handle, claim, (own, Some(size)), whole)?;
        Ok(Comm::new(Arc::new(raw), current))
    }

    /// Returns the numbers of the ranks of a part, and the place of the own one.
    fn places(&self, ranks: &[Rank<N>], id: u64) -> Result<(Vec<u32>, u32)> {
        let own = self.raw_comm().rank;
        let numbers: Vec<u32> = ranks
            .iter()
            .map(|rank| self.known(*rank))
            .collect::<Result<_>>()?;
        let is_twice =
            |(place, number): (usize, &u32)| numbers.iter().take(place).any(|n| n == number);
        let place = numbers.iter().position(|number| *number == own);
        let place = place.and_then(|place| u32::try_from(place).ok());
        match place {
            Some(place) if id != NO_PART && !numbers.iter().enumerate().any(is_twice) => {
                Ok((numbers, place))
            }
            _ => Err(CollectiveMismatch::Part {
                rank: own,
                ranks: numbers,
                id,
            }
            .into()),
        }
    }
}
