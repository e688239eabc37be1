//! Each C call of the media engine fails in turn: the first time, the second time, and always.
//!
//! A call without a fault gives the list of calls. Then each fault runs in a process of its own, and has to end in an error
//! that names the call, or in a reported release. What a failed call leaves behind was reported.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Arc;

use ascendcl::emulator::{faults_struck, journal};
use ascendcl::media::{
    All, Border, BorderKind, Gray, Interpolation, LookupTable, Nv12, Region, Rgb888, Scaling,
};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result};

use crate::common::{acl_with_journal, assert_clean, calls, isolated};
use crate::media::{engine, jpeg, png};

type D = Npu<0>;

const WHOLE: Region = Region {
    left: 0,
    top: 0,
    width: 64,
    height: 48,
};
const PART: Region = Region {
    left: 16,
    top: 8,
    width: 32,
    height: 16,
};
const BORDER: Border = Border {
    kind: BorderKind::Replicate,
    top: 2,
    bottom: 2,
    left: 2,
    right: 2,
};

fn file() -> Vec<u8> {
    jpeg(
        64,
        48,
        &[0x22, 0x11, 0x11],
        &[[50, 60, 70]; 64 * 48].concat(),
    )
}

/// Uses every function of the first interface that tasks need.
fn first(acl: &Acl) -> Result<()> {
    let media = acl.media()?.v1()?;
    acl.on::<D, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let channel = stream.adopt(media.create_channel::<All, _>(current)?);
        let mut file = stream.adopt(media.jpeg(current, &file())?);
        let picture = stream.adopt(media.picture_for_jpeg::<Nv12, _>(current, file.info())?);
        let picture = stream.with(&channel).decode_jpeg(&mut file, picture)?;
        let mut other = stream.adopt(media.png(current, &png(64, 48))?);
        let colours = stream.adopt(media.picture_for_png::<Rgb888, _>(current, other.info())?);
        let colours = stream.with(&channel).decode_png(&mut other, colours)?;
        let out = stream.adopt(media.picture::<Nv12, _>(current, 32, 16)?);
        let near = Interpolation::Nearest;
        let small = stream.with(&channel).resize(&picture, out, near)?;
        let out = stream.adopt(media.picture::<Nv12, _>(current, 32, 16)?);
        let part = stream.with(&channel).crop(&picture, PART, out)?;
        let canvas = media
            .picture::<Nv12, _>(current, 64, 48)?
            .fill(current, 7)?;
        let mut canvas = stream.adopt(canvas.into_canvas());
        stream
            .with(&channel)
            .crop_paste(&picture, PART, &mut canvas, PART)?;
        let out = stream.adopt(media.picture::<Rgb888, _>(current, 68, 52)?);
        let framed = stream.with(&channel).make_border(&colours, out, &BORDER)?;
        let out = vec![stream.adopt(media.picture::<Rgb888, _>(current, 36, 20)?)];
        let inputs = [(&colours, &[PART][..])];
        let done = stream.with(&channel).batch_crop(&inputs, out)?;
        let histogram = stream.with(&channel).histogram(&colours)?;
        let table = LookupTable::identity();
        let plain = media
            .picture::<Rgb888, _>(current, 64, 48)?
            .fill(current, 3)?;
        let plain = stream.adopt(plain);
        let out = stream.adopt(media.picture::<Rgb888, _>(current, 64, 48)?);
        let replaced = stream.with(&channel).replace_values(&plain, out, &table)?;
        let bytes = channel.predict_encoded(&picture, 90)?;
        let out = stream.adopt(current.malloc_dvpp(bytes)?);
        let encoded = stream.with(&channel).encode_jpeg(&picture, 90, out)?;
        let idle = stream.synchronize()?;
        for picture in [small, part, canvas] {
            idle.take(picture).check()?.read(current)?;
        }
        for picture in done.into_iter().chain([framed, replaced]) {
            idle.take(picture).check()?.read(current)?;
        }
        idle.take(histogram).check()?;
        idle.take(encoded).check(current)?;
        idle.take(channel).destroy()?;
        drop((
            idle.take(file),
            idle.take(other),
            idle.take(picture),
            idle.take(colours),
            idle.take(plain),
        ));
        Ok(())
    })
}

/// Uses every function of the second interface that tasks need.
fn second(acl: &Acl) -> Result<()> {
    let media = acl.media()?;
    acl.on::<D, _>(0, |current| {
        let media = media.v2(current)?;
        let mut decoder = media.create_jpeg_decoder::<Nv12>(current)?.start()?;
        let file = media.jpeg(current, &file())?;
        let picture = media.picture_for_jpeg::<Nv12>(current, file.info())?;
        let (picture, file) = decoder.decode(file, picture)?;
        decoder.stop()?.destroy()?;
        let mut decoder = media.create_png_decoder(current)?;
        let other = media.png(current, &png(64, 48))?;
        let colours = media.picture_for_png::<Rgb888>(current, other.info())?;
        let (colours, other) = decoder.decode(other, colours)?;
        decoder.destroy()?;
        let (picture, colours) = (Arc::new(picture), Arc::new(colours));

        let mut encoder = media.create_jpeg_encoder(current, 64, 48)?.start()?;
        let encoded = encoder.encode(current, &picture, 90)?;
        encoded.read(current)?;
        encoded.release()?;
        encoder.stop()?.destroy()?;

        let processor = media.create_processor(current)?;
        let small = media.picture::<Nv12>(current, 32, 16)?;
        let small = processor.resize(&picture, small, Scaling::Nearest)?;
        let part = media.picture::<Nv12>(current, 32, 16)?;
        let part = processor.crop(&picture, PART, part)?;
        let canvas = media.picture::<Nv12>(current, 64, 48)?.fill(current, 7)?;
        let near = Scaling::Nearest;
        let canvas = processor.crop_resize_paste(&picture, WHOLE, (canvas, PART), near)?;
        for task in [small, part] {
            task.wait()?.read(current)?;
        }
        canvas.wait()?.read(current)?;
        let out = media.picture::<Rgb888>(current, 68, 52)?;
        let framed = processor.make_border(&colours, out, &BORDER)?.wait()?;
        let out = vec![(media.picture::<Rgb888>(current, 36, 20)?, BORDER)];
        let inputs = [(&colours, &[PART][..])];
        processor
            .batch_crop_resize_border(&inputs, out, near)?
            .wait()?;
        let out = media.picture::<Rgb888>(current, 64, 48)?;
        let replaced = processor.replace_values(&colours, out, &LookupTable::identity())?;
        drop((framed, replaced.wait()?));
        processor.histogram(&colours)?.wait()?;
        let gray = Arc::new(media.picture::<Gray>(current, 64, 48)?.fill(current, 9)?);
        let half = vec![media.picture::<Gray>(current, 32, 24)?];
        processor.pyramid_down(&gray, half)?.wait()?;
        processor.destroy()?;
        drop((file, other, picture, colours, gray));
        media.exit()
    })
}

/// In a process without a fault: runs the program, and then a process for each fault. In such a process: judges it.
fn sweep(test: &str, program: fn(&Acl) -> Result<()>) {
    engine();
    let acl = acl_with_journal();
    let result = program(&acl);
    if let Ok(fault) = std::env::var("ASCENDCL_EMULATOR_FAULTS") {
        judge(&fault, result.err());
        return;
    }
    result.unwrap();
    assert_clean(&acl);
    let mut names = BTreeMap::new();
    for call in journal() {
        if call.name.starts_with("acldvpp") || call.name.starts_with("hi_mpi") {
            *names.entry(call.name).or_insert(0) += 1;
        }
    }
    assert!(names.len() > 25, "{names:?}");
    // Faults of the functions that return the status of a task return 0, which is a success.
    names.retain(|name, _| !name.ends_with("RetCode"));
    let mut faults = Vec::new();
    for (name, count) in names {
        faults.push(format!("{name}#1=500001"));
        faults.push(format!("{name}=500001"));
        if count > 1 {
            faults.push(format!("{name}#2=500001"));
        }
    }
    let failed: Vec<String> = faults
        .iter()
        .filter_map(|fault| alone(test, fault))
        .collect();
    assert!(
        failed.is_empty(),
        "{} faults:\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// Runs this test with a fault, and returns the complaint if there is one.
fn alone(test: &str, fault: &str) -> Option<String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env("ASCENDCL_EMULATOR_FAULTS", fault);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    (!output.status.success()).then(|| format!("{fault}: {said}"))
}

/// Judges the end of a program with a fault.
fn judge(fault: &str, error: Option<ascendcl::Error>) {
    let name = fault.split(['#', '=']).next().unwrap();
    assert!(faults_struck() > 0, "the fault did not strike");
    let reported = ascendcl::release_failures() + ascendcl::leaks();
    match error {
        Some(error) => {
            let text = error.to_string();
            assert!(
                text.contains(name),
                "the error does not name the call: {text}"
            );
        }
        None => assert!(reported > 0, "nothing was reported"),
    }
    // Without a report, everything that was made is gone. The description of a channel that is not destroyed is leaked,
    // and the error says so.
    if reported > 0 || name == "acldvppDestroyChannel" {
        return;
    }
    for (made, gone) in [
        ("acldvppMalloc", "acldvppFree"),
        ("acldvppCreateChannelDesc", "acldvppDestroyChannelDesc"),
        ("acldvppCreatePicDesc", "acldvppDestroyPicDesc"),
        ("acldvppCreateRoiConfig", "acldvppDestroyRoiConfig"),
        ("acldvppCreateHist", "acldvppDestroyHist"),
        ("hi_mpi_dvpp_malloc", "hi_mpi_dvpp_free"),
        ("hi_mpi_vpc_sys_create_chn", "hi_mpi_vpc_destroy_chn"),
        ("hi_mpi_vdec_create_chn", "hi_mpi_vdec_destroy_chn"),
        ("hi_mpi_pngd_create_chn", "hi_mpi_pngd_destroy_chn"),
        ("hi_mpi_venc_create_chn", "hi_mpi_venc_destroy_chn"),
        ("hi_mpi_venc_get_stream", "hi_mpi_venc_release_stream"),
    ] {
        // The call that fails has made nothing.
        let failed = u64::from(name == made) * faults_struck();
        assert_eq!(
            calls(made) as u64 - failed,
            calls(gone) as u64,
            "{made}, {gone}"
        );
    }
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn each_call_of_the_first_interface_may_fail() {
        sweep("media_faults::each_call_of_the_first_interface_may_fail", first);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn each_call_of_the_second_interface_may_fail() {
        sweep("media_faults::each_call_of_the_second_interface_may_fail", second);
    }
}
