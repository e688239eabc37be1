//! Picture processing of the first generation (`acldvppVpc*`): one picture each. Lists of pictures are in `batch`.
//!
//! The order of the checks is that of the sources of CANN (2021-09). Strides, alignment, rectangles and memory are not
//! checked by the call but by the device.

use std::ffi::c_void;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_ERROR_FORMAT_NOT_MATCH, ACL_SUCCESS, aclError, acldvppBorderConfig, acldvppChannelDesc,
    acldvppHist, acldvppLutMap, acldvppPicDesc, acldvppResizeConfig, acldvppRoiConfig, aclrtStream,
};

use super::channel::{self, Used, VPC};
use super::config::{self, Roi};
use super::description;
use super::format::{is_input, is_mapped, is_output};
use super::image::{Area, Image};
use super::object::{newer, touch};
use super::operate::{Border, GAUSS, Interpolation};
use super::picture::{Generation, Picture, Refused, check_memory, load, store};
use super::product::product;
use super::task::{Accepted, Finish, Memory};
use super::transfer::{Prepared, Transfer, prepare};
use super::values;
use crate::object_calls::{invalid, not_null, refused, status};

/// The channel and the pictures of a call.
struct Pictures {
    channel: Used,
    source: (usize, Picture),
    dest: (usize, Picture),
}

/// Looks up the channel and the pictures of a call.
fn pictures(
    call: &str,
    channel: *const acldvppChannelDesc,
    input: *const acldvppPicDesc,
    output: *const acldvppPicDesc,
) -> Result<Pictures, aclError> {
    let channel = channel::used(call, channel)?;
    let source = description::picture(call, "inputDesc", input)?;
    let dest = description::picture(call, "outputDesc", output)?;
    Ok(Pictures {
        channel,
        source: (input.addr(), source),
        dest: (output.addr(), dest),
    })
}

/// Refuses a format that a function does not have.
pub(super) fn has_format(
    call: &str,
    what: &str,
    format: u32,
    is_known: bool,
) -> Result<(), aclError> {
    if is_known {
        return Ok(());
    }
    Err(refused(
        call,
        ACL_ERROR_FORMAT_NOT_MATCH,
        format_args!("{what} has the format {format}, which this function does not have"),
    ))
}

/// Checks the formats of the input and then of the output.
pub(super) fn has_formats(call: &str, source: &Picture, dest: &Picture) -> Result<(), aclError> {
    let product = product();
    has_format(
        call,
        "the input",
        source.format,
        is_input(source.format, product),
    )?;
    has_format(
        call,
        "the output",
        dest.format,
        is_output(dest.format, product),
    )
}

/// Returns the area of a rectangle. The device refuses one whose sides are in the wrong order.
pub(super) fn area(roi: Roi) -> Area {
    let size = |first: u32, last: u32| (last + 1).saturating_sub(first) as usize;
    Area {
        x: roi.left as usize,
        y: roi.top as usize,
        width: size(roi.left, roi.right),
        height: size(roi.top, roi.bottom),
    }
}

impl Pictures {
    fn has_formats(&self, call: &str) -> Result<(), aclError> {
        has_formats(call, &self.source.1, &self.dest.1)
    }

    fn transfer(&self, interpolation: Interpolation) -> Transfer {
        Transfer::whole(self.source.1, self.dest.1, interpolation)
    }

    /// Queues a transfer.
    fn queue(
        &self,
        call: &'static str,
        transfer: Transfer,
        stream: aclrtStream,
    ) -> Result<(), aclError> {
        let prepared = match self.channel.check(VPC, "picture processing") {
            Ok(()) => prepare(call, vec![transfer], self.channel.matrix, Generation::First)?,
            Err(why) => Prepared::refused(why),
        };
        self.queue_prepared(call, prepared, stream)
    }

    fn queue_prepared(
        &self,
        call: &'static str,
        prepared: Prepared,
        stream: aclrtStream,
    ) -> Result<(), aclError> {
        let (source, (dest, picture)) = (self.source.0, self.dest);
        let mut touches = prepared.touches;
        touches.extend([
            self.channel.touch(),
            touch(source, false),
            touch(dest, true),
        ]);
        // The device writes the whole description back, with the sides and strides that were left to it.
        let finish: Arc<Finish> = Arc::new(move |code| {
            if code == ACL_SUCCESS as u32 {
                description::decided(dest, &picture);
            }
            description::finish(dest, code);
        });
        let plan = Accepted {
            call,
            ranges: prepared.ranges,
            touches,
            job: prepared.job,
            finish,
        };
        plan.queue(stream)
    }
}

pub(crate) unsafe extern "C" fn acldvppVpcResizeAsync(
    channelDesc: *mut acldvppChannelDesc,
    inputDesc: *mut acldvppPicDesc,
    outputDesc: *mut acldvppPicDesc,
    resizeConfig: *mut acldvppResizeConfig,
    stream: aclrtStream,
) -> aclError {
    let call = "acldvppVpcResizeAsync";
    status((|| {
        let pictures = pictures(call, channelDesc, inputDesc, outputDesc)?;
        pictures.has_formats(call)?;
        let interpolation = config::interpolation(call, resizeConfig)?;
        pictures.queue(call, pictures.transfer(interpolation), stream)
    })())
}

/// The options of the functions that crop.
struct Cropping {
    crop: *const acldvppRoiConfig,
    /// The rectangle of the output, if the function pastes.
    paste: Option<*const acldvppRoiConfig>,
    /// The options of scaling, if the function has some.
    resize: Option<*const acldvppResizeConfig>,
}

/// Crops a picture, and pastes if there is a rectangle for it.
fn crop(
    call: &'static str,
    channel: *const acldvppChannelDesc,
    input: *const acldvppPicDesc,
    output: *const acldvppPicDesc,
    options: &Cropping,
    stream: aclrtStream,
) -> Result<(), aclError> {
    let pictures = pictures(call, channel, input, output)?;
    let crop = config::roi(call, "cropArea", options.crop)?;
    let paste = match options.paste {
        Some(paste) => Some(config::roi(call, "pasteArea", paste)?),
        None => None,
    };
    let interpolation = match options.resize {
        Some(resize) => config::interpolation(call, resize)?,
        None => Interpolation::Linear,
    };
    pictures.has_formats(call)?;
    let transfer = Transfer {
        crop: Some(area(crop)),
        paste: paste.map(area),
        ..pictures.transfer(interpolation)
    };
    pictures.queue(call, transfer, stream)
}

pub(crate) unsafe extern "C" fn acldvppVpcCropAsync(
    channelDesc: *mut acldvppChannelDesc,
    inputDesc: *mut acldvppPicDesc,
    outputDesc: *mut acldvppPicDesc,
    cropArea: *mut acldvppRoiConfig,
    stream: aclrtStream,
) -> aclError {
    let options = Cropping {
        crop: cropArea,
        paste: None,
        resize: None,
    };
    let call = "acldvppVpcCropAsync";
    status(crop(
        call,
        channelDesc,
        inputDesc,
        outputDesc,
        &options,
        stream,
    ))
}

pub(crate) unsafe extern "C" fn acldvppVpcCropResizeAsync(
    channelDesc: *mut acldvppChannelDesc,
    inputDesc: *mut acldvppPicDesc,
    outputDesc: *mut acldvppPicDesc,
    cropArea: *mut acldvppRoiConfig,
    resizeConfig: *mut acldvppResizeConfig,
    stream: aclrtStream,
) -> aclError {
    let options = Cropping {
        crop: cropArea,
        paste: None,
        resize: Some(resizeConfig),
    };
    let call = "acldvppVpcCropResizeAsync";
    status(crop(
        call,
        channelDesc,
        inputDesc,
        outputDesc,
        &options,
        stream,
    ))
}

pub(crate) unsafe extern "C" fn acldvppVpcCropAndPasteAsync(
    channelDesc: *mut acldvppChannelDesc,
    inputDesc: *mut acldvppPicDesc,
    outputDesc: *mut acldvppPicDesc,
    cropArea: *mut acldvppRoiConfig,
    pasteArea: *mut acldvppRoiConfig,
    stream: aclrtStream,
) -> aclError {
    let options = Cropping {
        crop: cropArea,
        paste: Some(pasteArea),
        resize: None,
    };
    let call = "acldvppVpcCropAndPasteAsync";
    status(crop(
        call,
        channelDesc,
        inputDesc,
        outputDesc,
        &options,
        stream,
    ))
}

pub(crate) unsafe extern "C" fn acldvppVpcCropResizePasteAsync(
    channelDesc: *mut acldvppChannelDesc,
    inputDesc: *mut acldvppPicDesc,
    outputDesc: *mut acldvppPicDesc,
    cropArea: *mut acldvppRoiConfig,
    pasteArea: *mut acldvppRoiConfig,
    resizeConfig: *mut acldvppResizeConfig,
    stream: aclrtStream,
) -> aclError {
    let options = Cropping {
        crop: cropArea,
        paste: Some(pasteArea),
        resize: Some(resizeConfig),
    };
    let call = "acldvppVpcCropResizePasteAsync";
    status(crop(
        call,
        channelDesc,
        inputDesc,
        outputDesc,
        &options,
        stream,
    ))
}

pub(crate) unsafe extern "C" fn acldvppVpcConvertColorAsync(
    channelDesc: *mut acldvppChannelDesc,
    inputDesc: *mut acldvppPicDesc,
    outputDesc: *mut acldvppPicDesc,
    stream: aclrtStream,
) -> aclError {
    let call = "acldvppVpcConvertColorAsync";
    status((|| {
        newer(call)?;
        let mut pictures = pictures(call, channelDesc, inputDesc, outputDesc)?;
        pictures.has_formats(call)?;
        let source = pictures.source.1;
        let sides = [
            source.width,
            source.height,
            source.width_stride,
            source.height_stride,
        ];
        if sides.contains(&0) {
            return Err(invalid(
                call,
                format_args!("a side or a stride of the input is 0"),
            ));
        }
        let dest = &mut pictures.dest.1;
        for (what, number, expected) in [
            ("width", dest.width, source.width),
            ("height", dest.height, source.height),
        ] {
            if number != 0 && number != expected {
                return Err(invalid(
                    call,
                    format_args!(
                        "the {what} of the output is {number}; it has to be 0 or {expected}"
                    ),
                ));
            }
        }
        (dest.width, dest.height) = (source.width, source.height);
        if let Ok(layout) = dest.layout("the output") {
            let (columns, rows) = layout.strides(dest.width, dest.height, product());
            if dest.width_stride == 0 {
                dest.width_stride = columns;
            }
            if dest.height_stride == 0 {
                dest.height_stride = rows;
            }
        }
        pictures.queue(call, pictures.transfer(Interpolation::Nearest), stream)
    })())
}

pub(crate) unsafe extern "C" fn acldvppVpcMakeBorderAsync(
    channelDesc: *const acldvppChannelDesc,
    inputDesc: *const acldvppPicDesc,
    outputDesc: *mut acldvppPicDesc,
    borderConfig: *const acldvppBorderConfig,
    stream: aclrtStream,
) -> aclError {
    let call = "acldvppVpcMakeBorderAsync";
    status((|| {
        newer(call)?;
        let pictures = pictures(call, channelDesc, inputDesc, outputDesc)?;
        let border = config::border(call, "borderConfig", borderConfig)?;
        pictures.has_formats(call)?;
        let transfer = Transfer {
            border: Some(border),
            ..pictures.transfer(Interpolation::Nearest)
        };
        let (source, dest) = (pictures.source.1, pictures.dest.1);
        let expected = (
            source.width as usize + border.left + border.right,
            source.height as usize + border.top + border.bottom,
        );
        if (dest.width as usize, dest.height as usize) != expected {
            let text = format!(
                "the output has {}x{} pixels, and input and border have {}x{}",
                dest.width, dest.height, expected.0, expected.1
            );
            let prepared = Prepared::refused(Refused::parameter(text));
            return pictures.queue_prepared(call, prepared, stream);
        }
        pictures.queue(call, transfer, stream)
    })())
}

pub(crate) unsafe extern "C" fn acldvppVpcPyrDownAsync(
    channelDesc: *mut acldvppChannelDesc,
    inputDesc: *mut acldvppPicDesc,
    outputDesc: *mut acldvppPicDesc,
    reserve: *mut c_void,
    stream: aclrtStream,
) -> aclError {
    let call = "acldvppVpcPyrDownAsync";
    status((|| {
        newer(call)?;
        let pictures = pictures(call, channelDesc, inputDesc, outputDesc)?;
        is_null(call, reserve)?;
        let (source, dest) = (pictures.source.1, pictures.dest.1);
        has_format(call, "the input", source.format, source.format == 0)?;
        has_format(call, "the output", dest.format, dest.format == 0)?;
        let border = Border {
            top: 0,
            bottom: 0,
            left: 0,
            right: 0,
            kind: 3,
            value: [0; 4],
        };
        let prepared = halving(&pictures.channel, source, dest, border);
        let prepared = prepared.unwrap_or_else(Prepared::refused);
        pictures.queue_prepared(call, prepared, stream)
    })())
}

/// Refuses a value for the reserved argument.
fn is_null(call: &str, reserve: *const c_void) -> Result<(), aclError> {
    if reserve.is_null() {
        return Ok(());
    }
    Err(invalid(call, format_args!("reserve is not NULL")))
}

/// Prepares the reduction of a picture to half its sides.
fn halving(
    channel: &Used,
    source: Picture,
    dest: Picture,
    border: Border,
) -> Result<Prepared, Refused> {
    let prepared = changing(channel, source, dest, move |image| {
        image.halved(&GAUSS, 256, &border)
    })?;
    if (dest.width, dest.height) != (source.width.div_ceil(2), source.height.div_ceil(2)) {
        return Err(Refused::parameter(
            "the output has not half the sides of the input",
        ));
    }
    Ok(prepared)
}

/// Prepares a picture that is a function of another one.
fn changing(
    channel: &Used,
    source: Picture,
    dest: Picture,
    change: impl Fn(Image) -> Image + Send + Sync + 'static,
) -> Result<Prepared, Refused> {
    channel.check(VPC, "picture processing")?;
    let product = product();
    let from = source.check("the input", (8192, 8192), product)?;
    let to = dest.check("the output", product.greatest_output(), product)?;
    check_memory("the input", source.data, Generation::First, product)?;
    check_memory("the output", dest.data, Generation::First, product)?;
    let mut touches = source.touches(&from, source.area(), false);
    touches.extend(dest.touches(&to, dest.area(), true));
    let job = move |memory: &mut Memory<'_>| {
        let image = load(&from, memory.read(0), source.area())?;
        store(&to, memory.write(1), &change(image), 0, 0)
    };
    Ok(Prepared {
        ranges: vec![
            (source.data, source.bytes(&from)),
            (dest.data, dest.bytes(&to)),
        ],
        touches,
        job: Ok(Arc::new(job)),
    })
}

pub(crate) unsafe extern "C" fn acldvppVpcEqualizeHistAsync(
    channelDesc: *const acldvppChannelDesc,
    inputDesc: *const acldvppPicDesc,
    outputDesc: *mut acldvppPicDesc,
    lutMap: *const acldvppLutMap,
    stream: aclrtStream,
) -> aclError {
    let call = "acldvppVpcEqualizeHistAsync";
    status((|| {
        newer(call)?;
        let pictures = pictures(call, channelDesc, inputDesc, outputDesc)?;
        let map = values::map(call, lutMap)?;
        let (source, dest) = (pictures.source.1, pictures.dest.1);
        has_format(call, "the input", source.format, is_mapped(source.format))?;
        let sizes = |one: &Picture| (one.width, one.height, one.width_stride, one.height_stride);
        if dest.format != source.format || sizes(&dest) != sizes(&source) {
            return Err(invalid(
                call,
                format_args!("the output differs from the input in format or size"),
            ));
        }
        let prepared = changing(&pictures.channel, source, dest, move |image| {
            image.mapped(&map)
        });
        let prepared = prepared.unwrap_or_else(Prepared::refused);
        pictures.queue_prepared(call, prepared, stream)
    })())
}

pub(crate) unsafe extern "C" fn acldvppVpcCalcHistAsync(
    channelDesc: *mut acldvppChannelDesc,
    srcPicDesc: *mut acldvppPicDesc,
    hist: *mut acldvppHist,
    reserve: *mut c_void,
    stream: aclrtStream,
) -> aclError {
    let call = "acldvppVpcCalcHistAsync";
    status((|| {
        newer(call)?;
        let channel = channel::used(call, channelDesc)?;
        let source = description::picture(call, "srcPicDesc", srcPicDesc)?;
        not_null(call, "hist", hist)?;
        is_null(call, reserve)?;
        let counts = values::counters(call, hist)?;
        has_format(call, "the input", source.format, source.format <= 13)?;
        let product = product();
        let checked = channel
            .check(VPC, "picture processing")
            .and_then(|()| check_memory("the input", source.data, Generation::First, product))
            .and_then(|()| source.check("the input", (8192, 8192), product));
        let prepared = match checked {
            Err(why) => Prepared::refused(why),
            Ok(grid) => Prepared {
                ranges: vec![(source.data, source.bytes(&grid))],
                touches: source.touches(&grid, source.area(), false),
                job: Ok(Arc::new(move |memory: &mut Memory<'_>| {
                    counts.write(load(&grid, memory.read(0), source.area())?.counted());
                    Ok(())
                })),
            },
        };
        let handle = hist.addr();
        let mut touches = prepared.touches;
        touches.extend([
            channel.touch(),
            touch(srcPicDesc.addr(), false),
            touch(handle, true),
        ]);
        let plan = Accepted {
            call,
            ranges: prepared.ranges,
            touches,
            job: prepared.job,
            finish: Arc::new(move |code| values::finish(handle, code)),
        };
        plan.queue(stream)
    })())
}
