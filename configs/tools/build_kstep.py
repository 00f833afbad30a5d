#!/usr/bin/env python3
"""Builds the k-step FM-index of Chacón et al. in a checkout of theirs: the tools kstep_cpu and kstep_gpu.

Usage: build_kstep.py CHECKOUT [GPU ARCHITECTURE, default sm_90]     a checkout of achacond/k-step_FM-index on GitHub

The programs go to CHECKOUT/bin; KSTEP_FM_INDEX=CHECKOUT then names it for a run. One and two steps, 64 bases between
counters. Their GPU sources are older than CUDA 9: a header of macros gives their shuffles a mask. Without nvcc only the
CPU's programs are built. It takes gcc and a minute; no file of theirs is changed.
"""

import pathlib
import shutil
import sys
import tempfile

from compiled import refuse, run

DISTANCE = 64
CPU_FLAGS = ["-O3", "-m64", "-msse4.2", "-fopenmp", "-w"]
# Functions of these sources' time that nvcc from CUDA 13 on lacks.
SHIM = """#define cudaThreadSynchronize cudaDeviceSynchronize
#define __shfl(...) __shfl_sync(0xffffffffu, __VA_ARGS__)
#define __shfl_down(...) __shfl_down_sync(0xffffffffu, __VA_ARGS__)
"""
DIVSUFSORT = ["resources/div-tools/sssort.c", "resources/div-tools/trsort.c", "resources/divsufsort.c"]
PROGRAMS = {
    "gfmiBaseLine_{d}bases_{k}step": ["common/generateIndex.c", "src/genFMindex.c", "common/common.c", *DIVSUFSORT],
    "tfmiBMP_{d}bases_{k}step": ["common/common.c", "src/transformIndexBitmaps.c"],
    "fmIndexSearchCPU_{d}bases_{k}step": ["common/searchQueries.c", "src/fmIndexCPUBaseline.c", "common/common.c"],
}


def defines(k):
    return [f"-DK_STEPS={k}", f"-DNUM_CHUNK={DISTANCE}", f"-DNUM_COUNTERS={4**k}"]


def build_cpu(checkout):
    for k in (1, 2):
        for name, sources in PROGRAMS.items():
            made = checkout / "bin" / name.format(d=DISTANCE, k=k)
            run(["gcc", *CPU_FLAGS, *defines(k), "-o", made, *(checkout / source for source in sources), "-lrt"])
            print(made)


def build_gpu(checkout, nvcc, architecture, scratch):
    """The cooperative searchers, 64 threads a block as their makefile has them."""
    shim, toolkit = scratch / "shim.h", pathlib.Path(nvcc).resolve().parents[1]
    shim.write_text(SHIM)
    for k in (1, 2):
        options = [*defines(k), "-DINTERLEAVE_BMP"]
        theirs = [*options, "-DLDG", "-DDEVICE=0", "-DCUDA_NUM_THREADS=64", "-DMAX_THREADS_PER_SM=64"]
        compiled = scratch / f"coop{k}.o"
        run([nvcc, f"-arch={architecture}", "-O3", "-m64", "-w", "-include", "cuda_runtime.h", "-include", shim,
             "-Xcompiler", " ".join(theirs), "-c", checkout / f"src/fmIndexGPU-Coop-{k}Step.cu", "-o", compiled])
        made = checkout / "bin" / f"fmIndexGPU_{DISTANCE}bases_{k}step"
        run(["gcc", *CPU_FLAGS, *options, "-DCUDA", "-DINTERLEAVING_QUERIES", f"-I{toolkit}/include", "-o", made,
             checkout / "common/searchQueries.c", checkout / "src/fmIndexCPUBaseline.c", compiled,
             checkout / "common/common.c", f"-L{toolkit}/lib64", f"-Wl,-rpath,{toolkit}/lib64", "-lrt", "-lcudart",
             "-lstdc++"])
        print(made)


def main(given, architecture="sm_90"):
    checkout = pathlib.Path(given).resolve()
    if not (checkout / "src/fmIndexCPUBaseline.c").exists():
        refuse(f"found no src/fmIndexCPUBaseline.c in {checkout}; allowed: a checkout of achacond/k-step_FM-index")
    if shutil.which("gcc") is None:
        refuse("found no gcc; apt-get install gcc has one")
    (checkout / "bin").mkdir(exist_ok=True)
    build_cpu(checkout)
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if nvcc is None:
        print("no nvcc: the GPU's programs are not built")
        return
    with tempfile.TemporaryDirectory() as scratch:
        build_gpu(checkout, nvcc, architecture, pathlib.Path(scratch))


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        refuse("wants a checkout of achacond/k-step_FM-index, and perhaps a GPU architecture as in sm_90")
    main(*sys.argv[1:])
