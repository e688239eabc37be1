//! How do I get from a JPEG file to a label?
//!
//! The media engine decodes the picture and scales it to the size that the model reads. The host makes numbers of its
//! brightness. The emulator runs the ONNX file; a card takes the `.om` file that `atc` makes of it.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::media::{All, Interpolation, Nv12};
use ascendcl::model::Blocking;
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result};

const MODEL: &[u8] = include_bytes!("classify/digits.onnx");
const PICTURE: &[u8] = include_bytes!("classify/pictures/seven_1753.jpg");
const LABELS: &str = include_str!("classify/labels.txt");
/// The mean and the deviation of each colour in the pictures that the model has learned.
const COLOURS: [(f32, f32); 3] = [(0.485, 0.229), (0.456, 0.224), (0.406, 0.225)];

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let (host, media) = (acl.host()?, acl.media()?.v1()?);
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let channel = stream.adopt(media.create_channel::<All, _>(current)?);
        let mut file = stream.adopt(media.jpeg(current, PICTURE)?);
        let large = stream.adopt(media.picture_for_jpeg::<Nv12, _>(current, file.info())?);
        let large = stream.with(&channel).decode_jpeg(&mut file, large)?;
        let small = stream.adopt(media.picture::<Nv12, _>(current, 32, 32)?);
        let queue = stream.with(&channel);
        let small = queue.resize(&large, small, Interpolation::Default)?;
        let pixels = stream.synchronize()?.take(small).check()?.read(current)?;

        // The model reads 8 pictures. The other 7 stay grey here.
        let mut images = current.malloc_host_from(host, &[0.0_f32; 8 * 3 * 32 * 32])?;
        for (plane, (mean, deviation)) in images.chunks_mut(32 * 32).zip(COLOURS) {
            for (number, brightness) in plane.iter_mut().zip(&pixels) {
                *number = (f32::from(*brightness) / 255.0 - mean) / deviation;
            }
        }
        let images = current.memcpy(current.malloc(images.len())?, &images)?;
        let mut model = current.load_model_from::<Blocking>(MODEL)?;
        let (scores,) = model.execute((&images,), (current.malloc::<f32>(8 * 10)?,))?;
        let mut read = current.malloc_host::<f32>(host, 8 * 10)?;
        current.memcpy(&mut read, &scores)?;
        let scores = LABELS.lines().zip(read.iter());
        let best = scores.max_by(|a, b| a.1.total_cmp(b.1));
        println!("{}", best.map_or("no label", |best| best.0));
        Ok(())
    })
}
