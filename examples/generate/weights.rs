//! The files of the model: weights, tokens and expected logits, as `train.py` wrote them.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use half::f16;
use safetensors::{Dtype, SafeTensors};

use crate::Result;
use crate::tokens::Tokens;

/// The bytes of a file in the format of safetensors.
#[derive(Debug)]
pub(crate) struct File {
    path: PathBuf,
    bytes: Vec<u8>,
}

/// The tensors of a file.
pub(crate) struct Tensors<'f> {
    path: &'f Path,
    tensors: SafeTensors<'f>,
}

/// The sizes of the model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// Numbers between two layers.
    pub(crate) width: usize,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    /// Numbers inside a layer's second half.
    pub(crate) hidden: usize,
    /// The longest text, in tokens.
    pub(crate) context: usize,
    /// How many tokens there are.
    pub(crate) vocabulary: usize,
    /// Keeps the norm of zeros finite.
    pub(crate) epsilon: f64,
}

impl Shape {
    /// Numbers of one head.
    pub(crate) fn head(&self) -> usize {
        self.width / self.heads
    }
}

impl File {
    pub(crate) fn read(path: PathBuf) -> Result<File> {
        match fs::read(&path) {
            Ok(bytes) => Ok(File { path, bytes }),
            Err(error) => bail!("cannot read {}: {error}", path.display()),
        }
    }

    pub(crate) fn tensors(&self) -> Result<Tensors<'_>> {
        match SafeTensors::deserialize(&self.bytes) {
            Ok(tensors) => Ok(Tensors {
                path: &self.path,
                tensors,
            }),
            Err(error) => bail!("{} is no file of safetensors: {error}", self.path.display()),
        }
    }

    /// A number beside the tensors.
    fn number<T: FromStr>(&self, name: &str) -> Result<T> {
        let metadata = SafeTensors::read_metadata(&self.bytes).ok();
        let number = metadata.and_then(|(_, metadata)| {
            let texts = metadata.metadata().as_ref()?;
            texts.get(name)?.parse().ok()
        });
        match number {
            Some(number) => Ok(number),
            None => bail!("{} does not say the number `{name}`", self.path.display()),
        }
    }

    /// The sizes of the model, which follow from its tensors and two numbers beside them.
    pub(crate) fn shape(&self) -> Result<Shape> {
        let tensors = self.tensors()?;
        let [vocabulary, width] = tensors.sizes("embedding")?;
        let [_, hidden] = tensors.sizes("0.up")?;
        let names = tensors.tensors.names();
        let layers = names.iter().filter(|name| name.ends_with(".query")).count();
        let (heads, context): (usize, usize) = (self.number("heads")?, self.number("context")?);
        let path = self.path.display();
        if heads == 0 || width % heads != 0 || width / heads % 2 != 0 || context == 0 {
            bail!(
                "{path}: {heads} heads do not share {width} numbers in even parts, or the context is 0"
            );
        }
        // Copies within a device need addresses of 64 bytes.
        if width % 16 != 0 {
            bail!(
                "{path}: the width is {width}, and a row can be copied only if it is a multiple of 16"
            );
        }
        Ok(Shape {
            width,
            layers,
            heads,
            hidden,
            context,
            vocabulary,
            epsilon: self.number("epsilon")?,
        })
    }
}

impl Tensors<'_> {
    /// The sizes of a matrix.
    fn sizes(&self, name: &str) -> Result<[usize; 2]> {
        match self
            .tensors
            .tensor(name)
            .ok()
            .and_then(|tensor| tensor.shape().try_into().ok())
        {
            Some(sizes) => Ok(sizes),
            None => bail!("{} has no matrix `{name}`", self.path.display()),
        }
    }

    /// The bytes of a tensor of this type and shape.
    fn bytes(&self, name: &str, dtype: Dtype, shape: &[usize]) -> Result<&[u8]> {
        let Ok(tensor) = self.tensors.tensor(name) else {
            bail!("{} has no tensor `{name}`", self.path.display());
        };
        if tensor.dtype() != dtype || tensor.shape() != shape {
            bail!(
                "{}: the tensor `{name}` has the shape {:?} and elements of {}; the model needs {shape:?} of {dtype}",
                self.path.display(),
                tensor.shape(),
                tensor.dtype(),
            );
        }
        Ok(tensor.data())
    }

    /// A tensor of weights.
    pub(crate) fn half(&self, name: &str, shape: &[usize]) -> Result<Vec<f16>> {
        let (numbers, _) = self.bytes(name, Dtype::F16, shape)?.as_chunks();
        Ok(numbers.iter().copied().map(f16::from_le_bytes).collect())
    }

    /// The tokens that the model knows.
    pub(crate) fn tokens(&self, count: usize) -> Result<Tokens> {
        let lengths = self.bytes("token_lengths", Dtype::U8, &[count])?;
        let all = lengths.iter().copied().map(usize::from).sum();
        match std::str::from_utf8(self.bytes("tokens", Dtype::U8, &[all])?) {
            Ok(text) => Tokens::new(text, lengths),
            Err(_) => bail!("{}: the tokens are no text", self.path.display()),
        }
    }

    /// A prompt, and the logits of `train.py` behind each of its tokens.
    pub(crate) fn expected(&self, vocabulary: usize) -> Result<(Vec<usize>, Vec<f32>)> {
        let [count, _] = self.sizes("logits")?;
        let (prompt, _) = self.bytes("prompt", Dtype::I64, &[count])?.as_chunks();
        let numbers = prompt.iter().copied().map(i64::from_le_bytes);
        let tokens = numbers.map(|number| match usize::try_from(number) {
            Ok(token) if token < vocabulary => Ok(token),
            _ => bail!("{}: there is no token {number}", self.path.display()),
        });
        let (logits, _) = self
            .bytes("logits", Dtype::F32, &[count, vocabulary])?
            .as_chunks();
        let logits = logits.iter().copied().map(f32::from_le_bytes).collect();
        Ok((tokens.collect::<Result<_>>()?, logits))
    }
}
