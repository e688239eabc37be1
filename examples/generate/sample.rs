//! The choice of the next token.

use crate::Result;
use crate::machine::{Machine, Memory, Staged};
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

/// Chooses tokens, with memory for the part of a prediction that the host sees.
pub(crate) struct Sampler<'d> {
    choice: Choice,
    /// The likeliest tokens.
    logits: Memory<'d, f32>,
    numbers: Memory<'d, i64>,
    /// Copies of both for the host.
    logits_here: Staged<'d, f32>,
    numbers_here: Staged<'d, i64>,
}

impl<'d> Sampler<'d> {
    pub(crate) fn new(machine: &mut Machine<'_, 'd>, choice: Choice) -> Result<Sampler<'d>> {
        // The device chooses the likeliest token by itself, and the host draws one of several.
        let count = if choice.temperature > 0.0 {
            choice.top_k
        } else {
            1
        };
        Ok(Sampler {
            choice,
            logits: machine.zeros(count)?,
            numbers: machine.zeros(count)?,
            logits_here: machine.staging(count)?,
            numbers_here: machine.staging(count)?,
        })
    }

    /// Chooses a token by the prediction that the device has queued, and waits for it.
    pub(crate) fn next(
        mut self,
        machine: &mut Machine<'_, 'd>,
        model: &Model<'d>,
    ) -> Result<(Self, usize)> {
        if self.choice.temperature > 0.0 {
            model.find_best(machine, &mut self.logits, &mut self.numbers)?;
        } else {
            model.find_likeliest(machine, &mut self.numbers)?;
        }
        let stream = &mut machine.stream;
        stream.memcpy_async(&mut self.logits_here, &self.logits)?;
        stream.memcpy_async(&mut self.numbers_here, &self.numbers)?;
        let idle = stream.synchronize()?;
        let (logits, numbers) = (idle.take(self.logits_here), idle.take(self.numbers_here));
        let index = match numbers.len() {
            1 => 0,
            _ => self.choice.draw(&logits),
        };
        let chosen = numbers.get(index).copied();
        self.logits_here = stream.adopt(logits);
        self.numbers_here = stream.adopt(numbers);
        Ok((self, usize::try_from(chosen.unwrap_or_default())?))
    }
}

impl Choice {
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
