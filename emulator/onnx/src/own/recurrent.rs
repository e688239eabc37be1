//! Recurrent networks.

use super::call::{Call, Many};
use super::math::{sigmoid, softplus};
use crate::tensor::{Tensor, count};

/// The kinds of recurrent networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell {
    Simple,
    Gated,
    Long,
}

type Activation = Box<dyn Fn(f64) -> f64>;

fn activation(name: &str, alpha: Option<f64>, beta: Option<f64>) -> Option<Activation> {
    let (a, b) = (alpha, beta);
    Some(match name.to_ascii_lowercase().as_str() {
        "sigmoid" => Box::new(sigmoid),
        "tanh" => Box::new(f64::tanh),
        "relu" => Box::new(|x| x.max(0.0)),
        "softsign" => Box::new(|x| x / (1.0 + x.abs())),
        "softplus" => Box::new(softplus),
        "affine" => Box::new(move |x| a.unwrap_or(1.0) * x + b.unwrap_or(0.0)),
        "leakyrelu" => Box::new(move |x| if x < 0.0 { a.unwrap_or(0.01) * x } else { x }),
        "thresholdedrelu" => Box::new(move |x| if x > a.unwrap_or(1.0) { x } else { 0.0 }),
        "elu" => Box::new(move |x| {
            if x < 0.0 {
                a.unwrap_or(1.0) * x.exp_m1()
            } else {
                x
            }
        }),
        "hardsigmoid" => {
            Box::new(move |x| (a.unwrap_or(0.2) * x + b.unwrap_or(0.5)).clamp(0.0, 1.0))
        }
        "scaledtanh" => Box::new(move |x| a.unwrap_or(1.0) * (b.unwrap_or(1.0) * x).tanh()),
        _ => return None,
    })
}

/// Adds the product of a row and the turned rows of a matrix.
fn add_product(to: &mut [f64], row: &[f64], matrix: &[f64]) {
    for (one, weights) in to.iter_mut().zip(matrix.chunks(row.len().max(1))) {
        *one += row.iter().zip(weights).map(|(a, b)| a * b).sum::<f64>();
    }
}

/// The weights of one direction.
struct Weights<'a> {
    w: &'a [f64],
    r: &'a [f64],
    b: Vec<f64>,
    peepholes: Option<&'a [f64]>,
    functions: &'a [Activation],
    clip: Option<f64>,
    hidden: usize,
}

impl Weights<'_> {
    fn apply(&self, function: usize, x: f64) -> f64 {
        let x = self.clip.map_or(x, |clip| x.clamp(-clip, clip));
        self.functions.get(function).map_or(x, |of| of(x))
    }

    /// Computes the next state of one sequence.
    fn step(&self, cell: Cell, call: &Call<'_>, x: &[f64], h: &mut [f64], c: &mut [f64]) {
        let n = self.hidden;
        let gates = self.b.len() / 2 / n;
        let mut from_x = self.b[..gates * n].to_vec();
        add_product(&mut from_x, x, self.w);
        let mut from_h = self.b[gates * n..].to_vec();
        add_product(&mut from_h, h, self.r);
        let sum = |gate: usize, at: usize| from_x[gate * n + at] + from_h[gate * n + at];
        match cell {
            Cell::Simple => {
                for (at, one) in h.iter_mut().enumerate() {
                    *one = self.apply(0, sum(0, at));
                }
            }
            Cell::Gated => {
                let z: Vec<f64> = (0..n).map(|at| self.apply(0, sum(0, at))).collect();
                let r: Vec<f64> = (0..n).map(|at| self.apply(0, sum(1, at))).collect();
                let hidden: Vec<f64> = if call.int("linear_before_reset", 0) != 0 {
                    (0..n).map(|at| r[at] * from_h[2 * n + at]).collect()
                } else {
                    let reset: Vec<f64> = h.iter().zip(&r).map(|(a, b)| a * b).collect();
                    let mut all = self.b[(gates + 2) * n..].to_vec();
                    add_product(&mut all, &reset, &self.r[2 * n * n..]);
                    all
                };
                for at in 0..n {
                    let new = self.apply(1, from_x[2 * n + at] + hidden[at]);
                    h[at] = (1.0 - z[at]) * new + z[at] * h[at];
                }
            }
            Cell::Long => {
                let peep =
                    |gate: usize, at: usize| self.peepholes.map_or(0.0, |all| all[gate * n + at]);
                for at in 0..n {
                    let i = self.apply(0, sum(0, at) + peep(0, at) * c[at]);
                    let f = if call.int("input_forget", 0) != 0 {
                        1.0 - i
                    } else {
                        self.apply(0, sum(2, at) + peep(2, at) * c[at])
                    };
                    let new = self.apply(1, sum(3, at));
                    c[at] = f * c[at] + i * new;
                    let o = self.apply(0, sum(1, at) + peep(1, at) * c[at]);
                    h[at] = o * self.functions.get(2).map_or(c[at], |of| of(c[at]));
                }
            }
        }
    }
}

/// `RNN`, `GRU` and `LSTM`.
pub(crate) fn network(call: &Call<'_>, cell: Cell) -> Many {
    let (x, w, r) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    let by_batch = call.int("layout", 0) != 0;
    let ([first, second, size], [directions, _, hidden]) = (&x.shape[..], &r.shape[..]) else {
        return Err(format!(
            "its operands have the shapes {:?} and {:?}",
            x.shape, r.shape
        ));
    };
    let (steps, batch) = if by_batch {
        (*second, *first)
    } else {
        (*first, *second)
    };
    let (size, directions, hidden) = (*size, *directions, *hidden);
    let names: Vec<String> = match call.attribute("activations") {
        Some(crate::graph::Attribute::Texts(all)) => all.clone(),
        _ => {
            let one: &[&str] = match cell {
                Cell::Simple => &["Tanh"],
                Cell::Gated => &["Sigmoid", "Tanh"],
                Cell::Long => &["Sigmoid", "Tanh", "Tanh"],
            };
            one.repeat(directions)
                .into_iter()
                .map(str::to_owned)
                .collect()
        }
    };
    let (alphas, betas) = (
        call.floats("activation_alpha"),
        call.floats("activation_beta"),
    );
    let at =
        |all: &Option<Vec<f64>>, place: usize| all.as_ref().and_then(|all| all.get(place)).copied();
    let mut functions = Vec::new();
    for (place, name) in names.iter().enumerate() {
        match activation(name, at(&alphas, place), at(&betas, place)) {
            Some(function) => functions.push(function),
            None => return call.refuse("activations", name),
        }
    }
    let per = functions.len() / directions.max(1);
    count(&[steps, directions, batch, hidden])?;
    let gates = match cell {
        Cell::Simple => 1,
        Cell::Gated => 3,
        Cell::Long => 4,
    };
    let (data, all_w, all_r) = (x.floats(), w.floats(), r.floats());
    let all_b = call.maybe(3).map(Tensor::floats);
    let lengths = call.maybe(4).map(Tensor::ints);
    let peepholes = call.maybe(7).map(Tensor::floats);
    let clip = call.attribute("clip").map(|_| call.float("clip", 0.0));
    let direction = call.text("direction", "forward");
    let state = |index: usize| -> Vec<f64> {
        let none = || vec![0.0; directions * batch * hidden];
        call.maybe(index).map_or_else(none, Tensor::floats)
    };
    let (first_h, first_c) = (state(5), state(6));
    let mut y = vec![0.0; steps * directions * batch * hidden];
    let mut last_h = vec![0.0; directions * batch * hidden];
    let mut last_c = last_h.clone();
    for way in 0..directions {
        let is_back = direction == "reverse" || way == 1;
        let part = |all: &[f64], len: usize| all[way * len..(way + 1) * len].to_vec();
        let (own_w, own_r) = (
            part(&all_w, gates * hidden * size),
            part(&all_r, gates * hidden * hidden),
        );
        let own_p = peepholes.as_ref().map(|all| part(all, 3 * hidden));
        let weights = Weights {
            w: &own_w,
            r: &own_r,
            b: all_b.as_ref().map_or_else(
                || vec![0.0; 2 * gates * hidden],
                |all| part(all, 2 * gates * hidden),
            ),
            peepholes: own_p.as_deref(),
            functions: &functions[way * per..(way + 1) * per],
            clip,
            hidden,
        };
        for item in 0..batch {
            // Where the state of this sequence is: the batch is the first dimension, or the second one.
            let place = if by_batch {
                item * directions + way
            } else {
                way * batch + item
            };
            let range = place * hidden..(place + 1) * hidden;
            let (mut h, mut c) = (
                first_h[range.clone()].to_vec(),
                first_c[range.clone()].to_vec(),
            );
            let len = lengths
                .as_ref()
                .and_then(|all| all.get(item))
                .map_or(steps, |len| *len as usize);
            for step in 0..len.min(steps) {
                let time = if is_back { len - 1 - step } else { step };
                let row = if by_batch {
                    item * steps + time
                } else {
                    time * batch + item
                };
                weights.step(
                    cell,
                    call,
                    &data[row * size..(row + 1) * size],
                    &mut h,
                    &mut c,
                );
                let to = if by_batch {
                    (item * steps + time) * directions + way
                } else {
                    (time * directions + way) * batch + item
                };
                y[to * hidden..(to + 1) * hidden].copy_from_slice(&h);
            }
            last_h[range.clone()].copy_from_slice(&h);
            last_c[range].copy_from_slice(&c);
        }
    }
    let (y_shape, h_shape) = if by_batch {
        (
            [batch, steps, directions, hidden],
            [batch, directions, hidden],
        )
    } else {
        (
            [steps, directions, batch, hidden],
            [directions, batch, hidden],
        )
    };
    let mut all = vec![
        Tensor::number(x.kind, &y_shape, y),
        Tensor::number(x.kind, &h_shape, last_h),
    ];
    if cell == Cell::Long {
        all.push(Tensor::number(x.kind, &h_shape, last_c));
    }
    Ok(all)
}
