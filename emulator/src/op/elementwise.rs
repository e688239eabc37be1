//! Element-wise operators: an arithmetic and a rule for its data types.
//!
//! The operands are the tensors and numbers among the parameters, in their order. They are broadcast to the shape of
//! the one tensor that is written.
//!
//! Workspace: the first phase returns 0 bytes if all tensors have one shape and one data type and have no gaps in
//! memory. Otherwise it returns the bytes of the tensors that break this rule (a view with gaps, an operand that is
//! repeated or promoted), each rounded up to 32. An implementation that copies these tensors first needs as much. So
//! a caller sees both answers.

use core::fmt;

use ascendcl_sys::{ACL_FLOAT, aclDataType};

use super::call::{Call, Input, Output, stage};
use super::dtype::{INTEGRAL, Kind, MOVABLE, REAL, Types, can_cast, kind, promote, promote_scalar};
use super::fast::{Fast, FastWork};
use super::operands::Source;
use super::pass::{Arithmetic, Lane, Pass};
use super::plan::{Definition, Plan, Work};
use super::refusal::Refusal;
use super::scalar::Scalar;
use super::shape::{Dims, broadcast};
use super::unary::Unary;
use crate::results::list_of;

pub use super::number::{CHUNK, Number, Whole};
pub use super::real::Real;

/// An element-wise operator with `N` operands. [`elementwise!`](crate::elementwise) makes it.
#[derive(Clone, Copy)]
pub struct Elementwise<const N: usize>(pub(super) Rules);

/// An element-wise operator of any number of operands.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    pub(super) arithmetic: Arithmetic,
    rule: Rule,
    types: Types,
    out_types: Types,
    /// The scalars that take part in the promotion; the others only have to fit its result.
    joining: &'static [&'static str],
    /// The name and the types of an operand that is only asked for its truth, and not promoted.
    condition: (&'static str, Types),
    fast: Option<Fast>,
    /// Whether an operator in place ignores the elements that it overwrites.
    overwrites: bool,
}

impl<const N: usize> fmt::Debug for Elementwise<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Elementwise({:?}, {:?})", self.0.rule, self.0.types)
    }
}

/// The rule for the data types of operands and result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// Operands are promoted to one type, and the result is cast from this type.
    Promoted,
    /// Operands are promoted to one type. Integers are computed as FLOAT, and their result may have any type (Atlas
    /// A2).
    Divided,
    /// Operands are promoted to one type. Integers are computed as FLOAT, and the result is cast from there.
    Real,
    /// Operands are promoted to one type, and the result is a truth value that is stored as any type.
    Compared,
    /// All tensors have one type.
    Same,
    /// Operands are converted to the type of the result.
    Converted,
}

/// Makes an element-wise operator from its arithmetic. The arithmetic is written once for all kinds of numbers
/// ([`Number`](crate::operator::Number)).
///
/// - `|a, b| a + b` promotes its operands.
/// - `compared |a, b| a < b` promotes its operands, and its result is a truth value.
/// - `divided |a, b| a / b` and `real |x| x.exp()` compute integers as FLOAT, so their numbers support division and
///   more ([`Real`](crate::operator::Real)). The results of `divided` may have any type, and those of `real` a
///   floating-point type.
/// - `whole |a, b| ..` is for integers only ([`Whole`](crate::operator::Whole)).
///
/// The arithmetic has a name for each operand of its operator. Another number does not compile:
///
/// ```compile_fail,E0080
/// use ascendcl_emulator::{elementwise, operator};
///
/// let add = operator!(aclnnMineAdd(x: tensor, y: tensor, out: out_tensor) = elementwise!(|x| x + x));
/// ```
///
/// ```
/// use ascendcl_emulator::{elementwise, operator};
///
/// let add = operator!(aclnnMineAdd(x: tensor, y: tensor, out: out_tensor) = elementwise!(|x, y| x + y));
/// ```
#[macro_export]
macro_rules! elementwise {
    (divided |$($x:ident),+ $(,)?| $value:expr) => {
        $crate::elementwise!(@make divided OfReals <W: $crate::operator::Real>, [$($x),+] $value)
    };
    (real |$($x:ident),+ $(,)?| $value:expr) => {
        $crate::elementwise!(@make real OfReals <W: $crate::operator::Real>, [$($x),+] $value)
    };
    (compared |$($x:ident),+ $(,)?| $value:expr) => {
        $crate::elementwise!(@make compared OfNumbers <W: $crate::operator::Number>, [$($x),+] W::truth($value))
    };
    (whole |$($x:ident),+ $(,)?| $value:expr) => {{
        type W = $crate::operator::Whole;
        $crate::elementwise!(@make whole OfWholes, [$($x),+] $value)
    }};
    (|$($x:ident),+ $(,)?| $value:expr) => {
        $crate::elementwise!(@make promoted OfNumbers <W: $crate::operator::Number>, [$($x),+] $value)
    };
    (@make $rule:ident $kind:ident $(<W: $bound:path>)?, [$($x:ident),+] $value:expr) => {{
        struct Given;
        impl $crate::operator::$kind for Given {
            #[inline(always)]
            fn apply $(<W: $bound>)? (
                operands: &[[W; $crate::operator::CHUNK]],
                results: &mut [W; $crate::operator::CHUNK],
            ) {
                let [$($x,)+ ..] = operands else {
                    return;
                };
                // There are many of these loops, and the adapters of iterators would be most of what the compiler
                // translates of each.
                let mut index = 0;
                while index < $crate::operator::CHUNK {
                    $(
                        #[allow(clippy::indexing_slicing, reason = "all have the length of the loop")]
                        let $x = $x[index];
                    )+
                    let result = $value;
                    #[allow(clippy::indexing_slicing, reason = "all have the length of the loop")]
                    {
                        results[index] = result;
                    }
                    index += 1;
                }
            }
        }
        $crate::operator::Elementwise::<{ [$(stringify!($x)),+].len() }>::$rule::<Given>()
    }};
}

/// The arithmetic of an operator on all numbers. [`elementwise!`](crate::elementwise) implements it.
#[doc(hidden)]
pub trait OfNumbers: 'static {
    /// Computes a chunk. It is inlined into code for several sets of instructions.
    fn apply<W: Number>(operands: &[[W; CHUNK]], results: &mut [W; CHUNK]);
}

/// The arithmetic of an operator on real numbers. [`elementwise!`](crate::elementwise) implements it.
#[doc(hidden)]
pub trait OfReals: 'static {
    /// Computes a chunk. It is inlined into code for several sets of instructions.
    fn apply<W: Real>(operands: &[[W; CHUNK]], results: &mut [W; CHUNK]);
}

/// The arithmetic of an operator on integers and truth values. [`elementwise!`](crate::elementwise) implements it.
#[doc(hidden)]
pub trait OfWholes: 'static {
    /// Computes a chunk.
    fn apply(operands: &[[Whole; CHUNK]], results: &mut [Whole; CHUNK]);
}

/// Defines the constructors that [`elementwise!`](crate::elementwise) uses.
macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident = $rule:ident of $kind:ident, $whole:expr;)*) => {$(
        $(#[$doc])*
        #[doc(hidden)]
        #[must_use]
        pub const fn $name<F: $kind>() -> Self {
            /// Computes a chunk in single precision, with vectors of 256 bits where the processor has them. The results
            /// are the same bits.
            fn single<F: $kind>(operands: &[[f32; CHUNK]], results: &mut [f32; CHUNK]) {
                #[cfg(target_arch = "x86_64")]
                {
                    #[target_feature(enable = "avx2,fma")]
                    fn wide<F: $kind>(operands: &[[f32; CHUNK]], results: &mut [f32; CHUNK]) {
                        F::apply(operands, results);
                    }
                    if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
                        // SAFETY: the processor has AVX2 and FMA.
                        return unsafe { wide::<F>(operands, results) };
                    }
                }
                F::apply(operands, results);
            }
            let arithmetic = Arithmetic { f32: single::<F>, f64: F::apply, whole: $whole, ..Arithmetic::NONE };
            Self(Rules { arithmetic, ..Rules::of(Rule::$rule) })
        }
    )*};
}

impl<const N: usize> Elementwise<N> {
    constructors! {
        /// Makes an operator that promotes its operands to one type, computes in this type and casts the result to the
        /// type of the output.
        promoted = Promoted of OfNumbers, Some(F::apply);
        /// Makes an operator that promotes its operands to one type, and stores truth values.
        compared = Compared of OfNumbers, Some(F::apply);
        /// Makes an operator that promotes its operands to one type, computes integers as FLOAT and casts the result to
        /// the type of the output, which may be any type.
        divided = Divided of OfReals, None;
        /// Makes an operator that promotes its operands to one type, computes integers as FLOAT and casts the result to
        /// the type of the output.
        real = Real of OfReals, None;
    }

    /// Makes an operator on integers and truth values.
    #[doc(hidden)]
    #[must_use]
    pub const fn whole<F: OfWholes>() -> Self {
        Self(Rules {
            arithmetic: Arithmetic {
                whole: Some(F::apply),
                ..Arithmetic::NONE
            },
            types: INTEGRAL,
            out_types: INTEGRAL,
            ..Rules::of(Rule::Promoted)
        })
    }

    /// Returns the operator with another rule: all tensors have one data type, which is one of `types`.
    #[must_use]
    pub const fn same(self, types: &'static [aclDataType]) -> Self {
        Self(Rules {
            rule: Rule::Same,
            types,
            out_types: types,
            ..self.0
        })
    }

    /// Returns the operator with another rule: operands are converted to the type of the result.
    pub(super) const fn converted(self, types: Types) -> Self {
        Self(Rules {
            rule: Rule::Converted,
            types,
            out_types: types,
            ..self.0
        })
    }

    /// Returns the operator for operands of these types.
    pub(super) const fn takes(self, types: Types) -> Self {
        Self(Rules { types, ..self.0 })
    }

    /// Returns the operator for results of these types.
    pub(super) const fn gives(self, out_types: Types) -> Self {
        Self(Rules {
            out_types,
            ..self.0
        })
    }

    /// Returns the operator with scalars that take part in the promotion.
    pub(super) const fn joining(self, joining: &'static [&'static str]) -> Self {
        Self(Rules { joining, ..self.0 })
    }

    /// Returns the operator with an operand of other types that is only asked for its truth.
    pub(super) const fn condition(self, name: &'static str, types: Types) -> Self {
        let condition = (name, types);
        Self(Rules {
            condition,
            ..self.0
        })
    }

    /// Returns the operator with the kernels that have vector instructions, for data types that these kernels
    /// support.
    pub(super) const fn fast(self, fast: Fast) -> Self {
        Self(Rules {
            fast: Some(fast),
            ..self.0
        })
    }

    /// Returns the operator in place that ignores the elements that it overwrites: fresh memory is no mistake.
    pub(super) const fn overwriting(self) -> Self {
        Self(Rules {
            overwrites: true,
            ..self.0
        })
    }

    /// Returns the operator with the kernels of a function of one number.
    pub(super) const fn unary(mut self, unary: Unary) -> Self {
        self.0.arithmetic.unary = Some(unary);
        self
    }

    /// Returns the arithmetic alone, for operators that move elements.
    pub(super) const fn arithmetic(&self) -> Arithmetic {
        self.0.arithmetic
    }

    /// Checks the data types of the operands and returns the type to which they are promoted; `None` if no operand is
    /// promoted.
    pub(super) fn promoted_type(
        &self,
        sources: &[Source],
        out: &Output,
    ) -> Result<Option<aclDataType>, Refusal> {
        self.0.promoted_type(sources, out)
    }

    /// Checks these operands and returns the plan.
    pub(super) fn plan_of(
        &self,
        call: &Call,
        sources: &[Source],
        out: Output,
    ) -> Result<Plan, Refusal> {
        self.0.plan_of(call, sources, out)
    }

    /// Returns the operator of any number of operands.
    #[cfg(any(feature = "more-operators", feature = "training"))]
    pub(super) const fn rules(self) -> Rules {
        self.0
    }
}

impl<const N: usize> Definition for Elementwise<N> {
    const OPERANDS: Option<usize> = Some(N);

    fn plan(&self, call: &Call) -> Result<Plan, Refusal> {
        self.0.plan(call)
    }
}

impl Rules {
    /// Makes an operator with a rule and an arithmetic.
    pub(super) const fn by(rule: Rule, arithmetic: Arithmetic) -> Self {
        Self {
            arithmetic,
            ..Self::of(rule)
        }
    }

    /// Makes an operator with a rule and without an arithmetic.
    const fn of(rule: Rule) -> Self {
        Self {
            arithmetic: Arithmetic::NONE,
            rule,
            types: REAL,
            out_types: MOVABLE,
            joining: &[],
            condition: ("", &[]),
            fast: None,
            overwrites: false,
        }
    }

    /// Checks the data types of the operands and returns the type to which they are promoted; `None` if no operand is
    /// promoted.
    fn promoted_type(
        &self,
        sources: &[Source],
        out: &Output,
    ) -> Result<Option<aclDataType>, Refusal> {
        let mut promoted = None;
        for source in sources {
            let Source::Tensor(Input { name, tensor, .. }) = *source else {
                continue;
            };
            let is_condition = name == self.condition.0;
            let types = if is_condition {
                self.condition.1
            } else {
                self.types
            };
            if !types.contains(&tensor.dtype) {
                return Err(Refusal::unsupported(name, tensor.dtype, types));
            }
            if is_condition || self.rule == Rule::Converted {
                continue;
            }
            let both = match promoted {
                None => Some(tensor.dtype),
                Some(dtype) if self.rule == Rule::Same && dtype != tensor.dtype => None,
                Some(dtype) => promote(dtype, tensor.dtype),
            };
            promoted = Some(both.ok_or_else(|| no_types(sources, out))?);
        }
        for source in sources {
            if let Source::Scalar(name, scalar) = source
                && self.joining.contains(name)
            {
                if !self.types.contains(&scalar.dtype()) {
                    return Err(Refusal::unsupported(name, scalar.dtype(), self.types));
                }
                let both = match promoted {
                    None => Some(scalar.dtype()),
                    Some(dtype) => promote_scalar(dtype, scalar.dtype()),
                };
                promoted = Some(both.ok_or_else(|| no_types(sources, out))?);
            }
        }
        Ok(promoted)
    }

    /// Returns the type that the result is computed in: the promoted type of the operands, or FLOAT for integers that
    /// are divided.
    pub(super) fn compute_type(
        &self,
        sources: &[Source],
        out: &Output,
    ) -> Result<aclDataType, Refusal> {
        let to = out.dtype();
        let promoted = self.promoted_type(sources, out)?;
        if !self.out_types.contains(&to) {
            return Err(Refusal::unsupported(out.name, to, self.out_types));
        }
        let dtype = promoted.unwrap_or(to);
        let is_integer = kind(dtype) != Some(Kind::Floating);
        let (dtype, fits) = match self.rule {
            Rule::Same => (dtype, dtype == to),
            Rule::Divided if is_integer => (ACL_FLOAT, kind(to).is_some()),
            Rule::Real if is_integer => (ACL_FLOAT, can_cast(ACL_FLOAT, to)),
            Rule::Promoted | Rule::Divided | Rule::Real => (dtype, can_cast(dtype, to)),
            Rule::Compared | Rule::Converted => (dtype, true),
        };
        if !fits {
            return Err(no_types(sources, out));
        }
        for source in sources {
            if let Source::Scalar(name, scalar) = source
                && self.rule != Rule::Converted
                && !self.joining.contains(name)
                && !takes(dtype, scalar)
            {
                return Err(Refusal::invalid(format_args!(
                    "{name} of {:?} cannot be converted to {dtype:?}",
                    scalar.dtype()
                )));
            }
        }
        Ok(dtype)
    }

    fn plan(&self, call: &Call) -> Result<Plan, Refusal> {
        let (sources, out) = call.elements()?;
        self.plan_of(call, &sources, out)
    }

    /// Checks these operands and returns the plan.
    pub(super) fn plan_of(
        &self,
        call: &Call,
        sources: &[Source],
        out: Output,
    ) -> Result<Plan, Refusal> {
        let Some((workspace, work)) = self.work_of(sources, out)? else {
            return Ok(call.nothing());
        };
        let mut plan = call.plan_with(workspace, work)?;
        if self.overwrites {
            plan.reads_no_output();
        }
        Ok(plan)
    }

    /// Checks these operands and returns the work with the bytes of its workspace; `None` if there is nothing to compute.
    pub(super) fn work_of(
        &self,
        sources: &[Source],
        out: Output,
    ) -> Result<Option<(u64, Work)>, Refusal> {
        let dtype = self.compute_type(sources, &out)?;
        if common_shape(sources) != Some(out.tensor.shape) {
            return Err(no_broadcast(sources, &out.tensor.shape));
        }
        if out.elements() == 0 {
            return Ok(None);
        }
        let tensors = sources.iter().filter_map(|source| match source {
            Source::Tensor(input) => Some(input.tensor),
            Source::Scalar(..) | Source::Number(_) => None,
        });
        let staged = tensors.chain([out.tensor]).map(|tensor| {
            let is_plain = tensor.is_contiguous() && tensor.shape == out.tensor.shape;
            let is_as_computed = tensor.dtype == dtype;
            if is_plain && is_as_computed {
                0
            } else {
                stage(&tensor)
            }
        });
        let workspace = staged.fold(0, u64::saturating_add);
        if let Some(fast) = self
            .fast
            .and_then(|fast| FastWork::new(fast, sources, &out))
        {
            return Ok(Some((workspace, Box::new(move |views| fast.run(views)))));
        }
        let lanes = sources.iter().map(Lane::of);
        let target = (&out.tensor.shape, &out.tensor.strides);
        let pass = Pass::new(self.arithmetic, list_of(lanes), dtype, out, target, 0);
        let pass = pass.ok_or_else(|| Refusal::no_parameter("out", "made of so many tensors"))?;
        Ok(Some((workspace, Box::new(move |views| pass.run(views)))))
    }
}

/// Returns whether the arithmetic of a data type accepts a scalar.
fn takes(dtype: aclDataType, scalar: &Scalar) -> bool {
    // Arithmetic of truth values accepts a whole number, although a cast does not.
    let is_whole = kind(scalar.dtype()) <= Some(Kind::Whole);
    can_cast(scalar.dtype(), dtype) || (kind(dtype) == Some(Kind::Truth) && is_whole)
}

/// Returns the shape to which the tensors are broadcast; `None` if there is none.
pub(super) fn common_shape(sources: &[Source]) -> Option<Dims> {
    let mut shape = Dims::default();
    for source in sources {
        if let Source::Tensor(input) = source {
            shape = broadcast(&shape, &input.tensor.shape)?;
        }
    }
    Some(shape)
}

fn no_types(sources: &[Source], out: &Output) -> Refusal {
    let mut operands = String::new();
    for source in sources {
        if let Source::Tensor(Input { name, tensor, .. }) = source {
            operands.push_str(&format!("{name} {:?}, ", tensor.dtype));
        }
    }
    Refusal::invalid(format_args!(
        "the data types do not go together: {operands}out {:?}",
        out.tensor.dtype
    ))
}

pub(super) fn no_broadcast(sources: &[Source], out: &Dims) -> Refusal {
    let mut operands = String::new();
    for source in sources {
        if let Source::Tensor(Input { name, tensor, .. }) = source {
            let and = if operands.is_empty() { "" } else { " and " };
            operands.push_str(&format!("{and}{name} {}", tensor.shape));
        }
    }
    Refusal::invalid(format_args!(
        "{operands} do not give out {out} by broadcasting"
    ))
}
