"""The training text: short reports of programs on an NPU, one a line, made of the sentences below.

A report is a line of parts from `REPORTS`, and each part is chosen among those of its name. A word in braces is
replaced: one in capital letters keeps its meaning for the whole report, so that a report speaks of the same things from
its beginning to its end. The same seed gives the same text.
"""

import random
import re

# What a report speaks of.
KEPT = {
    "DEVICE": [f"device {number}" for number in range(8)],
    "COUNT": "4 8 16 64 256 1000 4096".split(),
    "THING": ["numbers", "weights", "pixels", "samples", "rows of a table"],
    "OPERATOR": ["a sum", "a product of matrices", "a softmax", "a sort", "a convolution", "a norm"],
    "WORKER": ["program", "service", "thread", "pipeline", "test"],
    "ERROR": "507014 507015 507018 507035".split(),
}

# What is chosen anew at each place.
PARTS = {
    "start": [
        "A {WORKER} sets {DEVICE} and creates a stream.",
        "The {WORKER} takes {DEVICE}, which nobody else uses.",
        "A {WORKER} begins with aclInit and sets {DEVICE}.",
    ],
    "two": [
        "A {WORKER} opens {DEVICE} and creates two streams.",
        "The {WORKER} uses two streams of {DEVICE}, one for copies and one for operators.",
    ],
    "allocate": [
        "It allocates memory for {COUNT} {THING} on the device.",
        "It asks for a buffer that holds {COUNT} {THING}.",
        "The buffer on the device holds {COUNT} {THING}.",
        "It allocates page-locked memory on the host, and a buffer on the device.",
    ],
    "upload": [
        "A copy brings the {THING} from the host to the device.",
        "It queues a copy of the {THING} to the device.",
        "The {THING} go to the device with one copy, and the host goes on at once.",
    ],
    "compute": [
        "The stream computes {OPERATOR}.",
        "Then it queues {OPERATOR} behind the copy.",
        "Behind the copy the stream runs {OPERATOR}.",
        "The first phase of {OPERATOR} says how large the workspace is, and the second phase queues it.",
    ],
    "second": [
        "The second stream waits for an event of the first one.",
        "An event is recorded behind the copy, and the other stream waits for it.",
        "The other stream begins when the event is complete.",
    ],
    "download": [
        "A last copy brings the result back to the host.",
        "The result goes back to the host.",
        "Another copy brings the {COUNT} {THING} back.",
    ],
    "wait": [
        "The host waits for the stream and reads the result.",
        "After the wait for the stream, the host reads the {THING}.",
        "The host waits, because the result is not there before the stream is done.",
    ],
    "end": [
        "At the end it frees the buffer, destroys the stream, and resets {DEVICE}.",
        "It frees what it has allocated, in the reverse order, and resets {DEVICE}.",
        "Before {DEVICE} is reset, the buffer is freed and the stream is destroyed.",
        "Nothing is left on {DEVICE}.",
    ],
    "mistake": [
        "The {WORKER} reads the result before the stream is done. It sees old {THING}, and each call has returned 0. "
        "{refusal} Wait for the stream first, and take the buffer from it.",
        "The {WORKER} frees the buffer while the copy still uses it. The copy reads memory that belongs to nobody. "
        "{refusal} Keep the buffer until the stream is done.",
        "The {WORKER} copies {COUNT} {THING} into a buffer that is too small. The call fails, and nothing is copied. "
        "Allocate a buffer for {COUNT} {THING}.",
        "The {WORKER} resets {DEVICE} and uses the stream once more. The stream is gone. {refusal} "
        "The order of release is part of the types.",
        "The {WORKER} uses the stream on a thread without a context. The call returns 107002. {refusal} "
        "Set the context on this thread first.",
        "The {WORKER} runs the executor twice. The second run touches freed memory. {refusal} "
        "Make a new plan, or a plan that runs again.",
        "The {WORKER} swaps source and destination. The copy goes in the wrong direction. {refusal} "
        "The destination is written first.",
    ],
    "refusal": [
        "The compiler refuses this program.",
        "In Rust this does not compile, and the message says what to do.",
        "The types do not allow it, so the mistake is found before the program runs.",
    ],
    "failure": [
        "A task of the stream fails with {ERROR}.",
        "The wait for the stream returns {ERROR}.",
        "The device reports {ERROR} in the middle of {OPERATOR}.",
    ],
    "recovery": [
        "The {WORKER} resets {DEVICE}, sets it again, and repeats the work.",
        "No memory of the failed stream is used again before the device is reset.",
        "The {WORKER} says which call has failed, and goes on with another device.",
        "The buffers are parked, and freed with the device.",
    ],
    "fact": [
        "A stream runs its tasks in order.",
        "Two streams run beside each other.",
        "An event marks a point of a stream.",
        "A buffer belongs to one device.",
        "A context belongs to one device, and a thread has one current context.",
        "Memory of the host is not memory of the device.",
        "A queued copy returns before it has run.",
        "A wait for the stream proves that its work is over.",
        "The emulator computes on the processor of the host, and a card computes by itself.",
    ],
    "question": [
        "Why does the host wait? The result is not there before the stream is done.",
        "What does an event do? It marks a point of a stream, and another stream waits for it.",
        "Why is the order of release important? A stream does not outlive its device.",
        "What happens after a failure? {recovery}",
        "What is a stream? It is a queue of tasks, which run in order.",
        "What is a device? It is a card with memory of its own.",
    ],
    "does": [
        "runs its tasks in order", "waits for the event", "computes {OPERATOR}", "copies the {THING} to the device",
        "belongs to {DEVICE}", "is destroyed before {DEVICE} is reset",
    ],
    "queues": [
        "queues a copy and goes on", "queues {OPERATOR} for {COUNT} {THING}", "queues the work of a batch",
        "waits for nothing and queues the next batch",
    ],
}

REPORTS = [
    "{start} {allocate} {upload} {compute} {download} {wait} {end}",
    "{start} {allocate} {upload} {compute} {wait} {end}",
    "{two} {upload} {second} {compute} {download} {wait}",
    "{two} {fact} {upload} {second} {compute} {wait} {end}",
    "{mistake}",
    "{mistake} {fact}",
    "{start} {upload} {compute} {failure} {recovery} {end}",
    "{failure} {recovery} {fact}",
    "{fact} {fact} {question}",
    "{question} {fact}",
    "The stream {does}. {fact} {wait}",
    "The host {queues}. {upload} {compute} {wait} {end}",
]


def report(source):
    """One report."""
    text = source.choice(REPORTS)
    kept = {name: source.choice(words) for name, words in KEPT.items()}
    while (place := re.search(r"{(\w+)}", text)) is not None:
        name = place[1]
        word = kept.get(name) or source.choice(PARTS[name])
        text = text[:place.start()] + word + text[place.end():]
    return text


def paragraphs(count, seed):
    """Reports, each once."""
    source = random.Random(seed)
    found = {}
    while len(found) < count:
        found.setdefault(report(source))
    return list(found)


if __name__ == "__main__":
    print("\n".join(paragraphs(20, 1)))
