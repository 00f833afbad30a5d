#include "reports/figures/ladder.hpp"

#include <fmt/format.h>

#include "reports/figures/papara/figures.hpp"
#include "reports/figures/papara/points.hpp"

namespace gpuseq::reports::papara {
namespace {

ladders::Ladder from_published() {
  return {
      .published = {{"variant", "blocked_shared"},
                    {"elements", "compressed"},
                    {"ends", "square"},
                    {"recurrence", "printed"},
                    {"references_per_launch", "320"},
                    {"arithmetic", "s32"},
                    {"threads_per_block", "320"},
                    {"unroll", "12"}},
      .steps = {{"ends = blocks", {{"ends", "blocks"}}},
                {"recurrence = potentials", {{"recurrence", "potentials"}}},
                {"references of a launch as they fit", {{"references_per_launch", "0"}}},
                {"arithmetic = s16x2", {{"arithmetic", "s16x2"}}},
                {"threads_per_block = 64", {{"threads_per_block", "64"}}},
                {"unroll = 24", {{"unroll", "24"}}},
                {"blocked_registers, unroll = 30", {{"variant", "blocked_registers"}, {"unroll", "30"}}}}};
}

Drawing draw_ladder(const Figure& figure, const ReportData& data, const Published&) {
  return ladders::draw(
      {.family = "papara",
       .ladders = {from_published()},
       .place = [](const Entry&) { return ladders::Place{}; },
       .worth = [](const Entry& entry) { return entry.record.work.amount; },
       .about = problem_name,
       .quantity = ladders::rates(kGcupsTitle),
       .factor = 1 / kGiga,
       .tips = [](const Entry& entry) { return gcups_tips(entry); },
       .notes =
           {"The published kernel is blocked_shared with recurrence = printed, ends = square, "
            "arithmetic = s32, unroll = 12, 320 threads a block and 320 references a launch; the last row "
            "has rows of blocks in registers in place of shared memory."}},
      figure, data);
}

}  // namespace

Figure ladder() {
  return {"papara/ladder", "From the published kernel to ours", kHeading,
          "What each difference between the paper's kernel and the fastest of the same blocks is worth on "
          "this GPU.",
          draw_ladder};
}

}  // namespace gpuseq::reports::papara
