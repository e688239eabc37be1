//! Functions that are compiled twice: for the baseline of the architecture, and for wider vectors.

/// Defines functions on slices that use vectors of 256 bits where the processor has them.
///
/// The results are the same bits in both cases: the compiler neither reorders operations on numbers nor joins them.
/// Functions that the body calls are inlined into it, or they are compiled for the baseline only.
macro_rules! wide {
    ($(
        $(#[$doc:meta])*
        $vis:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block
    )*) => {$(
        $(#[$doc])*
        $vis fn $name($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn body($($argument: $type),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn wide($($argument: $type),*) $(-> $result)? {
                    body($($argument),*)
                }
                if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
                    // SAFETY: the processor has AVX2 and FMA.
                    return unsafe { wide($($argument),*) };
                }
            }
            body($($argument),*)
        }
    )*};
}

pub(crate) use wide;
