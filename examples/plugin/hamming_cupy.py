"""A plugin for pairwise_distance in Python: Hamming distances as a product of one-hot matrices, by CuPy on a GPU.

    GPUSEQ_PYTHON_PLUGIN=examples/plugin/hamming_cupy.py gpuseq-bench run --plugin ./libpython_plugin.so ...

Where CuPy is not installed NumPy computes the same on the CPU.
"""

import ctypes

import numpy

try:
    import cupy as arrays
except ImportError:
    arrays = numpy

FAMILY = "pairwise_distance"
NAME = "one_hot_product"
SUMMARY = f"a product of one-hot matrices by {arrays.__name__}"
DEVICE = "cpu" if arrays is numpy else "cuda"


class Problem(ctypes.Structure):
    """gpuseq_pairwise_distance."""

    _fields_ = [
        ("metric", ctypes.c_char_p),
        ("instances", ctypes.c_uint64),
        ("attributes", ctypes.c_uint64),
        ("alphabet", ctypes.c_uint32),
        ("codes", ctypes.POINTER(ctypes.c_uint8)),
        ("values", ctypes.POINTER(ctypes.c_float)),
        ("missing", ctypes.POINTER(ctypes.c_uint8)),
    ]


class Distances(ctypes.Structure):
    """gpuseq_distances."""

    _fields_ = [
        ("sum", ctypes.POINTER(ctypes.c_uint32)),
        ("distance", ctypes.POINTER(ctypes.c_float)),
        ("compared", ctypes.POINTER(ctypes.c_uint32)),
    ]


class Pairs:
    """A case: its data on the device, the stream that it is launched on, and the last distances."""

    def __init__(self, problem, stream):
        if problem.metric != b"hamming" or problem.missing:
            raise ValueError("unsupported: it has Hamming distances without missing values")
        shape = (problem.instances, problem.attributes)
        self.attributes = problem.attributes
        self.stream = stream
        codes = arrays.asarray(numpy.ctypeslib.as_array(problem.codes, shape))
        # Sums of 32-bit floats are exact up to 2^24 attributes.
        self.one_hot = [(codes == code).astype(arrays.float32) for code in range(problem.alphabet)]
        self.sums = None


def prepare(problem, ordinal, stream, threads):
    if arrays is numpy:
        return Pairs(Problem.from_address(problem), None)
    arrays.cuda.Device(ordinal).use()
    with arrays.cuda.ExternalStream(stream) as own:  # what follows on it finds the data
        return Pairs(Problem.from_address(problem), own)


def compute(pairs):
    equal = sum(rows @ rows.T for rows in pairs.one_hot)
    pairs.sums = (pairs.attributes - equal).astype(arrays.uint32)


def launch(pairs):
    if pairs.stream is None:
        return compute(pairs)
    with pairs.stream:
        compute(pairs)


def answers(pairs, address):
    sums = pairs.sums if arrays is numpy else arrays.asnumpy(pairs.sums)
    ctypes.memmove(Distances.from_address(address).sum, numpy.ascontiguousarray(sums).ctypes.data, sums.nbytes)
