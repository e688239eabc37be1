# -- acl.util ----------------------------------------------------------------------------------------------------------

# The numbers that NumPy gives its types.
_NUMPY_TYPES = {**dict(enumerate("?bBhHiIlLqQfdgFDG")), 23: "e"}
_threads = {}


class _Thread(threading.Thread):
    """A thread that keeps its number until it is waited for, as one of pthreads does."""

    def __init__(self, func, args):
        super().__init__(daemon=True)
        self.work = (func, () if args is None else (args,))
        self.over, self.awaited, self.error = threading.Event(), threading.Event(), None

    def run(self):
        func, args = self.work
        del self.work
        try:
            func(*args)
        except BaseException as error:
            traceback.print_exc()
            self.error = f"exception={type(error).__name__},msg=thread call failed;"
        func = args = None
        self.over.set()
        self.awaited.wait()


def _start_thread(func, args, /):
    """Starts a thread that calls `func(args)`, or `func()` for None; returns the number of the thread, and 0"""
    if not callable(func):
        raise TypeError("acl.util.start_thread: func is a function")
    thread = _Thread(func, args)
    thread.start()
    _threads[thread.ident] = thread
    return thread.ident, _SUCCESS


def _stop_thread(thread_id, /):
    """Waits for the end of a thread of `start_thread`; an exception has ended it if this raises RuntimeError"""
    number = _to_c(thread_id, "u64", "acl.util.stop_thread: thread_id").value
    if number == threading.get_ident() or number not in _threads:
        return _INVALID_PARAM
    thread = _threads[number]
    thread.over.wait()
    if _threads.pop(number, None) is None:
        return _INVALID_PARAM
    thread.awaited.set()
    thread.join()
    if thread.error:
        raise RuntimeError(thread.error)
    return _SUCCESS


def _bytes_to_ptr(bytes_data, /):
    """The address of the bytes, which must live as long as it is used"""
    if not isinstance(bytes_data, bytes):
        raise TypeError(f"acl.util.bytes_to_ptr: bytes_data is of type bytes, not {type(bytes_data).__name__}")
    return ctypes.cast(bytes_data, ctypes.c_void_p).value


def _ptr_to_bytes(ptr, size, /):
    """A copy of the memory of the host at the address"""
    what = "acl.util.ptr_to_bytes"
    address, length = _to_c(ptr, "p", f"{what}: ptr"), _to_c(size, "u64", f"{what}: size").value
    if length >> 63:
        raise ValueError(f"{what}: size = {size} is negative, or has more than 63 bits")
    return ctypes.string_at(address, length)


def _needs_array(value, what):
    if not hasattr(value, "__array_interface__") or not hasattr(value, "flags"):
        raise ValueError(f"{what} is a NumPy array, not {type(value).__name__}")


def _numpy_to_ptr(np_data, /):
    """The address of the elements of an array, which must live as long as it is used"""
    _needs_array(np_data, "acl.util.numpy_to_ptr: np_data")
    if not np_data.flags.c_contiguous:
        words = "acl.util.numpy_to_ptr: the rows of the array are not contiguous; use numpy_contiguous_to_ptr"
        warnings.warn(words, Warning, stacklevel=2)
    return np_data.__array_interface__["data"][0]


def _numpy_contiguous_to_ptr(data_in, /):
    """The address of the elements of an array and the array, or of a contiguous copy and the copy"""
    _needs_array(data_in, "acl.util.numpy_contiguous_to_ptr: data_in")
    data_out = data_in if data_in.flags.c_contiguous else data_in.copy(order="C")
    return _numpy_to_ptr(data_out), data_out


def _ptr_to_numpy(ptr, shape, data_type, /):
    """An array over the memory of the host at the address; `data_type` is the number that NumPy gives a type"""
    import numpy

    if data_type not in _NUMPY_TYPES:
        raise ValueError(f"acl.util.ptr_to_numpy: {data_type} is no number of a type; there are {sorted(_NUMPY_TYPES)}")
    what = "acl.util.ptr_to_numpy"
    dtype = numpy.dtype(_NUMPY_TYPES[data_type])
    address = _to_c(ptr, "p", f"{what}: ptr").value or 0
    lengths = [one.value for one in (_to_c(length, "i64", f"{what}: shape") for length in _shape(shape, what))]
    count = 1
    for length in lengths:
        if length < 0:
            raise ValueError(f"{what}: shape = {shape} has a negative length")
        count *= length
    if count * dtype.itemsize >> 63:
        raise ValueError(f"{what}: shape = {shape} has more bytes than there are addresses")
    return numpy.frombuffer((ctypes.c_char * (count * dtype.itemsize)).from_address(address), dtype).reshape(lengths)


def _shape(shape, what):
    if not isinstance(shape, (tuple, list)):
        raise TypeError(f"{what}: shape is a tuple, not {type(shape).__name__}")
    return shape


util.start_thread = _start_thread
util.stop_thread = _stop_thread
util.bytes_to_ptr = _bytes_to_ptr
util.ptr_to_bytes = _ptr_to_bytes
util.numpy_to_ptr = _numpy_to_ptr
util.numpy_contiguous_to_ptr = _numpy_contiguous_to_ptr
util.ptr_to_numpy = _ptr_to_numpy
