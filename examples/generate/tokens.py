"""Tokens: pieces of text that are frequent, found by merging pairs (byte pair encoding).

A text is divided from its beginning, each time by the longest token that fits. So the list of tokens is all that a
reader needs; the order of the merges is not.
"""

import collections
import re

import numpy as np

# A token is a part of one of these: a word, a number or marks, with the blank in front of it.
PIECE = re.compile(r" ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\n| ")
ALPHABET = ["\n", *map(chr, range(32, 127))]


def learn(text, size):
    """The alphabet and the most frequent merges: `size` tokens."""
    tokens = list(ALPHABET)
    pieces = [(list(piece), count) for piece, count in collections.Counter(PIECE.findall(text)).items()]
    where = collections.defaultdict(set)
    counts = collections.Counter()
    for index, (parts, count) in enumerate(pieces):
        for pair in zip(parts, parts[1:]):
            counts[pair] += count
            where[pair].add(index)
    while len(tokens) < size:
        # The pair itself decides between equal counts, so that the result does not depend on an order.
        pair = max(counts, key=lambda pair: (counts[pair], pair))
        merged = pair[0] + pair[1]
        tokens.append(merged)
        for index in list(where[pair]):
            parts, count = pieces[index]
            for old in zip(parts, parts[1:]):
                counts[old] -= count
                where[old].discard(index)
            at = 0
            while at < len(parts) - 1:
                if (parts[at], parts[at + 1]) == pair:
                    parts[at:at + 2] = [merged]
                at += 1
            for new in zip(parts, parts[1:]):
                counts[new] += count
                where[new].add(index)
        del counts[pair]
    return tokens


def encode(text, tokens):
    """The numbers of the tokens of a text."""
    numbers = {token: number for number, token in enumerate(tokens)}
    longest = max(map(len, tokens))
    out, at = [], 0
    while at < len(text):
        for length in range(longest, 0, -1):
            number = numbers.get(text[at:at + length])
            if number is not None:
                out.append(number)
                at += length
                break
        else:
            raise ValueError(f"no token for {text[at]!r}")
    return np.array(out, np.int64)
