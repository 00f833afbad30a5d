// How often queries occur in a text, by the FM-indexes of sdsl-lite.
//
//   sdsl_count build LAYOUT TEXT INDEX
//   sdsl_count count LAYOUT THREADS INDEX QUERIES OUT
//   sdsl_count --version
//
// TEXT is FASTA of one record, QUERIES of many, all letters A C G T; OUT has a line for each query, its name
// and how often it occurs. The time is that of sdsl::count(): a query from its end, two rank queries of
// the wavelet tree per letter and level. Prints "seconds S": of all queries, which are in memory, by threads
// that run already; the median of as many passes as a tenth of a second takes, one at least. Layouts: huff,
// the library's default (a Huffman-shaped wavelet tree of bit vectors with counters of their own), huff_il
// (bits and counters interleaved: one cache line a rank) and blcd_v5 (a balanced tree, counters that take 5 %
// of the bits).
//
// build_sdsl_count.py compiles it.

#include <sdsl/suffix_arrays.hpp>

#include "count_queries.hpp"

namespace {

using namespace count_queries;

using Huff = sdsl::csa_wt<>;
using HuffIl = sdsl::csa_wt<sdsl::wt_huff<sdsl::bit_vector_il<512>>>;
using BlcdV5 = sdsl::csa_wt<sdsl::wt_blcd<sdsl::bit_vector, sdsl::rank_support_v5<>>>;

template <class Index>
void build(const char* text, const char* file) {
  Index index;
  sdsl::construct_im(index, read_text(text), 1);
  if (!sdsl::store_to_file(index, file)) fail(std::string(file) + ": cannot be written");
}

template <class Index>
void count(const char* threads, const char* file, const char* queries, const char* out) {
  Index index;
  if (!sdsl::load_from_file(index, file)) fail(std::string(file) + ": cannot be read");
  const std::vector<Record> records = read_fasta(queries);
  write(out, records, count_all(records, threads_from(threads), [&](const Record& query) {
          return static_cast<std::uint64_t>(sdsl::count(index, query.letters.begin(), query.letters.end()));
        }));
}

}  // namespace

int main(int words, char** arguments) {
  if (words == 2 && std::string_view(arguments[1]) == "--version") {
    std::puts("sdsl-lite " SDSL_VERSION);
    return 0;
  }
  if (words < 3 || !(run(words, arguments, "huff", build<Huff>, count<Huff>) ||
                     run(words, arguments, "huff_il", build<HuffIl>, count<HuffIl>) ||
                     run(words, arguments, "blcd_v5", build<BlcdV5>, count<BlcdV5>)))
    fail(
        "usage: sdsl_count build LAYOUT TEXT INDEX, or count LAYOUT THREADS INDEX QUERIES OUT; "
        "layouts: huff, huff_il, blcd_v5");
  return 0;
}
