//! Groups of rows that are known to cover a matrix.

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Site};
use crate::error::{Misplaced, Result};
use crate::op::handle::RawTensor;
use crate::op::layout::Contiguous;
use crate::op::parameter::describe::Describe;
use crate::op::parameter::sealed::Sealed;
use crate::op::parameter::{Parameter, is_tensor};
use crate::op::shape::Dims;
use crate::op::site::SameSite;
use crate::op::slot::Listed;
use crate::op::tensor::Tensor;
use crate::runtime::HostSide;

/// What the numbers of [`Groups`] say (`groupListType` of `aclnn_grouped_matmul_v4.h`).
///
/// ```
/// use ascendcl::op::GroupList;
///
/// // Groups of 2, 3 and 1 rows: the tensor has 2, 3, 1 as sizes, or 2, 5, 6 as ends.
/// let list = GroupList::Sizes;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i64)]
pub enum GroupList {
    /// Behind which row each group ends.
    Ends = 0,
    /// How many rows each group has.
    Sizes = 1,
}

/// The rows of a matrix in groups, one behind the other: a tensor with a number for each group.
///
/// An operator does not compare the numbers with the matrix: it would leave rows unwritten, or overwrite what lies
/// behind. So operators take groups that were compared before, by [`Tensor::groups`].
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::op::GroupList;
///
/// let sizes = current.malloc_host_from(host, &[2_i64, 3])?;
/// let sizes = current.memcpy(current.malloc(2)?, &sizes)?;
/// let groups = sizes.tensor(&[2])?.groups(current, host, GroupList::Sizes)?;
/// assert_eq!(groups.rows(), 5); // two rows, and three behind them
/// # });
/// ```
///
/// # Invariants
///
/// As long as it is borrowed, the numbers of `tensor` are those of groups with `rows` rows together.
#[derive(Debug)]
pub struct Groups<'b, X> {
    tensor: Tensor<'b, X, i64>,
    rows: usize,
    pub(super) list: GroupList,
}

impl<X> Groups<'_, X> {
    /// How many rows all groups have together.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::op::GroupList;
    ///
    /// let ends = current.malloc_host_from(host, &[2_i64, 5])?;
    /// let ends = current.memcpy(current.malloc(2)?, &ends)?;
    /// let groups = ends.tensor(&[2])?.groups(current, host, GroupList::Ends)?; // 2 rows and 3 rows
    /// assert_eq!(groups.rows(), 5);
    /// # });
    /// ```
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Checks that there are `groups` of them, beside `first`, and that they have all rows of a matrix.
    pub(super) fn check_cover(
        &self,
        operator: &'static str,
        first: &Dims,
        groups: i64,
        size: i64,
    ) -> Result<()> {
        self.tensor.dims.check_beside(operator, first, &[groups])?;
        let (rows, size) = (self.rows, usize::try_from(size).unwrap_or_default());
        if rows == size {
            return Ok(());
        }
        Err(Misplaced::GroupRows {
            operator,
            rows,
            size,
        }
        .into())
    }
}

impl<'b, X> Tensor<'b, X, i64> {
    /// The tensor as groups, without a look at its elements.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::op::GroupList;
    ///
    /// let ends = current.malloc_host_from(host, &[2_i64, 5])?;
    /// let ends = current.memcpy(current.malloc(2)?, &ends)?;
    /// // SAFETY: the elements are the ends of two groups that have 5 rows together.
    /// let groups = unsafe { ends.tensor(&[2])?.assume_groups(GroupList::Ends, 5) };
    /// # });
    /// ```
    ///
    /// # Safety
    ///
    /// - When an operator reads the tensor, its elements are the sizes, or the ends, of groups that have `rows` rows
    ///   together. None is negative, and ends do not descend.
    #[must_use]
    pub unsafe fn assume_groups(self, list: GroupList, rows: usize) -> Groups<'b, X> {
        // INVARIANT: the caller's contract.
        Groups {
            tensor: self,
            rows,
            list,
        }
    }
}

impl<'b, D: AnyDevice> Tensor<'b, D, i64> {
    /// The tensor as groups of rows: copies it to the host and compares each number with the one in front
    /// (`aclrtMemcpy`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::op::GroupList;
    ///
    /// let ends = current.malloc_host_from(host, &[2_i64, 5])?;
    /// let ends = current.memcpy(current.malloc(2)?, &ends)?;
    /// let groups = ends.tensor(&[2])?.groups(current, host, GroupList::Ends)?;
    /// assert_eq!(groups.rows(), 5);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Misplaced::Group`] for a size that is negative, and for an end in front of the one before.
    pub fn groups(
        self,
        current: Current<'_, '_, D>,
        _host: HostSide<'_>,
        list: GroupList,
    ) -> Result<Groups<'b, D>> {
        let mut end = 0;
        for (position, number) in self.to_host(current)?.into_iter().enumerate() {
            let next = match list {
                GroupList::Ends => Some(number),
                GroupList::Sizes => number.checked_add(end),
            };
            match next {
                Some(next) if next >= end => end = next,
                _ => {
                    return Err(Misplaced::Group {
                        position,
                        number,
                        end,
                    }
                    .into());
                }
            }
        }
        let rows = usize::try_from(end).unwrap_or_default();
        // INVARIANT: compared above, and nobody writes what is borrowed.
        Ok(Groups {
            tensor: self,
            rows,
            list,
        })
    }
}

/// A tensor with a number for each group, which the operator reads. An operator of this crate has compared the groups
/// with the matrix, so nothing else is an argument for it.
#[derive(Debug)]
pub enum GroupNumbers {}
impl Sealed for GroupNumbers {}
impl Parameter for GroupNumbers {
    type Handle = RawTensor;
    type Value = *mut sys::aclTensor;
    type Outputs<L> = L;
    is_tensor!(Listed, true, false);

    fn value(handle: &RawTensor) -> *mut sys::aclTensor {
        handle.as_ptr()
    }
}
#[diagnostic::do_not_recommend]
impl<'b, X: Site, Y: SameSite<X>> Describe<'b, X, GroupNumbers> for &Groups<'b, Y> {
    type Memory<L> = L;

    fn describe(&mut self) -> Result<RawTensor> {
        let tensor = &self.tensor;
        RawTensor::new::<i64, Contiguous>(tensor.data, tensor.offset, tensor.dims)
    }

    fn place(&mut self) -> Listed {
        Listed
    }

    fn into_memory<L>(self, list: L) -> L {
        list
    }
}
