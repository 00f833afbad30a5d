"""The Python example is compiled as its first lines say, and measured: by NumPy where CuPy is missing.

Usage: python_plugin_test.py PROGRAM ROOT
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

SKIPPED = 77
FAMILIES = {"pairwise_distance": {"problems": [{"instance_count": 20, "attribute_count": 70}], "variants": {"bytes": {}}}}
SAMPLING = {"min_samples": 2, "max_samples": 2, "max_seconds": 0.1}


def output_of(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def compile_plugin(root, config, folder):
    lines = (root / "examples/plugin/python_plugin.cpp").read_text(encoding="utf-8").split("\n\n")[0].splitlines()
    command = " ".join(line[2:].strip() for line in lines if line.startswith("//  "))
    command = command.replace("python3-config", config).replace("libpython_plugin.so", str(folder / "libpython_plugin.so"))
    subprocess.run(["sh", "-c", command], cwd=root, check=True)
    return folder / "libpython_plugin.so"


def main(program, root, config="/usr/bin/python3-config"):
    try:
        output_of(*shlex.split(config), "--ldflags", "--embed")
        output_of("/usr/bin/python3", "-c", "import numpy")
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"skipped: {error}; apt-get install python3-dev python3-numpy")
        return SKIPPED
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        library = compile_plugin(root, config, folder)
        (folder / "config.json").write_text(json.dumps({"name": "python", "devices": "cpu", "probe_budget_s": 0,
                                                        "sampling": SAMPLING, "families": FAMILIES}), encoding="utf-8")
        # An embedded Python takes the packages of the python3 in PATH.
        environment = os.environ | {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": scratch,
                                    "GPUSEQ_PYTHON_PLUGIN": str(root / "examples/plugin/hamming_cupy.py")}
        subprocess.run([program, "run", "--config", folder / "config.json", "--plugin", library, "--no-report",
                        "--output", folder / "run"], env=environment, check=True)
        lines = (folder / "run/records.jsonl").read_text(encoding="utf-8").splitlines()
    records = [record for record in map(json.loads, lines) if record.get("variant") == "one_hot_product"]
    assert records, "no record of the plugin"
    for record in records:
        assert record["status"] == "ok" and record["verification"]["checked"] == 400, record
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
