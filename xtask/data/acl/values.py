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
import traceback
import types
import warnings

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
_COUNT_LAST = {"num", "deviceNums", "pidNum"}

# A pointer to a number that C reads before it writes. pyACL passes the address.
_IN_PLACE = {"acldvppJpegEncodeAsync"}

# These return their first parameter, too.
_GIVE_BACK = {
    "aclmdlAddDatasetBuffer", "aclmdlSetDatasetTensorDesc", "aclopSetAttrDataType", "aclopSetAttrListDataType", "aclrtSetMemcpyDesc",
}

# What these return in place of the structure if they fail.
_ON_FAILURE = {
    "aclmdlGetInputDims": {}, "aclmdlGetInputDimsV2": {}, "aclmdlGetOutputDims": {}, "aclmdlGetCurOutputDims": {},
    "aclmdlGetDynamicBatch": {}, "aclmdlGetDynamicHW": {}, "aclmdlGetFirstAippInfo": None,
}

# C only reads their structures, although its header does not say so.
_ONLY_READ = {
    "aclrtMemGetAllocationGranularity", "aclrtCntNotifyRecord", "aclrtCntNotifyWaitWithTimeout", "aclrtSnapShotProcessBackup",
    "aclrtSnapShotProcessRestore",
}

# An array that C reads or writes as far as a parameter says, and that pyACL does not have.
_NOT_CONVERTED = {
    "aclrtDeviceGetHostAtomicCapabilities", "aclrtDeviceGetP2PAtomicCapabilities", "aclrtLaunchKernelWithArgsArray",
    "aclrtLaunchSIMTKernelWithArgsArray", "aclrtIpcMemImportPidInterServer", "aclrtNotifySetImportPidInterServer",
    "aclrtLaunchKernelWithHostArgs", "aclrtLaunchSIMTKernelWithHostArgs", "aclrtAllocatorGetByStream", "aclsysGetVersionNum",
    "aclrtCreateStreamConfigHandle", "aclrtDestroyStreamConfigHandle", "aclrtSetStreamConfigOpt", "aclrtGetMemUsageInfo",
    "aclrtMemcpyBatch", "aclrtMemcpyBatchAsync", "aclrtMemcpyBatchV2", "aclrtMemcpyBatchAsyncV2", "aclrtMemSetAccess",
    "aclrtMemManagedPrefetchBatchAsync", "aclrtCheckMemType",
}

# Its keys are not those of C.
_SNAKE_RECORDS = {"aclrtUtilizationInfo", "aclrtPtrAttributes", "aclCANNPackageVersion"}

# Its characters are numbers.
_BYTE_RECORDS = {"aclrtUuid"}

_OTHER_NAMES = {
    "rt.un_subscribe_report": "rt.unsubscribe_report",
    "rt.set_current_context": "rt.set_context",
    "rt.get_current_context": "rt.get_context",
    "rt.get_version": "get_version",
    "rt.binary_un_load": "rt.binary_unload",
    "rt.set_op_execute_time_out_v2": "rt.set_op_execute_timeout_v2",
    "rt.get_op_time_out_interval": "rt.get_op_timeout_interval",
    "op.exec_with_handle": "op.execute_with_handle",
    "sys_get_cann_version": "get_cann_version",
    "sys_get_version_str": "get_version_str",
    "sys_get_version_num": "get_version_num",
    "media.vdec_set_channel_desc_en_type": "media.vdec_set_channel_desc_entype",
    "media.vdec_get_channel_desc_en_type": "media.vdec_get_channel_desc_entype",
    "media.venc_set_channel_desc_en_type": "media.venc_set_channel_desc_entype",
    "media.venc_get_channel_desc_en_type": "media.venc_get_channel_desc_entype",
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
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is of type int, not {type(value).__name__}") from None
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
        try:
            return _NUMBERS[kind](value)
        except TypeError:
            raise TypeError(f"{what} is a number, not {type(value).__name__}") from None
    return _NUMBERS[kind](_integer(value, kind, what))


def _list_to_c(values, kind, what):
    """An array for C: of numbers, addresses or strings, or of pairs of numbers."""
    try:
        values = list(values)
    except TypeError:
        raise TypeError(f"{what} is a list, not {type(values).__name__}") from None
    if kind == "s":
        converted = [_to_c(value, kind, f"{what}[{at}]") for at, value in enumerate(values)]
        return (ctypes.c_char_p * len(values))(*(one.value for one in converted))
    element = _NUMBERS[kind.split("*")[0]]
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
            kind = "u8" if kind == "char" and name in _BYTE_RECORDS else kind
            ctype = _record(kind[1:-1]) if kind.startswith("[") else _NUMBERS[kind]
            for length in lengths:
                ctype = ctype * int(length)
            fields.append((label, ctype))
        _structures[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
    return _structures[name]


def _keys(structure):
    snake = structure.__name__ in _SNAKE_RECORDS
    return [(_snake(label) if snake else label, label, ctype) for label, ctype in structure._fields_]


def _set(of, at, value, what, put):
    try:
        put(of, at, value)
    except TypeError:
        raise TypeError(f"{what} is a number, not {type(value).__name__}") from None


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
            # pyACL leaves texts and what is reserved at zero.
            if getattr(ctype, "_type_", None) is ctypes.c_char or label in ("reserve", "rsv"):
                continue
            raise KeyError(f"{what} lacks {key!r}")
        value = given[key]
        if isinstance(ctype, type(ctypes.Structure)):
            setattr(filled, label, _fill(ctype, value, f"{what}[{key!r}]"))
        elif hasattr(ctype, "_length_") and ctype._type_ is ctypes.c_char:
            if not isinstance(value, str):
                raise TypeError(f"{what}[{key!r}] is of type str, not {type(value).__name__}")
            text = value.encode()
            if len(text) >= ctype._length_:
                raise ValueError(f"{what}[{key!r}] has {len(text)} bytes; {ctype._length_ - 1} are possible")
            setattr(filled, label, text)
        elif hasattr(ctype, "_length_"):
            if not isinstance(value, (list, tuple)):
                raise TypeError(f"{what}[{key!r}] is a list, not {type(value).__name__}")
            if len(value) > ctype._length_:
                raise ValueError(f"{what}[{key!r}] has {len(value)} elements; {ctype._length_} are possible")
            array = getattr(filled, label)
            for at, element in enumerate(value):
                if hasattr(ctype._type_, "_length_"):
                    array[at] = ctype._type_(*element)
                else:
                    _set(array, at, element, f"{what}[{key!r}][{at}]", operator.setitem)
        else:
            _set(filled, label, value, f"{what}[{key!r}]", setattr)
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
