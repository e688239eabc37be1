# Memory is freed while a copy that is queued may still write to it.
import acl

acl.init()
acl.rt.set_device(0)
stream, ret = acl.rt.create_stream()
SIZE = 1 << 20
device, ret = acl.rt.malloc(SIZE, 0)
host, ret = acl.rt.malloc_host(SIZE)
acl.rt.memset(host, SIZE, 0, SIZE)


def release():
    acl.rt.free(device)  # here


acl.rt.memcpy_async(device, SIZE, host, SIZE, 1, stream)
release()
acl.rt.synchronize_stream(stream)
acl.rt.free_host(host)
acl.rt.destroy_stream(stream)
acl.rt.reset_device(0)
acl.finalize()
