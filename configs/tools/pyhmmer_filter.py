"""Scores of sequences by one of HMMER's filters, computed by pyhmmer on one thread.

Usage: pyhmmer_filter ssv|msv MODELS SEQUENCES OUT, or pyhmmer_filter --version

OUT has the number of a sequence, from 1, and its score in each line; "N:overflow 1" and "N:undecided 1" where the filter has
none. The seconds of one pass over all sequences, which are in memory, are printed; a shorter pass before warms up.
"""

import math
import sys
import time

import pyhmmer

WARM_UP = 256


def scores_of(profile, score, sequences):
    scores = []
    for sequence in sequences:
        profile.L = len(sequence)
        scores.append(score(sequence))
    return scores


def lines_of(sequences, scores):
    for number, (sequence, score) in enumerate(zip(sequences, scores, strict=True), 1):
        if len(sequence) == 0:
            continue  # as hmmsearch does
        if score is None or math.isnan(score):
            yield f"{number}:undecided 1\n"
        elif math.isinf(score):
            yield f"{number}:overflow 1\n"
        else:
            yield f"{number} {score:.9g}\n"


def main(name, models, file, out):
    if name not in ("ssv", "msv"):
        sys.exit(f"pyhmmer_filter: found the filter {name}; allowed: ssv, msv")
    with pyhmmer.plan7.HMMFile(models) as hmms:
        hmm = next(iter(hmms))
    with pyhmmer.easel.SequenceFile(file, digital=True, alphabet=hmm.alphabet) as reader:
        sequences = list(reader)
    profile = hmm.to_profile(L=100).to_optimized()
    score = profile.ssv_filter if name == "ssv" else profile.msv_filter
    scores_of(profile, score, sequences[:WARM_UP])
    begin = time.perf_counter()
    scores = scores_of(profile, score, sequences)
    print(f"seconds {time.perf_counter() - begin:.9f}")
    with open(out, "w", encoding="ascii") as answers:
        answers.writelines(lines_of(sequences, scores))


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        print(f"pyhmmer {pyhmmer.__version__}")
    else:
        main(*sys.argv[1:])
