//! Regions of pictures of the second generation: cropping, scaling, pasting, borders and conversion.

use ascendcl_sys::{
    hi_csc_conf, hi_vpc_chn, hi_vpc_crop_region, hi_vpc_crop_region_info,
    hi_vpc_crop_resize_border_region, hi_vpc_crop_resize_paste_region, hi_vpc_crop_resize_region,
    hi_vpc_crop_resize_resize_paste_region, hi_vpc_make_border_info, hi_vpc_pic_info,
    hi_vpc_resize_info,
};

use super::system::{ILLEGAL_PARAM, NOT_SUPPORT};
use super::vpc::{VPC, border, both, element, illegal, matrix_of, picture, send, value};
use crate::media::colour::Matrix;
use crate::media::image::Area;
use crate::media::operate::{Border, Interpolation};
use crate::media::picture::{Generation, Picture};
use crate::media::transfer::{Transfer, prepare};
use crate::object_calls::status;
use crate::results::list_of;

fn area(region: &hi_vpc_crop_region) -> Area {
    Area {
        x: region.left_offset as usize,
        y: region.top_offset as usize,
        width: region.crop_width as usize,
        height: region.crop_height as usize,
    }
}

fn interpolation(call: &str, number: u32) -> Result<Interpolation, i32> {
    match number {
        0 => Ok(Interpolation::Linear),
        1 => Ok(Interpolation::Nearest),
        other => Err(VPC.refuse(
            call,
            ILLEGAL_PARAM,
            format_args!("interpolation is {other}; 0 is bilinear, 1 is the nearest pixel"),
        )),
    }
}

/// Queues transfers.
///
/// # Safety
///
/// - `task_id` is valid for a write.
unsafe fn send_transfers(
    call: &'static str,
    chn: hi_vpc_chn,
    matrix: Matrix,
    transfers: Vec<Transfer>,
    task_id: *mut u32,
    milliseconds: i32,
) -> Result<(), i32> {
    let prepared =
        prepare(call, transfers, matrix, Generation::Second).map_err(|_| VPC.code(NOT_SUPPORT))?;
    // SAFETY: the caller's contract.
    unsafe { send(call, chn, prepared, task_id, milliseconds) }
}

/// A region of a picture with its output.
trait Region: Copy {
    /// Returns the transfer from a source.
    fn transfer(&self, call: &str, source: Picture) -> Result<Transfer, i32>;
}

/// Refuses a size that differs from that of the output.
fn same_size(call: &str, size: (u32, u32), dest: &hi_vpc_pic_info) -> Result<(), i32> {
    let expected = (dest.picture_width, dest.picture_height);
    if size == expected {
        return Ok(());
    }
    Err(illegal(
        call,
        format_args!("the rectangle has {size:?} pixels, and its output {expected:?}"),
    ))
}

/// The place of a scaled rectangle in the output.
fn place(top: u32, left: u32, resize: &hi_vpc_resize_info) -> Area {
    Area {
        x: left as usize,
        y: top as usize,
        width: resize.resize_width as usize,
        height: resize.resize_height as usize,
    }
}

impl Region for hi_vpc_crop_region_info {
    fn transfer(&self, call: &str, source: Picture) -> Result<Transfer, i32> {
        let region = &self.crop_region;
        same_size(
            call,
            (region.crop_width, region.crop_height),
            &self.dest_pic_info,
        )?;
        Ok(Transfer {
            crop: Some(area(region)),
            ..Transfer::whole(source, picture(&self.dest_pic_info), Interpolation::Nearest)
        })
    }
}

impl Region for hi_vpc_crop_resize_region {
    fn transfer(&self, call: &str, source: Picture) -> Result<Transfer, i32> {
        let resize = &self.resize_info;
        same_size(
            call,
            (resize.resize_width, resize.resize_height),
            &self.dest_pic_info,
        )?;
        Ok(Transfer {
            crop: Some(area(&self.crop_region)),
            ..Transfer::whole(
                source,
                picture(&self.dest_pic_info),
                interpolation(call, resize.interpolation)?,
            )
        })
    }
}

impl Region for hi_vpc_crop_resize_paste_region {
    fn transfer(&self, call: &str, source: Picture) -> Result<Transfer, i32> {
        let resize = &self.resize_info;
        Ok(Transfer {
            crop: Some(area(&self.crop_region)),
            paste: Some(place(self.dest_top_offset, self.dest_left_offset, resize)),
            ..Transfer::whole(
                source,
                picture(&self.dest_pic_info),
                interpolation(call, resize.interpolation)?,
            )
        })
    }
}

impl Region for hi_vpc_crop_resize_resize_paste_region {
    fn transfer(&self, call: &str, source: Picture) -> Result<Transfer, i32> {
        let (first, second) = (&self.resize_info1, &self.resize_info2);
        interpolation(call, first.interpolation)?;
        Ok(Transfer {
            crop: Some(area(&self.crop_region)),
            paste: Some(place(self.dest_top_offset, self.dest_left_offset, second)),
            between: Some((first.resize_width as usize, first.resize_height as usize)),
            ..Transfer::whole(
                source,
                picture(&self.dest_pic_info),
                interpolation(call, second.interpolation)?,
            )
        })
    }
}

impl Region for hi_vpc_crop_resize_border_region {
    fn transfer(&self, call: &str, source: Picture) -> Result<Transfer, i32> {
        let (resize, dest) = (&self.resize_info, picture(&self.dest_pic_info));
        let rest = |side: u32, offset: u32, size: u32| side.checked_sub(offset)?.checked_sub(size);
        let right = rest(dest.width, self.dest_left_offset, resize.resize_width);
        let bottom = rest(dest.height, self.dest_top_offset, resize.resize_height);
        let (Some(right), Some(bottom)) = (right, bottom) else {
            return Err(illegal(
                call,
                format_args!("the scaled rectangle is not inside of its output"),
            ));
        };
        let border = Border {
            top: self.dest_top_offset as usize,
            bottom: bottom as usize,
            left: self.dest_left_offset as usize,
            right: right as usize,
            kind: self.border_type.0,
            value: value(&self.scalar_value),
        };
        Ok(Transfer {
            crop: Some(area(&self.crop_region)),
            border: Some(border),
            ..Transfer::whole(source, dest, interpolation(call, resize.interpolation)?)
        })
    }
}

/// Queues regions of pictures. `sources` has each picture with the number of its regions.
///
/// # Safety
///
/// - `regions` is null or has as many elements as there are regions.
/// - `task_id` is null or valid for a write.
unsafe fn send_regions<R: Region>(
    call: &'static str,
    chn: hi_vpc_chn,
    sources: &[(*const hi_vpc_pic_info, u32)],
    regions: *const R,
    task_id: *mut u32,
    milliseconds: i32,
) -> Result<(), i32> {
    let matrix = matrix_of(call, chn)?;
    VPC.not_null(call, "the array of regions", regions)?;
    VPC.not_null(call, "task_id", task_id)?;
    let transfer = |index, source| {
        // SAFETY: not null; the caller's contract.
        let region = unsafe { element(regions, index) };
        region.transfer(call, source)
    };
    // SAFETY: not null; the caller's contract.
    unsafe {
        send_each(
            call,
            (chn, matrix),
            sources,
            &transfer,
            task_id,
            milliseconds,
        )
    }
}

/// Queues the transfers of the regions, which have the numbers from 0 on. Regions are of many types, and this is compiled
/// once.
///
/// # Safety
///
/// - Each picture of `sources` is null or valid for a read, and `task_id` is valid for a write.
unsafe fn send_each(
    call: &'static str,
    (chn, matrix): (hi_vpc_chn, Matrix),
    sources: &[(*const hi_vpc_pic_info, u32)],
    transfer: &dyn Fn(usize, Picture) -> Result<Transfer, i32>,
    task_id: *mut u32,
    milliseconds: i32,
) -> Result<(), i32> {
    let total: u64 = sources.iter().map(|(_, count)| u64::from(*count)).sum();
    if !(1..=256).contains(&total) {
        return Err(illegal(
            call,
            format_args!("there are {total} regions; a call has 1 to 256"),
        ));
    }
    let mut transfers = Vec::new();
    for (source, count) in sources {
        VPC.not_null(call, "source_pic", *source)?;
        // SAFETY: not null; the caller's contract of the C function: valid for a read.
        let source = picture(&unsafe { source.read() });
        for _ in 0..*count {
            transfers.push(transfer(transfers.len(), source)?);
        }
    }
    // SAFETY: not null; the caller's contract.
    unsafe { send_transfers(call, chn, matrix, transfers, task_id, milliseconds) }
}

/// Defines the functions for regions of one picture.
macro_rules! regions {
    ($($name:ident($regions:ident: $Region:ident);)*) => { $(
        pub(crate) unsafe extern "C" fn $name(
            chn: hi_vpc_chn,
            source_pic: *const hi_vpc_pic_info,
            $regions: *mut $Region,
            count: u32,
            task_id: *mut u32,
            milli_sec: i32,
        ) -> i32 {
            // SAFETY: the same contract.
            status(unsafe { send_regions(stringify!($name), chn, &[(source_pic, count)], $regions, task_id, milli_sec) })
        }
    )* };
}

regions! {
    hi_mpi_vpc_crop(crop_info: hi_vpc_crop_region_info);
    hi_mpi_vpc_crop_resize(crop_resize_info: hi_vpc_crop_resize_region);
    hi_mpi_vpc_crop_resize_paste(crop_resize_paste_info: hi_vpc_crop_resize_paste_region);
    hi_mpi_vpc_crop_resize_make_border(crop_resize_make_border_info: hi_vpc_crop_resize_border_region);
    hi_mpi_vpc_crop_resize_resize_paste(crop_resize_resize_paste_info: hi_vpc_crop_resize_resize_paste_region);
}

/// Defines the functions for regions of several pictures.
macro_rules! batches {
    ($($name:ident($regions:ident: $Region:ident);)*) => { $(
        pub(crate) unsafe extern "C" fn $name(
            chn: hi_vpc_chn,
            source_pic: *mut *const hi_vpc_pic_info,
            pic_num: u32,
            $regions: *mut $Region,
            count: *mut u32,
            task_id: *mut u32,
            milli_sec: i32,
        ) -> i32 {
            let call = stringify!($name);
            status((|| {
                matrix_of(call, chn)?;
                VPC.not_null(call, "source_pic", source_pic)?;
                VPC.not_null(call, "count", count)?;
                if !(1..=256).contains(&pic_num) {
                    return Err(illegal(call, format_args!("pic_num is {pic_num}; a call has 1 to 256 pictures")));
                }
                let sources = list_of((0..pic_num as usize)
                    .map(|index| {
                        // SAFETY: not null; the caller's contract: `pic_num` elements.
                        let source = unsafe { element(source_pic, index) };
                        // SAFETY: not null; the caller's contract: `pic_num` elements.
                        (source, unsafe { element(count, index) })
                    }));
                // SAFETY: the same contract.
                unsafe { send_regions(call, chn, &sources, $regions, task_id, milli_sec) }
            })())
        }
    )* };
}

batches! {
    hi_mpi_vpc_batch_crop_resize_paste(crop_resize_paste_info: hi_vpc_crop_resize_paste_region);
    hi_mpi_vpc_batch_crop_resize_make_border(crop_resize_make_border_info: hi_vpc_crop_resize_border_region);
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_resize(
    chn: hi_vpc_chn,
    source_pic: *const hi_vpc_pic_info,
    dest_pic: *mut hi_vpc_pic_info,
    fx: f64,
    fy: f64,
    interpolation: u32,
    task_id: *mut u32,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_vpc_resize";
    status((|| {
        // SAFETY: the same contract.
        let (matrix, source, mut dest) = unsafe { both(call, chn, source_pic, dest_pic, task_id) }?;
        let interpolation = self::interpolation(call, interpolation)?;
        if fx != 0.0 || fy != 0.0 {
            let side = |side: u32, factor: f64| (f64::from(side) * factor).round();
            let (width, height) = (side(source.width, fx), side(source.height, fy));
            if !(1.0..=16384.0).contains(&width) || !(1.0..=16384.0).contains(&height) {
                return Err(illegal(
                    call,
                    format_args!("fx is {fx} and fy is {fy}; both are factors, or both 0"),
                ));
            }
            (dest.width, dest.height) = (width as u32, height as u32);
            // SAFETY: `both` has refused null; the caller's contract: valid for reads and writes.
            let out = unsafe { &mut *dest_pic };
            (out.picture_width, out.picture_height) = (dest.width, dest.height);
        }
        let transfer = Transfer::whole(source, dest, interpolation);
        // SAFETY: the same contract.
        unsafe { send_transfers(call, chn, matrix, vec![transfer], task_id, milli_sec) }
    })())
}

/// Queues a conversion.
///
/// # Safety
///
/// - The pointers are null, or valid for reads, `task_id` for a write.
unsafe fn convert(
    call: &'static str,
    chn: hi_vpc_chn,
    pictures: (*const hi_vpc_pic_info, *const hi_vpc_pic_info),
    alpha: u8,
    task_id: *mut u32,
    milliseconds: i32,
    is_allowed: impl FnOnce(u32) -> bool,
) -> Result<(), i32> {
    // SAFETY: the same contract.
    let (matrix, source, dest) = unsafe { both(call, chn, pictures.0, pictures.1, task_id) }?;
    if !is_allowed(dest.format) {
        return Err(illegal(
            call,
            format_args!("the output has the format {}", dest.format),
        ));
    }
    if (source.width, source.height) != (dest.width, dest.height) {
        return Err(illegal(
            call,
            format_args!("the output has another size than the input"),
        ));
    }
    let transfer = Transfer {
        alpha,
        ..Transfer::whole(source, dest, Interpolation::Nearest)
    };
    // SAFETY: the same contract.
    unsafe { send_transfers(call, chn, matrix, vec![transfer], task_id, milliseconds) }
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_convert_color(
    chn: hi_vpc_chn,
    source_pic: *const hi_vpc_pic_info,
    dest_pic: *mut hi_vpc_pic_info,
    task_id: *mut u32,
    milli_sec: i32,
) -> i32 {
    let (call, pictures) = (
        "hi_mpi_vpc_convert_color",
        (source_pic, dest_pic.cast_const()),
    );
    // SAFETY: the same contract.
    status(unsafe { convert(call, chn, pictures, 0, task_id, milli_sec, |_| true) })
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_convert_color_to_yuv420(
    chn: hi_vpc_chn,
    source_pic: *const hi_vpc_pic_info,
    dest_pic: *mut hi_vpc_pic_info,
    task_id: *mut u32,
    milli_sec: i32,
) -> i32 {
    let (call, pictures) = (
        "hi_mpi_vpc_convert_color_to_yuv420",
        (source_pic, dest_pic.cast_const()),
    );
    let is_allowed = |format| matches!(format, 1 | 2);
    // SAFETY: the same contract.
    status(unsafe { convert(call, chn, pictures, 0, task_id, milli_sec, is_allowed) })
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_convert_color_v2(
    chn: hi_vpc_chn,
    source_pic: *const hi_vpc_pic_info,
    dest_pic: *mut hi_vpc_pic_info,
    conf: *mut hi_csc_conf,
    task_id: *mut u32,
    milli_sec: i32,
) -> i32 {
    let (call, pictures) = (
        "hi_mpi_vpc_convert_color_v2",
        (source_pic, dest_pic.cast_const()),
    );
    status((|| {
        VPC.not_null(call, "conf", conf)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let alpha = unsafe { conf.read() }.alpha;
        let alpha = u8::try_from(alpha)
            .map_err(|_| illegal(call, format_args!("alpha is {alpha}; it is at most 255")))?;
        // SAFETY: the same contract.
        unsafe { convert(call, chn, pictures, alpha, task_id, milli_sec, |_| true) }
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_copy_make_border(
    chn: hi_vpc_chn,
    source_pic: *const hi_vpc_pic_info,
    dest_pic: *mut hi_vpc_pic_info,
    make_border_info: hi_vpc_make_border_info,
    task_id: *mut u32,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_vpc_copy_make_border";
    status((|| {
        // SAFETY: the same contract.
        let (matrix, source, dest) = unsafe { both(call, chn, source_pic, dest_pic, task_id) }?;
        let border = border(&make_border_info);
        let expected = (
            source.width as usize + border.left + border.right,
            source.height as usize + border.top + border.bottom,
        );
        if (dest.width as usize, dest.height as usize) != expected {
            return Err(illegal(
                call,
                format_args!(
                    "input and border have {expected:?} pixels, and the output has others"
                ),
            ));
        }
        let transfer = Transfer {
            border: Some(border),
            ..Transfer::whole(source, dest, Interpolation::Nearest)
        };
        // SAFETY: the same contract.
        unsafe { send_transfers(call, chn, matrix, vec![transfer], task_id, milli_sec) }
    })())
}
