#include "reports/figures/pairwise_distance/variants.hpp"

namespace gpuseq::reports::pairwise_distance {
namespace {

/// False where the facts of an old record lack its shape.
bool stated_of(const Fact& fact, const Entry& entry) {
  const auto instances = number(entry.record.facts, "instance_count"),
             attributes = number(entry.record.facts, "attribute_count");
  return instances && attributes && number(fact.at, "instances") == instances &&
         number(fact.at, "attributes") == attributes;
}

std::pair<double, double> order_of(const Entry& entry) {
  return {entry.record.work.amount, 0};
}

}  // namespace

VariantRows variant_rows() {
  return {.family = "pairwise_distance",
          .stated_of = stated_of,
          .order = order_of,
          .contestants = Contestants::with_peers};
}

}  // namespace gpuseq::reports::pairwise_distance
