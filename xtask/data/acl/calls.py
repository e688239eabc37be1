# -- Calls -------------------------------------------------------------------------------------------------------------

_checked = os.environ.get("ASCENDCL_EMULATOR_CHECK", "0") not in ("", "0")
_SHOWN = 3


def _tell_place():
    """Tells the checker the lines of Python that make the next call of this thread."""
    frame, lines = sys._getframe(1), []
    while frame and len(lines) < _SHOWN:
        code = frame.f_code
        if code.co_filename != __file__ and not code.co_filename.startswith("<frozen importlib"):
            lines.append(f"{code.co_name} at {code.co_filename}:{frame.f_lineno}")
        frame = frame.f_back
    _LIBRARY.ascendclEmulatorCalledFrom(", called by ".join(lines).encode(errors="replace"))


if _checked and hasattr(os, "register_at_fork"):
    # Without it a fork would have the place of the last call.
    os.register_at_fork(before=_tell_place)


def _call(function, arguments):
    if _checked:
        _tell_place()
    return function(*arguments)


_LONGEST_TEXT = 1 << 16


class _Function:
    """A function of C: how its arguments are made, and its results read."""

    def __init__(self, python, name, result, parameters):
        self.python, self.name, self.result = python, name, result
        self.parameters = [parameter.split(":") for parameter in parameters]
        if name in _ONLY_READ:
            self.parameters = [(label, kind.replace(">[", "<[")) for label, kind in self.parameters]
        kinds = [result, *(kind for _, kind in self.parameters)]
        # The structures of the second media interface are inputs and outputs at once.
        if "?" in kinds or "f" in kinds or name in _NOT_CONVERTED or (python.startswith("himpi.") and any("[" in kind for kind in kinds)):
            raise NotImplementedError(f"acl.{python}: {name} has a function or a structure that this module does not convert")
        self.function = _LIBRARY[name]
        self.function.restype = {"void": None, "s": ctypes.c_char_p}.get(result, _NUMBERS.get(result))
        labels = [label for label, _ in self.parameters]
        self.inputs = []
        self.counts = {}
        for at, (label, kind) in enumerate(self.parameters):
            if label in _COUNT_FIRST or (label in _COUNT_LAST and kind[0] not in "<>"):
                self.counts[at] = self.lists_of(at)
        listed = {of for lists in self.counts.values() for of in lists}
        self.lists = listed
        for at, (label, kind) in enumerate(self.parameters):
            is_input = at in listed or kind[0] != ">" or self.is_in_place(at)
            if is_input and at not in self.counts:
                self.inputs.append(at)
        self.signature = ", ".join(_snake(labels[at]) for at in self.inputs)

    def lists_of(self, at):
        """The lists that the parameter counts."""
        is_list = lambda of: self.parameters[of][1][0] in "<>" and "[" not in self.parameters[of][1]
        if self.parameters[at][0] in _COUNT_LAST:
            return [at - 1] if at and is_list(at - 1) else []
        found = []
        for of in range(at + 1, len(self.parameters)):
            if not is_list(of):
                break
            found.append(of)
        return found

    def is_in_place(self, at):
        return self.name in _IN_PLACE and self.parameters[at][1] == ">u32"

    def __call__(self, *given):
        if not self.inputs:
            # pyACL ignores them.
            given = ()
        if len(given) != len(self.inputs):
            raise TypeError(f"acl.{self.python}({self.signature}): the number of arguments is {len(self.inputs)}, not {len(given)}")
        values = dict(zip(self.inputs, given))
        arguments, outputs = [None] * len(self.parameters), []
        for at, value in values.items():
            label, kind = self.parameters[at]
            what = f"acl.{self.python}: {_snake(label)}"
            if at in self.lists:
                arguments[at] = _list_to_c(value, kind[1:], what)
            elif self.is_in_place(at):
                arguments[at] = _to_c(value, "p", what)
            elif kind[0] == "<" and isinstance(value, int) and value == 0:
                arguments[at] = None
            elif kind[0] == "<":
                arguments[at] = ctypes.byref(_to_c(value, kind[1:], what))
            else:
                arguments[at] = _to_c(value, kind, what)
        for at, lists in self.counts.items():
            lengths = {len(arguments[of]) for of in lists}
            if len(lengths) > 1:
                names = " and ".join(_snake(self.parameters[of][0]) for of in lists)
                raise ValueError(f"acl.{self.python}: {names} have {sorted(lengths)} elements, and must have as many")
            arguments[at] = _to_c(lengths.pop(), self.parameters[at][1], self.parameters[at][0])
        for at, (label, kind) in enumerate(self.parameters):
            if kind[0] == ">" and at not in values:
                target = self.target(at, kind[1:], values)
                outputs.append(target)
                arguments[at] = target if isinstance(target, ctypes.Array) else ctypes.byref(target)
        result = _call(self.function, arguments)
        if self.result == "void" or (self.result == "s" and result is None):
            return None
        result = _from_c(result)
        if result != _SUCCESS and self.name in _ON_FAILURE:
            empty = _ON_FAILURE[self.name]
            return (None if empty is None else dict(empty)), result
        first = [given[0]] if self.name in _GIVE_BACK else []
        results = first + [_from_c(output.value if isinstance(output, ctypes.Array) else output) for output in outputs]
        return (*results, result) if results else result

    def target(self, at, kind, values):
        """What C writes an output to."""
        if kind == "char":
            # The length is behind the text, or before it.
            near = [of for of in (at + 1, at - 1) if of in values and re.search(r"(?i)len(gth)?$", self.parameters[of][0])]
            length, what = values[near[0]], f"acl.{self.python}: {_snake(self.parameters[near[0]][0])}"
            if not 0 <= length <= _LONGEST_TEXT:
                raise ValueError(f"{what} = {length} is not between 0 and {_LONGEST_TEXT}")
            return ctypes.create_string_buffer(length + 1)
        return _record(kind[1:-1])() if kind.startswith("[") else _NUMBERS[kind]()


class _Area(types.ModuleType):
    """A group of functions, as `acl.rt`."""

    def __init__(self, name):
        super().__init__(f"{__name__}.{name}")
        self.__dict__["_area"] = name
        # For `import acl.rt`.
        sys.modules[self.__name__] = self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = _find(f"{self._area}.{name}")
        setattr(self, name, found)
        return found

    def __dir__(self):
        here = f"{self._area}."
        return sorted({*vars(self), *(name[len(here):] for name in _names() if name.startswith(here))} - {"_area"})


_table = {}


def _names():
    if not _table:
        for line in _FUNCTIONS.split("\n"):
            if line:
                name, result, *parameters = line.split()
                _table[_python_name(name)] = (name, result, parameters)
    return _table


def _refused(python, words):
    """A function that this module does not have: `hasattr`, `help` and `inspect` find it, and a call says why."""

    def call(*arguments):
        raise NotImplementedError(words)

    call.__name__ = call.__qualname__ = python.rpartition(".")[2]
    call.__doc__ = words
    return call


def _find(python):
    if python not in _names():
        raise AttributeError(f"the emulator has no acl.{python}")
    try:
        bound = _Function(python, *_names()[python])
    except NotImplementedError as error:
        return _refused(python, str(error))

    def call(*arguments):
        return bound(*arguments)

    call.__name__ = call.__qualname__ = python.rpartition(".")[2]
    words = ", ".join(f"{label}: {kind}" for label, kind in bound.parameters)
    call.__doc__ = f"{bound.name}({words}) in C"
    kind = inspect.Parameter.POSITIONAL_ONLY
    names = [_snake(bound.parameters[at][0]) for at in bound.inputs]
    call.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])
    return call


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    globals()[name] = found = _find(name)
    return found


def __dir__():
    return sorted({*globals(), *(name for name in _names() if "." not in name)})


# pyACL has both names.
_names()["prof.model_un_subscribe"] = _names()["prof.model_unsubscribe"]

rt, mdl, op, media, himpi, prof, util = map(_Area, ("rt", "mdl", "op", "media", "himpi", "prof", "util"))
