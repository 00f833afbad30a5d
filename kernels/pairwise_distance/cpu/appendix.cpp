// `appendix`: the C function of the paper's appendix 1, which its speed-ups are measured against: all n^2
// pairs one after the other, values of 32 bits, sums in memory, one thread.
//
// It is compiled without vectors, as the paper's was: the functions ask the compiler for none. (They would
// hardly be possible: data and distance are both pointers to int, as in the paper, so that each sum must be
// in memory before the next value is read.)
//
// Bound by: instructions, 8 for a comparison, among them the store of the sum.
//
// Source: Payne, Sinnott-Armstrong and Moore 2010, appendix 1. It has Hamming distances of values none of
// which is missing; the same loops do the other cases.

#include "kernels/pairwise_distance/cpu/appendix.hpp"

#include <algorithm>

#include "kernels/pairwise_distance/require_codes.hpp"
#include "runtime/system/host_memory.hpp"

#if defined(__clang__)
#define GPUSEQ_NO_VECTORS
#define GPUSEQ_NO_VECTORS_IN_LOOP _Pragma("clang loop vectorize(disable) interleave(disable)")
#else
#define GPUSEQ_NO_VECTORS [[gnu::noinline, gnu::optimize("no-tree-vectorize")]]
#define GPUSEQ_NO_VECTORS_IN_LOOP
#endif

namespace gpuseq::pairwise_distance {
namespace {

/// As printed, with the paper's global variables as arguments.
GPUSEQ_NO_VECTORS void appendix(int* data, int* distance, const u64 instances, const u64 attributes) {
  for (u64 i = 0; i < instances; i++) {
    for (u64 j = 0; j < instances; j++) {
      GPUSEQ_NO_VECTORS_IN_LOOP
      for (u64 k = 0; k < attributes; k++) {
        distance[i + instances * j] += (data[i * attributes + k] != data[j * attributes + k]);
      }
    }
  }
}

constexpr int kMissing = -1;

/// The same for other metrics and where values, negative here, are missing.
template <bool kAnyMissing>
GPUSEQ_NO_VECTORS void appendix_of(Metric metric, const int* data, int* distance, int* compared,
                                   const u64 instances, const u64 attributes) {
  for (u64 i = 0; i < instances; i++) {
    for (u64 j = 0; j < instances; j++) {
      GPUSEQ_NO_VECTORS_IN_LOOP
      for (u64 k = 0; k < attributes; k++) {
        const int a = data[i * attributes + k], b = data[j * attributes + k];
        if constexpr (kAnyMissing) {
          if (a < 0 || b < 0) continue;
          ++compared[i + instances * j];
        }
        // Sums that need the sign are as right: the sum wraps around.
        const u32 sum = static_cast<u32>(distance[i + instances * j]);
        distance[i + instances * j] =
            static_cast<int>(sum + value_distance(metric, static_cast<u32>(a), static_cast<u32>(b)));
      }
    }
  }
}

/// A store of every sum: no other part of it compares with a probe's vectors. A store
/// waits for the one before it, so that a probe of independent stores is no slower.
Instructions instructions_of(double stores) {
  return {.operations = {{"store", stores}}, .target = "sse4"};
}

class AppendixSession final : public DistanceSession {
 public:
  explicit AppendixSession(DistanceProblem& problem) : DistanceSession(problem) {
    const Instances& instances = problem.instances();
    require_codes(problem.metric());
    if (problem.memory_limit() > 0)
      throw DoesNotFit("appendix computes all distances at once; use bytes, or bit_planes");
    const u64 entries = instances.count * instances.count;
    require_host_memory(
        entries * (instances.has_missing() ? 2 : 1) * sizeof(int) + instances.codes.size() * sizeof(int),
        "the values as 32-bit numbers and the distances of all pairs");
    result_.count = instances.count;
    result_.sum.resize(entries);
    if (instances.has_missing()) result_.compared.resize(entries);
    data_.assign(instances.codes.begin(), instances.codes.end());
    for (u64 i = 0; i < instances.missing.size(); ++i)
      if (instances.missing[i] != 0) data_[i] = kMissing;
  }

  void launch() override {
    const u64 instances = result_.count, attributes = problem_.instances().attributes;
    std::ranges::fill(result_.sum, 0u);
    std::ranges::fill(result_.compared, 0u);
    // An unsigned number may be written as a signed one.
    int* const distance = reinterpret_cast<int*>(result_.sum.data());
    int* const compared = reinterpret_cast<int*>(result_.compared.data());
    if (!result_.compared.empty())
      appendix_of<true>(problem_.metric(), data_.data(), distance, compared, instances, attributes);
    else if (problem_.metric() != Metric::hamming)
      appendix_of<false>(problem_.metric(), data_.data(), distance, compared, instances, attributes);
    else
      appendix(data_.data(), distance, instances, attributes);
    launched_ = true;
  }

  const Distances& distances() override {
    if (!launched_) launch();
    return result_;
  }

  Cost cost() const override {
    return {.work = work(), .held = held(), .instructions = instructions_of(stores())};
  }

  HeldMemory held() const override {
    return HeldMemory().add("instances", data_.size() * sizeof(int)).add(kOutputPart, result_.bytes());
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = DistanceSession::facts();
    facts["threads"] = 1;
    facts["pairs_computed"] = static_cast<double>(result_.count) * static_cast<double>(result_.count);
    return facts;
  }

 private:
  /// The loads and stores of a sum for each attribute that both instances
  /// of a pair have and, where values are missing, of their number.
  double stores() const {
    const u64 attributes = problem_.instances().attributes;
    double stores = 0;
    for (u64 k = 0; k < attributes; ++k) {
      double present = 0;
      for (u64 i = 0; i < result_.count; ++i) present += data_[i * attributes + k] >= 0 ? 1 : 0;
      stores += present * present;
    }
    return stores * (result_.compared.empty() ? 1 : 2);
  }

  std::vector<int> data_;  // [count x attributes]
  Distances result_;
  bool launched_ = false;
};

}  // namespace

Cost appendix_cost(const StateOutline& state) {
  const KnownData data = known_data(state.problem);
  require_codes(data.metric);
  const Work work = work_of(data);
  return {.work = work,
          .held = HeldMemory()
                      .add("instances", data.instances * data.attributes * sizeof(int))
                      .add(kOutputPart, matrix_bytes(data)),
          .instructions = instructions_of(work.amount * (data.missing ? 2 : 1))};
}

std::unique_ptr<DistanceSession> make_appendix_session(DistanceProblem& problem) {
  return std::make_unique<AppendixSession>(problem);
}

}  // namespace gpuseq::pairwise_distance
