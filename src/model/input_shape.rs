//! Shapes for the inputs of an ONNX file, as `atc --input_shape` gives them.

use super::load::ModelFile;

/// The first bytes of an offline model.
const OFFLINE: &[u8] = b"IMOD";

impl ModelFile {
    /// Gives an input of an ONNX file its shape (`atc --input_shape`).
    ///
    /// Files of exporters often leave a dimension open, and the emulator runs them with the shapes that `atc` would have been
    /// told. An offline model for a card has its shapes and stays as it is, so one program serves both. For a model that is
    /// loaded by its path the file beside it has the options: `net.onnx.atc` for `net.onnx`.
    ///
    /// A load refuses a name that is no input, and a shape that contradicts the file.
    ///
    /// ```no_run
    /// # fn load(current: ascendcl::Current<'_, '_, ascendcl::Npu<0>>) -> Result<(), Box<dyn std::error::Error>> {
    /// use ascendcl::model::{Blocking, LoadOptions, ModelFile, NoGears};
    ///
    /// let file = ModelFile::new(std::fs::read("resnet50.onnx")?).input_shape("image", &[1, 3, 224, 224]);
    /// let model = current.load_model_with::<Blocking, NoGears>(&file, LoadOptions::new())?;
    /// # Ok(())
    /// # }
    /// ```
    // Compiled with the programs that call it: few do.
    #[must_use]
    #[inline]
    pub fn input_shape(&self, name: &str, shape: &[usize]) -> ModelFile {
        let mut bytes = self.bytes().to_vec();
        if !bytes.starts_with(OFFLINE) {
            let mut text = format!("{name}:");
            for (place, size) in shape.iter().enumerate() {
                let comma = if place == 0 { "" } else { "," };
                text.push_str(&format!("{comma}{size}"));
            }
            // An entry of the file's metadata.
            let mut entry = Vec::new();
            put(&mut entry, 1, b"input_shape");
            put(&mut entry, 2, text.as_bytes());
            put(&mut bytes, 14, &entry);
        }
        ModelFile::new(bytes)
    }
}

/// Appends a field of Protocol Buffers: its tag, its length in groups of seven bits, and its content.
#[inline]
fn put(to: &mut Vec<u8>, field: u8, content: &[u8]) {
    to.push(field << 3 | 2);
    let mut len = content.len();
    while len >= 0x80 {
        // CAST: the lowest seven bits.
        to.push(len as u8 | 0x80);
        len >>= 7;
    }
    // CAST: less than 128.
    to.push(len as u8);
    to.extend_from_slice(content);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_onnx_file_gets_an_entry_and_an_offline_model_stays() {
        let file = ModelFile::new(vec![8, 8]).input_shape("x", &[1, 3]);
        let expected = b"\x08\x08\x72\x14\x0a\x0binput_shape\x12\x05x:1,3";
        assert_eq!(file.bytes(), expected);
        let long = "x".repeat(200);
        let file = ModelFile::new(vec![8, 8]).input_shape(&long, &[]);
        assert_eq!(file.bytes().get(2..5), Some(&[0x72, 0xd9, 0x01][..]));
        assert_eq!(file.bytes().len(), 5 + 0xd9);
        let offline = ModelFile::new(*b"IMOD and more");
        assert_eq!(offline.input_shape("x", &[1]).bytes(), offline.bytes());
    }
}
