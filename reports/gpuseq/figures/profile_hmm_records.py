"""Properties of profile-HMM records."""

from __future__ import annotations

from gpuseq.runs import Record, number_at, text_at, word_at
from gpuseq.units import Unit, format_value, plain

FAMILY = "profile_hmm"
HEADING = "Profile HMM"
FILTERS = ["ssv", "msv", "viterbi"]  # in the order in which hmmsearch applies them
TITLES = {"ssv": "SSV", "msv": "MSV"}

CONSTANT_NVRTC = "NVRTC, stripes constant"
VARIABLE_NVRTC = "NVRTC, stripes variable"
AHEAD_OF_TIME = "ahead of time (nvcc)"


def filter_of(record: Record) -> str:
    return word_at(record.problem, "filter")


def filter_index(name: str) -> int:
    return FILTERS.index(name) if name in FILTERS else len(FILTERS) - 1


def filter_title(name: str) -> str:
    return TITLES.get(name, "Viterbi")


def is_of_file(record: Record) -> bool:
    """Whether the model was read, not drawn at random."""
    return word_at(record.problem, "models") != "random"


def model_length(record: Record) -> float | None:
    """Match states of the model: a fact of the record, else the axis of random models."""
    length = number_at(record.facts, "model_length")
    if length is not None:
        return length
    return None if is_of_file(record) else number_at(record.problem, "model_length")


def sequences_of(record: Record) -> str:
    """ "486000 sequences of goasp.fasta.psq (179 M residues), random models"."""
    problem = record.problem
    count, residues = number_at(record.facts, "sequence_count"), number_at(record.facts, "residues")
    name = word_at(problem, "sequences").rsplit("/", 1)[-1]
    text = f"{plain(count)} " if count is not None else ""
    if name in ("", "random"):
        # Without their residues: the sequences hold domains of the model, so that the number depends on its length.
        text += "random sequences"
        homologs = number_at(problem, "homologs")
        text += "" if homologs is None else f", {plain(homologs)} homologs in 1000"
    else:
        text += f"sequences of {name}"
        text += "" if residues is None else f" ({format_value(residues, Unit.number_si)} residues)"
    return text + (", models of files" if is_of_file(record) else ", random models")


def row_memory_of(record: Record) -> str:
    """Memory of the row of a sequence: "registers", "shared" or "local"; empty on a CPU."""
    asked = word_at(record.point, "row")
    if asked == "auto":  # the name of the kernel has the choice: profile_hmm_ssv_f16x2_l8_registers_...
        kernel = text_at(record.facts, "kernel")
        places = [f"_l{lanes}_" for lanes in (1, 2, 4, 8, 16, 32)]
        memories = ("registers", "shared", "local")
        asked = next((m for m in memories if any(f"{place}{m}_" in kernel for place in places)), "")
    resources = record.data["resources"]
    # The compiler keeps a row of few words in registers even where local memory was asked for.
    spilled = resources is None or number_at(resources, "local_bytes") != 0
    return asked if asked != "local" or spilled else "registers"


def compilation_of(record: Record) -> str:
    """How a CUDA kernel was compiled; empty on a CPU."""
    if word_at(record.point, "compiled_by") == "nvcc":
        return AHEAD_OF_TIME
    return {"constant": CONSTANT_NVRTC, "variable": VARIABLE_NVRTC}.get(word_at(record.point, "stripes"), "")


def vectors_of(record: Record) -> str:
    """ "SSE4", "AVX2", "AVX-512": vectors of a CPU record; empty where it has none."""
    target, chosen = word_at(record.point, "target"), text_at(record.facts, "highway_target")
    if target == "sse4" or chosen == "SSE4":
        return "SSE4"
    if target == "avx2" or chosen == "AVX2":
        return "AVX2"
    return "AVX-512" if target == "avx512" or chosen.startswith("AVX3") else chosen
