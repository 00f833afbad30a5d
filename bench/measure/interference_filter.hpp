#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gpuseq::bench {

/// What is kept of the samples of a state.
struct KeptSamples {
  std::vector<double> seconds;  // in the order in which they were taken
  std::size_t discarded = 0;
  std::string note;  // why disturbed samples are among them; empty: none is
  std::optional<double>
      slowdown;  // median over best of the reference loop beside them; none: none was judged
};

/// Leaves out the samples beside which the reference loop took results::ReferenceLoopTimes::kDisturbed times
/// its best or more. Where fewer than `least` were left, all are kept, with a note: the first `most`, as more
/// were taken only to find undisturbed ones.
/// @param seconds    samples in the order in which they were taken
/// @param reference_loop_s  of each sample, the longer of the runs before and after it; 0: it is not judged,
/// and kept
/// @param best_s     the reference loop's shortest run; of no meaning where no sample is judged
KeptSamples keep_undisturbed(std::span<const double> seconds, std::span<const double> reference_loop_s,
                             double best_s, std::size_t least, std::size_t most);

/// The samples of a state as they are taken, and which of them noisy neighbours disturbed, as far as is
/// known. Without a reference loop none is ever called disturbed.
class InterferenceFilter {
 public:
  /// Why to stop with these samples after so much time, if so.
  using Decide = std::function<std::optional<std::string>(std::span<const double> seconds, double elapsed_s)>;

  /// Noisy neighbours come and go in turns of seconds. A longer launch holds parts of several, of
  /// which a reference loop before and after it says nothing.
  static constexpr double kLongestJudgedS = 1;
  /// A turn that lasts longer than this is none: the machine is slower now, and to wait is of no use.
  static constexpr double kLongestTurnS = 5;
  /// A state may take so many times as long as it would have if no sample were disturbed.
  static constexpr double kMostStretch = 2;

  /// @param least  undisturbed samples that are waited for
  explicit InterferenceFilter(std::size_t least) : least_(least) {}

  /// @param taken_s  that the sample took: a batch of launches takes more than a launch
  void add(double seconds, double taken_s);
  /// The reference loop has run: all samples since the last call stand between the runs before and after
  /// them.
  /// @param longer_s  of the two
  /// @param best_s  the reference loop's shortest run so far: earlier samples are judged anew by it
  void add_reference(double longer_s, double best_s);

  /// Those that are not known to be disturbed, in the order in which they were taken.
  const std::vector<double>& undisturbed() const { return undisturbed_; }

  /// Why to stop now, if so. Limits are of undisturbed samples. Where there are too few of them when the
  /// state would have ended without them, it goes on: for at most kMostStretch times as long as it
  /// took then or max_seconds, whichever is longer, and only while this looks like a noisy neighbour's turn.
  /// Then the reason is the one that would have ended it.
  /// @param disturbed_for_s  since the reference loop was last undisturbed
  std::optional<std::string> stop(const Decide& decide, double elapsed_s, double max_seconds,
                                  double disturbed_for_s);

  /// See keep_undisturbed().
  KeptSamples kept(std::size_t most) const;

 private:
  bool is_disturbed(std::size_t sample) const;

  std::size_t least_;
  std::vector<double> seconds_, reference_loop_s_, undisturbed_;
  std::vector<bool> judged_;    // not too long a sample
  std::size_t referenced_ = 0;  // samples of before the last run of the reference loop
  double best_s_ = 0;
  std::optional<std::string> usual_reason_;  // to stop, if no sample were disturbed
  double usual_end_s_ = 0;                   // when that was
};

}  // namespace gpuseq::bench
