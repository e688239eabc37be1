//! The first interface: results that nothing proves, files that cannot be decoded, and borders that no picture has.

use ascendcl::StreamName;
use ascendcl::error::{ErrorKind, MediaMismatch};
use ascendcl::event::Order;
use ascendcl::media::{All, Border, BorderKind, Interpolation, LookupTable, Nv12, Region, Rgb888};
use ascendcl::stream::Main;

use crate::common::{assert_clean, bound, isolated};
use crate::media::{D, channel, counted, jpeg, media, mismatch};

enum Second {}
impl StreamName for Second {}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_picture_made_from_one_of_another_stream_is_good_behind_a_check_of_that_one() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        let mut first = current.create_stream::<Main>().unwrap();
        let mut second = current.create_stream::<Second>().unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        let channel = channel(&media, current, &first);
        let other = second.adopt(media.create_channel::<All, _>(current).unwrap());
        let fresh = || media.picture::<Nv12, _>(current, 32, 16).unwrap();
        let near = Interpolation::Nearest;
        let picture = first.adopt(counted::<Nv12>(&media, current, (64, 48), 64 * 48 * 3 / 2));
        let out = first.adopt(fresh());
        let source = first.with(&channel).resize(&picture, out, near).unwrap();
        let source = first.handoff(&mut second, &mut event, source).unwrap();
        let mut made = Vec::new();
        for _ in 0..2 {
            let out = second.adopt(fresh());
            let copy = second.with(&other).resize(&source, out, near).unwrap();
            let out = second.adopt(fresh());
            let of_copy = second.with(&other).resize(&copy, out, near).unwrap();
            let outs = vec![second.adopt(fresh())];
            let whole = Region { left: 0, top: 0, width: 32, height: 16 };
            let inputs = [(&copy, &[whole][..])];
            let batch = second.with(&other).batch_crop(&inputs, outs).unwrap();
            let histogram = second.with(&other).histogram(&copy).unwrap();
            let pictures: Vec<_> = [copy, of_copy].into_iter().chain(batch).collect();
            made.push((pictures, histogram));
        }
        let later = made.pop().unwrap();
        let idle = second.synchronize().unwrap();
        let of = MediaMismatch::OtherStream { call: "acldvppVpcResizeAsync" };
        for (pictures, histogram) in made {
            for picture in pictures {
                assert_eq!(mismatch(idle.take(picture).check()), of);
            }
            assert_eq!(mismatch(idle.take(histogram).check()), of);
        }
        let unverified = idle.take(source);
        let later: (Vec<_>, _) = (
            later.0.into_iter().map(|picture| idle.take(picture)).collect(),
            idle.take(later.1),
        );
        drop(idle.take(other));
        let idle = first.synchronize().unwrap();
        let source = idle.verify(unverified);
        assert_eq!(source.check().unwrap().width(), 32);
        for picture in later.0 {
            assert_eq!(picture.check().unwrap().width(), 32);
        }
        assert!(later.1.check().is_ok());
        drop((idle.take(picture), idle.take(channel)));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_picture_whose_former_stream_is_forgotten_is_not_good() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        let mut first = current.create_stream::<Main>().unwrap();
        let mut second = current.create_stream::<Second>().unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        let channel = channel(&media, current, &first);
        let picture = first.adopt(counted::<Nv12>(&media, current, (64, 48), 64 * 48 * 3 / 2));
        let out = first.adopt(media.picture::<Nv12, _>(current, 32, 16).unwrap());
        let small = first.with(&channel).resize(&picture, out, Interpolation::Nearest).unwrap();
        let small = first.handoff(&mut second, &mut event, small).unwrap().accept_unverified();
        let small = second.synchronize().unwrap().take(small);
        let call = "acldvppVpcResizeAsync";
        assert_eq!(mismatch(small.check()), MediaMismatch::Unproven { call });
        let idle = first.synchronize().unwrap();
        drop((idle.take(picture), idle.take(channel)));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_border_has_values_of_pixels_and_leaves_room() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let channel = channel(&media, current, &stream);
        let picture = stream.adopt(counted::<Rgb888>(&media, current, (40, 30), 40 * 30 * 3));
        for (values, component, value) in [
            ([f64::NAN, 0.0, 0.0, 0.0], 0, "NaN"),
            ([0.0, f64::INFINITY, 0.0, 0.0], 1, "inf"),
            ([0.0, 0.0, -1.0, 0.0], 2, "-1"),
            ([0.0, 0.0, 0.0, 255.5], 3, "255.5"),
        ] {
            let border = Border {
                kind: BorderKind::Constant(values), top: 1, bottom: 1, left: 1, right: 1,
            };
            let out = stream.adopt(media.picture::<Rgb888, _>(current, 42, 32).unwrap());
            let wrong = MediaMismatch::BorderValue { component, value: value.to_owned() };
            assert_eq!(mismatch(stream.with(&channel).make_border(&picture, out, &border)), wrong);
        }
        let whole = Region { left: 0, top: 0, width: 40, height: 30 };
        let inputs = [(&picture, &[whole][..])];
        for (left, right, top, bottom) in [(20, 20, 0, 0), (u16::MAX, 0, 0, 0), (0, 0, 29, 1)] {
            let border = Border { kind: BorderKind::Replicate, top, bottom, left, right };
            let out = stream.adopt(media.picture::<Rgb888, _>(current, 40, 30).unwrap());
            let near = Interpolation::Nearest;
            let framed = stream.with(&channel).batch_crop_resize_border(&inputs, vec![(out, border)], near);
            let (to_width, to_height) = (40, 30);
            let wrong = MediaMismatch::BorderRoom { left, right, top, bottom, to_width, to_height };
            assert_eq!(mismatch(framed), wrong);
        }
        let idle = stream.synchronize().unwrap();
        drop((idle.take(picture), idle.take(channel)));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn values_are_replaced_in_pictures_with_the_same_strides() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let channel = channel(&media, current, &stream);
        let wide = media.picture_for_all::<Rgb888, _>(current, 40, 30).unwrap();
        let layout = wide.layout();
        let wide = stream.adopt(wide.fill(current, 5).unwrap());
        let out = stream.adopt(media.picture::<Rgb888, _>(current, 40, 30).unwrap());
        let mut table = LookupTable::identity();
        table.0[0][5] = 9;
        let replaced = stream.with(&channel).replace_values(&wide, out, &table);
        assert_eq!(
            mismatch(replaced),
            MediaMismatch::Strides {
                call: "acldvppVpcEqualizeHistAsync", stride: 384, rows: 32, to_stride: 120, to_rows: 30,
            }
        );
        let memory = current.malloc_dvpp::<u8>(layout.bytes() as usize).unwrap();
        let memory = current.memset(memory, 0).unwrap();
        let out = stream.adopt(media.picture_in(memory, layout).unwrap());
        let replaced = stream.with(&channel).replace_values(&wide, out, &table).unwrap();
        let idle = stream.synchronize().unwrap();
        let pixels = idle.take(replaced).check().unwrap().read(current).unwrap();
        assert_eq!(pixels[..3], [9, 5, 5]);
        drop((idle.take(wide), idle.take(channel)));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_file_that_cannot_be_decoded_is_an_error_of_the_picture_and_of_its_copies() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let channel = channel(&media, current, &stream);
        // The head of a file of 64 x 48 pixels, without the pixels.
        let file = jpeg(64, 48, &[0x22, 0x11, 0x11], &[1, 2, 3]);
        let mut data = stream.adopt(media.jpeg(current, &file).unwrap());
        let picture = stream.adopt(media.picture_for_jpeg::<Nv12, _>(current, data.info()).unwrap());
        let picture = stream.with(&channel).decode_jpeg(&mut data, picture).unwrap();
        let small = stream.adopt(media.picture::<Nv12, _>(current, 32, 16).unwrap());
        let small = stream.with(&channel).resize(&picture, small, Interpolation::Default).unwrap();
        let (small, status) = small.detach_status();
        let failed = stream.synchronize().map(drop).unwrap_err();
        assert!(matches!(failed.kind(), ErrorKind::Wait(_)), "{failed}");
        // The wait has returned the failure. Nothing proves the pictures behind it, also not the copy whose own task has
        // not failed.
        let drained = stream.drain().unwrap();
        let of = |call| MediaMismatch::Unproven { call };
        let status = drained.take(status).accept_unverified();
        assert_eq!(mismatch(status.check()), of("acldvppVpcResizeAsync"));
        let picture = drained.take(picture).accept_unverified();
        assert_eq!(mismatch(picture.check()), of("acldvppJpegDecodeAsync"));
        drop((drained.take(small), data, channel));
    }
}
