#include "kernels/exact_match/cpu/search.hpp"
#include "kernels/exact_match/data/cache.hpp"
#include "tests/fuzz/fuzz_input.hpp"

// The cache of suffix trees, whatever it holds: the same matches as without it.

using namespace gpuseq;
using namespace exact_match;

namespace {

Reference reference() {
  Reference made = empty_reference();
  append(made, "a", "ACGTTGCAACGGTACGTTGCAACGNNNACGGTTACGTTGCATTGCAACGG");
  append(made, "b", "CAACGCAACGCAACGTTTTTTTTTTGCAACGG");
  return made;
}

Queries queries() {
  Queries made = empty_queries();
  append(made, "q", "TTGCAACGGTACGTTGCATTTTTTNGCAACGCAACG");
  append(made, "r", "ACGTTGCAACGG");
  return made;
}

class Searched {
 public:
  MatchList in(const SuffixTree& tree) const {
    return find_matches({.tree = tree.view(),
                         .search = {.min_length = 4, .mode = Mode::maxmatch, .both_strands = true},
                         .prefixes = &prefixes_,
                         .filter = &filter_,
                         .queries = &queries_,
                         .begin = 0,
                         .end = queries_.count(),
                         .in_flight = 2});
  }

 private:
  Queries queries_ = queries();
  PrefixTable prefixes_;
  WordFilter filter_;
};

struct Sound {
  Reference text = reference();
  ThreadPool pool{3, false};
  Searched searched;
  std::filesystem::path folder = fuzz::folder().path() / "cache";
  std::filesystem::path file;
  MatchList matches;
  Sound() {
    matches = searched.in(load_tree(folder, text.text, TreeCache::kOrder, pool).tree);
    file = std::filesystem::directory_iterator(folder)->path();
    fuzz::require(!matches.matches.empty(), "nothing is found");
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Sound sound;
  if (size > 0)  // else the file that the program wrote
    fuzz::folder().write("cache/" + sound.file.filename().string(), fuzz::text_of(data, size));
  const LoadedTree loaded = load_tree(sound.folder, sound.text.text, TreeCache::kOrder, sound.pool);
  fuzz::require(sound.searched.in(loaded.tree) == sound.matches, "matches that are wrong");
  return 0;
}
