//! Picture processing of lists of pictures, first generation (`acldvppVpcBatch*`).
//!
//! Each picture of the first list has some rectangles. The second list has a picture for each rectangle, in their order,
//! and no others.

use std::sync::Arc;

use ascendcl_sys::{
    aclError, acldvppBatchPicDesc, acldvppBorderConfig, acldvppChannelDesc, acldvppResizeConfig,
    acldvppRoiConfig, aclrtStream,
};

use super::channel::{self, VPC};
use super::config;
use super::description::{self, LIST};
use super::format::{is_input, is_output};
use super::object::{newer, touch};
use super::operate::{Border, Interpolation};
use super::picture::Generation;
use super::product::product;
use super::task::Accepted;
use super::transfer::{Prepared, Transfer, prepare};
use super::vpc::{area, has_format};
use crate::object_calls::{attempt, invalid, not_null, status};

/// The arguments of a call.
struct Batch {
    channel: *const acldvppChannelDesc,
    source: *const acldvppBatchPicDesc,
    numbers: *const u32,
    size: u32,
    dest: *const acldvppBatchPicDesc,
    crops: *const *mut acldvppRoiConfig,
    pastes: Option<*const *mut acldvppRoiConfig>,
    borders: Option<*const *mut acldvppBorderConfig>,
    resize: Option<*const acldvppResizeConfig>,
    stream: aclrtStream,
}

/// Reads an element of an array of the program.
///
/// # Safety
///
/// - The array has more than `index` elements.
unsafe fn element<T: Copy>(array: *const T, index: usize) -> T {
    // SAFETY: the caller's contract.
    let place = unsafe { array.add(index) };
    // SAFETY: the caller's contract.
    unsafe { place.read() }
}

impl Batch {
    /// Checks the call and queues its task.
    ///
    /// # Safety
    ///
    /// - The arrays are null or have an element for each picture and for each rectangle.
    unsafe fn queue(&self, call: &'static str) -> Result<(), aclError> {
        let channel = channel::used(call, self.channel)?;
        let source = description::list(call, "srcBatchPicDescs", self.source)?;
        let dest = description::list(call, "dstBatchPicDescs", self.dest)?;
        not_null(call, "roiNums", self.numbers)?;
        not_null(call, "cropAreas", self.crops)?;
        if let Some(pastes) = self.pastes {
            not_null(call, "pasteAreas", pastes)?;
        }
        if let Some(borders) = self.borders {
            not_null(call, "borderCfgs", borders)?;
        }
        if self.size == 0 {
            return Err(invalid(
                call,
                format_args!("size is 0; it is the number of source pictures"),
            ));
        }
        let interpolation = match self.resize {
            Some(resize) => config::interpolation(call, resize)?,
            None => Interpolation::Linear,
        };
        if source.len() < self.size as usize {
            return Err(invalid(
                call,
                format_args!(
                    "size is {}, and the list has {} pictures",
                    self.size,
                    source.len()
                ),
            ));
        }
        let product = product();
        for handle in source.iter().take(self.size as usize) {
            let format = description::listed(call, *handle)?.format;
            has_format(call, "a source picture", format, is_input(format, product))?;
        }
        for handle in &dest {
            let format = description::listed(call, *handle)?.format;
            has_format(
                call,
                "a destination picture",
                format,
                is_output(format, product),
            )?;
        }
        let mut numbers = Vec::new();
        for index in 0..self.size as usize {
            // SAFETY: not null, and the array has `size` elements (the caller's contract).
            let number = unsafe { element(self.numbers, index) };
            if !(1..=0xffff).contains(&number) {
                return Err(invalid(
                    call,
                    format_args!(
                        "roiNums[{index}] is {number}; a picture has 1 to 65535 rectangles"
                    ),
                ));
            }
            numbers.push(number);
        }
        let total: u64 = numbers.iter().map(|number| u64::from(*number)).sum();
        if total > u64::from(LIST) {
            return Err(invalid(
                call,
                format_args!("there are {total} rectangles; {LIST} are the most"),
            ));
        }
        if dest.len() as u64 != total {
            return Err(invalid(
                call,
                format_args!(
                    "the list of destinations has {} pictures, and there are {total} rectangles; make it as long",
                    dest.len()
                ),
            ));
        }
        let owners = source.iter().zip(&numbers);
        let owners = owners.flat_map(|(handle, number)| (0..*number).map(|_| *handle));
        let mut transfers = Vec::new();
        for (index, (from, to)) in owners.zip(&dest).enumerate() {
            // SAFETY: not null, and the array has an element for each rectangle (the caller's contract).
            let crop = unsafe { element(self.crops, index) };
            let crop = config::roi(call, "an element of cropAreas", crop)?;
            let paste = match self.pastes {
                Some(pastes) => {
                    // SAFETY: as above.
                    let paste = unsafe { element(pastes, index) };
                    Some(config::roi(call, "an element of pasteAreas", paste)?)
                }
                None => None,
            };
            let border: Option<Border> = match self.borders {
                Some(borders) => {
                    // SAFETY: as above.
                    let border = unsafe { element(borders, index) };
                    Some(config::border(call, "an element of borderCfgs", border)?)
                }
                None => None,
            };
            let (from, to) = (
                description::listed(call, from)?,
                description::listed(call, *to)?,
            );
            transfers.push(Transfer {
                crop: Some(area(crop)),
                paste: paste.map(area),
                border,
                ..Transfer::whole(from, to, interpolation)
            });
        }
        let prepared = match channel.check(VPC, "picture processing") {
            Ok(()) => prepare(call, transfers, channel.matrix, Generation::First)?,
            Err(why) => Prepared::refused(why),
        };
        let mut touches = prepared.touches;
        touches.push(channel.touch());
        touches.extend(
            source
                .iter()
                .take(self.size as usize)
                .map(|handle| touch(*handle, false)),
        );
        touches.extend(dest.iter().map(|handle| touch(*handle, true)));
        let plan = Accepted {
            call,
            ranges: prepared.ranges,
            touches,
            job: prepared.job,
            finish: Arc::new(move |code| {
                dest.iter()
                    .for_each(|handle| description::finish(*handle, code));
            }),
        };
        plan.queue(self.stream)
    }
}

pub(crate) unsafe extern "C" fn acldvppVpcBatchCropAsync(
    channelDesc: *mut acldvppChannelDesc,
    srcBatchPicDescs: *mut acldvppBatchPicDesc,
    roiNums: *mut u32,
    size: u32,
    dstBatchPicDescs: *mut acldvppBatchPicDesc,
    cropAreas: *mut *mut acldvppRoiConfig,
    stream: aclrtStream,
) -> aclError {
    let batch = Batch {
        channel: channelDesc,
        source: srcBatchPicDescs,
        numbers: roiNums,
        size,
        dest: dstBatchPicDescs,
        crops: cropAreas,
        pastes: None,
        borders: None,
        resize: None,
        stream,
    };
    // SAFETY: the caller's contract.
    status(unsafe { batch.queue("acldvppVpcBatchCropAsync") })
}

pub(crate) unsafe extern "C" fn acldvppVpcBatchCropResizeAsync(
    channelDesc: *mut acldvppChannelDesc,
    srcBatchPicDescs: *mut acldvppBatchPicDesc,
    roiNums: *mut u32,
    size: u32,
    dstBatchPicDescs: *mut acldvppBatchPicDesc,
    cropAreas: *mut *mut acldvppRoiConfig,
    resizeConfig: *mut acldvppResizeConfig,
    stream: aclrtStream,
) -> aclError {
    let batch = Batch {
        channel: channelDesc,
        source: srcBatchPicDescs,
        numbers: roiNums,
        size,
        dest: dstBatchPicDescs,
        crops: cropAreas,
        pastes: None,
        borders: None,
        resize: Some(resizeConfig),
        stream,
    };
    // SAFETY: the caller's contract.
    status(unsafe { batch.queue("acldvppVpcBatchCropResizeAsync") })
}

pub(crate) unsafe extern "C" fn acldvppVpcBatchCropAndPasteAsync(
    channelDesc: *mut acldvppChannelDesc,
    srcBatchPicDescs: *mut acldvppBatchPicDesc,
    roiNums: *mut u32,
    size: u32,
    dstBatchPicDescs: *mut acldvppBatchPicDesc,
    cropAreas: *mut *mut acldvppRoiConfig,
    pasteAreas: *mut *mut acldvppRoiConfig,
    stream: aclrtStream,
) -> aclError {
    let batch = Batch {
        channel: channelDesc,
        source: srcBatchPicDescs,
        numbers: roiNums,
        size,
        dest: dstBatchPicDescs,
        crops: cropAreas,
        pastes: Some(pasteAreas),
        borders: None,
        resize: None,
        stream,
    };
    // SAFETY: the caller's contract.
    status(unsafe { batch.queue("acldvppVpcBatchCropAndPasteAsync") })
}

pub(crate) unsafe extern "C" fn acldvppVpcBatchCropResizePasteAsync(
    channelDesc: *mut acldvppChannelDesc,
    srcBatchPicDescs: *mut acldvppBatchPicDesc,
    roiNums: *mut u32,
    size: u32,
    dstBatchPicDescs: *mut acldvppBatchPicDesc,
    cropAreas: *mut *mut acldvppRoiConfig,
    pasteAreas: *mut *mut acldvppRoiConfig,
    resizeConfig: *mut acldvppResizeConfig,
    stream: aclrtStream,
) -> aclError {
    let batch = Batch {
        channel: channelDesc,
        source: srcBatchPicDescs,
        numbers: roiNums,
        size,
        dest: dstBatchPicDescs,
        crops: cropAreas,
        pastes: Some(pasteAreas),
        borders: None,
        resize: Some(resizeConfig),
        stream,
    };
    // SAFETY: the caller's contract.
    status(unsafe { batch.queue("acldvppVpcBatchCropResizePasteAsync") })
}

pub(crate) unsafe extern "C" fn acldvppVpcBatchCropResizeMakeBorderAsync(
    channelDesc: *mut acldvppChannelDesc,
    srcBatchPicDescs: *mut acldvppBatchPicDesc,
    roiNums: *mut u32,
    size: u32,
    dstBatchPicDescs: *mut acldvppBatchPicDesc,
    cropAreas: *mut *mut acldvppRoiConfig,
    borderCfgs: *mut *mut acldvppBorderConfig,
    resizeConfig: *mut acldvppResizeConfig,
    stream: aclrtStream,
) -> aclError {
    let call = "acldvppVpcBatchCropResizeMakeBorderAsync";
    attempt!(newer(call));
    let batch = Batch {
        channel: channelDesc,
        source: srcBatchPicDescs,
        numbers: roiNums,
        size,
        dest: dstBatchPicDescs,
        crops: cropAreas,
        pastes: None,
        borders: Some(borderCfgs),
        resize: Some(resizeConfig),
        stream,
    };
    // SAFETY: the caller's contract.
    status(unsafe { batch.queue(call) })
}
