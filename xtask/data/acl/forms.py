# -- What is no thin call ----------------------------------------------------------------------------------------------


def init(config_path=None, /):
    """aclInit(configPath) in C"""
    path = None if config_path is None else _to_c(config_path, "s", "acl.init: config_path")
    return _call(_LIBRARY.aclInit, [path])


def app_log(log_level, message, /):
    """aclAppLog(logLevel, func, file, line, fmt, ..) in C, with the place of the call"""
    caller = sys._getframe(1)
    place = (caller.f_code.co_name.encode(), caller.f_code.co_filename.encode(errors="replace"), caller.f_lineno)
    text = _to_c(message, "s", "acl.app_log: message")
    _LIBRARY.aclAppLog(_to_c(log_level, "i32", "acl.app_log: log_level"), *place, b"%s", text)


def get_soc_name():
    """aclrtGetSocName() in C"""
    return rt.get_soc_name()


_functions = {}
_last = 0
_lock = threading.Lock()


def _run(number):
    function, arguments = _functions.pop(number)
    function(*arguments)


_RUN = ctypes.CFUNCTYPE(None, ctypes.c_size_t)(_run)


def _launch_callback(fn, user_data_list, block_type, stream, /):
    """aclrtLaunchCallback(fn, userData, blockType, stream) in C; `fn` gets the list as its one argument"""
    global _last
    if not callable(fn):
        raise TypeError("acl.rt.launch_callback: fn is a function")
    block = _to_c(block_type, "i32", "acl.rt.launch_callback: block_type")
    on = _to_c(stream, "p", "acl.rt.launch_callback: stream")
    with _lock:
        _last += 1
        number = _last
    _functions[number] = (fn, (user_data_list,))
    ret = _call(_LIBRARY.aclrtLaunchCallback, [_RUN, ctypes.c_size_t(number), block, on])
    if ret != _SUCCESS:
        _functions.pop(number, None)
    return ret


_of_exceptions = {}


def _set_exception_info_callback(fn=None, /):
    """aclrtSetExceptionInfoCallback(callback) in C; `fn` gets the address of the information; None ends it"""
    if fn is None:
        return _call(_LIBRARY.aclrtSetExceptionInfoCallback, [None])
    if not callable(fn):
        raise TypeError("acl.rt.set_exception_info_callback: fn is a function")
    # C may still call an earlier one, so each function stays.
    of_c = _of_exceptions.setdefault(fn, ctypes.CFUNCTYPE(None, ctypes.c_size_t)(fn))
    return _call(_LIBRARY.aclrtSetExceptionInfoCallback, [of_c])


def _batch(name, others_of):
    """A function for a batch of pictures: it counts the regions of each, and returns the descriptions of the outputs."""
    c_name = f"acldvppVpcBatch{name}Async"
    python = _python_name(c_name)

    def call(channel_desc, src_batch_pic_descs, roi_nums, dst_batch_pic_descs, *others):
        if len(others) != len(others_of) + 1:
            raise TypeError(f"acl.{python}: the number of arguments is {len(others_of) + 5}, not {len(others) + 4}")
        address = lambda value, what: _to_c(value, "p", f"acl.{python}: {what}")
        counts = _list_to_c(roi_nums, "u32", f"acl.{python}: roi_nums")
        *others, stream = others
        lists = []
        for what, of in zip(others_of, others):
            if not what.endswith("s"):
                lists.append(address(of, what))
                continue
            lists.append(_list_to_c(of, "p", f"acl.{python}: {what}"))
            if len(lists[-1]) < sum(counts):
                raise ValueError(f"acl.{python}: {what} has {len(lists[-1])} elements, and roi_nums counts {sum(counts)}")
        first = [address(channel_desc, "channel_desc"), address(src_batch_pic_descs, "src_batch_pic_descs"), counts]
        last = [address(dst_batch_pic_descs, "dst_batch_pic_descs"), *lists, address(stream, "stream")]
        return dst_batch_pic_descs, _call(_LIBRARY[c_name], [*first, ctypes.c_uint32(len(counts)), *last])

    call.__name__ = call.__qualname__ = python.rpartition(".")[2]
    call.__doc__ = f"{c_name}(..) in C, without `size`"
    setattr(media, call.__name__, call)


def _set_attr_list_list_int(attr, attr_name, values, /):
    """aclopSetAttrListListInt(attr, attrName, numLists, numValues, values) in C"""
    what = "acl.op.set_attr_list_list_int"
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"{what}: values is a list, not {type(values).__name__}")
    rows = [_list_to_c(row, "i64", f"{what}: values[{at}]") for at, row in enumerate(values)]
    counts = _list_to_c([len(row) for row in rows], "i32", what)
    addresses = (ctypes.c_void_p * len(rows))(*(ctypes.addressof(row) for row in rows))
    first = [_to_c(attr, "p", f"{what}: attr"), _to_c(attr_name, "s", f"{what}: attr_name")]
    return _call(_LIBRARY.aclopSetAttrListListInt, [*first, ctypes.c_int(len(rows)), counts, addresses])


def _infer_shape(op_type, in_desc_list, in_list, num_outputs, out_desc_list, attr, /):
    """aclopInferShape(opType, numInputs, inputDesc, inputs, numOutputs, outputDesc, attr) in C"""
    what = "acl.op.infer_shape"
    lists = {"in_desc_list": in_desc_list, "in_list": in_list, "out_desc_list": out_desc_list}
    descs, buffers, outs = (_list_to_c(of, "p", f"{what}: {name}") for name, of in lists.items())
    if num_outputs != len(outs):
        raise ValueError(f"{what}: num_outputs = {num_outputs}, and out_desc_list has {len(outs)} elements")
    first = [_to_c(op_type, "s", f"{what}: op_type"), ctypes.c_int(len(descs)), descs, buffers]
    return _call(_LIBRARY.aclopInferShape, [*first, ctypes.c_int(len(outs)), outs, _to_c(attr, "p", f"{what}: attr")])


# The lists of pyACL are no longer.
_MOST = 4096


def _get_input_dynamic_dims(model_desc, index, gear_count, /):
    """aclmdlGetInputDynamicDims(modelDesc, index, dims, gearCount) in C"""
    what = "acl.mdl.get_input_dynamic_dims"
    count = _to_c(gear_count, "u64", f"{what}: gear_count")
    if count.value > _MOST:
        return None, _INVALID_PARAM
    dims = (_record("aclmdlIODims") * gear_count)()
    first = [_to_c(model_desc, "p", f"{what}: model_desc"), _to_c(index, "u64", f"{what}: index")]
    ret = _call(_LIBRARY.aclmdlGetInputDynamicDims, [*first, dims, count])
    return [_from_c(one) for one in dims], ret


def _get_tensor_desc_dim_range(desc, index, dim_range_num, /):
    """aclGetTensorDescDimRange(desc, index, dimRangeNum, dimRange) in C"""
    what = "acl.get_tensor_desc_dim_range"
    count = _to_c(dim_range_num, "u64", f"{what}: dim_range_num")
    if count.value > _MOST:
        return None, _INVALID_PARAM
    dims = (ctypes.c_int64 * dim_range_num)()
    first = [_to_c(desc, "p", f"{what}: desc"), _to_c(index, "u64", f"{what}: index")]
    ret = _call(_LIBRARY.aclGetTensorDescDimRange, [*first, count, dims])
    return (list(dims) if ret == _SUCCESS else None), ret


_options = {}


def _set_config_opt(config_handle, attr, attr_value, /):
    """aclmdlSetConfigOpt(handle, attr, attrValue, valueSize) in C; a str for the path, an int for the others"""
    what = "acl.mdl.set_config_opt"
    number = _to_c(attr, "i32", f"{what}: attr")
    kind = "s" if isinstance(attr_value, str) else "i32" if number.value == 0 else "u64"
    value = _to_c(attr_value, kind, f"{what}: attr_value")
    handle = _to_c(config_handle, "p", f"{what}: config_handle")
    # C reads a path when it loads the model.
    _options[handle.value, number.value] = value
    size = ctypes.c_size_t(ctypes.sizeof(value))
    return _call(_LIBRARY.aclmdlSetConfigOpt, [handle, number, ctypes.byref(value), size])


def _destroy_config_handle(config_handle, /):
    """aclmdlDestroyConfigHandle(handle) in C"""
    handle = _to_c(config_handle, "p", "acl.mdl.destroy_config_handle: config_handle")
    ret = _call(_LIBRARY.aclmdlDestroyConfigHandle, [handle])
    for key in [key for key in _options if ret == _SUCCESS and key[0] == handle.value]:
        del _options[key]
    return ret


def _set_exec_config_opt(handle, attr, attr_value, /):
    """aclmdlSetExecConfigOpt(handle, attr, attrValue, valueSize) in C"""
    what = "acl.mdl.set_exec_config_opt"
    value = _to_c(attr_value, "u32", f"{what}: attr_value")
    first = [_to_c(handle, "p", f"{what}: handle"), _to_c(attr, "i32", f"{what}: attr")]
    return _call(_LIBRARY.aclmdlSetExecConfigOpt, [*first, ctypes.byref(value), ctypes.c_size_t(ctypes.sizeof(value))])


def _set_dump(dump_cfg_path=None, /):
    """aclmdlSetDump(dumpCfgPath) in C"""
    path = None if dump_cfg_path is None else _to_c(dump_cfg_path, "s", "acl.mdl.set_dump: dump_cfg_path")
    return _call(_LIBRARY.aclmdlSetDump, [path])


class _Option(ctypes.Structure):
    """An option with a value of 16 bytes, as `aclrtBinaryLoadOption` and `aclrtLaunchKernelAttr`"""

    _fields_ = [("key", ctypes.c_uint32), ("value", ctypes.c_uint32 * 4)]


class _Attribute(ctypes.Structure):
    """`aclrtMallocAttribute`"""

    _fields_ = [("key", ctypes.c_uint32), ("value", ctypes.c_uint8 * 8)]


class _Options(ctypes.Structure):
    """A list of them and its length"""

    _fields_ = [("first", ctypes.c_void_p), ("count", ctypes.c_size_t)]


def _value(given, key, kind, what):
    if not isinstance(given, dict):
        raise TypeError(f"{what} is a dict, not {type(given).__name__}")
    if key not in given:
        raise KeyError(f"{what} lacks {key!r}")
    return _to_c(given[key], kind, f"{what}[{key!r}]").value


def _options_to_c(given, key, what):
    """A list of dicts with a key and a value, for C: null if it is empty, and what has to live as long"""
    if not isinstance(given, list):
        raise TypeError(f"{what} is a list, not {type(given).__name__}")
    if not given:
        return None, None
    options = (_Option * len(given))()
    for at, one in enumerate(given):
        options[at].key = _value(one, key, "u32", f"{what}[{at}]")
        options[at].value[0] = _value(one, "value", "u32", f"{what}[{at}]")
    return ctypes.byref(_Options(ctypes.addressof(options), len(given))), options


def _binary_load_from_file(bin_path, options, /):
    """aclrtBinaryLoadFromFile(binPath, options, binHandle) in C; `options` is a list of dicts"""
    what = "acl.rt.binary_load_from_file"
    handle = ctypes.c_void_p()
    of_c, _alive = _options_to_c(options, "type", f"{what}: options")
    ret = _call(_LIBRARY.aclrtBinaryLoadFromFile, [_to_c(bin_path, "s", f"{what}: bin_path"), of_c, ctypes.byref(handle)])
    return handle.value or 0, ret


def _binary_load_from_data(mem_addr, length, options, /):
    """aclrtBinaryLoadFromData(data, length, options, binHandle) in C; `options` is a list of dicts"""
    what = "acl.rt.binary_load_from_data"
    handle = ctypes.c_void_p()
    of_c, _alive = _options_to_c(options, "type", f"{what}: options")
    first = [_to_c(mem_addr, "p", f"{what}: mem_addr"), _to_c(length, "u64", f"{what}: length")]
    ret = _call(_LIBRARY.aclrtBinaryLoadFromData, [*first, of_c, ctypes.byref(handle)])
    return handle.value or 0, ret


def _launch_kernel_with_config(func_handle, num_blocks, stream, cfg, args_handle, reserve, /):
    """aclrtLaunchKernelWithConfig(funcHandle, numBlocks, stream, cfg, argsHandle, reserve) in C; `cfg` is a list of dicts"""
    what = "acl.rt.launch_kernel_with_config"
    of_c, _alive = _options_to_c(cfg, "id", f"{what}: cfg")
    first = [_to_c(func_handle, "p", f"{what}: func_handle"), _to_c(num_blocks, "u32", f"{what}: num_blocks")]
    last = [_to_c(args_handle, "p", f"{what}: args_handle"), _to_c(reserve, "p", f"{what}: reserve")]
    return _call(_LIBRARY.aclrtLaunchKernelWithConfig, [*first, _to_c(stream, "p", f"{what}: stream"), of_c, *last])


def _malloc_with_cfg(of, c_name, has_policy):
    """A function that allocates memory with a dict of attributes."""
    python = _python_name(c_name)
    what = f"acl.{python}"

    def call(size, *others):
        if len(others) != 1 + has_policy:
            raise TypeError(f"{what}: the number of arguments is {2 + has_policy}, not {1 + len(others)}")
        numbers = [_to_c(size, "u64", f"{what}: size"), *(_to_c(other, "u32", f"{what}: policy") for other in others[:-1])]
        cfg = others[-1]
        if not isinstance(cfg, dict):
            raise TypeError(f"{what}: cfg is a dict, not {type(cfg).__name__}")
        of_c, attributes = None, None
        if cfg:
            listed = cfg.get("attrs")
            if not isinstance(listed, list) or cfg.get("numAttrs") != len(listed):
                raise KeyError(f"{what}: cfg has 'attrs', a list, and 'numAttrs', its length")
            attributes = (_Attribute * max(len(listed), 1))()
            for at, one in enumerate(listed):
                attributes[at].key = _value(one, "attr", "u32", f"{what}: attrs[{at}]")
                value = one.get("value")
                kinds = {"moduleId": "u16", "deviceId": "u32"}
                key = next((key for key in kinds if isinstance(value, dict) and key in value), None)
                if key is None:
                    raise KeyError(f"{what}: attrs[{at}]['value'] is a dict with one of {', '.join(kinds)}")
                number = _value(value, key, kinds[key], f"{what}: attrs[{at}]['value']")
                attributes[at].value[:] = number.to_bytes(8, sys.byteorder)
            of_c = ctypes.byref(_Options(ctypes.addressof(attributes), len(listed)))
        address = ctypes.c_void_p()
        ret = _call(_LIBRARY[c_name], [ctypes.byref(address), *numbers, of_c])
        return address.value or 0, ret

    call.__name__ = call.__qualname__ = python.rpartition(".")[2]
    call.__doc__ = f"{c_name}(..) in C; the last argument is a dict, which may be empty"
    setattr(of, call.__name__, call)


class _StreamValue(ctypes.Union):
    _fields_ = [("failureMode", ctypes.c_uint64), ("overflowSwitch", ctypes.c_uint32), ("userCustomTag", ctypes.c_uint32)]
    _fields_ += [("reserved", ctypes.c_uint32 * 4)]


_OF_STREAM = {1: ("failureMode", "u64"), 2: ("overflowSwitch", "u32"), 3: ("userCustomTag", "u32")}


def _set_stream_attribute(stream, stm_attr_type, value, /):
    """aclrtSetStreamAttribute(stream, stmAttrType, value) in C; `value` is a dict"""
    what = "acl.rt.set_stream_attribute"
    kind = _to_c(stm_attr_type, "u32", f"{what}: stm_attr_type")
    given = _StreamValue()
    if kind.value in _OF_STREAM:
        key, ctype = _OF_STREAM[kind.value]
        setattr(given, key, _value(value, key, ctype, f"{what}: value"))
    return _call(_LIBRARY.aclrtSetStreamAttribute, [_to_c(stream, "p", f"{what}: stream"), kind, ctypes.byref(given)])


def _get_stream_attribute(stream, stm_attr_type, /):
    """aclrtGetStreamAttribute(stream, stmAttrType, value) in C"""
    what = "acl.rt.get_stream_attribute"
    kind = _to_c(stm_attr_type, "u32", f"{what}: stm_attr_type")
    given = _StreamValue()
    ret = _call(_LIBRARY.aclrtGetStreamAttribute, [_to_c(stream, "p", f"{what}: stream"), kind, ctypes.byref(given)])
    key = _OF_STREAM.get(kind.value, ("reserved",))[0]
    read = getattr(given, key)
    return {key: list(read) if key == "reserved" else read}, ret


def _get_primary_ctx_state(device_id, /):
    """aclrtGetPrimaryCtxState(deviceId, flags, active) in C; returns `active` first"""
    flags, active = ctypes.c_uint32(), ctypes.c_int32()
    device = _to_c(device_id, "i32", "acl.rt.get_primary_ctx_state: device_id")
    ret = _call(_LIBRARY.aclrtGetPrimaryCtxState, [device, ctypes.byref(flags), ctypes.byref(active)])
    return active.value, flags.value, ret


def _get_mem_uce_info(device_id, array_size, /):
    """aclrtGetMemUceInfo(deviceId, memUceInfoArray, arraySize, retSize) in C"""
    what = "acl.rt.get_mem_uce_info"
    device, count = _to_c(device_id, "i32", f"{what}: device_id"), _to_c(array_size, "u32", f"{what}: array_size")
    if count.value > _MOST:
        return [], _INVALID_PARAM
    found, filled = (_record("aclrtMemUceInfo") * max(count.value, 1))(), ctypes.c_size_t()
    ret = _call(_LIBRARY.aclrtGetMemUceInfo, [device, found, ctypes.c_size_t(count.value), ctypes.byref(filled)])
    return [_from_c(one) for one in found[:min(filled.value, count.value)]], ret


def _mem_uce_repair(device_id, mem_uce_info_array, /):
    """aclrtMemUceRepair(deviceId, memUceInfoArray, arraySize) in C"""
    what = "acl.rt.mem_uce_repair"
    if not isinstance(mem_uce_info_array, list):
        raise TypeError(f"{what}: mem_uce_info_array is a list, not {type(mem_uce_info_array).__name__}")
    record, count = _record("aclrtMemUceInfo"), len(mem_uce_info_array)
    filled = [_fill(record, one, f"{what}: mem_uce_info_array[{at}]") for at, one in enumerate(mem_uce_info_array)]
    array = (record * max(count, 1))(*filled)
    return _call(_LIBRARY.aclrtMemUceRepair, [_to_c(device_id, "i32", f"{what}: device_id"), array, ctypes.c_size_t(count)])


def _set_channel_desc_param(channel_desc, param_type, param, /):
    """acldvppSetChannelDescParam(channelDesc, paramType, length, param) in C, for a parameter of 32 bits"""
    what = "acl.media.dvpp_set_channel_desc_param"
    value = _to_c(param, "u32", f"{what}: param")
    first = [_to_c(channel_desc, "p", f"{what}: channel_desc"), _to_c(param_type, "i32", f"{what}: param_type")]
    ret = _call(_LIBRARY.acldvppSetChannelDescParam, [*first, ctypes.c_size_t(4), ctypes.byref(value)])
    return channel_desc, ret


def _get_channel_desc_param(channel_desc, param_type, /):
    """acldvppGetChannelDescParam(channelDesc, paramType, length, paramRetSize, param) in C, for a parameter of 32 bits"""
    what = "acl.media.dvpp_get_channel_desc_param"
    size, value = ctypes.c_size_t(), ctypes.c_uint64()
    first = [_to_c(channel_desc, "p", f"{what}: channel_desc"), _to_c(param_type, "i32", f"{what}: param_type")]
    ret = _call(_LIBRARY.acldvppGetChannelDescParam, [*first, ctypes.c_size_t(4), ctypes.byref(size), ctypes.byref(value)])
    return size.value, value.value, ret


def _get_cann_attribute_list(*_):
    """aclGetCannAttributeList(cannAttrList, num) in C; returns the list, its length and the status"""
    first, count = ctypes.POINTER(ctypes.c_int32)(), ctypes.c_size_t()
    ret = _call(_LIBRARY.aclGetCannAttributeList, [ctypes.byref(first), ctypes.byref(count)])
    return (first[:count.value] if first else []), count.value, ret


def _get_version_str(pkg_name, /):
    """aclsysGetVersionStr(pkgName, versionStr) in C"""
    text = ctypes.create_string_buffer(128)
    ret = _call(_LIBRARY.aclsysGetVersionStr, [_to_c(pkg_name, "s", "acl.get_version_str: pkg_name"), text])
    return text.value.decode(errors="replace"), ret


def _mark_ex(msg, stream, /):
    """aclprofMarkEx(msg, msgLen, stream) in C"""
    text = _to_c(msg, "s", "acl.prof.mark_ex: msg")
    return _call(_LIBRARY.aclprofMarkEx, [text, ctypes.c_size_t(len(text.value)), _to_c(stream, "p", "acl.prof.mark_ex: stream")])


def _set_config(config_type, config, /):
    """aclprofSetConfig(configType, config, configLength) in C"""
    text = _to_c(config, "s", "acl.prof.set_config: config")
    number = _to_c(config_type, "i32", "acl.prof.set_config: config_type")
    return _call(_LIBRARY.aclprofSetConfig, [number, text, ctypes.c_size_t(len(text.value))])


def _text_of_operator(name):
    """`get_op_type_v2` and `get_op_name_v2`, which ask for the length themselves."""

    def call(op_info, op_info_len, index, /):
        length, ret = getattr(prof, f"get_op_{name}_len")(op_info, op_info_len, index)
        if ret != _SUCCESS:
            return None, ret
        return getattr(prof, f"get_op_{name}")(op_info, op_info_len, index, length)

    call.__name__ = call.__qualname__ = f"get_op_{name}_v2"
    call.__doc__ = f"aclprofGetOp{name.title()}Len and aclprofGetOp{name.title()} in C"
    setattr(prof, call.__name__, call)


def _prof_init(profiler_result_path, /):
    """aclprofInit(profilerResultPath, length) in C"""
    path = _to_c(profiler_result_path, "s", "acl.prof.init: profiler_result_path")
    return _call(_LIBRARY.aclprofInit, [path, ctypes.c_size_t(len(path.value))])


_batch("Crop", ["crop_areas"])
_batch("CropResize", ["crop_areas", "resize_config"])
_batch("CropAndPaste", ["crop_areas", "paste_areas"])
_batch("CropResizePaste", ["crop_areas", "paste_areas", "resize_config"])
_batch("CropResizeMakeBorder", ["crop_areas", "border_configs", "resize_config"])
_malloc_with_cfg(rt, "aclrtMallocWithCfg", True)
_malloc_with_cfg(rt, "aclrtMallocForTaskScheduler", True)
_malloc_with_cfg(rt, "aclrtMallocHostWithCfg", False)
_malloc_with_cfg(media, "acldvppMallocWithCfg", True)
_text_of_operator("type")
_text_of_operator("name")
rt.binary_load_from_file = _binary_load_from_file
rt.binary_load_from_data = _binary_load_from_data
rt.launch_kernel_with_config = _launch_kernel_with_config
rt.set_stream_attribute = _set_stream_attribute
rt.get_stream_attribute = _get_stream_attribute
rt.get_primary_ctx_state = _get_primary_ctx_state
rt.get_mem_uce_info = _get_mem_uce_info
rt.mem_uce_repair = _mem_uce_repair
mdl.set_exec_config_opt = _set_exec_config_opt
mdl.set_dump = _set_dump
prof.mark_ex = _mark_ex
prof.set_config = _set_config
media.dvpp_set_channel_desc_param = _set_channel_desc_param
media.dvpp_get_channel_desc_param = _get_channel_desc_param
get_cann_attribute_list = _get_cann_attribute_list
get_version_str = _get_version_str
rt.launch_callback = _launch_callback
rt.set_exception_info_callback = _set_exception_info_callback
op.set_attr_list_list_int = _set_attr_list_list_int
op.infer_shape = _infer_shape
mdl.get_input_dynamic_dims = _get_input_dynamic_dims
mdl.set_config_opt = _set_config_opt
mdl.destroy_config_handle = _destroy_config_handle
prof.init = _prof_init
get_tensor_desc_dim_range = _get_tensor_desc_dim_range
