#include "reports/figures/papara/points.hpp"

#include <fmt/format.h>

namespace gpuseq::reports::papara {
namespace {

std::optional<Shape> complete(const Shape& shape) {
  if (shape.references > 0 && shape.sites > 0 && shape.queries > 0) return shape;
  return std::nullopt;
}

}  // namespace

std::string Shape::query_text() const {
  const char* const letters = of_protein ? "residues" : "bases";
  if (bases > 0) return fmt::format(" of {} {}", bases, letters);
  return of_protein ? fmt::format(" of {}", letters) : "";
}

std::optional<Shape> shape_of(const Entry& entry) {
  const results::Record& record = entry.record;
  Shape shape{.references = number(record.facts, "references").value_or(0),
              .sites = number(record.facts, "sites").value_or(0),
              .queries = number(record.facts, "queries_aligned").value_or(0),
              .band_cells = record.work.amount};
  const auto shortest = number(record.state.problem, "shortest_query"),
             longest = number(record.state.problem, "longest_query");
  const bool evolved = word(record.state.problem, "queries") == "evolved";
  if (evolved && shortest && longest && *shortest == *longest) shape.bases = *longest;
  shape.of_protein = word(record.state.problem, "alphabet") == "protein";
  return complete(shape);
}

std::optional<Shape> shape_of(const Fact& fact) {
  const auto size = [&](const char* key) { return number(fact.at, key).value_or(0); };
  return complete({.references = size("references"),
                   .sites = size("sites"),
                   .queries = size("queries"),
                   .bases = size("bases")});
}

std::string arithmetic_of(const Entry& entry) {
  const Point& point = entry.record.state.point;
  if (std::string arithmetic = word(point, "arithmetic"); !arithmetic.empty()) return arithmetic;
  return fmt::format("{} bits", number(point, "bits").value_or(32));
}

const std::vector<std::string>& widths() {
  static const std::vector<std::string> all{"16 bits", "32 bits", "8 bits", "half floats"};
  return all;
}

std::string width_of(const Entry& entry) {
  const std::string arithmetic = arithmetic_of(entry);
  if (arithmetic == "s16x2") return "16 bits";
  if (arithmetic == "s32") return "32 bits";
  return arithmetic == "f16x2" ? "half floats" : arithmetic;
}

bool is_hybrid(const Entry& entry) {
  return entry.record.state.variant.starts_with("hybrid");
}

std::string column_of(const Entry& entry) {
  if (on_gpu(entry)) return "GPU";
  return number(entry.record.state.point, "threads") == 1.0 ? "Seq" : "SSE(4)";
}

}  // namespace gpuseq::reports::papara
