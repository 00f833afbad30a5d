#!/usr/bin/env bash
# Usage: dependencies.sh FOLDER: makes what only the wheel links (cmake/wheel/wheel.cmake), from Debian's packages, without root.
#   FOLDER/sysroot   the C library of Debian 11 (glibc 2.31) and its libgcc_eh.a: programs linked here start on any newer system
#   FOLDER/lib       static archives of this Debian's sources, those that it has no archive of, and hwloc without libudev
#   FOLDER/licences  the licences of all that the wheel contains of others
#   FOLDER/data      a genome
# Needs apt-get, dpkg-dev and a C++ compiler; takes three minutes of two processors, once.
set -eu -o pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
stamp=$folder/.made-$(cat "$0" "$here/glibc.c" | sha256sum | cut -c1-16)
[ -e "$stamp" ] && exit 0
command -v dpkg-source >/dev/null || { echo "error: the dependencies of the wheel need the package dpkg-dev" >&2; exit 1; }
log=$folder/log
: >"$log"
trap '[ $? = 0 ] || { tail -40 "$log" >&2; echo "error: the dependencies of the wheel cannot be made (see above, and $log)" >&2; }' EXIT
rm -rf "${folder:?}"/{apt,sysroot,lib,licences,data,sources}
mkdir -p "$folder"/{apt/lists/partial,apt/archives/partial,apt/empty,sysroot,lib,licences,data,sources}

# apt with lists of its own, from the mirror that this system uses.
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $codename" 'Created-By: Packages' | head -1)
for line in "deb bullseye" "deb $codename" "deb-src $codename"; do
  echo "${line% *} [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror ${line#* } main"
done >"$folder/apt/sources.list"
apt=(apt-get -q -o Dir::Etc::SourceList="$folder/apt/sources.list" -o Dir::Etc::SourceParts="$folder/apt/empty"
     -o Dir::State::Lists="$folder/apt/lists" -o Dir::Cache="$folder/apt" -o APT::Sandbox::User=)
"${apt[@]}" update >>"$log" 2>&1

# The system that the program is linked against; its headers are not used.
(cd "$folder/apt" && "${apt[@]}" download libc6/bullseye libc6-dev/bullseye libgcc-10-dev/bullseye >>"$log" 2>&1)
for package in "$folder"/apt/*.deb; do dpkg-deb -x "$package" "$folder/sysroot"; done
find "$folder/sysroot" -type l -lname '/*' | while read -r link; do ln -sfnr "$folder/sysroot$(readlink "$link")" "$link"; done
mkdir "$folder/sysroot/unwinder"
cp "$folder"/sysroot/usr/lib/gcc/x86_64-linux-gnu/10/libgcc_eh.a "$folder/sysroot/unwinder"

# The genome of configs/quick.json, as its package distributes it.
(cd "$folder/apt" && "${apt[@]}" download "bowtie-examples/$codename" >>"$log" 2>&1 && dpkg-deb -x bowtie-examples_*.deb bowtie)
cp "$folder"/apt/bowtie/usr/share/doc/bowtie/examples/genomes/NC_008253.fna.gz "$folder/data"
cp "$folder"/apt/bowtie/usr/share/doc/bowtie-examples/copyright "$folder/licences/bowtie-examples.txt"

sources=(fmtlib simdjson benchmark highway libdivsufsort hwloc)
(cd "$folder/sources" && "${apt[@]}" source "${sources[@]}" >>"$log" 2>&1)
export CFLAGS=-O2\ -fPIC CXXFLAGS=-O2\ -fPIC
# by_cmake SOURCE ARCHIVES OPTIONS...: builds the archives' targets of a source and keeps them.
by_cmake() {
  local source=$1 archives=$2 archive
  shift 2
  cmake -S "$folder/sources/$source"-*/ -B "$folder/sources/build-$source" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF "$@" >>"$log" 2>&1
  # shellcheck disable=SC2086
  ninja -C "$folder/sources/build-$source" $archives >>"$log" 2>&1
  for archive in $archives; do find "$folder/sources/build-$source" -name "lib$archive.a" -exec cp {} "$folder/lib" \; ; done
}
by_cmake fmtlib fmt -DFMT_TEST=OFF -DFMT_DOC=OFF
by_cmake simdjson simdjson -DSIMDJSON_DEVELOPER_MODE=OFF
by_cmake benchmark benchmark -DBENCHMARK_ENABLE_TESTING=OFF -DGIT_VERSION=0.0.0
by_cmake highway hwy -DHWY_ENABLE_EXAMPLES=OFF -DBUILD_TESTING=OFF
by_cmake libdivsufsort "divsufsort divsufsort64" -DBUILD_DIVSUFSORT64=ON -DBUILD_EXAMPLES=OFF
(cd "$folder"/sources/hwloc-*/ &&
  ./configure --enable-static --disable-shared --disable-{cairo,cuda,gl,io,libudev,libxml2,nvml,opencl,pci,plugins,readme,rsmi,levelzero} &&
  make -j "$(nproc)" -C hwloc && cp hwloc/.libs/libhwloc.a "$folder/lib") >>"$log" 2>&1
cp /usr/lib/x86_64-linux-gnu/lib{re2,xxhash,z}.a "$folder/lib"
cc $CFLAGS -Wall -Wextra -Werror -c "$here/glibc.c" -o "$folder/sysroot/glibc.o" >>"$log" 2>&1

for package in libfmt-dev libsimdjson-dev libbenchmark-dev libhwy-dev libdivsufsort-dev libhwloc-dev libre2-dev libxxhash-dev zlib1g-dev \
  nlohmann-json3-dev libvalijson-dev libcli11-dev libstdc++-12-dev; do
  cp "/usr/share/doc/$package/copyright" "$folder/licences/$package.txt"
done
cp "$here/nvidia.txt" "$folder/licences/cuda.txt"
cp "$here/genbank.txt" "$folder/licences/"
rm -rf "$folder"/{apt,sources}
touch "$stamp"
