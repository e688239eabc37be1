//! An engine for tests: its models are a few bytes, and each computes something that a test can check by hand.

use std::sync::Arc;

use ascendcl_emulator::model::{
    Array, Description, Dim, Engine, Network, Output, Port, Unreadable, register,
};
use ascendcl_sys::{ACL_FLOAT, ACL_INT64, ACL_MAX_TENSOR_NAME_LEN, aclDataType};

/// The models, by the byte in their graph.
pub(crate) const SUM: u8 = 1;
pub(crate) const BATCH: u8 = 2;
pub(crate) const IMAGE: u8 = 3;
pub(crate) const DIMS: u8 = 4;
pub(crate) const FAILING: u8 = 5;
pub(crate) const UNSUPPORTED: u8 = 6;
pub(crate) const DAMAGED: u8 = 7;
pub(crate) const UNKNOWN: u8 = 8;
pub(crate) const LONG: u8 = 9;

/// Returns a file of a model: a version (field 1) and a graph of one byte (field 7).
pub(crate) fn file(model: u8) -> Vec<u8> {
    vec![1 << 3, 8, 7 << 3 | 2, 1, model]
}

/// Returns an offline model with this many bytes behind its header.
pub(crate) fn offline(behind: usize) -> Vec<u8> {
    let mut bytes = vec![0; 256 + behind];
    bytes[..4].copy_from_slice(b"IMOD");
    bytes[76..80].copy_from_slice(&(behind as u32).to_le_bytes());
    bytes
}

struct TestEngine;

/// Registers the engine.
pub(crate) fn start() {
    register(Arc::new(TestEngine));
}

impl Engine for TestEngine {
    fn read(&self, file: &[u8]) -> Result<Arc<dyn Network>, Unreadable> {
        let model = *file.last().unwrap();
        match model {
            UNSUPPORTED => Err(Unreadable::Unsupported(
                "the operator Loop is missing".to_owned(),
            )),
            DAMAGED => Err(Unreadable::Damaged("the graph ends too early".to_owned())),
            _ => Ok(Arc::new(TestNetwork(model, description(model)))),
        }
    }
}

fn port(name: &str, data_type: aclDataType, shape: &[Dim]) -> Port {
    Port {
        name: name.to_owned(),
        data_type,
        shape: Some(shape.to_vec()),
    }
}

fn description(model: u8) -> Description {
    let (n, h, w) = (
        Dim::Named("n".to_owned()),
        Dim::Named("h".to_owned()),
        Dim::Named("w".to_owned()),
    );
    let fixed = Dim::Fixed;
    let float = |name, shape: &[Dim]| port(name, ACL_FLOAT, shape);
    let option = |key: &str, value: &str| vec![(key.to_owned(), value.to_owned())];
    let (inputs, outputs, metadata) = match model {
        BATCH => (
            vec![float("x", &[n.clone(), fixed(4)])],
            vec![float("y", &[n, fixed(4)])],
            option("dynamic_batch_size", "1,2,4"),
        ),
        IMAGE => (
            vec![float("x", &[fixed(1), fixed(1), h.clone(), w.clone()])],
            // The file does not have the shape of the output.
            vec![Port {
                name: "y".to_owned(),
                data_type: ACL_FLOAT,
                shape: None,
            }],
            option("dynamic_image_size", "2,3;4,5"),
        ),
        DIMS => (
            vec![
                float("x", &[n.clone(), fixed(2)]),
                float("m", &[fixed(1), h]),
            ],
            vec![float("y", &[n, fixed(2)])],
            option("dynamic_dims", "1,3;2,5"),
        ),
        UNKNOWN => (
            vec![float("x", std::slice::from_ref(&n))],
            vec![float("y", &[n])],
            Vec::new(),
        ),
        LONG => (
            vec![port(
                &"x".repeat(ACL_MAX_TENSOR_NAME_LEN),
                ACL_INT64,
                &[const { Dim::Fixed(1) }; 129],
            )],
            vec![port(
                &"y".repeat(ACL_MAX_TENSOR_NAME_LEN - 1),
                ACL_INT64,
                &[],
            )],
            Vec::new(),
        ),
        _ => (
            vec![
                float("x", &[fixed(2), fixed(3)]),
                float("y", &[fixed(2), fixed(3)]),
            ],
            vec![float("sum", &[fixed(2), fixed(3)])],
            Vec::new(),
        ),
    };
    Description {
        inputs,
        outputs,
        weight_bytes: 1000,
        metadata,
    }
}

struct TestNetwork(u8, Description);

impl Network for TestNetwork {
    fn description(&self) -> &Description {
        &self.1
    }

    fn run(&self, inputs: &[Array<'_>]) -> Result<Vec<Output>, String> {
        if self.0 == FAILING {
            return Err("a value is out of its range".to_owned());
        }
        let floats = |array: &Array<'_>| -> Vec<f32> {
            array
                .bytes
                .chunks_exact(4)
                .map(|four| f32::from_le_bytes(four.try_into().unwrap()))
                .collect()
        };
        let first = floats(&inputs[0]);
        // The sum of both inputs, or twice the only one.
        let second = match inputs.get(1) {
            Some(second) if second.shape == inputs[0].shape => floats(second),
            _ => first.clone(),
        };
        let sums = first.iter().zip(&second).map(|(left, right)| left + right);
        Ok(vec![Output {
            shape: inputs[0].shape.to_vec(),
            bytes: sums.flat_map(f32::to_le_bytes).collect(),
        }])
    }
}
