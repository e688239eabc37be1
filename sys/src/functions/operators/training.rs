//! The operators that only training needs. Each file adds its part, and the last one hands all of them over.

mod foreach;
mod gradient;
mod layers;
mod loss;
mod optimize;
mod spread;

/// Calls `$callback!` with the operators that only training needs, behind the tokens of `$context`, and behind other
/// operators if there are any.
#[doc(hidden)]
#[macro_export]
macro_rules! operators_for_training {
    ($callback:path [$($context:tt)*] $($before:tt)*) => {
        $crate::operators_of_gradients! { $callback [$($context)*] { $($before)* } }
    };
}
