# Functions of Python in stream order: a thread of acl.util and one of Python process the reports of two streams.
import contextlib
import io
import threading

import acl

assert acl.init() == 0
assert acl.rt.set_device(0) == 0
context, ret = acl.rt.get_context()
running = True
calls = []


def process(arguments):
    of, timeout = arguments
    assert acl.rt.set_context(of) == 0
    while running:
        acl.rt.process_report(timeout)


def note(arguments):
    calls.append((threading.get_ident(), list(arguments)))


first, ret = acl.rt.create_stream()
second, ret = acl.rt.create_stream()

# A stream without a thread takes no function.
assert acl.rt.launch_callback(note, ["early"], 1, first) == 107015

one, ret = acl.util.start_thread(process, [context, 10])
assert ret == 0
assert acl.rt.subscribe_report(one, first) == 0
two = threading.Thread(target=process, args=([context, 10],))
two.start()
assert acl.rt.subscribe_report(two.ident, second) == 0

for at in range(3):
    assert acl.rt.launch_callback(note, [at, "first"], 1, first) == 0
    assert acl.rt.launch_callback(note, [at, "second"], 0, second) == 0
for stream in (first, second):
    assert acl.rt.synchronize_stream(stream) == 0
# A function that does not block its stream may run behind it.
for _ in range(100_000):
    if len(calls) == 6:
        break
    assert acl.rt.synchronize_stream(second) == 0
of_first = [words for thread, words in calls if thread == one]
assert of_first == [[at, "first"] for at in range(3)]
of_second = [words for thread, words in calls if thread == two.ident]
assert of_second == [[at, "second"] for at in range(3)]

# A thread keeps its number until it is waited for. One that fails says so then.
done, _ = acl.util.start_thread(lambda arguments: None, [])
said, pause = io.StringIO(), threading.Event()
with contextlib.redirect_stderr(said):
    fails, _ = acl.util.start_thread(lambda: 1 / 0, None)
    for _ in range(100_000):
        if "ZeroDivisionError" in said.getvalue():
            break
        pause.wait(0.001)
assert len({done, fails, one}) == 3
assert acl.util.stop_thread(done) == 0
try:
    acl.util.stop_thread(fails)
except RuntimeError as error:
    assert "ZeroDivisionError" in str(error), error
else:
    raise AssertionError("the thread has failed")

running = False
assert acl.rt.unsubscribe_report(one, first) == 0
assert acl.rt.unsubscribe_report(two.ident, second) == 0
assert acl.util.stop_thread(one) == 0
assert acl.util.stop_thread(one) != 0
two.join()
for stream in (first, second):
    assert acl.rt.destroy_stream(stream) == 0
assert acl.rt.reset_device(0) == 0
assert acl.finalize() == 0
