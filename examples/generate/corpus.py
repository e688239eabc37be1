"""The training text: the English sentences of this project, one paragraph a line.

They come from the documents in Markdown and from the comments of the Rust code, as of one commit, so the same
commit gives the same text. What is not a sentence is left out: code, tables, headings, pictures.
"""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).parent.parent.parent

# Folders whose comments are prose about AscendCL and about this project.
CODE = ("src/", "sys/", "emulator/", "tests/", "ui-tests/", "benches/", "examples/", "xtask/")

PLAIN = {
    "\u2013": "-", "\u2014": "-", "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2026": "...",
    "\u2192": "->", "\u2264": "<=", "\u2265": ">=", "\u00d7": "x", "\u00a0": " ",
}


def git(*arguments):
    return subprocess.run(["git", *arguments], check=True, capture_output=True, cwd=ROOT).stdout


def paragraphs(commit):
    """All paragraphs of a commit, each once, in the order of the files."""
    names = git("ls-tree", "-r", "--name-only", commit).decode().split("\n")
    found = {}
    for name in sorted(names):
        if name.endswith(".md"):
            lines = git("show", f"{commit}:{name}").decode().split("\n")
        elif name.endswith(".rs") and name.startswith(CODE):
            lines = comments(git("show", f"{commit}:{name}").decode().split("\n"))
        else:
            continue
        for paragraph in prose(lines):
            found.setdefault(paragraph)
    return list(found)


def comments(lines):
    """The lines of comments, with an empty line wherever code stands between them."""
    for line in lines:
        comment = re.fullmatch(r"\s*//[/!]?( ?)(.*)", line)
        if comment is None:
            yield ""
            continue
        text = comment[2]
        # A proof is not prose, but what it says is.
        yield re.sub(r"^(SAFETY|INVARIANT): ", "", text)


def prose(lines):
    """Paragraphs of Markdown that are whole sentences."""
    fenced = False
    block = []
    for line in [*lines, ""]:
        if line.lstrip().startswith("```"):
            fenced = not fenced
            line = ""
        stripped = line.strip()
        item = re.match(r"(?:[-*]|\d+\.) +", stripped)
        ends = not stripped or item or fenced or stripped[0] in "#|<>" or line.startswith("    ")
        if ends:
            text = plain(" ".join(block))
            if text:
                yield text
            block = []
        if item:
            block = [stripped[item.end():]]
        elif not ends:
            block.append(stripped)


def plain(text):
    """A paragraph without marks, or nothing if it is no sentence."""
    for mark, ascii_ in PLAIN.items():
        text = text.replace(mark, ascii_)
    text = re.sub(r"\[([^\[\]]+)\](?:\([^)]*\)|\[[^\]]*\])?", r"\1", text)
    text = text.replace("**", "").replace("`", "")
    text = re.sub(r"(^|\s)\*(\w[^*]*\w)\*", r"\1\2", text)
    text = re.sub(r"\s+", " ", text).strip()
    if not text.isascii() or len(text) < 25 or not text[0].isupper() or text[-1] not in ".!?":
        return ""
    words = text.split(" ")
    natural = sum(bool(re.fullmatch(r"[(\"']*[A-Za-z]+(?:[-'][A-Za-z]+)*[,.;:!?)\"']*", word)) for word in words)
    if len(words) < 4 or natural < 0.75 * len(words):
        return ""
    return text
