//! The preparation of pictures in front of a model (AIPP), from a configuration as `atc --insert_op_conf` reads it.
//!
//! The order is that of the manual: crop, exchange of channels, conversion of colours, mean and scale, padding. A
//! conversion of colours drops the fraction; what a card rounds there is not documented.

use std::collections::BTreeMap;

use ascendcl_emulator::model::{Dim, Port};
use ascendcl_sys::{
    ACL_FLOAT, ACL_FORMAT_NCHW, ACL_RGB888_U8, ACL_UINT8, ACL_XRGB8888_U8, ACL_YUV400_U8,
    ACL_YUV420SP_U8, aclAippInfo,
};

/// The keys of a configuration, with the values that `atc` takes for missing ones.
const KEYS: &[(&str, f64)] = &[
    ("ax_swap_switch", 0.0),
    ("crop", 0.0),
    ("crop_size_h", 0.0),
    ("crop_size_w", 0.0),
    ("csc_switch", 0.0),
    ("input_bias_0", 16.0),
    ("input_bias_1", 128.0),
    ("input_bias_2", 128.0),
    ("left_padding_size", 0.0),
    ("right_padding_size", 0.0),
    ("top_padding_size", 0.0),
    ("bottom_padding_size", 0.0),
    ("load_start_pos_h", 0.0),
    ("load_start_pos_w", 0.0),
    ("matrix_r0c0", 298.0),
    ("matrix_r0c1", 516.0),
    ("matrix_r0c2", 0.0),
    ("matrix_r1c0", 298.0),
    ("matrix_r1c1", -100.0),
    ("matrix_r1c2", -208.0),
    ("matrix_r2c0", 298.0),
    ("matrix_r2c1", 0.0),
    ("matrix_r2c2", 409.0),
    ("mean_chn_0", 0.0),
    ("mean_chn_1", 0.0),
    ("mean_chn_2", 0.0),
    ("mean_chn_3", 0.0),
    ("min_chn_0", 0.0),
    ("min_chn_1", 0.0),
    ("min_chn_2", 0.0),
    ("min_chn_3", 0.0),
    ("output_bias_0", 16.0),
    ("output_bias_1", 128.0),
    ("output_bias_2", 128.0),
    ("padding", 0.0),
    ("padding_value", 0.0),
    ("rbuv_swap_switch", 0.0),
    ("related_input_rank", 0.0),
    ("resize", 0.0),
    ("src_image_size_h", 0.0),
    ("src_image_size_w", 0.0),
    ("var_reci_chn_0", 1.0),
    ("var_reci_chn_1", 1.0),
    ("var_reci_chn_2", 1.0),
    ("var_reci_chn_3", 1.0),
];

/// The forms of a picture in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Yuv420,
    Rgb,
    Xrgb,
    Grey,
}

/// The preparation of one input.
#[derive(Debug)]
pub(crate) struct Pictures {
    /// The number of the input.
    pub(crate) input: usize,
    format: Format,
    numbers: BTreeMap<&'static str, f64>,
    width: usize,
    height: usize,
    /// The number of pictures, if the file has it.
    batch: Option<usize>,
    /// The channels, rows and columns of the input of the network.
    target: [usize; 3],
    /// The conversion of colours, if it is on: a row for each channel, and what is taken before or added behind it.
    colours: Option<([[i32; 3]; 3], [i32; 3])>,
    /// What is taken from each channel, and its scale.
    scales: [(f64, f64); 4],
}

/// Reads a configuration, and changes the inputs that it names to pictures.
pub(crate) fn read(text: &str, inputs: &mut [Port]) -> Result<Vec<Pictures>, String> {
    let mut all = Vec::new();
    for block in blocks(text)? {
        all.push(pictures(&block, inputs)?);
    }
    Ok(all)
}

type Block = BTreeMap<String, String>;

/// Returns the keys and values of each `aipp_op { .. }`.
fn blocks(text: &str) -> Result<Vec<Block>, String> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let spaced: String = lines.collect::<Vec<_>>().join(" ");
    let spaced = spaced
        .replace('{', " { ")
        .replace('}', " } ")
        .replace(':', " ");
    let mut words = spaced.split_whitespace();
    let mut all = Vec::new();
    while let Some(word) = words.next() {
        if (word, words.next()) != ("aipp_op", Some("{")) {
            return Err(format!(
                "the configuration of AIPP has `{word}` where `aipp_op {{` begins"
            ));
        }
        let mut block = Block::new();
        loop {
            let key = words
                .next()
                .ok_or("the configuration of AIPP ends inside of `aipp_op`")?;
            if key == "}" {
                break;
            }
            let value = words.next().filter(|value| *value != "}");
            let value = value.ok_or_else(|| format!("`{key}` of AIPP has no value"))?;
            block.insert(key.to_owned(), value.trim_matches('"').to_owned());
        }
        all.push(block);
    }
    Ok(all)
}

fn pictures(block: &Block, inputs: &mut [Port]) -> Result<Pictures, String> {
    let mut numbers: BTreeMap<_, _> = KEYS.iter().copied().collect();
    for (key, value) in block {
        if matches!(key.as_str(), "aipp_mode" | "input_format") {
            continue;
        }
        let known = KEYS.iter().find(|(name, _)| name == key);
        let (name, _) = known
            .ok_or_else(|| format!("the emulator does not know `{key}` of AIPP; leave it away"))?;
        let number = match value.as_str() {
            "true" => Some(1.0),
            "false" => Some(0.0),
            number => number.parse().ok(),
        };
        let number =
            number.ok_or_else(|| format!("`{key}` of AIPP is `{value}`, which is no number"))?;
        numbers.insert(name, number);
    }
    let mode = block.get("aipp_mode").map_or("", String::as_str);
    if mode != "static" {
        return Err(format!(
            "`aipp_mode` of AIPP is `{mode}`; the emulator has `static`, with the parameters in the file"
        ));
    }
    let format = match block.get("input_format").map_or("", String::as_str) {
        "YUV420SP_U8" => Format::Yuv420,
        "RGB888_U8" => Format::Rgb,
        "XRGB8888_U8" => Format::Xrgb,
        "YUV400_U8" => Format::Grey,
        other => {
            return Err(format!(
                "`input_format` of AIPP is `{other}`; the emulator has YUV420SP_U8, RGB888_U8, XRGB8888_U8 and YUV400_U8"
            ));
        }
    };
    // CAST: sizes of a picture; a negative one becomes 0.
    let size = |key: &str| numbers.get(key).map_or(0, |number| *number as usize);
    if size("resize") != 0 {
        return Err(
            "`resize` of AIPP is switched on, which no card does; scale the pictures before"
                .to_owned(),
        );
    }
    let input = size("related_input_rank");
    let port = inputs.get_mut(input);
    let port = port.ok_or_else(|| {
        format!("`related_input_rank` of AIPP is {input}, and the model has no such input")
    })?;
    let name = &port.name;
    let Some([batch, Dim::Fixed(c), Dim::Fixed(h), Dim::Fixed(w)]) = port.shape.as_deref() else {
        return Err(format!(
            "AIPP needs four dimensions of `{name}`, NCHW, with known sizes; give them by `input_shape`"
        ));
    };
    if port.data_type != ACL_FLOAT {
        return Err(format!(
            "AIPP makes pictures of float, and `{name}` is of another type"
        ));
    }
    let target = [*c, *h, *w];
    let padding = size("padding") != 0;
    let pads = |a: &str, b: &str| if padding { size(a) + size(b) } else { 0 };
    let inner = [
        h.checked_sub(pads("top_padding_size", "bottom_padding_size")),
        w.checked_sub(pads("left_padding_size", "right_padding_size")),
    ];
    let [Some(inner_h), Some(inner_w)] = inner else {
        return Err(format!("the padding of AIPP is larger than `{name}`"));
    };
    let or = |given: usize, otherwise: usize| if given == 0 { otherwise } else { given };
    let crops = size("crop") != 0;
    let (width, height) = (
        or(size("src_image_size_w"), inner_w),
        or(size("src_image_size_h"), inner_h),
    );
    let part = if crops {
        (
            or(size("crop_size_w"), inner_w),
            or(size("crop_size_h"), inner_h),
        )
    } else {
        (width, height)
    };
    let fits = part.0 + size("load_start_pos_w") * usize::from(crops) <= width
        && part.1 + size("load_start_pos_h") * usize::from(crops) <= height;
    if part != (inner_w, inner_h) || !fits {
        return Err(format!(
            "AIPP makes {} x {} of pictures of {width} x {height}, and `{name}` wants {inner_w} x {inner_h}",
            part.0, part.1
        ));
    }
    if format == Format::Yuv420 && !(width.is_multiple_of(2) && height.is_multiple_of(2)) {
        return Err(format!(
            "pictures of {width} x {height} in YUV420SP_U8 need even sizes"
        ));
    }
    let channels = match format {
        Format::Grey => 1,
        Format::Xrgb => 4,
        _ => 3,
    };
    if *c > channels {
        return Err(format!(
            "AIPP makes {channels} channels, and `{name}` has {c}"
        ));
    }
    // So that the product is the number of bytes.
    let (rows, depth) = match format {
        Format::Yuv420 => (height / 2 * 3, 1),
        _ => (height, channels),
    };
    let count = match batch {
        Dim::Fixed(count) => Some(*count),
        Dim::Named(_) => None,
    };
    port.shape = Some(vec![
        batch.clone(),
        Dim::Fixed(rows),
        Dim::Fixed(width),
        Dim::Fixed(depth),
    ]);
    port.data_type = ACL_UINT8;
    let of = |key: String| numbers.get(key.as_str()).copied().unwrap_or(0.0);
    let converts = size("csc_switch") != 0 && matches!(format, Format::Yuv420 | Format::Rgb);
    let side = if format == Format::Yuv420 {
        "input"
    } else {
        "output"
    };
    let colours = converts.then(|| {
        // CAST: whole numbers of a few bits.
        let row = |row: usize| [0, 1, 2].map(|column| of(format!("matrix_r{row}c{column}")) as i32);
        (
            [0, 1, 2].map(row),
            [0, 1, 2].map(|place| of(format!("{side}_bias_{place}")) as i32),
        )
    });
    let scales = [0, 1, 2, 3].map(|channel| {
        let taken = of(format!("mean_chn_{channel}")) + of(format!("min_chn_{channel}"));
        (taken, of(format!("var_reci_chn_{channel}")))
    });
    Ok(Pictures {
        input,
        format,
        width,
        height,
        batch: count,
        target,
        colours,
        scales,
        numbers,
    })
}

impl Pictures {
    fn number(&self, key: &str) -> f64 {
        self.numbers.get(key).copied().unwrap_or(0.0)
    }

    fn whole(&self, key: &str) -> usize {
        // CAST: a size of a picture.
        self.number(key) as usize
    }

    fn is_on(&self, key: &str) -> bool {
        self.number(key) != 0.0
    }

    /// Describes the preparation as `aclmdlGetFirstAippInfo` does.
    pub(crate) fn describe(&self, info: &mut aclAippInfo) {
        // CAST: sizes and colours, which are small.
        let of = |key: &str| self.number(key) as i32;
        let is_on = |key: &str| i8::from(self.is_on(key));
        info.inputFormat = match self.format {
            Format::Yuv420 => ACL_YUV420SP_U8,
            Format::Rgb => ACL_RGB888_U8,
            Format::Xrgb => ACL_XRGB8888_U8,
            Format::Grey => ACL_YUV400_U8,
        };
        // CAST: as above.
        (info.srcImageSizeW, info.srcImageSizeH) = (self.width as i32, self.height as i32);
        info.cropSwitch = is_on("crop");
        info.loadStartPosW = of("load_start_pos_w");
        info.loadStartPosH = of("load_start_pos_h");
        info.cropSizeW = of("crop_size_w");
        info.cropSizeH = of("crop_size_h");
        info.paddingSwitch = is_on("padding");
        info.leftPaddingSize = of("left_padding_size");
        info.rightPaddingSize = of("right_padding_size");
        info.topPaddingSize = of("top_padding_size");
        info.bottomPaddingSize = of("bottom_padding_size");
        info.cscSwitch = is_on("csc_switch");
        info.rbuvSwapSwitch = is_on("rbuv_swap_switch");
        info.axSwapSwitch = is_on("ax_swap_switch");
        info.matrixR0C0 = of("matrix_r0c0");
        info.matrixR0C1 = of("matrix_r0c1");
        info.matrixR0C2 = of("matrix_r0c2");
        info.matrixR1C0 = of("matrix_r1c0");
        info.matrixR1C1 = of("matrix_r1c1");
        info.matrixR1C2 = of("matrix_r1c2");
        info.matrixR2C0 = of("matrix_r2c0");
        info.matrixR2C1 = of("matrix_r2c1");
        info.matrixR2C2 = of("matrix_r2c2");
        info.outputBias0 = of("output_bias_0");
        info.outputBias1 = of("output_bias_1");
        info.outputBias2 = of("output_bias_2");
        info.inputBias0 = of("input_bias_0");
        info.inputBias1 = of("input_bias_1");
        info.inputBias2 = of("input_bias_2");
        info.meanChn0 = of("mean_chn_0");
        info.meanChn1 = of("mean_chn_1");
        info.meanChn2 = of("mean_chn_2");
        info.meanChn3 = of("mean_chn_3");
        // CAST: single precision is the type of the structure.
        let float = |key: &str| self.number(key) as f32;
        info.minChn0 = float("min_chn_0");
        info.minChn1 = float("min_chn_1");
        info.minChn2 = float("min_chn_2");
        info.minChn3 = float("min_chn_3");
        info.varReciChn0 = float("var_reci_chn_0");
        info.varReciChn1 = float("var_reci_chn_1");
        info.varReciChn2 = float("var_reci_chn_2");
        info.varReciChn3 = float("var_reci_chn_3");
        (info.srcFormat, info.srcDatatype, info.srcDimNum) = (ACL_FORMAT_NCHW, ACL_FLOAT, 4);
        info.shapeCount = 1;
        let [c, h, w] = self.target;
        if let Some(shape) = info.outDims.first_mut() {
            for dims in [&mut shape.srcDims, &mut shape.aippOutdims] {
                let sizes = [self.batch, Some(c), Some(h), Some(w)];
                dims.dimCount = sizes.len();
                for (to, size) in dims.dims.iter_mut().zip(sizes) {
                    // CAST: a dimension of memory is no larger than `i64`; -1 is one that a run decides.
                    *to = size.map_or(-1, |size| size as i64);
                }
            }
            let bytes = self.batch.unwrap_or(0) * c * h * w * size_of::<f32>();
            (shape.srcSize, shape.aippOutSize) = (bytes, bytes);
        }
    }

    /// Returns the shape and the bytes of the network's input.
    pub(crate) fn prepare(&self, bytes: &[u8]) -> (Vec<usize>, Vec<u8>) {
        let size = match self.format {
            Format::Yuv420 => self.width * self.height / 2 * 3,
            Format::Rgb => 3 * self.width * self.height,
            Format::Xrgb => 4 * self.width * self.height,
            Format::Grey => self.width * self.height,
        };
        let pictures = bytes.chunks_exact(size.max(1));
        let count = pictures.len();
        let data = pictures.flat_map(|picture| self.one(picture));
        let [c, h, w] = self.target;
        (
            vec![count, c, h, w],
            data.flat_map(f32::to_le_bytes).collect(),
        )
    }

    /// Prepares one picture.
    fn one(&self, picture: &[u8]) -> Vec<f32> {
        let [channels, height, width] = self.target;
        let on = |switch: &str, key: &str| {
            if self.is_on(switch) {
                self.whole(key)
            } else {
                0
            }
        };
        let (top, left) = (
            on("padding", "top_padding_size"),
            on("padding", "left_padding_size"),
        );
        let (bottom, right) = (
            on("padding", "bottom_padding_size"),
            on("padding", "right_padding_size"),
        );
        let (first_row, first_column) = (
            on("crop", "load_start_pos_h"),
            on("crop", "load_start_pos_w"),
        );
        let mut planes = vec![self.number("padding_value") as f32; channels * height * width];
        let swaps = (self.is_on("rbuv_swap_switch"), self.is_on("ax_swap_switch"));
        for row in top..height - bottom {
            for column in left..width - right {
                let pixel = self.pixel(
                    picture,
                    row - top + first_row,
                    column - left + first_column,
                    swaps,
                );
                let scaled = pixel.into_iter().zip(self.scales).take(channels);
                for (channel, (value, (taken, by))) in scaled.enumerate() {
                    let at = (channel * height + row) * width + column;
                    if let Some(to) = planes.get_mut(at) {
                        // CAST: single precision is the type of the network.
                        *to = ((f64::from(value) - taken) * by) as f32;
                    }
                }
            }
        }
        planes
    }

    /// Returns the channels of a pixel.
    fn pixel(&self, picture: &[u8], row: usize, column: usize, (rb, ax): (bool, bool)) -> [i32; 4] {
        let at = |place: usize| picture.get(place).copied().map_or(0, i32::from);
        let place = row * self.width + column;
        let [mut a, mut b, mut c, d] = match self.format {
            Format::Grey => [at(place), 0, 0, 0],
            Format::Rgb => [at(3 * place), at(3 * place + 1), at(3 * place + 2), 0],
            Format::Xrgb => [
                at(4 * place),
                at(4 * place + 1),
                at(4 * place + 2),
                at(4 * place + 3),
            ],
            Format::Yuv420 => {
                let chroma = (self.height + row / 2) * self.width + column / 2 * 2;
                [at(place), at(chroma), at(chroma + 1), 0]
            }
        };
        if rb {
            match self.format {
                Format::Yuv420 => (b, c) = (c, b),
                Format::Rgb => (a, c) = (c, a),
                _ => {}
            }
        }
        if self.format == Format::Xrgb && ax {
            return [b, c, d, a];
        }
        let Some((matrix, bias)) = &self.colours else {
            return [a, b, c, d];
        };
        let is_yuv = self.format == Format::Yuv420;
        let mut result = [0; 4];
        for ((to, row), moved) in result.iter_mut().zip(matrix).zip(bias) {
            let parts = row.iter().zip([a, b, c]).zip(bias);
            let sum: i32 = parts
                .map(|((by, one), bias)| by * if is_yuv { one - bias } else { one })
                .sum();
            *to = ((sum >> 8) + if is_yuv { 0 } else { *moved }).clamp(0, 255);
        }
        result
    }
}
