"""Filter scores by HMMER's own functions, called in pyhmmer's library: hmmer_scores.py MODELS SEQUENCES OUT

A line for each model and each sequence, in the order of the files: numbers of both (from 0), residues, status and bits
of the score of the SSV, MSV and Viterbi filters, bits of the null model's and of the bias filter's score, and bits of
the P values of MSV and Viterbi, bits in hexadecimal. Exits with 77 and the reason where pyhmmer cannot be used.
"""

import ctypes
import gzip
import struct
import sys
import tempfile

VERSION = "0.7.4"  # has HMMER 3.3.2 inside
try:
    import pyhmmer
    from pyhmmer import easel, plan7
except ImportError as error:
    print(f"pyhmmer {VERSION} is not installed for {sys.executable}: {error}")
    sys.exit(77)
if pyhmmer.__version__ != VERSION:
    print(f"pyhmmer {pyhmmer.__version__} is installed; allowed: {VERSION}, which has HMMER 3.3.2")
    sys.exit(77)

AMINO = 3  # eslAMINO
LOCAL = 1  # p7_LOCAL
END_OF_FILE = 3  # eslEOF
SENTINEL = 255
LOG2 = 0.69314718055994529  # eslCONST_LOG2

library = ctypes.CDLL(plan7.__file__)


def function(name, *arguments, result=ctypes.c_int):
    found = getattr(library, name)
    found.argtypes = arguments
    found.restype = result
    return found


POINTER, INT, FLOAT, DOUBLE = ctypes.c_void_p, ctypes.c_int, ctypes.c_float, ctypes.c_double
OUT_POINTER, OUT_FLOAT = ctypes.POINTER(POINTER), ctypes.POINTER(FLOAT)
create_alphabet = function("esl_alphabet_Create", INT, result=POINTER)
create_background = function("p7_bg_Create", POINTER, result=POINTER)
set_background_length = function("p7_bg_SetLength", POINTER, INT)
set_bias_filter = function("p7_bg_SetFilter", POINTER, INT, OUT_FLOAT)
null_score = function("p7_bg_NullOne", POINTER, POINTER, INT, OUT_FLOAT)
bias_score = function("p7_bg_FilterScore", POINTER, POINTER, INT, OUT_FLOAT)
open_models = function("p7_hmmfile_OpenE", ctypes.c_char_p, ctypes.c_char_p, OUT_POINTER, ctypes.c_char_p)
read_model = function("p7_hmmfile_Read", POINTER, OUT_POINTER, OUT_POINTER)
create_profile = function("p7_profile_Create", INT, POINTER, result=POINTER)
configure = function("p7_ProfileConfig", POINTER, POINTER, POINTER, INT, INT)
create_vectors = function("p7_oprofile_Create", INT, POINTER, result=POINTER)
convert = function("p7_oprofile_Convert", POINTER, POINTER)
set_length = function("p7_oprofile_ReconfigLength", POINTER, INT)
create_matrix = function("p7_omx_Create", INT, INT, INT, result=POINTER)
ssv = function("p7_SSVFilter", POINTER, INT, POINTER, OUT_FLOAT)
msv = function("p7_MSVFilter", POINTER, INT, POINTER, POINTER, OUT_FLOAT)
viterbi = function("p7_ViterbiFilter", POINTER, INT, POINTER, POINTER, OUT_FLOAT)
gumbel_survival = function("esl_gumbel_surv", DOUBLE, DOUBLE, DOUBLE, result=DOUBLE)
destroyers = {name: function(name, POINTER, result=None)
              for name in ("p7_profile_Destroy", "p7_oprofile_Destroy", "p7_omx_Destroy", "p7_hmm_Destroy")}


def plain(path):
    """The path of a file that is not gzip; the file itself where it is not."""
    with open(path, "rb") as file:
        if file.read(2) != b"\x1f\x8b":
            return path
    copy = tempfile.NamedTemporaryFile(suffix=".hmm", delete=False)
    with gzip.open(path) as file, copy:
        copy.write(file.read())
    return copy.name


def float_bits(value):
    return "%08x" % struct.unpack("<I", struct.pack("<f", value))[0]


def as_float(value):
    return FLOAT(value).value


def survival(nats, null, mu, lambda_):
    """P value as hmmsearch's pipeline computes it: the score in bits is a float."""
    bits = as_float(as_float(nats - null) / LOG2)
    return "%016x" % struct.unpack("<Q", struct.pack("<d", gumbel_survival(bits, mu, lambda_)))[0]


class Sequence:
    def __init__(self, codes):
        self.length = len(codes)
        self.residues = ctypes.create_string_buffer(bytes([SENTINEL]) + codes + bytes([SENTINEL]))
        self.address = ctypes.addressof(self.residues)


class StoredModel(ctypes.Structure):
    """P7_HMM of HMMER 3.3.2, up to its used members."""

    _fields_ = [("states", INT)] + [(f"probabilities_{i}", POINTER) for i in range(3)]
    _fields_ += [(f"text_{i}", POINTER) for i in range(9)]  # name to comlog
    _fields_ += [("nseq", INT), ("eff_nseq", FLOAT), ("max_length", INT), ("ctime", POINTER), ("map", POINTER),
                 ("checksum", ctypes.c_uint32), ("tails", FLOAT * 6), ("cutoff", FLOAT * 6),
                 ("composition", FLOAT * 20)]


class Model:
    """A model ready to score, with the parts that it is made of."""

    def __init__(self, alphabet, pointer):
        stored = StoredModel.from_address(pointer.value)
        self.background = create_background(alphabet)
        self.profile = create_profile(stored.states, alphabet)
        self.vectors = create_vectors(stored.states, alphabet)
        self.matrix = create_matrix(stored.states, 0, 0)
        self.msv_tail, self.viterbi_tail = stored.tails[0:2], stored.tails[2:4]
        assert configure(pointer, self.background, self.profile, 100, LOCAL) == 0
        assert convert(self.profile, self.vectors) == 0
        set_bias_filter(self.background, stored.states, stored.composition)

    def scores(self, sequence):
        set_background_length(self.background, sequence.length)
        set_length(self.vectors, sequence.length)
        fields, nats = [], {}
        score = FLOAT()
        for name, status in (
            ("ssv", lambda: ssv(sequence.address, sequence.length, self.vectors, score)),
            ("msv", lambda: msv(sequence.address, sequence.length, self.vectors, self.matrix, score)),
            ("viterbi", lambda: viterbi(sequence.address, sequence.length, self.vectors, self.matrix, score)),
        ):
            score.value = 0
            fields += [str(status()), float_bits(score.value)]
            nats[name] = score.value
        null_score(self.background, sequence.address, sequence.length, score)
        null = score.value
        bias_score(self.background, sequence.address, sequence.length, score)
        return fields + [float_bits(null), float_bits(score.value), survival(nats["msv"], null, *self.msv_tail),
                         survival(nats["viterbi"], null, *self.viterbi_tail)]

    def destroy(self):
        destroyers["p7_profile_Destroy"](self.profile)
        destroyers["p7_oprofile_Destroy"](self.vectors)
        destroyers["p7_omx_Destroy"](self.matrix)


def read_sequences(path):
    amino = easel.Alphabet.amino()
    with easel.SequenceFile(path, format="fasta", digital=True, alphabet=amino) as file:
        return [Sequence(bytes(sequence.sequence)) for sequence in file]


def write_scores(models, sequences, out):
    alphabet, file, pointer = POINTER(create_alphabet(AMINO)), POINTER(), POINTER()
    error = ctypes.create_string_buffer(1024)
    if open_models(models.encode(), None, file, error) != 0:
        sys.exit(f"{models}: {error.value.decode()}")
    number = 0
    while (status := read_model(file, alphabet, pointer)) == 0:
        model = Model(alphabet, pointer)
        for i, sequence in enumerate(sequences):
            if sequence.length > 0:  # hmmsearch passes over the others
                print(number, i, sequence.length, *model.scores(sequence), file=out)
        model.destroy()
        destroyers["p7_hmm_Destroy"](pointer)
        number += 1
    if status != END_OF_FILE:
        sys.exit(f"{models}: HMMER does not read model {number}: {status}")


if __name__ == "__main__":
    with open(sys.argv[3], "w") as table:
        write_scores(plain(sys.argv[1]), read_sequences(sys.argv[2]), table)
