#include "bench/phases/winners/take_winners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "bench/config/json_file.hpp"
#include "bench/phases/winners/winner_store.hpp"
#include "bench/plan/own_data.hpp"
#include "bench/plan/plan_problems.hpp"
#include "bench/plan/problem_data.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/number_text.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;

/// The point of a winner as its variant has it now; nullopt with a word where it cannot be taken.
std::optional<Point> point_of(const KeptWinner& winner, const Family& family,
                              std::vector<std::string>& said) {
  try {
    return family.variant(winner.variant).space.complete(winner.point);
  } catch (const UsageError& error) {
    said.push_back(fmt::format("{}: a winner of this machine, {} {}, is ignored: {}", family.name(),
                               winner.variant, winner.point.to_string(), error.what()));
    return std::nullopt;
  }
}

/// Winners of one family by device, read once.
class WinnersByDevice {
 public:
  WinnersByDevice(const WinnerStore& store, const Family& family, std::vector<std::string>& said)
      : store_(store), family_(family), said_(said) {}

  const std::vector<KeptWinner>& of(const std::string& device) {
    const auto [place, is_new] = found_.try_emplace(device);
    if (is_new) {
      std::string remark;
      place->second =
          store_.of(winner_key(open_device(device)->describe()), std::string(family_.name()), remark);
      for (KeptWinner& one : place->second) add_newer_axes(one.problem_class, family_.problem_space());
      if (!remark.empty()) said_.push_back(remark);
    }
    return place->second;
  }

 private:
  const WinnerStore& store_;
  const Family& family_;
  std::vector<std::string>& said_;
  std::map<std::string, std::vector<KeptWinner>> found_;
};

/// A class without a number that is not known yet.
ProblemClass without(ProblemClass of, const std::string& axis) {
  of.words.erase(axis);
  of.numbers.erase(axis);
  return of;
}

/// The winners that keep to exactly these limits: without them another point may be faster.
std::vector<KeptWinner> within(const std::vector<KeptWinner>& all, const MemoryLimits& limits) {
  std::vector<KeptWinner> found;
  std::ranges::copy_if(all, std::back_inserter(found),
                       [&](const KeptWinner& one) { return are_same(one.limits, limits); });
  return found;
}

/// " with at most 200 MB (index: 100 MB)"; empty without limits.
std::string limits_words(const MemoryLimits& limits) {
  std::string words;
  if (limits.bytes) words += " with at most " + with_decimal_prefix(static_cast<double>(*limits.bytes), "B");
  if (limits.index_bytes)
    words += fmt::format(" with an index of at most {}",
                         with_decimal_prefix(static_cast<double>(*limits.index_bytes), "B"));
  return words;
}

/// The winners of a variant, for problems whose size on an axis is not known if there is one.
std::vector<KeptWinner> of_variant(const std::vector<KeptWinner>& all, const std::string& variant,
                                   const std::string& unknown_axis) {
  std::vector<KeptWinner> found;
  for (const KeptWinner& one : all)
    if (one.variant == variant) {
      found.push_back(one);
      found.back().problem_class = without(one.problem_class, unknown_axis);
    }
  return found;
}

/// The points that a variant is measured at instead of its default; empty: at the default.
std::vector<Point> points_for(const Family& family, const Variant& variant, const PlannedProblems& problems,
                              const SuiteConfig& config, std::span<const DeviceInfo> devices,
                              WinnersByDevice& winners, std::vector<std::string>& said) {
  const Point usual = variant.space.complete({});
  const auto bytes = data_bytes(config);
  std::vector<Point> points;
  bool any = false;
  const auto add = [&](const Point& point) {
    if (std::ranges::find(points, point) == points.end()) points.push_back(point);
  };
  const auto look = [&](const Point& problem, const std::string& unknown_axis) {
    const ProblemClass of = without(problem_class_of(family.problem_space(), problem, bytes), unknown_axis);
    for (const DeviceInfo& device : devices) {
      if (device.kind != variant.device) continue;
      const std::vector<KeptWinner> own =
          of_variant(within(winners.of(device.id), config.tune.limits), variant.name, unknown_axis);
      const KeptWinner* const winner = nearest(own, of, {"rate"});
      const std::optional<Point> point = winner ? point_of(*winner, family, said) : std::nullopt;
      any = any || (point && !(*point == usual));
      add(point.value_or(usual));
    }
  };
  for (const Point& problem : problems.fixed) look(problem, "");
  for (const Point& problem : problems.sized) look(problem, family.growth()->axis);
  return any ? points : std::vector<Point>();
}

/// The problem of `family.exec`'s request, whose data are called as their roles.
std::optional<ProblemClass> class_of(const Family& family, const ExecRequest& request) {
  SuiteConfig data;
  Point partial = request.problem;
  const SearchSpace& space = family.problem_space();
  for (const auto& [role, path] : request.data) {
    data.data[role] = {.path = path, .member = {}, .package = {}};
    if (space.find(role) != nullptr) partial.set(role, role);
  }
  for (const auto& [name, value] : request.options.values())
    if (space.find(name) != nullptr) partial.set(name, value);
  try {
    return problem_class_of(space, space.complete(partial), data_bytes(data));
  } catch (const UsageError&) {
    return std::nullopt;  // exec reports the error
  }
}

ExecWinner taken(const KeptWinner& winner, const Point& point, const std::string& device) {
  return {.variant = winner.variant,
          .device = device,
          .origin = fmt::format("winner of this machine, tuned {}{}{} (--default-points: the default)",
                                winner.made.substr(0, winner.made.find('T')),
                                winner.problem_label.empty() ? "" : " for " + winner.problem_label,
                                limits_words(winner.limits)),
          .point = point,
          .json = winner.json};
}

}  // namespace

TakenWinners with_winners(const SuiteConfig& config, const Registry& registry,
                          std::span<const DeviceInfo> devices) {
  TakenWinners taken{.config = config, .variants = {}, .said = {}};
  const WinnerStore store(config.cache_dir);
  if (store.empty() || !config.document.contains("families")) return taken;
  json document = config.document;
  for (auto& [name, given] : document["families"].items()) {
    const auto family = std::ranges::find_if(registry.families,
                                             [&name = name](const auto& one) { return one->name() == name; });
    if (family == registry.families.end()) continue;
    WinnersByDevice winners(store, **family, taken.said);
    const Place place{.source = config.source,
                      .pointer = json::json_pointer("/families/" + name + "/problems")};
    const PlannedProblems problems = plan_problems(**family, given["problems"], place, config);
    for (const Variant& variant : (*family)->variants()) {
      const auto said = given["variants"].find(variant.name);
      if (variant.whole_process || said == given["variants"].end() || *said != json::object()) continue;
      const std::vector<Point> points =
          points_for(**family, variant, problems, config, devices, winners, taken.said);
      if (points.empty()) continue;
      json spaces = json::array();
      std::string words;
      for (const Point& point : points) {
        spaces.push_back(json(point.to_json()));
        words += fmt::format("{}{}", words.empty() ? "" : " and ", point.to_string());
      }
      *said = std::move(spaces);
      taken.variants.push_back(fmt::format("{}/{}", name, variant.name));
      taken.said.push_back(
          fmt::format("{}/{}: the winner on this machine is taken, {} (--default-points: the default)", name,
                      variant.name, words));
    }
  }
  if (!taken.variants.empty())
    taken.config = config_from_json(std::move(document), config.source, std::filesystem::current_path());
  return taken;
}

SuiteConfig without_winners(const SuiteConfig& config, const std::vector<std::string>& variants) {
  if (variants.empty()) return config;
  json document = config.document;
  for (const std::string& one : variants) {
    const std::size_t slash = one.find('/');
    const json::json_pointer place = json::json_pointer("/families") / one.substr(0, slash) / "variants" /
                                     one.substr(std::min(slash, one.size() - 1) + 1);
    if (document.contains(place)) document[place] = json::object();
  }
  return config_from_json(std::move(document), config.source, std::filesystem::current_path());
}

std::optional<ExecWinner> winner_for(const Family& family, const ExecRequest& request,
                                     const std::string& variant, std::span<const std::string> devices,
                                     std::vector<std::string>& remarks) {
  const WinnerStore store(request.cache_dir);
  if (store.empty()) return std::nullopt;
  const std::optional<ProblemClass> of = class_of(family, request);
  if (!of) return std::nullopt;
  WinnersByDevice winners(store, family, remarks);
  const std::string usual(variant.empty() ? family.exec_variant() : "");
  for (const char* metric : {"time_to_solution_s", "rate"}) {
    std::vector<ExecWinner> found;
    std::vector<double> scores;  // more is better
    bool beats_usual = usual.empty();
    for (const std::string& device : devices) {
      std::vector<KeptWinner> own = within(winners.of(device), {});
      if (!variant.empty()) own = of_variant(own, variant, "");
      const KeptWinner* const winner = nearest(own, *of, {metric});
      const std::optional<Point> point = winner ? point_of(*winner, family, remarks) : std::nullopt;
      if (!point) continue;
      beats_usual = beats_usual || std::ranges::find(winner->variants, usual) != winner->variants.end();
      scores.push_back(winner->maximise ? winner->score : -winner->score);
      found.push_back(taken(*winner, *point, device));
    }
    if (!found.empty() && beats_usual)
      return found[static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin())];
  }
  return std::nullopt;
}

std::optional<ExecWinner> latest_winner(const Family& family, const std::filesystem::path& cache_dir,
                                        std::span<const std::string> variants,
                                        std::span<const std::string> devices,
                                        std::vector<std::string>& remarks) {
  const WinnerStore store(cache_dir);
  if (store.empty()) return std::nullopt;
  WinnersByDevice winners(store, family, remarks);
  std::optional<ExecWinner> latest;
  std::string made;
  for (const std::string& device : devices)
    for (const KeptWinner& winner : winners.of(device)) {
      const bool wanted = std::ranges::find(variants, winner.variant) != variants.end() &&
                          (winner.metric == "rate" || winner.metric == "time_to_solution_s");
      if (!wanted || winner.made < made) continue;
      const std::optional<Point> point = point_of(winner, family, remarks);
      if (!point) continue;
      latest = taken(winner, *point, device);
      made = winner.made;
    }
  return latest;
}

}  // namespace gpuseq::bench
