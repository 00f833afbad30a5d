// One of HMMER's own filters, alone, over all sequences of a file: the base of figures 12 to 14.
//
//   hmmer_filter ssv|msv|viterbi THREADS MODELS SEQUENCES OUT
//   hmmer_filter --version
//
// The first model of MODELS against SEQUENCES (FASTA), by p7_SSVFilter(), p7_MSVFilter() (SSV first, as
// hmmsearch has it) or p7_ViterbiFilter(), without the bias filter. Prints "seconds S": of the filter over
// all sequences, which are in memory, by threads that run already; the median of as many passes as a tenth of
// a second takes, one at least. The time includes p7_oprofile_Reconfig...Length() for each sequence, but no
// reading and writing. OUT has a line for every sequence with residues: its number, from 1, and its score in
// nats, or "3:overflow 1" for an infinite one and "3:undecided 1" where SSV cannot tell.
//
// build_hmmer_filter.py compiles it with HMMER's sources.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "timed_passes.hpp"

extern "C" {
#include "esl_sq.h"
#include "esl_sqio.h"
#include "hmmer.h"
}

namespace {

struct Score {
  int status = eslOK;
  float nats = 0;
};

/// A filter, and the function that sets the length of a sequence.
struct Filter {
  std::string_view name;
  int (*set_length)(P7_OPROFILE*, int);
  int (*score)(const ESL_SQ&, P7_OPROFILE*, P7_OMX*, float*);
};

constexpr Filter kFilters[] = {
    {"ssv", p7_oprofile_ReconfigMSVLength,
     [](const ESL_SQ& sequence, P7_OPROFILE* model, P7_OMX*, float* nats) {
       return p7_SSVFilter(sequence.dsq, static_cast<int>(sequence.n), model, nats);
     }},
    {"msv", p7_oprofile_ReconfigMSVLength,
     [](const ESL_SQ& sequence, P7_OPROFILE* model, P7_OMX* row, float* nats) {
       return p7_MSVFilter(sequence.dsq, static_cast<int>(sequence.n), model, row, nats);
     }},
    {"viterbi", p7_oprofile_ReconfigRestLength,
     [](const ESL_SQ& sequence, P7_OPROFILE* model, P7_OMX* row, float* nats) {
       return p7_ViterbiFilter(sequence.dsq, static_cast<int>(sequence.n), model, row, nats);
     }},
};

P7_OPROFILE* read_model(const char* path) {
  char error[eslERRBUFSIZE] = "";
  P7_HMMFILE* file = nullptr;
  if (p7_hmmfile_OpenE(path, nullptr, &file, error) != eslOK) fail(error);
  ESL_ALPHABET* alphabet = nullptr;
  P7_HMM* hmm = nullptr;
  if (p7_hmmfile_Read(file, &alphabet, &hmm) != eslOK) fail(std::string(path) + ": " + file->errbuf);
  if (alphabet->type != eslAMINO) fail(std::string(path) + ": the model is not of amino acids");
  P7_BG* background = p7_bg_Create(alphabet);
  P7_PROFILE* profile = p7_profile_Create(hmm->M, alphabet);
  P7_OPROFILE* model = p7_oprofile_Create(hmm->M, alphabet);
  // This length does not matter: each sequence sets its own.
  if (p7_ProfileConfig(hmm, background, profile, 100, p7_LOCAL) != eslOK ||
      p7_oprofile_Convert(profile, model) != eslOK)
    fail(std::string(path) + ": HMMER cannot convert the model");
  p7_hmmfile_Close(file);
  return model;
}

std::vector<ESL_SQ*> read_sequences(const char* path, const ESL_ALPHABET* alphabet) {
  ESL_SQFILE* file = nullptr;
  if (esl_sqfile_OpenDigital(alphabet, path, eslSQFILE_FASTA, nullptr, &file) != eslOK)
    fail(std::string(path) + ": cannot be read as FASTA");
  std::vector<ESL_SQ*> sequences;
  while (true) {
    ESL_SQ* sequence = esl_sq_CreateDigital(alphabet);
    const int status = esl_sqio_Read(file, sequence);
    if (status == eslEOF) return sequences;
    if (status != eslOK) fail(std::string(path) + ": " + esl_sqfile_GetErrorBuf(file));
    sequences.push_back(sequence);
  }
}

/// Scores the sequences on threads of its own, which wait for each other at the beginning and at the end.
class Scorers {
 public:
  Scorers(const Filter& filter, const P7_OPROFILE* model, const std::vector<ESL_SQ*>& sequences)
      : filter_(filter), model_(model), sequences_(sequences), scores_(sequences.size()) {}

  /// @returns seconds of a pass
  double run(std::size_t threads) {
    return timed_passes(threads, {.items = sequences_.size(), .piece = 16, .warm_up = 256}, [&] {
      // Lengths are set in a thread's own copy; the scores that do not depend on them are shared.
      return [this, model = p7_oprofile_Clone(model_), row = p7_omx_Create(model_->M, 0, 0)](
                 std::size_t begin, std::size_t end) { take(begin, end, model, row); };
    });
  }

  void write(const char* path) const {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(path, "w"), std::fclose);
    if (!out) fail(std::string(path) + ": cannot be written");
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      const auto& [status, nats] = scores_[i];
      if (sequences_[i]->n == 0) continue;
      if (status == eslOK)
        std::fprintf(out.get(), "%zu %.9g\n", i + 1, static_cast<double>(nats));
      else
        std::fprintf(out.get(), "%zu:%s 1\n", i + 1, status == eslERANGE ? "overflow" : "undecided");
    }
    if (std::fflush(out.get()) != 0) fail(std::string(path) + ": cannot be written");
  }

 private:
  void take(std::size_t begin, std::size_t end, P7_OPROFILE* model, P7_OMX* row) {
    for (std::size_t i = begin; i < end; ++i) {
      const ESL_SQ& sequence = *sequences_[i];
      if (sequence.n == 0) continue;  // as hmmsearch does
      filter_.set_length(model, static_cast<int>(sequence.n));
      scores_[i].status = filter_.score(sequence, model, row, &scores_[i].nats);
    }
  }

  const Filter& filter_;
  const P7_OPROFILE* model_;
  const std::vector<ESL_SQ*>& sequences_;
  std::vector<Score> scores_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::strcmp(arguments[1], "--version") == 0) {
    std::puts("HMMER " HMMER_VERSION ", SSE");
    return 0;
  }
  if (count != 6) fail("usage: hmmer_filter ssv|msv|viterbi THREADS MODELS SEQUENCES OUT");
  const std::string_view name = arguments[1];
  const auto* filter = std::find_if(std::begin(kFilters), std::end(kFilters),
                                    [&](const Filter& one) { return one.name == name; });
  if (filter == std::end(kFilters))
    fail("found the filter " + std::string(name) + "; allowed: ssv, msv, viterbi");
  const std::size_t threads = threads_from(arguments[2]);
  impl_Init();
  p7_FLogsumInit();
  const P7_OPROFILE* model = read_model(arguments[3]);
  const std::vector<ESL_SQ*> sequences = read_sequences(arguments[4], model->abc);
  Scorers scorers(*filter, model, sequences);
  std::printf("seconds %.9f\n", scorers.run(threads));
  scorers.write(arguments[5]);
  return 0;
}
