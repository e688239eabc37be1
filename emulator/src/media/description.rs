//! Descriptions of pictures, and lists of them (`acldvppPicDesc`, `acldvppBatchPicDesc`).
//!
//! A call copies the description, and its task writes the status and what it has decided into the description when it is
//! over.

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::{
    ACL_ERROR_INVALID_PARAM, PIXEL_FORMAT_YUV_400, aclError, acldvppBatchPicDesc, acldvppPicDesc,
    acldvppPixelFormat,
};

use super::object::{self, numbers};
use super::picture::Picture;
use crate::handles::registry::Fate;
use crate::object_calls::{Objects, not_null, refused, status};
use crate::results::list_of;

/// A description.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Described {
    data: usize,
    size: u32,
    format: u32,
    width: u32,
    height: u32,
    width_stride: u32,
    height_stride: u32,
    ret_code: u32,
    /// Whether a list owns it.
    is_listed: bool,
}

impl Described {
    fn picture(&self) -> Picture {
        Picture {
            data: self.data,
            size: self.size,
            format: self.format,
            width: self.width,
            height: self.height,
            width_stride: self.width_stride,
            height_stride: self.height_stride,
        }
    }
}

static PICTURES: Objects<Described> = Objects::new("acldvppPicDesc", 0x70);
static LISTS: Objects<Vec<usize>> = Objects::new("acldvppBatchPicDesc", 0x71);

/// The greatest number of pictures in a list.
pub(super) const LIST: u32 = 256;

/// Returns the picture of a description for a task.
pub(super) fn picture(
    call: &str,
    argument: &str,
    desc: *const acldvppPicDesc,
) -> Result<Picture, aclError> {
    PICTURES.with(call, argument, desc, &mut |desc| desc.picture())
}

/// Returns the handles of the descriptions in a list.
pub(super) fn list(
    call: &str,
    argument: &str,
    list: *const acldvppBatchPicDesc,
) -> Result<Vec<usize>, aclError> {
    LISTS.get(call, argument, list)
}

/// Returns the picture of a description in a list.
pub(super) fn listed(call: &str, handle: usize) -> Result<Picture, aclError> {
    picture(
        call,
        "a description of the list",
        ptr::without_provenance(handle),
    )
}

/// Writes the status of a task into the description of its output, unless that was destroyed.
pub(super) fn finish(handle: usize, code: u32) {
    PICTURES.registry.visit(handle, &mut |desc| {
        desc.ret_code = code;
        (Fate::Keep, ())
    });
}

/// Writes what the device has decided into the description of its output, unless that was destroyed.
pub(super) fn decided(handle: usize, picture: &Picture) {
    PICTURES.registry.visit(handle, &mut |desc| {
        desc.format = picture.format;
        desc.width = picture.width;
        desc.height = picture.height;
        desc.width_stride = picture.width_stride;
        desc.height_stride = picture.height_stride;
        (Fate::Keep, ())
    });
}

pub(crate) unsafe extern "C" fn acldvppCreatePicDesc() -> *mut acldvppPicDesc {
    object::create(&PICTURES, "acldvppCreatePicDesc", Described::default())
}

pub(crate) unsafe extern "C" fn acldvppDestroyPicDesc(picDesc: *mut acldvppPicDesc) -> aclError {
    let call = "acldvppDestroyPicDesc";
    let is_listed = !picDesc.is_null()
        && PICTURES
            .with(call, "picDesc", picDesc, &mut |desc| desc.is_listed)
            .unwrap_or(false);
    if is_listed {
        return refused(
            call,
            ACL_ERROR_INVALID_PARAM,
            format_args!("the description belongs to a list; destroy the list"),
        );
    }
    object::destroy(&PICTURES, call, "picDesc", picDesc)
}

pub(crate) unsafe extern "C" fn acldvppSetPicDescData(
    picDesc: *mut acldvppPicDesc,
    dataDev: *mut c_void,
) -> aclError {
    let call = "acldvppSetPicDescData";
    status((|| {
        not_null(call, "picDesc", picDesc)?;
        not_null(call, "dataDev", dataDev)?;
        object::with(&PICTURES, call, "picDesc", picDesc, true, &mut |desc| {
            desc.data = dataDev.addr();
        })
    })())
}

pub(crate) unsafe extern "C" fn acldvppGetPicDescData(
    picDesc: *const acldvppPicDesc,
) -> *mut c_void {
    let call = "acldvppGetPicDescData";
    let data = object::with(&PICTURES, call, "picDesc", picDesc, false, &mut |desc| {
        desc.data
    });
    data.map_or(ptr::null_mut(), ptr::with_exposed_provenance_mut)
}

pub(crate) unsafe extern "C" fn acldvppSetPicDescFormat(
    picDesc: *mut acldvppPicDesc,
    format: acldvppPixelFormat,
) -> aclError {
    let call = "acldvppSetPicDescFormat";
    status(object::with(
        &PICTURES,
        call,
        "picDesc",
        picDesc,
        true,
        &mut |desc| {
            desc.format = format.0;
        },
    ))
}

pub(crate) unsafe extern "C" fn acldvppGetPicDescFormat(
    picDesc: *const acldvppPicDesc,
) -> acldvppPixelFormat {
    let call = "acldvppGetPicDescFormat";
    let format = object::with(&PICTURES, call, "picDesc", picDesc, false, &mut |desc| {
        desc.format
    });
    format.map_or(PIXEL_FORMAT_YUV_400, acldvppPixelFormat)
}

numbers! {
    PICTURES: Described, acldvppPicDesc, picDesc;
    acldvppSetPicDescSize, acldvppGetPicDescSize: size;
    acldvppSetPicDescWidth, acldvppGetPicDescWidth: width;
    acldvppSetPicDescHeight, acldvppGetPicDescHeight: height;
    acldvppSetPicDescWidthStride, acldvppGetPicDescWidthStride: width_stride;
    acldvppSetPicDescHeightStride, acldvppGetPicDescHeightStride: height_stride;
    acldvppSetPicDescRetCode, acldvppGetPicDescRetCode: ret_code;
}

pub(crate) unsafe extern "C" fn acldvppCreateBatchPicDesc(
    batchSize: u32,
) -> *mut acldvppBatchPicDesc {
    let call = "acldvppCreateBatchPicDesc";
    if !(1..=LIST).contains(&batchSize) {
        let _ = refused(
            call,
            ACL_ERROR_INVALID_PARAM,
            format_args!("batchSize is {batchSize}; a list has 1 to {LIST} descriptions"),
        );
        return ptr::null_mut();
    }
    if object::ready(call).is_err() {
        return ptr::null_mut();
    }
    let own = Described {
        is_listed: true,
        ..Described::default()
    };
    let descriptions: Vec<usize> =
        list_of((0..batchSize).filter_map(|_| PICTURES.registry.insert(own)));
    for handle in &descriptions {
        object::known(call, *handle);
    }
    LISTS.create(call, descriptions)
}

pub(crate) unsafe extern "C" fn acldvppGetPicDesc(
    batchPicDesc: *mut acldvppBatchPicDesc,
    index: u32,
) -> *mut acldvppPicDesc {
    let call = "acldvppGetPicDesc";
    let found = LISTS.with(call, "batchPicDesc", batchPicDesc, &mut |list| {
        list.get(index as usize).copied()
    });
    match found {
        Ok(Some(handle)) => ptr::without_provenance_mut(handle),
        Ok(None) => {
            let _ = refused(
                call,
                ACL_ERROR_INVALID_PARAM,
                format_args!("index {index} is not below the number of descriptions in the list"),
            );
            ptr::null_mut()
        }
        Err(_) => ptr::null_mut(),
    }
}

pub(crate) unsafe extern "C" fn acldvppDestroyBatchPicDesc(
    batchPicDesc: *mut acldvppBatchPicDesc,
) -> aclError {
    let call = "acldvppDestroyBatchPicDesc";
    if batchPicDesc.is_null() {
        return ascendcl_sys::ACL_SUCCESS;
    }
    status((|| {
        let descriptions = LISTS.with(call, "batchPicDesc", batchPicDesc, &mut std::mem::take)?;
        for handle in descriptions {
            object::ending(call, handle);
            PICTURES.registry.remove(handle);
        }
        match LISTS.destroy(call, "batchPicDesc", batchPicDesc) {
            ascendcl_sys::ACL_SUCCESS => Ok(()),
            code => Err(code),
        }
    })())
}
