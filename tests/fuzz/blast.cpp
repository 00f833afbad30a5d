#include "kernels/profile_hmm/data/sequences.hpp"
#include "tests/fuzz/fuzz_input.hpp"

// A volume of a BLAST database: .psq, .pin and .phr, one after the other in the input.

using namespace gpuseq;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = fuzz::parts_of(fuzz::text_of(data, size), 3);
  const auto psq = fuzz::folder().write("volume.psq", parts[0]);
  fuzz::folder().write("volume.pin", parts[1]);
  fuzz::folder().write("volume.phr", parts[2]);
  profile_hmm::Sequences read;
  if (!fuzz::accepts("volume.p", [&] { read = profile_hmm::read_sequences(psq); })) return 0;
  fuzz::require(read.names.size() == read.count() && read.begin.back() == read.codes.size(),
                "names and residues do not agree");
  for (u64 i = 0; i < read.count(); ++i)
    fuzz::require(!read.names[i].empty() && read.begin[i] <= read.begin[i + 1], "a sequence that is none");
  for (const u8 code : read.codes) fuzz::require(code < profile_hmm::kResidueLetters.size(), "no residue");
  profile_hmm::Sequences some;
  if (read.count() > 1 && fuzz::accepts("volume.p", [&] { some = profile_hmm::read_sequences(psq, 1); }))
    fuzz::require(some.names.front() == read.names.front() && some.length(0) == read.length(0),
                  "the first sequence alone is another");
  return 0;
}
