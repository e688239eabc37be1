//! How a graph is computed: parts of it as layers or by the engine rten, and the rest by operators of our own.
//!
//! Constants are computed when the model is loaded. What remains is put in an order with few changes between the three.
//! If a part is refused or fails, our own operators compute it. The graphs of branches and loops have plans, too.

mod run;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use crate::constant::Constant;
use crate::dtype::DType;
use crate::fast::{self, Fixed};
use crate::graph::{Attribute, Graph, Node, Value as Port};
use crate::guarded;
use crate::infer::{self, All};
use crate::layers::{self, Layer};
use crate::own::call::Value;
use crate::own::control::{Scope, Values};
use crate::own::refuse;

/// Nodes that are computed together, with values in the form of rten.
pub(crate) trait Part: Send + Sync {
    fn inputs(&self) -> &[String];
    fn outputs(&self) -> &[String];
    /// Runs the part with its inputs in their order.
    fn run(&self, inputs: &[&rten::Value]) -> Result<Vec<rten::Value>, String>;
}

/// How a node is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// When the model was loaded.
    Done,
    Own,
    Layers,
    Fast,
}

/// A step of a run.
struct Step {
    /// The nodes of the step, by their numbers: one, or those of the part.
    nodes: Vec<usize>,
    part: Option<Box<dyn Part>>,
    /// The values that no later step uses.
    last: Vec<String>,
}

/// The computation of a graph.
pub(crate) struct Plan {
    graph: Graph,
    version: i64,
    constants: Constants,
    steps: Vec<Step>,
    known: All,
    /// The graphs in attributes of nodes, by the numbers of the nodes and the names of the attributes.
    inner: HashMap<usize, Inner>,
    /// The number of inputs that the graph has itself. Those behind are values of the graph around it.
    inputs: usize,
    /// Whether parts run on the threads of the engine, those of the graphs inside included.
    uses_engine: bool,
}

/// Constants by their names.
type Constants = HashMap<String, Constant, FxBuildHasher>;

/// The computations of the graphs of a node, by the names of its attributes.
pub(crate) type Inner = HashMap<String, Plan>;

/// What the graph around a branch or a loop has.
struct Outer<'a> {
    known: &'a All,
    constants: &'a Constants,
}

/// Returns the names of all values that a node reads, those in its graphs included.
fn reads(node: &Node) -> HashSet<&str> {
    let mut all: HashSet<&str> = node.inputs.iter().map(String::as_str).collect();
    all.extend(reads_inside(node.graphs().collect()));
    all.remove("");
    all
}

/// Returns the names of all values that nodes of graphs read or that are outputs of these.
fn reads_inside(mut open: Vec<&Graph>) -> HashSet<&str> {
    let mut all = HashSet::new();
    while let Some(graph) = open.pop() {
        all.extend(graph.outputs.iter().map(|one| one.name.as_str()));
        for inner in &graph.nodes {
            all.extend(inner.inputs.iter().map(String::as_str));
            open.extend(inner.graphs());
        }
    }
    all.remove("");
    all
}

/// Whether a node may compute without an end: then a run does it, which a program can wait for with a limit, and not the load.
fn can_go_on(node: &Node) -> bool {
    let mut inner = node.graphs().flat_map(|graph| &graph.nodes);
    node.op == "Loop" || inner.any(can_go_on)
}

/// Refuses a node that neither the engine nor our own operators compute, also in the graphs of branches and loops.
fn check(node: &Node, version: i64, is_fast: bool) -> Result<(), String> {
    if let Some(why) = refuse(node, version).filter(|_| !is_fast) {
        return Err(format!("{} `{}`: {why}", node.op, node.title()));
    }
    let mut inner = node.graphs().flat_map(|graph| &graph.nodes);
    inner.try_for_each(|node| check(node, version, false))
}

impl Plan {
    pub(crate) fn new(graph: Graph, version: i64) -> Result<Plan, String> {
        let nothing = Outer {
            known: &All::default(),
            constants: &Constants::default(),
        };
        Plan::inside(graph, version, &nothing)
    }

    /// Makes the plan of a graph inside of another one. What it reads of that one are constants and further inputs.
    fn inside(mut graph: Graph, version: i64, outer: &Outer<'_>) -> Result<Plan, String> {
        let mut known = infer::told(&graph);
        let mut constants = Constants::default();
        for weights in std::mem::take(&mut graph.weights) {
            constants.insert(weights.name.clone(), Constant::File(Arc::new(weights)));
        }
        let inputs = graph.inputs.len();
        let outputs = graph.nodes.iter().flat_map(|node| &node.outputs);
        let own: HashSet<&String> = outputs
            .chain(constants.keys())
            .chain(graph.inputs.iter().map(|port| &port.name))
            .collect();
        let mut around = reads_inside(vec![&graph]);
        around.retain(|name| !own.iter().any(|own| own == name));
        let around: BTreeSet<String> = around.into_iter().map(str::to_owned).collect();
        for name in around {
            known.extend(outer.known.get(&name).map(|one| (name.clone(), *one)));
            if let Some(constant) = outer.constants.get(&name) {
                constants.insert(name, constant.clone());
            } else if outer.known.contains_key(&name) {
                graph.inputs.push(Port {
                    name,
                    ..Port::default()
                });
            }
        }
        let (mut ways, mut layers, mut made) = (Vec::new(), HashMap::new(), HashSet::new());
        let mut inner = HashMap::new();
        for (number, node) in graph.nodes.iter().enumerate() {
            let is_fixed = reads(node).iter().all(|name| constants.contains_key(*name));
            let is_constant = is_fixed && !node.op.starts_with("Random") && !can_go_on(node);
            if is_constant && refuse(node, version).is_none() {
                let results = guarded(|| fold(node, version, &constants))??;
                for (name, value) in node.outputs.iter().zip(results) {
                    if let Value::Tensor(tensor) = &value {
                        let new = infer::Known {
                            kind: Some(tensor.kind),
                            rank: Some(tensor.shape.len()),
                        };
                        known.insert(name.clone(), new);
                    }
                    constants.insert(name.clone(), Constant::Made(value));
                }
                ways.push(Way::Done);
                continue;
            }
            let list = |name: &str| match constants.get(name)?.value().ok()? {
                Value::Tensor(tensor) => Some(tensor.ints()),
                Value::Sequence(_) => None,
            };
            infer::enter(&mut known, node, &list);
            // The engine passes over attributes that it does not know.
            let is_known = refuse(node, version).is_none() || !node.domain.is_empty();
            let is_fast = is_known && fast::is_right(node, &known, version);
            check(node, version, is_fast)?;
            let plans = graphs_of(
                node,
                version,
                &Outer {
                    known: &known,
                    constants: &constants,
                },
            );
            inner.extend((!plans.is_empty()).then_some((number, plans)));
            let given = layers::Given {
                version,
                known: &known,
                made: &made,
                floats: &|name| constants.get(name)?.floats(),
                wholes: &list,
            };
            let layer = guarded(|| layers::read(node, &given)).ok().flatten();
            if let Some(layer) = layer.filter(|_| refuse(node, version).is_none()) {
                made.extend(node.outputs.iter().cloned());
                layers.insert(number, layer);
                ways.push(Way::Layers);
            } else {
                ways.push(if is_fast { Way::Fast } else { Way::Own });
            }
        }
        let mut plans = inner.values().flat_map(Inner::values);
        let uses_engine = plans.any(|plan| plan.uses_engine) || ways.contains(&Way::Fast);
        let mut plan = Plan {
            graph,
            version,
            constants,
            steps: Vec::new(),
            known,
            inner,
            inputs,
            uses_engine,
        };
        plan.order(ways, layers)?;
        plan.note_last_uses();
        Ok(plan)
    }

    /// Puts the nodes in an order: as many as possible of our own, then as many as possible of a part, and so on.
    fn order(
        &mut self,
        mut ways: Vec<Way>,
        mut layers: HashMap<usize, Layer>,
    ) -> Result<(), String> {
        let mut made: HashSet<String> = self.constants.keys().cloned().collect();
        made.extend(self.graph.inputs.iter().map(|port| port.name.clone()));
        let names: HashSet<&str> = self
            .graph
            .nodes
            .iter()
            .flat_map(|node| &node.outputs)
            .map(String::as_str)
            .collect();
        while ways.iter().any(|way| *way != Way::Done) {
            let mut has_moved = false;
            for turn in [Way::Own, Way::Layers, Way::Fast] {
                let mut taken = Vec::new();
                for (number, (node, way)) in self.graph.nodes.iter().zip(&mut ways).enumerate() {
                    // A name in an inner graph can be one of that graph.
                    let is_ready = || {
                        let direct = node
                            .inputs
                            .iter()
                            .all(|name| name.is_empty() || made.contains(name));
                        direct
                            && reads(node)
                                .iter()
                                .all(|name| made.contains(*name) || !names.contains(name))
                    };
                    if *way == turn && is_ready() {
                        *way = Way::Done;
                        made.extend(node.outputs.iter().cloned());
                        taken.push(number);
                    }
                }
                has_moved |= !taken.is_empty();
                let steps = match turn {
                    Way::Fast => {
                        let takes_sizes =
                            |at: &usize| self.graph.nodes.get(*at).is_some_and(fast::takes_sizes);
                        taken
                            .chunk_by(|one, next| !takes_sizes(one) && !takes_sizes(next))
                            .flat_map(|nodes| self.part(nodes.to_vec()))
                            .collect()
                    }
                    Way::Layers if !taken.is_empty() => {
                        let layers = taken.iter().filter_map(|at| layers.remove(at));
                        let part = layers::Part::new(layers.collect(), &self.results(&taken));
                        vec![step(taken, Some(Box::new(part)))]
                    }
                    _ => taken.into_iter().map(own_step).collect(),
                };
                self.steps.extend(steps);
            }
            if !has_moved {
                let mut waiting = self.graph.nodes.iter().zip(&ways);
                let first = waiting.find(|(_, way)| **way != Way::Done);
                let title = first.map_or("", |(node, _)| node.title());
                return Err(format!(
                    "an operand of `{title}` is made by no operator before it"
                ));
            }
        }
        let missing = self
            .graph
            .outputs
            .iter()
            .find(|port| !made.contains(&port.name));
        match missing {
            Some(port) => Err(format!("no operator makes the output `{}`", port.name)),
            None => Ok(()),
        }
    }

    /// Makes a part of the engine, or steps of our own if it refuses them.
    fn part(&self, numbers: Vec<usize>) -> Vec<Step> {
        let nodes: Vec<&Node> = numbers
            .iter()
            .filter_map(|at| self.graph.nodes.get(*at))
            .collect();
        let made: HashSet<&str> = nodes
            .iter()
            .flat_map(|node| &node.outputs)
            .map(String::as_str)
            .collect();
        let used: BTreeSet<&str> = nodes
            .iter()
            .flat_map(|node| &node.inputs)
            .map(String::as_str)
            .collect();
        let outside = |name: &&str| !name.is_empty() && !made.contains(name);
        let (mut inputs, mut contents) = (BTreeSet::new(), Vec::new());
        for name in used.into_iter().filter(outside) {
            match self.constants.get(name) {
                Some(constant) => contents.extend(constant.content().map(|one| (name, one))),
                None => {
                    inputs.insert(name);
                }
            }
        }
        let outputs = self.results(&numbers);
        let fixed = contents.iter().map(|(name, (kind, shape, bytes))| Fixed {
            name,
            kind: *kind,
            shape,
            bytes,
        });
        let fixed: Vec<_> = fixed.collect();
        let made = guarded(|| {
            fast::Part::new(
                &nodes,
                &fixed,
                &inputs,
                &outputs,
                (&self.known, self.version),
            )
        });
        match made {
            Ok(Ok(part)) => vec![step(numbers, Some(Box::new(part)))],
            // The reason is that of the engine; our own operators need none.
            _ => numbers.into_iter().map(own_step).collect(),
        }
    }

    /// Returns the values of these nodes that others read.
    fn results(&self, numbers: &[usize]) -> BTreeSet<&str> {
        let is_inside: HashSet<usize> = numbers.iter().copied().collect();
        let (inside, others): (Vec<_>, Vec<_>) = self
            .graph
            .nodes
            .iter()
            .enumerate()
            .partition(|(at, _)| is_inside.contains(at));
        let mut wanted: HashSet<&str> = others.iter().flat_map(|(_, node)| reads(node)).collect();
        wanted.extend(self.graph.outputs.iter().map(|port| port.name.as_str()));
        let made = inside.iter().flat_map(|(_, node)| &node.outputs);
        made.map(String::as_str)
            .filter(|name| wanted.contains(name))
            .collect()
    }

    fn note_last_uses(&mut self) {
        let mut later: HashSet<String> = self
            .graph
            .outputs
            .iter()
            .map(|port| port.name.clone())
            .collect();
        for step in self.steps.iter_mut().rev() {
            let nodes = step.nodes.iter().filter_map(|at| self.graph.nodes.get(*at));
            let names = nodes.flat_map(|node| {
                reads(node)
                    .into_iter()
                    .chain(node.outputs.iter().map(String::as_str))
            });
            let names: HashSet<String> = names.map(str::to_owned).collect();
            for name in names {
                if later.insert(name.clone()) {
                    step.last.push(name);
                }
            }
        }
    }
}

/// Makes the plans of the graphs in attributes of a node. One without a plan is run node by node.
fn graphs_of(node: &Node, version: i64, outer: &Outer<'_>) -> Inner {
    let plan = |graph: &Graph| {
        let mut graph = graph.clone();
        // Other nodes with graphs give them other values, or none.
        if matches!(node.op.as_str(), "Loop" | "Scan") {
            for (port, name) in graph.inputs.iter_mut().zip(&node.inputs) {
                let kind = outer.known.get(name).and_then(|known| known.kind);
                port.kind = port.kind.or(kind.map(DType::number));
            }
        }
        guarded(|| Plan::inside(graph, version, outer)).ok()?.ok()
    };
    let graphs = node.attributes.iter().filter_map(|(name, one)| match one {
        Attribute::Graph(graph) => Some((name.clone(), plan(graph)?)),
        _ => None,
    });
    graphs.collect()
}

fn own_step(number: usize) -> Step {
    step(vec![number], None)
}

fn step(nodes: Vec<usize>, part: Option<Box<dyn Part>>) -> Step {
    Step {
        nodes,
        part,
        last: Vec::new(),
    }
}

/// Computes a node whose operands are constants.
fn fold(node: &Node, version: i64, constants: &Constants) -> Result<Vec<Value>, String> {
    let mut near = Values::default();
    for name in reads(node) {
        if let Some(constant) = constants.get(name) {
            near.insert(name, constant.value()?);
        }
    }
    let scope = Scope {
        values: &near,
        outer: None,
        plans: None,
    };
    scope.node(node, version)
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]
mod tests {
    use super::*;
    use crate::held::operand;

    fn node(op: &str, inputs: &[&str], output: &str) -> Node {
        Node {
            op: op.to_owned(),
            inputs: inputs.iter().map(|name| (*name).to_owned()).collect(),
            outputs: vec![output.to_owned()],
            ..Node::default()
        }
    }

    fn graph(nodes: Vec<Node>, output: &str) -> Graph {
        let port = |name: &str| Port {
            name: name.to_owned(),
            kind: Some(DType::F32.number()),
            shape: None,
        };
        Graph {
            nodes,
            inputs: vec![port("x")],
            outputs: vec![port(output)],
            ..Graph::default()
        }
    }

    fn run(plan: &Plan, numbers: &[f32]) -> Vec<f32> {
        let bytes: Vec<u8> = numbers.iter().flat_map(|one| one.to_le_bytes()).collect();
        let x = operand(DType::F32, &[numbers.len()], &bytes).unwrap();
        let outputs = plan.run(vec![("x".to_owned(), x)]).unwrap();
        let (_, _, bytes) = outputs.into_iter().next().unwrap().content().unwrap();
        let (fours, _) = bytes.as_chunks();
        fours.iter().map(|four| f32::from_le_bytes(*four)).collect()
    }

    #[test]
    fn parts_of_the_engine_are_as_large_as_the_graph_allows() {
        let nodes = vec![
            node("Neg", &["x"], "a"),
            node("Sign", &["a"], "b"),
            node("Exp", &["x"], "c"),
            node("Mul", &["b", "c"], "d"),
            node("Abs", &["d"], "e"),
        ];
        let plan = Plan::new(graph(nodes, "e"), 17).unwrap();
        let steps: Vec<_> = plan
            .steps
            .iter()
            .map(|step| (step.nodes.clone(), step.part.is_some()))
            .collect();
        assert_eq!(
            steps,
            [(vec![0, 2], true), (vec![1], false), (vec![3, 4], true)]
        );
        assert_eq!(run(&plan, &[0.0, -0.0]), [0.0, 0.0]);
        let one = run(&plan, &[1.0]);
        assert!(
            (one.first().unwrap() - std::f32::consts::E).abs() < 1e-6,
            "{one:?}"
        );
    }

    #[test]
    fn the_body_of_a_loop_has_parts_that_read_values_around_it() {
        let with = |mut node: Node, name: &str, value| {
            node.attributes.insert(name.to_owned(), value);
            node
        };
        let number = |op, name: &str, value| with(node(op, &[], name), "value_int", value);
        let port = |name: &str| Port {
            name: name.to_owned(),
            ..Port::default()
        };
        let body = Graph {
            nodes: vec![
                node("Mul", &["state", "w"], "a"),
                node("Add", &["a", "x"], "b"),
                node("Identity", &["goes_on"], "still"),
            ],
            inputs: ["round", "goes_on", "state"].map(port).into(),
            outputs: ["still", "b", "b"].map(port).into(),
            ..Graph::default()
        };
        let mut repeat = node("Loop", &["rounds", "", "x"], "last");
        repeat.outputs.push("all".to_owned());
        let nodes = vec![
            number("Constant", "rounds", Attribute::Whole(3)),
            with(
                node("Constant", &[], "w"),
                "value_floats",
                Attribute::Floats(vec![2.0, -1.0]),
            ),
            with(repeat, "body", Attribute::Graph(Box::new(body))),
        ];
        let mut both = graph(nodes, "last");
        both.outputs.push(port("all"));
        let plan = Plan::new(both, 17).unwrap();
        let body = plan
            .inner
            .get(&2)
            .and_then(|plans| plans.get("body"))
            .unwrap();
        let parts: Vec<_> = body
            .steps
            .iter()
            .map(|step| (step.nodes.clone(), step.part.is_some()))
            .collect();
        assert_eq!(parts, [(vec![2], false), (vec![0, 1], true)]);
        assert_eq!(run(&plan, &[1.0, 2.0]), [15.0, 0.0]);
        assert_eq!(run(&plan, &[0.5, 0.0]), [7.5, 0.0]);
    }

    #[test]
    fn an_operator_of_an_old_version_is_refused_with_its_attribute() {
        let mut add = node("Add", &["x", "x"], "y");
        assert!(Plan::new(graph(vec![add.clone()], "y"), 6).is_ok());
        add.attributes
            .insert("broadcast".to_owned(), Attribute::Whole(1));
        let why = Plan::new(graph(vec![add], "y"), 6).err().unwrap();
        assert!(
            why.contains("Add `y`") && why.contains("attribute `broadcast`"),
            "{why}"
        );
    }

    #[test]
    fn a_graph_that_misses_a_value_is_refused() {
        let why = Plan::new(graph(vec![node("Neg", &["w"], "y")], "y"), 17)
            .err()
            .unwrap();
        assert!(why.contains("an operand of `y`"), "{why}");
        let why = Plan::new(graph(vec![node("Neg", &["x"], "y")], "z"), 17)
            .err()
            .unwrap();
        assert!(why.contains("the output `z`"), "{why}");
    }

    #[test]
    fn a_panic_becomes_a_sentence() {
        let said: Result<(), String> = guarded(|| std::panic::panic_any("a defect"));
        let expected = "its operands do not fit, or the engine has a defect: a defect";
        assert_eq!(said.unwrap_err(), expected);
    }
}
