//! Runs the network on the device and on burn's backend for the host, and prints both results.

use std::time::Instant;

use burn_ascend::network::{Network, rings};
use burn_ascend::{Npu, NpuDevice};
use burn_core::tensor::backend::Backend;
use burn_flex::Flex;

const IMAGES: usize = 4;
/// By how much the results may differ.
const TOLERANCE: f32 = 1e-5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let on_device = run::<Npu>(&NpuDevice)?;
    burn_ascend::stop()?;
    let on_host = run::<Flex>(&Default::default())?;
    let differences: Vec<f32> = (on_device.iter().zip(&on_host))
        .map(|(a, b)| (a - b).abs())
        .collect();
    let largest = differences.iter().copied().fold(0.0, f32::max);
    println!("largest difference: {largest:.1e}, of {TOLERANCE:e} that is allowed");
    // A result that is no number differs, too.
    if !differences
        .iter()
        .all(|difference| *difference <= TOLERANCE)
    {
        return Err("the results differ".into());
    }
    Ok(())
}

/// The results for all images, which it prints.
fn run<B: Backend>(device: &B::Device) -> Result<Vec<f32>, Box<dyn std::error::Error>> {
    let network = Network::<B>::new(device);
    let images = rings::<B>(IMAGES, device);
    network.forward(images.clone()).try_into_data()?;
    let start = Instant::now();
    let results = network.forward(images).try_into_data()?.to_vec()?;
    println!(
        "{}, {:.1?} for {IMAGES} images:",
        B::name(device),
        start.elapsed()
    );
    for row in results.chunks(results.len() / IMAGES) {
        let row: Vec<String> = row.iter().map(|number| format!("{number:8.4}")).collect();
        println!("  {}", row.join(" "));
    }
    Ok(results)
}
