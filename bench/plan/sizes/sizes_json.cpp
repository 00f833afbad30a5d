#include "bench/plan/sizes/sizes_json.hpp"

#include <fmt/format.h>

#include <optional>

#include "bench/config/json_file.hpp"
#include "bench/plan/sizes/size_sentences.hpp"
#include "results/size_curve.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;

/// A record of the sweep of a problem at the size found for a device; nullptr: it did not come to that.
const Record* swept(const results::SizedProblem& problem, const std::string& device,
                    std::span<const Record> records) {
  for (const Record& record : records)
    if (record.phase == "sweep" && record.size && record.state.family == problem.family &&
        record.state.device == device && results::without_size(record) == problem.fixed)
      return &record;
  return nullptr;
}

ordered_json half_json(const results::SizeCurve& curve) {
  const Maybe<results::HalfSize> half = results::half_size(curve);
  if (!half.value) return {{"half_size", nullptr}, {"half_size_reason", half.reason}};
  return {{"half_size",
           {{"size", half.value->size},
            {"at_most", half.value->below},
            {"low", half.value->low},
            {"high", half.value->high},
            {"work", half.value->work},
            {"rate_of_large", half.value->rate}}}};
}

ordered_json curve_json(const results::SizeCurve& curve) {
  ordered_json points = ordered_json::array();
  for (const results::SizePoint& point : curve.points)
    points.push_back({{"size", point.size},
                      {"work", point.work},
                      {"rate", point.rate},
                      {"variant", point.record->state.variant},
                      {"point", point.record->state.point.to_json()}});
  return points;
}

ordered_json crossings_json(const results::SizedProblem& problem) {
  ordered_json all = ordered_json::array();
  for (const auto& [gpu, cpu] : results::rivals(problem))
    if (const auto at = results::crossing(*gpu, *cpu))
      all.push_back({{"faster_below", at->below},
                     {"faster_above", at->above},
                     {"size", at->size},
                     {"low", at->low},
                     {"high", at->high}});
  return all;
}

ordered_json device_json(const results::SizedProblem& problem, const results::SizeCurve& curve,
                         std::span<const Record> records) {
  const Record* found = swept(problem, curve.device, records);
  ordered_json device{{"device", curve.device},
                      {"size", found ? ordered_json(found->size->value) : ordered_json(nullptr)}};
  if (found != nullptr) {
    const results::Filling filling = results::filling_at(curve, found->size->value, problem.noun);
    device["fills_device"] = {{"fills", or_null(filling.fills)}, {"reason", filling.reason}};
  }
  device.update(half_json(curve));
  device["curve"] = curve_json(curve);
  return device;
}

ordered_json problem_json(const results::SizedProblem& problem, std::span<const Record> records) {
  ordered_json json{{"family", problem.family},       {"problem", problem.fixed.to_json()},
                    {"axis", problem.axis},           {"noun", problem.noun},
                    {"rate_unit", problem.rate_unit}, {"devices", ordered_json::array()}};
  for (const results::SizeCurve& curve : problem.curves)
    json["devices"].push_back(device_json(problem, curve, records));
  json["crossings"] = crossings_json(problem);
  json["sentences"] = size_sentences(problem);
  return json;
}

/// "cuda:0 at 8192 reads, cpu at 512 reads".
std::string sized_text(const ordered_json& problem) {
  std::string text;
  for (const ordered_json& device : problem["devices"]) {
    text += fmt::format("{}{} ", text.empty() ? "" : ", ", device["device"].get<std::string>());
    text += device["size"].is_null() ? std::string("without a size")
                                     : fmt::format("at {} {}", device["size"].get<std::int64_t>(),
                                                   problem["noun"].get<std::string>());
  }
  return text;
}

}  // namespace

ordered_json sizes_json(std::span<const Record> records) {
  ordered_json all = ordered_json::array();
  for (const results::SizedProblem& problem : results::sized_problems(records))
    all.push_back(problem_json(problem, records));
  return all;
}

ordered_json budget_json(double budget_s, std::span<const Record> records, std::span<const Cut> cuts) {
  ordered_json cut = ordered_json::array();
  for (const Cut& one : cuts) cut.push_back({{"what", one.what}, {"states", one.states}});
  double spent_s = 0;
  for (const Record& record : records) spent_s += record.took_s;
  return {{"seconds", budget_s}, {"measuring_s", spent_s}, {"cut", cut}};
}

std::string size_lines(const ordered_json& summary) {
  std::string text;
  for (const ordered_json& problem : summary.value("sizes", ordered_json::array())) {
    text += fmt::format("  {}, {}\n", problem["family"].get<std::string>(), sized_text(problem));
    for (const ordered_json& sentence : problem["sentences"])
      text += fmt::format("      {}\n", sentence.get<std::string>());
    for (const ordered_json& device : problem["devices"])
      if (device["half_size"].is_null())
        text += fmt::format("      n_1/2 of {} is not known: {}\n", device["device"].get<std::string>(),
                            device["half_size_reason"].get<std::string>());
  }
  return text;
}

std::string budget_lines(const ordered_json& summary) {
  if (!summary.contains("budget")) return "";
  const ordered_json& budget = summary["budget"];
  std::string text =
      fmt::format("budget of {:g} s, {:.0f} of them measuring; {}\n", budget["seconds"].get<double>(),
                  budget["measuring_s"].get<double>(),
                  budget["cut"].empty() ? "nothing was cut" : "not measured, because it ended:");
  for (const ordered_json& cut : budget["cut"])
    text += fmt::format("  {} of {}\n", cut["states"].get<int>(), cut["what"].get<std::string>());
  return text;
}

}  // namespace gpuseq::bench
