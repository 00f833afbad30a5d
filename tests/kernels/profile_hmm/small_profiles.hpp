#pragma once

#include <vector>

#include "kernels/profile_hmm/data/profile.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::profile_hmm::testing {

/// A profile in which nothing is possible: every cost 255, every score -32768.
inline Profile impossible_profile(u32 length) {
  Profile profile;
  profile.length = length;
  profile.byte_scale = 3;
  profile.word_scale = 500;
  profile.match_costs.assign(std::size_t{kResidueCodes} * length, 255);
  profile.match_scores.assign(std::size_t{kResidueCodes} * length, kWordFloor);
  for (auto& step : profile.steps) step.assign(length, kWordFloor);
  return profile;
}

/// Every number random, within limits that keep sums of a few residues away from saturation.
inline Profile random_profile(u32 length, Random& random) {
  Profile profile = impossible_profile(length);
  profile.bias = static_cast<u8>(random.below(20));
  profile.begin_match = static_cast<u8>(random.below(30));
  profile.end = static_cast<u8>(random.below(5));
  for (u8& cost : profile.match_costs) cost = static_cast<u8>(random.below(40));
  const auto score = [&](i32 low, i32 high) {
    return static_cast<i16>(low + static_cast<i32>(random.below(static_cast<u64>(high - low + 1))));
  };
  for (i16& match : profile.match_scores) match = score(-900, 1200);
  for (u32 step = 0; step < kSteps; ++step)
    for (i16& value : profile.steps[step]) value = score(-600, 0);
  // As HMMER leaves them: nothing leads into the first position but B, and out of the last but E.
  for (const Step step : {kMatchMatch, kInsertMatch, kDeleteMatch}) profile.steps[step].front() = kWordFloor;
  for (const Step step : {kMatchDelete, kMatchInsert, kInsertInsert, kDeleteDelete})
    profile.steps[step].back() = kWordFloor;
  profile.end_loop = profile.end_move = score(-700, 0);
  profile.delete_bound = 32767;  // never skip D -> D
  return profile;
}

inline std::vector<u8> random_codes(u64 count, Random& random) {
  std::vector<u8> codes(count);
  for (u8& code : codes) code = static_cast<u8>(random.below(kResidueCodes));
  return codes;
}

}  // namespace gpuseq::profile_hmm::testing
