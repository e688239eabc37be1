//! Picture processing that both generations have: rectangles of pictures are cropped, scaled, converted, framed and
//! pasted.

use std::sync::Arc;

use ascendcl_sys::aclError;

use super::colour::Matrix;
use super::engine::{self, Engine};
use super::image::{Area, Colours, Grid, Image};
use super::operate::{Border, Interpolation};
use super::picture::{Generation, Picture, Refused, check_memory, load, store};
use super::product::{Product, product};
use super::task::{Job, Memory};
use crate::check::Touch;
use crate::results::every;

/// The greatest size of an input.
const GREATEST_INPUT: (u32, u32) = (8192, 8192);

/// The smallest rectangle.
const LEAST: (usize, usize) = (10, 6);

/// One rectangle on its way.
#[derive(Debug, Clone)]
pub(super) struct Transfer {
    pub(super) source: Picture,
    /// The rectangle of the source, the whole picture if `None`. It can be outside of it.
    pub(super) crop: Option<Area>,
    pub(super) dest: Picture,
    /// The rectangle of the destination, the whole picture if `None`.
    pub(super) paste: Option<Area>,
    /// The size between two scalings.
    pub(super) between: Option<(usize, usize)>,
    pub(super) border: Option<Border>,
    pub(super) interpolation: Interpolation,
    /// The alpha of pixels without one.
    pub(super) alpha: u8,
}

impl Transfer {
    /// A transfer between whole pictures.
    pub(super) fn whole(source: Picture, dest: Picture, interpolation: Interpolation) -> Transfer {
        Transfer {
            source,
            crop: None,
            dest,
            paste: None,
            between: None,
            border: None,
            interpolation,
            alpha: 0,
        }
    }

    /// The size of the scaled rectangle.
    fn target(&self) -> (usize, usize) {
        let area = self.paste.unwrap_or(self.dest.area());
        match self.border {
            Some(border) => (
                area.width.saturating_sub(border.left + border.right),
                area.height.saturating_sub(border.top + border.bottom),
            ),
            None => (area.width, area.height),
        }
    }

    fn needs_engine(&self) -> bool {
        let area = self.crop.unwrap_or(self.source.area());
        let target = self.target();
        let between = self.between.unwrap_or(target);
        self.interpolation == Interpolation::Linear
            && ((area.width, area.height) != between || between != target)
    }

    /// Makes the checks of the device.
    fn checked(&self, generation: Generation, product: Product) -> Result<Step, Refused> {
        let source = self.source.check("the input", GREATEST_INPUT, product)?;
        let dest = self
            .dest
            .check("the output", product.greatest_output(), product)?;
        check_memory("the input", self.source.data, generation, product)?;
        check_memory("the output", self.dest.data, generation, product)?;
        let crop = match self.crop {
            Some(area) => rectangle("the rectangle to crop", area, &self.source, source, product)?,
            None => self.source.area(),
        };
        if crop.width < LEAST.0 || crop.height < LEAST.1 {
            let text = format!(
                "the rectangle to crop has {}x{} pixels; {}x{} are the least",
                crop.width, crop.height, LEAST.0, LEAST.1
            );
            return Err(Refused::parameter(text));
        }
        let paste = match self.paste {
            Some(area) => {
                if product.is_aligned() && area.x % 16 != 0 {
                    return Err(Refused::parameter(format!(
                        "the rectangle to paste begins at column {}; this product needs a multiple of 16",
                        area.x
                    )));
                }
                rectangle("the rectangle to paste", area, &self.dest, dest, product)?
            }
            None => self.dest.area(),
        };
        let target = self.target();
        if target.0 == 0 || target.1 == 0 {
            return Err(Refused::parameter(
                "the border leaves no room for the picture",
            ));
        }
        if product.is_oldest() {
            let is_scalable = |from: usize, to: usize| to * 32 >= from && to <= from * 16;
            if !is_scalable(crop.width, target.0) || !is_scalable(crop.height, target.1) {
                return Err(Refused::parameter(format!(
                    "{}x{} pixels cannot be scaled to {}x{}: 1/32 to 16 are possible",
                    crop.width, crop.height, target.0, target.1
                )));
            }
        }
        Ok(Step {
            source,
            crop,
            dest,
            paste,
            target,
            has_no_alpha: !product.is_aligned(),
        })
    }

    /// Returns whether each row of the output depends on that row of the input alone, and no output is an input.
    fn is_by_rows(&self, step: &Step) -> bool {
        let ends = (
            self.source
                .data
                .saturating_add(self.source.bytes(&step.source)),
            self.dest.data.saturating_add(self.dest.bytes(&step.dest)),
        );
        let is_apart = ends.0 <= self.dest.data || ends.1 <= self.source.data;
        let is_scaled =
            self.between.is_some() || (step.crop.width, step.crop.height) != step.target;
        is_apart && !is_scaled && self.border.is_none()
    }

    /// The image that the transfer pastes.
    fn image(
        &self,
        step: &Step,
        bytes: &[u8],
        matrix: &Matrix,
        engine: Option<&dyn Engine>,
    ) -> Result<Image, Refused> {
        let colours = Colours::of(step.dest.layout);
        if self.is_by_rows(step)
            && let Some(pixels) = step.source.pixels(bytes, step.crop)
            && let Some(image) = pixels.converted(colours, matrix, self.alpha)
        {
            return Ok(image);
        }
        let image = load(&step.source, bytes, step.crop)?;
        let is_scaled = (image.width, image.height) != step.target;
        let scale = |image: Image, (width, height)| {
            image
                .scaled(width, height, self.interpolation, engine)
                .map_err(Refused::parameter)
        };
        let mut image = scale(image, self.between.unwrap_or(step.target))?;
        image = scale(image, step.target)?;
        if let (Colours::Rgb(4), true, true) = (image.colours, is_scaled, step.has_no_alpha) {
            for pixel in image
                .planes
                .iter_mut()
                .flat_map(|plane| plane.bytes.chunks_exact_mut(4))
            {
                if let Some(alpha) = pixel.last_mut() {
                    *alpha = 0;
                }
            }
        }
        let image = image.converted(colours, matrix, self.alpha);
        Ok(match &self.border {
            Some(border) => image.bordered(border),
            None => image,
        })
    }
}

/// Checks a rectangle of a picture.
fn rectangle(
    what: &str,
    mut area: Area,
    picture: &Picture,
    grid: Grid,
    product: Product,
) -> Result<Area, Refused> {
    if product.is_oldest() {
        // The first corner is moved to even numbers, and the last one to odd numbers.
        let (right, bottom) = (area.x + area.width, area.y + area.height);
        (area.x, area.y) = (area.x.next_multiple_of(2), area.y.next_multiple_of(2));
        area.width = (right & !1).saturating_sub(area.x);
        area.height = (bottom & !1).saturating_sub(area.y);
    }
    let (across, down) = grid.layout.shared();
    let text = if area.x + area.width > picture.width as usize
        || area.y + area.height > picture.height as usize
    {
        "is not inside of the picture"
    } else if [area.x, area.width]
        .iter()
        .any(|number| number % across != 0)
        || [area.y, area.height]
            .iter()
            .any(|number| number % down != 0)
    {
        "begins at an odd number or has an odd size, which its format does not allow"
    } else {
        return Ok(area);
    };
    Err(Refused::parameter(format!(
        "{what} ({}x{} pixels at {}, {}) {text} of {}x{} pixels",
        area.width, area.height, area.x, area.y, picture.width, picture.height
    )))
}

/// A transfer that was checked.
#[derive(Debug, Clone, Copy)]
struct Step {
    source: Grid,
    crop: Area,
    dest: Grid,
    paste: Area,
    target: (usize, usize),
    has_no_alpha: bool,
}

/// The memory, the accesses and the computation of transfers.
pub(super) struct Prepared {
    pub(super) ranges: Vec<(usize, usize)>,
    pub(super) touches: Vec<Touch>,
    pub(super) job: Result<Arc<Job>, Refused>,
}

impl Prepared {
    /// A task that the device refuses.
    pub(super) fn refused(why: Refused) -> Prepared {
        Prepared {
            ranges: Vec::new(),
            touches: Vec::new(),
            job: Err(why),
        }
    }
}

/// The rows of a picture that are transferred at a time, if none depends on others: they stay in the cache. No colour is shared by
/// pixels of two bands.
const BAND: usize = 16;

/// Prepares transfers. The call fails if there is no engine that they need; other mistakes are found by the device.
pub(super) fn prepare(
    call: &'static str,
    transfers: Vec<Transfer>,
    matrix: Matrix,
    generation: Generation,
) -> Result<Prepared, aclError> {
    let engine = if transfers.iter().any(Transfer::needs_engine) {
        Some(engine::needed(call)?)
    } else {
        None
    };
    let product = product();
    let steps = transfers.iter().map(|one| one.checked(generation, product));
    let steps: Vec<Step> = match every(steps) {
        Ok(steps) => steps,
        Err(why) => return Ok(Prepared::refused(why)),
    };
    let (mut ranges, mut touches) = (Vec::new(), Vec::new());
    for (one, step) in transfers.iter().zip(&steps) {
        ranges.push((one.source.data, one.source.bytes(&step.source)));
        ranges.push((one.dest.data, one.dest.bytes(&step.dest)));
        touches.extend(one.source.touches(&step.source, step.crop, false));
        touches.extend(one.dest.touches(&step.dest, step.paste, true));
    }
    let job = move |memory: &mut Memory<'_>| {
        for (index, (one, step)) in transfers.iter().zip(&steps).enumerate() {
            let height = step.target.1;
            let is_by_rows = one.is_by_rows(step);
            let band = if is_by_rows { BAND } else { height.max(1) };
            for top in (0..height).step_by(band) {
                let mut part = *step;
                if is_by_rows {
                    part.crop.y += top;
                    part.crop.height = band.min(height - top);
                    part.target.1 = part.crop.height;
                }
                let image = one.image(&part, memory.read(index * 2), &matrix, engine.as_deref())?;
                let dest = memory.write(index * 2 + 1);
                store(&step.dest, dest, &image, step.paste.x, step.paste.y + top)?;
            }
        }
        Ok(())
    };
    Ok(Prepared {
        ranges,
        touches,
        job: Ok(Arc::new(job)),
    })
}
