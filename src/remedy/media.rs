//! Placeholder methods of channels, pictures, files and tasks of the media engine.

use std::sync::Arc;

use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::Result;
use crate::media::{
    Channel, EncodedJpeg, JpegDecoder, JpegEncoder, JpegInfo, JpegInput, JpegOutput, JpegStream,
    Media, MediaFile, MediaPlace, Modes, Outcome, Picture, PixelFormat, Processing, Processor,
    Receiving, Stopped, Unchecked,
};
use crate::memory::{Buf, Dvpp, DvppV2, OnDevice, Uninit};
use crate::queue::{Queue, Queued};

use super::missing::{
    Checked, Collected, Drawn, FileBack, HasInterface, NotProcessing, NotStarted, PictureBack,
    Started, WasStopped,
};

#[doc(hidden)]
impl Media<'_> {
    pub fn create_channel<'t, 'dev, K: Modes, D: AnyDevice>(
        &'t self,
        _: Current<'t, 'dev, D>,
    ) -> Result<Channel<'t, 'dev, D, K>>
    where
        for<'any> Self: HasInterface<'any>,
    {
        <Self as HasInterface<'_>>::never()
    }
    pub fn create_processor<'v, 'dev, D: AnyDevice>(
        &'v self,
        _: Current<'v, 'dev, D>,
    ) -> Result<Processor<'v, 'dev, D>>
    where
        for<'any> Self: HasInterface<'any>,
    {
        <Self as HasInterface<'_>>::never()
    }
    pub fn create_jpeg_decoder<'v, 'dev, F: JpegOutput, D: AnyDevice>(
        &'v self,
        _: Current<'v, 'dev, D>,
    ) -> Result<JpegDecoder<'v, 'dev, D, F, Stopped>>
    where
        for<'any> Self: HasInterface<'any>,
    {
        <Self as HasInterface<'_>>::never()
    }
    pub fn create_jpeg_encoder<'v, 'dev, D: AnyDevice>(
        &'v self,
        _: Current<'v, 'dev, D>,
        _: u32,
        _: u32,
    ) -> Result<JpegEncoder<'v, 'dev, D, Stopped>>
    where
        for<'any> Self: HasInterface<'any>,
    {
        <Self as HasInterface<'_>>::never()
    }
}

#[doc(hidden)]
impl<Q: Queue, K, H> Queued<'_, Q, Channel<'_, '_, Q::Device, K>, H> {
    pub fn destroy(self) -> Result<()>
    where
        Self: NotProcessing,
    {
        <Self as NotProcessing>::never()
    }
}

#[doc(hidden)]
impl<'m, Q: Queue, M, F: PixelFormat, I, H> Queued<'_, Q, Picture<'m, M, F, I>, H>
where
    M: MediaPlace + OnDevice<Q::Device>,
{
    pub fn check(self) -> Result<Picture<'m, M, F>>
    where
        Self: PictureBack,
    {
        <Self as PictureBack>::never()
    }
    pub fn read(&self, _: Current<'_, '_, M::Device>) -> Result<Vec<u8>>
    where
        Self: PictureBack,
    {
        <Self as PictureBack>::never()
    }
    pub fn into_buf(self) -> Buf<'m, M, [u8]>
    where
        Self: PictureBack,
    {
        <Self as PictureBack>::never()
    }
}

#[doc(hidden)]
impl<'m, Q: Queue, M, I, H> Queued<'_, Q, MediaFile<'m, M, I>, H>
where
    M: MediaPlace + OnDevice<Q::Device>,
{
    pub fn into_buf(self) -> Buf<'m, M, [u8]>
    where
        Self: FileBack,
    {
        <Self as FileBack>::never()
    }
}

#[doc(hidden)]
impl<Q: Queue, N: AnyDevice, H> Queued<'_, Q, EncodedJpeg<'_, N>, H>
where
    Dvpp<N>: OnDevice<Q::Device>,
{
    pub fn check(self, _: Current<'_, '_, N>) -> Result<Vec<u8>>
    where
        Self: FileBack,
    {
        <Self as FileBack>::never()
    }
}

#[doc(hidden)]
impl<'m, M: MediaPlace, F: PixelFormat> Picture<'m, M, F, Unchecked> {
    pub fn read(&self, _: Current<'_, '_, M::Device>) -> Result<Vec<u8>>
    where
        Self: Checked,
    {
        <Self as Checked>::never()
    }
    pub fn into_buf(self) -> Buf<'m, M, [u8]>
    where
        Self: Checked,
    {
        <Self as Checked>::never()
    }
}

#[doc(hidden)]
impl<'m, M: MediaPlace, F: PixelFormat> Picture<'m, M, F, Uninit> {
    pub fn read(&self, _: Current<'_, '_, M::Device>) -> Result<Vec<u8>>
    where
        Self: Drawn,
    {
        <Self as Drawn>::never()
    }
    pub fn check(self) -> Result<Picture<'m, M, F>>
    where
        Self: Drawn,
    {
        <Self as Drawn>::never()
    }
}

#[doc(hidden)]
impl<P, R: Outcome> Processing<'_, P, R> {
    pub fn read<C>(&self, _: C) -> Result<Vec<u8>>
    where
        Self: Collected,
    {
        <Self as Collected>::never()
    }
}

#[doc(hidden)]
impl<D: AnyDevice, F: JpegOutput> JpegDecoder<'_, '_, D, F, Stopped> {
    pub fn decode<'m, 'o>(
        &mut self,
        _: MediaFile<'m, DvppV2<D>, JpegInfo>,
        _: Picture<'o, DvppV2<D>, F, Uninit>,
    ) -> Result<(
        Picture<'o, DvppV2<D>, F>,
        MediaFile<'m, DvppV2<D>, JpegInfo>,
    )>
    where
        Self: Started,
    {
        <Self as Started>::never()
    }
}

#[doc(hidden)]
impl<'v, 'dev, D: AnyDevice, F: JpegOutput> JpegDecoder<'v, 'dev, D, F, Receiving> {
    pub fn start(self) -> Result<Self>
    where
        Self: NotStarted,
    {
        <Self as NotStarted>::never()
    }
    pub fn destroy(self) -> Result<()>
    where
        Self: WasStopped,
    {
        <Self as WasStopped>::never()
    }
}

#[doc(hidden)]
impl<'dev, D: AnyDevice> JpegEncoder<'_, 'dev, D, Stopped> {
    pub fn encode<'e, F: JpegInput>(
        &'e mut self,
        _: Current<'_, 'dev, D>,
        _: &Arc<Picture<'_, DvppV2<D>, F>>,
        _: u32,
    ) -> Result<JpegStream<'e, 'dev, D>>
    where
        Self: Started,
    {
        <Self as Started>::never()
    }
}

#[doc(hidden)]
impl<D: AnyDevice> JpegEncoder<'_, '_, D, Receiving> {
    pub fn start(self) -> Result<Self>
    where
        Self: NotStarted,
    {
        <Self as NotStarted>::never()
    }
    pub fn destroy(self) -> Result<()>
    where
        Self: WasStopped,
    {
        <Self as WasStopped>::never()
    }
}
