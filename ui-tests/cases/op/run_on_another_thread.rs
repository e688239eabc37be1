//! Runs a plan on another thread than the one that prepared it.

use ascendcl::op::{Plan, operators::Mul};
use ascendcl::{DeviceBuf, Npu};

type Output<'b> = &'b mut DeviceBuf<'b, Npu<0>, [f32]>;

fn run(_: Plan<'_, '_, Npu<0>, Mul<f32>, Output<'_>>) {}

fn wrong(plan: Plan<'static, 'static, Npu<0>, Mul<f32>, Output<'static>>) {
    std::thread::spawn(move || run(plan)); //~ mistake
    //~ instead: run(plan);
}
