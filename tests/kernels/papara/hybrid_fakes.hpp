#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/papara/hybrid/session.hpp"
#include "runtime/contract/errors.hpp"

// Participants of a hybrid without a GPU: workers that count their scores, and fail where a test wants
// it.

namespace gpuseq::papara::testing {

constexpr int kCpu = -1;

/// How often each pair was scored, and by whom last: a GPU's number, or kCpu.
class Coverage {
 public:
  explicit Coverage(const PaparaProblem& problem)
      : references_(problem.references().count),
        times_(problem.queries().count() * references_),
        last_(times_.size()) {}
  void add(const Rectangle& part, int by) {
    for (u32 q = part.queries.begin; q < part.queries.end; ++q)
      for (u32 r = part.references.begin; r < part.references.end; ++r) {
        ++times_[q * references_ + r];
        last_[q * references_ + r] = by;
      }
  }
  bool everywhere(int times) const {
    return std::all_of(times_.begin(), times_.end(), [times](const auto& one) { return one == times; });
  }
  /// Every pair equally often; how often, or -1.
  int times() const { return times_.empty() || everywhere(times_.front()) ? times_.front().load() : -1; }
  int last_by(std::size_t pair) const { return last_[pair]; }

 private:
  u64 references_;
  std::vector<std::atomic<int>> times_, last_;
};

/// Begins when a GPU has: else the CPU could be done before.
class CountingCpu final : public CpuScorer {
 public:
  CountingCpu(std::unique_ptr<CpuScorer> scorer, Coverage& coverage, const std::atomic<bool>& may_begin,
              double pair_s)
      : scorer_(std::move(scorer)), coverage_(coverage), may_begin_(may_begin), pair_s_(pair_s) {}
  u32 groups() const override { return scorer_->groups(); }
  Range references(u32 group) const override { return scorer_->references(group); }
  std::string target() const override { return scorer_->target(); }
  nlohmann::json facts() const override { return scorer_->facts(); }
  HeldMemory held() const override { return scorer_->held(); }
  std::optional<Instructions> instructions() const override { return scorer_->instructions(); }
  void score(u32 group, Range queries, i32* scores) const override {
    may_begin_.wait(false);
    scorer_->score(group, queries, scores);
    const Rectangle part{queries, references(group)};
    std::this_thread::sleep_for(std::chrono::duration<double>(pair_s_ * static_cast<double>(part.pairs())));
    coverage_.add(part, kCpu);
  }

 private:
  std::unique_ptr<CpuScorer> scorer_;
  Coverage& coverage_;
  const std::atomic<bool>& may_begin_;
  double pair_s_;
};

constexpr u32 kGpuUnit = 32;
/// Number added to the scores of a GPU's memory times its number from 1: tells where a score is from.
constexpr i32 kMark = 1'000'000;

struct FakeGpuOptions {
  bool fails = false;
  bool fails_to_copy = false;
  bool waits = false;  // until the first GPU has begun
  i32 mark = 0;
  double load_s = 200e-6;
  u64 load_pairs = 450;
};

/// A GPU that knows the oracle's scores and takes a time for each load, or fails.
class FakeGpu final : public CudaScorer {
 public:
  FakeGpu(int number, const PaparaProblem& problem, const std::vector<i32>& answers, Coverage& coverage,
          FakeGpuOptions options, std::atomic<bool>& first_begun)
      : number_(number),
        references_(problem.references().count),
        answers_(answers),
        memory_(answers.size(), -1),
        coverage_(coverage),
        options_(options),
        first_begun_(first_begun) {}
  void enqueue(const Rectangle& part) override {
    EXPECT_GT(part.pairs(), 0u);
    EXPECT_EQ(part.references.begin % kGpuUnit, 0u);
    part_ = part;
    if (number_ != 0) return;
    first_begun_ = true;
    first_begun_.notify_all();
  }
  void wait() override {
    if (options_.waits) first_begun_.wait(false);
    const u64 loads = (part_.pairs() + options_.load_pairs - 1) / options_.load_pairs;
    std::this_thread::sleep_for(std::chrono::duration<double>(options_.load_s * static_cast<double>(loads)));
    if (options_.fails) throw std::runtime_error("an illegal address");
    each(part_, [this](std::size_t pair) { memory_[pair] = answers_[pair] + options_.mark; });
    coverage_.add(part_, number_);
  }
  void download(const Rectangle& part, i32* scores) override {
    if (options_.fails_to_copy) throw std::runtime_error("an illegal address");
    each(part, [&](std::size_t pair) { scores[pair] = memory_[pair]; });
    ++downloads;
  }
  u64 resident_pairs() const override { return options_.load_pairs; }
  u32 reference_unit() const override { return kGpuUnit; }
  std::string kernel() const override { return "fake"; }
  HeldMemory held() const override { return HeldMemory().add(kOutputPart, memory_.size() * sizeof(i32)); }
  Instructions instructions() const override { return {.operations = {{"prmt", 3}}}; }

  int downloads = 0;

 private:
  template <class Function>
  void each(const Rectangle& part, Function function) const {
    for (u32 q = part.queries.begin; q < part.queries.end; ++q)
      for (u32 r = part.references.begin; r < part.references.end; ++r)
        function(std::size_t{q} * references_ + r);
  }

  int number_;
  u32 references_;
  const std::vector<i32>& answers_;
  std::vector<i32> memory_;
  Coverage& coverage_;
  FakeGpuOptions options_;
  std::atomic<bool>& first_begun_;
  Rectangle part_ = {};
};

const FakeGpuOptions kWorks{}, kFails{.fails = true};

}  // namespace gpuseq::papara::testing
