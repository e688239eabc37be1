//! Gears: the sizes of a model that was compiled for several.
//!
//! Such a model has one input more, whose memory holds the gear of a run. A queued run reads it when it runs, so it must
//! not change until then. A loaded model therefore has memory for each of its gears, which is written once.

use ascendcl_sys as sys;

use crate::error::{ModelMismatch, Result, Usage};
use crate::model::TensorInfo;
use crate::model::describe::Desc;
use crate::raw::check;
use crate::state::Sealed;

/// The name of the input that holds the gear (`ACL_DYNAMIC_TENSOR_NAME`).
pub(super) const GEAR_INPUT: &str = "ascend_mbatch_shape_data";

/// The index for the functions that describe the gears of all inputs together (GE, `aclmdlGetInputDynamicDims`).
const ALL_INPUTS: usize = usize::MAX;

pub(crate) mod described {
    use super::{Desc, Result, TensorInfo, sys};

    crate::state::sealed! {
        "expected `NoGears`, `BatchSize`, `ImageSize` or `Dims`";
        /// Seals [`Sizing`](super::Sizing), and has the functions of C for one kind of gears.
        pub trait Described {
            /// The option of `atc` that gives a model gears of this kind. A model of one size has none.
            const OPTION: Option<&'static str>;

            /// Returns the values of each gear.
            fn gears(desc: &Desc) -> Result<Vec<Vec<i64>>>;

            /// Returns the shape of the input `index` with a gear.
            fn shape(inputs: &[TensorInfo], index: usize, values: &[i64]) -> Vec<i64>;

            /// Writes a gear to the input for gears, and returns the name of the function and its status.
            ///
            /// # Safety
            ///
            /// - `id` is a loaded model, and `set` a live data set. Its buffer `index` is memory of the size of the input
            ///   for gears, which no work uses.
            unsafe fn set(
                id: u32,
                set: *mut sys::aclmdlDataset,
                index: usize,
                values: &[i64],
            ) -> (&'static str, sys::aclError);
        }
    }
}
use described::Described;

/// The sizes of the runs of a model: [`NoGears`], or one of the three kinds of [`Gears`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say the sizes of a model",
    label = "expected `NoGears`, or the kind of gears: `BatchSize`, `ImageSize` or `Dims`"
)]
pub trait Sizing: Described + Sealed {}

/// A kind of gears.
///
/// The kinds are those of the options of `atc`: [`BatchSize`], [`ImageSize`] and [`Dims`]. A model has gears of one kind.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no kind of gears of a model",
    label = "expected a model with gears: `BatchSize`, `ImageSize` or `Dims`",
    note = "a model of one size runs without a gear: `model.execute(inputs, outputs)?`, or `stream.execute_async(&mut model, inputs, outputs)?`"
)]
pub trait Gears: Sizing {
    /// A gear: a batch size, a height with a width, or the dimensions of all inputs.
    type Gear<'a>: Copy;

    /// Returns whether these are the values of a gear.
    #[doc(hidden)]
    fn is(gear: Self::Gear<'_>, values: &[i64]) -> bool;

    /// Returns the values of a gear, for a message.
    #[doc(hidden)]
    fn values(gear: Self::Gear<'_>) -> Vec<i64>;
}

/// The sizing of a model that was compiled for one size.
///
/// ```
/// use ascendcl::model::{Blocking, Model, NoGears};
/// use ascendcl::Npu;
///
/// /// A model of one size. `NoGears` is the default, and can be left out.
/// type Classifier<'t, 'dev> = Model<'t, 'dev, Npu<0>, Blocking, NoGears>;
/// ```
#[derive(Debug, Clone, Copy)]
pub enum NoGears {}

/// Gears that are batch sizes (`atc --dynamic_batch_size`; `aclmdlSetDynamicBatchSize`). A gear is the batch size: `8`.
///
/// ```
/// use ascendcl::model::{BatchSize, Blocking};
/// use ascendcl::{Current, DeviceBuf, Npu, Result};
///
/// fn run(current: Current<'_, '_, Npu<0>>, images: &DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
///     let mut model = current.load_geared_model::<Blocking, BatchSize>("batches.om")?;
///     let mut scores = current.memset(current.malloc::<f32>(8 * 1000)?, 0)?;
///     model.execute_gear(8, (images,), (&mut scores,)) // a batch of eight
/// }
/// ```
#[doc(alias = "aclmdlSetDynamicBatchSize")]
#[doc(alias = "acl.mdl.set_dynamic_batch_size")]
#[derive(Debug, Clone, Copy)]
pub enum BatchSize {}

/// Gears that are sizes of pictures (`atc --dynamic_image_size`; `aclmdlSetDynamicHWSize`). A gear is the height with the
/// width, in pixels: `[224, 320]`.
///
/// ```
/// use ascendcl::model::{Blocking, ImageSize};
/// use ascendcl::{Current, DeviceBuf, Npu, Result};
///
/// fn run(current: Current<'_, '_, Npu<0>>, image: &DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
///     let mut model = current.load_geared_model::<Blocking, ImageSize>("sizes.om")?;
///     let mut scores = current.memset(current.malloc::<f32>(1000)?, 0)?;
///     model.execute_gear([224, 320], (image,), (&mut scores,)) // height, width
/// }
/// ```
#[doc(alias = "aclmdlSetDynamicHWSize")]
#[doc(alias = "acl.mdl.set_dynamic_hw_size")]
#[derive(Debug, Clone, Copy)]
pub enum ImageSize {}

/// Gears that give each dimension a number (`atc --dynamic_dims`; `aclmdlSetInputDynamicDims`). A gear has the dimensions
/// of all inputs, one input after the other: `&[1, 40, 1, 20]` for two inputs of two dimensions.
///
/// ```
/// use ascendcl::model::{Blocking, Dims};
/// use ascendcl::{Current, DeviceBuf, Npu, Result};
///
/// fn run(current: Current<'_, '_, Npu<0>>, words: &DeviceBuf<'_, Npu<0>, [i32]>) -> Result<()> {
///     let mut model = current.load_geared_model::<Blocking, Dims>("text.om")?;
///     let mut scores = current.memset(current.malloc::<f32>(40)?, 0)?;
///     model.execute_gear(&[1, 40], (words,), (&mut scores,))
/// }
/// ```
#[doc(alias = "aclmdlSetInputDynamicDims")]
#[doc(alias = "acl.mdl.set_input_dynamic_dims")]
#[derive(Debug, Clone, Copy)]
pub enum Dims {}

impl Sealed for NoGears {}
impl Sizing for NoGears {}
impl Described for NoGears {
    const OPTION: Option<&'static str> = None;

    fn gears(_: &Desc) -> Result<Vec<Vec<i64>>> {
        Ok(Vec::new())
    }

    fn shape(inputs: &[TensorInfo], index: usize, _: &[i64]) -> Vec<i64> {
        of(inputs, index).to_vec()
    }

    unsafe fn set(
        _: u32,
        _: *mut sys::aclmdlDataset,
        _: usize,
        _: &[i64],
    ) -> (&'static str, sys::aclError) {
        ("", sys::ACL_SUCCESS)
    }
}

impl Sealed for BatchSize {}
impl Sizing for BatchSize {}
impl Described for BatchSize {
    const OPTION: Option<&'static str> = Some("--dynamic_batch_size");

    fn gears(desc: &Desc) -> Result<Vec<Vec<i64>>> {
        let mut found = sys::aclmdlBatch {
            batchCount: 0,
            batch: [0; sys::ACL_MAX_BATCH_NUM],
        };
        // SAFETY: a live description, and `found` is valid for a write.
        let code = unsafe { sys::aclmdlGetDynamicBatch(desc.as_raw(), &raw mut found) };
        check("aclmdlGetDynamicBatch", code)?;
        let all = found.batch.iter().take(found.batchCount);
        Ok(all.map(|size| vec![number(*size)]).collect())
    }

    fn shape(inputs: &[TensorInfo], index: usize, values: &[i64]) -> Vec<i64> {
        filled(of(inputs, index), values)
    }

    unsafe fn set(
        id: u32,
        set: *mut sys::aclmdlDataset,
        index: usize,
        values: &[i64],
    ) -> (&'static str, sys::aclError) {
        let size = values.first().map_or(0, |size| size.unsigned_abs());
        // SAFETY: the caller's contract.
        let code = unsafe { sys::aclmdlSetDynamicBatchSize(id, set, index, size) };
        ("aclmdlSetDynamicBatchSize", code)
    }
}
impl Gears for BatchSize {
    type Gear<'a> = u64;

    fn is(gear: u64, values: &[i64]) -> bool {
        matches!(values, [size] if size.unsigned_abs() == gear)
    }

    fn values(gear: u64) -> Vec<i64> {
        vec![number(gear)]
    }
}

impl Sealed for ImageSize {}
impl Sizing for ImageSize {}
impl Described for ImageSize {
    const OPTION: Option<&'static str> = Some("--dynamic_image_size");

    fn gears(desc: &Desc) -> Result<Vec<Vec<i64>>> {
        let mut found = sys::aclmdlHW {
            hwCount: 0,
            hw: [[0; 2]; sys::ACL_MAX_HW_NUM],
        };
        // SAFETY: a live description, and `found` is valid for a write. The index has no meaning (GE).
        let code = unsafe { sys::aclmdlGetDynamicHW(desc.as_raw(), 0, &raw mut found) };
        check("aclmdlGetDynamicHW", code)?;
        let all = found.hw.iter().take(found.hwCount);
        Ok(all.map(|size| size.map(number).to_vec()).collect())
    }

    fn shape(inputs: &[TensorInfo], index: usize, values: &[i64]) -> Vec<i64> {
        filled(of(inputs, index), values)
    }

    unsafe fn set(
        id: u32,
        set: *mut sys::aclmdlDataset,
        index: usize,
        values: &[i64],
    ) -> (&'static str, sys::aclError) {
        let side = |place: usize| values.get(place).map_or(0, |side| side.unsigned_abs());
        // SAFETY: the caller's contract.
        let code = unsafe { sys::aclmdlSetDynamicHWSize(id, set, index, side(0), side(1)) };
        ("aclmdlSetDynamicHWSize", code)
    }
}
impl Gears for ImageSize {
    type Gear<'a> = [u64; 2];

    fn is(gear: [u64; 2], values: &[i64]) -> bool {
        matches!(values, [height, width] if [height.unsigned_abs(), width.unsigned_abs()] == gear)
    }

    fn values(gear: [u64; 2]) -> Vec<i64> {
        gear.map(number).to_vec()
    }
}

impl Sealed for Dims {}
impl Sizing for Dims {}
impl Described for Dims {
    const OPTION: Option<&'static str> = Some("--dynamic_dims");

    fn gears(desc: &Desc) -> Result<Vec<Vec<i64>>> {
        let mut count = 0;
        // SAFETY: a live description, and `count` is valid for a write.
        let code = unsafe {
            sys::aclmdlGetInputDynamicGearCount(desc.as_raw(), ALL_INPUTS, &raw mut count)
        };
        check("aclmdlGetInputDynamicGearCount", code)?;
        let mut found = vec![no_dims(); count];
        // SAFETY: a live description, and `found` is valid for writes of `count` structures.
        let code = unsafe {
            sys::aclmdlGetInputDynamicDims(desc.as_raw(), ALL_INPUTS, found.as_mut_ptr(), count)
        };
        check("aclmdlGetInputDynamicDims", code)?;
        let values =
            |dims: &sys::aclmdlIODims| dims.dims.iter().take(dims.dimCount).copied().collect();
        Ok(found.iter().map(values).collect())
    }

    fn shape(inputs: &[TensorInfo], index: usize, values: &[i64]) -> Vec<i64> {
        let before: usize = inputs
            .iter()
            .take(index)
            .map(|input| input.shape().len())
            .sum();
        let own = of(inputs, index).len();
        values.iter().skip(before).take(own).copied().collect()
    }

    unsafe fn set(
        id: u32,
        set: *mut sys::aclmdlDataset,
        index: usize,
        values: &[i64],
    ) -> (&'static str, sys::aclError) {
        let mut dims = no_dims();
        dims.dimCount = values.len();
        for (to, from) in dims.dims.iter_mut().zip(values) {
            *to = *from;
        }
        // SAFETY: the caller's contract, and `dims` is readable.
        let code = unsafe { sys::aclmdlSetInputDynamicDims(id, set, index, &raw const dims) };
        ("aclmdlSetInputDynamicDims", code)
    }
}
impl Gears for Dims {
    type Gear<'a> = &'a [i64];

    fn is(gear: &[i64], values: &[i64]) -> bool {
        gear == values
    }

    fn values(gear: &[i64]) -> Vec<i64> {
        gear.to_vec()
    }
}

/// Returns an empty structure of dimensions.
fn no_dims() -> sys::aclmdlIODims {
    sys::aclmdlIODims {
        name: [0; sys::ACL_MAX_TENSOR_NAME_LEN],
        dimCount: 0,
        dims: [0; sys::ACL_MAX_DIM_CNT],
    }
}

fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn of(inputs: &[TensorInfo], index: usize) -> &[i64] {
    inputs.get(index).map_or(&[][..], TensorInfo::shape)
}

/// Returns a shape whose unknown dimensions have the values in turn.
fn filled(shape: &[i64], values: &[i64]) -> Vec<i64> {
    let mut next = values.iter().cycle();
    let known = |dimension: &i64| match dimension {
        -1 => next.next().copied().unwrap_or(-1),
        known => *known,
    };
    shape.iter().map(known).collect()
}

/// A gear of a model: its values, and the sizes of a run with it.
///
/// ```
/// use ascendcl::Npu;
/// use ascendcl::model::{BatchSize, Blocking, GearInfo, Model};
///
/// /// Returns the smallest batch that has room for so many images.
/// fn gear<'m>(model: &'m Model<'_, '_, Npu<0>, Blocking, BatchSize>, images: i64) -> Option<&'m GearInfo> {
///     model.gears().iter().find(|gear| gear.values().first().is_some_and(|size| *size >= images))
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GearInfo {
    pub(super) values: Vec<i64>,
    pub(super) inputs: Vec<TensorInfo>,
    pub(super) outputs: Vec<TensorInfo>,
}

impl GearInfo {
    /// Returns the values: a batch size, a height and a width, or the dimensions of all inputs.
    ///
    /// ```
    /// use ascendcl::model::GearInfo;
    ///
    /// fn print(gears: &[GearInfo]) {
    ///     for gear in gears {
    ///         println!("compiled for {:?}", gear.values());
    ///     }
    /// }
    /// ```
    #[doc(alias = "aclmdlGetDynamicBatch")]
    #[doc(alias = "aclmdlGetDynamicHW")]
    #[doc(alias = "aclmdlGetInputDynamicDims")]
    #[doc(alias = "acl.mdl.get_dynamic_batch")]
    #[doc(alias = "acl.mdl.get_dynamic_hw")]
    #[doc(alias = "acl.mdl.get_input_dynamic_dims")]
    #[must_use]
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// Returns the inputs of a run with this gear. Their bytes are the part of the memory that the run reads.
    ///
    /// ```
    /// use ascendcl::model::GearInfo;
    ///
    /// fn bytes(gear: &GearInfo) -> usize {
    ///     gear.inputs().iter().map(|input| input.bytes()).sum()
    /// }
    /// ```
    #[must_use]
    pub fn inputs(&self) -> &[TensorInfo] {
        &self.inputs
    }

    /// Returns the outputs of a run with this gear (`aclmdlGetCurOutputDims`). Their bytes are the part of the memory
    /// that the run writes.
    ///
    /// ```
    /// use ascendcl::model::GearInfo;
    ///
    /// fn shapes(gear: &GearInfo) -> Vec<&[i64]> {
    ///     gear.outputs().iter().map(|output| output.shape()).collect()
    /// }
    /// ```
    #[doc(alias = "aclmdlGetCurOutputDims")]
    #[doc(alias = "acl.mdl.get_cur_output_dims")]
    #[must_use]
    pub fn outputs(&self) -> &[TensorInfo] {
        &self.outputs
    }
}

/// Returns the position of a gear.
pub(super) fn position<G: Gears>(gears: &[GearInfo], gear: G::Gear<'_>) -> Result<usize> {
    let found = gears.iter().position(|known| G::is(gear, &known.values));
    found.ok_or_else(|| {
        Usage::Model(ModelMismatch::Gear {
            passed: G::values(gear),
            known: gears.iter().map(|known| known.values.clone()).collect(),
        })
        .into()
    })
}
