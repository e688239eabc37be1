//! The content of an ONNX file.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use ascendcl_emulator::model::{Dim, Unreadable};

use crate::dtype::DType;
use crate::tensor::{Data, Tensor};
use crate::wire::{Content, fields};

/// The most graphs that lie in one another: those of branches and loops.
const DEPTH: usize = 16;

/// A model.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) graph: Graph,
    /// The version of the operators of ONNX.
    pub(crate) version: i64,
    pub(crate) metadata: Vec<(String, String)>,
    /// The domains of the operators, with their versions.
    pub(crate) domains: Vec<(String, i64)>,
}

/// A graph.
#[derive(Debug, Default, Clone)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) weights: Vec<Weights>,
    pub(crate) inputs: Vec<Value>,
    pub(crate) outputs: Vec<Value>,
    pub(crate) values: Vec<Value>,
}

/// What the file tells about a value.
#[derive(Debug, Default, Clone)]
pub(crate) struct Value {
    pub(crate) name: String,
    /// The number of the element type, if it is a tensor.
    pub(crate) kind: Option<i64>,
    pub(crate) shape: Option<Vec<Dim>>,
}

/// An operator at its place.
#[derive(Debug, Default, Clone)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) op: String,
    pub(crate) domain: String,
    pub(crate) inputs: Vec<String>,
    pub(crate) outputs: Vec<String>,
    pub(crate) attributes: BTreeMap<String, Attribute>,
}

/// The value of an attribute.
#[derive(Debug, Clone)]
pub(crate) enum Attribute {
    Float(f32),
    Whole(i64),
    Text(String),
    Floats(Vec<f32>),
    Wholes(Vec<i64>),
    Texts(Vec<String>),
    Tensor(Weights),
    Graph(Box<Graph>),
    Other,
}

/// A constant of the file.
#[derive(Debug, Default, Clone)]
pub(crate) struct Weights {
    pub(crate) name: String,
    pub(crate) kind: i64,
    pub(crate) shape: Vec<usize>,
    /// The elements in the order of a file; of texts `texts` has them.
    pub(crate) bytes: Vec<u8>,
    texts: Vec<String>,
    is_outside: bool,
    /// The array, once an operator of our own has used it.
    made: OnceLock<Arc<Tensor>>,
}

impl Weights {
    /// Returns the array. It is made once: the graph of a loop has it in each round.
    pub(crate) fn shared(&self) -> Result<Arc<Tensor>, String> {
        match self.made.get() {
            Some(made) => Ok(made.clone()),
            None => {
                let made = Arc::new(self.tensor()?);
                Ok(self.made.get_or_init(|| made).clone())
            }
        }
    }

    /// Makes the array.
    pub(crate) fn tensor(&self) -> Result<Tensor, String> {
        let kind = DType::of(self.kind).ok_or_else(|| {
            format!(
                "`{}` has elements of the ONNX type {}",
                self.name, self.kind
            )
        })?;
        if kind == DType::Text {
            return Ok(Tensor {
                kind,
                shape: self.shape.clone(),
                data: Data::Text(self.texts.clone()),
            });
        }
        let read = Tensor::read(kind, &self.shape, &self.bytes);
        read.map_err(|why| format!("`{}`: {why}", self.name))
    }
}

impl Node {
    /// Returns a name for messages: that of the node, or of its first output.
    pub(crate) fn title(&self) -> &str {
        let first = self.outputs.first().map_or("", String::as_str);
        if self.name.is_empty() {
            first
        } else {
            &self.name
        }
    }

    pub(crate) fn graphs(&self) -> impl Iterator<Item = &Graph> {
        self.attributes.values().filter_map(|one| match one {
            Attribute::Graph(graph) => Some(graph.as_ref()),
            _ => None,
        })
    }
}

impl File {
    /// Reads a file.
    pub(crate) fn read(bytes: &[u8]) -> Result<File, Unreadable> {
        let mut file = File::default();
        let mut graphs = 0;
        fields(bytes, |field| {
            match field.number {
                7 => {
                    graphs += 1;
                    file.graph = graph(field.content.bytes(), 0)?;
                }
                8 => {
                    let (domain, version) = pair(field.content, |content| content.whole())?;
                    if domain.is_empty() || domain == "ai.onnx" {
                        file.version = version;
                    }
                    file.domains.push((domain, version));
                }
                14 => {
                    let entry = pair(field.content, |content| content.text())?;
                    file.metadata.push(entry);
                }
                25 => {
                    return Err(Unreadable::Unsupported(
                        "it has functions of its own; write them out (`onnx.inliner.inline_local_functions`)"
                            .to_owned(),
                    ));
                }
                _ => {}
            }
            Ok(())
        })?;
        match graphs {
            1 => Ok(file),
            0 => Err(Unreadable::Damaged("the file has no graph".to_owned())),
            _ => Err(Unreadable::Damaged(format!(
                "it has {graphs} graphs, and can have one"
            ))),
        }
    }
}

/// Reads a message of a text (field 1) and something else (field 2).
fn pair<T: Default>(
    content: Content<'_>,
    second: impl Fn(Content<'_>) -> T,
) -> Result<(String, T), Unreadable> {
    let mut found = (String::new(), T::default());
    fields(content.bytes(), |field| {
        match field.number {
            1 => found.0 = field.content.text(),
            2 => found.1 = second(field.content),
            _ => {}
        }
        Ok(())
    })?;
    Ok(found)
}

fn graph(bytes: &[u8], depth: usize) -> Result<Graph, Unreadable> {
    if depth > DEPTH {
        let text = format!("it has more than {DEPTH} graphs inside of one another");
        return Err(Unreadable::Unsupported(text));
    }
    let mut graph = Graph::default();
    fields(bytes, |field| {
        let content = field.content.bytes();
        match field.number {
            1 => graph.nodes.push(node(content, depth)?),
            5 => {
                let weights = weights(content)?;
                if weights.is_outside {
                    return Err(Unreadable::Unsupported(
                        "its weights are in another file; export the model with its weights inside"
                            .to_owned(),
                    ));
                }
                graph.weights.push(weights);
            }
            11 => graph.inputs.push(value(content)?),
            12 => graph.outputs.push(value(content)?),
            13 => graph.values.push(value(content)?),
            15 => {
                return Err(Unreadable::Unsupported(
                    "it has sparse weights; export it with dense ones".to_owned(),
                ));
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(graph)
}

fn node(bytes: &[u8], depth: usize) -> Result<Node, Unreadable> {
    let mut node = Node::default();
    fields(bytes, |field| {
        let content = field.content;
        match field.number {
            1 => node.inputs.push(content.text()),
            2 => node.outputs.push(content.text()),
            3 => node.name = content.text(),
            4 => node.op = content.text(),
            5 => {
                let (name, value) = attribute(content.bytes(), depth)?;
                node.attributes.insert(name, value);
            }
            7 => node.domain = content.text(),
            _ => {}
        }
        Ok(())
    })?;
    if node.domain == "ai.onnx" {
        node.domain.clear();
    }
    Ok(node)
}

fn attribute(bytes: &[u8], depth: usize) -> Result<(String, Attribute), Unreadable> {
    let (mut name, mut kind, mut one) = (String::new(), 0, Attribute::Other);
    let (mut floats, mut wholes, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    fields(bytes, |field| {
        let content = field.content;
        match field.number {
            1 => name = content.text(),
            2 => {
                if let Content::Four(four) = content {
                    one = Attribute::Float(f32::from_le_bytes(four));
                }
            }
            3 => one = Attribute::Whole(content.whole()),
            4 => one = Attribute::Text(content.text()),
            5 => one = Attribute::Tensor(weights(content.bytes())?),
            6 => one = Attribute::Graph(Box::new(graph(content.bytes(), depth + 1)?)),
            7 => content.fixed(&mut floats),
            8 => content.wholes(&mut wholes)?,
            9 => texts.push(content.text()),
            20 => kind = content.whole(),
            _ => {}
        }
        Ok(())
    })?;
    let (fours, _) = floats.as_chunks();
    let floats: Vec<_> = fours.iter().map(|four| f32::from_le_bytes(*four)).collect();
    let value = match kind {
        1 if matches!(one, Attribute::Other) => Attribute::Float(0.0),
        2 if matches!(one, Attribute::Other) => Attribute::Whole(0),
        3 if matches!(one, Attribute::Other) => Attribute::Text(String::new()),
        6 => Attribute::Floats(floats),
        7 => Attribute::Wholes(wholes),
        8 => Attribute::Texts(texts),
        // Old files have no kind.
        0 if !floats.is_empty() => Attribute::Floats(floats),
        0 if !wholes.is_empty() => Attribute::Wholes(wholes),
        0 if !texts.is_empty() => Attribute::Texts(texts),
        _ => one,
    };
    Ok((name, value))
}

/// Reads a constant: a message `TensorProto`.
pub(crate) fn weights(bytes: &[u8]) -> Result<Weights, Unreadable> {
    let mut found = Weights::default();
    let (mut dims, mut raw, mut short, mut long, mut fixed) =
        (Vec::new(), None, Vec::new(), Vec::new(), Vec::new());
    fields(bytes, |field| {
        let content = field.content;
        match field.number {
            1 => content.wholes(&mut dims)?,
            2 => found.kind = content.whole(),
            4 | 10 => content.fixed(&mut fixed),
            5 => content.wholes(&mut short)?,
            6 => found.texts.push(content.text()),
            7 | 11 => content.wholes(&mut long)?,
            8 => found.name = content.text(),
            9 => raw = Some(content.bytes().to_vec()),
            14 => found.is_outside = content.whole() == 1,
            _ => {}
        }
        Ok(())
    })?;
    for dim in dims {
        let dim = usize::try_from(dim).map_err(|_| {
            Unreadable::Damaged(format!("`{}` has a dimension of {dim}", found.name))
        })?;
        found.shape.push(dim);
    }
    let bits = DType::of(found.kind).map_or(0, DType::bits);
    found.bytes = match raw {
        Some(raw) => raw,
        None if !fixed.is_empty() => fixed,
        None => {
            // A number of less than eight bits shares its byte with others, in one number of the list.
            let width = (bits / 8).max(1);
            let numbers = long.iter().chain(&short);
            let bytes = numbers.flat_map(|one| one.to_le_bytes().into_iter().take(width));
            bytes.collect()
        }
    };
    Ok(found)
}

fn value(bytes: &[u8]) -> Result<Value, Unreadable> {
    let mut found = Value::default();
    fields(bytes, |field| {
        match field.number {
            1 => found.name = field.content.text(),
            2 => fields(field.content.bytes(), |kind| {
                if kind.number == 1 {
                    (found.kind, found.shape) = tensor_type(kind.content.bytes())?;
                }
                Ok(())
            })?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(found)
}

fn tensor_type(bytes: &[u8]) -> Result<(Option<i64>, Option<Vec<Dim>>), Unreadable> {
    let mut found = (None, None);
    fields(bytes, |field| {
        match field.number {
            1 => found.0 = Some(field.content.whole()),
            2 => {
                let mut dims = Vec::new();
                fields(field.content.bytes(), |one| {
                    if one.number == 1 {
                        dims.push(dim(one.content.bytes())?);
                    }
                    Ok(())
                })?;
                found.1 = Some(dims);
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(found)
}

fn dim(bytes: &[u8]) -> Result<Dim, Unreadable> {
    let mut found = Dim::Named(String::new());
    fields(bytes, |field| {
        match field.number {
            1 => {
                if let Ok(number) = usize::try_from(field.content.whole()) {
                    found = Dim::Fixed(number);
                }
            }
            2 => found = Dim::Named(field.content.text()),
            _ => {}
        }
        Ok(())
    })?;
    Ok(found)
}
