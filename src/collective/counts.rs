//! Numbers of elements that differ by rank, for operations whose parts have lengths of their own.

use crate::collective::rank::{Rank, Ranks, check_rank};
use crate::error::{CollectiveMismatch, Result};
use std::fmt;
use std::ops::Range;

/// A number of elements for each rank of the communicator `N`.
///
/// [`Ranks::counts`] makes it. The parts of the ranks lie in one buffer in the order of the ranks, without gaps:
/// [`RankCounts::range`] says where. One value serves any number of operations, which allocate nothing.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// # use ascendcl::collective::World;
/// # let root = current.root_info(1)?;
/// # let comm = current.comm_init_root_info::<World>(&root, 0)?;
/// let ranks = comm.ranks();
/// // As many elements as the number of the rank, and one more.
/// let numbers: Vec<usize> = ranks.iter().map(|rank| rank.number() as usize + 1).collect();
/// let counts = ranks.counts(&numbers)?;
/// assert_eq!(counts.range(ranks.own())?, 0..1); // rank 0
/// # comm.destroy()?;
/// # });
/// ```
///
/// # Invariants
///
/// - `numbers` and `starts` have the same length, which is the size of a communicator with the name `N`.
/// - Each start is the sum of the numbers in front of it, and `total` is the sum of all. None of the sums overflows.
/// - There are as many numbers as `ranks` says, and `own` is the number of its own rank.
pub struct RankCounts<N> {
    numbers: Box<[u64]>,
    starts: Box<[u64]>,
    total: u64,
    /// The ranks as the communicator has them that made the list.
    ranks: Ranks<N>,
    own: u64,
}

impl<N> fmt::Debug for RankCounts<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RankCounts").field(&self.numbers).finish()
    }
}

impl<N> RankCounts<N> {
    /// Returns the elements of a rank in a buffer with those of all ranks.
    ///
    /// ```
    /// use std::ops::Range;
    ///
    /// use ascendcl::Result;
    /// use ascendcl::collective::{RankCounts, Ranks, World};
    ///
    /// fn own_part(ranks: Ranks<World>, counts: &RankCounts<World>) -> Result<Range<usize>> {
    ///     counts.range(ranks.own())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::Rank`] for a rank of an earlier communicator of this name that had more ranks.
    pub fn range(&self, rank: Rank<N>) -> Result<Range<usize>> {
        let place = rank.number() as usize;
        match (self.numbers.get(place), self.starts.get(place)) {
            // The sums are of values of `usize`, and none overflows one (invariant).
            (Some(number), Some(start)) => Ok(*start as usize..(*start + *number) as usize),
            _ => {
                let size = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
                check_rank(rank.number(), size)?;
                Ok(0..0)
            }
        }
    }

    /// Returns the number of elements of all ranks together.
    ///
    /// ```
    /// use ascendcl::collective::{RankCounts, World};
    /// use ascendcl::memory::Uninit;
    /// use ascendcl::{Current, DeviceBuf, DeviceTag, Result};
    ///
    /// fn room_for_all<'d, D: DeviceTag>(
    ///     current: Current<'_, 'd, D>,
    ///     counts: &RankCounts<World>,
    /// ) -> Result<DeviceBuf<'d, D, [f32], Uninit>> {
    ///     current.malloc(counts.total())
    /// }
    /// ```
    #[must_use]
    pub fn total(&self) -> usize {
        self.total as usize
    }

    /// Returns the numbers as C takes them.
    pub(super) fn numbers(&self) -> *const core::ffi::c_void {
        self.numbers.as_ptr().cast()
    }

    /// Returns the places of the parts as C takes them.
    pub(super) fn starts(&self) -> *const core::ffi::c_void {
        self.starts.as_ptr().cast()
    }

    /// Returns the number of elements of the own rank of a communicator. The list has a number for each of its ranks then.
    #[inline]
    pub(super) fn of(&self, call: &'static str, ranks: Ranks<N>) -> Result<usize> {
        if self.ranks.is_same(ranks) {
            return Ok(self.own as usize);
        }
        self.of_other(call, ranks)
    }

    /// [`RankCounts::of`] for a list that another rank has made, or an earlier communicator of this name.
    #[cold]
    #[inline(never)]
    fn of_other(&self, call: &'static str, ranks: Ranks<N>) -> Result<usize> {
        let size = ranks.size() as usize;
        match self.numbers.get(ranks.own().number() as usize) {
            Some(number) if self.numbers.len() == size => Ok(*number as usize),
            _ => Err(other_size(call, self.numbers.len(), size)),
        }
    }
}

/// The numbers of elements that each rank of the communicator `N` sends to each other one.
///
/// [`Ranks::count_matrix`] makes it, from the same numbers on all ranks. One value serves any number of operations, which
/// allocate nothing. It has 8 bytes for each pair of ranks.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// # use ascendcl::collective::World;
/// # let root = current.root_info(1)?;
/// # let comm = current.comm_init_root_info::<World>(&root, 0)?;
/// let ranks = comm.ranks();
/// // A row for each sender, with a number for each receiver. This communicator has one rank.
/// let matrix = ranks.count_matrix(&[3])?;
/// assert_eq!((matrix.sent(ranks.own())?, matrix.received(ranks.own())?), (3, 3));
/// # comm.destroy()?;
/// # });
/// ```
///
/// # Invariants
///
/// - `numbers` has `ranks` rows with `ranks` numbers each, where `ranks` is the size of a communicator with the name `N`.
/// - The sum of all numbers does not overflow.
/// - `ranks` is the size of `made_by`, and `own` is what the own rank of `made_by` sends and receives.
pub struct CountMatrix<N> {
    numbers: Box<[u64]>,
    ranks: usize,
    /// The ranks as the communicator has them that made the matrix.
    made_by: Ranks<N>,
    own: (usize, usize),
}

impl<N> fmt::Debug for CountMatrix<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.numbers.chunks(self.ranks.max(1));
        f.debug_list().entries(rows).finish()
    }
}

impl<N> CountMatrix<N> {
    /// Returns the number of elements that a rank sends to all ranks.
    ///
    /// ```
    /// use ascendcl::Result;
    /// use ascendcl::collective::{CountMatrix, Ranks, World};
    ///
    /// fn sends_nothing(ranks: Ranks<World>, matrix: &CountMatrix<World>) -> Result<bool> {
    ///     Ok(matrix.sent(ranks.own())? == 0)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::Rank`] for a rank of an earlier communicator of this name that had more ranks.
    pub fn sent(&self, rank: Rank<N>) -> Result<usize> {
        self.check(rank)?;
        Ok(self.row(rank.number() as usize))
    }

    /// Returns the number of elements that a rank receives from all ranks.
    ///
    /// ```
    /// use ascendcl::Result;
    /// use ascendcl::collective::{CountMatrix, Ranks, World};
    ///
    /// fn room(ranks: Ranks<World>, matrix: &CountMatrix<World>) -> Result<usize> {
    ///     matrix.received(ranks.own())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::Rank`] for a rank of an earlier communicator of this name that had more ranks.
    pub fn received(&self, rank: Rank<N>) -> Result<usize> {
        self.check(rank)?;
        Ok(self.column(rank.number() as usize))
    }

    fn check(&self, rank: Rank<N>) -> Result<()> {
        check_rank(rank.number(), u32::try_from(self.ranks).unwrap_or(u32::MAX))
    }

    fn row(&self, rank: usize) -> usize {
        let row = self.numbers.iter().skip(rank * self.ranks);
        row.take(self.ranks).sum::<u64>() as usize
    }

    fn column(&self, rank: usize) -> usize {
        let column = self.numbers.iter().skip(rank);
        column.step_by(self.ranks.max(1)).sum::<u64>() as usize
    }

    /// Returns the numbers as C takes them.
    pub(super) fn numbers(&self) -> *const core::ffi::c_void {
        self.numbers.as_ptr().cast()
    }

    /// Returns how many elements the own rank of a communicator sends and receives. The matrix has a number for each pair of
    /// its ranks then.
    #[inline]
    pub(super) fn of(&self, call: &'static str, ranks: Ranks<N>) -> Result<(usize, usize)> {
        if self.made_by.is_same(ranks) {
            return Ok(self.own);
        }
        self.of_other(call, ranks)
    }

    /// [`CountMatrix::of`] for a matrix that another rank has made, or an earlier communicator of this name.
    #[cold]
    #[inline(never)]
    fn of_other(&self, call: &'static str, ranks: Ranks<N>) -> Result<(usize, usize)> {
        let size = ranks.size() as usize;
        if self.ranks != size {
            return Err(other_size(call, self.ranks, size));
        }
        let rank = ranks.own().number() as usize;
        Ok((self.row(rank), self.column(rank)))
    }
}

#[cold]
fn other_size(call: &'static str, listed: usize, ranks: usize) -> crate::error::Error {
    CollectiveMismatch::OtherSize {
        call,
        listed,
        ranks,
    }
    .into()
}

/// The largest sum of numbers of elements. HCCL multiplies the numbers by the size of an element, which has at most 8 bytes,
/// also those of parts that this rank has no memory for.
const MOST: usize = isize::MAX as usize / 8;

/// Returns the numbers as C takes them, and their sum, which has to be a `usize`.
fn in_c(numbers: &[usize], expected: usize) -> Result<(Box<[u64]>, u64)> {
    let given = numbers.len();
    let total = numbers.iter().try_fold(0_usize, |sum, number| {
        let sum = sum.checked_add(*number).filter(|sum| *sum <= MOST);
        sum.ok_or(*number)
    });
    match total {
        Ok(total) if given == expected => {
            // A `usize` has at most 64 bits.
            let numbers = numbers.iter().map(|number| *number as u64).collect();
            Ok((numbers, total as u64))
        }
        Ok(_) => Err(CollectiveMismatch::Counts { given, expected }.into()),
        Err(number) => Err(CollectiveMismatch::CountOverflow { number, most: MOST }.into()),
    }
}

impl<N> Ranks<N> {
    /// Makes a list of a number of elements for each rank, in the order of the ranks. A number can be 0.
    ///
    /// ```
    /// use ascendcl::Result;
    /// use ascendcl::collective::{RankCounts, Ranks, World};
    ///
    /// /// Divides rows among the ranks; the first ranks get those that are left.
    /// fn divide(ranks: Ranks<World>, rows: usize) -> Result<RankCounts<World>> {
    ///     let size = ranks.size() as usize;
    ///     let of = |rank| rows / size + usize::from(rank < rows % size);
    ///     ranks.counts(&(0..size).map(of).collect::<Vec<_>>())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::Counts`] if the list has not one number for each rank, and
    /// [`CollectiveMismatch::CountOverflow`] if no memory has so many elements.
    pub fn counts(self, numbers: &[usize]) -> Result<RankCounts<N>> {
        let (numbers, total) = in_c(numbers, self.size() as usize)?;
        let mut next = 0;
        let start = |number: &u64| {
            let start = next;
            next += number;
            start
        };
        let starts = numbers.iter().map(start).collect();
        let own = numbers.get(self.own().number() as usize);
        // INVARIANT: the list has a number for each of these ranks, the own one is one of them (invariant of `Ranks`), and
        // `in_c` has added them up without an overflow.
        Ok(RankCounts {
            own: own.copied().unwrap_or_default(),
            numbers,
            starts,
            total,
            ranks: self,
        })
    }

    /// Makes a matrix of the numbers of elements that each rank sends to each one: a row for each sender, with a number for
    /// each receiver. A number can be 0. All ranks pass the same numbers.
    ///
    /// ```
    /// use ascendcl::Result;
    /// use ascendcl::collective::{CountMatrix, Ranks, World};
    ///
    /// /// Each rank sends one element to each rank.
    /// fn one_for_each(ranks: Ranks<World>) -> Result<CountMatrix<World>> {
    ///     let size = ranks.size() as usize;
    ///     ranks.count_matrix(&vec![1; size * size])
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::Counts`] if the list has not one number for each pair of ranks, and
    /// [`CollectiveMismatch::CountOverflow`] if no memory has so many elements.
    pub fn count_matrix(self, numbers: &[usize]) -> Result<CountMatrix<N>> {
        let ranks = self.size() as usize;
        let (numbers, _) = in_c(numbers, ranks.saturating_mul(ranks))?;
        let mut matrix = CountMatrix {
            numbers,
            ranks,
            made_by: self,
            own: (0, 0),
        };
        let own = self.own().number() as usize;
        // INVARIANT: the list has a number for each pair of these ranks, and `in_c` has added them up without an overflow.
        matrix.own = (matrix.row(own), matrix.column(own));
        Ok(matrix)
    }
}
