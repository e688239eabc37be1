//! The definitions of the operators. The emulator compiles only if each operator of the list in `ascendcl-sys` has an
//! entry with its name here.

mod join;
mod matmul;
mod reduce;
mod select;

use ascendcl_sys::{ACL_BF16, ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_INT32, ACL_INT64};

use super::elementwise::{Elementwise, Fast, elementwise};

/// Gives each operator its definition.
macro_rules! definitions {
    ($($name:ident = $definition:expr;)*) => {$(
        #[expect(non_upper_case_globals, reason = "the names of C")]
        pub(super) static $name: super::plan::Operator =
            super::plan::Operator::new(stringify!($name), &$definition);
    )*};
}

definitions! {
    aclnnAdd = SUM;
    aclnnInplaceAdd = SUM;
    aclnnSub = elementwise!(|left, right, alpha| left - alpha * right).fast(Fast::Difference);
    aclnnMul = elementwise!(|left, right| left * right).fast(Fast::Product);
    aclnnDiv = elementwise!(divided |left, right| left / right);
    aclnnRelu = elementwise!(|x| x.larger(W::ZERO)).same(&[ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT32, ACL_INT64]);
    aclnnCast = join::cast;
    aclnnCat = join::cat;
    aclnnReduceSum = reduce::sum;
    aclnnMatmul = matmul::matmul;
    aclnnTopk = select::topk;
}

const SUM: Elementwise<3> = elementwise!(|left, right, alpha| left + alpha * right).fast(Fast::Sum);
