#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

// Runs a fuzz target on every file of a folder: inputs that once found a defect are tests in every build.

// The build calls each target's LLVMFuzzerTestOneInput() fuzz_<name>, and lists them.
#define TARGET(name) extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "replayed_targets.inc"
#undef TARGET

namespace {

using Target = int (*)(const std::uint8_t*, std::size_t);

#define TARGET(name) {#name, fuzz_##name},
const std::map<std::string_view, Target> kTargets{
#include "replayed_targets.inc"
};

}  // namespace

int main(int count, char** arguments) {
  const auto target = kTargets.find(count == 3 ? arguments[1] : "");
  if (target == kTargets.end()) return std::fputs("usage: corpus_replay TARGET CORPUS-FOLDER\n", stderr), 2;
  std::vector<std::filesystem::path> inputs;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[2])) inputs.push_back(entry.path());
  std::sort(inputs.begin(), inputs.end());
  for (const auto& input : inputs) {
    std::printf("%s\n", input.filename().c_str());
    std::fflush(stdout);  // the last line is the input that found something
    std::ifstream in(input, std::ios::binary);
    const std::vector<char> content{std::istreambuf_iterator<char>(in), {}};
    target->second(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
  }
  std::printf("%zu inputs\n", inputs.size());
  return inputs.empty() ? 1 : 0;
}
