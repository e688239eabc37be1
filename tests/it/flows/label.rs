// Decodes a picture, scales it to the size that a model reads, and says how bright it is.

use ascendcl::media::{All, Interpolation, Nv12};
use ascendcl::{Acl, Npu, Result, stream::Main};

const PICTURE: &[u8] = include_bytes!("../../../examples/classify/pictures/seven_1753.jpg");

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let media = acl.media()?.v1()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let channel = stream.adopt(media.create_channel::<All, _>(current)?);
        let mut file = stream.adopt(media.jpeg(current, PICTURE)?);
        let large = stream.adopt(media.picture_for_jpeg::<Nv12, _>(current, file.info())?);
        let large = stream.with(&channel).decode_jpeg(&mut file, large)?;
        let small = stream.adopt(media.picture::<Nv12, _>(current, 32, 32)?);
        let small = stream
            .with(&channel)
            .resize(&large, small, Interpolation::Default)?;
        let picture = stream.synchronize()?.take(small);
        let pixels = picture.check()?.read(current)?;
        println!("{:?}", pixels.iter().max());
        Ok(())
    })
}
