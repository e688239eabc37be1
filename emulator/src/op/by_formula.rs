//! Element-wise operators that have a formula.

use super::call::Call;
use super::dtype::INTEGRAL;
use super::elementwise::{Elementwise, Rule, Rules};
use super::formula::Formula;
use super::pass::Arithmetic;
use super::plan::{Definition, Plan};
use super::refusal::Refusal;

/// Makes an element-wise operator from a formula. The words in front of the operands are those of
/// [`elementwise!`](crate::elementwise).
macro_rules! formula {
    (|$($x:ident),+| $text:literal) => { formula!(@ of_formula, [$($x),+] $text) };
    (real |$($x:ident),+| $text:literal) => { formula!(@ of_real_formula, [$($x),+] $text) };
    (divided |$($x:ident),+| $text:literal) => { formula!(@ of_divided_formula, [$($x),+] $text) };
    (compared |$($x:ident),+| $text:literal) => { formula!(@ of_compared_formula, [$($x),+] $text) };
    (whole |$($x:ident),+| $text:literal) => { formula!(@ of_whole_formula, [$($x),+] $text) };
    (@ $make:ident, [$($x:ident),+] $text:literal) => {{
        const OPERANDS: &[&str] = &[$(stringify!($x)),+];
        const FORMULA: &crate::op::formula::Formula = &crate::op::formula::Formula::new(OPERANDS, $text);
        crate::op::elementwise::Elementwise::<{ OPERANDS.len() }>::$make(FORMULA)
    }};
}
pub(super) use formula;

impl<const N: usize> Elementwise<N> {
    /// Makes an operator from a formula, with a rule.
    const fn by(rule: Rule, formula: &'static Formula) -> Self {
        let formula = Some(formula);
        let arithmetic = Arithmetic {
            formula,
            ..Arithmetic::NONE
        };
        Self(Rules::by(rule, arithmetic))
    }

    /// Makes an operator from a formula, as [`promoted`](Self::promoted) does.
    pub(super) const fn of_formula(formula: &'static Formula) -> Self {
        Self::by(Rule::Promoted, formula)
    }

    /// Makes an operator from a formula, as [`compared`](Self::compared) does.
    pub(super) const fn of_compared_formula(formula: &'static Formula) -> Self {
        Self::by(Rule::Compared, formula)
    }

    /// Makes an operator from a formula, as [`divided`](Self::divided) does.
    pub(super) const fn of_divided_formula(formula: &'static Formula) -> Self {
        Self::by(Rule::Divided, formula)
    }

    /// Makes an operator from a formula, as [`real`](Self::real) does.
    pub(super) const fn of_real_formula(formula: &'static Formula) -> Self {
        Self::by(Rule::Real, formula)
    }

    /// Makes an operator from a formula, as [`whole`](Self::whole) does.
    pub(super) const fn of_whole_formula(formula: &'static Formula) -> Self {
        Self::by(Rule::Promoted, formula)
            .takes(INTEGRAL)
            .gives(INTEGRAL)
    }
}

/// An element-wise operator that takes this number in place of an operand that is null.
pub(super) struct Or(Rules, f64);

/// Gives an operator a number in place of an operand that is null.
pub(super) const fn or<const N: usize>(operator: Elementwise<N>, number: f64) -> Or {
    Or(operator.0, number)
}

impl Definition for Or {
    fn plan(&self, call: &Call) -> Result<Plan, Refusal> {
        let other = |name: &str| call.is_null(name).then_some(self.1);
        let (sources, out) = call.elements_of(0, &other)?;
        self.0.plan_of(call, &sources, out)
    }
}
