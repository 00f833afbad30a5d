#include <fmt/format.h>

#include "kernels/fm_index/family.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/plugin/gpuseq_plugin.h"

namespace gpuseq::fm_index {
namespace {

struct GivenPatterns {
  explicit GivenPatterns(FmProblem& of) : problem(of), counts(of.queries().begin.size(), ~std::uint64_t{0}) {
    const Queries& queries = of.queries();
    for (u32 query = 0; query < counts.size(); ++query) {
      for (const char letter : queries.letters(query)) letters.push_back(*base_code(letter));
      begin.push_back(letters.size());
    }
    given = {.text = of.text().data(),
             .bases = of.bases(),
             .letters = letters.data(),
             .begin = begin.data(),
             .patterns = counts.size()};
  }

  Verification check() const {
    const auto checked = problem.checked();
    const auto expected = problem.expected();
    for (std::size_t i = 0; i < checked.size(); ++i)
      if (const u64 found = counts[checked[i]], right = expected[i].h - expected[i].l; found != right)
        return {.passed = false,
                .checked = i + 1,
                .reason = fmt::format("query {}: expected {} occurrences, found {}",
                                      problem.queries().name(checked[i]), right, found)};
    return {.passed = true, .checked = checked.size(), .reason = ""};
  }

  FmProblem& problem;
  std::vector<u8> letters;
  std::vector<std::uint64_t> begin{0}, counts;
  gpuseq_fm_index given{};
};

PluginProblem encode(Problem& any) {
  auto& problem = dynamic_cast<FmProblem&>(any);
  if (problem.text().empty())
    throw ResourceError("the reference is a synthetic column without a text, which plugins need");
  const auto own = std::make_shared<GivenPatterns>(problem);
  return {.owner = own,
          .problem = &own->given,
          .answers = own->counts.data(),
          .work = {static_cast<double>(problem.queries().total_bases), kQueryBases},
          .check = [own = own.get()] { return own->check(); }};
}

std::uint64_t text_letters(const StateOutline& state) {
  return reference_bases(state);
}

}  // namespace

PluginSupport plugin_support() {
  return {.family = "fm_index", .encode = encode, .letters = text_letters};
}

}  // namespace gpuseq::fm_index
