#include <set>

#include "kernels/papara/data/reference_alignment.hpp"
#include "tests/fuzz/fuzz_input.hpp"

// papara's reference alignment, PHYLIP or FASTA: rows of one length, of nucleotides or of amino acids, with
// names of their own.

using namespace gpuseq;

namespace {

void check(const std::filesystem::path& file, papara::Alphabet alphabet) {
  papara::ReferenceAlignment read;
  if (!fuzz::accepts("alignment.phy", [&] { read = papara::read_alignment(file, alphabet); })) return;
  fuzz::require(!read.rows.empty() && read.sites() > 0, "an alignment of nothing");
  fuzz::require(read.names.size() == read.rows.size() && read.lines.size() == read.rows.size(),
                "rows and names do not agree");
  fuzz::require(std::set(read.names.begin(), read.names.end()).size() == read.names.size(), "a name twice");
  for (const std::string& row : read.rows) {
    fuzz::require(row.size() == read.sites(), "rows of several lengths");
    for (const char letter : row)
      fuzz::require(papara::letter_code(alphabet, letter) != 0, "a letter that is none");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = fuzz::folder().write("alignment.phy", fuzz::text_of(data, size));
  for (const papara::Alphabet alphabet : {papara::Alphabet::dna, papara::Alphabet::protein})
    check(file, alphabet);
  return 0;
}
