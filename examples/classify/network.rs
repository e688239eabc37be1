//! The network as this example needs it: the shape of its pictures, and the number of its classes.

use std::path::Path;

use ascendcl::Current;
use ascendcl::model::{Blocking, LoadOptions, ModelFile, NoGears, TensorInfo};
use ascendcl::sys::ACL_FLOAT;

use crate::{D, Result};

/// The mean and the deviation of each colour in the photographs of ImageNet, with which most networks were trained.
const COLOURS: [(f32, f32); 3] = [(0.485, 0.229), (0.456, 0.224), (0.406, 0.225)];

/// The pictures and the classes of a network.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Network {
    /// The pictures of one run.
    pub(crate) batch: usize,
    /// 3, or 1 for brightness.
    channels: usize,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Whether the colours of a pixel follow each other. Otherwise each colour has a plane.
    interleaved: bool,
    pub(crate) classes: usize,
}

impl Network {
    /// Looks at the network of a file.
    pub(crate) fn of(
        current: Current<'_, '_, D>,
        file: &ModelFile,
        path: &Path,
    ) -> Result<Network> {
        let named = |why: String| format!("{}: {why}", path.display());
        let load = current.load_model_with::<Blocking, NoGears>(file, LoadOptions::new());
        let model = load.map_err(|error| named(error.to_string()))?;
        let network = Network::described(model.inputs(), model.outputs()).map_err(named)?;
        model.unload()?;
        Ok(network)
    }

    fn described(inputs: &[TensorInfo], outputs: &[TensorInfo]) -> Result<Network, String> {
        let ([input], [output]) = (inputs, outputs) else {
            let (read, made) = (inputs.len(), outputs.len());
            return Err(format!(
                "the network has {read} inputs and {made} outputs, and this example needs one of each"
            ));
        };
        for tensor in [input, output] {
            if tensor.data_type() != ACL_FLOAT {
                let (name, of) = (tensor.name(), tensor.data_type());
                return Err(format!(
                    "`{name}` has elements of type {of:?}, and this example has floats"
                ));
            }
        }
        let wrong = || {
            let shape = input.shape();
            format!(
                "`{}` has the shape {shape:?}, and this example has batches of pictures with 1 or 3 colours",
                input.name()
            )
        };
        let sizes: Option<Vec<usize>> = input
            .shape()
            .iter()
            .map(|size| usize::try_from(*size).ok())
            .collect();
        let (batch, channels, height, width, interleaved) = match sizes.as_deref() {
            Some([batch, channels @ (1 | 3), height, width]) => {
                (*batch, *channels, *height, *width, false)
            }
            Some([batch, height, width, channels @ (1 | 3)]) => {
                (*batch, *channels, *height, *width, true)
            }
            _ => return Err(wrong()),
        };
        if batch == 0 || height % 2 + width % 2 > 0 {
            return Err(wrong() + "; sides have to be even");
        }
        let classes = output.bytes() / size_of::<f32>() / batch;
        let side = |side: usize| u32::try_from(side).map_err(|_| wrong());
        Ok(Network {
            batch,
            channels,
            width: side(width)?,
            height: side(height)?,
            interleaved,
            classes,
        })
    }

    /// The numbers of one picture.
    pub(crate) fn numbers(&self) -> usize {
        self.channels * self.width as usize * self.height as usize
    }

    /// Writes the numbers of a picture: its colours around 0. `pixels` are those of the format NV12: the brightness of each
    /// pixel, and then two numbers for the colour of 2 by 2 pixels.
    pub(crate) fn normalise(&self, pixels: &[u8], to: &mut [f32]) {
        let (width, area) = (
            self.width as usize,
            self.width as usize * self.height as usize,
        );
        let (brightness, colours) = pixels.split_at(area.min(pixels.len()));
        for (place, luma) in brightness.iter().enumerate() {
            let (y, x) = (place / width, place % width);
            let at = y / 2 * width + x / 2 * 2;
            let chroma = |offset: usize| {
                colours
                    .get(at + offset)
                    .map_or(0.0, |chroma| f32::from(*chroma) - 128.0)
            };
            let (luma, blue, red) = (f32::from(*luma), chroma(0), chroma(1));
            // The colours of JFIF, which use the whole range of a byte.
            let rgb = [
                luma + 1.402 * red,
                luma - 0.344_136 * blue - 0.714_136 * red,
                luma + 1.772 * blue,
            ];
            let shown = if self.channels == 1 { [luma; 3] } else { rgb };
            for (channel, (value, (mean, deviation))) in shown
                .into_iter()
                .zip(COLOURS)
                .take(self.channels)
                .enumerate()
            {
                let at = if self.interleaved {
                    place * self.channels + channel
                } else {
                    channel * area + place
                };
                if let Some(to) = to.get_mut(at) {
                    *to = (value.clamp(0.0, 255.0) / 255.0 - mean) / deviation;
                }
            }
        }
    }
}
