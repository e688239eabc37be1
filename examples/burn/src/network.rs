//! A small network for digits, of the layers of burn's example `mnist`, with weights that a formula gives.

use burn_core as burn;

use burn::module::{Module, ModuleMapper, Param};
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use burn_nn::conv::{Conv2d, Conv2dConfig};
use burn_nn::pool::{MaxPool2d, MaxPool2dConfig};
use burn_nn::{BatchNorm, BatchNormConfig, Dropout, DropoutConfig, Gelu, Linear, LinearConfig};

/// The rows of an image, and its columns.
pub const SIDE: usize = 28;

/// Two blocks of a convolution, and two layers behind them.
#[derive(Module, Debug)]
pub struct Network<B: Backend> {
    blocks: Vec<Block<B>>,
    dropout: Dropout,
    hidden: Linear<B>,
    last: Linear<B>,
    activation: Gelu,
}

#[derive(Module, Debug)]
struct Block<B: Backend> {
    convolution: Conv2d<B>,
    norm: BatchNorm<B>,
    activation: Gelu,
    pool: MaxPool2d,
}

impl<B: Backend> Network<B> {
    /// The network with its weights.
    pub fn new(device: &B::Device) -> Network<B> {
        let block = |channels: [usize; 2]| Block {
            convolution: Conv2dConfig::new(channels, [3, 3]).init(device),
            norm: BatchNormConfig::new(channels[1]).init(device),
            activation: Gelu::new(),
            pool: MaxPool2dConfig::new([2, 2]).with_strides([2, 2]).init(),
        };
        let network = Network {
            blocks: vec![block([1, 8]), block([8, 16])],
            dropout: DropoutConfig::new(0.5).init(),
            hidden: LinearConfig::new(16 * 5 * 5, 32).init(device),
            last: LinearConfig::new(32, 10).init(device),
            activation: Gelu::new(),
        };
        network.map(&mut Weights(0))
    }

    /// A row of ten numbers for each image.
    pub fn forward(&self, images: Tensor<B, 3>) -> Tensor<B, 2> {
        let mut x = images.unsqueeze_dim(1);
        for block in &self.blocks {
            let convolved = block.norm.forward(block.convolution.forward(x));
            x = block.pool.forward(block.activation.forward(convolved));
        }
        let x = self.dropout.forward(x.flatten(1, 3));
        self.last
            .forward(self.activation.forward(self.hidden.forward(x)))
    }
}

/// Rings of different sizes: the images on which the network runs.
pub fn rings<B: Backend>(count: usize, device: &B::Device) -> Tensor<B, 3> {
    let at = |i: usize| (i as f32 - (SIDE as f32 - 1.0) / 2.0).powi(2);
    let pixel = |ring: usize, row: usize, column: usize| {
        let distance = (at(row) + at(column)).sqrt() - 2.0 - ring as f32;
        (1.0 - distance.abs() / 2.0).max(0.0)
    };
    let pixels = (0..count * SIDE * SIDE)
        .map(|i| pixel(i / (SIDE * SIDE), i / SIDE % SIDE, i % SIDE))
        .collect::<Vec<f32>>();
    Tensor::from_data(TensorData::new(pixels, [count, SIDE, SIDE]), device)
}

/// Gives each parameter its numbers: those of a generator, from -0.2 to 0.2. Parameters of one dimension, among which variances
/// are, get those from 0.1 to 0.5.
struct Weights(u32);

impl<B: Backend> ModuleMapper<B> for Weights {
    fn map_float<const D: usize>(&mut self, parameter: Param<Tensor<B, D>>) -> Param<Tensor<B, D>> {
        let offset = if D == 1 { 0.3 } else { 0.0 };
        parameter.map(|tensor| {
            let (shape, device) = (tensor.shape(), tensor.device());
            let numbers = (0..shape.num_elements()).map(|_| {
                self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                ((self.0 >> 16) as f32 / 65_535.0 - 0.5) * 0.4 + offset
            });
            Tensor::from_data(
                TensorData::new(numbers.collect::<Vec<f32>>(), shape),
                &device,
            )
        })
    }
}
