//! Layers beside our own operators, which compute in 64 bits.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeSet, HashSet};

use super::*;
use crate::dtype::DType;
use crate::fast::{tensor, value};
use crate::graph::{Attribute, Graph, Value as Port, Weights};
use crate::infer;
use crate::own::call::Value as Own;
use crate::own::control::run;
use crate::plan::Part as _;
use crate::tensor::Tensor;

/// The version of the operators.
const VERSION: i64 = 17;

/// A network from `x` to `y`.
#[derive(Default)]
struct Network {
    graph: Graph,
    seed: u64,
}

impl Network {
    /// Returns numbers between -1 and 1.
    fn numbers(&mut self, len: usize) -> Vec<f32> {
        let next = |_| {
            self.seed = self
                .seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (self.seed >> 40) as f32 / (1 << 23) as f32 - 1.0
        };
        (0..len).map(next).collect()
    }

    /// Adds constants, with their names and shapes.
    fn constants(mut self, all: &[(&str, &[usize])]) -> Self {
        for (name, shape) in all {
            let mut numbers = self.numbers(shape.iter().product());
            if name.starts_with("positive") {
                numbers.iter_mut().for_each(|one| *one = one.abs() + 0.5);
            }
            let mut weights = Weights::default();
            weights.name = (*name).to_owned();
            weights.kind = DType::F32.number();
            weights.shape = shape.to_vec();
            weights.bytes = numbers.into_iter().flat_map(f32::to_le_bytes).collect();
            self.graph.weights.push(weights);
        }
        self
    }

    /// Adds a node, as `output = operator inputs`, with attributes that are lists or single numbers.
    fn node(mut self, text: &str, attributes: &[(&str, &[i64])]) -> Self {
        let mut words = text.split(' ');
        let output = words.next().unwrap().to_owned();
        let op = words.nth(1).unwrap().to_owned();
        let inputs = words.map(str::to_owned).collect();
        let attributes = attributes.iter().map(|(name, all)| {
            let value = match all {
                [one] if !matches!(*name, "strides" | "dilations" | "kernel_shape") => {
                    Attribute::Whole(*one)
                }
                all => Attribute::Wholes(all.to_vec()),
            };
            ((*name).to_owned(), value)
        });
        self.graph.nodes.push(Node {
            op,
            inputs,
            outputs: vec![output],
            attributes: attributes.collect(),
            ..Node::default()
        });
        self
    }

    /// Runs the network as layers, outside of the threads of the engine and on them.
    fn runs_right(mut self, shape: &[usize]) {
        let numbers = self.numbers(shape.iter().product());
        let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
        let x = Tensor::float(DType::F32, shape, numbers);
        let port = |name: &str, rank: Option<usize>| Port {
            name: name.to_owned(),
            kind: Some(DType::F32.number()),
            shape: rank.map(|rank| vec![ascendcl_emulator::model::Dim::Fixed(1); rank]),
        };
        self.graph.inputs = vec![port("x", Some(shape.len()))];
        self.graph.outputs = vec![port("y", None)];
        let graph = &self.graph;
        let expected = run(graph, vec![x.clone().into()], None, VERSION).unwrap();
        let Some(Own::Tensor(expected)) = expected.first() else {
            unreachable!("an operator of images makes an array")
        };
        let mut known = infer::told(graph);
        let (mut layers, mut made) = (Vec::new(), HashSet::new());
        let constant = |name: &str| graph.weights.iter().find(|one| one.name == name);
        for node in &graph.nodes {
            infer::enter(&mut known, node, &|_| None);
            let floats = |name: &str| {
                let numbers = constant(name)?.tensor().ok()?;
                let all = numbers.floats().into_iter().map(|one| one as f32);
                Some((numbers.shape.clone(), all.collect()))
            };
            let given = Given {
                version: VERSION,
                known: &known,
                made: &made,
                floats: &floats,
                wholes: &|_| None,
            };
            let layer = read(node, &given);
            layers.push(layer.unwrap_or_else(|| unreachable!("{node:?} is no layer")));
            made.extend(node.outputs.iter().cloned());
        }
        let part = Part::new(layers, &BTreeSet::from(["y"]));
        let x = value(&x).unwrap();
        let alone = part.compute(&[&x]).unwrap();
        let found = tensor(DType::F32, &alone[0]).unwrap();
        assert_eq!(found.shape, expected.shape);
        let most = expected
            .floats()
            .iter()
            .fold(0.0, |most: f64, one| most.max(one.abs()));
        for (one, other) in found.floats().iter().zip(expected.floats()) {
            assert!(
                (one - other).abs() <= 1e-5 * most,
                "{one} and {other} of {most}"
            );
        }
        // A second run has the memory of the first one, and other threads.
        let together = rten::ThreadPool::with_num_threads(3).run(|| part.compute(&[&x]));
        let together = tensor(DType::F32, &together.unwrap()[0]).unwrap();
        assert_eq!(found.bytes(), together.bytes());
        assert_eq!(part.run(&[&x]).unwrap().len(), 1);
    }
}

fn network() -> Network {
    Network::default()
}

#[test]
fn convolutions_are_right() {
    type Attributes<'a> = &'a [(&'a str, &'a [i64])];
    let cases: &[(&[usize], &[usize], Attributes<'_>)] = &[
        (
            &[1, 3, 20, 21],
            &[8, 3, 7, 7],
            &[("strides", &[2, 2]), ("pads", &[3, 3, 3, 3])],
        ),
        (
            &[2, 5, 9, 11],
            &[40, 5, 3, 3],
            &[("pads", &[1, 0, 2, 3]), ("dilations", &[2, 3])],
        ),
        (&[2, 64, 7, 7], &[33, 64, 1, 1], &[]),
        (&[1, 40, 15, 13], &[24, 40, 1, 1], &[("strides", &[2, 3])]),
        // Runs that are longer than a chunk, and many chunks.
        (
            &[1, 300, 5, 6],
            &[17, 300, 3, 3],
            &[("pads", &[1, 1, 1, 1])],
        ),
        (&[1, 1, 4, 300], &[2, 1, 2, 299], &[]),
        // A window that is in the padding alone.
        (
            &[1, 300, 1, 1],
            &[17, 300, 1, 3],
            &[("strides", &[1, 5]), ("pads", &[0, 3, 0, 3])],
        ),
        // Narrow filters whose windows are far apart, in padding that no memory would hold, and one with wide gaps.
        (
            &[1, 3, 4, 5],
            &[8, 3, 2, 3],
            &[
                ("strides", &[1 << 20, 1 << 20]),
                ("pads", &[1 << 20, 1 << 20, 1 << 20, 1 << 20]),
            ],
        ),
        (
            &[1, 3, 7, 6],
            &[8, 3, 3, 3],
            &[("pads", &[12, 12, 12, 12]), ("dilations", &[12, 12])],
        ),
        // Groups: each channel, some of them, with lanes and without.
        (
            &[2, 20, 9, 8],
            &[20, 1, 3, 3],
            &[("group", &[20]), ("pads", &[1, 1, 1, 1])],
        ),
        (
            &[1, 70, 6, 6],
            &[70, 1, 5, 5],
            &[
                ("group", &[70]),
                ("strides", &[2, 1]),
                ("pads", &[4, 0, 4, 1]),
            ],
        ),
        (&[1, 24, 6, 6], &[12, 4, 3, 3], &[("group", &[6])]),
        (&[1, 8, 6, 6], &[96, 2, 3, 3], &[("group", &[4])]),
        (&[1, 64, 6, 6], &[64, 4, 1, 1], &[("group", &[16])]),
        (&[1, 6, 5, 5], &[18, 1, 3, 3], &[("group", &[6])]),
        // One dimension.
        (
            &[3, 2, 50],
            &[5, 2, 4],
            &[("strides", &[3]), ("dilations", &[2]), ("pads", &[5, 1])],
        ),
        (&[1, 16, 40], &[16, 1, 3], &[("group", &[16])]),
        // More pixels than a block, on several threads.
        (
            &[1, 48, 40, 40],
            &[48, 48, 3, 3],
            &[("pads", &[1, 1, 1, 1])],
        ),
    ];
    for (shape, filters, attributes) in cases {
        for has_bias in [false, true] {
            let bias: (&str, &[usize]) = ("b", &filters[..1]);
            let text = if has_bias {
                "y = Conv x w b"
            } else {
                "y = Conv x w"
            };
            let network = network().constants(&[("w", filters), bias]);
            network.node(text, attributes).runs_right(shape);
        }
    }
}

#[test]
fn what_follows_a_convolution_is_right() {
    let start = || {
        network()
            .constants(&[
                ("w", &[20, 3, 3, 3]),
                ("v", &[20, 20, 1, 1]),
                ("b", &[20]),
                ("one", &[20, 1, 1]),
                ("single", &[]),
                ("positive", &[20]),
                ("m", &[20, 7]),
                ("n", &[7]),
            ])
            .node("c = Conv x w b", &[("pads", &[1, 1, 1, 1])])
    };
    let shape = &[2, 3, 9, 10];
    for text in [
        "y = Relu c",
        "y = Clip c single",
        "y = LeakyRelu c",
        "y = Sigmoid c",
        "y = HardSigmoid c",
        "y = HardSwish c",
        "y = Identity c",
        "y = BatchNormalization c b positive b positive",
        "y = Add c one",
        "y = Mul one c",
        "y = Sub one c",
        "y = Div c positive2",
        "y = GlobalAveragePool c",
        "y = GlobalMaxPool c",
        "y = Flatten c",
        "y = Add c c",
    ] {
        let network = start().constants(&[("positive2", &[1, 20, 1, 1])]);
        network.node(text, &[]).runs_right(shape);
    }
    for op in ["MaxPool", "AveragePool"] {
        for extra in [&[][..], &[("count_include_pad", &[1][..])]] {
            let text = format!("y = {op} c");
            let sizes: &[(&str, &[i64])] = &[
                ("kernel_shape", &[3, 2]),
                ("strides", &[2, 1]),
                ("pads", &[1, 0, 1, 1]),
            ];
            start()
                .node(&text, &[sizes, extra].concat())
                .runs_right(shape);
        }
    }
    // Sums of what a convolution makes and of what was there before, in both orders, with a function behind.
    for sum in ["s = Add d r", "s = Add r d", "s = Add d c"] {
        start()
            .node("r = Relu c", &[])
            .node("d = Conv r v", &[])
            .node(sum, &[])
            .node("y = Relu s", &[])
            .runs_right(shape);
    }
    // A gate for each channel, and one for each pixel.
    start()
        .node("p = GlobalAveragePool c", &[])
        .node("g = Conv p v", &[])
        .node("h = Sigmoid g", &[])
        .node("y = Mul c h", &[])
        .runs_right(shape);
    // The product of a value and its sigmoid, of a convolution and of a sum.
    start()
        .node("r = Sigmoid c", &[])
        .node("s = Mul c r", &[])
        .node("t = Add s c", &[])
        .node("u = Sigmoid t", &[])
        .node("y = Mul u t", &[])
        .runs_right(shape);
    start()
        .node("n1 = BatchNormalization c b positive b positive", &[])
        .node("r = Relu n1", &[])
        .node("k = Concat r c r", &[("axis", &[1])])
        .node("p = GlobalAveragePool k", &[])
        .node("y = Flatten p", &[])
        .runs_right(shape);
    for text in ["y = Gemm f m n", "y = MatMul f m"] {
        start()
            .node("p = GlobalAveragePool c", &[])
            .node("f = Flatten p", &[])
            .node(text, &[])
            .runs_right(shape);
    }
}

#[test]
fn what_is_not_finite_stays_in_its_group() {
    let filters = Filters::new(&[4, 1, 1, 1], 2, &[1.0; 4], &[0.0; 4]).unwrap();
    let slide = Slide {
        node: Node::default(),
        version: VERSION,
        kernel: vec![1, 1],
    };
    let layer = Layer {
        kind: Kind::Conv(filters, slide),
        inputs: vec!["x".to_owned()],
        output: "y".to_owned(),
        beside: None,
        act: Act::NONE,
    };
    let part = Part::new(vec![layer], &BTreeSet::from(["y"]));
    let run = |first: f64| {
        let x = Tensor::float(DType::F32, &[1, 2, 1, 1], vec![first, 2.0]);
        part.run(&[&value(&x).unwrap()])
    };
    let found = tensor(DType::F32, &run(1.0).unwrap()[0]).unwrap();
    assert_eq!(found.floats(), [1.0, 1.0, 2.0, 2.0]);
    // Our own operators compute it then.
    assert!(run(f64::INFINITY).unwrap_err().contains("not finite"));
}

#[test]
fn functions_become_a_part_of_filters() {
    let node = |op: &str, inputs: &[&str], output: &str| Layer {
        kind: match op {
            "Conv" => {
                let filters = Filters::new(&[1, 1, 1, 1], 1, &[2.0], &[0.0]).unwrap();
                let slide = Slide {
                    node: Node::default(),
                    version: VERSION,
                    kernel: vec![1, 1],
                };
                Kind::Conv(filters, slide)
            }
            "Add" => Kind::Pair(Pair::Sum),
            _ => Kind::Act,
        },
        inputs: inputs.iter().map(|name| (*name).to_owned()).collect(),
        output: output.to_owned(),
        beside: None,
        act: if op == "Relu" { Act::RELU } else { Act::NONE },
    };
    let block = || {
        vec![
            node("Conv", &["x"], "a"),
            node("Relu", &["a"], "b"),
            node("Conv", &["b"], "c"),
            node("Add", &["c", "x"], "d"),
            node("Relu", &["d"], "y"),
        ]
    };
    let names = |layers: Vec<Layer>| -> Vec<String> {
        let text = |one: Layer| format!("{} {:?}", one.output, one.beside);
        layers.into_iter().map(text).collect()
    };
    let fused = fuse::fuse(block(), &BTreeSet::from(["y"]));
    assert_eq!(names(fused), ["b None", "y Some(\"x\")"]);
    // What others read stays.
    let fused = fuse::fuse(block(), &BTreeSet::from(["y", "a", "d"]));
    assert_eq!(
        names(fused),
        ["a None", "b None", "d Some(\"x\")", "y None"]
    );
}
