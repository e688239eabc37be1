//! Regions of pictures.

use crate::error::{MediaMismatch, Result};
use crate::media::chip::Chip;
use crate::media::format::{PixelFormat, Planes};
use crate::media::layout::{LEAST, Layout, MOST, in_range};

/// A rectangle of a picture, in pixels.
///
/// ```
/// use ascendcl::media::Region;
///
/// let upper_left = Region { left: 0, top: 0, width: 32, height: 24 };
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Region {
    /// First column.
    pub left: u32,
    /// First row.
    pub top: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Region {
    /// Returns the region of a whole picture.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::{Nv12, Region};
    ///
    /// let region = Region::whole(&media.layout::<Nv12>(64, 48)?);
    /// assert_eq!((region.width, region.height), (64, 48));
    /// # });
    /// ```
    #[must_use]
    pub fn whole<F: PixelFormat>(layout: &Layout<F>) -> Region {
        Region {
            left: 0,
            top: 0,
            width: layout.width(),
            height: layout.height(),
        }
    }

    /// Returns the last column and the last row, as the region of C has them. The region was checked.
    pub(super) fn ends(self) -> (u32, u32) {
        let last = |first: u32, count: u32| first.saturating_add(count).saturating_sub(1);
        (last(self.left, self.width), last(self.top, self.height))
    }

    /// Checks that the region is one of a picture, and that its corners are legal on the chip.
    pub(super) fn check<F: PixelFormat>(self, layout: &Layout<F>, chip: Chip) -> Result<()> {
        in_range("the region", (self.width, self.height), LEAST, (MOST, MOST))?;
        let fits = |first: u32, count: u32, all: u32| {
            first.checked_add(count).is_some_and(|end| end <= all)
        };
        if !fits(self.left, self.width, layout.width())
            || !fits(self.top, self.height, layout.height())
        {
            return Err(MediaMismatch::Region {
                left: self.left,
                top: self.top,
                width: self.width,
                height: self.height,
                picture_width: layout.width(),
                picture_height: layout.height(),
            }
            .into());
        }
        let (columns, rows) = steps::<F>(chip);
        let is_on = |number: u32, step: u32| number.is_multiple_of(step);
        if is_on(self.left, columns)
            && is_on(self.width, columns)
            && is_on(self.top, rows)
            && is_on(self.height, rows)
        {
            return Ok(());
        }
        Err(MediaMismatch::RegionStep {
            left: self.left,
            top: self.top,
            width: self.width,
            height: self.height,
            format: F::NAME,
            chip: chip.name(),
        }
        .into())
    }

    /// Checks the region as one to paste to.
    pub(super) fn check_paste<F: PixelFormat>(self, layout: &Layout<F>, chip: Chip) -> Result<()> {
        self.check(layout, chip)?;
        if chip.aligns_rows() && !self.left.is_multiple_of(16) {
            let left = self.left;
            return Err(MediaMismatch::PasteLeft {
                left,
                chip: chip.name(),
            }
            .into());
        }
        Ok(())
    }
}

/// Returns the numbers of which the columns and rows of a region must be multiples. Corners are even in each format on the
/// older chips (`acl_dvpp.h`: left and top even, right and bottom odd), and where pixels share their colour on the others.
fn steps<F: PixelFormat>(chip: Chip) -> (u32, u32) {
    use crate::media::format::Step;
    if chip.aligns_rows() && F::PLANES != Planes::Gray {
        return (2, 2);
    }
    (F::Width::PIXELS, F::Height::PIXELS)
}
