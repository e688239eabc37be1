//! Loops of the media engine: channels, pictures, files and processors.

use std::sync::Arc;

use ascendcl::Result;
use ascendcl::media::{All, Interpolation, Nv12, Region, Rgb888, Scaling};
use ascendcl::stream::Main;

use crate::flat::{Given, Lines, loops, rounds};
use crate::loops::on_own_stream;
use crate::media::{jpeg, media};

const PART: Region = Region {
    left: 0,
    top: 0,
    width: 32,
    height: 16,
};

fn file() -> Vec<u8> {
    jpeg(
        32,
        32,
        &[0x22, 0x11, 0x11],
        &[[50, 60, 70]; 32 * 32].concat(),
    )
}

loops! {
    fn pictures_and_channels(Given { acl, current, .. }) {
        let media = media(acl);
        let file = file();
        let mut stream = current.create_stream::<Main>().unwrap();
        let lines = Lines::new(4);
        rounds(current, || {
            lines.begin();
            let mut round = || -> Result<()> {
                let channel = stream.adopt(media.create_channel::<All, _>(current)?);
                lines.end()?;
                let mut file = stream.adopt(media.jpeg(current, &file)?);
                let picture = stream.adopt(media.picture_for_jpeg::<Nv12, _>(current, file.info())?);
                let picture = stream.with(&channel).decode_jpeg(&mut file, picture)?;
                lines.end()?;
                let small = stream.adopt(media.picture::<Nv12, _>(current, 32, 16)?);
                let small = stream.with(&channel).resize(&picture, small, Interpolation::Nearest)?;
                lines.end()?;
                let idle = stream.synchronize()?;
                drop(idle.take(small).check()?);
                lines.end()?;
                idle.take(channel).destroy()
            };
            if round().is_err() {
                stream.synchronize().unwrap();
            }
        });
    }

    ["out-of-memory%5,task:acldvppVpcResizeAsync%10=507001,task:acldvppJpegDecodeAsync%10=507001,acldvppCreateChannel%10=500000,acldvppVpcCropAsync%10=500001"]
    fn pictures_and_channels_that_fail(Given { acl, current, .. }) {
        let media = media(acl);
        let file = file();
        rounds(current, || {
            let _ = on_own_stream(current, |stream| {
                let channel = stream.adopt(media.create_channel::<All, _>(current)?);
                let mut file = stream.adopt(media.jpeg(current, &file)?);
                let picture = stream.adopt(media.picture_for_jpeg::<Nv12, _>(current, file.info())?);
                let picture = stream.with(&channel).decode_jpeg(&mut file, picture)?;
                let small = stream.adopt(media.picture::<Nv12, _>(current, 32, 16)?);
                let small = stream.with(&channel).resize(&picture, small, Interpolation::Nearest)?;
                let part = stream.adopt(media.picture::<Nv12, _>(current, 32, 16)?);
                drop(stream.with(&channel).crop(&small, PART, part)?);
                stream.synchronize()?.take(small).check().map(drop)
            });
        });
    }

    fn processors_of_the_second_interface(Given { acl, current, .. }) {
        let media = crate::media_second::media(acl, current);
        let picture = media.picture::<Rgb888>(current, 40, 30).unwrap().fill(current, 1).unwrap();
        let picture = Arc::new(picture);
        let lines = Lines::new(3);
        rounds(current, || {
            lines.begin();
            let round = || -> Result<()> {
                let processor = media.create_processor(current)?;
                lines.end()?;
                let small = media.picture::<Rgb888>(current, 40, 30)?;
                let task = processor.resize(&picture, small, Scaling::Nearest)?;
                lines.end()?;
                let other = processor.histogram(&picture)?;
                lines.end()?;
                drop(task.wait()?);
                drop(other);
                processor.destroy()
            };
            let _ = round();
        });
    }

    ["out-of-memory%5,hi_mpi_vpc_resize%10=-1609007099,hi_mpi_vpc_sys_create_chn%10=-1609007099"]
    fn processors_that_fail(Given { acl, current, .. }) {
        let media = crate::media_second::media(acl, current);
        let picture = loop {
            let picture = media.picture::<Rgb888>(current, 40, 30);
            if let Ok(picture) = picture.and_then(|picture| picture.fill(current, 1)) {
                break Arc::new(picture);
            }
        };
        rounds(current, || {
            let round = || -> Result<()> {
                let processor = media.create_processor(current)?;
                let small = media.picture::<Rgb888>(current, 40, 30)?;
                drop(processor.resize(&picture, small, Scaling::Nearest)?);
                let small = media.picture::<Rgb888>(current, 40, 30)?;
                drop(processor.resize(&picture, small, Scaling::Nearest)?.wait()?);
                processor.destroy()
            };
            let _ = round();
        });
    }
}
