//! Options of picture processing and of encoding: rectangles, scaling, quality, borders.
//!
//! A call copies them, so a program may destroy them after the call.

use ascendcl_sys::{
    ACL_ERROR_INVALID_PARAM, BORDER_CONSTANT, aclError, acldvppBorderConfig, acldvppBorderType,
    acldvppJpegeConfig, acldvppResizeConfig, acldvppRoiConfig,
};

use super::object::{newer, ready};
use super::operate::{Border, Interpolation};
use super::product::product;
use crate::object_calls::{Objects, invalid, refused, status};

/// The greatest number of a column, a row or the width of a border.
const GREATEST: u32 = 0xffff;

/// A rectangle. Its sides are inside of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Roi {
    pub(super) left: u32,
    pub(super) right: u32,
    pub(super) top: u32,
    pub(super) bottom: u32,
}

static ROIS: Objects<Roi> = Objects::new("acldvppRoiConfig", 0x72);
static RESIZES: Objects<u32> = Objects::new("acldvppResizeConfig", 0x74);
static QUALITIES: Objects<u32> = Objects::new("acldvppJpegeConfig", 0x75);
static BORDERS: Objects<BorderConfig> = Objects::new("acldvppBorderConfig", 0x76);

/// A border as its functions store it.
#[derive(Debug, Clone, Copy)]
struct BorderConfig {
    kind: u32,
    sides: [u32; 4],
    value: [f64; 4],
}

/// Returns a rectangle.
pub(super) fn roi(
    call: &str,
    argument: &str,
    config: *const acldvppRoiConfig,
) -> Result<Roi, aclError> {
    ROIS.get(call, argument, config)
}

/// Returns the interpolation of options of scaling.
pub(super) fn interpolation(
    call: &str,
    config: *const acldvppResizeConfig,
) -> Result<Interpolation, aclError> {
    let number = RESIZES.get(call, "resizeConfig", config)?;
    // The filters of higher order, and the bilinear one of TensorFlow, are not modelled; they are close to this one.
    Ok(match number {
        2 | 4 => Interpolation::Nearest,
        _ => Interpolation::Linear,
    })
}

/// Returns the quality of options of encoding.
pub(super) fn quality(call: &str, config: *const acldvppJpegeConfig) -> Result<u32, aclError> {
    QUALITIES.get(call, "config", config)
}

/// Returns a border.
pub(super) fn border(
    call: &str,
    argument: &str,
    config: *const acldvppBorderConfig,
) -> Result<Border, aclError> {
    let config = BORDERS.get(call, argument, config)?;
    let [top, bottom, left, right] = config.sides;
    Ok(Border {
        top: top as usize,
        bottom: bottom as usize,
        left: left as usize,
        right: right as usize,
        kind: config.kind,
        value: bytes_of(&config.value),
    })
}

/// Returns the bytes next to the numbers of a colour.
pub(in crate::media) fn bytes_of(numbers: &[f64; 4]) -> [u8; 4] {
    let mut bytes = [0; 4];
    for (byte, number) in bytes.iter_mut().zip(numbers) {
        *byte = number.round().clamp(0.0, 255.0) as u8;
    }
    bytes
}

#[cold]
fn too_large(call: &str, argument: &str, number: u32) -> aclError {
    invalid(
        call,
        format_args!("{argument} is {number}; {GREATEST} is the greatest"),
    )
}

pub(crate) unsafe extern "C" fn acldvppCreateRoiConfig(
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
) -> *mut acldvppRoiConfig {
    let call = "acldvppCreateRoiConfig";
    if ready(call).is_err() {
        return std::ptr::null_mut();
    }
    if let Some(number) = [left, right, top, bottom]
        .into_iter()
        .find(|number| *number > GREATEST)
    {
        let _ = too_large(call, "a side", number);
        return std::ptr::null_mut();
    }
    let roi = Roi {
        left,
        right,
        top,
        bottom,
    };
    ROIS.create(call, roi)
}

pub(crate) unsafe extern "C" fn acldvppSetRoiConfig(
    config: *mut acldvppRoiConfig,
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
) -> aclError {
    let call = "acldvppSetRoiConfig";
    status((|| {
        let number = [left, right, top, bottom]
            .into_iter()
            .find(|number| *number > GREATEST);
        ROIS.with(call, "config", config, &mut |roi| match number {
            Some(number) => Err(too_large(call, "a side", number)),
            None => {
                *roi = Roi {
                    left,
                    right,
                    top,
                    bottom,
                };
                Ok(())
            }
        })?
    })())
}

/// Defines functions that set one side of a rectangle.
macro_rules! sides {
    ($($name:ident($side:ident);)*) => { $(
        pub(crate) unsafe extern "C" fn $name(config: *mut acldvppRoiConfig, $side: u32) -> aclError {
            let call = stringify!($name);
            let mut set = |roi: &mut Roi| {
                if $side > GREATEST {
                    return Err(too_large(call, stringify!($side), $side));
                }
                roi.$side = $side;
                Ok(())
            };
            status(ROIS.with(call, "config", config, &mut set).and_then(|set| set))
        }
    )* };
}

sides! {
    acldvppSetRoiConfigLeft(left);
    acldvppSetRoiConfigRight(right);
    acldvppSetRoiConfigTop(top);
    acldvppSetRoiConfigBottom(bottom);
}

/// Defines the functions that create and destroy a kind of options. `newer` is for those that the oldest products do not
/// have.
macro_rules! lives {
    ($($objects:ident, $Handle:ident, $argument:ident: $create:ident = $value:expr, $destroy:ident $(, $newer:ident)?;)*) => { $(
        pub(crate) unsafe extern "C" fn $create() -> *mut $Handle {
            let call = stringify!($create);
            if ready(call).is_err() $(|| $newer(call).is_err())? {
                return std::ptr::null_mut();
            }
            $objects.create(call, $value)
        }

        lives!(@ $objects, $Handle, $argument, $destroy);
    )* };
    (@ $objects:ident, $Handle:ident, $argument:ident, $destroy:ident) => {
        pub(crate) unsafe extern "C" fn $destroy($argument: *mut $Handle) -> aclError {
            if $argument.is_null() {
                return ascendcl_sys::ACL_SUCCESS;
            }
            $objects.destroy(stringify!($destroy), stringify!($argument), $argument)
        }
    };
}

lives!(@ ROIS, acldvppRoiConfig, roiConfig, acldvppDestroyRoiConfig);
lives! {
    RESIZES, acldvppResizeConfig, resizeConfig: acldvppCreateResizeConfig = 0, acldvppDestroyResizeConfig;
    QUALITIES, acldvppJpegeConfig, jpegeConfig: acldvppCreateJpegeConfig = 0, acldvppDestroyJpegeConfig;
    BORDERS, acldvppBorderConfig, borderConfig: acldvppCreateBorderConfig = BorderConfig {
        kind: 0,
        sides: [0; 4],
        value: [0.0; 4],
    }, acldvppDestroyBorderConfig, newer;
}

pub(crate) unsafe extern "C" fn acldvppSetResizeConfigInterpolation(
    resizeConfig: *mut acldvppResizeConfig,
    interpolation: u32,
) -> aclError {
    let call = "acldvppSetResizeConfigInterpolation";
    let last = product().last_interpolation();
    let mut set = |number: &mut u32| {
        if interpolation > last {
            return Err(refused(
                call,
                ACL_ERROR_INVALID_PARAM,
                format_args!("interpolation is {interpolation}; this product has 0 to {last}"),
            ));
        }
        *number = interpolation;
        Ok(())
    };
    status(
        RESIZES
            .with(call, "resizeConfig", resizeConfig, &mut set)
            .and_then(|set| set),
    )
}

pub(crate) unsafe extern "C" fn acldvppGetResizeConfigInterpolation(
    resizeConfig: *const acldvppResizeConfig,
) -> u32 {
    let call = "acldvppGetResizeConfigInterpolation";
    RESIZES.get(call, "resizeConfig", resizeConfig).unwrap_or(0)
}

pub(crate) unsafe extern "C" fn acldvppSetJpegeConfigLevel(
    jpegeConfig: *mut acldvppJpegeConfig,
    level: u32,
) -> aclError {
    let call = "acldvppSetJpegeConfigLevel";
    status(
        QUALITIES.with(call, "jpegeConfig", jpegeConfig, &mut |number| {
            *number = level
        }),
    )
}

pub(crate) unsafe extern "C" fn acldvppGetJpegeConfigLevel(
    jpegeConfig: *const acldvppJpegeConfig,
) -> u32 {
    let call = "acldvppGetJpegeConfigLevel";
    QUALITIES.get(call, "jpegeConfig", jpegeConfig).unwrap_or(0)
}

pub(crate) unsafe extern "C" fn acldvppSetBorderConfigValue(
    borderConfig: *mut acldvppBorderConfig,
    index: u32,
    value: f64,
) -> aclError {
    let call = "acldvppSetBorderConfigValue";
    let mut set = |config: &mut BorderConfig| match config.value.get_mut(index as usize) {
        Some(place) => {
            *place = value;
            Ok(())
        }
        None => Err(invalid(
            call,
            format_args!("index is {index}; a border has 4 components"),
        )),
    };
    status(
        BORDERS
            .with(call, "borderConfig", borderConfig, &mut set)
            .and_then(|set| set),
    )
}

pub(crate) unsafe extern "C" fn acldvppGetBorderConfigValue(
    borderConfig: *const acldvppBorderConfig,
    index: u32,
) -> f64 {
    let call = "acldvppGetBorderConfigValue";
    let value = BORDERS.with(call, "borderConfig", borderConfig, &mut |config| {
        config.value.get(index as usize).copied()
    });
    value.ok().flatten().unwrap_or(-1.0)
}

pub(crate) unsafe extern "C" fn acldvppSetBorderConfigBorderType(
    borderConfig: *mut acldvppBorderConfig,
    borderType: acldvppBorderType,
) -> aclError {
    let call = "acldvppSetBorderConfigBorderType";
    status(
        BORDERS.with(call, "borderConfig", borderConfig, &mut |config| {
            config.kind = borderType.0
        }),
    )
}

pub(crate) unsafe extern "C" fn acldvppGetBorderConfigBorderType(
    borderConfig: *const acldvppBorderConfig,
) -> acldvppBorderType {
    let call = "acldvppGetBorderConfigBorderType";
    let kind = BORDERS.with(call, "borderConfig", borderConfig, &mut |config| {
        config.kind
    });
    kind.map_or(BORDER_CONSTANT, acldvppBorderType)
}

/// Defines functions that set and return one side of a border, by its place in the list.
macro_rules! border_sides {
    ($($set:ident, $get:ident: $side:ident = $place:literal;)*) => { $(
        pub(crate) unsafe extern "C" fn $set(borderConfig: *mut acldvppBorderConfig, $side: u32) -> aclError {
            let call = stringify!($set);
            let mut set = |config: &mut BorderConfig| {
                if $side > GREATEST {
                    return Err(too_large(call, stringify!($side), $side));
                }
                config.sides[$place] = $side;
                Ok(())
            };
            status(BORDERS.with(call, "borderConfig", borderConfig, &mut set).and_then(|set| set))
        }

        pub(crate) unsafe extern "C" fn $get(borderConfig: *const acldvppBorderConfig) -> u32 {
            BORDERS.with(stringify!($get), "borderConfig", borderConfig, &mut |config| config.sides[$place]).unwrap_or(0)
        }
    )* };
}

border_sides! {
    acldvppSetBorderConfigTop, acldvppGetBorderConfigTop: top = 0;
    acldvppSetBorderConfigBottom, acldvppGetBorderConfigBottom: bottom = 1;
    acldvppSetBorderConfigLeft, acldvppGetBorderConfigLeft: left = 2;
    acldvppSetBorderConfigRight, acldvppGetBorderConfigRight: right = 3;
}
