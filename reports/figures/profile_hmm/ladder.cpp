#include "reports/figures/ladder.hpp"

#include <fmt/format.h>

#include <cmath>

#include "reports/figures/profile_hmm/figures.hpp"
#include "reports/figures/profile_hmm/points.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

ladders::Ladder from_published() {
  const auto of_viterbi = [](const Entry& entry) { return filter_of(entry) == "viterbi"; };
  return {.published_row = "as published, ahead of time",
          .published = {{"variant", "video_warp"},
                        {"row", "auto"},
                        {"compiled_by", "nvcc"},
                        {"stripes", "variable"},
                        {"resident_warps", "32"},
                        {"warps_per_block", "32"},
                        {"assignment", "static"},
                        {"order", "file"},
                        {"residues", "shared"},
                        {"reduction", "each_row"},
                        {"deletions", "lazy_f"},
                        {"loads", "words"},
                        {"costs", "read_only"},
                        {"steps", "read_only"}},
          .steps = {{"by NVRTC", {{"compiled_by", "nvrtc"}}},
                    {"stripes = constant", {{"stripes", "constant"}}},
                    {"resident warps as they fit", {{"resident_warps", "0"}, {"warps_per_block", "0"}}},
                    {"assignment = queue", {{"assignment", "queue"}}},
                    {"order = sorted", {{"order", "sorted"}}},
                    {"residues = registers", {{"residues", "registers"}}},
                    {"reduction = skipped", {{"reduction", "skipped"}}},
                    {"deletions = in_row", {{"deletions", "in_row"}}, of_viterbi},
                    {"loads = wide", {{"loads", "wide"}}},
                    {"costs, steps = auto", {{"costs", "auto"}, {"steps", "auto"}}}}};
}

/// A filter, "SSV, 400 states".
std::optional<ladders::Place> place_in(const Entry& entry) {
  const auto length = model_length_of(entry);
  if (!length) return std::nullopt;
  const std::string filter = filter_of(entry);
  return ladders::Place{fmt::format("{}", filter_index(filter)),
                        fmt::format("{}, {} states", filter_title(filter), *length)};
}

/// Nearness to the paper's usual length (figure 2).
double usualness(const Entry& entry) {
  constexpr double kUsualLength = 400;
  return -std::abs(std::log(*model_length_of(entry) / kUsualLength));
}

Drawing draw_ladder(const Figure& figure, const ReportData& data, const Published&) {
  return ladders::draw({.family = "profile_hmm",
                        .ladders = {from_published()},
                        .place = place_in,
                        .worth = usualness,
                        .about = sequences_of,
                        .quantity = ladders::rates(kGcupsTitle),
                        .factor = 1 / kGiga,
                        .tips = [](const Entry& entry) { return gcups_tips(entry); },
                        .notes = {"The published kernel of SSV and MSV is that with stripes = constant, that "
                                  "of Viterbi the one before."}},
                       figure, data);
}

}  // namespace

Figure ladder() {
  return {"profile-hmm/ladder", "From the published kernel to video_warp", kHeading,
          "What each difference between the paper's kernel and ours of the same design is worth on this GPU.",
          draw_ladder};
}

}  // namespace gpuseq::reports::profile_hmm
