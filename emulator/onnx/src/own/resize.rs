//! Operators that take elements between those of an image.

use super::call::{Call, One, places, strides, walk};
use super::conv::image;
use crate::tensor::{Tensor, bounded, count};

/// How the elements of one dimension are made.
struct Line {
    out: usize,
    scale: f64,
    /// Where the region of the operand begins and ends, in parts of its length.
    region: (f64, f64),
}

pub(crate) fn resize(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let rank = x.shape.len();
    // Version 10 has the scales as its second operand; since 11 that is the region.
    let (scales_at, sizes_at) = if call.version < 11 {
        (1, usize::MAX)
    } else {
        (2, 3)
    };
    let axes = match call.ints("axes") {
        Some(axes) => places(&axes, rank)?,
        None => (0..rank).collect(),
    };
    let given = |index: usize| call.maybe(index).filter(|one| one.len() > 0);
    let mut lines: Vec<_> = x
        .shape
        .iter()
        .map(|dim| Line {
            out: *dim,
            scale: 1.0,
            region: (0.0, 1.0),
        })
        .collect();
    if let Some(scales) = given(scales_at) {
        for (axis, scale) in axes.iter().zip(scales.floats()) {
            let dim = x.shape[*axis] as f64;
            (lines[*axis].scale, lines[*axis].out) = (scale, (dim * scale).floor() as usize);
        }
    } else if let Some(scales) = call.floats("scales") {
        for (axis, scale) in axes.iter().zip(scales) {
            let dim = x.shape[*axis] as f64;
            (lines[*axis].scale, lines[*axis].out) = (scale, (dim * scale).floor() as usize);
        }
    } else if let Some(sizes) = given(sizes_at) {
        let mut ratios: Vec<f64> = Vec::new();
        for (axis, size) in axes.iter().zip(sizes.floats()) {
            ratios.push(size / x.shape[*axis] as f64);
        }
        let policy = call.text("keep_aspect_ratio_policy", "stretch");
        let same = match policy {
            "stretch" => None,
            "not_larger" => Some(ratios.iter().copied().fold(f64::INFINITY, f64::min)),
            "not_smaller" => Some(ratios.iter().copied().fold(0.0, f64::max)),
            other => return call.refuse("keep_aspect_ratio_policy", other),
        };
        for ((axis, size), ratio) in axes.iter().zip(sizes.ints()).zip(ratios) {
            let line = &mut lines[*axis];
            (line.scale, line.out) = match same {
                Some(same) => (same, (same * x.shape[*axis] as f64).round() as usize),
                None => (ratio, size as usize),
            };
        }
    } else {
        return Err("it has neither scales nor sizes".to_owned());
    }
    let how = call.text(
        "coordinate_transformation_mode",
        if call.version < 11 {
            "asymmetric"
        } else {
            "half_pixel"
        },
    );
    if how == "tf_crop_and_resize" {
        let region = call.tensor(1)?.floats();
        for (at, axis) in axes.iter().enumerate() {
            lines[*axis].region = (region[at], region[at + axes.len()]);
        }
    }
    count(&lines.iter().map(|line| line.out).collect::<Vec<_>>())?;
    let mut result = x.clone();
    let mut outside: Vec<Vec<bool>> = Vec::new();
    for (axis, line) in lines.iter().enumerate() {
        let len = result.shape[axis];
        let is_same = line.out == len && line.scale == 1.0 && how != "tf_crop_and_resize";
        if is_same {
            outside.push(vec![false; line.out]);
            continue;
        }
        let (taps, beyond) = taps(call, how, line, len)?;
        outside.push(beyond);
        result = weighted(&result, axis, &taps);
    }
    let fill = call.float("extrapolation_value", 0.0);
    let mut data = result.floats();
    if outside.iter().flatten().any(|one| *one) {
        let mut at = 0;
        walk(&result.shape, |index| {
            if index
                .iter()
                .zip(&outside)
                .any(|(place, beyond)| beyond[*place])
            {
                data[at] = fill;
            }
            at += 1;
        });
    }
    if !x.kind.is_float() {
        for one in &mut data {
            *one = one.round_ties_even();
        }
    }
    Ok(Tensor::number(x.kind, &result.shape, data))
}

type Taps = Vec<Vec<(usize, f64)>>;

/// Returns the elements with their weights for each place of a dimension, and which places are outside of the operand.
fn taps(call: &Call<'_>, how: &str, line: &Line, len: usize) -> Result<(Taps, Vec<bool>), String> {
    let (size, out) = (len as f64, line.out as f64);
    let mode = call.text("mode", "nearest");
    let nearest = call.text(
        "nearest_mode",
        if call.version < 11 {
            "floor"
        } else {
            "round_prefer_floor"
        },
    );
    let cubic = call.float("cubic_coeff_a", -0.75);
    let excludes = call.int("exclude_outside", 0) != 0;
    let smooths = call.int("antialias", 0) != 0 && line.scale < 1.0;
    let (mut all, mut beyond) = (Vec::new(), Vec::new());
    for place in 0..line.out {
        let at = place as f64;
        let from = match how {
            "half_pixel" => (at + 0.5) / line.scale - 0.5,
            "half_pixel_symmetric" => {
                let adjustment = out / (size * line.scale);
                let centre = size / 2.0;
                centre * (1.0 - adjustment) + (at + 0.5) / line.scale - 0.5
            }
            "pytorch_half_pixel" if line.out == 1 => 0.0,
            "pytorch_half_pixel" => (at + 0.5) / line.scale - 0.5,
            // The length of the result is no whole number if that of the scales is none.
            "align_corners" if line.scale * size == 1.0 => 0.0,
            "align_corners" => at * (size - 1.0) / (line.scale * size - 1.0),
            "asymmetric" => at / line.scale,
            "tf_half_pixel_for_nn" => (at + 0.5) / line.scale,
            "tf_crop_and_resize" => {
                let (start, end) = line.region;
                match line.out {
                    1 => 0.5 * (start + end) * (size - 1.0),
                    _ => start * (size - 1.0) + at * (end - start) * (size - 1.0) / (out - 1.0),
                }
            }
            other => return call.refuse("coordinate_transformation_mode", other),
        };
        beyond.push(how == "tf_crop_and_resize" && (from < 0.0 || from > size - 1.0));
        let inside = |at: i64| at.clamp(0, len as i64 - 1) as usize;
        let scale = if smooths { line.scale } else { 1.0 };
        all.push(match mode {
            "nearest" => {
                // A computed place that is a whole number but for its last bits.
                let near = (from * 1e9).round() / 1e9;
                let at = match nearest {
                    "round_prefer_floor" => (near - 0.5).ceil(),
                    "round_prefer_ceil" => (near + 0.5).floor(),
                    "floor" => near.floor(),
                    "ceil" => near.ceil(),
                    other => return call.refuse("nearest_mode", other),
                };
                vec![(inside(at as i64), 1.0)]
            }
            "linear" | "cubic" => {
                let reach = if mode == "linear" { 1.0 } else { 2.0 } / scale;
                let weight = |distance: f64| {
                    let distance = distance.abs() * scale;
                    match mode {
                        "linear" => (1.0 - distance).max(0.0),
                        _ if distance <= 1.0 => {
                            ((cubic + 2.0) * distance - (cubic + 3.0)) * distance * distance + 1.0
                        }
                        _ if distance < 2.0 => {
                            ((cubic * distance - 5.0 * cubic) * distance + 8.0 * cubic) * distance
                                - 4.0 * cubic
                        }
                        _ => 0.0,
                    }
                };
                let (first, last) = ((from - reach).floor() as i64, (from + reach).ceil() as i64);
                let near = (first..=last).map(|place| (place, weight(from - place as f64)));
                let kept = near.filter(|(place, weight)| {
                    *weight != 0.0 && (!excludes || (0..len as i64).contains(place))
                });
                let kept: Vec<_> = kept
                    .map(|(place, weight)| (inside(place), weight))
                    .collect();
                let sum: f64 = kept.iter().map(|(_, weight)| weight).sum();
                kept.into_iter()
                    .map(|(place, weight)| (place, weight / sum))
                    .collect()
            }
            other => return call.refuse("mode", other),
        });
    }
    Ok((all, beyond))
}

/// Makes each place along an axis as a sum of weighted elements.
fn weighted(x: &Tensor, axis: usize, taps: &Taps) -> Tensor {
    let (outer, len, inner) = super::call::around(&x.shape, axis);
    let data = x.floats();
    let mut result = Vec::new();
    for row in 0..outer {
        for one in taps {
            for column in 0..inner {
                let parts = one
                    .iter()
                    .map(|(at, by)| data[(row * len + at) * inner + column] * by);
                result.push(parts.sum());
            }
        }
    }
    let mut shape = x.shape.clone();
    shape[axis] = taps.len();
    Tensor {
        kind: x.kind,
        shape,
        data: crate::tensor::Data::Float(result),
    }
}

pub(crate) fn upsample(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let scales = match call.maybe(1) {
        Some(scales) => scales.floats(),
        None => call.floats("scales").ok_or("it has no scales")?,
    };
    let mut result = x.clone();
    for (axis, scale) in scales.iter().enumerate() {
        let len = result.shape[axis];
        let out = (len as f64 * scale).floor() as usize;
        count(&[out, result.len().checked_div(len).unwrap_or(0)])?;
        let line = Line {
            out,
            scale: *scale,
            region: (0.0, 1.0),
        };
        if *scale == 1.0 {
            continue;
        }
        let mut taps_of = taps(call, "asymmetric", &line, len)?.0;
        if call.text("mode", "nearest") == "nearest" {
            taps_of = (0..out)
                .map(|at| vec![((at as f64 / scale).floor() as usize, 1.0)])
                .collect();
        }
        result = weighted(&result, axis, &taps_of);
    }
    Ok(Tensor::number(x.kind, &result.shape, result.floats()))
}

/// The places that an affine map gives to the elements of an image.
pub(crate) fn affine(call: &Call<'_>) -> One {
    let theta = call.tensor(0)?;
    let size: Vec<usize> = call
        .tensor(1)?
        .ints()
        .into_iter()
        .map(|one| one as usize)
        .collect();
    let (n, _, sizes) = image(&size)?;
    count(&size)?;
    let (rank, aligned) = (sizes.len(), call.int("align_corners", 0) != 0);
    let data = theta.floats();
    let place = |at: usize, len: usize| match (aligned, len) {
        (true, 1) => 0.0,
        (true, _) => 2.0 * at as f64 / (len as f64 - 1.0) - 1.0,
        (false, _) => (2.0 * at as f64 + 1.0) / len as f64 - 1.0,
    };
    let mut result = Vec::new();
    for image in 0..n {
        walk(sizes, |index| {
            // The last dimension is x.
            let mut point: Vec<f64> = index
                .iter()
                .zip(sizes)
                .map(|(at, len)| place(*at, *len))
                .rev()
                .collect();
            point.push(1.0);
            for row in 0..rank {
                let start = (image * rank + row) * (rank + 1);
                let parts = point.iter().zip(&data[start..start + rank + 1]);
                result.push(parts.map(|(a, b)| a * b).sum());
            }
        });
    }
    let shape = [&[n], sizes, &[rank]].concat();
    Ok(Tensor::number(theta.kind, &shape, result))
}

/// The elements of an image at the places of a grid.
pub(crate) fn sample(call: &Call<'_>) -> One {
    let (x, grid) = (call.tensor(0)?, call.tensor(1)?);
    let (n, channels, sizes) = image(&x.shape)?;
    let rank = sizes.len();
    let Some((last, [_, outputs @ ..])) = grid.shape.split_last() else {
        return Err(format!("its grid has the shape {:?}", grid.shape));
    };
    if *last != rank {
        return Err(format!("its grid has the shape {:?}", grid.shape));
    }
    let mode = match call.text("mode", "linear") {
        "bilinear" => "linear",
        "bicubic" => "cubic",
        other => other,
    };
    if !matches!(mode, "linear" | "cubic" | "nearest") {
        return call.refuse("mode", mode);
    }
    let padding = call.text("padding_mode", "zeros");
    let aligned = call.int("align_corners", 0) != 0;
    let steps = strides(sizes);
    let (data, points) = (x.floats(), grid.floats());
    let (size, count): (usize, usize) = (sizes.iter().product(), outputs.iter().product());
    // Returns the element that stands for a place outside.
    let inside = |at: i64, len: usize| -> Option<usize> {
        let last = len as i64 - 1;
        if (0..=last).contains(&at) {
            return Some(at as usize);
        }
        match padding {
            "border" => Some(at.clamp(0, last) as usize),
            "reflection" => {
                let (low, high) = if aligned {
                    (0.0, last as f64)
                } else {
                    (-0.5, last as f64 + 0.5)
                };
                Some((reflected(at as f64, low, high).round() as i64).clamp(0, last) as usize)
            }
            _ => None,
        }
    };
    let mut places: Vec<Vec<(usize, f64)>> = Vec::new();
    for point in points.chunks(rank) {
        let mut all = vec![(0, 1.0)];
        for (dim, len) in sizes.iter().enumerate() {
            let len_f = *len as f64;
            let own = point[rank - 1 - dim];
            let mut at = if aligned {
                (own + 1.0) / 2.0 * (len_f - 1.0)
            } else {
                ((own + 1.0) * len_f - 1.0) / 2.0
            };
            match padding {
                "border" if mode != "cubic" => at = at.clamp(0.0, len_f - 1.0),
                "reflection" if mode != "cubic" => {
                    let (low, high) = if aligned {
                        (0.0, len_f - 1.0)
                    } else {
                        (-0.5, len_f - 0.5)
                    };
                    at = reflected(at, low, high).clamp(0.0, len_f - 1.0);
                }
                _ => {}
            }
            let floor = at.floor();
            let taps: Vec<(i64, f64)> = match mode {
                "nearest" => vec![(at.round_ties_even() as i64, 1.0)],
                "linear" => vec![
                    (floor as i64, 1.0 - (at - floor)),
                    (floor as i64 + 1, at - floor),
                ],
                _ => (-1..=2)
                    .map(|by| (floor as i64 + by, cubic(at - floor - by as f64)))
                    .collect(),
            };
            let mut next = Vec::new();
            for (start, weight) in &all {
                for (tap, by) in &taps {
                    if let (Some(tap), true) = (inside(*tap, *len), *by != 0.0) {
                        next.push((start + tap * steps[dim], weight * by));
                    }
                }
            }
            all = next;
        }
        places.push(all);
    }
    let mut result = Vec::new();
    for image in 0..n {
        for channel in 0..channels {
            let start = (image * channels + channel) * size;
            for place in &places[image * count..(image + 1) * count] {
                result.push(place.iter().map(|(at, by)| data[start + at] * by).sum());
            }
        }
    }
    let shape = [&[n, channels], outputs].concat();
    Ok(Tensor::number(x.kind, &shape, result))
}

/// Reflects a place at both ends until it is between them.
fn reflected(at: f64, low: f64, high: f64) -> f64 {
    let len = high - low;
    if len <= 0.0 {
        return 0.0;
    }
    let rest = (at - low).rem_euclid(2.0 * len);
    low + if rest > len { 2.0 * len - rest } else { rest }
}

fn cubic(distance: f64) -> f64 {
    let (a, distance) = (-0.75, distance.abs());
    if distance <= 1.0 {
        ((a + 2.0) * distance - (a + 3.0)) * distance * distance + 1.0
    } else if distance < 2.0 {
        ((a * distance - 5.0 * a) * distance + 8.0 * a) * distance - 4.0 * a
    } else {
        0.0
    }
}

/// The means or the largest elements of regions of an image.
pub(crate) fn regions(call: &Call<'_>) -> One {
    let (x, rois, images) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    let [_, channels, height, width] = x.shape[..] else {
        return Err(format!("its operand has the shape {:?}", x.shape));
    };
    let (rows_out, columns_out) = (
        call.int("output_height", 1) as usize,
        call.int("output_width", 1) as usize,
    );
    let (ratio, scale) = (
        call.int("sampling_ratio", 0),
        call.float("spatial_scale", 1.0),
    );
    let half = call.version >= 16
        && call.text("coordinate_transformation_mode", "half_pixel") == "half_pixel";
    let takes_most = call.text("mode", "avg") == "max";
    let (data, boxes) = (x.floats(), rois.floats());
    let shape = [boxes.len() / 4, channels, rows_out, columns_out];
    count(&shape)?;
    let mut result = Vec::new();
    for (roi, image) in boxes.chunks_exact(4).zip(images.ints()) {
        let offset = if half { 0.5 } else { 0.0 };
        let [x1, y1, x2, y2] = [roi[0], roi[1], roi[2], roi[3]].map(|one| one * scale - offset);
        let (mut w, mut h) = (x2 - x1, y2 - y1);
        if !half {
            (w, h) = (w.max(1.0), h.max(1.0));
        }
        let (bin_h, bin_w) = (h / rows_out as f64, w / columns_out as f64);
        let samples = |bin: f64| {
            if ratio > 0 {
                ratio as usize
            } else {
                bin.ceil().max(0.0) as usize
            }
        };
        let (grid_h, grid_w) = (samples(bin_h), samples(bin_w));
        bounded(&[channels, rows_out, columns_out, grid_h, grid_w])?;
        for channel in 0..channels {
            let start = (image as usize * channels + channel) * height * width;
            let at = |row: usize, column: usize| data[start + row * width + column];
            for out in 0..rows_out * columns_out {
                let (row, column) = (out / columns_out, out % columns_out);
                let (mut sum, mut most) = (0.0, f64::NEG_INFINITY);
                for step in 0..grid_h * grid_w {
                    let (by_row, by_column) = (step / grid_w, step % grid_w);
                    let y = y1 + row as f64 * bin_h + (by_row as f64 + 0.5) * bin_h / grid_h as f64;
                    let x = x1
                        + column as f64 * bin_w
                        + (by_column as f64 + 0.5) * bin_w / grid_w as f64;
                    if y < -1.0 || y > height as f64 || x < -1.0 || x > width as f64 {
                        most = most.max(0.0);
                        continue;
                    }
                    let (y, x) = (
                        y.clamp(0.0, height as f64 - 1.0),
                        x.clamp(0.0, width as f64 - 1.0),
                    );
                    let (top, left) = (y as usize, x as usize);
                    let (below, right) = ((top + 1).min(height - 1), (left + 1).min(width - 1));
                    let (dy, dx) = (y - top as f64, x - left as f64);
                    let four = [
                        at(top, left) * (1.0 - dy) * (1.0 - dx),
                        at(top, right) * (1.0 - dy) * dx,
                        at(below, left) * dy * (1.0 - dx),
                        at(below, right) * dy * dx,
                    ];
                    sum += four.iter().sum::<f64>();
                    most = four.into_iter().fold(most, f64::max);
                }
                let count = (grid_h * grid_w).max(1) as f64;
                result.push(if takes_most { most } else { sum / count });
            }
        }
    }
    Ok(Tensor::number(x.kind, &shape, result))
}
