//! Pictures in device memory: the fields of a description, and the checks that the device makes.

use ascendcl_sys::{
    ACL_ERROR_FORMAT_NOT_MATCH, ACL_ERROR_INVALID_PARAM, ACL_ERROR_UNSUPPORTED_JPEG,
};

use super::format::Layout;
use super::image::{Area, Grid, Image};
use super::product::Product;
use crate::check::Touch;
use crate::results::list_of;
use crate::space::heap::Maker;
use crate::space::{Location, space};

/// The fields of a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Picture {
    pub(super) data: usize,
    pub(super) size: u32,
    pub(super) format: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) width_stride: u32,
    pub(super) height_stride: u32,
}

/// The reason why the device refuses a task, with the code for the description of the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) code: u32,
    pub(super) text: String,
}

impl Refused {
    /// A parameter that the device refuses.
    pub(super) fn parameter(text: impl Into<String>) -> Refused {
        Refused {
            code: ACL_ERROR_INVALID_PARAM as u32,
            text: text.into(),
        }
    }

    /// A JPEG that the device does not decode.
    pub(super) fn jpeg(text: impl Into<String>) -> Refused {
        Refused {
            code: ACL_ERROR_UNSUPPORTED_JPEG as u32,
            text: text.into(),
        }
    }

    fn format(text: String) -> Refused {
        Refused {
            code: ACL_ERROR_FORMAT_NOT_MATCH as u32,
            text,
        }
    }
}

/// The generation of the functions that a task comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Generation {
    First,
    Second,
}

/// Refuses memory that the media engine cannot use. Memory that does not exist is found when the task runs.
pub(super) fn check_memory(
    what: &str,
    address: usize,
    generation: Generation,
    product: Product,
) -> Result<(), Refused> {
    let (kind, function) = match generation {
        Generation::First => (Maker::Dvpp1, "acldvppMalloc"),
        Generation::Second => (Maker::Dvpp2, "hi_mpi_dvpp_malloc"),
    };
    let is_any = generation == Generation::Second && !product.is_aligned();
    match space().locate(address) {
        Location::Device(_, Some(located))
            if located.kind == kind || is_any && located.kind == Maker::Device =>
        {
            Ok(())
        }
        Location::Device(_, None) | Location::Unmapped => Ok(()),
        _ => Err(Refused::parameter(format!(
            "{what} at {address:#x} is not in memory of {function}"
        ))),
    }
}

impl Picture {
    /// Returns the layout of the picture, or refuses its format.
    pub(super) fn layout(&self, what: &str) -> Result<Layout, Refused> {
        Layout::of(self.format).ok_or_else(|| {
            Refused::format(format!(
                "{what} has the format {}, which is not modelled",
                self.format
            ))
        })
    }

    /// Returns the layout with the strides.
    pub(super) fn grid(&self, what: &str) -> Result<Grid, Refused> {
        Ok(Grid {
            layout: self.layout(what)?,
            width_stride: self.width_stride as usize,
            height_stride: self.height_stride as usize,
        })
    }

    /// The whole picture.
    pub(super) fn area(&self) -> Area {
        Area {
            x: 0,
            y: 0,
            width: self.width as usize,
            height: self.height as usize,
        }
    }

    /// Makes the checks of picture processing. `greatest` is the greatest size.
    pub(super) fn check(
        &self,
        what: &str,
        greatest: (u32, u32),
        product: Product,
    ) -> Result<Grid, Refused> {
        let grid = self.grid(what)?;
        let refuse = |text: String| Err(Refused::parameter(format!("{what} {text}")));
        let (width, height) = (self.width, self.height);
        if width < 10 || height < 6 || width > greatest.0 || height > greatest.1 {
            return refuse(format!(
                "has {width}x{height} pixels; 10x6 to {}x{} are allowed",
                greatest.0, greatest.1
            ));
        }
        let (across, down) = grid.layout.shared();
        if !width.is_multiple_of(across as u32) || !height.is_multiple_of(down as u32) {
            return refuse(format!(
                "has {width}x{height} pixels; its format needs an even {}",
                if width.is_multiple_of(across as u32) {
                    "height"
                } else {
                    "width"
                }
            ));
        }
        self.check_strides(what, grid, product)?;
        Ok(grid)
    }

    fn check_strides(&self, what: &str, grid: Grid, product: Product) -> Result<(), Refused> {
        let refuse = |text: String| Err(Refused::parameter(format!("{what} {text}")));
        let (columns, rows) = (self.width_stride, self.height_stride);
        let unit = grid.layout.unit() as u32;
        let least = (self.width * unit).max(product.least_stride());
        if columns < least || columns > 16384 * unit {
            return refuse(format!("has rows of {columns} bytes; {least} is the least"));
        }
        if product.is_aligned() && columns % 16 != 0 {
            return refuse(format!(
                "has rows of {columns} bytes; this product needs a multiple of 16"
            ));
        }
        let (_, least) = grid.layout.strides(self.width, self.height, product);
        if rows < least || rows > 16384 || product.is_oldest() && rows % 2 != 0 {
            return refuse(format!(
                "has {rows} rows in its buffer; {least} is the least"
            ));
        }
        if product.is_aligned() && !self.data.is_multiple_of(16) {
            return refuse(format!(
                "begins at {:#x}; this product needs a multiple of 16",
                self.data
            ));
        }
        let bytes = grid.layout.bytes(columns as usize, rows as usize);
        if (self.size as usize) < bytes {
            return refuse(format!(
                "has a buffer of {} bytes and needs {bytes}",
                self.size
            ));
        }
        Ok(())
    }

    /// Returns the bytes that a task uses: up to the end of the buffer, as the strides say.
    pub(super) fn bytes(&self, grid: &Grid) -> usize {
        grid.layout.bytes(grid.width_stride, grid.height_stride)
    }

    /// Returns the accesses to an area, one for each plane.
    pub(super) fn touches(&self, grid: &Grid, area: Area, write: bool) -> Vec<Touch> {
        let strips = grid.strips(area).into_iter();
        list_of(strips.map(|strip| Touch {
            address: self.data.saturating_add(strip.start),
            len: strip.len(),
            write,
            dense: strip.stride == strip.row || strip.rows <= 1,
            scratch: false,
            maybe: false,
        }))
    }
}

/// Reads an area of a picture that was checked.
pub(super) fn load(grid: &Grid, bytes: &[u8], area: Area) -> Result<Image, Refused> {
    grid.load(bytes, area)
        .ok_or_else(|| Refused::parameter("the picture ends after its buffer"))
}

/// Writes an image into a picture that was checked.
pub(super) fn store(
    grid: &Grid,
    bytes: &mut [u8],
    image: &Image,
    x: usize,
    y: usize,
) -> Result<(), Refused> {
    grid.store(bytes, image, x, y)
        .ok_or_else(|| Refused::parameter("the output ends after its buffer"))
}
