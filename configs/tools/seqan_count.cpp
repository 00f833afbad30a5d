// How often queries occur in a text, by the FM-indexes of SeqAn 3.
//
//   seqan_count build fm|bi_fm TEXT INDEX
//   seqan_count count fm|bi_fm THREADS INDEX QUERIES OUT
//   seqan_count --version
//
// TEXT is FASTA of one record, QUERIES of many, all letters A C G T; OUT has a line for each query, its name
// and how often it occurs. The time is that of a cursor from the root by extend_right() over the whole
// query, and of its count(): the search that seqan3::search() without errors does, less its locating and its
// results. Prints "seconds S": of all queries, which are in memory as dna4, by threads that run already; the
// median of as many passes as a tenth of a second takes, one at least.
//
// build_seqan_count.py compiles it.

#include <cereal/archives/binary.hpp>
#include <fstream>
#include <seqan3/alphabet/nucleotide/dna4.hpp>
#include <seqan3/search/fm_index/bi_fm_index.hpp>
#include <seqan3/search/fm_index/fm_index.hpp>
#include <seqan3/version.hpp>

#include "count_queries.hpp"

namespace {

using namespace count_queries;

using Letters = std::vector<seqan3::dna4>;
using Fm = seqan3::fm_index<seqan3::dna4, seqan3::text_layout::single>;
using BiFm = seqan3::bi_fm_index<seqan3::dna4, seqan3::text_layout::single>;

Letters letters_of(const std::string& text) {
  Letters letters(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) letters[i].assign_char(text[i]);
  return letters;
}

template <class Index>
void build(const char* text, const char* file) {
  const Index index(letters_of(read_text(text)));
  std::ofstream out(file, std::ios::binary);
  cereal::BinaryOutputArchive archive(out);
  archive(index);
  if (!out.flush()) fail(std::string(file) + ": cannot be written");
}

template <class Index>
void count(const char* threads, const char* file, const char* queries, const char* out) {
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(std::string(file) + ": cannot be read");
  Index index;
  cereal::BinaryInputArchive archive(in);
  archive(index);
  const std::vector<Record> records = read_fasta(queries);
  std::vector<Letters> letters;
  for (const Record& record : records) letters.push_back(letters_of(record.letters));
  write(out, records, count_all(letters, threads_from(threads), [&](const Letters& query) {
          auto cursor = index.cursor();
          return cursor.extend_right(query) ? static_cast<std::uint64_t>(cursor.count()) : 0;
        }));
}

}  // namespace

int main(int words, char** arguments) {
  if (words == 2 && std::string_view(arguments[1]) == "--version") {
    std::printf("SeqAn %s\n", seqan3::seqan3_version_cstring);
    return 0;
  }
  if (words < 3 || !(run(words, arguments, "fm", build<Fm>, count<Fm>) ||
                     run(words, arguments, "bi_fm", build<BiFm>, count<BiFm>)))
    fail("usage: seqan_count build fm|bi_fm TEXT INDEX, or count fm|bi_fm THREADS INDEX QUERIES OUT");
  return 0;
}
