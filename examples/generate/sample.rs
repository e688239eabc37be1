//! The choice of the next token.

use ascendcl::HostSide;
use ascendcl::stream::Main;

use crate::Result;
use crate::machine::{Machine, Memory, Staged, View};
use crate::model::Model;

/// How tokens are chosen.
#[derive(Debug)]
pub(crate) struct Choice {
    /// 0 takes the likeliest token.
    pub(crate) temperature: f64,
    /// Among so many of the likeliest.
    pub(crate) top_k: usize,
    /// State of the pseudo-random numbers.
    pub(crate) random: Random,
}

/// SplitMix64: the same numbers for the same seed, with every version of every library.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number from 0 up to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        // CAST: 53 bits are exact.
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// What the host sees of a prediction: the likeliest tokens and their logits, and the copies of both for the host.
pub(crate) struct Best<'d> {
    pub(crate) logits: Memory<'d, f32>,
    pub(crate) numbers: Memory<'d, i64>,
    pub(crate) logits_here: Staged<'d, f32>,
    pub(crate) numbers_here: Staged<'d, i64>,
}

impl<'d> Best<'d> {
    pub(crate) fn new(
        machine: &mut Machine<'_, '_, 'd>,
        host: HostSide<'d>,
        count: usize,
    ) -> Result<Best<'d>> {
        Ok(Best {
            logits: machine.zeros(count)?,
            numbers: machine.zeros(count)?,
            logits_here: machine.staging(host, count)?,
            numbers_here: machine.staging(host, count)?,
        })
    }

    /// Chooses a token by the prediction that the device has queued, and waits for it.
    pub(crate) fn next(
        &mut self,
        machine: &mut Machine<'_, '_, 'd>,
        model: &Model<View<'_, Main>>,
        choice: &mut Choice,
    ) -> Result<usize> {
        let count = self.logits.len();
        let mut logits = self.logits.slice_mut(0..count)?;
        let mut numbers = self.numbers.slice_mut(0..count)?;
        model.find_best(machine, &mut logits, &mut numbers)?;
        let stream = &mut *machine.stream;
        stream.memcpy_async(&mut self.logits_here, &self.logits)?;
        stream.memcpy_async(&mut self.numbers_here, &self.numbers)?;
        let idle = stream.synchronize()?;
        let logits = idle.get_mut(&mut self.logits_here);
        let numbers = idle.get_mut(&mut self.numbers_here);
        choice.next(logits, numbers)
    }
}

impl Choice {
    /// Of how many tokens the host sees the logits: the device chooses the likeliest token by itself, and the host draws one
    /// of several.
    pub(crate) fn count(&self) -> usize {
        if self.temperature > 0.0 {
            self.top_k
        } else {
            1
        }
    }

    /// One of the likeliest tokens, by their logits and their numbers.
    pub(crate) fn next(&mut self, logits: &[f32], numbers: &[i64]) -> Result<usize> {
        let index = match numbers.len() {
            1 => 0,
            _ => self.draw(logits),
        };
        Ok(usize::try_from(
            numbers.get(index).copied().unwrap_or_default(),
        )?)
    }

    /// The index of one of these logits, which are in descending order.
    fn draw(&mut self, logits: &[f32]) -> usize {
        let largest = logits.first().copied().unwrap_or_default();
        let weigh = |logit: &f32| (f64::from(logit - largest) / self.temperature).exp();
        let weights: Vec<f64> = logits.iter().map(weigh).collect();
        let mut left = self.random.next() * weights.iter().sum::<f64>();
        let reached = |weight: &f64| {
            left -= weight;
            left < 0.0
        };
        weights.iter().position(reached).unwrap_or(0)
    }
}
