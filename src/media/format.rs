//! Pixel formats as types, and which function takes which format.

use ascendcl_sys as sys;

use crate::state::{Exactly, Sealed};

/// The planes of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planes {
    /// One plane with one byte for each pixel.
    Gray,
    /// Brightness, and pairs of colours for each 2 x 2 pixels.
    Semi420,
    /// Brightness, and pairs of colours for each 2 x 1 pixels.
    Semi422,
    /// Brightness, and pairs of colours for each 1 x 2 pixels.
    Semi440,
    /// Brightness, and pairs of colours for each pixel.
    Semi444,
    /// One plane with so many bytes for each pixel.
    Packed(u32),
}

/// The step of the width or height of a format: every number.
///
/// ```
/// use ascendcl::media::{Each, Gray, PixelFormat};
///
/// fn odd_sizes<F: PixelFormat<Width = Each, Height = Each>>() {}
///
/// odd_sizes::<Gray>(); // `Nv12` does not compile here
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Each {}

/// The step of the width or height of a format: even numbers only.
///
/// ```
/// use ascendcl::media::{Even, Nv12, PixelFormat};
///
/// fn even_sizes<F: PixelFormat<Width = Even, Height = Even>>() {}
///
/// even_sizes::<Nv12>(); // `Gray` does not compile here
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Even {}

/// The step of a width or height, as a number.
pub trait Step: Sealed {
    /// 1 or 2.
    #[doc(hidden)]
    const PIXELS: u32;
}
impl Sealed for Each {}
impl Step for Each {
    const PIXELS: u32 = 1;
}
impl Sealed for Even {}
impl Step for Even {
    const PIXELS: u32 = 2;
}

/// A format of pixels.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no pixel format",
    label = "expected a type of `ascendcl::media`: `Nv12`, `Rgb888` .."
)]
pub trait PixelFormat: Sealed + Send + Sync + 'static {
    /// The name of the format in messages.
    const NAME: &'static str;
    /// The number of the format in C (`acldvppPixelFormat` and `hi_pixel_format`).
    const RAW: sys::acldvppPixelFormat;
    /// The step of the width.
    type Width: Step;
    /// The step of the height.
    type Height: Step;
    #[doc(hidden)]
    const PLANES: Planes;
}

/// A format that is the format `F`. Each format is only itself, so the bound compares two formats.
#[diagnostic::on_unimplemented(
    message = "this call takes a picture of the format `{F}`, and not `{Self}`",
    label = "expected a picture of the format `{F}`",
    note = "make a picture of that format: `media.picture::<{F}, _>(current, width, height)?`",
    note = "`channel.convert_color(..)` converts a picture to another format"
)]
pub trait SameFormat<F>: PixelFormat + Exactly<F> {}
#[diagnostic::do_not_recommend]
impl<F: PixelFormat> SameFormat<F> for F {}

/// Formats that the picture processor reads.
#[diagnostic::on_unimplemented(
    message = "the picture processor does not read pictures of the format `{Self}`",
    label = "not an input of VPC"
)]
pub trait VpcInput: PixelFormat {}

/// Formats that the picture processor writes. Ascend 310 and 910 write [`Nv12`] and [`Nv21`] only, and refuse the others
/// when the work is queued.
#[diagnostic::on_unimplemented(
    message = "the picture processor does not write pictures of the format `{Self}`",
    label = "not an output of VPC",
    note = "it writes `Gray`, `Nv12`, `Nv21`, `Nv16`, `Nv61`, `Yuv444`, and the formats of RGB"
)]
pub trait VpcOutput: PixelFormat {}

/// Formats that the JPEG decoder writes.
#[diagnostic::on_unimplemented(
    message = "the JPEG decoder does not write pictures of the format `{Self}`",
    label = "not an output of the JPEG decoder",
    note = "decode to `Nv12` or `Nv21`, and convert the picture: `channel.convert_color`"
)]
pub trait JpegOutput: PixelFormat {}

/// Formats that the JPEG encoder reads.
#[diagnostic::on_unimplemented(
    message = "the JPEG encoder does not read pictures of the format `{Self}`",
    label = "not an input of the JPEG encoder",
    note = "convert the picture to `Nv12` or `Nv21` first: `channel.convert_color`"
)]
pub trait JpegInput: PixelFormat {}

/// Formats that the PNG decoder writes.
#[diagnostic::on_unimplemented(
    message = "the PNG decoder does not write pictures of the format `{Self}`",
    label = "not an output of the PNG decoder",
    note = "decode to `Rgb888`, and convert the picture: `channel.convert_color`"
)]
pub trait PngOutput: PixelFormat {}

/// Formats whose histogram can be computed.
#[diagnostic::on_unimplemented(
    message = "a histogram of pictures of the format `{Self}` cannot be computed",
    label = "expected a format of YUV, `Rgb888` or `Bgr888`"
)]
pub trait HistogramInput: PixelFormat {}

/// Formats whose values can be replaced by a table.
#[diagnostic::on_unimplemented(
    message = "the values of pictures of the format `{Self}` cannot be replaced by a table",
    label = "expected `Gray`, `Nv12`, `Nv21`, `Nv16`, `Nv61`, `Yuv444`, `Rgb888` or `Bgr888`"
)]
pub trait LookupFormat: PixelFormat {}

/// Declares the formats with their relations (`acl_dvpp.h`, and the checks of the host library).
macro_rules! formats {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident = $raw:ident, $label:literal, $planes:expr, $width:ident x $height:ident: $($relation:ident)*;
    )*) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}
        impl Sealed for $name {}
        impl PixelFormat for $name {
            const NAME: &'static str = $label;
            const RAW: sys::acldvppPixelFormat = sys::$raw;
            type Width = $width;
            type Height = $height;
            const PLANES: Planes = $planes;
        }
        $( impl $relation for $name {} )*
    )* };
}

formats! {
    /// Brightness only (`PIXEL_FORMAT_YUV_400`).
    Gray = PIXEL_FORMAT_YUV_400, "YUV400", Planes::Gray, Each x Each:
        VpcInput VpcOutput JpegOutput HistogramInput LookupFormat;
    /// YUV 4:2:0, semi-planar, U first (`PIXEL_FORMAT_YUV_SEMIPLANAR_420`).
    Nv12 = PIXEL_FORMAT_YUV_SEMIPLANAR_420, "NV12 (YUV420SP)", Planes::Semi420, Even x Even:
        VpcInput VpcOutput JpegOutput JpegInput HistogramInput LookupFormat;
    /// YUV 4:2:0, semi-planar, V first (`PIXEL_FORMAT_YVU_SEMIPLANAR_420`).
    Nv21 = PIXEL_FORMAT_YVU_SEMIPLANAR_420, "NV21 (YVU420SP)", Planes::Semi420, Even x Even:
        VpcInput VpcOutput JpegOutput JpegInput HistogramInput LookupFormat;
    /// YUV 4:2:2, semi-planar, U first (`PIXEL_FORMAT_YUV_SEMIPLANAR_422`).
    Nv16 = PIXEL_FORMAT_YUV_SEMIPLANAR_422, "NV16 (YUV422SP)", Planes::Semi422, Even x Each:
        VpcInput VpcOutput JpegOutput HistogramInput LookupFormat;
    /// YUV 4:2:2, semi-planar, V first (`PIXEL_FORMAT_YVU_SEMIPLANAR_422`).
    Nv61 = PIXEL_FORMAT_YVU_SEMIPLANAR_422, "NV61 (YVU422SP)", Planes::Semi422, Even x Each:
        VpcInput VpcOutput JpegOutput HistogramInput LookupFormat;
    /// YUV 4:4:4, semi-planar, U first (`PIXEL_FORMAT_YUV_SEMIPLANAR_444`).
    Nv24 = PIXEL_FORMAT_YUV_SEMIPLANAR_444, "NV24 (YUV444SP)", Planes::Semi444, Each x Each:
        VpcInput JpegOutput HistogramInput;
    /// YUV 4:4:4, semi-planar, V first (`PIXEL_FORMAT_YVU_SEMIPLANAR_444`).
    Nv42 = PIXEL_FORMAT_YVU_SEMIPLANAR_444, "NV42 (YVU444SP)", Planes::Semi444, Each x Each:
        VpcInput JpegOutput HistogramInput;
    /// YUV 4:2:2, packed: Y U Y V (`PIXEL_FORMAT_YUYV_PACKED_422`).
    Yuyv = PIXEL_FORMAT_YUYV_PACKED_422, "YUYV (YUV422 packed)", Planes::Packed(2), Even x Each:
        VpcInput JpegInput HistogramInput;
    /// YUV 4:2:2, packed: U Y V Y (`PIXEL_FORMAT_UYVY_PACKED_422`).
    Uyvy = PIXEL_FORMAT_UYVY_PACKED_422, "UYVY (YUV422 packed)", Planes::Packed(2), Even x Each:
        VpcInput JpegInput HistogramInput;
    /// YUV 4:2:2, packed: Y V Y U (`PIXEL_FORMAT_YVYU_PACKED_422`).
    Yvyu = PIXEL_FORMAT_YVYU_PACKED_422, "YVYU (YUV422 packed)", Planes::Packed(2), Even x Each:
        VpcInput JpegInput HistogramInput;
    /// YUV 4:2:2, packed: V Y U Y (`PIXEL_FORMAT_VYUY_PACKED_422`).
    Vyuy = PIXEL_FORMAT_VYUY_PACKED_422, "VYUY (YUV422 packed)", Planes::Packed(2), Even x Each:
        VpcInput JpegInput HistogramInput;
    /// YUV 4:4:4, packed: Y U V (`PIXEL_FORMAT_YUV_PACKED_444`).
    Yuv444 = PIXEL_FORMAT_YUV_PACKED_444, "YUV444 packed", Planes::Packed(3), Each x Each:
        VpcInput VpcOutput HistogramInput LookupFormat;
    /// Red, green, blue (`PIXEL_FORMAT_RGB_888`).
    Rgb888 = PIXEL_FORMAT_RGB_888, "RGB888", Planes::Packed(3), Each x Each:
        VpcInput VpcOutput PngOutput HistogramInput LookupFormat;
    /// Blue, green, red (`PIXEL_FORMAT_BGR_888`).
    Bgr888 = PIXEL_FORMAT_BGR_888, "BGR888", Planes::Packed(3), Each x Each:
        VpcInput VpcOutput HistogramInput LookupFormat;
    /// Opacity, red, green, blue (`PIXEL_FORMAT_ARGB_8888`). The picture processor does not keep the opacity.
    Argb8888 = PIXEL_FORMAT_ARGB_8888, "ARGB8888", Planes::Packed(4), Each x Each: VpcInput VpcOutput;
    /// Opacity, blue, green, red (`PIXEL_FORMAT_ABGR_8888`). The picture processor does not keep the opacity.
    Abgr8888 = PIXEL_FORMAT_ABGR_8888, "ABGR8888", Planes::Packed(4), Each x Each: VpcInput VpcOutput;
    /// Red, green, blue, opacity (`PIXEL_FORMAT_RGBA_8888`). The picture processor does not keep the opacity.
    Rgba8888 = PIXEL_FORMAT_RGBA_8888, "RGBA8888", Planes::Packed(4), Each x Each: VpcInput VpcOutput;
    /// Blue, green, red, opacity (`PIXEL_FORMAT_BGRA_8888`). The picture processor does not keep the opacity.
    Bgra8888 = PIXEL_FORMAT_BGRA_8888, "BGRA8888", Planes::Packed(4), Each x Each: VpcInput VpcOutput;
    /// YUV 4:4:0, semi-planar, U first (`PIXEL_FORMAT_YUV_SEMIPLANAR_440`).
    Yuv440 = PIXEL_FORMAT_YUV_SEMIPLANAR_440, "YUV440SP", Planes::Semi440, Each x Even: VpcInput JpegOutput;
    /// YUV 4:4:0, semi-planar, V first (`PIXEL_FORMAT_YVU_SEMIPLANAR_440`).
    Yvu440 = PIXEL_FORMAT_YVU_SEMIPLANAR_440, "YVU440SP", Planes::Semi440, Each x Even: VpcInput JpegOutput;
}
