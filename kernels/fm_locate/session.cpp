#include "kernels/fm_locate/problem.hpp"

namespace gpuseq::fm_locate {

LocateSession::LocateSession(LocateProblem& problem, std::shared_ptr<const Index> index, u32 sample_bytes)
    : problem_(problem), index_(std::move(index)), sample_bytes_(sample_bytes) {}

Work LocateSession::work() const {
  return {.amount = static_cast<double>(problem_.occurrences().total()), .unit = kPositions};
}

Verification LocateSession::verify() {
  return problem_.compare(positions());
}

const Touched& LocateSession::touched() const {
  if (!touched_) touched_ = count_touched(*index_, problem_.occurrences());
  return *touched_;
}

HeldMemory LocateSession::held() const {
  const Occurrences& occurrences = problem_.occurrences();
  return held_memory(index_->layout, index_->view.rows - u64{1}, occurrences.query.size(),
                     occurrences.total());
}

Cost LocateSession::cost() const {
  Cost cost{.work = work(), .held = held(), .why_no_bound = problem_.why_no_bound()};
  if (cost.why_no_bound.empty()) {
    cost.traffic = traffic_of(touched(), index_->layout, index_->view.rows - u64{1}, sample_bytes_);
    cost.traffic->in_flight = in_flight();
  }
  return cost;
}

nlohmann::json LocateSession::facts() const {
  const double positions = problem_.occurrences().total();
  return {{"line_rows", rows_of_line(index_->layout.marked())},
          {"line_bytes", index_->lines.size()},
          {"sample_bytes", index_->samples.size()},
          {"index_bytes", index_->bytes()},
          {"bits_per_base", index_->bits_per_base()},
          {"index_build_s", index_->build_s},
          {"steps_per_position", touched().steps_per_position},
          {"blocks_per_position", positions == 0 ? 0 : (touched().lines + touched().samples) / positions}};
}

std::vector<std::string> LocateSession::notes() const {
  return problem_.notes();
}

}  // namespace gpuseq::fm_locate
