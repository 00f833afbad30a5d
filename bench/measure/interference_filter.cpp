#include "bench/measure/interference_filter.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/record.hpp"
#include "results/statistics/statistics.hpp"

namespace gpuseq::bench {
namespace {

/// 0 is the time of a missing reference loop, which is not slow.
bool is_slow(double reference_loop_s, double best_s) {
  return reference_loop_s > 0 && reference_loop_s >= results::ReferenceLoopTimes::kDisturbed * best_s;
}

std::string note_on(std::size_t disturbed, std::size_t all) {
  const std::string which = disturbed < all ? fmt::format("{} of {} samples were", disturbed, all)
                            : all == 1      ? "the only sample was"
                                            : fmt::format("all {} samples were", all);
  return fmt::format(
      "{} taken while other programs used the processor's cores, or its clock was low; they are kept, as too "
      "few "
      "others were left",
      which);
}

}  // namespace

KeptSamples keep_undisturbed(std::span<const double> seconds, std::span<const double> reference_loop_s,
                             double best_s, std::size_t least, std::size_t most) {
  const auto slow = [&](double run_s) { return is_slow(run_s, best_s); };
  const auto disturbed = static_cast<std::size_t>(std::ranges::count_if(reference_loop_s, slow));
  const bool keeps_all = disturbed > 0 && seconds.size() - disturbed < least;
  if (keeps_all) {
    seconds = seconds.first(std::min(seconds.size(), most));
    reference_loop_s = reference_loop_s.first(seconds.size());
  }
  KeptSamples kept{.seconds = {}, .discarded = keeps_all ? 0 : disturbed, .note = {}, .slowdown = {}};
  if (const auto left = static_cast<std::size_t>(std::ranges::count_if(reference_loop_s, slow));
      keeps_all && left)
    kept.note = note_on(left, seconds.size());
  std::vector<double> slowdowns;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (!keeps_all && slow(reference_loop_s[i])) continue;
    kept.seconds.push_back(seconds[i]);
    if (reference_loop_s[i] > 0) slowdowns.push_back(std::max(1.0, reference_loop_s[i] / best_s));
  }
  if (!slowdowns.empty()) kept.slowdown = results::median(slowdowns);
  return kept;
}

bool InterferenceFilter::is_disturbed(std::size_t sample) const {
  return is_slow(reference_loop_s_[sample], best_s_);
}

void InterferenceFilter::add(double seconds, double taken_s) {
  seconds_.push_back(seconds);
  reference_loop_s_.push_back(0);
  judged_.push_back(taken_s <= kLongestJudgedS);
  undisturbed_.push_back(seconds);
}

void InterferenceFilter::add_reference(double longer_s, double best_s) {
  for (std::size_t i = referenced_; i < seconds_.size(); ++i)
    if (judged_[i]) reference_loop_s_[i] = longer_s;
  // Judges all samples again if an earlier one may now be disturbed.
  const std::size_t from = best_s == best_s_ ? referenced_ : 0;
  if (from == 0)
    undisturbed_.clear();
  else
    undisturbed_.resize(undisturbed_.size() - (seconds_.size() - referenced_));
  best_s_ = best_s;
  for (std::size_t i = from; i < seconds_.size(); ++i)
    if (!is_disturbed(i)) undisturbed_.push_back(seconds_[i]);
  referenced_ = seconds_.size();
}

std::optional<std::string> InterferenceFilter::stop(const Decide& decide, double elapsed_s,
                                                    double max_seconds, double disturbed_for_s) {
  if (undisturbed_.size() == seconds_.size()) return decide(seconds_, elapsed_s);
  if (!usual_reason_) {
    usual_reason_ = decide(seconds_, elapsed_s);
    usual_end_s_ = elapsed_s;
  }
  if (undisturbed_.size() >= least_) return decide(undisturbed_, elapsed_s);
  const bool may_wait =
      disturbed_for_s < kLongestTurnS && elapsed_s < kMostStretch * std::max(usual_end_s_, max_seconds);
  return may_wait ? std::nullopt : usual_reason_;
}

KeptSamples InterferenceFilter::kept(std::size_t most) const {
  return keep_undisturbed(seconds_, reference_loop_s_, best_s_, least_, most);
}

}  // namespace gpuseq::bench
