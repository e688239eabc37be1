//! Models whose numbers ask for more memory or time than a run can have: each is an error with the name of its operator.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use ascendcl_emulator::model::Array;

/// More than memory has and than a run can count to.
const MUCH: i64 = 1 << 40;

/// Appends a number of variable length.
fn number(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

/// Appends a field of bytes.
fn put(to: &mut Vec<u8>, field: u64, content: &[u8]) {
    number(to, field << 3 | 2);
    number(to, content.len() as u64);
    to.extend_from_slice(content);
}

/// Appends a field of a whole number.
fn put_int(to: &mut Vec<u8>, field: u64, value: i64) {
    number(to, field << 3);
    number(to, value.cast_unsigned());
}

/// An element type of ONNX.
const FLOAT: i64 = 1;
const U8: i64 = 2;
const I64: i64 = 7;
const BOOL: i64 = 9;

/// An operand of a node: its type, its shape, and its bytes in a run or, where it is a constant, in the file.
struct Operand {
    kind: i64,
    shape: Vec<usize>,
    bytes: Vec<u8>,
    is_constant: bool,
}

fn zeros(kind: i64, shape: &[usize]) -> Operand {
    let width = match kind {
        FLOAT => 4,
        I64 => 8,
        _ => 1,
    };
    Operand {
        kind,
        shape: shape.to_vec(),
        bytes: vec![0; width * shape.iter().product::<usize>()],
        is_constant: false,
    }
}

fn list(numbers: &[i64]) -> Operand {
    let bytes = numbers.iter().flat_map(|one| one.to_le_bytes()).collect();
    Operand {
        bytes,
        ..zeros(I64, &[numbers.len()])
    }
}

/// A value of an attribute.
enum Value<'a> {
    One(i64),
    List(&'a [i64]),
    Text(&'a str),
    Graph(Vec<u8>),
}

fn node(op: &str, inputs: &[&str], output: &str, attributes: &[(&str, Value<'_>)]) -> Vec<u8> {
    let mut node = Vec::new();
    for name in inputs {
        put(&mut node, 1, name.as_bytes());
    }
    put(&mut node, 2, output.as_bytes());
    put(&mut node, 4, op.as_bytes());
    for (name, value) in attributes {
        let mut one = Vec::new();
        put(&mut one, 1, name.as_bytes());
        let kind = match value {
            Value::One(value) => {
                put_int(&mut one, 3, *value);
                2
            }
            Value::Text(text) => {
                put(&mut one, 4, text.as_bytes());
                3
            }
            Value::Graph(graph) => {
                put(&mut one, 6, graph);
                5
            }
            Value::List(all) => {
                all.iter().for_each(|value| put_int(&mut one, 8, *value));
                7
            }
        };
        put_int(&mut one, 20, kind);
        put(&mut node, 5, &one);
    }
    node
}

/// A port with a type and, for inputs, as many open dimensions as the operand has.
fn port(name: &str, kind: i64, rank: Option<usize>) -> Vec<u8> {
    let (mut port, mut outer, mut inner) = (Vec::new(), Vec::new(), Vec::new());
    put_int(&mut inner, 1, kind);
    if let Some(rank) = rank {
        let mut shape = Vec::new();
        for at in 0..rank {
            let mut dim = Vec::new();
            put(&mut dim, 2, format!("{name}{at}").as_bytes());
            put(&mut shape, 1, &dim);
        }
        put(&mut inner, 2, &shape);
    }
    put(&mut outer, 1, &inner);
    put(&mut port, 1, name.as_bytes());
    put(&mut port, 2, &outer);
    port
}

/// A model with one node, whose operands have the names `x0`, `x1` and so on.
fn model(
    op: &str,
    operands: &[Operand],
    attributes: &[(&str, Value<'_>)],
    version: i64,
) -> Vec<u8> {
    let names: Vec<_> = (0..operands.len()).map(|at| format!("x{at}")).collect();
    let inputs: Vec<_> = names.iter().map(String::as_str).collect();
    let mut graph = Vec::new();
    put(&mut graph, 1, &node(op, &inputs, "y", attributes));
    for (name, operand) in names.iter().zip(operands) {
        if operand.is_constant {
            let mut weights = Vec::new();
            for dim in &operand.shape {
                put_int(&mut weights, 1, *dim as i64);
            }
            put_int(&mut weights, 2, operand.kind);
            put(&mut weights, 8, name.as_bytes());
            put(&mut weights, 9, &operand.bytes);
            put(&mut graph, 5, &weights);
        } else {
            put(
                &mut graph,
                11,
                &port(name, operand.kind, Some(operand.shape.len())),
            );
        }
    }
    put(
        &mut graph,
        12,
        &port("y", operands.first().map_or(FLOAT, |one| one.kind), None),
    );
    let (mut import, mut file) = (Vec::new(), Vec::new());
    put_int(&mut import, 2, version);
    put_int(&mut file, 1, 8);
    put(&mut file, 8, &import);
    put(&mut file, 7, &graph);
    file
}

/// Runs a model with one node, and returns why it is refused.
fn refusal(op: &str, operands: &[Operand], attributes: &[(&str, Value<'_>)]) -> String {
    let file = model(op, operands, attributes, 23);
    let network = match ascendcl_emulator_onnx::engine().read(&file) {
        Ok(network) => network,
        Err(why) => return why.to_string(),
    };
    let inputs = operands.iter().filter(|one| !one.is_constant);
    let inputs: Vec<_> = inputs
        .map(|one| Array {
            shape: &one.shape,
            bytes: &one.bytes,
        })
        .collect();
    match network.run(&inputs) {
        Ok(_) => panic!("{op} has a result"),
        Err(why) => why,
    }
}

#[test]
fn a_result_that_memory_does_not_hold_is_refused() {
    use Value::{List, One};
    let image = || zeros(FLOAT, &[1, 1, 2, 2]);
    let boxes = || zeros(FLOAT, &[1, 4]);
    let cases: &[(&str, Vec<Operand>, Vec<(&str, Value<'_>)>)] = &[
        ("Expand", vec![zeros(FLOAT, &[1]), list(&[MUCH])], vec![]),
        ("Expand", vec![zeros(U8, &[1]), list(&[MUCH])], vec![]),
        ("Tile", vec![zeros(FLOAT, &[2]), list(&[MUCH])], vec![]),
        ("Pad", vec![zeros(FLOAT, &[2]), list(&[0, MUCH])], vec![]),
        (
            "MatMul",
            vec![zeros(U8, &[1 << 15, 1]), zeros(U8, &[1, 1 << 15])],
            vec![],
        ),
        (
            "Add",
            vec![zeros(U8, &[1 << 15, 1]), zeros(U8, &[1, 1 << 15])],
            vec![],
        ),
        (
            "Conv",
            vec![image(), zeros(FLOAT, &[1, 1, 1, 1])],
            vec![("pads", List(&[0, 0, MUCH, 0]))],
        ),
        (
            "ConvTranspose",
            vec![image(), zeros(FLOAT, &[1, 1, 1, 1])],
            vec![("strides", List(&[MUCH, 1]))],
        ),
        (
            "ConvTranspose",
            vec![image(), zeros(FLOAT, &[1, 1, 1, 1])],
            vec![("output_shape", List(&[MUCH, 1]))],
        ),
        (
            "MaxPool",
            vec![image()],
            vec![
                ("kernel_shape", List(&[1, 1])),
                ("pads", List(&[0, 0, MUCH, 0])),
            ],
        ),
        (
            "Col2Im",
            vec![zeros(FLOAT, &[1, 1, 1]), list(&[MUCH, MUCH]), list(&[1, 1])],
            vec![],
        ),
        (
            "MaxUnpool",
            vec![image(), zeros(I64, &[1, 1, 2, 2]), list(&[1, 1, MUCH, 2])],
            vec![("kernel_shape", List(&[1, 1]))],
        ),
        (
            "RoiAlign",
            vec![image(), boxes(), zeros(I64, &[1])],
            vec![("output_height", One(MUCH))],
        ),
        (
            "TfIdfVectorizer",
            vec![zeros(I64, &[2])],
            vec![
                ("ngram_counts", List(&[0])),
                ("ngram_indexes", List(&[MUCH])),
                ("pool_int64s", List(&[1])),
            ],
        ),
        // Arrays without elements have sizes all the same.
        (
            "GRU",
            vec![
                zeros(FLOAT, &[1, 1, 1]),
                zeros(FLOAT, &[1, 0, 1]),
                zeros(FLOAT, &[1, 0, MUCH as usize]),
            ],
            vec![],
        ),
        (
            "Attention",
            vec![
                zeros(FLOAT, &[1, 1, 2]),
                zeros(FLOAT, &[1, 1, 2]),
                zeros(FLOAT, &[1, 1, 2]),
                zeros(FLOAT, &[1, 1]),
            ],
            vec![("q_num_heads", One(MUCH)), ("kv_num_heads", One(MUCH))],
        ),
        ("Softmax", vec![zeros(U8, &[MUCH as usize, 0])], vec![]),
    ];
    for (op, operands, attributes) in cases {
        let why = refusal(op, operands, attributes);
        assert!(!why.contains("defect"), "{op}: {why}");
    }
}

#[test]
fn a_computation_without_an_end_in_sight_is_refused() {
    use Value::{List, One, Text};
    const SIDE: i64 = 1 << 20;
    let image = || zeros(U8, &[1, 1, 8, 8]);
    let cases: &[(&str, Vec<Operand>, Vec<(&str, Value<'_>)>)] = &[
        (
            "MaxPool",
            vec![image()],
            vec![
                ("kernel_shape", List(&[SIDE, SIDE])),
                ("auto_pad", Text("SAME_UPPER")),
            ],
        ),
        (
            "RoiAlign",
            vec![
                zeros(FLOAT, &[1, 1, 2, 2]),
                zeros(FLOAT, &[1, 4]),
                zeros(I64, &[1]),
            ],
            vec![("sampling_ratio", One(MUCH))],
        ),
    ];
    for (op, operands, attributes) in cases {
        let why = refusal(op, operands, attributes);
        assert!(!why.contains("defect"), "{op}: {why}");
    }
}

/// A round of a loop that goes on.
fn going() -> Value<'static> {
    let mut body = Vec::new();
    put(&mut body, 1, &node("Identity", &["go"], "goes", &[]));
    for (name, kind) in [("round", I64), ("go", BOOL)] {
        put(&mut body, 11, &port(name, kind, Some(0)));
    }
    put(&mut body, 12, &port("goes", BOOL, Some(0)));
    Value::Graph(body)
}

#[test]
fn a_loop_asks_for_a_truth_value() {
    let operands = [zeros(I64, &[]), zeros(FLOAT, &[])];
    let why = refusal("Loop", &operands, &[("body", going())]);
    assert!(why.contains("its condition is no truth value"), "{why}");
}

#[test]
fn a_loop_of_constants_runs_when_the_model_runs() {
    let constant = |operand: Operand| Operand {
        is_constant: true,
        ..operand
    };
    let operands = [
        constant(Operand {
            bytes: i64::MAX.to_le_bytes().to_vec(),
            ..zeros(I64, &[])
        }),
        constant(Operand {
            bytes: vec![1],
            ..zeros(BOOL, &[])
        }),
    ];
    let file = model("Loop", &operands, &[("body", going())], 17);
    let read = ascendcl_emulator_onnx::engine().read(&file);
    assert!(read.is_ok(), "{:?}", read.err());
}

#[test]
fn operands_that_do_not_fit_are_refused_with_the_name_of_the_node() {
    let scale = || zeros(U8, &[1]);
    let operands = [zeros(U8, &[1, 3, 2, 2]), scale(), scale(), scale(), scale()];
    let why = refusal("BatchNormalization", &operands, &[]);
    assert!(why.starts_with("BatchNormalization `y`: "), "{why}");
}
