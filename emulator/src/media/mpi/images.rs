//! Functions of whole pictures of the second generation: pyramids, histograms, maps, rotation and mirroring.

use std::sync::Arc;

use ascendcl_sys::{
    hi_flip_param, hi_rotate_param, hi_vpc_chn, hi_vpc_histogram_config, hi_vpc_lut_remap,
    hi_vpc_make_border_info, hi_vpc_pic_info,
};

use super::vpc::{VPC, border, both, element, illegal, matrix, matrix_of, picture, send};
use crate::check;
use crate::media::format::is_mapped;
use crate::media::image::{Colours, Image};
use crate::media::picture::{Generation, Picture, Refused, check_memory, load, store};
use crate::media::product::product;
use crate::media::task::Memory;
use crate::media::transfer::Prepared;
use crate::object_calls::status;
use crate::results::list_of;
use crate::space::{Location, space};

/// A function from one picture to others.
type Mapping = Box<dyn Fn(Image) -> Vec<Image> + Send + Sync>;

/// Prepares a function from one picture to others.
fn map_pictures(
    source: Picture,
    dests: Vec<Picture>,
    sizes: &[(u32, u32)],
    map: Mapping,
) -> Result<Prepared, Refused> {
    let product = product();
    let from = source.check("the input", (8192, 8192), product)?;
    check_memory("the input", source.data, Generation::Second, product)?;
    let mut ranges = vec![(source.data, source.bytes(&from))];
    let mut touches = source.touches(&from, source.area(), false);
    let mut grids = Vec::new();
    for (dest, size) in dests.iter().zip(sizes) {
        let grid = dest.check("the output", product.greatest_output(), product)?;
        check_memory("the output", dest.data, Generation::Second, product)?;
        if (dest.width, dest.height) != *size || dest.format != source.format {
            return Err(Refused::parameter(format!(
                "the output has {}x{} pixels of the format {}; {}x{} of the format {} are expected",
                dest.width, dest.height, dest.format, size.0, size.1, source.format
            )));
        }
        ranges.push((dest.data, dest.bytes(&grid)));
        touches.extend(dest.touches(&grid, dest.area(), true));
        grids.push(grid);
    }
    let job = move |memory: &mut Memory<'_>| {
        let image = load(&from, memory.read(0), source.area())?;
        for (index, (grid, image)) in grids.iter().zip(map(image)).enumerate() {
            store(grid, memory.write(index + 1), &image, 0, 0)?;
        }
        Ok(())
    };
    Ok(Prepared {
        ranges,
        touches,
        job: Ok(Arc::new(job)),
    })
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_pyrdown(
    chn: hi_vpc_chn,
    source_pic: *const hi_vpc_pic_info,
    dest_pic: *mut hi_vpc_pic_info,
    filter_level: u32,
    gaussian_filter: *mut [i8; 5],
    divisor: u16,
    make_border_info: hi_vpc_make_border_info,
    task_id: *mut u32,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_vpc_pyrdown";
    status((|| {
        // SAFETY: the same contract.
        let (_, source, _) = unsafe { both(call, chn, source_pic, dest_pic, task_id) }?;
        VPC.not_null(call, "gaussian_filter", gaussian_filter)?;
        if !(1..=4).contains(&filter_level) || divisor == 0 || source.format != 0 {
            return Err(illegal(
                call,
                format_args!(
                    "a pyramid has 1 to 4 levels of pictures of brightness, and a divisor above 0"
                ),
            ));
        }
        // SAFETY: not null; the caller's contract: five rows.
        let filter = unsafe { gaussian_filter.cast::<[[i8; 5]; 5]>().read() };
        let mut wide = [[0i32; 5]; 5];
        for (to, from) in wide
            .as_flattened_mut()
            .iter_mut()
            .zip(filter.as_flattened())
        {
            *to = i32::from(*from);
        }
        // SAFETY: not null; the caller's contract: a picture for each level.
        let level = |index: usize| unsafe { element(dest_pic.cast_const(), index) };
        let dests: Vec<Picture> =
            list_of((0..filter_level as usize).map(|index| picture(&level(index))));
        let mut size = (source.width, source.height);
        let sizes = list_of(dests.iter().map(|_| {
            size = (size.0.div_ceil(2), size.1.div_ceil(2));
            size
        }));
        let border = border(&make_border_info);
        let work = move |mut image: Image| {
            let mut levels = Vec::new();
            for _ in 0..filter_level {
                image = image.halved(&wide, i32::from(divisor), &border);
                levels.push(image.clone());
            }
            levels
        };
        let prepared =
            map_pictures(source, dests, &sizes, Box::new(work)).unwrap_or_else(Prepared::refused);
        // SAFETY: not null; the caller's contract.
        unsafe { send(call, chn, prepared, task_id, milli_sec) }
    })())
}

/// Numbers of the program in host memory.
#[derive(Clone, Copy)]
struct Host<T>(*mut T);

// SAFETY: the contract of the functions that take such a pointer: it is valid until the program has fetched the result,
// and nobody uses what it points to meanwhile.
unsafe impl<T> Send for Host<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Host<T> {}

impl<T> Host<T> {
    /// Replaces the value.
    fn write(&self, value: T) {
        // SAFETY: see above.
        unsafe { self.0.write(value) };
    }
}

/// Whether an address is one of device memory.
fn is_device(address: usize) -> bool {
    matches!(space().locate(address), Location::Device(..))
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_calc_hist(
    chn: hi_vpc_chn,
    source_pic: *const hi_vpc_pic_info,
    hist_config: *mut hi_vpc_histogram_config,
    task_id: *mut u32,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_vpc_calc_hist";
    status((|| {
        matrix_of(call, chn)?;
        VPC.not_null(call, "source_pic", source_pic)?;
        VPC.not_null(call, "hist_config", hist_config)?;
        VPC.not_null(call, "task_id", task_id)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let source = picture(&unsafe { source_pic.read() });
        let prepared = counting(source, hist_config).unwrap_or_else(Prepared::refused);
        // SAFETY: not null; the caller's contract.
        unsafe { send(call, chn, prepared, task_id, milli_sec) }
    })())
}

/// Prepares the counting of the values of a picture. The counters are in device memory or in host memory.
fn counting(source: Picture, counters: *mut hi_vpc_histogram_config) -> Result<Prepared, Refused> {
    let product = product();
    let grid = source.check("the input", (8192, 8192), product)?;
    check_memory("the input", source.data, Generation::Second, product)?;
    let mut ranges = vec![(source.data, source.bytes(&grid))];
    let mut touches = source.touches(&grid, source.area(), false);
    let host = Host(counters);
    let on_device = is_device(counters.addr());
    if on_device {
        let bytes = size_of::<hi_vpc_histogram_config>();
        ranges.push((counters.addr(), bytes));
        touches.push(check::Touch::write(counters.addr(), bytes));
    }
    let job = move |memory: &mut Memory<'_>| {
        let [first, second, third] = load(&grid, memory.read(0), source.area())?.counted();
        let counts = hi_vpc_histogram_config {
            histogram_y_or_r: first,
            histogram_u_or_g: second,
            histogram_v_or_b: third,
        };
        if on_device {
            let mut numbers = Vec::new();
            for number in [first, second, third].as_flattened() {
                numbers.extend_from_slice(&number.to_ne_bytes());
            }
            memory
                .write(1)
                .iter_mut()
                .zip(numbers)
                .for_each(|(to, from)| *to = from);
        } else {
            host.write(counts);
        }
        Ok(())
    };
    Ok(Prepared {
        ranges,
        touches,
        job: Ok(Arc::new(job)),
    })
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_equalize_hist(
    chn: hi_vpc_chn,
    source_pic: *const hi_vpc_pic_info,
    dest_pic: *mut hi_vpc_pic_info,
    lut_remap: *const hi_vpc_lut_remap,
    task_id: *mut u32,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_vpc_equalize_hist";
    status((|| {
        // SAFETY: the same contract.
        let (_, source, dest) = unsafe { both(call, chn, source_pic, dest_pic, task_id) }?;
        VPC.not_null(call, "lut_remap", lut_remap)?;
        if !is_mapped(source.format) {
            return Err(illegal(
                call,
                format_args!("the input has the format {}", source.format),
            ));
        }
        if is_device(lut_remap.addr()) {
            return Err(illegal(
                call,
                format_args!("the map is read by the call; it has to be in host memory"),
            ));
        }
        // SAFETY: not null; the caller's contract: valid for a read.
        let map = unsafe { lut_remap.read() };
        let map = [
            map.map_value_y_or_r,
            map.map_value_u_or_g,
            map.map_value_v_or_b,
        ];
        let size = (source.width, source.height);
        let work = move |image: Image| vec![image.mapped(&map)];
        let prepared = map_pictures(source, vec![dest], &[size], Box::new(work))
            .unwrap_or_else(Prepared::refused);
        // SAFETY: not null; the caller's contract.
        unsafe { send(call, chn, prepared, task_id, milli_sec) }
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_rotate(
    chn: hi_vpc_chn,
    rotate_param: *const hi_rotate_param,
    task_id: *mut u32,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_vpc_rotate";
    status((|| {
        matrix_of(call, chn)?;
        VPC.not_null(call, "rotate_param", rotate_param)?;
        VPC.not_null(call, "task_id", task_id)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let parameters = unsafe { rotate_param.read() };
        let angle = parameters.angle.0;
        if angle > 2 {
            return Err(illegal(
                call,
                format_args!("angle is {angle}; there are 0, 1 and 2"),
            ));
        }
        let (source, dest) = (picture(&parameters.src), picture(&parameters.dst));
        let size = if angle == 1 {
            (source.width, source.height)
        } else {
            (source.height, source.width)
        };
        let work = move |image: Image| {
            let colours = image.colours;
            let turned = match angle {
                0 => image.moved(true, &|x, y, _, height| (y, height - 1 - x)),
                1 => image.moved(false, &|x, y, width, height| {
                    (width - 1 - x, height - 1 - y)
                }),
                _ => image.moved(true, &|x, y, width, _| (width - 1 - y, x)),
            };
            vec![same_colours(turned, colours)]
        };
        let prepared = map_pictures(source, vec![dest], &[size], Box::new(work))
            .unwrap_or_else(Prepared::refused);
        // SAFETY: not null; the caller's contract.
        unsafe { send(call, chn, prepared, task_id, milli_sec) }
    })())
}

/// Returns an image in the colours that it had before it was turned.
fn same_colours(image: Image, colours: Colours) -> Image {
    match matrix() {
        Some(matrix) if image.colours != colours => image.converted(colours, &matrix, 0),
        _ => image,
    }
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_flip(
    chn: hi_vpc_chn,
    flip_param: *mut hi_flip_param,
    task_id: *mut u32,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_vpc_flip";
    status((|| {
        matrix_of(call, chn)?;
        VPC.not_null(call, "flip_param", flip_param)?;
        VPC.not_null(call, "task_id", task_id)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let parameters = unsafe { flip_param.read() };
        let mode = parameters.flip_mode.0;
        if mode > 2 {
            return Err(illegal(
                call,
                format_args!("flip_mode is {mode}; there are 0, 1 and 2"),
            ));
        }
        let (source, dest) = (picture(&parameters.src), picture(&parameters.dst));
        let size = (source.width, source.height);
        let work = move |image: Image| {
            vec![image.moved(false, &|x, y, width, height| {
                let x = if mode == 1 { x } else { width - 1 - x };
                let y = if mode == 0 { y } else { height - 1 - y };
                (x, y)
            })]
        };
        let prepared = map_pictures(source, vec![dest], &[size], Box::new(work))
            .unwrap_or_else(Prepared::refused);
        // SAFETY: not null; the caller's contract.
        unsafe { send(call, chn, prepared, task_id, milli_sec) }
    })())
}
