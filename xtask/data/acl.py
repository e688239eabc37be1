"""pyACL, as far as the emulator has its functions: `import acl` runs the C library of this folder.

A function takes the inputs of its C function and returns the outputs and the status: `stream, ret = acl.rt.create_stream()`.
Addresses and handles are of type int, and structures are dicts with the names of C. A list has no count of its own.
`help(acl.rt.memcpy)` names the C function and its parameters.
"""

import ctypes
import inspect
import operator
import os
import re
import sys
import threading

_HERE = os.path.dirname(os.path.abspath(__file__))
_LIBRARY = ctypes.CDLL(os.path.join(_HERE, "..", "..", "lib64", "libascendcl.so"))

_SUCCESS = 0
_INVALID_PARAM = 100000

# The functions of C: name, result, parameters. A type is a number, `p` for an address, `s` for a string, a structure in
# brackets, `f` for a function. `>` is a pointer that C writes to, `<` one that it only reads.
_FUNCTIONS = """
@FUNCTIONS@
"""

# The structures of C: name, fields. A field has its type, and `*` with the length of an array.
_RECORDS = """
@RECORDS@
"""

_NUMBERS = {
    "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32, "i64": ctypes.c_int64,
    "u8": ctypes.c_uint8, "u16": ctypes.c_uint16, "u32": ctypes.c_uint32, "u64": ctypes.c_uint64,
    "f32": ctypes.c_float, "f64": ctypes.c_double, "bool": ctypes.c_bool, "char": ctypes.c_char,
    "p": ctypes.c_void_p,
}

# Parameters that count a list, which pyACL leaves out. The list is behind the count, or before it.
_COUNT_FIRST = {"numInputs", "numOutputs", "numValues", "numDims", "dimsCount", "valueCount"}
_COUNT_LAST = {"num", "deviceNums"}

# A pointer to a number that C reads before it writes. pyACL passes the address.
_IN_PLACE = {"acldvppJpegEncodeAsync"}

# These return their first parameter, too.
_GIVE_BACK = {"aclmdlAddDatasetBuffer", "aclmdlSetDatasetTensorDesc"}

# Its keys are not those of C.
_SNAKE_RECORDS = {"aclrtUtilizationInfo"}

_OTHER_NAMES = {
    "rt.un_subscribe_report": "rt.unsubscribe_report",
    "rt.set_current_context": "rt.set_context",
    "rt.get_current_context": "rt.get_context",
    "prof.model_un_subscribe": "prof.model_unsubscribe",
}

_AREAS = {
    "aclrt": "rt.", "aclmdl": "mdl.", "aclop": "op.", "aclprof": "prof.", "acldvpp": "media.dvpp_",
    "aclvdec": "media.vdec_", "aclvenc": "media.venc_", "hi_mpi_": "himpi.", "hi_": "himpi.", "acl": "",
}


def _snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _python_name(name):
    area = next(area for area in _AREAS if name.startswith(area))
    of_rule = _AREAS[area] + _snake(name[len(area):])
    return _OTHER_NAMES.get(of_rule, of_rule)


# -- Values ------------------------------------------------------------------------------------------------------------


def _integer(value, kind, what):
    # 64 bits without a sign take an int alone in pyACL, and the others what has `__index__`.
    if kind in ("p", "u64") and not isinstance(value, int):
        hint = "; 0 is the null pointer and the default stream" if value is None else ""
        raise TypeError(f"{what} is of type int, not {type(value).__name__}{hint}")
    number = operator.index(value)
    bits = 64 if kind == "p" else int(kind[1:])
    low, high = -(1 << (bits - 1)), 1 << (bits - 1 if kind[0] == "i" else bits)
    if not low <= number < high:
        raise OverflowError(f"{what} = {number} has more than {bits} bits")
    return number


def _to_c(value, kind, what):
    """The value of a parameter, a field or an element for C."""
    if kind == "s":
        if not isinstance(value, str):
            raise TypeError(f"{what} is of type str, not {type(value).__name__}")
        if "\0" in value:
            raise ValueError(f"{what} = {value!r} contains a null character")
        return ctypes.c_char_p(value.encode())
    if kind.startswith("["):
        return _fill(_record(kind[1:-1]), value, what)
    if kind == "bool":
        return ctypes.c_bool(value)
    if kind in ("f32", "f64"):
        return _NUMBERS[kind](value)
    return _NUMBERS[kind](_integer(value, kind, what))


def _list_to_c(values, kind, what):
    """An array for C: of numbers, addresses or strings, or of pairs of numbers."""
    try:
        values = list(values)
    except TypeError:
        raise TypeError(f"{what} is a list, not {type(values).__name__}") from None
    element = ctypes.c_char_p if kind == "s" else _NUMBERS[kind.split("*")[0]]
    if "*" in kind:
        number, length = kind.split("*")
        rows = [_list_to_c(row, number, f"{what}[{at}]") for at, row in enumerate(values)]
        wrong = [row for row in rows if len(row) != int(length)]
        if wrong:
            raise ValueError(f"{what} has {len(wrong[0])} numbers in a row, not {length}")
        return (element * int(length) * len(rows))(*rows)
    converted = [_to_c(value, kind, f"{what}[{at}]") for at, value in enumerate(values)]
    return (element * len(values))(*(one.value for one in converted))


_structures = {}


def _record(name):
    """The structure of C with this name."""
    if name not in _structures:
        line = re.search(rf"^{name} (.*)$", _RECORDS, re.MULTILINE)
        fields = []
        for field in line[1].split():
            label, kind = field.split(":")
            kind, *lengths = kind.split("*")
            ctype = _record(kind[1:-1]) if kind.startswith("[") else _NUMBERS[kind]
            for length in lengths:
                ctype = ctype * int(length)
            fields.append((label, ctype))
        _structures[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
    return _structures[name]


def _keys(structure):
    snake = structure.__name__ in _SNAKE_RECORDS
    return [(_snake(label) if snake else label, label, ctype) for label, ctype in structure._fields_]


def _fill(structure, given, what):
    """The structure with the values of a dict."""
    if not isinstance(given, dict):
        raise TypeError(f"{what} is a dict of {structure.__name__}, not {type(given).__name__}")
    filled = structure()
    names = _keys(structure)
    unknown = set(given) - {key for key, _, _ in names}
    if unknown:
        raise KeyError(f"{what} has no {sorted(unknown)[0]!r}; {structure.__name__} has {', '.join(k for k, _, _ in names)}")
    for key, label, ctype in names:
        if key not in given:
            raise KeyError(f"{what} lacks {key!r}")
        value = given[key]
        if isinstance(ctype, type(ctypes.Structure)):
            setattr(filled, label, _fill(ctype, value, f"{what}[{key!r}]"))
        elif hasattr(ctype, "_length_") and ctype._type_ is ctypes.c_char:
            text = value.encode()
            if len(text) >= ctype._length_:
                raise ValueError(f"{what}[{key!r}] has {len(text)} bytes; {ctype._length_ - 1} are possible")
            setattr(filled, label, text)
        elif hasattr(ctype, "_length_"):
            if len(value) > ctype._length_:
                raise ValueError(f"{what}[{key!r}] has {len(value)} elements; {ctype._length_} are possible")
            array = getattr(filled, label)
            for at, element in enumerate(value):
                array[at] = element if not hasattr(ctype._type_, "_length_") else ctype._type_(*element)
        else:
            setattr(filled, label, value)
    return filled


def _from_c(value):
    """The value of C for Python: a dict of a structure, a list of an array."""
    if isinstance(value, ctypes.Structure):
        read, count = {}, None
        for key, label, ctype in _keys(type(value)):
            field = _from_c(getattr(value, label))
            if isinstance(field, list) and count is not None:
                field = field[:count]
            # An array has as many elements as the count before it says.
            count = field if label.endswith("Count") else None
            read[key] = field
        return read
    if isinstance(value, ctypes.Array):
        return [_from_c(element) for element in value]
    if isinstance(value, ctypes._SimpleCData):
        value = value.value
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return 0 if value is None else value


# -- Calls -------------------------------------------------------------------------------------------------------------

_checked = os.environ.get("ASCENDCL_EMULATOR_CHECK", "0") not in ("", "0")
_SHOWN = 3


def _tell_place():
    """Tells the checker the lines of Python that make the next call of this thread."""
    frame, lines = sys._getframe(1), []
    while frame and len(lines) < _SHOWN:
        code = frame.f_code
        if code.co_filename != __file__:
            lines.append(f"{code.co_name} at {code.co_filename}:{frame.f_lineno}")
        frame = frame.f_back
    _LIBRARY.ascendclEmulatorCalledFrom("\n".join(lines).encode())


def _call(function, arguments):
    if _checked:
        _tell_place()
    return function(*arguments)


class _Function:
    """A function of C: how its arguments are made, and its results read."""

    def __init__(self, python, name, result, parameters):
        self.python, self.name, self.result = python, name, result
        self.parameters = [parameter.split(":") for parameter in parameters]
        kinds = [result, *(kind for _, kind in self.parameters)]
        # The structures of the second media interface are inputs and outputs at once.
        if "?" in kinds or "f" in kinds or (python.startswith("himpi.") and any("[" in kind for kind in kinds)):
            raise NotImplementedError(f"acl.{python}: {name} has a function or a structure that this module does not convert")
        self.function = _LIBRARY[name]
        restype = {"void": None, "s": ctypes.c_char_p, "status": ctypes.c_int32}
        self.function.restype = restype.get(result) or _NUMBERS.get(result)
        labels = [label for label, _ in self.parameters]
        self.inputs = []
        self.counts = {}
        for at, (label, kind) in enumerate(self.parameters):
            if label in _COUNT_FIRST or (label in _COUNT_LAST and kind[0] not in "<>"):
                self.counts[at] = self.lists_of(at)
        listed = {of for lists in self.counts.values() for of in lists}
        self.lists = listed
        for at, (label, kind) in enumerate(self.parameters):
            is_input = at in listed or kind[0] != ">" or self.is_in_place(at)
            if is_input and at not in self.counts:
                self.inputs.append(at)
        self.signature = ", ".join(_snake(labels[at]) for at in self.inputs)

    def lists_of(self, at):
        """The lists that the parameter counts."""
        is_list = lambda of: self.parameters[of][1][0] in "<>" and "[" not in self.parameters[of][1]
        if self.parameters[at][0] in _COUNT_LAST:
            return [at - 1] if at and is_list(at - 1) else []
        found = []
        for of in range(at + 1, len(self.parameters)):
            if not is_list(of):
                break
            found.append(of)
        return found

    def is_in_place(self, at):
        return self.name in _IN_PLACE and self.parameters[at][1] == ">u32"

    def __call__(self, *given):
        if len(given) != len(self.inputs):
            raise TypeError(f"acl.{self.python}({self.signature}): the number of arguments is {len(self.inputs)}, not {len(given)}")
        values = dict(zip(self.inputs, given))
        arguments, outputs = [None] * len(self.parameters), []
        for at, value in values.items():
            label, kind = self.parameters[at]
            what = f"acl.{self.python}: {_snake(label)}"
            if at in self.lists:
                arguments[at] = _list_to_c(value, kind[1:], what)
            elif self.is_in_place(at):
                arguments[at] = _to_c(value, "p", what)
            elif kind[0] == "<" and isinstance(value, int) and value == 0:
                arguments[at] = None
            elif kind[0] == "<":
                arguments[at] = ctypes.byref(_to_c(value, kind[1:], what))
            else:
                arguments[at] = _to_c(value, kind, what)
        for at, lists in self.counts.items():
            lengths = {len(arguments[of]) for of in lists}
            if len(lengths) > 1:
                names = " and ".join(_snake(self.parameters[of][0]) for of in lists)
                raise ValueError(f"acl.{self.python}: {names} have {sorted(lengths)} elements, and must have as many")
            arguments[at] = _to_c(lengths.pop(), self.parameters[at][1], self.parameters[at][0])
        for at, (label, kind) in enumerate(self.parameters):
            if kind[0] == ">" and at not in values:
                target = self.target(kind[1:], values)
                outputs.append(target)
                arguments[at] = target if isinstance(target, ctypes.Array) else ctypes.byref(target)
        result = _from_c(_call(self.function, arguments))
        if self.result == "void":
            return None
        first = [given[0]] if self.name in _GIVE_BACK else []
        results = first + [_from_c(output.value if isinstance(output, ctypes.Array) else output) for output in outputs]
        return (*results, result) if results else result

    def target(self, kind, values):
        """What C writes an output to."""
        if kind == "char":
            lengths = [values[at] for at in self.inputs if re.search(r"(?i)len(gth)?$", self.parameters[at][0])]
            return ctypes.create_string_buffer(lengths[0])
        return _record(kind[1:-1])() if kind.startswith("[") else _NUMBERS[kind]()


class _Area:
    """A group of functions, as `acl.rt`."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        found = _find(f"{self._name}.{name}")
        setattr(self, name, found)
        return found

    def __dir__(self):
        here = f"{self._name}."
        return sorted({*vars(self), *(name[len(here):] for name in _names() if name.startswith(here))} - {"_name"})


_table = {}


def _names():
    if not _table:
        for line in _FUNCTIONS.split("\n"):
            if line:
                name, result, *parameters = line.split()
                _table[_python_name(name)] = (name, result, parameters)
    return _table


def _find(python):
    if python not in _names():
        raise AttributeError(f"the emulator has no acl.{python}")
    bound = _Function(python, *_names()[python])

    def call(*arguments):
        return bound(*arguments)

    call.__name__ = call.__qualname__ = python.rpartition(".")[2]
    words = ", ".join(f"{label}: {kind}" for label, kind in bound.parameters)
    call.__doc__ = f"{bound.name}({words}) in C"
    kind = inspect.Parameter.POSITIONAL_ONLY
    names = [_snake(bound.parameters[at][0]) for at in bound.inputs]
    call.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])
    return call


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    globals()[name] = found = _find(name)
    return found


def __dir__():
    return sorted({*globals(), *(name for name in _names() if "." not in name)})


rt, mdl, op, media, himpi, prof, util = map(_Area, ("rt", "mdl", "op", "media", "himpi", "prof", "util"))

# -- What is no thin call ----------------------------------------------------------------------------------------------


def init(config_path=None, /):
    """aclInit(configPath) in C"""
    path = None if config_path is None else _to_c(config_path, "s", "acl.init: config_path")
    return _call(_LIBRARY.aclInit, [path])


def app_log(log_level, message, /):
    """aclAppLog(logLevel, func, file, line, fmt, ..) in C, with the place of the call"""
    caller = sys._getframe(1)
    place = (caller.f_code.co_name.encode(), caller.f_code.co_filename.encode(), caller.f_lineno)
    _LIBRARY.aclAppLog(_to_c(log_level, "i32", "acl.app_log: log_level"), *place, b"%s", message.encode())


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


_of_exceptions = []


def _set_exception_info_callback(fn, /):
    """aclrtSetExceptionInfoCallback(callback) in C; `fn` gets the address of the information"""
    if not callable(fn):
        raise TypeError("acl.rt.set_exception_info_callback: fn is a function")
    # C may still call an earlier one.
    _of_exceptions.append(ctypes.CFUNCTYPE(None, ctypes.c_size_t)(fn))
    return _call(_LIBRARY.aclrtSetExceptionInfoCallback, [_of_exceptions[-1]])


def _batch(name):
    """A function for a batch of pictures: it counts the regions of each, and returns the descriptions of the outputs."""
    c_name = f"acldvppVpcBatch{name}Async"
    python = _python_name(c_name)

    def call(channel_desc, src_batch_pic_descs, roi_nums, dst_batch_pic_descs, *others):
        address = lambda value, what: _to_c(value, "p", f"acl.{python}: {what}")
        counts = _list_to_c(roi_nums, "u32", f"acl.{python}: roi_nums")
        *others, stream = others
        lists = [_list_to_c(of, "p", f"acl.{python}") if not isinstance(of, int) else address(of, "a configuration") for of in others]
        first = [address(channel_desc, "channel_desc"), address(src_batch_pic_descs, "src_batch_pic_descs"), counts]
        last = [address(dst_batch_pic_descs, "dst_batch_pic_descs"), *lists, address(stream, "stream")]
        return dst_batch_pic_descs, _call(_LIBRARY[c_name], [*first, ctypes.c_uint32(len(counts)), *last])

    call.__name__ = call.__qualname__ = python.rpartition(".")[2]
    call.__doc__ = f"{c_name}(..) in C, without `size`"
    setattr(media, call.__name__, call)


def _set_attr_list_list_int(attr, attr_name, values, /):
    """aclopSetAttrListListInt(attr, attrName, numLists, numValues, values) in C"""
    what = "acl.op.set_attr_list_list_int"
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


def _get_input_dynamic_dims(model_desc, index, gear_count, /):
    """aclmdlGetInputDynamicDims(modelDesc, index, dims, gearCount) in C"""
    what = "acl.mdl.get_input_dynamic_dims"
    count = _to_c(gear_count, "u64", f"{what}: gear_count")
    dims = (_record("aclmdlIODims") * gear_count)()
    first = [_to_c(model_desc, "p", f"{what}: model_desc"), _to_c(index, "u64", f"{what}: index")]
    ret = _call(_LIBRARY.aclmdlGetInputDynamicDims, [*first, dims, count])
    return [_from_c(one) for one in dims], ret


def _get_tensor_desc_dim_range(desc, index, dim_range_num, /):
    """aclGetTensorDescDimRange(desc, index, dimRangeNum, dimRange) in C"""
    what = "acl.get_tensor_desc_dim_range"
    count = _to_c(dim_range_num, "u64", f"{what}: dim_range_num")
    dims = (ctypes.c_int64 * dim_range_num)()
    first = [_to_c(desc, "p", f"{what}: desc"), _to_c(index, "u64", f"{what}: index")]
    ret = _call(_LIBRARY.aclGetTensorDescDimRange, [*first, count, dims])
    return list(dims), ret


_options = {}


def _set_config_opt(config_handle, attr, attr_value, /):
    """aclmdlSetConfigOpt(handle, attr, attrValue, valueSize) in C; a str for the path, an int for the others"""
    what = "acl.mdl.set_config_opt"
    number = _to_c(attr, "i32", f"{what}: attr")
    kind = "s" if isinstance(attr_value, str) else "i32" if number.value == 0 else "u64"
    value = _to_c(attr_value, kind, f"{what}: attr_value")
    # C reads a path when it loads the model.
    _options[config_handle, number.value] = value
    size = ctypes.c_size_t(ctypes.sizeof(value))
    return _call(_LIBRARY.aclmdlSetConfigOpt, [_to_c(config_handle, "p", f"{what}: config_handle"), number, ctypes.byref(value), size])


def _prof_init(profiler_result_path, /):
    """aclprofInit(profilerResultPath, length) in C"""
    path = _to_c(profiler_result_path, "s", "acl.prof.init: profiler_result_path")
    return _call(_LIBRARY.aclprofInit, [path, ctypes.c_size_t(len(path.value))])


for _name in ("Crop", "CropResize", "CropAndPaste", "CropResizePaste", "CropResizeMakeBorder"):
    _batch(_name)
rt.launch_callback = _launch_callback
rt.set_exception_info_callback = _set_exception_info_callback
op.set_attr_list_list_int = _set_attr_list_list_int
op.infer_shape = _infer_shape
mdl.get_input_dynamic_dims = _get_input_dynamic_dims
mdl.set_config_opt = _set_config_opt
prof.init = _prof_init
get_tensor_desc_dim_range = _get_tensor_desc_dim_range

# -- acl.util ----------------------------------------------------------------------------------------------------------

# The numbers that NumPy gives its types.
_NUMPY_TYPES = {**dict(enumerate("?bBhHiIlLqQfd")), 23: "e"}
_threads = {}


def _start_thread(func, args, /):
    """Starts a thread that calls `func(args)`; returns the number of the thread, and 0"""
    thread = threading.Thread(target=func, args=(args,), daemon=True)
    thread.start()
    _threads[thread.ident] = thread
    return thread.ident, _SUCCESS


def _stop_thread(thread_id, /):
    """Waits for the end of a thread of `start_thread`"""
    thread = _threads.pop(thread_id, None)
    if thread is None:
        return _INVALID_PARAM
    thread.join()
    return _SUCCESS


def _bytes_to_ptr(bytes_data, /):
    """The address of the bytes, which must live as long as it is used"""
    if not isinstance(bytes_data, bytes):
        raise TypeError(f"acl.util.bytes_to_ptr: bytes_data is of type bytes, not {type(bytes_data).__name__}")
    return ctypes.cast(bytes_data, ctypes.c_void_p).value


def _ptr_to_bytes(ptr, size, /):
    """A copy of the memory of the host at the address"""
    return ctypes.string_at(ptr, size)


def _numpy_to_ptr(np_data, /):
    """The address of the elements of an array, which must live as long as it is used"""
    if not np_data.flags.c_contiguous:
        raise ValueError("acl.util.numpy_to_ptr: the rows of the array are not contiguous; use numpy_contiguous_to_ptr")
    return np_data.__array_interface__["data"][0]


def _numpy_contiguous_to_ptr(data_in, /):
    """The address of the elements of an array and the array, or of a contiguous copy and the copy"""
    data_out = data_in if data_in.flags.c_contiguous else data_in.copy(order="C")
    return _numpy_to_ptr(data_out), data_out


def _ptr_to_numpy(ptr, shape, data_type, /):
    """An array over the memory of the host at the address; `data_type` is the number that NumPy gives a type"""
    import numpy

    if data_type not in _NUMPY_TYPES:
        raise ValueError(f"acl.util.ptr_to_numpy: {data_type} is no number of a type; there are {sorted(_NUMPY_TYPES)}")
    dtype = numpy.dtype(_NUMPY_TYPES[data_type])
    count = 1
    for length in shape:
        count *= length
    return numpy.frombuffer((ctypes.c_char * (count * dtype.itemsize)).from_address(ptr), dtype).reshape(shape)


util.start_thread = _start_thread
util.stop_thread = _stop_thread
util.bytes_to_ptr = _bytes_to_ptr
util.ptr_to_bytes = _ptr_to_bytes
util.numpy_to_ptr = _numpy_to_ptr
util.numpy_contiguous_to_ptr = _numpy_contiguous_to_ptr
util.ptr_to_numpy = _ptr_to_numpy
