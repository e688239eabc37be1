//! Ranks: the members of a communicator, numbered from 0.

use crate::error::{CollectiveMismatch, Result};
use crate::state::{Exactly, Invariant};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A member of the communicator `N`, by its number.
///
/// [`Ranks::rank`] makes it of a number. It is a value of that communicator only, and may be passed to the other ranks of
/// the process.
///
/// ```
/// use ascendcl::collective::{Rank, Ranks, World};
///
/// fn is_root(ranks: Ranks<World>, root: Rank<World>) -> bool {
///     ranks.own() == root
/// }
/// ```
///
/// # Invariants
///
/// - The number was less than the size of a communicator with the name `N`.
pub struct Rank<N> {
    number: u32,
    _name: Invariant<N>,
}

impl<N> Rank<N> {
    /// Makes a rank. The caller ensures the invariant.
    #[inline]
    pub(super) fn new(number: u32) -> Rank<N> {
        Rank {
            number,
            _name: std::marker::PhantomData,
        }
    }

    /// Returns the number of the rank.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm| {
    /// let numbers: Vec<u32> = comm.ranks().iter().map(|rank| rank.number()).collect();
    /// assert_eq!(numbers, [0, 1]);
    /// # });
    /// ```
    #[inline]
    #[must_use]
    pub fn number(self) -> u32 {
        self.number
    }
}

impl<N> Clone for Rank<N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<N> Copy for Rank<N> {}
impl<N> PartialEq for Rank<N> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}
impl<N> Eq for Rank<N> {}
impl<N> PartialOrd for Rank<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<N> Ord for Rank<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
}
impl<N> Hash for Rank<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}
impl<N> fmt::Debug for Rank<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rank({})", self.number)
    }
}

/// A rank of the communicator `N`: a [`Rank`] of its name, and nothing else.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no rank of the communicator `{N}`",
    label = "expected a `Rank<{N}>`",
    note = "the communicator of the call makes a rank of a number: `comm.rank(number)?`",
    note = "a rank of another communicator may have another number here"
)]
pub trait RankOf<N>: Exactly<Rank<N>> {}
#[diagnostic::do_not_recommend]
impl<N> RankOf<N> for Rank<N> {}

/// The ranks of the communicator `N`: how many there are, and which of them is the own one.
///
/// ```
/// use ascendcl::collective::{Ranks, World};
///
/// fn print(ranks: Ranks<World>) {
///     println!("rank {} of {}", ranks.own().number(), ranks.size());
///     println!("the next one is {}", ranks.next().number());
/// }
/// ```
///
/// # Invariants
///
/// - `own` is less than `size`.
#[repr(C)]
pub struct Ranks<N> {
    own: u32,
    size: u32,
    _name: Invariant<N>,
}

impl<N> Clone for Ranks<N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<N> Copy for Ranks<N> {}
impl<N> fmt::Debug for Ranks<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.own, self.size)
    }
}

impl<N> Ranks<N> {
    /// Makes the ranks of a communicator. The caller ensures the invariant.
    #[inline]
    pub(super) fn new(own: u32, size: u32) -> Ranks<N> {
        Ranks {
            own,
            size,
            _name: std::marker::PhantomData,
        }
    }

    /// Whether both have the same number of ranks and the same own rank.
    #[inline(always)]
    pub(super) fn is_same(self, other: Ranks<N>) -> bool {
        // As one number, which is one load and one comparison.
        let number = |own: u32, size: u32| u64::from(own) | u64::from(size) << 32;
        number(self.own, self.size) == number(other.own, other.size)
    }

    /// Returns the own rank.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm| {
    /// let ranks = comm.ranks();
    /// println!("this is rank {} of {}", ranks.own().number(), ranks.size());
    /// # });
    /// ```
    #[inline]
    #[must_use]
    pub fn own(self) -> Rank<N> {
        Rank::new(self.own)
    }

    /// Returns the number of ranks.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm| {
    /// assert_eq!(comm.ranks().size(), 2);
    /// # });
    /// ```
    #[inline]
    #[must_use]
    pub fn size(self) -> u32 {
        self.size
    }

    /// Returns the rank with this number.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm| {
    /// let ranks = comm.ranks();
    /// let last = ranks.rank(ranks.size() - 1)?;
    /// assert!(ranks.rank(ranks.size()).is_err());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::Rank`] for a number that is not less than the number of ranks.
    pub fn rank(self, number: u32) -> Result<Rank<N>> {
        check_rank(number, self.size)?;
        Ok(Rank::new(number))
    }

    /// Returns all ranks in their order.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm| {
    /// let ranks = comm.ranks();
    /// let others: Vec<_> = ranks.iter().filter(|rank| *rank != ranks.own()).collect();
    /// assert_eq!(others.len(), 1);
    /// # });
    /// ```
    pub fn iter(self) -> impl ExactSizeIterator<Item = Rank<N>> {
        (0..self.size).map(Rank::new)
    }

    /// Returns the rank behind the own one. The ranks are a ring: behind the last one is rank 0.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm| {
    /// let ranks = comm.ranks();
    /// assert_eq!(ranks.next().number(), (ranks.own().number() + 1) % ranks.size());
    /// # });
    /// ```
    #[must_use]
    pub fn next(self) -> Rank<N> {
        let next = self.own + 1;
        Rank::new(if next == self.size { 0 } else { next })
    }

    /// Returns the rank in front of the own one. The ranks are a ring: in front of rank 0 is the last one.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm| {
    /// let ranks = comm.ranks();
    /// assert_eq!((ranks.previous().number() + 1) % ranks.size(), ranks.own().number());
    /// # });
    /// ```
    #[must_use]
    pub fn previous(self) -> Rank<N> {
        Rank::new(self.own.checked_sub(1).unwrap_or(self.size - 1))
    }
}

/// Refuses a number that is no rank.
pub(super) fn check_rank(rank: u32, size: u32) -> Result<()> {
    if rank < size {
        return Ok(());
    }
    Err(CollectiveMismatch::Rank { rank, size }.into())
}

/// Refuses a number of ranks that no communicator has.
pub(super) fn check_size(size: u32) -> Result<()> {
    if size == 0 {
        return Err(CollectiveMismatch::NoRanks.into());
    }
    Ok(())
}
