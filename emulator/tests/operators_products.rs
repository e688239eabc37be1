//! Element types that a product lacks.

#[macro_use]
mod common;

use ascendcl_emulator::EmulatorConfig;
use ascendcl_sys::*;
use common::tensor::*;
use common::*;

fn start() -> Serial {
    start_with(EmulatorConfig::default().with_soc_name("Ascend910A"))
}

#[test]
fn the_910_has_no_bfloat16_in_most_operators() {
    let _serial = start();
    let [left, right, out] = [1.0, 2.0, 0.0].map(|value| tensor(ACL_BF16, &[4], &[value; 4]));
    refuses!(
        161_002,
        "self has the data type ACL_BF16, which aclnnMul does not take on Ascend910A",
        aclnnMulGetWorkspaceSize(left.handle, right.handle, out.handle)
    );
    refuses!(
        161_002,
        "selfRef has the data type ACL_BF16, which aclnnInplaceMul does not",
        aclnnInplaceMulGetWorkspaceSize(left.handle, right.handle)
    );
    // The result alone.
    let single = tensor(ACL_FLOAT, &[4], &[1.0; 4]);
    refuses!(
        161_002,
        "out has the data type ACL_BF16, which aclnnCast does not",
        aclnnCastGetWorkspaceSize(single.handle, ACL_BF16, out.handle)
    );
    // A missing operand comes first.
    refuses!(
        161_001,
        "other",
        aclnnMulGetWorkspaceSize(left.handle, std::ptr::null(), out.handle)
    );
    let half = [1.0, 2.0, 0.0].map(|value| tensor(ACL_FLOAT16, &[4], &[value; 4]));
    let [left, right, out] = &half;
    let code = run!(
        aclnnMul,
        aclnnMulGetWorkspaceSize(left.handle, right.handle, out.handle)
    );
    assert_eq!((code, out.values()), (0, vec![2.0; 4]));
}

/// The manual names no product for it.
#[test]
fn an_operator_that_no_page_limits_takes_it() {
    let _serial = start();
    let (input, out) = (
        tensor(ACL_BF16, &[4], &[-1.0, 2.0, 0.0, 4.0]),
        room(ACL_BF16, &[4]),
    );
    let code = run!(
        aclnnSigmoid,
        aclnnSigmoidGetWorkspaceSize(input.handle, out.handle)
    );
    assert_eq!(code, 0, "{}", text());
}
