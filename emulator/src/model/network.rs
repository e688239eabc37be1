//! Engines: the libraries that compute what a model computes.
//!
//! The emulator does the work of AscendCL: ids, descriptions, data sets, checks, streams and memory. The computation
//! of a model is that of an engine, which a program or a library registers. The package `ascendcl-emulator-onnx` has one
//! for ONNX files. It is a package of its own, because an engine takes longer to build than the whole emulator.

use std::fmt;
use std::sync::Arc;

use ascendcl_sys::{aclAippInfo, aclDataType};

use crate::sync::{Mutex, lock};

/// The key under which the emulator adds the path of a file to its metadata, for options in a file beside it. A model that
/// was in memory has none.
pub const PATH_KEY: &str = "ascendcl.path";

/// Reads model files and makes networks of them.
pub trait Engine: Send + Sync {
    /// Reads a model from the content of an ONNX file. One that was loaded by its path has an entry of metadata more, the
    /// [`PATH_KEY`].
    ///
    /// # Errors
    ///
    /// [`Unreadable`], with a sentence for the caller of `aclmdlLoadFromFile`.
    fn read(&self, file: &[u8]) -> Result<Arc<dyn Network>, Unreadable>;
}

/// The reason why an engine does not read a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unreadable {
    /// The file is damaged.
    Damaged(String),
    /// The file is valid, and uses something that the engine does not have.
    Unsupported(String),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Damaged(text) => write!(f, "the file is damaged: {text}"),
            Unreadable::Unsupported(text) => write!(f, "the engine cannot run it: {text}"),
        }
    }
}

impl std::error::Error for Unreadable {}

/// A model that an engine has read. Several threads may run it at the same time.
pub trait Network: Send + Sync {
    /// Returns the description of the model.
    fn description(&self) -> &Description;

    /// Computes the outputs from the inputs. Both are in the order of the description.
    ///
    /// # Errors
    ///
    /// A sentence with the reason. The run of the model then fails with `ACL_ERROR_RT_MODEL_EXECUTE`.
    fn run(&self, inputs: &[Array<'_>]) -> Result<Vec<Output>, String>;

    /// Returns whether the network prepares the pictures of an input (AIPP), and describes it in `info`, whose bytes are zero
    /// before.
    fn prepares(&self, input: usize, info: Option<&mut aclAippInfo>) -> bool {
        let _ = (input, info);
        false
    }
}

/// The description of a model.
#[derive(Debug, Clone, Default)]
pub struct Description {
    /// The inputs.
    pub inputs: Vec<Port>,
    /// The outputs.
    pub outputs: Vec<Port>,
    /// The bytes of the weights.
    pub weight_bytes: usize,
    /// The metadata of the file: keys with their values. `dynamic_batch_size`, `dynamic_image_size` and `dynamic_dims`
    /// are the options of the same names of `atc`, the compiler of models for a card.
    pub metadata: Vec<(String, String)>,
}

/// An input or output of a model.
#[derive(Debug, Clone)]
pub struct Port {
    /// The name.
    pub name: String,
    /// The element type.
    pub data_type: aclDataType,
    /// The shape, if the file has one.
    pub shape: Option<Vec<Dim>>,
}

/// A dimension of an input or output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dim {
    /// The file has the number.
    Fixed(usize),
    /// The file has a name for the number, which can be empty.
    Named(String),
}

/// An input of a run.
#[derive(Debug, Clone, Copy)]
pub struct Array<'a> {
    /// The shape.
    pub shape: &'a [usize],
    /// The elements in the order of rows, without gaps.
    pub bytes: &'a [u8],
}

/// An output of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The shape.
    pub shape: Vec<usize>,
    /// The elements in the order of rows, without gaps.
    pub bytes: Vec<u8>,
}

static ENGINE: Mutex<Option<Arc<dyn Engine>>> = Mutex::new(None);

/// Registers the engine that reads the models of later loads. It replaces an engine that was registered before.
pub fn register(engine: Arc<dyn Engine>) {
    *lock(&ENGINE) = Some(engine);
}

/// Registers an engine if there is none. An engine that was registered before stays.
pub fn register_default(engine: Arc<dyn Engine>) {
    lock(&ENGINE).get_or_insert(engine);
}

/// Returns the registered engine.
pub(super) fn engine() -> Option<Arc<dyn Engine>> {
    lock(&ENGINE).clone()
}
