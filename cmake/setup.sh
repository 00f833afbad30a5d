# Sourced by ./gpuseq-bench and ./run-tests: installs what is missing, then builds. Sets `root`, `build`.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release
# A compiler cache sees paths relative to the checkout, so that another one takes from it what is the same.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
say() { printf '%s\n' "$*" >&2; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else say "error: installing packages needs root or sudo; missing: ${missing[*]}"; exit 2; fi
}

is_installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

# missing_of FILE: the packages that a list names and that are not installed, a line each.
missing_of() { grep -v '^#' "$1" | while read -r name; do is_installed "$name" || echo "$name"; done; }

# install_packages NAME...: installs the Debian packages that are not there yet. Data packages keep their files
# in /usr/share/doc, which container images exclude from installation: hence the path-include.
install_packages() {
  missing=()
  local name
  for name in "$@"; do is_installed "$name" || missing+=("$name"); done
  [ ${#missing[@]} = 0 ] && return 0
  if ! command -v apt-get >/dev/null; then
    say "error: these packages are missing and there is no apt-get: ${missing[*]}"; exit 2
  fi
  say "Installing ${missing[*]}"
  local log; log=$(mktemp)
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -y -qq --no-install-recommends -o 'DPkg::Options::=--path-include=/usr/share/doc/*')
  if ! as_root "${apt[@]}" install "${missing[@]}" >"$log" 2>&1; then
    if ! { as_root "${apt[@]}" update && as_root "${apt[@]}" install "${missing[@]}"; } >"$log" 2>&1; then
      tail -20 "$log" >&2
      say "error: could not install ${missing[*]} (see above)"; exit 2
    fi
  fi
  rm -f "$log"
}

# once KEY-FILES... -- COMMAND...: runs the command unless it already succeeded with these files' content.
once() {
  local files=() key stamp
  while [ "$1" != -- ]; do files+=("$1"); shift; done
  shift
  key=$(cat "${files[@]}" | sha256sum | cut -c1-16)
  stamp=$root/build/.once-$(basename "${files[0]}")-$key
  [ -e "$stamp" ] && return 0
  "$@" || return 1
  mkdir -p "$root/build" && touch "$stamp"
}

install_list() { mapfile -t names < <(grep -hv '^#' "$@"); install_packages "${names[@]}"; }

# The Python package gpuseq (reports/gpuseq) draws figures and pages. Measuring and recording need no Python.
make_venv() {
  # A Debian python: venvs of other installations may lack ensurepip.
  say "Making the Python environment of figures and pages (.venv)"
  { /usr/bin/python3 -m venv "$root/.venv" && install_python "$root/requirements.txt"; } >&2 || return 1
}

# install_python FILE: installs a list of Python packages into .venv.
install_python() { "$root/.venv/bin/pip" install -q --disable-pip-version-check -r "$1" >&2; }

setup() {
  mkdir -p "$root/build"
  once "$root/cmake/debian-packages.txt" -- install_list "$root/cmake/debian-packages.txt" || exit 2
  [ -x "$root/.venv/bin/python" ] || rm -f "$root"/build/.once-requirements*
  once "$root/requirements.txt" -- make_venv ||
    say "warning: pip could not install requirements.txt; runs are recorded, and no figures and pages are drawn"
}

# Seconds that one processor took for a step of a first build, on average, on a Xeon of 2023.
step_seconds=4

# minutes SECONDS: "40 s", "3 min".
minutes() { if [ "$1" -lt 90 ]; then echo "$1 s"; else echo "$((($1 + 30) / 60)) min"; fi; }

# build_targets TARGET...: configures once and for each GPUSEQ_FAMILIES, then builds incrementally. Prints nothing if that takes less than 2 s, else
# the expected time and then, on a terminal at once and elsewhere every ten seconds, the part that is being built.
build_targets() {
  if [ ! -e "$build/build.ninja" ] || [ -n "${GPUSEQ_FAMILIES+chosen}" ]; then
    local log=$root/build/configure.log
    if ! cmake -S "$root" --preset release ${GPUSEQ_FAMILIES+"-DGPUSEQ_FAMILIES=$GPUSEQ_FAMILIES"} >"$log" 2>&1; then cat "$log" >&2; say "error: configuring failed"; exit 2; fi
    grep -h '^-- CUDA:' "$log" | sed 's/^-- //' >&2
  fi
  local log=$root/build/build.log began=$SECONDS said=-1 built total part elapsed left
  ninja -C "$build" "$@" >"$log" 2>&1 &
  local ninja=$!
  # Whoever is interrupted takes ninja along.
  trap 'kill "$ninja" 2>/dev/null; exit 130' INT TERM
  while kill -0 "$ninja" 2>/dev/null; do
    sleep 0.2
    elapsed=$((SECONDS - began))
    if [ "$elapsed" -lt 2 ]; then continue; fi
    # [47/352] Building CXX object kernels/papara/CMakeFiles/...
    read -r built total part < <(sed -nE 's#^\[([0-9]+)/([0-9]+)\] .*[ /]((kernels|tests)/[a-z_]+|bench|probes|reports|results|runtime)/.*#\1 \2 \3#p' "$log" | tail -1)
    if [ -z "$part" ]; then continue; fi
    if [ "$said" -lt 0 ]; then
      say "Building $total parts in $build, about $(minutes $((total * step_seconds / $(nproc)))) with $(nproc) processors"
      said=$SECONDS
    fi
    left=$((elapsed * (total - built) / built))
    if [ -t 2 ]; then printf '\r%-70s' "$part, $((100 * built / total)) %, about $(minutes "$left") left" >&2
    elif [ $((SECONDS - said)) -ge 10 ]; then say "$part, $((100 * built / total)) %, about $(minutes "$left") left"; said=$SECONDS; fi
  done
  trap - INT TERM
  if [ "$said" -ge 0 ] && [ -t 2 ]; then printf '\n' >&2; fi
  wait "$ninja" || { tail -60 "$log" >&2; say "error: the build failed"; exit 2; }
}

export GPUSEQ_ROOT=$root
# External tools that are built here.
export PATH=$PATH:$root/build/tools
export GPUSEQ_PYTHON=$root/.venv/bin/python
