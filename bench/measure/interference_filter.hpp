#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gpuseq::bench {

/// The kept samples of a state.
struct KeptSamples {
  std::vector<double> seconds;  // in the order in which they were taken
  std::size_t discarded = 0;
  std::string note;  // why disturbed samples are kept; empty: none is disturbed
  std::optional<double>
      slowdown;  // median over best of the reference loops next to them; nullopt: no sample was judged
};

/// Discards the samples next to which the reference loop took at least
/// results::ReferenceLoopTimes::kDisturbed times its best. If fewer than `least` remain, all are kept, with a
/// note, up to the first `most`: more were taken only to find undisturbed ones.
/// @param seconds    samples in the order in which they were taken
/// @param reference_loop_s  per sample, the longer of the runs before and after it; 0: the sample is not
/// judged and is kept
/// @param best_s     the reference loop's shortest run; unused if no sample is judged
KeptSamples keep_undisturbed(std::span<const double> seconds, std::span<const double> reference_loop_s,
                             double best_s, std::size_t least, std::size_t most);

/// The samples of a state as they are taken, and which of them are known to be disturbed by noisy neighbours.
/// Without a reference loop, no sample is disturbed.
class InterferenceFilter {
 public:
  /// Why to stop with these samples after this time, if so.
  using Decide = std::function<std::optional<std::string>(std::span<const double> seconds, double elapsed_s)>;

  /// Noisy neighbours come in bursts of seconds. A longer launch contains parts of several bursts, which a
  /// reference loop before and after it does not measure.
  static constexpr double kLongestJudgedS = 1;
  /// A longer slowdown is not a burst: the machine has become slower, and waiting does not help.
  static constexpr double kLongestTurnS = 5;
  /// Maximum time of a state, as a multiple of its time without disturbed samples.
  static constexpr double kMostStretch = 2;

  /// @param least  undisturbed samples to wait for
  explicit InterferenceFilter(std::size_t least) : least_(least) {}

  /// @param taken_s  time of the sample: a batch of launches takes longer than one launch
  void add(double seconds, double taken_s);
  /// The reference loop has run: all samples since the last call are between two runs of it.
  /// @param longer_s  the longer one of the two
  /// @param best_s  the reference loop's shortest run so far; earlier samples are judged again with it
  void add_reference(double longer_s, double best_s);

  /// Samples not known to be disturbed, in the order in which they were taken.
  const std::vector<double>& undisturbed() const { return undisturbed_; }

  /// Why to stop now, if so. Limits apply to undisturbed samples. If there are too few of them when the state
  /// would have stopped with all samples, it continues: at most kMostStretch times as long as until then or
  /// max_seconds, whichever is longer, and only while this looks like a burst of a noisy neighbour. It then
  /// stops with the original reason.
  /// @param disturbed_for_s  since the last undisturbed reference loop
  std::optional<std::string> stop(const Decide& decide, double elapsed_s, double max_seconds,
                                  double disturbed_for_s);

  /// See keep_undisturbed().
  KeptSamples kept(std::size_t most) const;

 private:
  bool is_disturbed(std::size_t sample) const;

  std::size_t least_;
  std::vector<double> seconds_, reference_loop_s_, undisturbed_;
  std::vector<bool> judged_;    // short enough to be judged
  std::size_t referenced_ = 0;  // samples before the last run of the reference loop
  double best_s_ = 0;
  std::optional<std::string> usual_reason_;  // to stop, if all samples were undisturbed
  double usual_end_s_ = 0;                   // when that would have been
};

}  // namespace gpuseq::bench
