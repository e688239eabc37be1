//! Devices that end and that fail, each in a process of its own.

use std::env;
use std::process::Command;

use burn_ascend::{Npu, NpuDevice};
use burn_core::tensor::Tensor;

fn ones() -> Tensor<Npu, 1> {
    Tensor::ones([4], &NpuDevice)
}

/// Why a tensor has no numbers.
fn reason(tensor: Tensor<Npu, 1>) -> String {
    tensor.try_into_data().expect_err("no numbers").to_string()
}

/// Runs a test in a process of its own on the emulator, whose settings it gets.
fn isolated(test: &str, settings: [(&str, &str); 1], body: fn()) {
    if env::var_os("ISOLATED").is_some() {
        return body();
    }
    let ended = Command::new(env::current_exe().expect("this program"))
        .args(["--exact", test, "--nocapture"])
        .envs(settings)
        .envs([("ISOLATED", "1"), ("ASCENDCL_BACKEND", "emulator")])
        .status();
    assert!(ended.is_ok_and(|status| status.success()));
}

#[test]
fn a_device_that_was_stopped_is_opened_again() {
    let leaks = [("ASCENDCL_EMULATOR_CHECK", "leaks")];
    isolated("a_device_that_was_stopped_is_opened_again", leaks, || {
        let lost = ones();
        burn_ascend::stop().expect("the device is released");
        let said = reason(lost);
        assert!(said.contains("make the tensor again"), "{said}");
        let sum = (ones() + 1.0).sum().try_into_data().expect("numbers");
        assert_eq!(sum.to_vec::<f32>().ok(), Some(vec![8.0]));
        burn_ascend::stop().expect("the device is released again");
    });
}

#[test]
fn a_device_that_has_failed_is_opened_again() {
    let fault = [("ASCENDCL_EMULATOR_FAULTS", "task:aclnnExp#1=507001")];
    isolated("a_device_that_has_failed_is_opened_again", fault, || {
        let kept = ones();
        let said = reason(ones().exp());
        assert!(said.contains("507001"), "{said}");
        let said = reason(kept * 2.0);
        assert!(said.contains("make the tensor again"), "{said}");
        let again = ones().exp().try_into_data().expect("numbers");
        assert_eq!(again.to_vec::<f32>().ok(), Some(vec![1.0_f32.exp(); 4]));
    });
}
