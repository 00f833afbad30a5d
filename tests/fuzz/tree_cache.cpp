#include "kernels/exact_match/cpu/search.hpp"
#include "kernels/exact_match/data/cache.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/fuzz/sealed_cache.hpp"

// The cache of suffix trees, with right checksums whatever it holds: the same matches as without it.

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

/// So small that threads share the check of a tree as they share that of a large one.
constexpr TreeTasks kSmallTasks{
    .letters_in_buckets = 0, .items = 16, .leaves_of_a_piece = 32, .leaves_of_a_part = 4};

struct Sound {
  Reference text = reference();
  ThreadPool pool{3, false};
  Searched searched;
  std::filesystem::path folder = fuzz::folder().path() / "cache";
  std::filesystem::path file;
  MatchList matches;
  Sound() {
    matches = searched.in(load_tree(folder, text.text, TreeCache::kOrder, pool, kSmallTasks).tree);
    file = std::filesystem::directory_iterator(folder)->path();
    const std::string content = read_file(file);
    fuzz::require(fuzz::sealed_tree(content) == content, "the format has changed: sealed_cache.hpp");
    fuzz::require(!matches.matches.empty(), "nothing is found");
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Sound sound;
  if (size > 0)  // else what the program wrote
    fuzz::folder().write("cache/" + sound.file.filename().string(),
                         fuzz::sealed_tree(fuzz::text_of(data, size)));
  const LoadedTree loaded =
      load_tree(sound.folder, sound.text.text, TreeCache::kOrder, sound.pool, kSmallTasks);
  fuzz::require(sound.searched.in(loaded.tree) == sound.matches, "matches that are wrong");
  return 0;
}
