//! The media engine (DVPP): JPEG and PNG decoders, a JPEG encoder, and a processor that crops, scales and converts
//! pictures (`acl/ops/acl_dvpp.h`, `acl/dvpp/hi_dvpp.h`; manual chapters "media data processing V1 and V2").
//!
//! AscendCL has two interfaces to it, and CANN does not allow both in one process. [`Acl::media`](crate::Acl::media)
//! returns the one [`Media`] of the process, which turns into one of them by value:
//!
//! - [`V1`] has the calls of `acldvpp*`, which are work of a stream.
//! - [`V2`] has the calls of `hi_mpi_*`, which are tasks of channels, without a stream.
//!
//! A [`Picture`] has its format in its type: [`Nv12`], [`Rgb888`] .. The functions ask for formats that the hardware takes
//! or makes. Strides and sizes follow from the format, the size in pixels and the [`Chip`]; the host library of CANN
//! compares none of them.
//!
//! A task of V1 reads its descriptions, its channel and its pictures when the stream arrives there. So all of them are
//! queued on the stream, as buffers are. A task can fail although the wait for its stream succeeds. So a picture comes back
//! from the stream as [`Unchecked`], and [`Picture::check`] reads the status of its tasks.
//!
//! ```no_run
//! use ascendcl::media::{All, Interpolation, Nv12};
//! use ascendcl::{Acl, Npu, stream::Main};
//!
//! fn thumbnail(acl: &Acl, file: &[u8]) -> ascendcl::Result<Vec<u8>> {
//!     let media = acl.media()?.v1()?;
//!     acl.on::<Npu<0>, _>(0, |current| {
//!         let mut stream = current.create_stream::<Main>()?;
//!         let channel = stream.adopt(media.create_channel::<All, _>(current)?);
//!
//!         let mut file = stream.adopt(media.jpeg(current, file)?);
//!         let picture = stream.adopt(media.picture_for_jpeg::<Nv12, _>(current, file.info())?);
//!         let picture = stream.with(&channel).decode_jpeg(&mut file, picture)?;
//!         let small = stream.adopt(media.picture::<Nv12, _>(current, 224, 224)?);
//!         let small = stream.with(&channel).resize(&picture, small, Interpolation::Default)?;
//!
//!         let small = stream.synchronize()?.take(small).check()?;
//!         small.read(current)
//!     })
//! }
//! ```

mod chip;
mod file;
mod fixed;
mod format;
mod layout;
mod operand;
mod picture;
mod region;
mod size;
mod v1;
mod v2;
mod work;

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

pub use chip::Chip;
pub use file::{JpegFormat, JpegInfo, MediaFile, PngInfo};
pub use fixed::{Fits, MultipleOf};
pub use format::{
    Abgr8888, Argb8888, Bgr888, Bgra8888, Each, Even, Gray, HistogramInput, JpegInput, JpegOutput,
    LookupFormat, Nv12, Nv16, Nv21, Nv24, Nv42, Nv61, PixelFormat, PngOutput, Rgb888, Rgba8888,
    SameFormat, Step, Uyvy, VpcInput, VpcOutput, Vyuy, Yuv440, Yuv444, Yuyv, Yvu440, Yvyu,
};
pub use layout::Layout;
pub use operand::{Canvas, PictureSource, PictureTarget};
pub use picture::{MediaPlace, Picture, Readable, Status, Unchecked};
pub use region::Region;
pub use v1::*;
pub use v2::*;

use crate::error::{MediaMismatch, Result};
use crate::runtime::Acl;

/// Whether a `Media`, `V1` or `V2` lives.
static CLAIMED: AtomicBool = AtomicBool::new(false);
/// The interface that this process has chosen: the index in [`NAMES`]. It is never changed again.
static CHOSEN: AtomicU8 = AtomicU8::new(0);
const NAMES: [&str; 3] = ["no", "first (`acldvpp*`)", "second (`hi_mpi_*`)"];

/// The right to choose an interface of the media engine. A process has one.
///
/// ```
/// # ascendcl::example!(|acl| {
/// let media = acl.media()?; // once in a process
/// let first = media.v1()?; // the calls `acldvpp*`; or `v2`, the calls `hi_mpi_*`
/// # });
/// ```
#[derive(Debug)]
#[must_use = "choose an interface by `v1` or `v2`"]
pub struct Media<'acl> {
    _acl: PhantomData<&'acl Acl>,
}

impl Acl {
    /// Takes the media engine of this process.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// let media = acl.media()?;
    /// assert!(acl.media().is_err()); // the first one lives
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Claimed`] while the value of an earlier call, or the interface that it became, lives.
    pub fn media(&self) -> Result<Media<'_>> {
        if CLAIMED.swap(true, Ordering::AcqRel) {
            return Err(MediaMismatch::Claimed.into());
        }
        Ok(Media { _acl: PhantomData })
    }
}

impl<'acl> Media<'acl> {
    /// Chooses the first interface (`acldvpp*`). Makes no call that changes the state of the runtime.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// let media = acl.media()?.v1()?;
    /// println!("{:?}", media.chip());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Chosen`] if the process has used the second interface before.
    pub fn v1(self) -> Result<V1<'acl>> {
        choose(1)?;
        Ok(V1 {
            chip: Chip::current(),
            _media: self,
        })
    }
}

impl Drop for Media<'_> {
    fn drop(&mut self) {
        CLAIMED.store(false, Ordering::Release);
    }
}

/// Chooses an interface for the rest of the process.
fn choose(interface: u8) -> Result<()> {
    let before = CHOSEN.compare_exchange(0, interface, Ordering::AcqRel, Ordering::Acquire);
    let name = |number: u8| NAMES.get(usize::from(number)).copied().unwrap_or_default();
    match before {
        Err(other) if other != interface => Err(MediaMismatch::Chosen {
            chosen: name(other),
            asked: name(interface),
        }
        .into()),
        _ => Ok(()),
    }
}
