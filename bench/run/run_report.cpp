#include "bench/run/run_report.hpp"

#include "bench/config/renderer_python.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {

void print_page(const reports::ReportResult& result, std::FILE* out) {
  for (const std::string& remark : result.remarks) say(out, "{}\n", remark);
  say(out, "report: {}\n", result.files.back().string());
  if (!result.no_plots_on_page.empty()) say(out, "no plots on its page: {}\n", result.no_plots_on_page);
}

reports::ExecUses exec_uses(const Registry& registry) {
  const std::vector<AxisValue> no_or_yes{AxisValue("no"), AxisValue("yes")};
  reports::ExecUses uses;
  for (const auto& family : registry.families) {
    reports::ExecUse use;
    for (const auto& [role, meaning] : family->exec_roles())
      if (role != "out") use.roles.push_back(role);
    if (use.roles.empty()) continue;
    for (const Variant& variant : family->variants()) use.variants.push_back(variant.name);
    for (const Axis& axis : family->exec_options().axes())
      if (family->problem_space().find(axis.name) != nullptr)
        use.options.push_back({.axis = axis.name, .is_flag = axis.values == no_or_yes});
    uses.emplace(family->name(), std::move(use));
  }
  return uses;
}

void write_report_of(const std::filesystem::path& dir, const std::filesystem::path& published,
                     const Registry& registry, std::FILE* out) {
  reports::ReportOptions options{.run_dirs = {dir}, .python = renderer_python(), .exec = exec_uses(registry)};
  if (!published.empty()) options.published = {published};
  print_page(reports::write_report(options), out);
}

}  // namespace gpuseq::bench
