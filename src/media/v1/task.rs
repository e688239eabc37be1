//! Tasks of a channel, before they are queued: the descriptions and configurations that a call takes.

use std::ffi::c_void;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::device::AnyDevice;
use crate::error::Result;
use crate::media::format::PixelFormat;
use crate::media::operand::{PictureTarget, Seen};
use crate::media::region::Region;
use crate::media::v1::vpc::Interpolation;
use crate::media::work::{Behind, Object, StatusOf, Work};
use crate::raw::check;
use crate::stream::{Stream, StreamTag};

/// A kind of objects of C: the names of its calls, and the function that destroys one.
#[derive(Debug, Clone, Copy)]
pub(super) struct ObjectKind {
    create: &'static str,
    call: &'static str,
    destroy: unsafe fn(*mut c_void) -> sys::aclError,
}

/// Declares the kinds of objects.
macro_rules! kinds {
    ($($name:ident = $create:ident, $destroy:ident($type:ident);)*) => { $(
        pub(super) const $name: ObjectKind = {
            /// # Safety
            ///
            /// - `object` is a live object of the kind that the call destroys, and nothing uses it.
            unsafe fn destroy(object: *mut c_void) -> sys::aclError {
                // SAFETY: the caller's contract.
                unsafe { sys::$destroy(object.cast::<sys::$type>()) }
            }
            ObjectKind {
                create: stringify!($create),
                call: stringify!($destroy),
                destroy,
            }
        };
    )* };
}

kinds! {
    PICTURE = acldvppCreatePicDesc, acldvppDestroyPicDesc(acldvppPicDesc);
    PICTURES = acldvppCreateBatchPicDesc, acldvppDestroyBatchPicDesc(acldvppBatchPicDesc);
    REGION = acldvppCreateRoiConfig, acldvppDestroyRoiConfig(acldvppRoiConfig);
    RESIZE = acldvppCreateResizeConfig, acldvppDestroyResizeConfig(acldvppResizeConfig);
    QUALITY = acldvppCreateJpegeConfig, acldvppDestroyJpegeConfig(acldvppJpegeConfig);
    BORDER = acldvppCreateBorderConfig, acldvppDestroyBorderConfig(acldvppBorderConfig);
    TABLE = acldvppCreateLutMap, acldvppDestroyLutMap(acldvppLutMap);
    HISTOGRAM = acldvppCreateHist, acldvppDestroyHist(acldvppHist);
}

/// The number of bytes that the encoder writes: a number of Rust, in a box.
pub(super) const SIZE: ObjectKind = {
    /// # Safety
    ///
    /// - `object` comes from a leaked [`Box`] of a `u32`, and nothing else frees it.
    unsafe fn destroy(object: *mut c_void) -> sys::aclError {
        // SAFETY: the caller's contract.
        drop(unsafe { Box::from_raw(object.cast::<u32>()) });
        sys::ACL_SUCCESS
    }
    ObjectKind {
        create: "acldvppJpegEncodeAsync",
        call: "acldvppJpegEncodeAsync",
        destroy,
    }
};

/// A task that is being prepared.
#[derive(Debug)]
pub(super) struct Task {
    work: Work,
}

impl Task {
    pub(super) fn new(call: &'static str) -> Task {
        Task {
            work: Work::new(call),
        }
    }

    /// Keeps a new object until the task is over, and returns its address.
    ///
    /// # Safety
    ///
    /// - `pointer` is null, or a live object of the kind that nothing else destroys.
    pub(super) unsafe fn keep<T>(&mut self, kind: ObjectKind, pointer: *mut T) -> Result<*mut T> {
        let ObjectKind {
            create,
            call,
            destroy,
        } = kind;
        // SAFETY: the caller's contract.
        let object = unsafe { Object::new(create, pointer.cast(), destroy, call) }?;
        self.work.objects.push(object);
        Ok(pointer)
    }

    /// Makes the description of a picture.
    pub(super) fn picture<F: PixelFormat>(
        &mut self,
        seen: &Seen<F>,
    ) -> Result<*mut sys::acldvppPicDesc> {
        // SAFETY: takes nothing.
        let raw = unsafe { sys::acldvppCreatePicDesc() };
        // SAFETY: null or a new description.
        let raw = unsafe { self.keep(PICTURE, raw) }?;
        // SAFETY: a live description.
        unsafe { describe(raw, seen) }?;
        Ok(raw)
    }

    /// Makes the description of the picture that the task writes. Its status is that of the task.
    pub(super) fn output<F: PixelFormat>(
        &mut self,
        seen: &Seen<F>,
    ) -> Result<*mut sys::acldvppPicDesc> {
        let raw = self.picture(seen)?;
        self.work.status = StatusOf::Pictures(std::ptr::NonNull::new(raw).into_iter().collect());
        Ok(raw)
    }

    pub(super) fn status(&mut self, status: StatusOf) {
        self.work.status = status;
    }

    /// Makes the configuration of a region, which was checked.
    pub(super) fn region(&mut self, region: Region) -> Result<*mut sys::acldvppRoiConfig> {
        let (right, bottom) = region.ends();
        // SAFETY: takes numbers.
        let raw = unsafe { sys::acldvppCreateRoiConfig(region.left, right, region.top, bottom) };
        // SAFETY: null or a new configuration.
        unsafe { self.keep(REGION, raw) }
    }

    /// Makes the configuration of a scaling.
    pub(super) fn resize(&mut self, how: Interpolation) -> Result<*mut sys::acldvppResizeConfig> {
        // SAFETY: takes nothing.
        let raw = unsafe { sys::acldvppCreateResizeConfig() };
        // SAFETY: null or a new configuration.
        let raw = unsafe { self.keep(RESIZE, raw) }?;
        if how != Interpolation::Default {
            // SAFETY: a live configuration.
            let code = unsafe { sys::acldvppSetResizeConfigInterpolation(raw, how.raw()) };
            check("acldvppSetResizeConfigInterpolation", code)?;
        }
        Ok(raw)
    }

    /// Makes the configuration of the encoder.
    pub(super) fn quality(&mut self, level: u32) -> Result<*mut sys::acldvppJpegeConfig> {
        // SAFETY: takes nothing.
        let raw = unsafe { sys::acldvppCreateJpegeConfig() };
        // SAFETY: null or a new configuration.
        let raw = unsafe { self.keep(QUALITY, raw) }?;
        // SAFETY: a live configuration.
        let code = unsafe { sys::acldvppSetJpegeConfigLevel(raw, level) };
        check("acldvppSetJpegeConfigLevel", code)?;
        Ok(raw)
    }

    /// Keeps an array until the task is over, and returns its address.
    pub(super) fn array<T: Copy + 'static>(&mut self, values: Vec<T>) -> Result<*mut T> {
        /// # Safety
        ///
        /// - `object` comes from a leaked [`Box`] of a `Vec<T>`, and nothing else frees it.
        unsafe fn destroy<T>(object: *mut c_void) -> sys::aclError {
            // SAFETY: the caller's contract.
            drop(unsafe { Box::from_raw(object.cast::<Vec<T>>()) });
            sys::ACL_SUCCESS
        }
        let kind = ObjectKind {
            create: "array",
            call: "array",
            destroy: destroy::<T>,
        };
        let mut values = Box::new(values);
        let first = values.as_mut_ptr();
        // SAFETY: a leaked box, which nothing else frees.
        unsafe { self.keep(kind, Box::into_raw(values)) }?;
        Ok(first)
    }

    /// Ends the preparation of a task for the stream, whose waits show from now on what becomes of it.
    pub(super) fn finish<D: AnyDevice, S: StreamTag>(
        self,
        stream: &Stream<'_, '_, D, S>,
    ) -> Arc<Work> {
        stream.enter_task(&self.work.shown);
        Arc::new(self.work)
    }

    /// Queues the task by `call`, and gives it to the picture that it writes. If the call fails, it may have queued a part
    /// of its work, so the picture has the task in this case, too.
    ///
    /// # Safety
    ///
    /// - `call` passes objects of this task, a channel that is queued on the stream, and pictures that are. The task
    ///   writes `target`.
    pub(super) unsafe fn submit<D: AnyDevice, S: StreamTag, T: PictureTarget<(D, S)>>(
        self,
        stream: &Stream<'_, '_, D, S>,
        behind: &Behind<'_>,
        mut target: T,
        call: impl FnOnce(sys::aclrtStream) -> sys::aclError,
    ) -> Result<T::Written> {
        let name = self.work.call;
        target.attach(&self.finish(stream), behind);
        check(name, call(stream.as_raw()))?;
        // SAFETY: a task that writes the picture was queued.
        Ok(unsafe { target.written() })
    }
}

/// Writes the place of a picture into a description.
///
/// # Safety
///
/// - `raw` is a live description.
pub(super) unsafe fn describe<F: PixelFormat>(
    raw: *mut sys::acldvppPicDesc,
    seen: &Seen<F>,
) -> Result<()> {
    let layout = seen.layout;
    // SAFETY: the caller's contract. The address is used by tasks only.
    let code = unsafe { sys::acldvppSetPicDescData(raw, seen.address) };
    check("acldvppSetPicDescData", code)?;
    // SAFETY: the caller's contract.
    let code = unsafe { sys::acldvppSetPicDescSize(raw, layout.bytes()) };
    check("acldvppSetPicDescSize", code)?;
    // SAFETY: the caller's contract.
    let code = unsafe { sys::acldvppSetPicDescFormat(raw, F::RAW) };
    check("acldvppSetPicDescFormat", code)?;
    // SAFETY: the caller's contract.
    let code = unsafe { sys::acldvppSetPicDescWidth(raw, layout.width()) };
    check("acldvppSetPicDescWidth", code)?;
    // SAFETY: the caller's contract.
    let code = unsafe { sys::acldvppSetPicDescHeight(raw, layout.height()) };
    check("acldvppSetPicDescHeight", code)?;
    // SAFETY: the caller's contract.
    let code = unsafe { sys::acldvppSetPicDescWidthStride(raw, layout.width_stride()) };
    check("acldvppSetPicDescWidthStride", code)?;
    // SAFETY: the caller's contract.
    let code = unsafe { sys::acldvppSetPicDescHeightStride(raw, layout.height_stride()) };
    check("acldvppSetPicDescHeightStride", code)
}
