//! Layers of convolutional networks of `float`: convolutions, what follows them, and pooling.
//!
//! The engine rten copies the numbers under each window into a matrix, and channels are far from each other in its memory.
//! Here the channels of a pixel are next to each other, filters are packed when the model is loaded, and functions and sums
//! that follow a convolution are computed while its results are in the caches. A part of a graph enters this form once and
//! leaves it once.
//!
//! `read` makes layers of nodes, and says of which; `fuse` joins them. `map` has images, `product` the product of pixels and
//! filters, `conv` convolutions, `window` what treats each channel by itself, `pairs` sums and products of images, and `act`
//! functions of one number.

#![expect(
    clippy::indexing_slicing,
    reason = "indices come from shapes that were compared; the panic of a mistake makes our own operators compute (`guarded`)"
)]

mod act;
mod conv;
mod fuse;
mod map;
mod pairs;
mod product;
mod read;
mod tile;
mod window;

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rten::Value;

use crate::graph::Node;
use act::Act;
use conv::Filters;
use map::{Map, Room};
use pairs::Pair;
use window::{Each, axes};

pub(crate) use read::{Given, Numbers, read};

/// A layer.
pub(crate) struct Layer {
    kind: Kind,
    inputs: Vec<String>,
    output: String,
    /// The images that are added to the result of filters before its function.
    beside: Option<String>,
    act: Act,
}

/// What a layer computes.
enum Kind {
    /// A convolution, with the sizes of its window.
    Conv(Filters, Slide),
    /// A matrix times filters.
    Dense(Filters),
    /// A convolution of each channel by itself, or pooling.
    Each(Each, Slide),
    /// The mean or the most of an image, with this number of dimensions.
    Global {
        is_mean: bool,
        rank: usize,
    },
    /// Multiplies each channel by a number and adds another. One number is that of all channels.
    Scale(Vec<f32>, Vec<f32>),
    Pair(Pair),
    Concat,
    Flat,
    /// The function alone.
    Act,
}

/// The window of a node.
struct Slide {
    node: Node,
    version: i64,
    kernel: Vec<usize>,
}

/// A part of a graph that consists of layers.
pub(crate) struct Part {
    layers: Vec<Layer>,
    /// The values that no later layer uses, for each layer.
    last: Vec<Vec<String>>,
    inputs: Vec<String>,
    outputs: Vec<String>,
    /// The memory of former runs.
    room: Mutex<Vec<Room>>,
    /// The number of multiplications of the last run.
    work: AtomicUsize,
}

impl Part {
    /// Makes a part of layers, which has to return these values.
    pub(crate) fn new(layers: Vec<Layer>, outputs: &BTreeSet<&str>) -> Part {
        let layers = fuse::fuse(layers, outputs);
        let made: HashSet<&str> = layers.iter().map(|one| &*one.output).collect();
        let used: BTreeSet<&str> = layers.iter().flat_map(Layer::reads).collect();
        let inputs = used.into_iter().filter(|name| !made.contains(name));
        let inputs: Vec<String> = inputs.map(str::to_owned).collect();
        let mut later: HashSet<String> = outputs.iter().map(|one| (*one).to_owned()).collect();
        let mut last = Vec::new();
        for layer in layers.iter().rev() {
            let names = layer.reads().chain([&*layer.output]).map(str::to_owned);
            last.push(names.filter(|name| later.insert(name.clone())).collect());
        }
        last.reverse();
        Part {
            layers,
            last,
            inputs,
            outputs: outputs.iter().map(|one| (*one).to_owned()).collect(),
            room: Mutex::default(),
            work: AtomicUsize::new(usize::MAX),
        }
    }

    fn compute(&self, inputs: &[&Value]) -> Result<Vec<Value>, String> {
        let rooms = || self.room.lock().unwrap_or_else(PoisonError::into_inner);
        let mut room = rooms().pop().unwrap_or_default();
        let mut maps: HashMap<&str, Map> = HashMap::new();
        for (name, value) in self.inputs.iter().zip(inputs) {
            let map = Map::of_value(&mut room, value);
            let map = map.ok_or_else(|| format!("`{name}` is no image"))?;
            maps.insert(name, map);
        }
        let mut work = 0;
        for (layer, last) in self.layers.iter().zip(&self.last) {
            let result = layer.run(&mut room, &mut maps, last)?;
            work += layer.work(&result);
            maps.insert(&layer.output, result);
            for name in last {
                if let Some(map) = maps.remove(&**name) {
                    room.put(map.data);
                }
            }
        }
        self.work.store(work, Ordering::Relaxed);
        let outputs = self.outputs.iter().map(|name| {
            let map = maps.get(&**name);
            map.map(Map::value)
                .ok_or_else(|| format!("`{name}` has no value"))
        });
        let outputs = outputs.collect();
        for map in maps.into_values() {
            room.put(map.data);
        }
        rooms().push(room);
        outputs
    }
}

impl crate::plan::Part for Part {
    fn inputs(&self) -> &[String] {
        &self.inputs
    }

    fn outputs(&self) -> &[String] {
        &self.outputs
    }

    fn run(&self, inputs: &[&Value]) -> Result<Vec<Value>, String> {
        // Small networks take less time than another thread needs to begin.
        if self.work.load(Ordering::Relaxed) < 8 * product::GRAIN {
            self.compute(inputs)
        } else {
            rten::thread_pool().run(|| self.compute(inputs))
        }
    }
}

impl Layer {
    /// Returns the names of the values that the layer reads.
    fn reads(&self) -> impl Iterator<Item = &str> {
        self.inputs.iter().chain(&self.beside).map(String::as_str)
    }

    /// Returns the number of multiplications that made a result.
    fn work(&self, result: &Map) -> usize {
        let each = match &self.kind {
            Kind::Conv(filters, _) | Kind::Dense(filters) => filters.work(),
            Kind::Each(_, slide) => slide.kernel.iter().product::<usize>() * result.step,
            _ => result.step,
        };
        each * result.pixels()
    }

    /// Computes the layer. `last` has the values that no later layer uses.
    fn run(
        &self,
        room: &mut Room,
        maps: &mut HashMap<&str, Map>,
        last: &[String],
    ) -> Result<Map, String> {
        let first = self.inputs.first().map_or("", String::as_str);
        let missing = |name: &str| format!("`{name}` has no value");
        if matches!(self.kind, Kind::Act) && last.iter().any(|name| name == first) {
            let mut map = maps.remove(first).ok_or_else(|| missing(first))?;
            pairs::act(&mut map, self.act);
            return Ok(map);
        }
        let of = |name: &str| maps.get(name).ok_or_else(|| missing(name));
        let image = of(first)?;
        match &self.kind {
            Kind::Conv(filters, slide) => {
                let axes = axes(&slide.node, slide.version, image, &slide.kernel)?;
                self.filter(room, image, (filters, axes), &of)
            }
            Kind::Dense(_) if image.rank != 2 => {
                Err(format!("its operand has {} dimensions", image.rank))
            }
            Kind::Dense(filters) => {
                let axes = [window::Axis::ONE; 2];
                self.filter(room, image, (filters, axes), &of)
            }
            Kind::Each(Each::Weighted { channels, .. }, _) if image.shape[3] != *channels => {
                Err(format!(
                    "its operand has {} channels, and its filters have {channels}",
                    image.shape[3]
                ))
            }
            Kind::Each(each, slide) => {
                let axes = axes(&slide.node, slide.version, image, &slide.kernel)?;
                Ok(window::slide(room, image, axes, each, self.act))
            }
            kind => {
                let mut result = match kind {
                    Kind::Global { is_mean, rank } => window::global(room, image, *is_mean, *rank),
                    Kind::Scale(by, plus) => pairs::scale(room, image, by, plus)?,
                    Kind::Pair(pair) => {
                        let second = self.inputs.get(1).map_or("", String::as_str);
                        pairs::pair(room, *pair, image, of(second)?)?
                    }
                    Kind::Concat => {
                        let all: Result<Vec<_>, _> =
                            self.inputs.iter().map(|name| of(name)).collect();
                        pairs::concat(room, &all?)?
                    }
                    Kind::Flat => image.flat(room),
                    _ => pairs::copy(room, image),
                };
                pairs::act(&mut result, self.act);
                Ok(result)
            }
        }
    }

    /// Computes the result of filters.
    fn filter<'a>(
        &self,
        room: &mut Room,
        image: &Map,
        (filters, axes): (&Filters, [window::Axis; 2]),
        of: &impl Fn(&str) -> Result<&'a Map, String>,
    ) -> Result<Map, String> {
        if image.shape[3] != filters.channels[0] {
            return Err(format!(
                "its operand has {} channels, and its filters have {}",
                image.shape[3], filters.channels[0]
            ));
        }
        if filters.has_zeros && !image.is_finite() {
            return Err("its operand has numbers that are not finite".to_owned());
        }
        let beside = self.beside.as_deref().map(of).transpose()?;
        let [rows, columns] = axes.map(|axis| axis.out);
        let shape = [image.shape[0], rows, columns, filters.channels[1]];
        let step = filters.channels[1].next_multiple_of(product::LANES);
        match beside {
            // One that is repeated along a dimension.
            Some(beside) if beside.shape != shape || beside.step != step => {
                let alone = filters.run(room, image, axes, (None, Act::NONE));
                let mut sum = pairs::pair(room, Pair::Sum, &alone, beside)?;
                room.put(alone.data);
                pairs::act(&mut sum, self.act);
                Ok(sum)
            }
            beside => Ok(filters.run(room, image, axes, (beside, self.act))),
        }
    }
}
