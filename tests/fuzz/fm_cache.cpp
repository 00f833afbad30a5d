#include <fmt/format.h>

#include <optional>

#include "kernels/fm_index/data/cache.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/fuzz/sealed_cache.hpp"

// The cache of sorted texts, with right checksums whatever it holds: the same index and answers as without
// it.

using namespace gpuseq;
using namespace fm_index;

namespace {

std::unique_ptr<FmProblem> load(const std::filesystem::path& cache) {
  using namespace std::string_literals;
  return load_problem({.point = Point({{"reference", "random"s},
                                       {"reference_bases", 300},
                                       {"query_count", 20},
                                       {"query_bases", 8},
                                       {"occurring_percent", 60}}),
                       .files = {},
                       .seed = 3,
                       .cache_dir = cache,
                       .threads = 1});
}

/// Everything that is made of the sorted text, as bytes.
std::string derived(FmProblem& problem) {
  const auto index = problem.index({.k = 2, .d = 64}, 2);
  std::string bytes(reinterpret_cast<const char*>(index->entries.data()), index->entries.size());
  for (const auto& found : problem.expected()) bytes += fmt::format(" {}-{}", found.l, found.h);
  return bytes;
}

std::filesystem::path cache_folder() {
  return fuzz::folder().path() / "cache";
}

/// @param rows_per_piece  that a thread checks at a time
bool is_taken(std::span<const u8> text, u64 rows_per_piece) {
  static ThreadPool three(3, false);
  BwtCache cache(cache_folder(), text, rows_per_piece);
  const auto bwt = cache.load_bwt(three);
  return bwt && cache.load_suffixes(*bwt, three);
}

struct Sound {
  std::filesystem::path folder = cache_folder();
  std::vector<u8> text;
  std::string derived_bytes = derived(*load({}));
  std::filesystem::path file;
  Sound() {
    const auto problem = load(folder);
    text.assign(problem->text().begin(), problem->text().end());
    file = std::filesystem::directory_iterator(folder)->path();
    const std::string content = read_file(file);
    fuzz::require(fuzz::sealed_bwt(content) == content, "the format has changed: sealed_cache.hpp");
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Sound sound;
  if (size > 0)  // else what the program wrote
    fuzz::folder().write("cache/" + sound.file.filename().string(),
                         fuzz::sealed_bwt(fuzz::text_of(data, size)));
  fuzz::require(is_taken(sound.text, kRowsPerPiece) == is_taken(sound.text, 64),
                "a sorted text that is checked otherwise where threads share it");
  fuzz::require(derived(*load(sound.folder)) == sound.derived_bytes, "an index or an answer that is wrong");
  return 0;
}
