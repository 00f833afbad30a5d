#include <cmath>
#include <sstream>

#include "kernels/profile_hmm/data/model.hpp"
#include "tests/fuzz/fuzz_input.hpp"

// HMMER3 models: probabilities of as many nodes as are said, and written they read as the same models.

using namespace gpuseq;
using profile_hmm::Model;

namespace {

void check(const Model& model) {
  fuzz::require(model.length >= 1 && !model.name.empty(), "a model without a name or a state");
  fuzz::require(model.match.size() == model.length + 1u && model.transitions.size() == model.length + 1u,
                "a model of another length");
  for (const auto& node : model.transitions)
    for (const float p : node) fuzz::require(p >= 0 && p <= 1, "no probability");
  for (u32 node = 1; node <= model.length; ++node)
    for (const float p : model.match[node]) fuzz::require(p >= 0 && p <= 1, "no probability");
}

std::string written(const std::vector<Model>& models) {
  std::ostringstream out;
  for (const Model& model : models) profile_hmm::write_model(out, model);
  return out.str();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = fuzz::folder().write("models.hmm", fuzz::text_of(data, size));
  std::vector<Model> models;
  if (!fuzz::accepts("models.hmm", [&] { models = profile_hmm::read_models(file); })) return 0;
  fuzz::require(!models.empty(), "no model");
  for (const Model& model : models) check(model);
  const std::string text = written(models);
  const auto again = profile_hmm::read_models(fuzz::folder().write("written.hmm", text));
  fuzz::require(written(again) == text, "written, they are other models");
  return 0;
}
