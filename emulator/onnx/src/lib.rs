//! ONNX models in the AscendCL emulator.
//!
//! [`register`] makes the emulator run ONNX files. With the feature `emulator-onnx` the crate `ascendcl` and the C library
//! call it themselves.
//!
//! ```
//! ascendcl_emulator_onnx::register();
//! # // A call of `aclmdlLoadFromFile` reads ONNX files from now on.
//! ```
//!
//! # What it runs
//!
//! Inputs and outputs have element types that AscendCL has. Convolutions of `float` and what follows them are layers of our
//! own. [rten](https://docs.rs/rten) computes the other operators of networks of `float` that it computes right. Operators of
//! our own compute the rest, and what the two others fail at: slower, and as the standard says. A model with an operator or
//! attribute that none of them has is refused when it is loaded, with the name. Weights have to be in the file. A result of more
//! than 2^28 elements is an error of the run. The products that rten makes of two large operands are not compared with the memory.
//!
//! # What `atc` would have been told
//!
//! For `net.onnx` the file `net.onnx.atc` can have options as they are written behind the command `atc`, for instance
//!
//! ```text
//! --input_shape="image:1,3,224,224" --insert_op_conf=aipp.cfg
//! ```
//!
//! The shapes of inputs (`--input_shape`), gears (`--dynamic_batch_size`, `--dynamic_image_size`, `--dynamic_dims`) and the
//! preparation of pictures (`--insert_op_conf`, static, with crop, channels, colours, mean, scale and padding) count; options
//! of the compiler alone are passed over. The same names are read from the metadata of the ONNX file. A conversion of
//! colours drops the fraction. An input of pictures has the type `uint8`, and a shape with as many elements as bytes.

/// The program of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod aipp;
mod constant;
mod describe;
mod dtype;
mod fast;
mod graph;
mod held;
mod infer;
mod layers;
mod options;
mod own;
mod plan;
mod tensor;
mod wire;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ascendcl_emulator::model::{
    self, Array, Description, Engine, Network, Output, Port, Unreadable,
};
use ascendcl_sys::aclAippInfo;

use crate::dtype::DType;
use crate::plan::Plan;

/// Registers the engine with the emulator, unless it has an engine already. A second call changes nothing.
pub fn register() {
    model::register_default(engine());
}

/// Returns the engine, for a program that puts its own one before it.
#[must_use]
pub fn engine() -> Arc<dyn Engine> {
    Arc::new(Onnx)
}

/// The engine.
#[derive(Debug)]
struct Onnx;

impl Engine for Onnx {
    fn read(&self, file: &[u8]) -> Result<Arc<dyn Network>, Unreadable> {
        let mut content = graph::File::read(file)?;
        let pictures = options::apply(&mut content).map_err(Unreadable::Unsupported)?;
        let mut description = describe::describe(&content)?;
        let pictures = match pictures {
            Some(text) => {
                aipp::read(&text, &mut description.inputs).map_err(Unreadable::Unsupported)?
            }
            None => Vec::new(),
        };
        describe::forget_unknown(&mut description);
        // A file of other domains alone need not say the version of ONNX.
        let version = match content.version {
            0 => i64::MAX,
            version => version,
        };
        let plan = Plan::new(content.graph, version).map_err(Unreadable::Unsupported)?;
        Ok(Arc::new(OnnxNetwork {
            plan,
            description,
            pictures,
        }))
    }
}

/// Calls the engine or an operator. A panic becomes a sentence.
fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let text = text.unwrap_or("it panicked");
        let said = format!("its operands do not fit, or the engine has a defect: {text}");
        // Dropping the payload could panic again.
        std::mem::forget(panic);
        said
    })
}

/// An ONNX model.
struct OnnxNetwork {
    plan: Plan,
    description: Description,
    /// The inputs that are pictures, which are prepared for the graph.
    pictures: Vec<aipp::Pictures>,
}

impl Network for OnnxNetwork {
    fn description(&self) -> &Description {
        &self.description
    }

    fn prepares(&self, input: usize, info: Option<&mut aclAippInfo>) -> bool {
        let mut all = self.pictures.iter();
        let found = all.find(|pictures| pictures.input == input);
        if let (Some(pictures), Some(info)) = (found, info) {
            pictures.describe(info);
        }
        found.is_some()
    }

    fn run(&self, inputs: &[Array<'_>]) -> Result<Vec<Output>, String> {
        let mut operands = Vec::new();
        for (number, (port, array)) in self.description.inputs.iter().zip(inputs).enumerate() {
            if let Some(pictures) = self.pictures.iter().find(|one| one.input == number) {
                let (shape, bytes) = pictures.prepare(array.bytes);
                operands.push((
                    port.name.clone(),
                    held::operand(DType::F32, &shape, &bytes)?,
                ));
                continue;
            }
            let kind = DType::of_acl(port.data_type).ok_or_else(|| {
                format!("`{}` has elements of type {:?}", port.name, port.data_type)
            })?;
            let operand = held::operand(kind, array.shape, array.bytes)
                .map_err(|why| format!("`{}`: {why}", port.name))?;
            operands.push((port.name.clone(), operand));
        }
        let outputs = self.plan.run(operands)?;
        let ports = self.description.outputs.iter();
        ports
            .zip(outputs)
            .map(|(port, value)| output(port, value))
            .collect()
    }
}

/// Makes an output as the file describes it.
fn output(port: &Port, value: held::Operand) -> Result<Output, String> {
    let (kind, shape, bytes) = value.content()?;
    if kind.acl() != Some(port.data_type) {
        return Err(format!(
            "`{}` has become {}, and the file says {:?}",
            port.name,
            kind.name(),
            port.data_type
        ));
    }
    if let Some(told) = port
        .shape
        .as_ref()
        .filter(|told| !describe::fits(told, &shape))
    {
        return Err(format!(
            "the engine has made `{}` with the shape {shape:?}, and the file says {told:?}",
            port.name
        ));
    }
    Ok(Output { shape, bytes })
}
