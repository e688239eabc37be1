//! What `atc` would have been told: shapes and the preparation of pictures.
//!
//! A card runs what `atc` has compiled. Here the options of `atc` are in the metadata of the ONNX file, under their names,
//! or in a file beside it: for `net.onnx` in `net.onnx.atc`, as they are written behind the command.

use std::collections::HashMap;
use std::path::Path;

use ascendcl_emulator::model::{Dim, PATH_KEY};

use crate::graph::File;

/// Options that a model keeps as metadata, for the emulator.
const GEARS: [&str; 3] = ["dynamic_batch_size", "dynamic_dims", "dynamic_image_size"];

/// Options that only concern how `atc` works, or the card.
const OF_CARD: &[&str] = &[
    "framework",
    "input_format",
    "log",
    "model",
    "op_select_implmode",
    "optypelist_for_implmode",
    "output",
    "precision_mode",
    "precision_mode_v2",
    "soc_version",
];

/// Takes the options out of a file, and changes the inputs to the given shapes. Returns the text of the configuration of
/// the preparation of pictures.
pub(crate) fn apply(file: &mut File) -> Result<Option<String>, String> {
    let mut shapes = Vec::new();
    let mut pictures = None;
    let mut rest = Vec::new();
    for (key, value) in std::mem::take(&mut file.metadata) {
        match key.as_str() {
            PATH_KEY => {
                let path = Path::new(&value);
                for (key, value) in beside(path)? {
                    match key.as_str() {
                        "input_shape" => shapes.push(value),
                        "insert_op_conf" => pictures = Some(read_beside(path, &value)?),
                        _ => rest.push((key, value)),
                    }
                }
            }
            "input_shape" => shapes.push(value),
            "insert_op_conf" => pictures = Some(value),
            _ => rest.push((key, value)),
        }
    }
    file.metadata = rest;
    give_shapes(file, &shapes.join(";"))?;
    Ok(pictures)
}

/// Reads the options in the file beside a model.
fn beside(path: &Path) -> Result<Vec<(String, String)>, String> {
    let mut name = path.as_os_str().to_owned();
    name.push(".atc");
    let name = Path::new(&name);
    if !name.exists() {
        return Ok(Vec::new());
    }
    let shown = name.display();
    let text =
        std::fs::read_to_string(name).map_err(|why| format!("{shown} cannot be read: {why}"))?;
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    let words = lines.flat_map(str::split_whitespace);
    // The command itself, and the ends of its lines.
    let words = words.filter(|word| !matches!(*word, "atc" | "\\"));
    let mut all = Vec::new();
    for word in words {
        let option = word
            .strip_prefix("--")
            .and_then(|word| word.split_once('='));
        let (key, value) = option.ok_or_else(|| {
            format!("`{word}` in {shown} is no option; write it as `--name=value`")
        })?;
        if OF_CARD.contains(&key) {
            continue;
        }
        if !GEARS.contains(&key) && !matches!(key, "input_shape" | "insert_op_conf") {
            return Err(format!(
                "the emulator does not know the option `--{key}` in {shown}; leave it away, or compile with it for a card"
            ));
        }
        let value = value.trim_matches(['"', '\'']);
        all.push((key.to_owned(), value.to_owned()));
    }
    Ok(all)
}

/// Reads a file whose name is relative to the folder of the model.
fn read_beside(path: &Path, name: &str) -> Result<String, String> {
    let path = path.parent().unwrap_or(Path::new("")).join(name);
    let text = std::fs::read_to_string(&path);
    text.map_err(|why| {
        format!(
            "{} cannot be read: {why}; `--insert_op_conf` names it",
            path.display()
        )
    })
}

/// Gives the inputs these shapes (`name:1,3,224,224;other:1,5`), where -1 leaves a dimension as it is.
fn give_shapes(file: &mut File, text: &str) -> Result<(), String> {
    let mut sizes: HashMap<String, usize> = HashMap::new();
    for part in text.split(';').filter(|part| !part.trim().is_empty()) {
        let wrong = || format!("`input_shape` has `{part}`; write `name:1,3,224,224`");
        let (name, dims) = part.rsplit_once(':').ok_or_else(wrong)?;
        let name = name.trim();
        let input = file
            .graph
            .inputs
            .iter_mut()
            .find(|input| input.name == name);
        let input = input.ok_or_else(|| {
            format!("`input_shape` names `{name}`, which is no input of the model")
        })?;
        let dims: Option<Vec<i64>> = dims.split(',').map(|dim| dim.trim().parse().ok()).collect();
        let dims = dims.ok_or_else(wrong)?;
        let old = input
            .shape
            .clone()
            .unwrap_or_else(|| vec![Dim::Named(String::new()); dims.len()]);
        if old.len() != dims.len() {
            return Err(format!(
                "`input_shape` gives `{name}` {} dimensions, and it has {}",
                dims.len(),
                old.len()
            ));
        }
        let mut new = Vec::new();
        for (old, dim) in old.into_iter().zip(dims) {
            let given = usize::try_from(dim).ok().filter(|dim| *dim > 0);
            new.push(match (old, given) {
                (old, None) if dim == -1 => old,
                (_, None) => return Err(wrong()),
                (Dim::Fixed(known), Some(given)) if known != given => {
                    return Err(format!(
                        "`input_shape` gives `{name}` {given} where the model has {known}"
                    ));
                }
                (Dim::Named(known), Some(given)) => {
                    sizes.insert(known, given);
                    Dim::Fixed(given)
                }
                (fixed, Some(_)) => fixed,
            });
        }
        input.shape = Some(new);
    }
    sizes.remove("");
    let graph = &mut file.graph;
    for value in graph.inputs.iter_mut().chain(&mut graph.outputs) {
        for dim in value.shape.iter_mut().flatten() {
            if let Dim::Named(name) = dim
                && let Some(size) = sizes.get(name)
            {
                *dim = Dim::Fixed(*size);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::graph::Value;

    fn file() -> File {
        let value = |name: &str, dims: &[&str]| Value {
            name: name.to_owned(),
            kind: Some(1),
            shape: Some(
                dims.iter()
                    .map(|dim| match dim.parse() {
                        Ok(number) => Dim::Fixed(number),
                        Err(_) => Dim::Named((*dim).to_owned()),
                    })
                    .collect(),
            ),
        };
        let mut file = File::default();
        file.graph.inputs = vec![value("x", &["n", "3", "h"]), value("y", &["n"])];
        file.graph.outputs = vec![value("z", &["n", "h", "m"])];
        file
    }

    fn given(text: &str) -> Result<File, String> {
        let mut file = file();
        file.metadata
            .push(("input_shape".to_owned(), text.to_owned()));
        apply(&mut file).map(|_| file)
    }

    #[test]
    fn a_shape_that_is_given_holds_for_each_dimension_of_the_same_name() {
        let file = given("x:2,3,5").unwrap();
        let shapes: Vec<_> = file
            .graph
            .inputs
            .iter()
            .chain(&file.graph.outputs)
            .collect();
        let shapes: Vec<_> = shapes
            .iter()
            .map(|one| one.shape.clone().unwrap())
            .collect();
        let named = Dim::Named("m".to_owned());
        assert_eq!(
            shapes,
            [
                vec![Dim::Fixed(2), Dim::Fixed(3), Dim::Fixed(5)],
                vec![Dim::Fixed(2)],
                vec![Dim::Fixed(2), Dim::Fixed(5), named]
            ]
        );
        assert!(given("x:-1,3,-1").is_ok());
    }

    #[test]
    fn a_wrong_shape_is_refused_with_the_name() {
        for (text, said) in [
            ("w:1", "`w`, which is no input"),
            ("x:2,3", "`x` 2 dimensions, and it has 3"),
            ("x:2,4,5", "`x` 4 where the model has 3"),
            ("x:2,3,0", "`x:2,3,0`; write"),
            ("x", "`x`; write"),
        ] {
            let why = given(text).unwrap_err();
            assert!(why.contains(said), "{text}: {why}");
        }
    }
}
