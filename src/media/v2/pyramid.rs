//! Pyramids of the second interface: gray pictures, each of half the sides of the one before it.

use std::any::Any;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{MediaMismatch, Result};
use crate::media::format::Gray;
use crate::media::size::{check_input, check_output};
use crate::media::v2::lasting::Lasting;
use crate::media::v2::processor::{Fresh, Processor, Shared, describe};
use crate::media::v2::task::Processing;

/// The most levels (`acl/dvpp/hi_dvpp_vpc.h`).
const LEVELS: usize = 4;
/// The Gaussian filter of 5 x 5 numbers, whose sum is `DIVISOR`.
const GAUSS: [[i8; 5]; 5] = [
    [1, 4, 6, 4, 1],
    [4, 16, 24, 16, 4],
    [6, 24, 36, 24, 6],
    [4, 16, 24, 16, 4],
    [1, 4, 6, 4, 1],
];
const DIVISOR: u16 = 256;

impl<D: AnyDevice> Processor<'_, '_, D> {
    /// Smooths a gray picture by a Gaussian filter of 5 x 5 and halves its sides, and does the same with the result, up to
    /// four times (`hi_mpi_vpc_pyrdown`, pyACL `acl.himpi.vpc_pyrdown`). At the edges the picture is mirrored, without
    /// its last pixel.
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::PyramidLevels`] for no level or more than four. [`MediaMismatch::PyramidLevel`] for a level without
    /// half the sides of the one before it, which must be even. [`MediaMismatch::Range`], and [`ErrorKind::Refused`] if the
    /// task was not queued.
    #[doc(alias = "hi_mpi_vpc_pyrdown")]
    #[doc(alias = "acl.himpi.vpc_pyrdown")]
    pub fn pyramid_down<'p, 'a, 'b>(
        &'p self,
        input: &Shared<'a, D, Gray>,
        levels: Vec<Fresh<'b, D, Gray>>,
    ) -> Result<Processing<'p, Shared<'a, D, Gray>, Vec<Fresh<'b, D, Gray>>>> {
        if !(1..=LEVELS).contains(&levels.len()) {
            let passed = levels.len();
            return Err(MediaMismatch::PyramidLevels { passed }.into());
        }
        check_input(&input.layout(), self.chip())?;
        let (mut width, mut height) = (input.width(), input.height());
        for (level, output) in (1..).zip(&levels) {
            check_output(&output.layout(), self.chip())?;
            let (to_width, to_height) = (output.width(), output.height());
            if (width, height) != (2 * to_width, 2 * to_height) {
                return Err(MediaMismatch::PyramidLevel {
                    level,
                    width,
                    height,
                    to_width,
                    to_height,
                }
                .into());
            }
            (width, height) = (to_width, to_height);
        }
        let count = u32::try_from(levels.len()).unwrap_or(u32::MAX);
        let source = Lasting::new(describe(input));
        let targets = Lasting::new(levels.iter().map(describe).collect::<Vec<_>>());
        let filter = Lasting::new(GAUSS);
        let border = sys::hi_vpc_make_border_info {
            top: 0,
            bottom: 0,
            left: 0,
            right: 0,
            border_type: sys::HI_BORDER_REFLECT_101,
            scalar_value: sys::hi_vpc_scalar { val: [0.0; 4] },
        };
        let (chn, from, to, rows) = (self.id(), source.as_ptr(), targets.first(), filter.as_ptr());
        let call = |id| {
            // SAFETY: a live channel, and descriptions and memory that live until the result is collected. The call takes
            // the border by value.
            unsafe {
                sys::hi_mpi_vpc_pyrdown(chn, from, to, count, rows.cast(), DIVISOR, border, id, 0)
            }
        };
        let infos: Box<dyn Any> = Box::new((source, targets, filter));
        let held = (Arc::clone(input), infos, levels);
        // SAFETY: the call uses the pictures, their descriptions and the filter; the channel lives as long as this borrow.
        unsafe { Processing::queue("hi_mpi_vpc_pyrdown", self.tasks(), held, call) }
    }
}
