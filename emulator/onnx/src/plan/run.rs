//! Runs of a plan.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::{Part, Plan, reads_inside};
use crate::dtype::DType;
use crate::fast;
use crate::guarded;
use crate::held::{Held, Operand};
use crate::own::call::Value;
use crate::own::control::{Scope, Values};

/// The values of a run, by the names that the graph has for them.
type All<'p> = HashMap<&'p str, Held, FxBuildHasher>;

impl Plan {
    /// Runs the graph with operands for its inputs, by name.
    pub(crate) fn run(&self, operands: Vec<(String, Operand)>) -> Result<Vec<Operand>, String> {
        let operands = operands.into_iter().map(|(name, held)| (name, held.0));
        let (names, held): (Vec<String>, Vec<Held>) = operands.unzip();
        let compute = || self.compute(names.iter().map(String::as_str).zip(held));
        // The threads of the engine are entered once, and not by each round of a loop.
        let outputs = match self.uses_engine {
            true => rten::thread_pool().run(compute)?,
            false => compute()?,
        };
        Ok(outputs.into_iter().map(Operand).collect())
    }

    /// Runs the graph inside of another one, with values for its inputs in their order.
    pub(crate) fn run_inside(
        &self,
        inputs: Vec<Held>,
        outer: &Scope<'_>,
    ) -> Result<Vec<Held>, String> {
        let (own, around) = self.graph.inputs.split_at(self.inputs);
        let around = around
            .iter()
            .filter_map(|port| Some((port, Held::of(outer.find(&port.name)?.clone()))));
        let all = own.iter().zip(inputs).chain(around);
        self.compute(all.map(|(port, held)| (&*port.name, held)))
    }

    fn compute<'p>(
        &'p self,
        inputs: impl Iterator<Item = (&'p str, Held)>,
    ) -> Result<Vec<Held>, String> {
        let count = self.graph.inputs.len() + self.graph.nodes.len();
        let mut values = All::with_capacity_and_hasher(count, FxBuildHasher);
        values.extend(inputs);
        for step in &self.steps {
            let done = step.part.as_ref().is_some_and(|part| {
                self.fits(&step.nodes, &mut values) && self.run_part(&**part, &mut values).is_some()
            });
            if !done {
                for number in &step.nodes {
                    self.run_node(*number, &mut values)?;
                }
            }
            for name in &step.last {
                values.remove(&**name);
            }
        }
        let mut outputs = Vec::with_capacity(self.graph.outputs.len());
        let mut ports = self.graph.outputs.iter();
        while let Some(port) = ports.next() {
            if let Some(constant) = self.constants.get(&port.name) {
                outputs.push(Held::of(constant.value()?));
                continue;
            }
            // An output can be named twice, and can be an input.
            let held = if ports.as_slice().iter().any(|later| later.name == port.name) {
                let held = values.get_mut(&*port.name);
                held.and_then(Held::own).map(Held::of)
            } else {
                values.remove(&*port.name)
            };
            outputs.push(held.ok_or_else(|| format!("`{}` has no value", port.name))?);
        }
        Ok(outputs)
    }

    /// Returns whether memory holds the result, if an operand has its sizes.
    fn fits(&self, nodes: &[usize], values: &mut All<'_>) -> bool {
        let [number] = nodes else {
            return true;
        };
        let node = self.graph.nodes.get(*number);
        let Some(node) = node.filter(|node| fast::takes_sizes(node)) else {
            return true;
        };
        let name = |index: usize| node.inputs.get(index);
        let shape = name(0).and_then(|name| match self.constants.get(name) {
            Some(constant) => constant.shape(),
            None => values.get(&**name)?.shape(),
        });
        let sizes =
            name(fast::place_of_sizes(node)).and_then(|name| match self.constants.get(name) {
                Some(constant) => constant.value().ok(),
                None => values.get_mut(&**name)?.own(),
            });
        match (shape, sizes) {
            (Some(shape), Some(Value::Tensor(sizes))) => fast::fits(node, &shape, &sizes.ints()),
            _ => false,
        }
    }

    /// Runs a part, unless an operand has no form of the engine or the part fails.
    fn run_part<'p>(&'p self, part: &'p dyn Part, values: &mut All<'p>) -> Option<()> {
        for name in part.inputs() {
            let kind = self
                .known
                .get(name)
                .and_then(|known| known.kind)
                .unwrap_or(DType::F32);
            let value = values.get_mut(&**name)?.fast()?;
            if !fast::has_kind(value, kind) {
                return None;
            }
        }
        let inputs: Option<Vec<_>> = part
            .inputs()
            .iter()
            .map(|name| values.get(&**name).and_then(|held| held.fast.as_ref()))
            .collect();
        let inputs = inputs?;
        let outputs = guarded(|| part.run(&inputs)).ok()?.ok()?;
        for (name, value) in part.outputs().iter().zip(outputs) {
            let kind = self
                .known
                .get(name)
                .and_then(|known| known.kind)
                .unwrap_or(DType::F32);
            let held = Held {
                kind,
                fast: Some(value),
                own: None,
            };
            values.insert(name, held);
        }
        Some(())
    }

    fn run_node<'p>(&'p self, number: usize, values: &mut All<'p>) -> Result<(), String> {
        let Some(node) = self.graph.nodes.get(number) else {
            return Ok(());
        };
        // A loop has such a node in each round.
        if let ("Identity", "", [from], [to]) = (
            &*node.op,
            &*node.domain,
            &node.inputs[..],
            &node.outputs[..],
        ) && let Some(value) = values.get(&**from).and_then(|held| held.own.clone())
        {
            values.insert(to, Held::of(value));
            return Ok(());
        }
        let mut near = Values::default();
        let inputs = node.inputs.iter().map(String::as_str);
        for name in inputs.chain(reads_inside(node.graphs().collect())) {
            if let Some(held) = values.get_mut(name) {
                near.extend(held.own().map(|value| (name, value)));
            } else if let Some(constant) = self.constants.get(name) {
                near.insert(name, constant.value()?);
            }
        }
        let scope = Scope {
            values: &near,
            outer: None,
            plans: self.inner.get(&number),
        };
        let results = guarded(|| scope.node(node, self.version))
            .map_err(|why| format!("{} `{}`: {why}", node.op, node.title()))??;
        for (name, value) in node.outputs.iter().zip(results) {
            values.insert(name, Held::of(value));
        }
        Ok(())
    }
}
