//! Graphs: the order of their nodes, branches, loops, and sequences.

use std::collections::HashMap;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use super::call::{Call, One, Value};
use super::layout::{cut, join};
use crate::dtype::DType;
use crate::graph::{Attribute, Graph, Node};
use crate::held::{Held, values};
use crate::plan::Inner;
use crate::tensor::{Data, Tensor};

/// Values by their names.
pub(crate) type Values<'a> = HashMap<&'a str, Value, FxBuildHasher>;

/// The values of a graph, and those of the graphs around it.
pub(crate) struct Scope<'a> {
    pub(crate) values: &'a Values<'a>,
    pub(crate) outer: Option<&'a Scope<'a>>,
    /// The plans of the graphs of the node that is computed, as far as there are any.
    pub(crate) plans: Option<&'a Inner>,
}

impl Scope<'_> {
    pub(crate) fn find(&self, name: &str) -> Option<&Value> {
        let own = self.values.get(name);
        own.or_else(|| self.outer.and_then(|outer| outer.find(name)))
    }

    /// Computes a node.
    pub(crate) fn node(&self, node: &Node, version: i64) -> Result<Vec<Value>, String> {
        let mut inputs = Vec::new();
        for name in &node.inputs {
            inputs.push(if name.is_empty() {
                None
            } else {
                let value = self.find(name);
                let value = value.ok_or_else(|| format!("`{name}` has no value"));
                Some(value.map_err(|why| said(node, &why))?.clone())
            });
        }
        let call = Call {
            node,
            version,
            inputs,
            scope: self,
        };
        super::compute(&call).map_err(|why| said(node, &why))
    }

    /// Runs the graph in an attribute of a node. Values keep the form in which the last round of a loop has left them.
    fn graph(&self, call: &Call<'_>, name: &str, inputs: Vec<Held>) -> Result<Vec<Held>, String> {
        if let Some(plan) = self.plans.and_then(|plans| plans.get(name)) {
            return plan.run_inside(inputs, self);
        }
        let Some(Attribute::Graph(graph)) = call.attribute(name) else {
            return Err(format!("it has no graph `{name}`"));
        };
        let outputs = run(graph, values(inputs)?, Some(self), call.version)?;
        Ok(outputs.into_iter().map(Held::of).collect())
    }

    /// Runs the graph in an attribute of a node, which has one output.
    pub(crate) fn inner(&self, call: &Call<'_>, name: &str, inputs: &[Tensor]) -> One {
        let inputs = inputs.iter().cloned().map(held).collect();
        let outputs = self.graph(call, name, inputs)?;
        match values(outputs)?.into_iter().next() {
            Some(Value::Tensor(tensor)) => Ok(Arc::unwrap_or_clone(tensor)),
            _ => Err(format!("its graph `{name}` has no output")),
        }
    }
}

fn held(tensor: Tensor) -> Held {
    Held::of(tensor.into())
}

/// Names a node in a message.
fn said(node: &Node, why: &str) -> String {
    format!("{} `{}`: {why}", node.op, node.title())
}

/// Runs a graph.
pub(crate) fn run(
    graph: &Graph,
    inputs: Vec<Value>,
    outer: Option<&Scope<'_>>,
    version: i64,
) -> Result<Vec<Value>, String> {
    let mut values = Values::default();
    for weights in &graph.weights {
        values.insert(&weights.name, Value::Tensor(weights.shared()?));
    }
    for (port, value) in graph.inputs.iter().zip(inputs) {
        values.insert(&port.name, value);
    }
    for node in &graph.nodes {
        let scope = Scope {
            values: &values,
            outer,
            plans: None,
        };
        let results = scope.node(node, version)?;
        for (name, value) in node.outputs.iter().zip(results) {
            values.insert(name, value);
        }
    }
    let scope = Scope {
        values: &values,
        outer,
        plans: None,
    };
    let outputs = graph.outputs.iter().map(|port| {
        let found = scope.find(&port.name);
        found
            .cloned()
            .ok_or_else(|| format!("`{}` has no value", port.name))
    });
    outputs.collect()
}

pub(crate) fn branch(call: &Call<'_>) -> Result<Vec<Value>, String> {
    let is_true = call.scalar(0).is_some_and(|one| one != 0.0);
    let name = if is_true {
        "then_branch"
    } else {
        "else_branch"
    };
    values(call.scope.graph(call, name, Vec::new())?)
}

/// Returns whether a loop goes on with this condition.
fn is_true(condition: &Value) -> Result<bool, String> {
    match condition {
        Value::Tensor(tensor) => match &tensor.data {
            Data::Whole(all) => Ok(all.first().is_some_and(|one| *one != 0)),
            Data::Float(_) | Data::Text(_) => Err("its condition is no truth value".to_owned()),
        },
        _ => Err("its condition is no tensor".to_owned()),
    }
}

/// Joins the results of the rounds of a loop along a new first dimension.
fn stack(rounds: &[Value]) -> One {
    let mut all = Vec::new();
    for one in rounds {
        let Value::Tensor(one) = one else {
            return Err("it collects sequences".to_owned());
        };
        let shape = [&[1], &one.shape[..]].concat();
        all.push(Tensor::clone(one).shaped(&shape));
    }
    if all.is_empty() {
        return Ok(Tensor::float(DType::F32, &[0], Vec::new()));
    }
    join(&all.iter().collect::<Vec<_>>(), 0)
}

pub(crate) fn repeat(call: &Call<'_>) -> Result<Vec<Value>, String> {
    let most = call
        .maybe(0)
        .map(|most| most.ints().first().copied().unwrap_or(0));
    let condition = call.inputs.get(1).and_then(Option::as_ref);
    let mut goes_on = condition.map_or(Ok(true), is_true)?;
    let state = call.inputs.iter().skip(2).flatten().cloned();
    let mut state: Vec<Held> = state.map(Held::of).collect();
    let carried = state.len();
    let scans = call.node.outputs.len().saturating_sub(carried);
    let mut collected: Vec<Vec<Value>> = vec![Vec::new(); scans];
    let (mut round, is_on) = (0, Value::from(Tensor::bools(&[], [true])));
    while goes_on && most.is_none_or(|most| round < most) {
        let mut inputs = Vec::with_capacity(2 + carried);
        inputs.push(held(Tensor::whole(DType::I64, &[], vec![round.into()])));
        inputs.push(Held::of(is_on.clone()));
        inputs.append(&mut state);
        let mut results = call.scope.graph(call, "body", inputs)?.into_iter();
        let condition = results.next().and_then(|mut one| one.own());
        goes_on = is_true(&condition.ok_or("its body gives no condition")?)?;
        state = results.by_ref().take(carried).collect();
        collect(&mut collected, results)?;
        round += 1;
    }
    let mut outputs = values(state)?;
    for rounds in &collected {
        outputs.push(stack(rounds)?.into());
    }
    Ok(outputs)
}

/// Adds the results of a round to those of the rounds before it.
fn collect(
    collected: &mut [Vec<Value>],
    results: impl Iterator<Item = Held>,
) -> Result<(), String> {
    for (to, one) in collected.iter_mut().zip(results) {
        to.extend(values(vec![one])?);
    }
    Ok(())
}

pub(crate) fn scan(call: &Call<'_>) -> Result<Vec<Value>, String> {
    let scanned = call.int("num_scan_inputs", 1) as usize;
    let carried = call.inputs.len().saturating_sub(scanned);
    let flags = |name: &str, len: usize| call.ints(name).unwrap_or_else(|| vec![0; len]);
    let (axes, ways) = (
        flags("scan_input_axes", scanned),
        flags("scan_input_directions", scanned),
    );
    let state = call.inputs.iter().take(carried).flatten().cloned();
    let mut state: Vec<Held> = state.map(Held::of).collect();
    let mut rows: Vec<Vec<Tensor>> = Vec::new();
    for at in 0..scanned {
        let x = call.tensor(carried + at)?;
        let axis = super::call::place(axes[at], x.shape.len())?;
        let mut shape = x.shape.clone();
        shape.remove(axis);
        let parts = cut(x, axis, &vec![1; x.shape[axis]]);
        let mut parts: Vec<_> = parts.into_iter().map(|one| one.shaped(&shape)).collect();
        if ways[at] != 0 {
            parts.reverse();
        }
        rows.push(parts);
    }
    let outputs = call.node.outputs.len().saturating_sub(carried);
    let mut collected: Vec<Vec<Value>> = vec![Vec::new(); outputs];
    for round in 0..rows.first().map_or(0, Vec::len) {
        let mut inputs = state;
        for row in &rows {
            inputs.push(held(row[round].clone()));
        }
        let mut results = call.scope.graph(call, "body", inputs)?.into_iter();
        state = results.by_ref().take(carried).collect();
        collect(&mut collected, results)?;
    }
    let mut state = values(state)?;
    let (axes, ways) = (
        flags("scan_output_axes", outputs),
        flags("scan_output_directions", outputs),
    );
    for (at, mut rounds) in collected.into_iter().enumerate() {
        if ways[at] != 0 {
            rounds.reverse();
        }
        let all = stack(&rounds)?;
        let axis = super::call::place(axes[at], all.shape.len())?;
        let mut order: Vec<_> = (1..all.shape.len()).collect();
        order.insert(axis, 0);
        state.push(super::layout::permute(&all, &order).into());
    }
    Ok(state)
}

/// Returns a place in a sequence of `len` elements.
fn position(call: &Call<'_>, index: usize, len: usize) -> Result<usize, String> {
    let at = call
        .maybe(index)
        .map_or(-1, |at| at.ints().first().copied().unwrap_or(-1));
    let from_front = if at < 0 { at + len as i64 } else { at };
    usize::try_from(from_front).map_err(|_| format!("its position {at} is outside"))
}

pub(crate) fn sequence(call: &Call<'_>) -> Result<Vec<Value>, String> {
    let all = |index| call.sequence(index).map(<[_]>::to_vec);
    let outside = || "its position is outside".to_owned();
    Ok(vec![match call.node.op.as_str() {
        "SequenceEmpty" => Value::Sequence(Vec::new()),
        "SequenceConstruct" => {
            let parts = call.tensors()?.into_iter().cloned().map(Arc::new);
            Value::Sequence(parts.collect())
        }
        "SequenceAt" => {
            let all = all(0)?;
            let at = position(call, 1, all.len())?;
            Value::Tensor(all.get(at).ok_or_else(outside)?.clone())
        }
        "SequenceErase" => {
            let mut all = all(0)?;
            let at = position(call, 1, all.len())?;
            if at >= all.len() {
                return Err(outside());
            }
            all.remove(at);
            Value::Sequence(all)
        }
        "SequenceInsert" => {
            let mut all = all(0)?;
            let at = match call.maybe(2) {
                Some(_) => position(call, 2, all.len())?,
                None => all.len(),
            };
            if at > all.len() {
                return Err(outside());
            }
            all.insert(at, Arc::new(call.tensor(1)?.clone()));
            Value::Sequence(all)
        }
        _ => Tensor::list([all(0)?.len() as i64]).shaped(&[]).into(),
    }])
}

pub(crate) fn split_to_sequence(call: &Call<'_>) -> Result<Vec<Value>, String> {
    let x = call.tensor(0)?;
    let axis = call.axis(0, x.shape.len())?;
    let len = x.shape[axis];
    let given = call.maybe(1);
    let sizes: Vec<usize> = match given {
        None => vec![1; len],
        Some(size) if size.shape.is_empty() => {
            let size = call.scalar(1).unwrap_or(1.0).max(1.0) as usize;
            (0..len.div_ceil(size))
                .map(|at| size.min(len - at * size))
                .collect()
        }
        Some(sizes) => sizes.ints().into_iter().map(|one| one as usize).collect(),
    };
    let drops = given.is_none() && call.int("keepdims", 1) == 0;
    let parts = cut(x, axis, &sizes).into_iter().map(|mut one| {
        if drops {
            one.shape.remove(axis);
        }
        Arc::new(one)
    });
    Ok(vec![Value::Sequence(parts.collect())])
}

pub(crate) fn concat_from_sequence(call: &Call<'_>) -> One {
    let all = call.sequence(0)?;
    let is_new = call.int("new_axis", 0) != 0;
    let rank = all.first().map_or(0, |one| one.shape.len());
    let axis = call.axis(0, rank + usize::from(is_new))?;
    let parts: Vec<Tensor> = all
        .iter()
        .map(|one| {
            let mut one = Tensor::clone(one);
            if is_new {
                one.shape.insert(axis, 1);
            }
            one
        })
        .collect();
    join(&parts.iter().collect::<Vec<_>>(), axis)
}

/// `Optional`, `OptionalGetElement` and `OptionalHasElement`, for values that are there.
pub(crate) fn optional(call: &Call<'_>) -> Result<Vec<Value>, String> {
    let value = call.inputs.first().cloned().flatten();
    if call.node.op == "OptionalHasElement" {
        return Ok(vec![Tensor::bools(&[], [value.is_some()]).into()]);
    }
    value
        .map(|value| vec![value])
        .ok_or_else(|| "it has no element".to_owned())
}
