//! Reads eight digits with a model: load, data sets, run, unload.
//!
//! `aclmdlLoadFromFile`, `aclmdlGetDesc`, `aclmdlCreateDataset`, `aclmdlAddDatasetBuffer`, `aclmdlExecute`,
//! `aclmdlUnload`. The typed API makes the data sets itself. The emulator runs the ONNX file; for a card, pass the `.om`
//! file that `atc` makes of it: `cargo run --features emulator-onnx --example model digits.om`.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use std::path::Path;

use ascendcl::model::Blocking;
use ascendcl::{Acl, Npu};

/// Eight digits of 8 by 8 pixels. The brightness is the position of the character in `LEVELS`.
const DIGITS: [&[u8; 64]; 8] = [
    b"  :###:    +:.     .#.    .##:    :+#:    :#::    +#+      +:   ",
    b"  +###+   :##:    .#+     :###    #:     .####.  +#+#:    :+    ",
    b"   .##    +##.    +#...   .##+    #      :# :#.  :: #:    #:    ",
    b"   #+     ###    :#..#:   .###   :#+#:    ####:     #:   .#:    ",
    b"   ##.    ###.   +#+##    :##:    :: +:    ..+:    ::    :###+  ",
    b"   .+#    ###    +###+    +##.       +:      +:   :#...  .# .+: ",
    b"   .+#    +##:    ..#:   .###       :#    +:+#:  .####+   ++:++ ",
    b"  :#:.     :+:      #.    :++     +#:     :##:    ++:      +##. ",
];
const LEVELS: &[u8] = b" .:+#";
/// The mean and the deviation of each colour in the pictures that the model has learned.
const COLOURS: [(f32, f32); 3] = [(0.485, 0.229), (0.456, 0.224), (0.406, 0.225)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/classify/digits.onnx");
    let path = std::env::args_os().nth(1).map_or(ours, Into::into);
    // The model wants 8 pictures of 3 colours with 32 by 32 pixels: each pixel above fills 4 by 4 of them.
    let pixel = |picture: usize, y: usize, x: usize| {
        let of = DIGITS
            .get(y / 4)
            .and_then(|row| row.get(8 * picture + x / 4));
        let level = LEVELS.iter().position(|level| Some(level) == of);
        level.unwrap_or(0) as f32 / 4.0
    };
    let mut pixels = Vec::new();
    for picture in 0..8 {
        for (mean, deviation) in COLOURS {
            let all = (0..32).flat_map(|y| (0..32).map(move |x| (y, x)));
            pixels.extend(all.map(|(y, x)| (pixel(picture, y, x) - mean) / deviation));
        }
    }

    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut model = current.load_model::<Blocking>(path)?;
        for tensor in model.inputs().iter().chain(model.outputs()) {
            println!(
                "{}: {:?}, {} bytes",
                tensor.name(),
                tensor.shape(),
                tensor.bytes()
            );
        }
        let images = current.malloc_host_from(host, &pixels)?;
        let images = current.memcpy(current.malloc(pixels.len())?, &images)?;
        let (scores,) = model.execute((&images,), (current.malloc::<f32>(80)?,))?;
        model.unload()?;

        let mut read = current.malloc_host::<f32>(host, 80)?;
        current.memcpy(&mut read, &scores)?;
        let best = |row: &[f32]| (0..10).zip(row.to_vec()).max_by(|a, b| a.1.total_cmp(&b.1));
        let digits: Vec<i32> = read.chunks(10).filter_map(best).map(|of| of.0).collect();
        println!("{digits:?}");
        Ok(())
    })?;
    Ok(())
}
