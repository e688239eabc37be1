//! The functions of a channel, as types.

use ascendcl_sys as sys;

use crate::state::Sealed;

/// The functions of a channel: [`All`], or a tuple of [`Vpc`], [`JpegDecode`], [`JpegEncode`] and [`PngDecode`] in this
/// order, such as `(Vpc, JpegDecode)`. A tuple of one is written `(Vpc,)`.
///
/// A channel with fewer functions takes fewer resources of the device. Ascend 310 and 910 know [`All`] only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no set of functions of a channel",
    label = "expected `All`, or a tuple of `Vpc`, `JpegDecode`, `JpegEncode`, `PngDecode` in this order",
    note = "one function is a tuple, too: `(Vpc,)`"
)]
pub trait Modes: Sealed {
    /// The bits of `acldvppSetChannelDescMode`; `None` leaves the default.
    #[doc(hidden)]
    const BITS: Option<u32>;
}

/// Channels that have the function `M`.
#[diagnostic::on_unimplemented(
    message = "a channel for `{Self}` does not have the function `{M}`",
    label = "the channel was created without `{M}`",
    note = "create a channel with it: `media.create_channel::<(Vpc, JpegDecode), _>(current)`, or `All` for every function"
)]
pub trait Can<M>: Modes {}

/// Every function.
///
/// ```
/// use ascendcl::media::{All, Channel, JpegDecode, V1, Vpc};
/// use ascendcl::{Current, Npu, Result};
///
/// fn channels(media: &V1<'_>, current: Current<'_, '_, Npu<0>>) -> Result<()> {
///     let any: Channel<'_, '_, Npu<0>, All> = media.create_channel(current)?;
///     let some: Channel<'_, '_, Npu<0>, (Vpc, JpegDecode)> = media.create_channel(current)?;
///     some.destroy()?;
///     any.destroy()
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub enum All {}
/// The function to crop, scale and convert pictures.
#[derive(Debug, Clone, Copy)]
pub enum Vpc {}
/// The function to decode JPEG.
#[derive(Debug, Clone, Copy)]
pub enum JpegDecode {}
/// The function to encode JPEG.
#[derive(Debug, Clone, Copy)]
pub enum JpegEncode {}
/// The function to decode PNG.
#[derive(Debug, Clone, Copy)]
pub enum PngDecode {}

/// A function as a bit.
trait Bit {
    const BIT: u32;
}
impl Bit for Vpc {
    const BIT: u32 = sys::DVPP_CHNMODE_VPC.0;
}
impl Bit for JpegDecode {
    const BIT: u32 = sys::DVPP_CHNMODE_JPEGD.0;
}
impl Bit for JpegEncode {
    const BIT: u32 = sys::DVPP_CHNMODE_JPEGE.0;
}
impl Bit for PngDecode {
    const BIT: u32 = sys::DVPP_CHNMODE_PNGD.0;
}

impl Sealed for All {}
impl Modes for All {
    const BITS: Option<u32> = None;
}
impl Can<Vpc> for All {}
impl Can<JpegDecode> for All {}
impl Can<JpegEncode> for All {}
impl Can<PngDecode> for All {}

/// Declares the sets of functions.
macro_rules! modes {
    ($( $set:ty => $($mode:ident)+; )*) => { $(
        impl Sealed for $set {}
        impl Modes for $set {
            const BITS: Option<u32> = Some(0 $(| <$mode as Bit>::BIT)+);
        }
        $( impl Can<$mode> for $set {} )+
    )* };
}

modes! {
    (Vpc,) => Vpc;
    (JpegDecode,) => JpegDecode;
    (JpegEncode,) => JpegEncode;
    (PngDecode,) => PngDecode;
    (Vpc, JpegDecode) => Vpc JpegDecode;
    (Vpc, JpegEncode) => Vpc JpegEncode;
    (Vpc, PngDecode) => Vpc PngDecode;
    (JpegDecode, JpegEncode) => JpegDecode JpegEncode;
    (JpegDecode, PngDecode) => JpegDecode PngDecode;
    (JpegEncode, PngDecode) => JpegEncode PngDecode;
    (Vpc, JpegDecode, JpegEncode) => Vpc JpegDecode JpegEncode;
    (Vpc, JpegDecode, PngDecode) => Vpc JpegDecode PngDecode;
    (Vpc, JpegEncode, PngDecode) => Vpc JpegEncode PngDecode;
    (JpegDecode, JpegEncode, PngDecode) => JpegDecode JpegEncode PngDecode;
}
