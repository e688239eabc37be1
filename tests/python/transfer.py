# Copies between the host and a device, within each, in stream order and by rows.
import acl

HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE = range(4)
SIZE = 4096

assert acl.init() == 0
assert acl.rt.set_device(0) == 0
host, ret = acl.rt.malloc_host(SIZE)
assert ret == 0
assert acl.rt.memset(host, SIZE, 7, SIZE) == 0
device, ret = acl.rt.malloc(SIZE, 0)
assert ret == 0
assert acl.rt.memcpy(device, SIZE, host, SIZE, HOST_TO_DEVICE) == 0

read = bytes(SIZE)
to = acl.util.bytes_to_ptr(read)
assert acl.rt.memcpy(to, SIZE, device, SIZE, DEVICE_TO_HOST) == 0
assert read == acl.util.ptr_to_bytes(host, SIZE) == b"\x07" * SIZE

stream, ret = acl.rt.create_stream()
assert acl.rt.memset_async(device, SIZE, 9, SIZE, stream) == 0
assert acl.rt.memcpy_async(host, SIZE, device, SIZE, DEVICE_TO_HOST, stream) == 0
assert acl.rt.synchronize_stream(stream) == 0
assert acl.util.ptr_to_bytes(host, SIZE) == b"\x09" * SIZE

# Four rows of 8 bytes, 16 bytes apart.
rows = bytes(range(64))
assert acl.rt.memcpy2d(device, 16, acl.util.bytes_to_ptr(rows), 16, 8, 4, HOST_TO_DEVICE) == 0
assert acl.rt.memcpy(host, SIZE, device, 64, DEVICE_TO_HOST) == 0
copied = acl.util.ptr_to_bytes(host, 64)
assert copied[16:24] == rows[16:24] and copied[24:32] == b"\x09" * 8

# What fails has a status, and a text that names the reason.
nothing, ret = acl.rt.malloc(0, 0)
assert (nothing, ret) == (0, 100000)
assert acl.get_recent_err_msg() != ""

dvpp, ret = acl.media.dvpp_malloc(SIZE)
assert ret == 0
assert acl.media.dvpp_free(dvpp) == 0
assert acl.rt.destroy_stream(stream) == 0
assert acl.rt.free(device) == 0
assert acl.rt.free_host(host) == 0
assert acl.rt.reset_device(0) == 0
assert acl.finalize() == 0
