#include "kernels/fm_mismatch/problem.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::fm_mismatch {

Work MismatchSession::work() const {
  return {.amount = static_cast<double>(problem_.queries().total_bases) * problem_.strands(),
          .unit = fm_index::kQueryBases};
}

Verification MismatchSession::verify() {
  return problem_.compare(answers());
}

const Touched& MismatchSession::touched() const {
  if (!touched_)
    touched_ = count_touched(view(), problem_.queries(), problem_.mismatches(), problem_.strands());
  return *touched_;
}

HeldMemory MismatchSession::held() const {
  return held_memory(index_.view.rows - u64{1}, table_->symbols, problem_.queries().bytes(),
                     problem_.places());
}

Cost MismatchSession::cost() const {
  Cost cost{.work = work(), .held = held(), .why_no_bound = problem_.why_no_bound()};
  if (cost.why_no_bound.empty()) {
    cost.traffic = traffic_of(touched(), index_.view.rows - u64{1}, table_->symbols);
    cost.traffic->in_flight = in_flight();
  }
  return cost;
}

nlohmann::json MismatchSession::facts() const {
  const double bases = work().amount;
  return {{"index_bytes", index_.bytes()},
          {"bits_per_base", index_.bits_per_base()},
          {"prefix_symbols", table_->symbols},
          {"prefix_bytes", table_->nodes.size()},
          {"index_build_s", index_.build_s + table_->build_s},
          {"reverse_from_cache", index_.from_cache},
          {"steps_per_query_base", bases == 0 ? 0 : touched().steps / bases}};
}

std::vector<std::string> MismatchSession::notes() const {
  return problem_.notes();
}

std::vector<u64> begins_of_hits(std::span<const Answer> answers) {
  std::vector<u64> begins{0};
  for (const Answer& answer : answers) begins.push_back(begins.back() + answer.hits);
  require_host_memory(begins.back() * sizeof(Hit), "the occurrences found");
  return begins;
}

}  // namespace gpuseq::fm_mismatch
