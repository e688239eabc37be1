//! Images between layers: the channels of a pixel are next to each other.

use rayon::prelude::*;
use rten::Value;
use rten_tensor::Tensor as Array;
use rten_tensor::prelude::*;

use super::product::{GRAIN, LANES, threads};

/// Images, with the pixels row by row. What has fewer dimensions has sizes of 1.
#[derive(Debug)]
pub(super) struct Map {
    /// The number of images, their rows and columns, and the channels.
    pub(super) shape: [usize; 4],
    /// The distance of two pixels. What is between their channels has no meaning.
    pub(super) step: usize,
    /// The number of dimensions of the value: 2, 3 or 4.
    pub(super) rank: usize,
    /// The numbers; there can be more of them.
    pub(super) data: Vec<f32>,
}

/// Memory that was used before. A new block of it would cost its first use, page by page. There are never more blocks than a
/// run has had at a time.
#[derive(Debug, Default)]
pub(super) struct Room(Vec<Vec<f32>>);

impl Room {
    /// Returns memory for at least as many numbers.
    pub(super) fn take(&mut self, len: usize) -> Vec<f32> {
        let fitting = self.0.iter().enumerate();
        let fitting = fitting.filter(|(_, one)| one.len() >= len);
        let best = fitting.min_by_key(|(_, one)| one.len()).map(|(at, _)| at);
        if let Some(at) = best {
            return self.0.swap_remove(at);
        }
        let largest = self.0.iter().enumerate().max_by_key(|(_, one)| one.len());
        if let Some(at) = largest.map(|(at, _)| at) {
            self.0.swap_remove(at);
        }
        vec![0.0; len]
    }

    pub(super) fn put(&mut self, data: Vec<f32>) {
        self.0.push(data);
    }
}

impl Map {
    /// Makes images whose numbers are written next.
    pub(super) fn new(room: &mut Room, shape: [usize; 4], rank: usize) -> Map {
        let step = shape[3].next_multiple_of(LANES);
        Map {
            shape,
            step,
            rank,
            data: room.take(shape[0] * shape[1] * shape[2] * step),
        }
    }

    pub(super) fn pixels(&self) -> usize {
        self.shape[0] * self.shape[1] * self.shape[2]
    }

    /// Returns the numbers, with what is between them.
    pub(super) fn all(&self) -> &[f32] {
        &self.data[..self.pixels() * self.step]
    }

    pub(super) fn all_mut(&mut self) -> &mut [f32] {
        let len = self.pixels() * self.step;
        &mut self.data[..len]
    }

    /// Returns whether all numbers are finite.
    pub(super) fn is_finite(&self) -> bool {
        let mut pixels = self.all().chunks_exact(self.step.max(1));
        pixels.all(|pixel| pixel[..self.shape[3]].iter().all(|one| one.is_finite()))
    }

    /// Returns the shape of the value.
    fn dims(&self) -> Vec<usize> {
        let [n, h, w, c] = self.shape;
        match self.rank {
            2 => vec![n, c],
            3 => vec![n, c, w],
            _ => vec![n, c, h, w],
        }
    }

    /// Makes images of a value of the engine rten.
    pub(super) fn of_value(room: &mut Room, value: &Value) -> Option<Map> {
        let Value::FloatTensor(all) = value else {
            return None;
        };
        let shape = match all.shape()[..] {
            [n, c] => [n, 1, 1, c],
            [n, c, w] => [n, 1, w, c],
            [n, c, h, w] => [n, h, w, c],
            _ => return None,
        };
        let copied;
        let planes = match all.data() {
            Some(planes) => planes,
            None => {
                copied = all.to_vec();
                &copied
            }
        };
        // The taps of a row of an image with few channels are next to each other.
        let step = match shape[3] {
            c if c < LANES => c,
            c => c.next_multiple_of(LANES),
        };
        let [n, h, w, c] = shape;
        let mut map = Map {
            shape,
            step,
            rank: all.shape().len(),
            data: room.take(n * h * w * step),
        };
        let area = h * w;
        lines(map.all_mut(), w * step, 1, &|line, to| {
            let (image, row) = (line / h.max(1), line % h.max(1));
            let first = image * c * area + row * w;
            let plane = |channel: usize| &planes[first + channel * area..][..w];
            if step == 3 {
                // A pixel at a time, as numbers at a distance are written slower.
                let colours = plane(0).iter().zip(plane(1)).zip(plane(2));
                let (pixels, _) = to.as_chunks_mut();
                for (to, ((red, green), blue)) in pixels.iter_mut().zip(colours) {
                    *to = [*red, *green, *blue];
                }
                return;
            }
            for channel in 0..c {
                for (to, one) in to.chunks_exact_mut(step).zip(plane(channel)) {
                    to[channel] = *one;
                }
            }
        });
        Some(map)
    }

    /// Returns the images with zeros around them: of the rows and columns, those in front and all.
    pub(super) fn framed(&self, room: &mut Room, frame: [(usize, usize); 2]) -> Map {
        let [n, h, w, c] = self.shape;
        let [(above, rows), (left, columns)] = frame;
        let mut map = Map {
            shape: [n, rows, columns, c],
            data: room.take(n * rows * columns * self.step),
            ..*self
        };
        let (line, all) = (w * self.step, self.all());
        lines(map.all_mut(), columns * self.step, 1, &|number, to| {
            to.fill(0.0);
            let (image, row) = (number / rows, (number % rows).wrapping_sub(above));
            if row < h {
                let from = &all[(image * h + row) * line..][..line];
                to[left * self.step..][..line].copy_from_slice(from);
            }
        });
        map
    }

    /// Returns the numbers channel by channel.
    fn planes(&self) -> Vec<f32> {
        let [n, h, w, c] = self.shape;
        let (area, step) = (h * w, self.step);
        let mut planes = vec![0.0; n * c * area];
        let all = self.all();
        lines(&mut planes, area, 1, &|plane, to| {
            let (image, channel) = (plane / c.max(1), plane % c.max(1));
            let from = all[image * area * step..].chunks_exact(step.max(1));
            for (to, from) in to.iter_mut().zip(from) {
                *to = from[channel];
            }
        });
        planes
    }

    /// Makes a value of the engine rten.
    pub(super) fn value(&self) -> Value {
        Array::from_data(&self.dims()[..], self.planes()).into()
    }

    /// Returns the same numbers with two dimensions, of which the second has those of an image in the order of the value.
    pub(super) fn flat(&self, room: &mut Room) -> Map {
        let [n, h, w, c] = self.shape;
        let (shape, is_flat) = ([n, 1, 1, c * h * w], h * w == 1);
        let (step, from) = match is_flat {
            true => (self.step, self.all().to_vec()),
            false => (shape[3], self.planes()),
        };
        let mut data = room.take(from.len());
        data[..from.len()].copy_from_slice(&from);
        Map {
            shape,
            step,
            rank: 2,
            data,
        }
    }
}

/// Calls `each` with the lines of a result and their numbers, on several threads if it is much work. `work` is the number of
/// operations for a number of the result.
pub(super) fn lines(
    result: &mut [f32],
    len: usize,
    work: usize,
    each: &(dyn Fn(usize, &mut [f32]) + Sync),
) {
    let some = (GRAIN / (4 * len * work).max(1)).max(1);
    if len == 0 || result.len() <= some * len || threads() == 1 {
        for (number, line) in result.chunks_mut(len.max(1)).enumerate() {
            each(number, line);
        }
        return;
    }
    let groups = result.par_chunks_mut(some * len).enumerate();
    groups.for_each(|(group, lines)| {
        for (number, line) in lines.chunks_mut(len).enumerate() {
            each(group * some + number, line);
        }
    });
}
