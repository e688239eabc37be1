//! Joins layers: what follows filters becomes a part of them.

use std::collections::{BTreeSet, HashMap};

use super::act::Act;
use super::pairs::Pair;
use super::window::Each;
use super::{Kind, Layer};

/// Joins layers. The values of `outputs` stay.
pub(super) fn fuse(layers: Vec<Layer>, outputs: &BTreeSet<&str>) -> Vec<Layer> {
    let mut uses: HashMap<String, usize> = HashMap::new();
    let read = layers.iter().flat_map(Layer::reads);
    for name in read.chain(outputs.iter().copied()) {
        *uses.entry(name.to_owned()).or_default() += 1;
    }
    let mut list = List {
        layers: Vec::new(),
        places: HashMap::new(),
        uses,
    };
    for layer in layers {
        if let Some(layer) = list.join(layer) {
            list.places.insert(layer.output.clone(), list.layers.len());
            list.layers.push(Some(layer));
        }
    }
    list.layers.into_iter().flatten().collect()
}

struct List {
    layers: Vec<Option<Layer>>,
    /// The places of the layers by their results.
    places: HashMap<String, usize>,
    /// How often each value is read.
    uses: HashMap<String, usize>,
}

impl List {
    /// Returns the place of the layer that makes a value, which nothing but the caller reads and which has no function.
    fn open(&self, name: &str) -> Option<usize> {
        let place = *self.places.get(name)?;
        let layer = self.layers.get(place)?.as_ref()?;
        let is_open = self.uses.get(name) == Some(&1) && layer.act == Act::NONE;
        is_open.then_some(place)
    }

    /// Changes a layer, whose result gets another name.
    fn change(&mut self, place: usize, output: &str, change: impl FnOnce(&mut Layer)) {
        if let Some(Some(layer)) = self.layers.get_mut(place) {
            change(layer);
            layer.output = output.to_owned();
            self.places.insert(output.to_owned(), place);
        }
    }

    /// Makes a layer a part of former ones, or returns it.
    fn join(&mut self, layer: Layer) -> Option<Layer> {
        let first = layer.inputs.first()?.clone();
        match &layer.kind {
            Kind::Act => {
                let Some(place) = self.open(&first) else {
                    return Some(layer);
                };
                self.change(place, &layer.output, |to| to.act = layer.act);
            }
            Kind::Scale(by, plus) => {
                let scales = self.open(&first).is_some_and(|place| {
                    let to = self.layers.get_mut(place).and_then(Option::as_mut);
                    to.is_some_and(|to| to.beside.is_none() && scale(&mut to.kind, by, plus))
                });
                if !scales {
                    return Some(layer);
                }
                let place = self.open(&first)?;
                self.change(place, &layer.output, |_| {});
            }
            Kind::Pair(Pair::Sum) => {
                let second = layer.inputs.get(1)?.clone();
                let takes = |one: &str, other: &str| {
                    let place = self.open(one)?;
                    let to = self.layers.get(place)?.as_ref()?;
                    let filters = matches!(to.kind, Kind::Conv(..) | Kind::Dense(_));
                    // The other one has to be there before.
                    let is_before = self.places.get(other).is_none_or(|other| *other < place);
                    (filters && to.beside.is_none() && is_before).then_some(place)
                };
                let found = takes(&first, &second).map(|place| (place, &second));
                let found = found.or_else(|| Some((takes(&second, &first)?, &first)));
                let Some((place, other)) = found else {
                    return Some(layer);
                };
                let other = Some(other.clone());
                self.change(place, &layer.output, |to| to.beside = other);
            }
            Kind::Pair(Pair::Product) => return self.silu(layer),
            _ => return Some(layer),
        }
        None
    }

    /// Joins a product of a value and its sigmoid.
    fn silu(&mut self, layer: Layer) -> Option<Layer> {
        let [one, two] = &layer.inputs[..] else {
            return Some(layer);
        };
        let find = |value: &String, sigmoid: &String| {
            let place = *self.places.get(sigmoid)?;
            let found = self.layers.get(place)?.as_ref()?;
            let fits = matches!(found.kind, Kind::Act)
                && found.act == Act::Sigmoid
                && found.inputs.first() == Some(value)
                && self.uses.get(sigmoid) == Some(&1);
            fits.then(|| (place, value.clone()))
        };
        let Some((place, value)) = find(one, two).or_else(|| find(two, one)) else {
            return Some(layer);
        };
        if let Some(uses) = self.uses.get_mut(&value) {
            *uses -= 1;
        }
        if let Some(filters) = self.open(&value) {
            self.layers[place] = None;
            self.change(filters, &layer.output, |to| to.act = Act::Silu);
        } else {
            self.change(place, &layer.output, |to| to.act = Act::Silu);
        }
        None
    }
}

/// Multiplies the results of filters by numbers and adds others, if that is possible.
fn scale(kind: &mut Kind, by: &[f32], plus: &[f32]) -> bool {
    let of = |all: &[f32], at: usize| if all.len() == 1 { all[0] } else { all[at] };
    let fits = |len: usize| [by, plus].iter().all(|all| [1, len].contains(&all.len()));
    match kind {
        Kind::Conv(filters, _) | Kind::Dense(filters) if fits(filters.channels[1]) => {
            filters.scale(&|at| (of(by, at), of(plus, at)));
            true
        }
        Kind::Each(
            Each::Weighted {
                weights,
                bias,
                channels,
            },
            _,
        ) if fits(*channels) => {
            for at in 0..*channels {
                let (by, plus) = (of(by, at), of(plus, at));
                let taps = weights.iter_mut().skip(at).step_by(bias.len());
                taps.for_each(|one| *one *= by);
                bias[at] = bias[at] * by + plus;
            }
            true
        }
        _ => false,
    }
}
