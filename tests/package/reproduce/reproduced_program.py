"""Stands for the measuring program: `plan --json ...` prints a plan, `run --output FOLDER ...` writes the run folder that
RUN names. Both append their words to WORDS, a line of JSON each.

Environment: PLAN, its text; CODE, the exit code of `run`, which writes nothing above 1; WAIT=1: `run` waits for a signal.
"""

import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path

words = sys.argv[1:]
with Path(os.environ["WORDS"]).open("a") as log:
    log.write(json.dumps(words) + "\n")
if words[0] == "plan":
    print(os.environ["PLAN"])
    sys.exit(0)
code = int(os.environ.get("CODE", "0"))
if "WAIT" in os.environ:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(130))
    Path(os.environ["WORDS"] + ".waits").touch()
    time.sleep(60)
if code <= 1:
    shutil.copytree(os.environ["RUN"], words[words.index("--output") + 1])
sys.exit(code)
