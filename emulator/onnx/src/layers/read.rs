//! Which nodes are layers, and the layers that they are.

use std::collections::HashSet;

use super::act::Act;
use super::conv::Filters;
use super::pairs::Pair;
use super::window::{Each, by_taps};
use super::{Kind, Layer, Slide};
use crate::dtype::DType;
use crate::graph::{Attribute, Node};
use crate::infer::All;

/// A constant of the type `float`: its shape and its numbers.
pub(crate) type Numbers = (Vec<usize>, Vec<f32>);

/// What is known when a node is read.
pub(crate) struct Given<'a> {
    pub(crate) version: i64,
    pub(crate) known: &'a All,
    /// The values that are made by layers.
    pub(crate) made: &'a HashSet<String>,
    /// Returns a constant of the type `float`.
    pub(crate) floats: &'a dyn Fn(&str) -> Option<Numbers>,
    /// Returns the whole numbers of a constant.
    pub(crate) wholes: &'a dyn Fn(&str) -> Option<Vec<i64>>,
}

/// Returns the layer that a node is, or `None` if it is none. A convolution is one always; what else has its operands from
/// layers, because the change of the form would cost more.
pub(crate) fn read(node: &Node, given: &Given<'_>) -> Option<Layer> {
    if !node.domain.is_empty() || node.outputs.len() != 1 {
        return None;
    }
    let reader = Reader { node, given };
    let (kind, act) = match node.op.as_str() {
        "Conv" => (reader.conv()?, Act::NONE),
        _ if !reader.is_made(0) && !reader.is_made(1) => return None,
        "Add" | "Sub" | "Mul" | "Div" => return reader.pair(),
        _ if !reader.is_made(0) => return None,
        "Relu" => (Kind::Act, Act::RELU),
        "Clip" => (Kind::Act, reader.clip()?),
        "LeakyRelu" => (Kind::Act, Act::Leaky(reader.float("alpha", 0.01))),
        "Sigmoid" => (Kind::Act, Act::Sigmoid),
        "HardSwish" => (Kind::Act, Act::HardSwish),
        "HardSigmoid" => {
            let numbers = (reader.float("alpha", 0.2), reader.float("beta", 0.5));
            (Kind::Act, Act::HardSigmoid(numbers.0, numbers.1))
        }
        "Identity" => (Kind::Act, Act::NONE),
        "MaxPool" => (reader.pool(Each::Most)?, Act::NONE),
        "AveragePool" => {
            let counts_outside = reader.whole("count_include_pad", 0) != 0;
            (reader.pool(Each::Mean { counts_outside })?, Act::NONE)
        }
        "GlobalAveragePool" | "GlobalMaxPool" => {
            let is_mean = node.op == "GlobalAveragePool";
            let rank = reader.rank(0).filter(|rank| *rank > 2)?;
            (Kind::Global { is_mean, rank }, Act::NONE)
        }
        "ReduceMean" => (reader.mean()?, Act::NONE),
        "BatchNormalization" => (reader.normal()?, Act::NONE),
        "Concat" => {
            let rank = reader.rank(0)? as i64;
            let is_channels = [1, 1 - rank].contains(&reader.whole("axis", 0));
            let all = (0..node.inputs.len()).all(|at| reader.is_made(at));
            (Kind::Concat, (is_channels && all).then_some(Act::NONE)?)
        }
        "Flatten" if reader.whole("axis", 1) == 1 => (Kind::Flat, Act::NONE),
        "Reshape" => (reader.flat()?, Act::NONE),
        "Gemm" | "MatMul" => (reader.dense()?, Act::NONE),
        _ => return None,
    };
    let inputs = if node.op == "Concat" {
        node.inputs.len()
    } else {
        1
    };
    Some(reader.layer(kind, &node.inputs[..inputs], act))
}

struct Reader<'a> {
    node: &'a Node,
    given: &'a Given<'a>,
}

impl Reader<'_> {
    fn layer(&self, kind: Kind, inputs: &[String], act: Act) -> Layer {
        Layer {
            kind,
            inputs: inputs.to_vec(),
            output: self.node.outputs[0].clone(),
            beside: None,
            act,
        }
    }

    fn name(&self, index: usize) -> Option<&str> {
        let name = self.node.inputs.get(index)?;
        (!name.is_empty()).then_some(name)
    }

    fn is_made(&self, index: usize) -> bool {
        self.name(index)
            .is_some_and(|name| self.given.made.contains(name))
    }

    fn rank(&self, index: usize) -> Option<usize> {
        let known = self.given.known.get(self.name(index)?)?;
        known.rank.filter(|_| known.kind == Some(DType::F32))
    }

    fn floats(&self, index: usize) -> Option<Numbers> {
        (self.given.floats)(self.name(index)?)
    }

    fn whole(&self, name: &str, otherwise: i64) -> i64 {
        match self.node.attributes.get(name) {
            Some(Attribute::Whole(one)) => *one,
            _ => otherwise,
        }
    }

    fn float(&self, name: &str, otherwise: f32) -> f32 {
        match self.node.attributes.get(name) {
            Some(Attribute::Float(one)) => *one,
            _ => otherwise,
        }
    }

    fn list(&self, name: &str) -> Option<Vec<i64>> {
        match self.node.attributes.get(name) {
            Some(Attribute::Wholes(all)) => Some(all.clone()),
            _ => None,
        }
    }

    fn slide(&self, kernel: &[usize]) -> Slide {
        Slide {
            node: Node {
                attributes: self.node.attributes.clone(),
                ..Node::default()
            },
            version: self.given.version,
            kernel: kernel.to_vec(),
        }
    }

    fn conv(&self) -> Option<Kind> {
        let rank = self.rank(0).filter(|rank| [3, 4].contains(rank))?;
        let (shape, weights) = self.floats(1)?;
        if shape.len() != rank {
            return None;
        }
        let results = *shape.first()?;
        let bias = match self.name(2) {
            Some(_) => self.floats(2)?.1,
            None => vec![0.0; results],
        };
        let slide = self.slide(&shape[2..]);
        let groups = usize::try_from(self.whole("group", 1)).ok()?;
        if groups == results && groups > 1 && shape[1] == 1 && bias.len() == results {
            let taps: usize = shape[2..].iter().product();
            let weighted = Each::Weighted {
                weights: by_taps(results, taps, &weights),
                bias: by_taps(results, 1, &bias),
                channels: results,
            };
            return Some(Kind::Each(weighted, slide));
        }
        let filters = Filters::new(&shape, groups, &weights, &bias)?;
        Some(Kind::Conv(filters, slide))
    }

    fn dense(&self) -> Option<Kind> {
        if self.rank(0)? != 2 || self.whole("transA", 0) != 0 {
            return None;
        }
        let (shape, mut weights) = self.floats(1)?;
        let [rows, columns] = shape[..] else {
            return None;
        };
        let results = if self.whole("transB", 0) != 0 {
            rows
        } else {
            let of = |at: usize| weights[at % rows * columns + at / rows];
            weights = (0..rows * columns).map(of).collect();
            columns
        };
        let (alpha, beta) = (self.float("alpha", 1.0), self.float("beta", 1.0));
        weights.iter_mut().for_each(|one| *one *= alpha);
        let bias = match self.name(2) {
            None => vec![0.0; results],
            Some(_) => match self.floats(2)? {
                (_, all) if all.len() == 1 => vec![all[0] * beta; results],
                (shape, all) if shape.last() == Some(&all.len()) && all.len() == results => {
                    all.iter().map(|one| one * beta).collect()
                }
                _ => return None,
            },
        };
        let given = (rows * columns).checked_div(results)?;
        let filters = Filters::new(&[results, given], 1, &weights, &bias)?;
        Some(Kind::Dense(filters))
    }

    fn pool(&self, each: Each) -> Option<Kind> {
        let kernel = self.list("kernel_shape")?;
        let kernel: Option<Vec<usize>> = kernel
            .into_iter()
            .map(|one| usize::try_from(one).ok())
            .collect();
        let kernel = kernel.filter(|all| !all.contains(&0))?;
        let fits = self.rank(0)? == kernel.len() + 2 && self.whole("ceil_mode", 0) == 0;
        fits.then(|| Kind::Each(each, self.slide(&kernel)))
    }

    fn mean(&self) -> Option<Kind> {
        let rank = self.rank(0).filter(|rank| *rank > 2)?;
        let axes = match self.name(1) {
            Some(name) => (self.given.wholes)(name)?,
            None => self.list("axes")?,
        };
        let places: HashSet<i64> = axes
            .iter()
            .map(|axis| axis.rem_euclid(rank as i64))
            .collect();
        if places != (2..rank as i64).collect() {
            return None;
        }
        let keeps = self.whole("keepdims", 1) != 0;
        Some(Kind::Global {
            is_mean: true,
            rank: if keeps { rank } else { 2 },
        })
    }

    fn normal(&self) -> Option<Kind> {
        if self.whole("training_mode", 0) != 0 || self.whole("spatial", 1) != 1 {
            return None;
        }
        let epsilon = self.float("epsilon", 1e-5);
        let all = |at: usize| Some(self.floats(at)?.1);
        let (scale, plus, mean, variance) = (all(1)?, all(2)?, all(3)?, all(4)?);
        let by: Vec<f32> = scale
            .iter()
            .zip(&variance)
            .map(|(one, variance)| one / (variance + epsilon).sqrt())
            .collect();
        let plus: Vec<f32> = plus
            .iter()
            .zip(mean.iter().zip(&by))
            .map(|(plus, (mean, by))| plus - mean * by)
            .collect();
        (by.len() == scale.len() && plus.len() == scale.len()).then_some(Kind::Scale(by, plus))
    }

    fn clip(&self) -> Option<Act> {
        let bound = |index: usize, name: &str, otherwise: f32| match self.name(index) {
            Some(_) => self.floats(index)?.1.first().copied(),
            None => Some(self.float(name, otherwise)),
        };
        let low = bound(1, "min", f32::NEG_INFINITY)?;
        Some(Act::Bounds(low, bound(2, "max", f32::INFINITY)?))
    }

    /// Reads a change to two dimensions, of which the first stays.
    fn flat(&self) -> Option<Kind> {
        let shape = (self.given.wholes)(self.name(1)?)?;
        (shape == [0, -1] && self.whole("allowzero", 0) == 0).then_some(Kind::Flat)
    }

    /// Reads a sum or product of two images, or of images and a constant for each channel.
    fn pair(&self) -> Option<Layer> {
        let pair = match self.node.op.as_str() {
            "Add" => Some(Pair::Sum),
            "Mul" => Some(Pair::Product),
            _ => None,
        };
        if self.is_made(0) && self.is_made(1) {
            let fits = self.rank(0)? == self.rank(1)?;
            let kind = Kind::Pair(pair.filter(|_| fits)?);
            return Some(self.layer(kind, &self.node.inputs[..2], Act::NONE));
        }
        let (image, other) = if self.is_made(0) { (0, 1) } else { (1, 0) };
        let (shape, numbers) = self.floats(other)?;
        let rank = self.rank(image)?;
        // The channels are the second dimension from the front.
        let place = shape.len().checked_sub(rank - 1);
        let mut dims = shape.iter().enumerate();
        let is_by_channel = dims.all(|(at, dim)| *dim == 1 || Some(at) == place);
        if shape.len() > rank || !is_by_channel {
            return None;
        }
        let one = vec![1.0];
        let changed = |change: fn(f32) -> f32| numbers.iter().map(|one| change(*one)).collect();
        let (by, plus) = match (self.node.op.as_str(), image) {
            ("Add", _) => (one, numbers),
            ("Mul", _) => (numbers, vec![0.0]),
            ("Sub", 0) => (one, changed(|one| -one)),
            ("Sub", _) => (vec![-1.0], numbers),
            ("Div", 0) => (changed(f32::recip), vec![0.0]),
            _ => return None,
        };
        let kind = Kind::Scale(by, plus);
        Some(self.layer(kind, &self.node.inputs[image..=image], Act::NONE))
    }
}
