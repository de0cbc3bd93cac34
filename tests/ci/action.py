"""Runs the steps of a composite action as a runner would, without one: action.py ACTION NAME=VALUE…

Knows what this repository's action uses: defaults of inputs, `${{ inputs.x }}` in `env`, `if: inputs.x == ''`.
Anything else is an error, so that the action cannot outgrow its test unseen.
"""

import os
import re
import subprocess
import sys
import tempfile

import yaml

INPUT = re.compile(r"\$\{\{\s*inputs\.([\w-]+)\s*\}\}")
IF_EMPTY = re.compile(r"inputs\.([\w-]+)\s*==\s*''")


def main(path, pairs):
    with open(path, encoding="utf-8") as file:
        action = yaml.safe_load(file)
    inputs = {name: str(one.get("default", "")) for name, one in action["inputs"].items()}
    for pair in pairs:
        name, value = pair.split("=", 1)
        if name not in inputs:
            sys.exit(f"the action has no input {name}")
        inputs[name] = value
    if action["runs"]["using"] != "composite":
        sys.exit("not a composite action")
    with tempfile.TemporaryDirectory() as temporary:
        for step in action["runs"]["steps"]:
            code = run(step, inputs, os.path.dirname(os.path.abspath(path)), temporary)
            if code:
                return code
    return 0


def run(step, inputs, folder, temporary):
    unknown = set(step) - {"name", "if", "shell", "env", "run"}
    if unknown or step["shell"] != "bash":
        sys.exit(f"this step has more than its test knows: {unknown or step['shell']}")
    if "if" in step:
        condition = IF_EMPTY.fullmatch(step["if"])
        if not condition:
            sys.exit(f"unknown condition {step['if']}")
        if inputs[condition.group(1)] != "":
            return 0
    if "${{" in step["run"]:
        sys.exit("an expression inside a script: inputs belong into the environment")
    values = {name: INPUT.sub(lambda match: inputs[match.group(1)], value) for name, value in step.get("env", {}).items()}
    if any("${{" in value for name, value in step.get("env", {}).items() for value in [INPUT.sub("", value)]):
        sys.exit("unknown expression in env")
    environment = {**os.environ, **values, "GITHUB_ACTION_PATH": folder, "RUNNER_TEMP": temporary}
    # The options of a runner for `shell: bash`.
    return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
