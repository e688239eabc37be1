//! What identifies a stream in types: names, brands, and for streams of one type a number.

use std::fmt;
use std::marker::PhantomData;

use crate::interop::Foreign;
use crate::park::StreamKey;

/// A name for streams. One live stream per device carries it; that is checked when the stream is
/// created.
///
/// Any type of yours can be one:
///
/// ```
/// enum Upload {}
/// impl ascendcl::StreamName for Upload {}
/// ```
///
/// A number makes a family of names, for code that is written once for several streams:
///
/// ```
/// enum Lane<const N: usize> {}
/// impl<const N: usize> ascendcl::StreamName for Lane<N> {}
/// ```
///
/// Where the program learns when it runs how many streams it needs, they have no names:
/// [`Current::with_stream`](crate::Current::with_stream) and
/// [`Current::create_parked_stream`](crate::Current::create_parked_stream).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no name for a stream",
    label = "expected a type that implements `StreamName`",
    note = "any type of yours can be one: `enum Upload {{}}` and `impl StreamName for Upload {{}}`",
    note = "the default stream is not created: it comes from `Current::default_stream`",
    note = "for any number of streams there are `current.with_stream(|stream| ..)` and `current.create_parked_stream()`"
)]
pub trait StreamName: 'static {}

/// The name for programs with one stream.
#[derive(Debug, Clone, Copy)]
pub enum Main {}
#[diagnostic::do_not_recommend]
impl StreamName for Main {}

/// The name of the default stream, which comes with the context.
#[derive(Debug, Clone, Copy)]
pub enum DefaultName {}

/// Identifies a stream that has no name by a lifetime that no other stream has.
///
/// [`Current::with_stream`](crate::Current::with_stream) and [`ParkedStream::with`](crate::ParkedStream::with) call a
/// closure with such a stream. What the stream has in its hands carries the brand too and stays in the closure, unless
/// [`Queued::unbrand`](crate::Queued::unbrand) takes the brand off.
pub struct StreamBrand<'id>(PhantomData<fn(&'id ()) -> &'id ()>);

impl fmt::Debug for StreamBrand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StreamBrand")
    }
}

/// Marks a parked stream, and memory in the hands of one, that only a number at run time tells from others of its type.
///
/// So a `Vec` or a struct can hold any number of them. [`ParkedStream::with`](crate::ParkedStream::with) gives the stream
/// a brand for as long as a closure runs, and [`Stream::rebrand`](crate::Stream::rebrand) its memory, after a look at
/// the numbers. There is no [`Stream`](crate::Stream) with this tag.
#[derive(Debug, Clone, Copy)]
pub enum Numbered {}

/// What identifies a stream: a [`StreamName`], [`DefaultName`], [`Foreign<S>`](Foreign) for a stream of another library that
/// is borrowed under the name `S`, a [`StreamBrand`], or [`Numbered`].
pub trait StreamTag: tag::Tag {}
impl<S: tag::Tag> StreamTag for S {}

/// What identifies a stream in types, so that no other stream has it at the same time: each [`StreamTag`] but
/// [`Numbered`].
#[diagnostic::on_unimplemented(
    message = "this stream shares the tag `{Self}` with other streams",
    label = "only a number tells them apart, which types do not see",
    note = "use it in a closure, where it has a brand of its own: `parked.with(current, |stream| ..)`"
)]
pub trait Distinct: StreamTag {}
#[diagnostic::do_not_recommend]
impl<S: StreamName> Distinct for S {}
#[diagnostic::do_not_recommend]
impl Distinct for DefaultName {}
#[diagnostic::do_not_recommend]
impl<S: StreamName> Distinct for Foreign<S> {}
#[diagnostic::do_not_recommend]
impl Distinct for StreamBrand<'_> {}

/// Which stream `S` it is, where types do not say that: nothing for names, a number for the others.
pub(crate) type StreamIdent<S> = <S as tag::Tag>::Ident;

/// The key of a stream.
#[inline(always)]
pub(crate) fn stream_key<S: StreamTag>(ident: StreamIdent<S>) -> StreamKey {
    <S as tag::Tag>::key(ident)
}

pub(super) mod tag {
    use std::any::{TypeId, type_name};
    use std::fmt;

    use super::{DefaultName, Foreign, Numbered, StreamBrand, StreamName};
    use crate::park::StreamKey;

    /// Sealed: a tag that lied about being created would be destroyed, or never.
    #[diagnostic::on_unimplemented(
        message = "this trait of `ascendcl` is sealed: `{Self}` cannot implement it",
        label = "a wrong implementation would make safe calls unsound"
    )]
    pub trait Tag {
        /// Whether `aclrtCreateStream` made the stream, so that it must be destroyed.
        const CREATED: bool;
        /// Whether the stream has a handle; the default stream is null.
        const HAS_HANDLE: bool;
        /// Which stream it is, where the tag does not say that.
        type Ident: Copy + fmt::Debug + Send + Sync;
        /// Its key.
        fn key(ident: Self::Ident) -> StreamKey;
    }
    impl<S: StreamName> Tag for S {
        const CREATED: bool = true;
        const HAS_HANDLE: bool = true;
        type Ident = ();

        #[inline(always)]
        fn key((): ()) -> StreamKey {
            StreamKey::of::<S>()
        }
    }
    impl Tag for DefaultName {
        const CREATED: bool = false;
        const HAS_HANDLE: bool = false;
        type Ident = ();

        #[inline(always)]
        fn key((): ()) -> StreamKey {
            StreamKey::Name(TypeId::of::<DefaultName>(), "the default stream")
        }
    }
    impl<S: StreamName> Tag for Foreign<S> {
        const CREATED: bool = false;
        const HAS_HANDLE: bool = true;
        type Ident = ();

        #[inline(always)]
        fn key((): ()) -> StreamKey {
            StreamKey::Name(TypeId::of::<Foreign<S>>(), type_name::<S>())
        }
    }
    impl Tag for StreamBrand<'_> {
        const CREATED: bool = true;
        const HAS_HANDLE: bool = true;
        type Ident = u64;

        #[inline(always)]
        fn key(number: u64) -> StreamKey {
            StreamKey::Number(number)
        }
    }
    impl Tag for Numbered {
        const CREATED: bool = true;
        const HAS_HANDLE: bool = true;
        type Ident = u64;

        #[inline(always)]
        fn key(number: u64) -> StreamKey {
            StreamKey::Number(number)
        }
    }

    /// Seals [`Created`](super::Created). A seal of its own: whoever names a stream gets it, and must
    /// not get the one that closes the other traits.
    #[diagnostic::on_unimplemented(
        message = "this trait of `ascendcl` is sealed: `{Self}` cannot implement it",
        label = "a wrong implementation would make safe calls unsound"
    )]
    pub trait Named {}
    impl<S: StreamName> Named for S {}
    impl Named for StreamBrand<'_> {}
    impl Named for Numbered {}
}

/// A stream that the program created: it can be destroyed.
#[diagnostic::on_unimplemented(
    message = "a stream that this program has not created cannot be destroyed",
    label = "`destroy` needs a stream that `create_stream` made",
    note = "the default stream belongs to the device: let the handle go out of scope, `device.reset()` releases the stream",
    note = "a `Foreign` stream belongs to another library: let the handle go out of scope, or wait for it with `give_back`"
)]
pub trait Created: tag::Named {}
#[diagnostic::do_not_recommend]
impl<S: StreamName> Created for S {}
#[diagnostic::do_not_recommend]
impl Created for StreamBrand<'_> {}
#[diagnostic::do_not_recommend]
impl Created for Numbered {}
