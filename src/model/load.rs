//! Loads: from a file or memory, with gears, with memory of the program, and with a priority.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, OfDevice};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, ModelMismatch, Result, Usage};
use crate::memory::DeviceBuf;
use crate::model::gear::{Gears, NoGears, Sizing};
use crate::model::loaded::{Loaded, unload};
use crate::model::{Kind, Model};
use crate::raw::{c_path, check};
use crate::release;
use crate::state::{DropUses, Invariant};
use crate::stream::Priority;

/// Device memory of a model, freed when it is dropped.
///
/// # Invariants
///
/// - An allocation of `aclrtMalloc` of `bytes` bytes, which nothing else frees.
#[derive(Debug)]
pub(super) struct Memory {
    pointer: NonNull<c_void>,
    bytes: usize,
}

// SAFETY: this value owns the memory, and freeing needs no current context (observed, CANN runtime 1.17).
unsafe impl Send for Memory {}
// SAFETY: a shared reference gives the address only.
unsafe impl Sync for Memory {}

impl Memory {
    fn of<D: AnyDevice, I>(memory: DeviceBuf<'_, D, [u8], I>) -> Memory {
        let bytes = memory.len();
        // INVARIANT: device memory comes from `aclrtMalloc`, and the buffer is given up.
        Memory {
            pointer: memory.into_raw().cast(),
            bytes,
        }
    }

    /// Returns the address of a byte.
    pub(super) fn at(&self, offset: usize) -> *mut c_void {
        self.pointer.as_ptr().wrapping_byte_add(offset)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: an allocation that nothing else frees (invariant). The model that used it is unloaded.
        let code = unsafe { sys::aclrtFree(self.pointer.as_ptr()) };
        release::status_in_drop("aclrtFree", code);
    }
}

/// The memory that a loaded model needs.
#[derive(Debug, Default)]
pub(super) struct Held {
    #[expect(dead_code, reason = "held until the model is dropped")]
    gears: Option<Memory>,
    workspace: Option<Memory>,
    weights: Option<Arc<Memory>>,
}

impl From<Memory> for Held {
    fn from(gears: Memory) -> Held {
        Held {
            gears: Some(gears),
            ..Held::default()
        }
    }
}

/// The content of a model file, for loads that share memory.
///
/// A clone is the same file: it shares the content, and [`Weights`] of one are those of the other.
///
/// ```no_run
/// # fn load(current: ascendcl::Current<'_, '_, ascendcl::Npu<0>>) -> Result<(), Box<dyn std::error::Error>> {
/// use ascendcl::model::{NoGears, LoadOptions, ModelFile, Queueing};
///
/// let file = ModelFile::new(std::fs::read("resnet50.onnx")?);
/// let size = current.query_model_size(&file)?;
/// let weights = current.malloc_weights(&file)?;
/// // Two models of one file, for two streams: one copy of the weights, and a workspace for each.
/// let options = || Ok::<_, ascendcl::Error>(LoadOptions::new().weights(&weights).workspace(current.malloc(size.workspace)?));
/// let first = current.load_model_with::<Queueing, NoGears>(&file, options()?)?;
/// let second = current.load_model_with::<Queueing, NoGears>(&file, options()?)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ModelFile {
    bytes: Arc<[u8]>,
}

impl ModelFile {
    /// Makes a file of its content.
    ///
    /// ```
    /// use ascendcl::model::ModelFile;
    ///
    /// fn read(path: &str) -> std::io::Result<ModelFile> {
    ///     Ok(ModelFile::new(std::fs::read(path)?))
    /// }
    /// ```
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> ModelFile {
        ModelFile {
            bytes: bytes.into(),
        }
    }

    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for ModelFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes.len();
        f.debug_struct("ModelFile").field("bytes", &bytes).finish()
    }
}

/// The memory that a model needs on the device, in bytes.
///
/// ```
/// use ascendcl::model::{ModelFile, ModelSize};
/// use ascendcl::{Current, Npu, Result};
///
/// fn bytes(current: Current<'_, '_, Npu<0>>, file: &ModelFile) -> Result<usize> {
///     let ModelSize { workspace, weights, .. } = current.query_model_size(file)?;
///     Ok(workspace + weights)
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelSize {
    /// The memory for the work of a run.
    pub workspace: usize,
    /// The memory for the weights.
    pub weights: usize,
}

/// Device memory for the weights of one file, shared by the models that are loaded with it.
///
/// Each load copies the weights of the file into the memory, so all loads have to be of one [`ModelFile`]. The memory
/// is freed when the last of these models is unloaded and all clones of this value are dropped.
///
/// ```
/// use ascendcl::model::{LoadOptions, ModelFile, NoGears, Queueing, Weights};
/// use ascendcl::{Current, Npu, Result};
///
/// fn load_two(current: Current<'_, '_, Npu<0>>, file: &ModelFile) -> Result<()> {
///     let weights: Weights<'_, Npu<0>> = current.malloc_weights(file)?;
///     let options = || LoadOptions::new().weights(&weights); // the device has the weights once
///     let first = current.load_model_with::<Queueing, NoGears>(file, options())?;
///     let second = current.load_model_with::<Queueing, NoGears>(file, options())?;
///     Ok(())
/// }
/// ```
pub struct Weights<'dev, D: AnyDevice> {
    memory: Arc<Memory>,
    file: ModelFile,
    /// Dropping the last value frees the memory of the device.
    _device: DropUses<'dev>,
    _tag: Invariant<D>,
}

impl<D: AnyDevice> Clone for Weights<'_, D> {
    fn clone(&self) -> Self {
        Weights {
            memory: Arc::clone(&self.memory),
            file: self.file.clone(),
            _device: DropUses::new(),
            _tag: PhantomData,
        }
    }
}

impl<D: AnyDevice> fmt::Debug for Weights<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weights")
            .field("bytes", &self.memory.bytes)
            .finish_non_exhaustive()
    }
}

/// The options of a load. Without an option, AscendCL allocates the memory and uses the greatest priority.
///
/// ```
/// use ascendcl::model::{Blocking, LoadOptions, Model, ModelFile, NoGears};
/// use ascendcl::stream::Priority;
/// use ascendcl::{Current, Npu, Result};
///
/// fn load<'t, 'dev>(
///     current: Current<'t, 'dev, Npu<0>>,
///     file: &ModelFile,
/// ) -> Result<Model<'t, 'dev, Npu<0>, Blocking>> {
///     current.load_model_with::<Blocking, NoGears>(file, LoadOptions::new().priority(Priority::LEAST))
/// }
/// ```
pub struct LoadOptions<'dev, D: AnyDevice> {
    priority: Option<Priority>,
    workspace: Option<Memory>,
    weights: Option<Weights<'dev, D>>,
    /// Dropping the value frees the memory of the device.
    _device: DropUses<'dev>,
}

impl<D: AnyDevice> Default for LoadOptions<'_, D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D: AnyDevice> fmt::Debug for LoadOptions<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadOptions")
            .field("priority", &self.priority)
            .field("workspace", &self.workspace)
            .field("weights", &self.weights)
            .finish()
    }
}

impl<'dev, D: AnyDevice> LoadOptions<'dev, D> {
    /// Returns the options without any.
    ///
    /// ```
    /// use ascendcl::model::{Blocking, LoadOptions, Model, ModelFile, NoGears};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn load<'t, 'dev>(
    ///     current: Current<'t, 'dev, Npu<0>>,
    ///     file: &ModelFile,
    /// ) -> Result<Model<'t, 'dev, Npu<0>, Blocking>> {
    ///     current.load_model_with::<Blocking, NoGears>(file, LoadOptions::new())
    /// }
    /// ```
    #[must_use]
    pub fn new() -> LoadOptions<'dev, D> {
        LoadOptions {
            priority: None,
            workspace: None,
            weights: None,
            _device: DropUses::new(),
        }
    }

    /// Sets the priority of the work of the model (`ACL_MDL_PRIORITY_INT32`).
    ///
    /// ```
    /// use ascendcl::model::{Blocking, LoadOptions, Model, ModelFile, NoGears};
    /// use ascendcl::stream::Priority;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn load<'t, 'dev>(
    ///     current: Current<'t, 'dev, Npu<0>>,
    ///     file: &ModelFile,
    /// ) -> Result<Model<'t, 'dev, Npu<0>, Blocking>> {
    ///     let options = LoadOptions::new().priority(Priority::GREATEST);
    ///     current.load_model_with::<Blocking, NoGears>(file, options)
    /// }
    /// ```
    #[must_use]
    pub fn priority(mut self, priority: Priority) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Gives the model memory for its work (`ACL_MDL_WORKSPACE_ADDR_PTR`). The model owns the memory from now on, and
    /// frees it after the unload. [`Current::query_model_size`] returns how much it needs.
    ///
    /// ```
    /// use ascendcl::model::{Blocking, LoadOptions, Model, ModelFile, NoGears};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn load<'t, 'dev>(
    ///     current: Current<'t, 'dev, Npu<0>>,
    ///     file: &ModelFile,
    /// ) -> Result<Model<'t, 'dev, Npu<0>, Blocking>> {
    ///     let size = current.query_model_size(file)?;
    ///     let options = LoadOptions::new().workspace(current.malloc(size.workspace)?);
    ///     current.load_model_with::<Blocking, NoGears>(file, options)
    /// }
    /// ```
    #[must_use]
    pub fn workspace<I>(mut self, memory: DeviceBuf<'dev, D, [u8], I>) -> Self {
        self.workspace = Some(Memory::of(memory));
        self
    }

    /// Gives the model memory for its weights (`ACL_MDL_WEIGHT_ADDR_PTR`), which it can share with other models of the
    /// same file.
    ///
    /// ```
    /// use ascendcl::model::{Blocking, LoadOptions, Model, ModelFile, NoGears, Weights};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn load<'t, 'dev>(
    ///     current: Current<'t, 'dev, Npu<0>>,
    ///     file: &ModelFile,
    ///     weights: &Weights<'dev, Npu<0>>, // of the same file
    /// ) -> Result<Model<'t, 'dev, Npu<0>, Blocking>> {
    ///     current.load_model_with::<Blocking, NoGears>(file, LoadOptions::new().weights(weights))
    /// }
    /// ```
    #[must_use]
    pub fn weights(mut self, weights: &Weights<'dev, D>) -> Self {
        self.weights = Some(weights.clone());
        self
    }
}

/// The options of a load in C, destroyed when they are dropped.
struct Config(*mut sys::aclmdlConfigHandle);

impl Config {
    fn new() -> Result<Config> {
        // SAFETY: takes nothing.
        let handle = unsafe { sys::aclmdlCreateConfigHandle() };
        if handle.is_null() {
            let code = sys::ACL_ERROR_BAD_ALLOC;
            return Err(Error::refused("aclmdlCreateConfigHandle", code));
        }
        Ok(Config(handle))
    }

    /// # Safety
    ///
    /// - The option has a value of the type `T`. If the value is an address, its memory lives until the load is over, and
    ///   the memory of a workspace or of weights until the model is unloaded.
    unsafe fn set<T: Copy>(&self, option: sys::aclmdlConfigAttr, value: T) -> Result<()> {
        let from = (&raw const value).cast::<c_void>();
        // SAFETY: live options, a readable value of that size, and the caller's contract.
        let code = unsafe { sys::aclmdlSetConfigOpt(self.0, option, from, size_of::<T>()) };
        check("aclmdlSetConfigOpt", code)
    }

    /// Sets an address and a size.
    ///
    /// # Safety
    ///
    /// - As for [`Config::set`].
    unsafe fn set_memory(
        &self,
        (address, size): (sys::aclmdlConfigAttr, sys::aclmdlConfigAttr),
        pointer: *const c_void,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: the value of an address is a pointer; the caller's contract.
        unsafe { self.set(address, pointer.expose_provenance()) }?;
        // SAFETY: the value of a size is a `size_t`.
        unsafe { self.set(size, bytes) }
    }
}

impl Drop for Config {
    fn drop(&mut self) {
        // SAFETY: this value owns the options.
        let code = unsafe { sys::aclmdlDestroyConfigHandle(self.0) };
        release::status_in_drop("aclmdlDestroyConfigHandle", code);
    }
}

impl<'t, 'dev, D: AnyDevice> Current<'t, 'dev, D> {
    /// Loads the model of a file (`aclmdlLoadFromFile`, pyACL `acl.mdl.load_from_file`) and reads its description
    /// (`aclmdlGetDesc`).
    ///
    /// ```
    /// use ascendcl::model::Blocking;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn load(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    ///     let model = current.load_model::<Blocking>("resnet50.onnx")?; // on a card a file of `atc`, `.om`
    ///     model.unload()
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Path`] for a path with a NUL. [`ModelMismatch::Sizes`] if the sizes of the inputs or outputs differ from
    /// run to run; [`Current::load_geared_model`] loads a model with gears. [`ErrorKind::Refused`] with 145002 if the file
    /// cannot be read, with 145006 if it is no model, and with 207000 if the backend cannot run it; the text gives the
    /// reason.
    #[doc(alias = "aclmdlLoadFromFile")]
    #[doc(alias = "aclmdlGetDesc")]
    #[doc(alias = "acl.mdl.load_from_file")]
    #[doc(alias = "acl.mdl.get_desc")]
    pub fn load_model<K: Kind>(self, path: impl AsRef<Path>) -> Result<Model<'t, 'dev, D, K>> {
        self.load_file::<K, NoGears>(path.as_ref())
    }

    /// Loads the model of a file that was compiled for several sizes (`aclmdlLoadFromFile`, pyACL
    /// `acl.mdl.load_from_file`), reads its description, and prepares each of its gears.
    ///
    /// `G` is the kind of the gears: [`BatchSize`](crate::model::BatchSize), [`ImageSize`](crate::model::ImageSize) or
    /// [`Dims`](crate::model::Dims). [`Model::gears`] returns them.
    ///
    /// For each gear, the call writes the gear into memory of its own and asks for the shapes of the outputs
    /// (`aclmdlSetDynamicBatchSize`, `aclmdlSetDynamicHWSize` or `aclmdlSetInputDynamicDims`; `aclmdlGetCurOutputDims`).
    ///
    /// ```
    /// use ascendcl::model::{BatchSize, Blocking};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn load(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    ///     let model = current.load_geared_model::<Blocking, BatchSize>("batches.om")?;
    ///     println!("{} batch sizes", model.gears().len());
    ///     model.unload()
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelMismatch::Gears`] if the model has no gears of this kind. [`ModelMismatch::Sizes`] if a size is unknown
    /// with a gear. Others as for [`Current::load_model`].
    pub fn load_geared_model<K: Kind, G: Gears>(
        self,
        path: impl AsRef<Path>,
    ) -> Result<Model<'t, 'dev, D, K, G>> {
        self.load_file::<K, G>(path.as_ref())
    }

    fn load_file<K: Kind, G: Sizing>(self, path: &Path) -> Result<Model<'t, 'dev, D, K, G>> {
        let name = c_path(path)?;
        let mut id = 0;
        // SAFETY: a C string, and `id` is valid for a write.
        let code = unsafe { sys::aclmdlLoadFromFile(name.as_ptr(), &raw mut id) };
        check("aclmdlLoadFromFile", code)?;
        self.loaded(id, None, None)
    }

    /// Loads a model from memory (`aclmdlLoadFromMem`, pyACL `acl.mdl.load_from_mem`) and reads its description
    /// (`aclmdlGetDesc`). The memory is not used after the call.
    ///
    /// ```
    /// use ascendcl::model::Blocking;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn load(current: Current<'_, '_, Npu<0>>, bytes: &[u8]) -> Result<()> {
    ///     current.load_model_from::<Blocking>(bytes)?.unload()
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelMismatch::Sizes`] if the sizes of the inputs or outputs differ from run to run. [`ErrorKind::Refused`] with
    /// 100000 if there are no bytes, with 145006 if they are no model, and with 207000 if the backend cannot run it; the
    /// text gives the reason.
    #[doc(alias = "aclmdlLoadFromMem")]
    #[doc(alias = "acl.mdl.load_from_mem")]
    pub fn load_model_from<K: Kind>(self, bytes: &[u8]) -> Result<Model<'t, 'dev, D, K>> {
        let mut id = 0;
        let from = bytes.as_ptr().cast::<c_void>();
        // SAFETY: `bytes` is readable, and `id` is valid for a write.
        let code = unsafe { sys::aclmdlLoadFromMem(from, bytes.len(), &raw mut id) };
        check("aclmdlLoadFromMem", code)?;
        self.loaded(id, None, None)
    }

    /// Loads a model with options (`aclmdlLoadWithConfig`, pyACL `acl.mdl.load_with_config`), and reads its description.
    ///
    /// `G` is [`NoGears`], or the kind of the gears, as for [`Current::load_geared_model`].
    ///
    /// ```
    /// use ascendcl::model::{Blocking, LoadOptions, ModelFile, NoGears};
    /// use ascendcl::stream::Priority;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn load(current: Current<'_, '_, Npu<0>>, file: &ModelFile) -> Result<()> {
    ///     let options = LoadOptions::new().priority(Priority::LEAST);
    ///     current.load_model_with::<Blocking, NoGears>(file, options)?.unload()
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelMismatch::Weights`] for weights of another file. [`ErrorKind::Refused`] with 145000 if the memory of an
    /// option is too small. Others as for [`Current::load_model_from`] and [`Current::load_geared_model`].
    #[doc(alias = "aclmdlLoadWithConfig")]
    #[doc(alias = "aclmdlLoadFromMemWithMem")]
    #[doc(alias = "aclmdlLoadFromFileWithMem")]
    #[doc(alias = "aclmdlSetConfigOpt")]
    #[doc(alias = "acl.mdl.load_with_config")]
    #[doc(alias = "acl.mdl.load_from_mem_with_mem")]
    #[doc(alias = "acl.mdl.load_from_file_with_mem")]
    #[doc(alias = "acl.mdl.set_config_opt")]
    pub fn load_model_with<K: Kind, G: Sizing>(
        self,
        file: &ModelFile,
        options: impl OfDevice<LoadOptions<'dev, D>>,
    ) -> Result<Model<'t, 'dev, D, K, G>> {
        let LoadOptions {
            priority,
            workspace,
            weights,
            ..
        } = options.into_inner();
        if weights
            .as_ref()
            .is_some_and(|weights| !Arc::ptr_eq(&weights.file.bytes, &file.bytes))
        {
            return Err(Usage::Model(ModelMismatch::Weights).into());
        }
        let weights = weights.map(|weights| weights.memory);
        let config = Config::new()?;
        let from = file.bytes.as_ptr().cast::<c_void>();
        let of_file = (sys::ACL_MDL_MEM_ADDR_PTR, sys::ACL_MDL_MEM_SIZET);
        // SAFETY: the value is a `size_t`. Without memory of the program this is a load from memory alone.
        unsafe {
            config.set(
                sys::ACL_MDL_LOAD_TYPE_SIZET,
                sys::ACL_MDL_LOAD_FROM_MEM_WITH_MEM,
            )
        }?;
        // SAFETY: the content lives longer than the load.
        unsafe { config.set_memory(of_file, from, file.bytes.len()) }?;
        if let Some(priority) = priority {
            // SAFETY: the value is an `int32_t`.
            unsafe { config.set(sys::ACL_MDL_PRIORITY_INT32, priority.get() as i32) }?;
        }
        let of_work = (
            sys::ACL_MDL_WORKSPACE_ADDR_PTR,
            sys::ACL_MDL_WORKSPACE_SIZET,
        );
        if let Some(memory) = &workspace {
            // SAFETY: the model owns the memory, and frees it after the unload.
            unsafe { config.set_memory(of_work, memory.at(0), memory.bytes) }?;
        }
        let of_weights = (sys::ACL_MDL_WEIGHT_ADDR_PTR, sys::ACL_MDL_WEIGHT_SIZET);
        if let Some(memory) = &weights {
            // SAFETY: the model shares the memory until the unload.
            unsafe { config.set_memory(of_weights, memory.at(0), memory.bytes) }?;
        }
        let mut id = 0;
        // SAFETY: live options, and `id` is valid for a write.
        let code = unsafe { sys::aclmdlLoadWithConfig(config.0, &raw mut id) };
        check("aclmdlLoadWithConfig", code)?;
        self.loaded(id, workspace, weights)
    }

    /// Returns the memory that a model needs on the device (`aclmdlQuerySizeFromMem`, pyACL
    /// `acl.mdl.query_size_from_mem`).
    ///
    /// ```
    /// use ascendcl::model::ModelFile;
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn print(current: Current<'_, '_, Npu<0>>, file: &ModelFile) -> Result<()> {
    ///     let size = current.query_model_size(file)?;
    ///     println!("{} bytes of workspace, {} bytes of weights", size.workspace, size.weights);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 100000 if the file is empty, with 145000 if it is no model, and with 207000 if the
    /// backend cannot run it.
    #[doc(alias = "aclmdlQuerySizeFromMem")]
    #[doc(alias = "aclmdlQuerySize")]
    #[doc(alias = "acl.mdl.query_size_from_mem")]
    #[doc(alias = "acl.mdl.query_size")]
    pub fn query_model_size(self, file: &ModelFile) -> Result<ModelSize> {
        let (mut workspace, mut weights) = (0, 0);
        let from = file.bytes.as_ptr().cast::<c_void>();
        // SAFETY: the content is readable, and both numbers are valid for writes.
        let code = unsafe {
            sys::aclmdlQuerySizeFromMem(
                from,
                file.bytes.len(),
                &raw mut workspace,
                &raw mut weights,
            )
        };
        check("aclmdlQuerySizeFromMem", code)?;
        Ok(ModelSize { workspace, weights })
    }

    /// Allocates memory for the weights of a file (`aclmdlQuerySizeFromMem`, `aclrtMalloc`). Loads by
    /// [`LoadOptions::weights`] fill it.
    ///
    /// ```
    /// use ascendcl::model::{LoadOptions, ModelFile, NoGears, Queueing};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn load_two(current: Current<'_, '_, Npu<0>>, file: &ModelFile) -> Result<()> {
    ///     let weights = current.malloc_weights(file)?; // the device has them once
    ///     let options = || LoadOptions::new().weights(&weights);
    ///     let first = current.load_model_with::<Queueing, NoGears>(file, options())?;
    ///     let second = current.load_model_with::<Queueing, NoGears>(file, options())?;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::query_model_size`] and [`Current::malloc`]: a model without weights needs no memory, and 0 bytes
    /// are no allocation.
    pub fn malloc_weights(self, file: &ModelFile) -> Result<Weights<'dev, D>> {
        let size = self.query_model_size(file)?;
        Ok(Weights {
            memory: Arc::new(Memory::of(self.malloc::<u8>(size.weights)?)),
            file: file.clone(),
            _device: DropUses::new(),
            _tag: PhantomData,
        })
    }

    /// Makes the value of a model that was loaded now, with the memory that it was given.
    fn loaded<K: Kind, G: Sizing>(
        self,
        id: u32,
        workspace: Option<Memory>,
        weights: Option<Arc<Memory>>,
    ) -> Result<Model<'t, 'dev, D, K, G>> {
        let allocate = |bytes| Ok(Memory::of(self.malloc::<u8>(bytes)?));
        match Loaded::new::<G>(id, allocate) {
            Ok(mut loaded) => {
                loaded.held.workspace = workspace;
                loaded.held.weights = weights;
                Ok(Model::new(loaded, self))
            }
            Err(error) => {
                // SAFETY: nothing else knows the model, and it has never run. Its memory is freed afterwards.
                let code = unsafe { unload(id) };
                release::status_in_drop("aclmdlUnload", code);
                Err(error)
            }
        }
    }
}
