//! Mistakes with pictures, channels and the two interfaces of the media engine.

use super::{Error, Usage};

/// A mistake with the media engine, found before the runtime was called. The runtime itself finds few of them: it
/// returns 0, and the work fails later on the device.
///
/// ```
/// # ascendcl::example!(|acl| {
/// use ascendcl::error::{MediaMismatch, Usage};
/// use ascendcl::{Error, ErrorKind};
///
/// let media = acl.media()?;
/// match acl.media().map_err(Error::into_kind) {
///     Err(ErrorKind::Usage(Usage::Media(MediaMismatch::Claimed))) => println!("share the first one"),
///     other => println!("{other:?}"),
/// }
/// # });
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MediaMismatch {
    /// A second [`Media`](crate::media::Media) while the first lives.
    #[error(
        "the media engine is in use in this process already (a forgotten `Media`, `V1` or `V2` counts): share that value by \
         reference"
    )]
    Claimed,
    /// Another interface than the one that this process has chosen before.
    #[error(
        "this process has used the {chosen} interface of the media engine, and CANN does not allow the {asked} one beside it: \
         use the {chosen} one, or another process"
    )]
    Chosen {
        /// The interface of this process.
        chosen: &'static str,
        /// The interface that was asked for.
        asked: &'static str,
    },
    /// A picture whose width or height is outside of the range of its use.
    #[error(
        "{what} has {width} x {height} pixels, and its sides must be from {least_width} x {least_height} to {most_width} x \
         {most_height}"
    )]
    Range {
        /// The picture or region, by its use.
        what: &'static str,
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// The least width.
        least_width: u32,
        /// The least height.
        least_height: u32,
        /// The largest width.
        most_width: u32,
        /// The largest height.
        most_height: u32,
    },
    /// A picture whose width or height must be even in its format.
    #[error(
        "a picture of the format {format} cannot have {width} x {height} pixels: its {side} must be even, because two \
         neighbours share their colour"
    )]
    Odd {
        /// The name of the format.
        format: &'static str,
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// `width` or `height`.
        side: &'static str,
    },
    /// Memory that is too small for a picture, or data that is too large for memory.
    #[error("{what} has {passed} bytes, and {needed} are needed: allocate as many")]
    Bytes {
        /// The memory.
        what: &'static str,
        /// Bytes of the memory.
        passed: usize,
        /// Bytes that it needs.
        needed: usize,
    },
    /// More bytes than the media engine can count.
    #[error("{what} has {passed} bytes, and the media engine counts up to 4294967295")]
    TooLarge {
        /// The data.
        what: &'static str,
        /// Its bytes.
        passed: usize,
    },
    /// A region that is not within its picture.
    #[error(
        "the region of {width} x {height} pixels at ({left}, {top}) is not within the picture of {picture_width} x \
         {picture_height}"
    )]
    Region {
        /// First column.
        left: u32,
        /// First row.
        top: u32,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Pixels in a row of the picture.
        picture_width: u32,
        /// Rows of the picture.
        picture_height: u32,
    },
    /// A region whose begin or size must be even.
    #[error(
        "the region of {width} x {height} pixels at ({left}, {top}) of a picture of the format {format} must begin at even \
         numbers and have an even width and height on {chip}"
    )]
    RegionStep {
        /// First column.
        left: u32,
        /// First row.
        top: u32,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// The name of the format.
        format: &'static str,
        /// The chip.
        chip: &'static str,
    },
    /// A paste area that begins at a column that the chip does not allow.
    #[error("a paste area begins at a multiple of 16 columns on {chip}, and {left} is none")]
    PasteLeft {
        /// First column.
        left: u32,
        /// The chip.
        chip: &'static str,
    },
    /// Pictures that must have the same size.
    #[error(
        "{call} keeps the size of a picture: the input has {width} x {height} pixels, and the output {to_width} x \
         {to_height}"
    )]
    Sizes {
        /// The C function.
        call: &'static str,
        /// Pixels in a row of the input.
        width: u32,
        /// Rows of the input.
        height: u32,
        /// Pixels in a row of the output.
        to_width: u32,
        /// Rows of the output.
        to_height: u32,
    },
    /// Pictures that must have the same strides.
    #[error(
        "{call} needs an input and an output with the same strides: the rows of the input are {stride} bytes apart, and it has \
         {rows} rows in memory, and the output {to_stride} bytes and {to_rows} rows: make the output by `picture_in` with the \
         layout of the input, or scale the input to a picture of `picture` first"
    )]
    Strides {
        /// The C function.
        call: &'static str,
        /// Distance of two rows of the input in bytes.
        stride: u32,
        /// Rows of the input in memory.
        rows: u32,
        /// Distance of two rows of the output in bytes.
        to_stride: u32,
        /// Rows of the output in memory.
        to_rows: u32,
    },
    /// An output whose sides are not the halves of those of the input.
    #[error(
        "a picture of {width} x {height} pixels is halved to half of each side, rounded down, and the output has {to_width} x \
         {to_height}"
    )]
    Halves {
        /// Pixels in a row of the input.
        width: u32,
        /// Rows of the input.
        height: u32,
        /// Pixels in a row of the output.
        to_width: u32,
        /// Rows of the output.
        to_height: u32,
    },
    /// A picture whose rows are too close for the encoder.
    #[error(
        "the JPEG encoder needs rows that begin at multiples of 16 bytes, and those of this picture are {stride} bytes apart: \
         allocate it by `picture_for_all`"
    )]
    EncoderStride {
        /// Distance of two rows in bytes.
        stride: u32,
    },
    /// A JPEG picture that the decoder cannot write in the format that was asked for.
    #[error(
        "the decoder does not turn a {source_format} JPEG into {format}: it halves colours in both directions (`Nv12`, \
         `Nv21`) or keeps them, and never adds any"
    )]
    JpegFormat {
        /// The sampling of the file.
        source_format: &'static str,
        /// The name of the format that was asked for.
        format: &'static str,
    },
    /// A picture that was not made for the file that is decoded.
    #[error(
        "the file decodes to {width} x {height} pixels, and the picture has {to_width} x {to_height}: make it by \
         `picture_for_jpeg` or `picture_for_png` from the description of this file"
    )]
    Decoded {
        /// Pixels in a row of the file.
        width: u32,
        /// Rows of the file.
        height: u32,
        /// Pixels in a row of the picture.
        to_width: u32,
        /// Rows of the picture.
        to_height: u32,
    },
    /// A level that the encoder does not know.
    #[error(
        "{level} is no quality of a JPEG: levels are 1 (small file) to 100 (best), and 0 is the default"
    )]
    Quality {
        /// The level.
        level: u32,
    },
    /// Wrong numbers of regions and pictures of a batch.
    #[error(
        "a batch needs one output for each region, from 1 to 256: {regions} regions and {outputs} outputs were passed"
    )]
    Batch {
        /// Number of regions.
        regions: usize,
        /// Number of outputs.
        outputs: usize,
    },
    /// A border that does not fill the output exactly.
    #[error(
        "a picture of {width} x {height} with this border has {with_width} x {with_height} pixels, and the output has \
         {to_width} x {to_height}"
    )]
    Border {
        /// Pixels in a row of the input.
        width: u32,
        /// Rows of the input.
        height: u32,
        /// Pixels in a row with the border.
        with_width: u64,
        /// Rows with the border.
        with_height: u64,
        /// Pixels in a row of the output.
        to_width: u32,
        /// Rows of the output.
        to_height: u32,
    },
    /// A border that leaves no room for a picture in its output.
    #[error(
        "a border of {left} + {right} columns and {top} + {bottom} rows leaves no room for a picture in an output of \
         {to_width} x {to_height} pixels: pass a narrower border, or a larger output"
    )]
    BorderRoom {
        /// Columns on the left.
        left: u16,
        /// Columns on the right.
        right: u16,
        /// Rows above.
        top: u16,
        /// Rows below.
        bottom: u16,
        /// Pixels in a row of the output.
        to_width: u32,
        /// Rows of the output.
        to_height: u32,
    },
    /// A component of a constant border that no pixel can have.
    #[error(
        "component {component} of a constant border is {value}, and components of pixels are numbers from 0 to 255"
    )]
    BorderValue {
        /// The index of the component.
        component: usize,
        /// Its value, as text.
        value: String,
    },
    /// A task of which nothing proves that it has run.
    #[error(
        "nothing proves that {call} has run: its status is 0, which it also is before the task, and the result was accepted \
         without a proof (`accept_unverified`); take the result from a `synchronize` that has succeeded, or queue the task again"
    )]
    Unproven {
        /// The C function of the task.
        call: &'static str,
    },
    /// A task of another stream of which nothing proves that it has run.
    #[error(
        "nothing proves that {call} has run on the stream that made the source of the picture: a wait for one stream does not          report the failures of another; wait for its stream (`synchronize`), or verify the source with an `Idle` of its stream and `check` it first"
    )]
    OtherStream {
        /// The C function of the task.
        call: &'static str,
    },
    /// A file that the decoder has refused.
    #[error(
        "the {kind} of {bytes} bytes ({width} x {height} pixels) was not decoded, because it is damaged, incomplete or of a kind \
         that the hardware does not decode ({reason}): decode it with a library of the host"
    )]
    Undecoded {
        /// `JPEG` or `PNG`.
        kind: &'static str,
        /// Bytes of the file.
        bytes: u32,
        /// Pixels in a row, by its head.
        width: u32,
        /// Rows, by its head.
        height: u32,
        /// The call with its status.
        reason: String,
    },
    /// No channel is left for a further decoder or encoder.
    #[error(
        "the process has {most} {what}s already, and there are no more channels: drop one, or decode and encode several files \
         with each"
    )]
    Channels {
        /// `JPEG decoder`, `PNG decoder` or `JPEG encoder`.
        what: &'static str,
        /// The number of channels.
        most: usize,
    },
    /// A level of a pyramid without half the sides of the level before it.
    #[error(
        "level {level} of a pyramid has half the sides of the level before it, whose {width} x {height} pixels must be even: the \
         output has {to_width} x {to_height} pixels"
    )]
    PyramidLevel {
        /// The number of the level, from 1.
        level: usize,
        /// Pixels in a row of the level before it.
        width: u32,
        /// Rows of the level before it.
        height: u32,
        /// Pixels in a row of the output.
        to_width: u32,
        /// Rows of the output.
        to_height: u32,
    },
    /// A pyramid without levels, or with too many.
    #[error("a pyramid has 1 to 4 levels, and {passed} were passed")]
    PyramidLevels {
        /// The number of levels.
        passed: usize,
    },
    /// A decoder or encoder whose wait for an earlier file has failed: its channel may return the result of that file next.
    #[error(
        "the wait for an earlier file of this decoder or encoder has failed, so its next result may be that of the earlier file: \
         drop it and create another one (`V2::create_jpeg_decoder`, `create_png_decoder`, `create_jpeg_encoder`)"
    )]
    Unfinished,
    /// A file that is no picture of its kind.
    #[error(
        "a file of {bytes} bytes is no {kind} that the media engine can read: decode it with a library of the host; the runtime \
         says: {reason}"
    )]
    Unreadable {
        /// `JPEG` or `PNG`.
        kind: &'static str,
        /// The text of the runtime, or the status of its call.
        reason: String,
        /// Bytes of the file.
        bytes: usize,
    },
}

impl From<MediaMismatch> for Usage {
    fn from(wrong: MediaMismatch) -> Usage {
        Usage::Media(wrong)
    }
}

impl From<MediaMismatch> for Error {
    fn from(wrong: MediaMismatch) -> Error {
        Usage::from(wrong).into()
    }
}
