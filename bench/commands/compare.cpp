#include <CLI/CLI.hpp>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/commands/comparison_outputs.hpp"
#include "reports/comparison/certificate.hpp"
#include "reports/comparison/load_side.hpp"

namespace gpuseq::bench {
namespace {

constexpr const char* kCompareFooter =
    "A side is a run folder, a journal (records.jsonl), or a folder whose sub-folders are run folders, one "
    "for\n"
    "each process. Exit codes: 0 fine; 1 a state is slower, missing or failed; 2 wrong arguments or data, "
    "or\n"
    "sides that are not comparable; 3 nothing worse than states that cannot be decided.";

struct CompareArguments {
  std::filesystem::path base, next;
  comparison::CompareOptions compare;
  ComparisonOutputs outputs;
};

}  // namespace

Action add_compare(CLI::App& app) {
  auto options = std::make_shared<CompareArguments>();
  CLI::App* compare =
      app.add_subcommand("compare", "Say which states are slower on the new side than in the base");
  compare->add_option("base", options->base, "What to compare with")->required();
  compare->add_option("new", options->next, "What is judged")->required();
  add_compare_options(*compare, options->compare);
  add_output_options(*compare, options->outputs);
  compare->footer(kCompareFooter);
  return [options] {
    const comparison::Side base = comparison::load_side(options->base),
                           next = comparison::load_side(options->next);
    comparison::Comparison result = comparison::compare(base, next, options->compare);
    if (base.processes.size() > 1)
      result.certificate = comparison::certify(base, next.processes.size(), options->compare);
    write_outputs(options->outputs, result, next);
    return exit_code_of(result);
  };
}

}  // namespace gpuseq::bench
