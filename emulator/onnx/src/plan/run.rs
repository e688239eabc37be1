//! Runs of a plan.

use std::collections::HashMap;

use super::{Part, Plan, reads};
use crate::dtype::DType;
use crate::fast;
use crate::guarded;
use crate::held::{Held, Operand};
use crate::own::call::Value;
use crate::own::control::Scope;

impl Plan {
    /// Runs the graph with operands for its inputs, by name.
    pub(crate) fn run(&self, operands: Vec<(String, Operand)>) -> Result<Vec<Operand>, String> {
        let operands = operands
            .into_iter()
            .map(|(name, operand)| (name, operand.0));
        let compute = || self.compute(operands.collect());
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
        inputs: Vec<Value>,
        outer: &Scope<'_>,
    ) -> Result<Vec<Value>, String> {
        let (own, around) = self.graph.inputs.split_at(self.inputs);
        let around = around
            .iter()
            .filter_map(|port| Some((port, outer.find(&port.name)?.clone())));
        let all = own.iter().zip(inputs).chain(around);
        let all = all.map(|(port, value)| (port.name.clone(), Held::of(value)));
        let outputs = self
            .compute(all.collect())?
            .into_iter()
            .zip(&self.graph.outputs);
        outputs
            .map(|(mut held, port)| {
                let no_form = || format!("`{}` is of a type that these operators lack", port.name);
                held.own().ok_or_else(no_form)
            })
            .collect()
    }

    fn compute(&self, mut values: HashMap<String, Held>) -> Result<Vec<Held>, String> {
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
                values.remove(name);
            }
        }
        let mut outputs = Vec::new();
        let mut ports = self.graph.outputs.iter();
        while let Some(port) = ports.next() {
            if let Some(constant) = self.constants.get(&port.name) {
                outputs.push(Held::of(constant.value()?));
                continue;
            }
            // An output can be named twice, and can be an input.
            let held = if ports.as_slice().iter().any(|later| later.name == port.name) {
                values.get_mut(&port.name).and_then(Held::own).map(Held::of)
            } else {
                values.remove(&port.name)
            };
            outputs.push(held.ok_or_else(|| format!("`{}` has no value", port.name))?);
        }
        Ok(outputs)
    }

    /// Returns whether memory holds the result, if an operand has its sizes.
    fn fits(&self, nodes: &[usize], values: &mut HashMap<String, Held>) -> bool {
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
            None => values.get(name)?.shape(),
        });
        let sizes =
            name(fast::place_of_sizes(node)).and_then(|name| match self.constants.get(name) {
                Some(constant) => constant.value().ok(),
                None => values.get_mut(name)?.own(),
            });
        match (shape, sizes) {
            (Some(shape), Some(Value::Tensor(sizes))) => fast::fits(node, &shape, &sizes.ints()),
            _ => false,
        }
    }

    /// Runs a part, unless an operand has no form of the engine or the part fails.
    fn run_part(&self, part: &dyn Part, values: &mut HashMap<String, Held>) -> Option<()> {
        for name in part.inputs() {
            let kind = self
                .known
                .get(name)
                .and_then(|known| known.kind)
                .unwrap_or(DType::F32);
            let value = values.get_mut(name)?.fast()?;
            if !fast::has_kind(value, kind) {
                return None;
            }
        }
        let inputs: Option<Vec<_>> = part
            .inputs()
            .iter()
            .map(|name| values.get(name).and_then(|held| held.fast.as_ref()))
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
            values.insert(name.clone(), held);
        }
        Some(())
    }

    fn run_node(&self, number: usize, values: &mut HashMap<String, Held>) -> Result<(), String> {
        let Some(node) = self.graph.nodes.get(number) else {
            return Ok(());
        };
        let mut near = HashMap::new();
        for name in reads(node) {
            if let Some(held) = values.get_mut(name) {
                near.extend(held.own().map(|value| (name.to_owned(), value)));
            } else if let Some(constant) = self.constants.get(name) {
                near.insert(name.to_owned(), constant.value()?);
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
            values.insert(name.clone(), Held::of(value));
        }
        Ok(())
    }
}
