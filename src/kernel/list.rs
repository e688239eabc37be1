//! What the outputs of a launch give back, one behind the other.

/// A list of what comes back, which becomes nothing, one value or a tuple.
pub trait List {
    /// The list with one more at the end.
    type Push<T>: List;
    /// Nothing, one, or a tuple.
    type Flat;

    fn push<T>(self, last: T) -> Self::Push<T>;

    fn flat(self) -> Self::Flat;
}

/// The values of a list, as a tuple.
#[derive(Debug)]
pub struct Of<T>(pub T);

/// Implements it for a tuple, and then for the longer ones.
macro_rules! lists {
    ([$($A:ident $a:ident)*] $Flat:ty, $flat:expr;) => {
        impl<$($A),*> List for Of<($($A,)*)> {
            type Push<T> = Self;
            type Flat = $Flat;

            fn push<T>(self, _: T) -> Self {
                const { panic!("a kernel has at most twelve outputs: declare a further one as `InOut`") }
            }

            #[inline(always)]
            fn flat(self) -> $Flat {
                let Of(($($a,)*)) = self;
                $flat
            }
        }
    };
    ([$($A:ident $a:ident)*] $Flat:ty, $flat:expr; $B:ident $b:ident $($rest:ident)*) => {
        impl<$($A),*> List for Of<($($A,)*)> {
            type Push<T> = Of<($($A,)* T,)>;
            type Flat = $Flat;

            #[inline(always)]
            fn push<T>(self, last: T) -> Self::Push<T> {
                let Of(($($a,)*)) = self;
                Of(($($a,)* last,))
            }

            #[inline(always)]
            fn flat(self) -> $Flat {
                let Of(($($a,)*)) = self;
                $flat
            }
        }
        lists!(@next [$($A $a)* $B $b] $($rest)*);
    };
    (@next [$A:ident $a:ident] $($rest:ident)*) => {
        lists!([$A $a] $A, $a; $($rest)*);
    };
    (@next [$($A:ident $a:ident)+] $($rest:ident)*) => {
        lists!([$($A $a)+] ($($A,)+), ($($a,)+); $($rest)*);
    };
}
lists!([] (), (); A a B b C c D d E e F f G g H h I i J j K k L l);
