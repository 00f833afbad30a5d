#include "bench/measure/name_filter.hpp"

#include <fmt/format.h>

namespace gpuseq::bench {

NameFilter::NameFilter(std::string_view text) {
  if (text.empty() || text == "all") return;
  negated_ = text.front() == '-';
  if (negated_)
    expression_.emplace(text.substr(1), "--benchmark_filter=-", 1);
  else
    expression_.emplace(text, "--benchmark_filter=");
}

bool NameFilter::lets_through(std::string_view state) const {
  return lets_all_through() || expression_->is_in(benchmark_name(state)) != negated_;
}

std::string benchmark_name(std::string_view state) {
  return fmt::format("{}/iterations:1/manual_time", state);
}

}  // namespace gpuseq::bench
