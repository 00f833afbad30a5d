#include <fmt/format.h>

#include "kernels/fm_index/problem.hpp"
#include "tests/fuzz/fuzz_input.hpp"

// The cache of sorted texts, whatever it holds: the same index and answers as without it.

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

struct Sound {
  std::filesystem::path folder = cache_folder();
  std::string derived_bytes = derived(*load({}));
  std::filesystem::path file;
  Sound() {
    load(folder);
    file = std::filesystem::directory_iterator(folder)->path();
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Sound sound;
  if (size > 0)  // else the file that the program wrote
    fuzz::folder().write("cache/" + sound.file.filename().string(), fuzz::text_of(data, size));
  fuzz::require(derived(*load(sound.folder)) == sound.derived_bytes, "an index or an answer that is wrong");
  return 0;
}
