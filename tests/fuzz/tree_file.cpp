#include "kernels/exact_match/library/tree_file.hpp"

#include "kernels/exact_match/cpu/search.hpp"
#include "kernels/exact_match/data/tree_check.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/fuzz/section_files.hpp"

// Suffix trees of exported libraries: refused with a message, or of the text that they come with: the matches
// are those of a tree that is built of it. An input is 0 and changes of a sound file (changed_sections()), or
// another number and a whole file.

using namespace gpuseq;
using namespace exact_match;

namespace {

constexpr fuzz::SectionFileShape kShape{.fields = 5, .sections = 7};

ThreadPool& pool() {
  static ThreadPool threads(3, false);
  return threads;
}

/// So small that threads share every step as they share those of a large tree.
constexpr TreeTasks kSmallTasks{
    .letters_in_buckets = 0, .items = 16, .leaves_of_a_piece = 32, .leaves_of_a_part = 4};

Reference sound_reference() {
  Reference reference = empty_reference();
  append(reference, "", "GATTACAGATTACANNACGTACGTTGCATTGACCA");
  append(reference, "", "TTGCATTGATTACAGGGGGGGGGGC");
  return reference;
}

std::string sound_file() {
  const Reference reference = sound_reference();
  const std::filesystem::path path = fuzz::folder().path() / "sound";
  write_tree(path, reference, build_tree(reference.text, pool()), NodeOrder::depth_first);
  const std::string file = read_file(path);
  fuzz::require(fuzz::sealed_sections(file, kShape) == file, "the format has changed: sealed_sections()");
  return file;
}

MatchList matches_in(const SuffixTree& tree) {
  Queries queries = empty_queries();
  append(queries, "", "CCGATTACAGTTGCATTGANACGTACGGGGGG");
  const PrefixTable prefixes = make_prefix_table(tree.view(), 3, pool());
  const WordFilter filter = make_word_filter({tree.text.data(), tree.text.size()}, 4, pool());
  return find_matches({.tree = tree.view(),
                       .search = {.min_length = 4, .both_strands = true},
                       .prefixes = &prefixes,
                       .filter = &filter,
                       .queries = &queries,
                       .begin = 0,
                       .end = 1,
                       .in_flight = 2});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string sound = sound_file();
  if (size == 0) return 0;
  const std::string_view rest = fuzz::text_of(data + 1, size - 1);
  const std::string content = data[0] == 0 ? fuzz::changed_sections(sound, kShape, rest) : std::string(rest);
  const std::filesystem::path path = fuzz::folder().write("index", fuzz::sealed_sections(content, kShape));
  fuzz::accepts(path.string(), [&] {
    const TreeFile file(path, NodeOrder::depth_first);
    file.check_content(pool());
    fuzz::require(is_suffix_tree(file.tree(), pool(), kSmallTasks.items), "a tree that threads refuse");
    const HugeArray<u8>& text = file.tree().text;
    const SuffixTree own = build_tree({text.data(), text.size() - kTextPadding}, pool(), kSmallTasks);
    fuzz::require(matches_in(file.tree()) == matches_in(own), "matches that are not those of the text");
  });
  return 0;
}
