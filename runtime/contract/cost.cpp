#include "runtime/contract/cost.hpp"

#include <algorithm>

namespace gpuseq {

std::uint64_t StateOutline::letters(std::string_view axis, std::uint64_t generated_letters,
                                    std::initializer_list<std::string_view> generated) const {
  const std::string& name = problem.word(axis);
  if (std::ranges::find(generated, name) != generated.end()) return generated_letters;
  const auto found = data_bytes.find(name);
  return found == data_bytes.end() ? 0 : found->second;
}

std::set<std::string> names_of(const std::map<std::string, double>& operations) {
  std::set<std::string> names;
  for (const auto& [name, count] : operations) names.insert(name);
  return names;
}

}  // namespace gpuseq
