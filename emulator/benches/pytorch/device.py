"""Runs operators of the emulator's C library, with tensors of PyTorch as operands."""

import ctypes
import pathlib
import re

import torch

CODES = {torch.float32: 0, torch.float16: 1, torch.int8: 2, torch.int32: 3, torch.uint8: 4, torch.int16: 6,
         torch.int64: 9, torch.float64: 11, torch.bool: 12, torch.bfloat16: 27}
FORMATS = {3: 47, 4: 0, 5: 30}
TO_DEVICE, TO_HOST = 1, 2
# The runs of these operators change the shapes of their outputs.
DECIDED = {"aclnnUnique2", "aclnnNonzero", "aclnnMaskedSelect"}
NUMBERS = {"bool": ctypes.c_bool, "i8": ctypes.c_int8, "i32": ctypes.c_int32, "c_int": ctypes.c_int,
           "i64": ctypes.c_int64, "u64": ctypes.c_uint64, "f32": ctypes.c_float, "f64": ctypes.c_double}


def signatures():
    """The kinds of the parameters of each operator, as `ascendcl-sys` lists them."""
    root = pathlib.Path(__file__).resolve().parents[3]
    text = "".join(path.read_text() for path in (root / "sys/src/functions").glob("operators*/**/*.rs"))
    text += (root / "sys/src/functions/operators.rs").read_text()
    found = re.findall(r"operator (aclnn\w+), \w+\(([^)]*)\)", text)
    return {name: [one.split(":")[1].strip() for one in parameters.split(",")] for name, parameters in found}


class Device:
    """The emulator, with one stream."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.kinds = signatures()
        self.check("aclInit", None)
        self.check("aclrtSetDevice", 0)
        self.stream = ctypes.c_void_p()
        self.check("aclrtCreateStream", ctypes.byref(self.stream))

    def check(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code != 0:
            self.library.aclGetRecentErrMsg.restype = ctypes.c_char_p
            raise RuntimeError(f"{name} returned {code}: {self.library.aclGetRecentErrMsg()}")

    def made(self, name, *arguments):
        make = getattr(self.library, name)
        make.restype = ctypes.c_void_p
        return ctypes.c_void_p(make(*arguments))


class Run:
    """A call of an operator, which can be repeated."""

    def __init__(self, device, name, arguments):
        self.device, self.name = device, name
        self.memory, self.outputs = [], []
        kinds = device.kinds[name]
        if len(kinds) != len(arguments):
            raise RuntimeError(f"{name} has {kinds}")
        self.arguments = [self.argument(kind, one) for kind, one in zip(kinds, arguments)]
        self.prepare = getattr(device.library, f"{name}GetWorkspaceSize")
        self.launch = getattr(device.library, name)

    def tensor(self, one, is_out):
        if one is None:
            return None
        base = one._base if one._base is not None else one
        bytes_ = base.untyped_storage().nbytes()
        address = ctypes.c_void_p()
        self.device.check("aclrtMalloc", ctypes.byref(address), ctypes.c_size_t(max(bytes_, 1)), 0)
        host = ctypes.c_void_p(base.untyped_storage().data_ptr())
        self.device.check("aclrtMemcpy", address, ctypes.c_size_t(bytes_), host, ctypes.c_size_t(bytes_), TO_DEVICE)
        self.memory.append(address)
        if is_out:
            self.outputs.append((address, one))
        return self.described(one, address)

    def described(self, one, address):
        bytes_ = one.untyped_storage().nbytes()
        sizes = (ctypes.c_int64 * one.dim())(*one.shape)
        strides = (ctypes.c_int64 * one.dim())(*one.stride())
        storage = (ctypes.c_int64 * 1)(bytes_ // one.element_size())
        return self.device.made("aclCreateTensor", sizes, ctypes.c_uint64(one.dim()), CODES[one.dtype], strides,
                                ctypes.c_int64(one.storage_offset()), FORMATS.get(one.dim(), 2), storage,
                                ctypes.c_uint64(1), address)

    def argument(self, kind, one):
        is_out = "out" in kind
        if kind.endswith("tensor_list"):
            if one is None:
                return None
            tensors = [self.tensor(part, is_out) for part in one]
            array = (ctypes.c_void_p * len(one))(*[part.value if part else None for part in tensors])
            return self.device.made("aclCreateTensorList", array, ctypes.c_uint64(len(one)))
        if kind.endswith("tensor"):
            return self.tensor(one, is_out)
        if kind.endswith("int_array"):
            if one is None:
                return None
            return self.device.made("aclCreateIntArray", (ctypes.c_int64 * len(one))(*one), ctypes.c_uint64(len(one)))
        if kind.endswith("bool_array"):
            return self.device.made("aclCreateBoolArray", (ctypes.c_bool * len(one))(*one), ctypes.c_uint64(len(one)))
        if kind.endswith("scalar"):
            if one is None:
                return None
            number = ctypes.c_int64(one) if isinstance(one, int) else ctypes.c_float(one)
            return self.device.made("aclCreateScalar", ctypes.byref(number), 9 if isinstance(one, int) else 0)
        if kind.endswith("text"):
            return ctypes.c_char_p(one.encode())
        if kind == "aclDataType":
            return CODES[one]
        return NUMBERS[kind](one)

    def __call__(self):
        if self.name in DECIDED:
            first = len(self.arguments) - len(self.outputs)
            self.arguments[first:] = [self.described(one, address) for address, one in self.outputs]
        size, executor = ctypes.c_uint64(), ctypes.c_void_p()
        code = self.prepare(*self.arguments, ctypes.byref(size), ctypes.byref(executor))
        if code != 0:
            self.device.check(f"{self.name}GetWorkspaceSize", *self.arguments, ctypes.byref(size),
                              ctypes.byref(executor))
        workspace = ctypes.c_void_p()
        if size.value:
            self.device.check("aclrtMalloc", ctypes.byref(workspace), size, 0)
        self.device.check(self.name, workspace, size, executor, self.device.stream)
        self.device.check("aclrtSynchronizeStream", self.device.stream)
        if size.value:
            self.device.check("aclrtFree", workspace)

    def results(self):
        """The tensors that the operator has written."""
        found = []
        for address, like in self.outputs:
            whole = torch.empty(like.untyped_storage().nbytes(), dtype=torch.uint8)
            size = ctypes.c_size_t(whole.numel())
            self.device.check("aclrtMemcpy", ctypes.c_void_p(whole.data_ptr()), size, address, size, TO_HOST)
            view = torch.as_strided(whole.view(like.dtype), like.shape, like.stride(), like.storage_offset())
            found.append(view)
        return found

    def free(self):
        for address in self.memory:
            self.device.check("aclrtFree", address)
