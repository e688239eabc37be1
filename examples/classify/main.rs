//! Names what pictures show: from JPEG files to labels.
//!
//! ```text
//! cargo run --release --features emulator-onnx,emulator-media --example classify
//! cargo run --release --features emulator-onnx,emulator-media --example classify -- --model resnet50.onnx --labels imagenet.txt photos
//! ```
//!
//! The media engine decodes the files of a batch and scales them (`decode`). The host makes numbers of the pixels
//! (`network`), and one of three streams runs the network (`lane`), while the next batch is decoded. The three models
//! share the memory of their weights. A picture that cannot be read or decoded is reported, and the others have answers.

mod args;
mod decode;
mod lane;
mod network;
mod report;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ascendcl::model::{LoadOptions, ModelFile};
use ascendcl::{Acl, Current, HostSide, Npu, StreamName, Thread};
use clap::Parser;
use indicatif::ProgressBar;

use args::Args;
use decode::Decoder;
use lane::{Lane, Run};
use network::Network;
use report::Report;

/// The device of this program.
type D = Npu<0>;
type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// The streams.
enum First {}
impl StreamName for First {}
enum Second {}
impl StreamName for Second {}
enum Third {}
impl StreamName for Third {}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args).and_then(|report| report.print(args.json)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            report::complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<Report> {
    let (model, labels) = (args.model(), labels(args)?);
    let files = files(&args.pictures())?;
    let content = fs::read(&model)
        .map_err(|error| format!("{}: cannot be read: {error}", model.display()))?;

    let acl = Acl::from_env()?;
    let host = acl.host()?;
    let media = acl.media()?.v1()?;
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<D>(&mut thread, args.device)?;
    let current = thread.set_current(&device)?;

    let file = ModelFile::new(content);
    let network = Network::of(current, &file, &model)?;
    if let Some((path, labels)) = &labels
        && labels.len() != network.classes
    {
        let (names, path, classes) = (labels.len(), path.display(), network.classes);
        report::complain(&format!(
            "{path}: {names} names for {classes} classes; the others are numbers"
        ));
    }
    let names = labels.map(|(_, labels)| labels).unwrap_or_default();
    let name = |class: usize| {
        names
            .get(class)
            .cloned()
            .unwrap_or_else(|| format!("class {class}"))
    };
    let bar = report::progress(files.len(), !args.quiet)?;

    let mut decoder = Decoder::new(&media, current, (network.width, network.height));
    let mut lanes = lanes(current, host, network, &file)?;
    let scores = classify(&files, network.batch, &mut decoder, &mut lanes, &bar)?;
    for lane in lanes {
        lane.end()?;
    }
    decoder.end()?;
    let answers = files.into_iter().zip(scores).map(|(picture, scores)| {
        let best = scores.map(|scores| likeliest(&scores, args.top));
        let named = best.map(|best| {
            best.into_iter()
                .map(|(class, probability)| (name(class), probability))
                .collect()
        });
        (picture, named)
    });
    let report = Report {
        backend: acl.backend().to_string(),
        model,
        answers: answers.collect(),
    };
    bar.finish_and_clear();
    device.reset()?;
    drop(media);
    acl.finalize()?;
    Ok(report)
}

/// The lanes, whose models share their weights.
fn lanes<'t, 'dev>(
    current: Current<'t, 'dev, D>,
    host: HostSide<'_>,
    network: Network,
    file: &ModelFile,
) -> Result<Vec<Box<dyn Run + 't>>>
where
    'dev: 't,
{
    let mut weights = None;
    if current.query_model_size(file)?.weights > 0 {
        weights = Some(current.malloc_weights(file)?);
    }
    let options = || match &weights {
        Some(weights) => LoadOptions::new().weights(weights),
        None => LoadOptions::new(),
    };
    Ok(vec![
        Box::new(Lane::<First>::new(current, host, network, file, options())?),
        Box::new(Lane::<Second>::new(
            current,
            host,
            network,
            file,
            options(),
        )?),
        Box::new(Lane::<Third>::new(current, host, network, file, options())?),
    ])
}

/// Returns the numbers of the classes for each file, or the reason why it has none.
fn classify(
    files: &[PathBuf],
    batch: usize,
    decoder: &mut Decoder<'_, '_, '_>,
    lanes: &mut [Box<dyn Run + '_>],
    bar: &ProgressBar,
) -> Result<Vec<Result<Vec<f32>, String>>> {
    let mut scores: Vec<_> = files
        .iter()
        .map(|_| Err("the picture was not looked at".to_owned()))
        .collect();
    // The pictures that each lane looks at, as positions.
    let mut running = vec![Vec::new(); lanes.len()];
    let collect = |lane: &mut dyn Run, places: Vec<usize>, scores: &mut Vec<_>| -> Result<()> {
        for (place, found) in places.into_iter().zip(lane.finish()?) {
            if let Some(to) = scores.get_mut(place) {
                *to = Ok(found);
            }
            bar.inc(1);
        }
        Ok(())
    };
    let batches = files.chunks(batch).enumerate();
    for (number, paths) in batches {
        let turn = number % lanes.len();
        let (Some(lane), Some(places)) = (lanes.get_mut(turn), running.get_mut(turn)) else {
            break;
        };
        collect(lane.as_mut(), std::mem::take(places), &mut scores)?;
        let (mut readable, mut contents) = (Vec::new(), Vec::new());
        for (place, path) in (number * batch..).zip(paths) {
            match decode::read(path) {
                Ok(content) => {
                    readable.push(place);
                    contents.push(content);
                }
                Err(why) => set(&mut scores, place, why),
            }
        }
        let mut pictures = Vec::new();
        for (place, decoded) in readable.into_iter().zip(decoder.decode(&contents)) {
            match decoded {
                Ok(picture) => {
                    places.push(place);
                    pictures.push(picture);
                }
                Err(why) => set(&mut scores, place, why),
            }
        }
        bar.inc((paths.len() - pictures.len()) as u64);
        if !pictures.is_empty() {
            lane.start(&pictures)?;
        }
    }
    for (lane, places) in lanes.iter_mut().zip(running) {
        collect(lane.as_mut(), places, &mut scores)?;
    }
    Ok(scores)
}

fn set(scores: &mut [Result<Vec<f32>, String>], place: usize, why: String) {
    if let Some(to) = scores.get_mut(place) {
        *to = Err(why);
    }
}

/// Returns the likeliest classes. The numbers become probabilities, unless they are some already.
fn likeliest(scores: &[f32], top: usize) -> Vec<(usize, f64)> {
    let scores: Vec<f64> = scores.iter().copied().map(f64::from).collect();
    let are_probabilities = scores.iter().all(|score| (0.0..=1.0).contains(score))
        && (scores.iter().sum::<f64>() - 1.0).abs() < 1e-3;
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = scores.iter().map(|score| (score - largest).exp()).collect();
    let sum: f64 = powers.iter().sum();
    let probabilities = if are_probabilities {
        scores
    } else {
        powers.iter().map(|power| power / sum).collect()
    };
    let mut all: Vec<_> = probabilities.into_iter().enumerate().collect();
    all.sort_by(|left, right| right.1.total_cmp(&left.1));
    all.truncate(top);
    all
}

/// Returns the names of the classes with their file.
fn labels(args: &Args) -> Result<Option<(PathBuf, Vec<String>)>> {
    let Some(path) = args.labels() else {
        return Ok(None);
    };
    let text = fs::read_to_string(&path)
        .map_err(|error| format!("{}: cannot be read: {error}", path.display()))?;
    Ok(Some((path, text.lines().map(str::to_owned).collect())))
}

/// Returns the files to look at: those that were named, and the JPEG files of the folders.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let is_jpeg = |path: &Path| {
        let end = path.extension().unwrap_or_default();
        end.eq_ignore_ascii_case("jpg") || end.eq_ignore_ascii_case("jpeg")
    };
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let unreadable = |error| format!("{}: cannot be read: {error}", path.display());
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(unreadable)? {
            found.push(entry.map_err(unreadable)?.path());
        }
        found.retain(|path| is_jpeg(path));
        found.sort();
        files.extend(found);
    }
    if files.is_empty() {
        return Err("there is no JPEG file in the folders".into());
    }
    Ok(files)
}
