# From a JPEG file to a class: decode, scale, prepare on the host, run a model. Arguments: model, picture, class.
import array
import sys

import acl

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
NV12 = 1
SIDE = 32
AREA = SIDE * SIDE
MEANS, DEVIATIONS = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def check(ret):
    assert ret == 0, (ret, acl.get_recent_err_msg())


def describe(width, height, size):
    memory, ret = acl.media.dvpp_malloc(size)
    check(ret)
    desc = acl.media.dvpp_create_pic_desc()
    check(acl.media.dvpp_set_pic_desc_data(desc, memory))
    check(acl.media.dvpp_set_pic_desc_size(desc, size))
    check(acl.media.dvpp_set_pic_desc_format(desc, NV12))
    check(acl.media.dvpp_set_pic_desc_width(desc, width))
    check(acl.media.dvpp_set_pic_desc_height(desc, height))
    check(acl.media.dvpp_set_pic_desc_width_stride(desc, width))
    check(acl.media.dvpp_set_pic_desc_height_stride(desc, height))
    return desc


def release(desc):
    check(acl.media.dvpp_free(acl.media.dvpp_get_pic_desc_data(desc)))
    check(acl.media.dvpp_destroy_pic_desc(desc))


def pixels_of(path, stream):
    with open(path, "rb") as file:
        data = file.read()
    channel = acl.media.dvpp_create_channel_desc()
    check(acl.media.dvpp_create_channel(channel))
    ptr = acl.util.bytes_to_ptr(data)
    width, height, components, ret = acl.media.dvpp_jpeg_get_image_info(ptr, len(data))
    check(ret)
    assert (width, height, components) == (64, 64, 3)
    size, ret = acl.media.dvpp_jpeg_predict_dec_size(ptr, len(data), NV12)
    check(ret)
    file_memory, ret = acl.media.dvpp_malloc(len(data))
    check(ret)
    check(acl.rt.memcpy(file_memory, len(data), ptr, len(data), HOST_TO_DEVICE))
    large, small = describe(width, height, size), describe(SIDE, SIDE, AREA * 3 // 2)
    config = acl.media.dvpp_create_resize_config()
    check(acl.media.dvpp_jpeg_decode_async(channel, file_memory, len(data), large, stream))
    check(acl.media.dvpp_vpc_resize_async(channel, large, small, config, stream))
    check(acl.rt.synchronize_stream(stream))
    assert acl.media.dvpp_get_pic_desc_ret_code(small) == 0

    # The four quarters of the large picture, as a batch of one picture.
    batch, parts = acl.media.dvpp_create_batch_pic_desc(1), acl.media.dvpp_create_batch_pic_desc(4)
    of_batch = acl.media.dvpp_get_pic_desc(batch, 0)
    for set_it, value in (
        (acl.media.dvpp_set_pic_desc_data, acl.media.dvpp_get_pic_desc_data(large)),
        (acl.media.dvpp_set_pic_desc_size, size),
        (acl.media.dvpp_set_pic_desc_format, NV12),
        (acl.media.dvpp_set_pic_desc_width, width),
        (acl.media.dvpp_set_pic_desc_height, height),
        (acl.media.dvpp_set_pic_desc_width_stride, width),
        (acl.media.dvpp_set_pic_desc_height_stride, height),
    ):
        check(set_it(of_batch, value))
    areas, memories = [], []
    for part in range(4):
        left, top = part % 2 * SIDE, part // 2 * SIDE
        areas.append(acl.media.dvpp_create_roi_config(left, left + SIDE - 1, top, top + SIDE - 1))
        memory, ret = acl.media.dvpp_malloc(AREA * 3 // 2)
        check(ret)
        memories.append(memory)
        desc = acl.media.dvpp_get_pic_desc(parts, part)
        check(acl.media.dvpp_set_pic_desc_data(desc, memory))
        check(acl.media.dvpp_set_pic_desc_size(desc, AREA * 3 // 2))
        check(acl.media.dvpp_set_pic_desc_format(desc, NV12))
        for name in ("width", "height", "width_stride", "height_stride"):
            check(getattr(acl.media, f"dvpp_set_pic_desc_{name}")(desc, SIDE))
    given, ret = acl.media.dvpp_vpc_batch_crop_async(channel, batch, [4], parts, areas, stream)
    check(ret)
    assert given == parts
    check(acl.rt.synchronize_stream(stream))
    check(acl.media.dvpp_destroy_batch_pic_desc(batch))
    check(acl.media.dvpp_destroy_batch_pic_desc(parts))
    for area in areas:
        check(acl.media.dvpp_destroy_roi_config(area))

    def read(memory, count):
        target = bytes(count)
        check(acl.rt.memcpy(acl.util.bytes_to_ptr(target), count, memory, count, DEVICE_TO_HOST))
        return target

    whole = read(acl.media.dvpp_get_pic_desc_data(large), size)
    for part, memory in enumerate(memories):
        left, top = part % 2 * SIDE, part // 2 * SIDE
        rows = [whole[row * 64 + left : row * 64 + left + SIDE] for row in range(top, top + SIDE)]
        assert read(memory, AREA) == b"".join(rows), part
        check(acl.media.dvpp_free(memory))

    pixels = read(acl.media.dvpp_get_pic_desc_data(small), AREA * 3 // 2)
    # The picture as a JPEG file: the size is what there is room for, then what was written.
    jpege = acl.media.dvpp_create_jpege_config()
    check(acl.media.dvpp_set_jpege_config_level(jpege, 90))
    most, ret = acl.media.dvpp_jpeg_predict_enc_size(small, jpege)
    check(ret)
    encoded, ret = acl.media.dvpp_malloc(most)
    check(ret)
    room = most.to_bytes(4, "little")
    check(acl.media.dvpp_jpeg_encode_async(channel, small, encoded, acl.util.bytes_to_ptr(room), jpege, stream))
    check(acl.rt.synchronize_stream(stream))
    written = int.from_bytes(room, "little")
    assert 0 < written <= most and read(encoded, written)[:2] == b"\xff\xd8"
    check(acl.media.dvpp_free(encoded))
    check(acl.media.dvpp_destroy_jpege_config(jpege))

    check(acl.media.dvpp_destroy_resize_config(config))
    release(large)
    release(small)
    check(acl.media.dvpp_free(file_memory))
    check(acl.media.dvpp_destroy_channel(channel))
    check(acl.media.dvpp_destroy_channel_desc(channel))
    return pixels


def prepare(pixels):
    planes = [array.array("f") for _ in range(3)]
    for at in range(AREA):
        colour = AREA + at // SIDE // 2 * SIDE + at % SIDE // 2 * 2
        luma, blue, red = pixels[at], pixels[colour] - 128, pixels[colour + 1] - 128
        rgb = (luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue)
        for plane, value, mean, deviation in zip(planes, rgb, MEANS, DEVIATIONS):
            plane.append((min(max(value, 0), 255) / 255 - mean) / deviation)
    return b"".join(plane.tobytes() for plane in planes)


def dataset(size):
    memory, ret = acl.rt.malloc(size, 0)
    check(ret)
    made = acl.mdl.create_dataset()
    buffer = acl.create_data_buffer(memory, size)
    _, ret = acl.mdl.add_dataset_buffer(made, buffer)
    check(ret)
    return made, memory


def destroy(made, memory):
    for at in range(acl.mdl.get_dataset_num_buffers(made)):
        check(acl.destroy_data_buffer(acl.mdl.get_dataset_buffer(made, at)))
    check(acl.mdl.destroy_dataset(made))
    check(acl.rt.free(memory))


model_path, picture, expected = sys.argv[1:]
check(acl.init())
check(acl.rt.set_device(0))
stream, ret = acl.rt.create_stream()
check(ret)
numbers = prepare(pixels_of(picture, stream))

# A path as an option is that of the call without options.
config = acl.mdl.create_config_handle()
check(acl.mdl.set_config_opt(config, 1, 1))
check(acl.mdl.set_config_opt(config, 2, model_path))
configured, ret = acl.mdl.load_with_config(config)
check(ret)
check(acl.mdl.destroy_config_handle(config))
check(acl.mdl.unload(configured))
work, weights, ret = acl.mdl.query_size(model_path)
check(ret)
model, ret = acl.mdl.load_from_file(model_path)
check(ret)
desc = acl.mdl.create_desc()
check(acl.mdl.get_desc(desc, model))
assert (acl.mdl.get_num_inputs(desc), acl.mdl.get_num_outputs(desc)) == (1, 1)
dims, ret = acl.mdl.get_input_dims(desc, 0)
check(ret)
assert dims["dims"][1:] == [3, SIDE, SIDE] and dims["dimCount"] == 4
assert acl.mdl.get_input_index_by_name(desc, dims["name"]) == (0, 0)
in_size, out_size = acl.mdl.get_input_size_by_index(desc, 0), acl.mdl.get_output_size_by_index(desc, 0)
batch = in_size // len(numbers)
inputs, input_memory = dataset(in_size)
outputs, output_memory = dataset(out_size)
numbers *= batch
check(acl.rt.memcpy(input_memory, in_size, acl.util.bytes_to_ptr(numbers), in_size, HOST_TO_DEVICE))
check(acl.mdl.execute_async(model, inputs, outputs, stream))
check(acl.rt.synchronize_stream(stream))
host, ret = acl.rt.malloc_host(out_size)
check(ret)
check(acl.rt.memcpy(host, out_size, output_memory, out_size, DEVICE_TO_HOST))
scores = array.array("f", acl.util.ptr_to_bytes(host, out_size))
scores = list(scores[: len(scores) // batch])
assert scores.index(max(scores)) == int(expected), scores

check(acl.rt.free_host(host))
destroy(inputs, input_memory)
destroy(outputs, output_memory)
check(acl.mdl.destroy_desc(desc))
check(acl.mdl.unload(model))
check(acl.rt.destroy_stream(stream))
check(acl.rt.reset_device(0))
check(acl.finalize())
