//! Stream tags: names, brands, and one tag for streams that only a number identifies.

use std::fmt;
use std::marker::PhantomData;

use crate::device::{AnyDevice, Site, seal};
use crate::interop::Foreign;
use crate::park::StreamKey;

/// A name for streams. At most one live stream per device has it. The creation of a stream checks that.
///
/// Any type of your own can be a name:
///
/// ```
/// enum Upload {}
/// impl ascendcl::StreamName for Upload {}
/// ```
///
/// A const parameter makes a family of names, for code that is written once for several streams:
///
/// ```
/// enum Lane<const N: usize> {}
/// impl<const N: usize> ascendcl::StreamName for Lane<N> {}
/// ```
///
/// Where the number of streams is known only at run time, the streams have no names. Use
/// [`Current::with_stream`](crate::Current::with_stream) or
/// [`Current::create_parked_stream`](crate::Current::create_parked_stream).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a name for a stream",
    label = "expected a type that implements `StreamName`",
    note = "declare a name: `enum Upload {{}}` and `impl StreamName for Upload {{}}`",
    note = "the default stream exists already: `current.default_stream()`",
    note = "for any number of streams call `current.with_stream(|stream| ..)` or `current.create_parked_stream()`"
)]
pub trait StreamName: 'static {}

/// The name for programs with one stream.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::stream::Main;
///
/// let stream = current.create_stream::<Main>()?;
/// assert!(current.create_stream::<Main>().is_err()); // one stream of the name at a time
/// # });
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Main {}
#[diagnostic::do_not_recommend]
impl StreamName for Main {}

/// The name of the default stream of a context.
///
/// ```
/// use ascendcl::stream::{DefaultName, Stream};
/// use ascendcl::{Npu, Result};
///
/// fn wait(stream: &mut Stream<'_, '_, Npu<0>, DefaultName>) -> Result<()> {
///     stream.synchronize().map(drop)
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub enum DefaultName {}

/// The tag of a stream without a name: a lifetime that no other stream has.
///
/// [`Current::with_stream`](crate::Current::with_stream) and [`ParkedStream::with`](crate::ParkedStream::with) call a
/// closure with a stream that has this tag. Memory of the stream has the tag too. So it stays in the closure, unless
/// [`Queued::unbrand`](crate::Queued::unbrand) removes the tag.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::stream::{Stream, StreamBrand};
///
/// fn work(stream: &mut Stream<'_, '_, Npu<0>, StreamBrand<'_>>) -> ascendcl::Result<()> {
///     let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
///     stream.synchronize()?.take(zeros).free()
/// }
/// current.with_stream(|mut stream| work(&mut stream))??;
/// # });
/// ```
pub struct StreamBrand<'id>(PhantomData<fn(&'id ()) -> &'id ()>);

impl fmt::Debug for StreamBrand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StreamBrand")
    }
}

/// The tag of a parked stream that only a number at run time identifies, and of the queued memory of such a stream.
///
/// All streams with this tag have one type, so a `Vec` or a struct can contain any number of them.
/// [`ParkedStream::with`](crate::ParkedStream::with) gives a stream a brand while a closure runs.
/// [`Stream::rebrand`](crate::Stream::rebrand) compares the numbers and gives the brand to the memory of the stream.
/// No [`Stream`](crate::Stream) has this tag.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::ParkedStream;
/// use ascendcl::stream::Numbered;
///
/// let lanes: Vec<ParkedStream<'_, Npu<0>, Numbered>> =
///     (0..3).map(|_| current.create_parked_stream()).collect::<Result<_, _>>()?;
/// assert_eq!(lanes.len(), 3);
/// # });
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Numbered {}

/// The tag of a stream that records a [graph](crate::graph): [`Recording`](crate::graph::Recording). No other recording has
/// it, so recorded memory stays in the closure that records.
///
/// ```
/// # #[cfg(feature = "graphs")] {
/// use ascendcl::graph::Recording;
/// use ascendcl::stream::{GraphBrand, Stream};
/// use ascendcl::Npu;
///
/// fn the_same<'a, 't, 'dev, 'g>(
///     recording: &'a mut Recording<'t, 'dev, 'g, Npu<0>>,
/// ) -> &'a mut Stream<'t, 'dev, Npu<0>, GraphBrand<'g>> {
///     recording
/// }
/// # }
/// ```
#[cfg(feature = "graphs")]
pub struct GraphBrand<'g>(PhantomData<fn(&'g ()) -> &'g ()>);

#[cfg(feature = "graphs")]
impl fmt::Debug for GraphBrand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GraphBrand")
    }
}

/// The tag that identifies a stream in types, also one that only records: a [`StreamTag`] or the tag of a recording.
///
/// It is the bound of calls that queue work. Calls that wait, or whose work can run only once, need a [`StreamTag`].
pub trait AnyStream: tag::Tag {}
#[diagnostic::do_not_recommend]
impl<S: tag::Tag> AnyStream for S {}

impl<D: AnyDevice, S: AnyStream> seal::Site for (D, S) {}
impl<D: AnyDevice, S: AnyStream> Site for (D, S) {
    type Device = D;
}

/// The tag that identifies a stream in types.
///
/// It is a [`StreamName`], [`DefaultName`], [`Foreign<S>`](Foreign) for a stream of another library that is borrowed
/// under the name `S`, a [`StreamBrand`], or [`Numbered`].
#[diagnostic::on_unimplemented(
    message = "work of `{Self}` is recorded and does not run yet",
    label = "this needs a stream whose work runs",
    note = "a recording has copies, fills, operators, kernels and collectives; wait, use events and run models on the stream of the graph, before or behind `graph.launch(&mut stream)?`",
    note = "what the recording uses belongs to the graph: `stream.capture((memory, more), |recording, (memory, more)| ..)`; what only it uses it allocates: `recording.malloc(len)?`",
    note = "a function of the host that each run calls: `recording.each_run(..)`; a second stream beside the recording: `recording.fork(..)`"
)]
pub trait StreamTag: AnyStream + tag::Runs {}
#[diagnostic::do_not_recommend]
impl<S: tag::Tag + tag::Runs> StreamTag for S {}

/// A stream tag that no other stream has at the same time: each [`StreamTag`] except [`Numbered`].
#[diagnostic::on_unimplemented(
    message = "other streams have the tag `{Self}` too",
    label = "these streams differ only by their numbers at run time",
    note = "use the stream in a closure, where it has a brand of its own: `parked.with(current, |stream| ..)`",
    note = "inside the closure, give the brand to memory of the stream: `let memory = stream.rebrand(memory)?;`",
    note = "a function that is generic over the stream asks for it: `S: Distinct`"
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

/// The identity of a stream with the tag `S`: nothing for names, a number for the other tags.
pub(crate) type StreamIdent<S> = <S as tag::Tag>::Ident;

/// Returns the key of a stream.
#[inline(always)]
pub(crate) fn stream_key<S: AnyStream>(ident: StreamIdent<S>) -> StreamKey {
    <S as tag::Tag>::key(ident)
}

pub(super) mod tag {
    use std::any::{TypeId, type_name};
    use std::fmt;

    #[cfg(feature = "graphs")]
    use super::GraphBrand;
    use super::{DefaultName, Foreign, Numbered, StreamBrand, StreamName};
    use crate::park::StreamKey;

    crate::state::sealed! {
        "a wrong implementation would make safe calls unsound";
        /// Seals [`AnyStream`](super::AnyStream). With a wrong `CREATED`, a stream of another owner would be destroyed,
        /// or an own stream never.
        pub trait Tag {
            /// Whether this crate has created the stream and must destroy it.
            const CREATED: bool;
            /// Whether the stream has a handle; the default stream is null.
            const HAS_HANDLE: bool;
            /// The identity of the stream, where the tag alone does not tell it.
            type Ident: Copy + fmt::Debug + Send + Sync;
            /// Returns the key of a stream.
            fn key(ident: Self::Ident) -> StreamKey;
        }
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

    #[cfg(feature = "graphs")]
    impl Tag for GraphBrand<'_> {
        const CREATED: bool = false;
        const HAS_HANDLE: bool = true;
        /// The numbers of the graph and of the recording.
        type Ident = (u64, u64);

        #[inline(always)]
        fn key((_, recording): (u64, u64)) -> StreamKey {
            StreamKey::Graph(recording)
        }
    }

    crate::state::sealed! {
        "a wrong implementation would make safe calls unsound";
        /// Seals [`StreamTag`](super::StreamTag).
        pub trait Runs {}
    }
    impl<S: StreamName> Runs for S {}
    impl Runs for DefaultName {}
    impl<S: StreamName> Runs for Foreign<S> {}
    impl Runs for StreamBrand<'_> {}
    impl Runs for Numbered {}

    crate::state::sealed! {
        "a wrong implementation would make safe calls unsound";
        /// Seals [`Created`](super::Created). It is separate from the seal of the other traits, because each type of a
        /// program that implements [`StreamName`](super::StreamName) gets it.
        pub trait Named {}
    }
    impl<S: StreamName> Named for S {}
    impl Named for StreamBrand<'_> {}
    impl Named for Numbered {}
}

/// The tag of a stream that the program has created and can destroy.
#[diagnostic::on_unimplemented(
    message = "this program has not created the stream, so it can neither destroy, abort nor capture it",
    label = "this needs a stream that `create_stream` made",
    note = "the default stream belongs to the device, and `device.reset()` releases it: let the handle go out of scope",
    note = "a `Foreign` stream belongs to another library: let the handle go out of scope, or wait for it with `give_back`",
    note = "a recording ends with its closure: return from it; a second stream beside it is `recording.fork(..)`"
)]
pub trait Created: tag::Named {}
#[diagnostic::do_not_recommend]
impl<S: StreamName> Created for S {}
#[diagnostic::do_not_recommend]
impl Created for StreamBrand<'_> {}
#[diagnostic::do_not_recommend]
impl Created for Numbered {}
