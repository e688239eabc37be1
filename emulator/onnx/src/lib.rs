//! ONNX models in the AscendCL emulator.
//!
//! [`register`] makes the emulator run ONNX files by [rten](https://docs.rs/rten). With the feature `emulator-onnx` the crate
//! `ascendcl` and the C library call it themselves.
//!
//! ```
//! ascendcl_emulator_onnx::register();
//! # // A call of `aclmdlLoadFromFile` reads ONNX files from now on.
//! ```
//!
//! # What it runs
//!
//! Inputs and outputs have elements of the types `float`, `int64`, `int32`, `int8`, `uint8` or `bool`. The engine
//! computes whole numbers with 32 bits, so an `int64` beyond that is refused when the model runs. Weights have to be in
//! the file. A model with an operator that the engine computes wrongly is refused, with the name of the operator (the file
//! `refuse.rs` lists them).

/// The program of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod convert;
mod describe;
mod first;
mod refuse;
mod wire;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ascendcl_emulator::model::{
    self, Array, Description, Engine, Network, Output, Port, Unreadable,
};
use rten::{Model, NodeId, Value};
use rten_onnx::onnx::ModelProto;

/// Registers the engine with the emulator, unless it has an engine already. A second call changes nothing.
pub fn register() {
    model::register_default(Arc::new(Rten));
}

/// The engine.
#[derive(Debug)]
struct Rten;

impl Engine for Rten {
    fn read(&self, file: &[u8]) -> Result<Arc<dyn Network>, Unreadable> {
        let damaged = |why: &dyn std::fmt::Display| Unreadable::Damaged(why.to_string());
        // Before the decoder of the engine, which calls itself for each message in a message.
        let mut bytes = wire::File::read(file)?;
        let content = ModelProto::parse_buf(file).map_err(|error| damaged(&error))?;
        let description = describe::describe(&content)?;
        refuse::refuse(&content)?;
        // The engine has one list of names for operators and values.
        let values = describe::values(&content);
        bytes.clear_names(|name| values.contains(name));
        let bytes = first::replace(bytes, &content);
        let model = guarded(|| Model::load(bytes))
            .map_err(Unreadable::Unsupported)?
            .map_err(|error| Unreadable::Unsupported(error.to_string()))?;
        let find = |name: &String| {
            let missing = || Unreadable::Damaged(format!("the graph does not use `{name}`"));
            model.find_node(name).ok_or_else(missing)
        };
        let ids = |ports: &[Port]| -> Result<Vec<NodeId>, Unreadable> {
            ports.iter().map(|port| find(&port.name)).collect()
        };
        let inputs = ids(&description.inputs)?;
        let outputs = ids(&description.outputs)?;
        Ok(Arc::new(OnnxNetwork {
            model,
            inputs,
            outputs,
            description,
        }))
    }
}

/// Calls the engine. A panic of the engine becomes a sentence.
fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let said = format!("the engine has a defect: {}", text.unwrap_or("it panicked"));
        // Dropping the payload could panic again.
        std::mem::forget(panic);
        said
    })
}

/// An ONNX model.
struct OnnxNetwork {
    model: Model,
    inputs: Vec<NodeId>,
    outputs: Vec<NodeId>,
    description: Description,
}

impl Network for OnnxNetwork {
    fn description(&self) -> &Description {
        &self.description
    }

    fn run(&self, inputs: &[Array<'_>]) -> Result<Vec<Output>, String> {
        let mut values = Vec::new();
        for ((id, port), array) in self.inputs.iter().zip(&self.description.inputs).zip(inputs) {
            let value = convert::value(port, array)?;
            values.push((*id, value.into()));
        }
        let outputs = guarded(|| self.model.run(values, &self.outputs, None))?
            .map_err(|error| error.to_string())?;
        let ports = self.description.outputs.iter();
        ports
            .zip(outputs)
            .map(|(port, value): (_, Value)| convert::output(port, value))
            .collect()
    }
}
