//! A decoding of the second generation that waits for the thread which fetches its picture.

use std::sync::Arc;

use super::system::Module;
use crate::check::{self, StreamSlot, Touch};
use crate::media::decode::{Output, clear_tail, put};
use crate::media::engine::Engine;
use crate::media::picture::{Generation, Picture, Refused, check_memory};
use crate::media::product::product;
use crate::media::task::{Accepted, Memory};
use crate::sync::{Mutex, lock};

/// A decoding that waits: of JPEG with a way to round odd sides, otherwise of PNG.
pub(super) struct Decoding {
    plan: Accepted,
    touches: Vec<Touch>,
    decided: Arc<Mutex<Option<Picture>>>,
}

impl Decoding {
    /// Makes a decoding of `data`, an address with a number of bytes, into a picture.
    pub(super) fn new(
        call: &'static str,
        data: (usize, usize),
        picture: Picture,
        engine: Arc<dyn Engine>,
        rounding: Option<u32>,
    ) -> Decoding {
        let product = product();
        let decided: Arc<Mutex<Option<Picture>>> = Arc::default();
        let output = Output {
            picture,
            product,
            is_up: rounding == Some(1),
        };
        let checked = check_memory("the input", data.0, Generation::Second, product)
            .and_then(|()| check_memory("the output", picture.data, Generation::Second, product))
            .and_then(|()| match picture.size {
                0 => Err(Refused::parameter("the output has no buffer")),
                _ => Ok(()),
            });
        let job = {
            let decided = Arc::clone(&decided);
            move |memory: &mut Memory<'_>| {
                let file = memory.read(0);
                let (image, picture) = match rounding {
                    Some(_) => output.decode_jpeg(file, &engine)?,
                    None => output.decode_png(file, &engine)?,
                };
                put(&image, &picture, memory.write(1))?;
                if rounding.is_some() {
                    clear_tail(memory.write(0));
                }
                *lock(&decided) = Some(picture);
                Ok(())
            }
        };
        let input = Touch {
            write: rounding.is_some(),
            ..Touch::read(data.0, data.1)
        };
        let room = Touch {
            dense: false,
            ..Touch::write(picture.data, picture.size as usize)
        };
        Decoding {
            plan: Accepted {
                call,
                ranges: vec![data, (picture.data, picture.size as usize)],
                touches: Vec::new(),
                job: checked.map(|()| Arc::new(job) as _),
                finish: Arc::new(|_| ()),
            },
            touches: vec![Touch::read(data.0, data.1), input, room],
            decided,
        }
    }

    /// Tells the checker of the decoding, the `number`th of its channel.
    pub(super) fn tell(&self, module: Module, chn: i32, queue: StreamSlot, number: u64) {
        check::tell(self.plan.call, &|checker, site| {
            let mut touches = self.touches.clone();
            touches.push(Touch::read(module.channel(chn), 1));
            checker.queued(queue, number, touches, false, site);
        });
    }

    /// Tells the checker that the program has the result.
    pub(super) fn done(queue: StreamSlot, number: u64) {
        check::note(&|checker| checker.synchronised(queue, number));
    }

    /// Decodes, and returns the picture in its buffer. The error is the status of the task.
    pub(super) fn run(&self) -> Result<Picture, u32> {
        match self.plan.now() {
            0 => lock(&self.decided).take().ok_or(0),
            code => Err(code),
        }
    }
}
