#!/usr/bin/env bash
# What a user does first on a new machine: first_look.sh WHEEL [EXTRAS] installs the wheel into a new environment below the current
# folder, checks all variants, takes a first look with the wheel's own data and draws its page, or is told why it cannot.
# Needs python3 with venv. EXTRAS: "[report]", which takes packages from PyPI; default: none, and no network is used.
set -eu -o pipefail
wheel=$(readlink -f "$1") extras=${2:-}
folder=$PWD/first-look
rm -rf "$folder"
mkdir "$folder"
cd "$folder"
export XDG_CACHE_HOME=$folder/cache
python3 -m venv environment
began=$(date +%s.%N)
seconds() { python3 -c "import time; print('%.1f' % (time.time() - $began))"; }
if [ -n "$extras" ]; then environment/bin/pip install -q "$wheel$extras"
else environment/bin/pip install -q --no-deps --no-index "$wheel"; fi
program=$folder/environment/bin/gpuseq-bench
echo "$("$program" --version), installed after $(seconds) s"

"$program" --budget 40s --no-report >run.txt 2>run.err &
run=$!
while ! compgen -G 'runs/*/records.jsonl' >/dev/null || [ "$(cat runs/*/records.jsonl | grep -c '"state"')" = 0 ]; do
  kill -0 "$run" 2>/dev/null || { cat run.txt run.err; exit 1; }
  sleep 0.1
done
echo "first record after $(seconds) s"
wait "$run" || { cat run.txt run.err; exit 1; }
echo "$(cat runs/*/records.jsonl | grep -c '"state"') records after $(seconds) s; data: $(grep -o '"path": *"[^"]*NC_008253[^"]*"' runs/*/run.json | head -1)"
test -n "$(find cache -type f | head -1)"

began=$(date +%s.%N)
"$program" selftest 2>selftest.err
echo "selftest: $(seconds) s"

code=0
"$program" report runs/* >report.txt 2>report.err || code=$?
case $extras$code in
  *report*0) echo "report: $(ls -s runs/*/report.html)" ;;
  2) echo "report: exit code 2: $(cat report.err)" ;;
  *) cat report.txt report.err; exit 1 ;;
esac
