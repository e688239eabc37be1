//! The example from JPEG files to labels: its answers, and pictures and networks that it cannot use.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{Folder, Outcome};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A file that comes with the example.
fn ours(name: &str) -> PathBuf {
    Path::new(ROOT).join("examples/classify").join(name)
}

/// The bytes of a picture that shows a one.
fn picture() -> Vec<u8> {
    std::fs::read(ours("pictures/one_1760.jpg")).unwrap()
}

/// Runs the example and returns its outcome with the pictures of its JSON.
fn json(folder: &Folder, arguments: &[&str], variables: &[(&str, &str)]) -> (Outcome, Vec<Value>) {
    let arguments = [&["--json"], arguments].concat();
    let outcome = folder.run("classify", &arguments, variables);
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let pictures = report["pictures"].as_array().unwrap().clone();
    (outcome, pictures)
}

/// Compares the answers to all pictures with those of onnxruntime (`examples/classify/train.py`).
pub(crate) fn compare(folder: &Folder, variables: &[(&str, &str)]) {
    let (outcome, pictures) = json(folder, &[], variables);
    outcome.succeeded();
    let expected = std::fs::read_to_string(ours("expected.txt")).unwrap();
    assert_eq!((pictures.len(), expected.lines().count()), (50, 50));
    let mut right = 0;
    for (picture, line) in pictures.iter().zip(expected.lines()) {
        let [name, label, probability] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        assert!(
            picture["picture"].as_str().unwrap().ends_with(name),
            "{picture}"
        );
        let labels = picture["labels"].as_array().unwrap();
        assert_eq!(
            (labels.len(), labels[0]["label"].as_str().unwrap()),
            (5, label),
            "{picture}"
        );
        let difference =
            labels[0]["probability"].as_f64().unwrap() - probability.parse::<f64>().unwrap();
        assert!(
            difference.abs() < 0.01,
            "{picture}, and {line} of onnxruntime"
        );
        right += usize::from(name.starts_with(&format!("{label}_")));
    }
    assert!(right * 100 >= 95 * pictures.len(), "{right} are right");
}

#[test]
fn the_answers_are_those_of_onnxruntime() {
    compare(&Folder::new("classify_eager"), &[]);
}

#[test]
fn late_work_changes_no_answer() {
    compare(
        &Folder::new("classify_lazy"),
        &[("ASCENDCL_EMULATOR_SCHEDULE", "lazy")],
    );
}

#[test]
fn a_table_has_a_row_for_each_picture() {
    let folder = Folder::new("classify_table");
    folder.write("1.jpg", &picture());
    folder.write("2.JPEG", &picture());
    folder.write("notes.txt", b"no picture");
    let outcome = folder.run("classify", &["--top", "1", "."], &[]);
    let printed = &outcome.succeeded().stdout;
    let rows: Vec<_> = printed
        .lines()
        .filter(|line| line.contains("JPEG") || line.contains(".jpg"))
        .collect();
    assert_eq!(rows.len(), 2, "{printed}");
    assert!(
        rows.iter()
            .all(|row| row.contains(" one 9") || row.contains(" one 100")),
        "{printed}"
    );
    assert!(
        printed.ends_with("digits.onnx, the emulator\n"),
        "{printed}"
    );
}

/// The place of the header of the frame.
fn frame(picture: &[u8]) -> usize {
    picture
        .windows(2)
        .position(|two| two == [0xff, 0xc0])
        .unwrap()
}

/// The picture with other bytes behind the marker of its frame.
fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut picture = picture();
    let start = frame(&picture) + at;
    picture[start..start + bytes.len()].copy_from_slice(bytes);
    picture
}

/// The picture with EXIF data that turns it by 90 degrees.
fn turned() -> Vec<u8> {
    let exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    let picture = picture();
    [&picture[..2], &[0xff, 0xe1], &length, exif, &picture[2..]].concat()
}

#[test]
fn pictures_that_cannot_be_used_are_named_and_the_others_have_answers() {
    let folder = Folder::new("classify_bad_pictures");
    let cmyk = [
        &[0xff, 0xd8, 0xff, 0xc0, 0, 20, 8, 0, 64, 0, 64, 4][..],
        &[1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0],
        &[0xff, 0xda, 0, 2, 0xff, 0xd9],
    ];
    // A part of the pixels, with the marker of the end.
    let whole = picture();
    let cut = [&whole[..whole.len() * 4 / 5], &[0xff, 0xd9]].concat();
    let pictures: [(&str, Vec<u8>, Option<&str>); 13] = [
        ("a_good.jpg", picture(), None),
        (
            "b_progressive.jpg",
            with(1, &[0xc2]),
            Some("the JPEG is progressive"),
        ),
        (
            "c_text.jpg",
            b"a text".to_vec(),
            Some("the file is no JPEG"),
        ),
        (
            "d_cut.jpg",
            picture()[..60].to_vec(),
            Some("its beginning is damaged"),
        ),
        ("e_empty.jpg", Vec::new(), Some("the file is no JPEG")),
        // The host does not look at these, so the device refuses one and with it the others of its batch.
        ("f_12_bits.jpg", with(4, &[12]), Some("507018")),
        (
            "g_huge.jpg",
            with(5, &[0xff, 0xdc, 0xff, 0xdc]),
            Some("65500"),
        ),
        ("h_flat.jpg", with(5, &[0, 0]), Some("64 x 0 pixels")),
        ("i_small.jpg", with(5, &[0, 16, 0, 16]), Some("16 x 16")),
        (
            "j_cmyk.jpg",
            cmyk.concat(),
            Some("the decoder does not turn"),
        ),
        ("k_odd.jpg", with(5, &[0, 61, 0, 63]), None),
        ("l_turned.jpg", turned(), None),
        ("m_cut_with_an_end.jpg", cut, Some("507018")),
    ];
    for (name, bytes, _) in &pictures {
        folder.write(name, bytes);
    }
    // The findings of the checker are these refusals.
    let (outcome, answers) = json(
        &folder,
        &[".", "none.jpg"],
        &[("ASCENDCL_EMULATOR_CHECK", "0")],
    );
    assert_eq!((outcome.code, answers.len()), (Some(1), 14), "{outcome:#?}");
    let all = pictures.iter().map(|(name, _, why)| (*name, *why));
    for ((name, why), answer) in all
        .chain([("none.jpg", Some("cannot be read"))])
        .zip(&answers)
    {
        assert!(
            answer["picture"].as_str().unwrap().ends_with(name),
            "{answer}"
        );
        let line = outcome
            .stderr
            .lines()
            .find(|line| line.contains(&format!("{name}: ")));
        match why {
            None => assert!(
                line.is_none() && answer["labels"][0]["label"].is_string(),
                "{answer}"
            ),
            Some(why) => {
                assert!(answer["error"].as_str().unwrap().contains(why), "{answer}");
                assert!(
                    line.unwrap().starts_with("error: ") && line.unwrap().contains(why),
                    "{outcome:#?}"
                );
            }
        }
    }
    assert!(
        outcome
            .stderr
            .ends_with("error: 11 of 14 pictures have no answer\n"),
        "{outcome:#?}"
    );
}

#[test]
fn a_network_that_cannot_be_used_is_named() {
    let folder = Folder::new("classify_bad_networks");
    folder.write("text.onnx", b"no model at all");
    let mut offline = vec![0; 256];
    offline[..4].copy_from_slice(b"IMOD");
    folder.write("card.om", &offline);
    let models = "tests/examples/models";
    let sum = Path::new(ROOT).join(models).join("sum.onnx");
    let types = Path::new(ROOT).join(models).join("types.onnx");
    for (model, parts) in [
        ("none.onnx", &["none.onnx: cannot be read"][..]),
        (
            "text.onnx",
            &[
                "text.onnx: ",
                "145006",
                "neither an ONNX file nor an offline model",
            ],
        ),
        ("card.om", &["card.om: ", "207000", "pass that file here"]),
        (
            sum.to_str().unwrap(),
            &["sum.onnx: the network has 2 inputs and 1 outputs"],
        ),
        (types.to_str().unwrap(), &["types.onnx: the network has"]),
    ] {
        folder
            .run("classify", &["--model", model], &[])
            .refused(parts);
    }
}

#[test]
fn classes_without_a_name_are_numbers() {
    let folder = Folder::new("classify_few_labels");
    folder.write("labels.txt", b"zero\n");
    folder.write("one.jpg", &picture());
    let (outcome, answers) = json(&folder, &["--labels", "labels.txt", "one.jpg"], &[]);
    assert_eq!(outcome.code, Some(0), "{outcome:#?}");
    assert_eq!(
        outcome.stderr,
        "error: labels.txt: 1 names for 10 classes; the others are numbers\n"
    );
    assert_eq!(answers[0]["labels"][0]["label"], "class 1");
}

#[test]
fn nothing_to_look_at_is_an_error() {
    let folder = Folder::new("classify_nothing");
    folder
        .run("classify", &["."], &[])
        .refused(&["there is no JPEG file in the folders"]);
    let outcome = folder.run("classify", &["--top", "0"], &[]);
    assert_eq!(outcome.code, Some(2), "{outcome:#?}");
    assert!(
        outcome.stderr.contains("give a whole number from 1 on"),
        "{outcome:#?}"
    );
}
