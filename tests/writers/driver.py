"""Runs the cases of classes: each line of NAME.cases gives a line of NAME.results."""

import importlib
import inspect
import sys
from dataclasses import astuple

READ = {
    "s": lambda text: bytes.fromhex(text).decode("utf-8", "surrogatepass"),
    "n": int,
    "f": float,
    "b": bytes.fromhex,
    "t": lambda text: True,
    "-": lambda text: None,
}


def written(value):
    if value is None:
        return "-"
    if isinstance(value, bytes):
        return "b" + value.hex()
    return "s" + value.encode().hex() if isinstance(value, str) else f"n{value}"


def result(key, names, line):
    action, *tokens = line.split()
    try:
        if action == "D":
            read = key.decode(bytes.fromhex(tokens[0] if tokens else ""))
            return " ".join(["v", *map(written, astuple(read))])
        values = [READ[token[0]](token[1:]) for token in tokens]
        return "k" + key.encode(**dict(zip(names, values))).hex()
    except ValueError as error:
        return "!" + str(error).encode().hex()


sys.path.insert(0, ".")
for name in sys.argv[1:]:
    with open(f"{name}.cases") as cases, open(f"{name}.results", "w") as results:
        lines = cases.read().splitlines()
        first = "k_" + name
        module = importlib.import_module(first)
        key = getattr(module, "K_" + name)
        names = list(inspect.signature(key.encode).parameters)
        results.writelines(result(key, names, line) + "\n" for line in lines)
