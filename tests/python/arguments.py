# Wrong arguments raise an exception that names the parameter and the value, and C is not called.
import inspect

import acl


def says(words, call, *arguments):
    try:
        call(*arguments)
    except Exception as error:
        assert words in str(error), f"{error!r} does not say {words!r}"
    else:
        raise AssertionError(f"no exception: {words}")


assert acl.init() == 0
says("acl.rt.set_device(device_id): the number of arguments is 1, not 0", acl.rt.set_device)
says("acl.rt.set_device: device_id = 4294967296 has more than 32 bits", acl.rt.set_device, 1 << 32)
says("acl.rt.synchronize_stream: stream is of type int, not NoneType; 0 is the null pointer", acl.rt.synchronize_stream, None)
says("size is of type int, not float", acl.rt.malloc, 4.0, 0)
says("acl.init: config_path is of type str, not bytes", acl.init, b"acl.json")
says("contains a null character", acl.mdl.load_from_file, "a\0b")
says("the emulator has no acl.rt.setdevice", lambda: acl.rt.setdevice)
says("the emulator has no acl.start", lambda: acl.start)
says("does not convert", acl.rt.launch_host_func, 1, 2, 3)
says("does not convert", acl.rt.memcpy_batch, 1, 2)
says("acl.rt.set_device: device_id is of type int, not NoneType", acl.rt.set_device, None)
says("ptr is of type int", acl.util.ptr_to_bytes, None, 3)
says("message is of type str", acl.app_log, 3, None)
says("the number of arguments is 6, not 5", acl.media.dvpp_vpc_batch_crop_async, 1, 2, [2], 3, 0)
says("crop_areas has 1 elements, and roi_nums counts 2", acl.media.dvpp_vpc_batch_crop_async, 1, 2, [2], 3, [4], 0)
says("cfg is a dict, not int", acl.rt.malloc_with_cfg, 8, 0, 0)
says("options is a list, not dict", acl.rt.binary_load_from_file, "kernel.o", {})
says("bytes_data is of type bytes", acl.util.bytes_to_ptr, bytearray(4))
says("in_desc_list is a list, not int", acl.op.infer_shape, "Add", 3, [], 0, [], 0)
says("must have as many", acl.op.execute_v2, "Add", [1], [], [], [], 0, 0)
says("fn is a function", acl.rt.launch_callback, "print", [], 1, 0)
dims = {"name": "", "dimCount": 1, "dims": [1], "rank": 1}
says("has no 'rank'; aclmdlIODims has name, dimCount, dims", acl.mdl.set_input_dynamic_dims, 1, 2, 0, dims)
says("lacks 'dims'", acl.mdl.set_input_dynamic_dims, 1, 2, 0, {"name": "", "dimCount": 1})
says("129 elements; 128 are possible", acl.mdl.set_input_dynamic_dims, 1, 2, 0, {"name": "", "dimCount": 129, "dims": [1] * 129})

# The words of `help`.
assert "aclrtMemcpy(" in acl.rt.memcpy.__doc__
assert str(inspect.signature(acl.rt.memcpy)) == "(dst, dest_max, src, count, kind, /)"
assert "bytes_to_ptr" in dir(acl.util) and "set_device" in dir(acl.rt) and "finalize" in dir(acl)

# Each function whose parameters this module converts is in the library.
areas = {"": acl, **{name: getattr(acl, name) for name in ("rt", "mdl", "op", "media", "himpi", "prof")}}
found = 0
for area, of in areas.items():
    for name in acl._names():
        if name.rpartition(".")[0] == area:
            found += callable(getattr(of, name.rpartition(".")[2]))
assert found == len(acl._names()) > 700, found
for name in ("acl.get_version", "acl.rt.binary_unload", "acl.prof.model_un_subscribe", "acl.media.vdec_set_channel_desc_entype"):
    assert callable(eval(name)), name
version = acl.get_version(0)
assert version[3] == 0, version

# Lists, descriptions of tensors, and what is given back.
desc = acl.create_tensor_desc(0, [2, 3], 2)
assert acl.get_tensor_desc_num_dims(desc) == 2
assert acl.get_tensor_desc_dim_v2(desc, 1) == (3, 0)
assert acl.get_tensor_desc_size(desc) == 24
assert acl.set_tensor_shape_range(desc, [[1, 2], [3, 3]]) == 0
assert acl.get_tensor_desc_dim_range(desc, 0, 2) == ([1, 2], 0)
says("dims_range has 3 numbers in a row, not 2", acl.set_tensor_shape_range, desc, [[1, 2, 3]])
assert acl.get_tensor_desc_dim_range(desc, 7, 2)[0] is None
assert acl.destroy_tensor_desc(desc) is None
assert acl.mdl.get_input_dims(0, 0) == ({}, 100000)
dataset = acl.mdl.create_dataset()
buffer = acl.create_data_buffer(0, 0)
assert acl.mdl.add_dataset_buffer(dataset, buffer) == (dataset, 0)
assert acl.mdl.get_dataset_num_buffers(dataset) == 1
assert acl.mdl.get_dataset_buffer(dataset, 0) == buffer
assert acl.get_data_buffer_addr(buffer) == 0
assert acl.destroy_data_buffer(buffer) == 0
assert acl.mdl.destroy_dataset(dataset) == 0
attr = acl.op.create_attr()
assert acl.op.set_attr_list_int(attr, "axes", [0, 2, 1]) == 0
assert acl.op.set_attr_list_string(attr, "names", ["a", "b"]) == 0
assert acl.op.set_attr_list_list_int(attr, "pairs", [[1, 2], [3]]) == 0
assert acl.op.set_attr_bool(attr, "keep", True) == 0
acl.op.destroy_attr(attr)
assert acl.float16_to_float(acl.float_to_float16(1.5)) == 1.5
acl.app_log(1, "100% of the words")
assert acl.finalize() == 0
