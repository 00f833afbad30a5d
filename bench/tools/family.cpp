#include "bench/tools/family.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/plugin/family.hpp"
#include "bench/tools/programs.hpp"
#include "bench/tools/session.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

/// A family with external tools among its variants. All else is the family's own. A problem that only tools
/// solve has no inner family.
class ToolFamily final : public Family {
 public:
  ToolFamily(std::shared_ptr<const Family> inner, const ToolProblemSpec& spec, const std::vector<Tool>& tools,
             double timeout_s)
      : inner_(std::move(inner)), spec_(spec) {
    if (inner_)
      for (const Variant& variant : inner_->variants()) variants_.push_back(of_shared_problem(variant));
    for (const Tool& tool : tools) {
      if (inner_ && std::any_of(variants_.begin(), variants_.end(),
                                [&](const Variant& variant) { return variant.name == tool.name; }))
        throw UsageError(fmt::format("/tools/{}: {} has a variant of this name", tool.name, name()));
      variants_.push_back(of_tool(tool, timeout_s));
    }
  }

  std::string_view name() const override { return inner_ ? inner_->name() : spec_.name; }
  std::string_view summary() const override { return inner_ ? inner_->summary() : spec_.summary; }
  const SearchSpace& problem_space() const override { return inner_ ? inner_->problem_space() : spec_.space; }
  const std::vector<Variant>& variants() const override { return variants_; }
  std::optional<ProblemCost> problem_cost(const StateOutline& state) const override {
    return inner_ ? inner_->problem_cost(state) : ProblemCost();
  }
  const Growth* growth() const override { return inner_ ? inner_->growth() : nullptr; }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override {
    return std::make_unique<ToolProblem>(inner_ ? inner_->load(spec) : load_tool_problem(spec_, spec), spec);
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override {
    return inner_ ? inner_->exec_roles() : Family::exec_roles();
  }
  std::vector<std::pair<std::string, std::string>> exec_outputs() const override {
    return inner_ ? inner_->exec_outputs() : Family::exec_outputs();
  }
  std::string_view exec_variant() const override {
    return inner_ ? inner_->exec_variant() : Family::exec_variant();
  }
  ExecReport exec(const ExecRequest& request, Device& device) const override {
    const bool ours = inner_ && !variant(request.variant).whole_process;
    return ours ? inner_->exec(request, device) : Family::exec(request, device);
  }

 private:
  /// A variant of the family itself, whose problem is shared with tools.
  static Variant of_shared_problem(Variant variant) {
    variant.prepare = prepare_by<ToolProblem>(
        [prepare = std::move(variant.prepare)](ToolProblem& problem, const Point& point, Device& device) {
          return prepare(problem.inner(), point, device);
        });
    return variant;
  }

  Variant of_tool(const Tool& tool, double timeout_s) const {
    const Compare compare = inner_ ? inner_->comparison() : nullptr;
    if (tool.may_differ && compare == nullptr)
      throw UsageError(fmt::format(
          "/tools/{}/answers/may_differ: {} tells nothing of how far answers agree; allowed: false",
          tool.name, name()));
    Variant variant{.name = tool.name,
                    .device = tool.device,
                    .summary = tool.summary,
                    .space = tool.space,
                    .whole_process = true,
                    .missing = why_missing(tool)};
    variant.prepare = prepare_by<ToolProblem>(
        [tool, timeout_s, compare](ToolProblem& problem, const Point& point, Device& device) {
          return std::make_unique<ToolSession>(tool, problem, point, device.id(), timeout_s, compare);
        });
    return variant;
  }

  std::shared_ptr<const Family> inner_;  // may be null
  ToolProblemSpec spec_;
  std::vector<Variant> variants_;
};

const ToolProblemSpec& problem_of(const Tool& tool, const Tools& tools, const Registry& registry) {
  std::vector<std::string_view> known;
  for (const ToolProblemSpec& spec : tools.families) {
    if (spec.name == tool.family) return spec;
    known.push_back(spec.name);
  }
  for (const auto& family : registry.families) known.push_back(family->name());
  throw UsageError(fmt::format("/tools/{}/family: found \"{}\"; allowed: {}", tool.name, tool.family,
                               fmt::join(known, ", ")));
}

}  // namespace

Registry with_tools(const Registry& registry, const Tools& tools, double timeout_s) {
  Registry result = registry;
  std::map<std::string, std::vector<Tool>> by_family;
  for (const Tool& tool : tools.tools)
    if (registry.why_not_built(tool.family).empty()) by_family[tool.family].push_back(tool);
  for (auto& [name, members] : by_family) {
    const auto same = [&, &wanted = name](const auto& family) { return family->name() == wanted; };
    const auto found = std::find_if(result.families.begin(), result.families.end(), same);
    if (found != result.families.end())
      *found = std::make_shared<ToolFamily>(*found, ToolProblemSpec{}, members, timeout_s);
    else
      result.families.push_back(std::make_shared<ToolFamily>(
          nullptr, problem_of(members.front(), tools, registry), members, timeout_s));
  }
  return result;
}

Registry with_tools_of(const SuiteConfig& config, const Registry& built_in) {
  const Registry registry = with_plugins_of(config, built_in);
  // Less than the supervisor's timeout: a tool that hangs is then a failed record, and the worker continues.
  constexpr double kShare = 0.8;
  if (!config.document.contains("tools")) return registry;
  const nlohmann::json& tools = config.document["tools"];
  const std::string source = config.source + ": /tools";
  try {
    return with_tools(registry, tools_from_json(tools, source), kShare * config.timeout_s);
  } catch (const UsageError& error) {
    const std::string what = error.what();
    throw UsageError(what.starts_with(source) ? what : source + what);
  }
}

}  // namespace gpuseq::bench
