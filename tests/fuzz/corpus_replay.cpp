#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/fuzz/fuzz_input.hpp"

// Runs a fuzz target on every file of a folder: inputs that once found a defect are tests in every build.

int main(int count, char** arguments) {
  if (count != 2) return std::fputs("usage: NAME CORPUS-FOLDER\n", stderr), 2;
  std::vector<std::filesystem::path> inputs;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) inputs.push_back(entry.path());
  std::sort(inputs.begin(), inputs.end());
  for (const auto& input : inputs) {
    std::printf("%s\n", input.filename().c_str());
    std::fflush(stdout);  // the last line is the input that found something
    std::ifstream in(input, std::ios::binary);
    const std::vector<char> content{std::istreambuf_iterator<char>(in), {}};
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
  }
  std::printf("%zu inputs\n", inputs.size());
  return inputs.empty() ? 1 : 0;
}
