//! Pictures: the media engine decodes JPEG files and scales them.
//!
//! The files of a batch are decoded on a stream of their own. A file that the engine cannot decode makes the wait for its
//! stream fail, and with it the batch. Then each file gets a stream, so that only the wrong one has no picture.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use ascendcl::bounds::StreamTag;
use ascendcl::media::{All, Channel, Interpolation, Nv12, Picture, Unchecked, V1};
use ascendcl::memory::Dvpp;
use ascendcl::{Current, Queued, Stream};

use crate::D;

/// The most bytes of a file.
const LARGEST: u64 = 64 << 20;

/// A scaled picture that a stream has not finished.
type Small<'dev, S> = Queued<'dev, (D, S), Picture<'dev, Dvpp<D>, Nv12, Unchecked>>;

/// Reads a JPEG file of a bounded size.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| format!("cannot be read: {error}"))?;
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > LARGEST {
        return Err(format!("the file has more than {} MiB", LARGEST >> 20));
    }
    match frame(&bytes) {
        Some(0xc0 | 0xc1) => Ok(bytes),
        Some(0xc2) => Err(
            "the JPEG is progressive, and the media engine decodes baseline files only".to_owned(),
        ),
        Some(other) => Err(format!(
            "the JPEG has frames of the kind {other:#x}, which the media engine does not decode"
        )),
        None => Err("the file is no JPEG, or its beginning is damaged".to_owned()),
    }
}

/// Returns the marker of the frame of a JPEG file, which says how it is coded.
fn frame(bytes: &[u8]) -> Option<u8> {
    let mut rest = bytes.strip_prefix(&[0xff, 0xd8])?;
    loop {
        let [0xff, marker, tail @ ..] = rest else {
            return None;
        };
        match marker {
            // A byte between two segments.
            0xff => rest = rest.get(1..)?,
            // Tables of Huffman and of arithmetic codes have markers between those of frames.
            0xc0..=0xcf if ![0xc4, 0xc8, 0xcc].contains(marker) => return Some(*marker),
            _ => {
                let length = tail
                    .first_chunk()
                    .map(|length| u16::from_be_bytes(*length))?;
                rest = tail.get(usize::from(length)..)?;
            }
        }
    }
}

/// Decodes files and scales their pictures to one size.
pub(crate) struct Decoder<'m, 't, 'dev> {
    media: &'t V1<'m>,
    current: Current<'t, 'dev, D>,
    /// The channel of the media engine, where an earlier failure has left one.
    channel: Option<Channel<'t, 'dev, D, All>>,
    size: (u32, u32),
}

impl<'m, 't, 'dev> Decoder<'m, 't, 'dev> {
    pub(crate) fn new(
        media: &'t V1<'m>,
        current: Current<'t, 'dev, D>,
        size: (u32, u32),
    ) -> Decoder<'m, 't, 'dev> {
        Decoder {
            media,
            current,
            channel: None,
            size,
        }
    }

    /// Decodes files. Each has its pixels in the format NV12, or the reason why it has none.
    pub(crate) fn decode(&mut self, files: &[Vec<u8>]) -> Vec<Result<Vec<u8>, String>> {
        if files.is_empty() {
            return Vec::new();
        }
        let failed = match self.at_once(files) {
            Ok(pictures) => return pictures,
            Err(error) => error.to_string(),
        };
        if files.len() == 1 {
            return vec![Err(failed)];
        }
        // If stderr is closed, there is nobody to tell.
        let _ = writeln!(
            io::stderr(),
            "note: {failed}; decoding the pictures of this batch alone"
        );
        let alone = |file: &Vec<u8>| {
            let decoded = self.at_once(std::slice::from_ref(file));
            decoded
                .map_err(|error| error.to_string())?
                .pop()
                .ok_or_else(String::new)?
        };
        files.iter().map(alone).collect()
    }

    /// Decodes files on one stream. The error is that of the stream.
    fn at_once(&mut self, files: &[Vec<u8>]) -> ascendcl::Result<Vec<Result<Vec<u8>, String>>> {
        let (media, current, size) = (self.media, self.current, self.size);
        let channel = match self.channel.take() {
            Some(channel) => channel,
            None => media.create_channel(current)?,
        };
        let mut parked = current.create_parked_stream()?;
        let decoded = parked.with(current, |stream| {
            let channel = stream.adopt(channel);
            let mut queued = Vec::new();
            for file in files {
                queued.push(queue(media, current, stream, &channel, file, size));
            }
            let idle = stream.synchronize()?;
            let pixels =
                |small: ascendcl::Result<Small<'dev, _>>| idle.take(small?).check()?.read(current);
            let pixels = queued
                .into_iter()
                .map(|small| pixels(small).map_err(|error| error.to_string()));
            Ok::<_, ascendcl::Error>((pixels.collect(), idle.take(channel)))
        });
        let (pictures, channel) = decoded?;
        self.channel = Some(channel);
        parked.destroy(current)?;
        Ok(pictures)
    }

    /// Destroys the channel.
    pub(crate) fn end(self) -> ascendcl::Result<()> {
        self.channel.map_or(Ok(()), Channel::destroy)
    }
}

/// Queues the work for one picture: decode, and scale. What the work needs lives until the stream is done.
fn queue<'t, 'dev, S: StreamTag>(
    media: &V1<'_>,
    current: Current<'t, 'dev, D>,
    stream: &mut Stream<'t, 'dev, D, S>,
    channel: &Queued<'dev, (D, S), Channel<'t, 'dev, D, All>>,
    file: &[u8],
    (width, height): (u32, u32),
) -> ascendcl::Result<Small<'dev, S>> {
    let mut file = stream.adopt(media.jpeg(current, file)?);
    let picture = stream.adopt(media.picture_for_jpeg::<Nv12, _>(current, file.info())?);
    let picture = stream.with(channel).decode_jpeg(&mut file, picture)?;
    let small = stream.adopt(media.picture::<Nv12, _>(current, width, height)?);
    stream
        .with(channel)
        .resize(&picture, small, Interpolation::Default)
}
