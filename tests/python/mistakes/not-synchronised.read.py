# Page-locked memory is read while a queued copy may still write to it. Python tells its line at calls only.
import acl

SIZE = 1 << 20
acl.init()
acl.rt.set_device(0)
stream, ret = acl.rt.create_stream()
device, ret = acl.rt.malloc(SIZE, 0)
host, ret = acl.rt.malloc_host(SIZE)
acl.rt.memset(device, SIZE, 0, SIZE)
acl.rt.memcpy_async(host, SIZE, device, SIZE, 2, stream)  # here
acl.util.ptr_to_bytes(host, 16)
acl.rt.synchronize_stream(stream)
acl.rt.free(device)
acl.rt.free_host(host)
acl.rt.destroy_stream(stream)
acl.rt.reset_device(0)
acl.finalize()
