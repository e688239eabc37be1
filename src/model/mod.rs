//! Models: trained networks that are loaded from a file and run (`acl/acl_mdl.h`).
//!
//! A card runs offline models (`.om`), which `atc` compiles from ONNX files. The emulator runs the ONNX files
//! themselves, with the feature `emulator-onnx`.
//!
//! [`Current::load_model`](crate::Current::load_model) loads a model. The model belongs to the context that is current,
//! and describes its [inputs](Model::inputs) and [outputs](Model::outputs). Its kind says how it runs, because CANN
//! refuses the other way for the life of a loaded model:
//!
//! - A [`Blocking`] model runs on idle memory: [`Model::execute`].
//! - A [`Queueing`] model is queued on a stream, as a buffer is, and runs on memory of that stream:
//!   [`Stream::execute_async`](crate::Stream::execute_async). So it is neither used on two streams at once nor unloaded
//!   while it runs.
//!
//! The number of buffers, their element types and their sizes are compared with the description before each run. The
//! model owns its data sets and data buffers, so none is leaked, and AscendCL never allocates an output.
//!
//! A model that `atc` has compiled for several sizes has [`Gears`]: batch sizes, sizes of pictures, or dimensions.
//! [`Current::load_geared_model`](crate::Current::load_geared_model) loads it, and each run names its gear:
//! [`Model::execute_gear`], [`Stream::execute_gear_async`](crate::Stream::execute_gear_async). Dynamic AIPP is not typed
//! yet: a load refuses such a model. It also refuses models whose sizes no gear decides. CANN asks an allocator of the
//! program (`aclrtAllocatorRegister`) for the memory of such models, so this crate registers none.
//!
//! [`Current::load_model_with`](crate::Current::load_model_with) takes options: a priority, memory for the work of a
//! model, and memory for weights that several models of one file share.
//!
//! ```no_run
//! # fn classify(current: ascendcl::Current<'_, '_, ascendcl::Npu<0>>) -> ascendcl::Result<()> {
//! use ascendcl::model::Blocking;
//!
//! let mut model = current.load_model::<Blocking>("resnet50.onnx")?;
//! println!("{:?}", model.inputs());
//! let image = current.memset(current.malloc::<f32>(3 * 224 * 224)?, 0)?;
//! let (scores,) = model.execute((&image,), (current.malloc::<f32>(1000)?,))?;
//! assert_eq!(scores.len(), 1000);
//! model.unload()
//! # }
//! ```

mod describe;
mod gear;
mod input_shape;
mod load;
mod loaded;
mod operand;
mod run;

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use ascendcl_sys as sys;

pub use describe::TensorInfo;
pub use gear::{BatchSize, Dims, GearInfo, Gears, ImageSize, NoGears, Sizing};
pub use load::{LoadOptions, ModelFile, ModelSize, Weights};
pub use operand::{GearOutputs, Inputs, Outputs};

use crate::context::Current;
use crate::device::{AnyDevice, in_context};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::park::{Parking, StreamKey, User};
use crate::queue::owned::Owned;
use crate::raw::check;
use crate::release;
use crate::state::{Invariant, Sealed};
use loaded::{Loaded, unload};

/// The way in which a model runs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no kind of a model",
    label = "expected `Blocking` or `Queueing`"
)]
pub trait Kind: Sealed {}

/// The kind of a model whose runs block until the outputs are there (`aclmdlExecute`).
///
/// ```
/// use ascendcl::model::Blocking;
/// use ascendcl::{Current, Npu, Result};
///
/// fn sizes(current: Current<'_, '_, Npu<0>>) -> Result<Vec<usize>> {
///     let model = current.load_model::<Blocking>("resnet50.onnx")?;
///     Ok(model.inputs().iter().map(|input| input.bytes()).collect())
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Blocking {}

/// The kind of a model whose runs are work of a stream (`aclmdlExecuteAsync`).
///
/// ```
/// use ascendcl::model::Queueing;
/// use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};
///
/// fn classify<'dev>(
///     current: Current<'_, 'dev, Npu<0>>,
///     stream: &mut Stream<'_, 'dev, Npu<0>>,
///     image: DeviceBuf<'dev, Npu<0>, [f32]>,
/// ) -> Result<DeviceBuf<'dev, Npu<0>, [f32]>> {
///     let mut model = stream.adopt(current.load_model::<Queueing>("resnet50.onnx")?);
///     let (image, fresh) = (stream.adopt(image), stream.malloc(1000)?);
///     let (scores,) = stream.execute_async(&mut model, (&image,), (fresh,))?; // does not wait
///     Ok(stream.synchronize()?.take(scores))
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Queueing {}

impl Sealed for Blocking {}
impl Kind for Blocking {}
impl Sealed for Queueing {}
impl Kind for Queueing {}

/// A loaded model of the device `D`, which runs in the way `K` and has the sizes `G`.
///
/// It stays on the thread that has loaded it, where its context is current. Dropping it unloads it.
///
/// ```
/// use ascendcl::model::{Blocking, Model};
/// use ascendcl::{DeviceBuf, Npu, Result};
///
/// fn classify(
///     model: &mut Model<'_, '_, Npu<0>, Blocking>,
///     image: &DeviceBuf<'_, Npu<0>, [f32]>,
///     scores: &mut DeviceBuf<'_, Npu<0>, [f32]>,
/// ) -> Result<()> {
///     model.execute((image,), (scores,))?;
///     Ok(())
/// }
/// ```
///
/// # Invariants
///
/// - The model of `loaded` is loaded in the context of `D`, and no work of a stream uses it while this value is not
///   [`Queued`](crate::Queued).
/// - A model of the kind [`Blocking`] has never run by `aclmdlExecuteAsync`, and one of the kind [`Queueing`] never by
///   `aclmdlExecute`.
/// - A model with [`NoGears`] has no input that decides the sizes of a run. Another one has a data set for each
///   gear of the kind `G`, whose memory for the gear holds it and is never written again.
#[must_use = "a model that is dropped is unloaded"]
pub struct Model<'t, 'dev, D: AnyDevice, K: Kind, G: Sizing = NoGears> {
    loaded: ManuallyDrop<Box<Loaded>>,
    current: Current<'t, 'dev, D>,
    _kind: PhantomData<Invariant<(K, G)>>,
}

impl<'t, 'dev, D: AnyDevice, K: Kind, G: Sizing> Model<'t, 'dev, D, K, G> {
    /// Makes a model of one that was loaded in the current context, with this sizing, and has never run.
    fn new(loaded: Loaded, current: Current<'t, 'dev, D>) -> Self {
        current.core().note_other_queues();
        // INVARIANT: loaded in the current context, and never run. `Loaded::new` has checked and prepared the sizes.
        Model {
            loaded: ManuallyDrop::new(Box::new(loaded)),
            current,
            _kind: PhantomData,
        }
    }

    /// Returns the descriptions of the inputs, in the order in which a run takes them. The bytes are those of the largest
    /// gear, and -1 is a dimension that the gear decides.
    ///
    /// ```
    /// use ascendcl::Npu;
    /// use ascendcl::model::{Blocking, Model};
    ///
    /// fn print(model: &Model<'_, '_, Npu<0>, Blocking>) {
    ///     for input in model.inputs() {
    ///         println!("{}: {:?}, {} bytes", input.name(), input.shape(), input.bytes());
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn inputs(&self) -> &[TensorInfo] {
        &self.loaded.inputs
    }

    /// Returns the descriptions of the outputs, in the order in which a run takes them. The bytes are those of the largest
    /// gear.
    ///
    /// ```
    /// use ascendcl::Npu;
    /// use ascendcl::model::{Blocking, Model};
    ///
    /// fn bytes(model: &Model<'_, '_, Npu<0>, Blocking>) -> Vec<usize> {
    ///     model.outputs().iter().map(|output| output.bytes()).collect()
    /// }
    /// ```
    #[must_use]
    pub fn outputs(&self) -> &[TensorInfo] {
        &self.loaded.outputs
    }

    /// Returns the gears of the model.
    ///
    /// ```
    /// use ascendcl::Npu;
    /// use ascendcl::model::{Blocking, ImageSize, Model};
    ///
    /// fn print(model: &Model<'_, '_, Npu<0>, Blocking, ImageSize>) {
    ///     for gear in model.gears() {
    ///         println!("height and width: {:?}", gear.values());
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn gears(&self) -> &[GearInfo]
    where
        G: Gears,
    {
        self.loaded.gears()
    }

    /// Returns the id of the model, for C functions that this crate does not have. Do not unload it, and do not run it.
    ///
    /// ```
    /// use ascendcl::Npu;
    /// use ascendcl::model::{Blocking, Model};
    ///
    /// fn print(model: &Model<'_, '_, Npu<0>, Blocking>) {
    ///     println!("the id of the model is {}", model.as_raw());
    /// }
    /// ```
    #[must_use]
    pub fn as_raw(&self) -> u32 {
        self.loaded.id
    }

    /// Takes the loaded model out of the value.
    fn into_loaded(self) -> Box<Loaded> {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is never used again and not dropped, so the model is taken once.
        unsafe { ManuallyDrop::take(&mut this.loaded) }
    }

    /// Unloads the model (`aclmdlUnload`, pyACL `acl.mdl.unload`) and returns the error of that call.
    ///
    /// ```
    /// use ascendcl::model::Blocking;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn load(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    ///     let model = current.load_model::<Blocking>("resnet50.onnx")?;
    ///     model.unload() // a drop unloads it too, and its error goes to the hook for failed releases
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclmdlUnload")]
    #[doc(alias = "acl.mdl.unload")]
    pub fn unload(self) -> Result<()> {
        let loaded = self.into_loaded();
        // SAFETY: no work uses the model (invariant), and it is unloaded once.
        check("aclmdlUnload", unsafe { unload(loaded.id) })
    }
}

impl<D: AnyDevice, K: Kind, G: Sizing> Drop for Model<'_, '_, D, K, G> {
    fn drop(&mut self) {
        // SAFETY: dropped once, and the field is not used afterwards.
        let loaded = unsafe { ManuallyDrop::take(&mut self.loaded) };
        // SAFETY: no work uses the model (invariant), and it is unloaded once.
        let code = unsafe { unload(loaded.id) };
        release::status_in_drop("aclmdlUnload", code);
    }
}

impl<D: AnyDevice, K: Kind, G: Sizing> fmt::Debug for Model<'_, '_, D, K, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("id", &self.loaded.id)
            .field("inputs", &self.loaded.inputs)
            .field("outputs", &self.loaded.outputs)
            .finish()
    }
}

/// Unloads a parked model. AscendCL releases all of it only in its context (manual, `aclmdlUnload`).
///
/// # Safety
///
/// - No run of the model is unfinished, and it is unloaded once.
unsafe fn unload_parked(loaded: Box<Loaded>) -> sys::aclError {
    // SAFETY: the caller's contract.
    unsafe { unload(loaded.id) }
}

// A stream takes a model as it takes memory: a run must not outlive the model.
impl<D: AnyDevice, G: Sizing> Owned<D> for Model<'_, '_, D, Queueing, G> {
    const SWAPS: bool = true;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        let core = self.current.core();
        // SAFETY: a model of the context of `core`, which this value owned.
        let parked = unsafe {
            in_context(
                core,
                "aclmdlUnload",
                self.into_loaded(),
                unload_parked,
                |object, _| std::mem::forget(object),
            )
        };
        parking.park(users, parked);
    }

    fn enters(&self, _: StreamKey) {}

    /// A model claims nothing of its runs: their outputs are memory.
    fn accepted(&self) {}
}
