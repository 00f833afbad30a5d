#include "runtime/contract/family.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/contract/errors.hpp"
#include "runtime/contract/nearest_word.hpp"

namespace gpuseq {

ExecReport Family::exec(const ExecRequest& request, Device&) const {
  throw UsageError(fmt::format("'{}' has no answers to write, so `exec` cannot run its variant '{}'", name(),
                               request.variant));
}

const SearchSpace& Family::exec_options() const {
  static const SearchSpace none;
  return none;
}

std::map<std::string, std::filesystem::path> Problem::write_files(const std::filesystem::path&) const {
  return {};
}

std::string Problem::label(const Point&) const {
  return "";
}

std::string data_name(const Point& problem, std::string_view axis) {
  const std::string name = problem.has(axis) ? to_string(problem.at(axis)) : "";
  return name.substr(name.find_last_of('/') + 1);  // the whole name if there is no slash
}

Verification Problem::check(const Answers&) const {
  return {.passed = true, .checked = 0, .reason = "the family does not check other programs' answers"};
}

const Variant& Family::variant(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const Variant& candidate : variants()) {
    if (candidate.name == name) return candidate;
    names.push_back(candidate.name);
  }
  throw UsageError(fmt::format("{} has no variant '{}'; its variants are: {}{}", this->name(), name,
                               fmt::join(names, ", "), did_you_mean(name, names)));
}

}  // namespace gpuseq
