#include "kernels/profile_hmm/cuda/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "kernels/common/load_kernel.hpp"
#include "kernels/profile_hmm/cuda/tables.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/embedded.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::profile_hmm {
namespace {

GPUSEQ_EMBEDDED(profile_hmm_fatbin)

using cuda::CudaDevice;
using cuda::DeviceBuffer;

constexpr std::size_t kLeastBuffer = 16;  // bytes

template <typename T>
DeviceBuffer uploaded(CudaDevice& device, const std::vector<T>& values) {
  DeviceBuffer buffer(device, std::max(values.size() * sizeof(T), kLeastBuffer));
  if (!values.empty()) buffer.upload(values);
  return buffer;
}

/// Counters of the kernels: entries taken by the first and by the second, and entries left to the second.
enum Counter : u32 { kTaken, kTakenAgain, kLeft, kCounters };

u64 tables_bytes(const Policy& policy, u32 model_length) {
  const u32 words = words_of(policy, model_length);
  return std::max(policy.cost_words(words) * sizeof(u32), kLeastBuffer) +
         std::max(policy.step_words(words) * sizeof(u32), kLeastBuffer);
}

/// Assumes that the last chunk of every sequence is all padding.
HeldMemory estimated_held(const Policy& policy, const FilterShape& shape, const OutlinedSizes& sizes) {
  const std::optional<Policy> second = second_policy(policy, shape);
  return HeldMemory()
      .add("sequences", std::max(sizes.residues + (kChunk - 1) * sizes.sequences, u64{kLeastBuffer}) +
                            sizes.sequences * sizeof(SequenceEntry))
      .add("model", tables_bytes(policy, shape.model_length) +
                        (second ? tables_bytes(*second, shape.model_length) : 0))
      .add(kOutputPart, sizes.sequences * sizeof(RawScore))
      .add(kWorkspacePart, (second ? sizes.sequences * sizeof(u32) : 0) + kCounters * sizeof(u32));
}

/// One kernel with the tables it reads.
struct Stage {
  Policy policy;
  std::shared_ptr<cuda::Kernel> kernel;
  DeviceBuffer costs, steps;
  FilterArguments arguments{};
  u32 shared_bytes = 0;
  u32 blocks = 1;
  double load_s = 0;  // seconds until the kernel was ready: compiled, or found in the cache or the program
};

class CudaFiltering final : public FilterSession {
 public:
  CudaFiltering(FilterProblem& problem, const FilterPoint& at, CudaDevice& device)
      : FilterSession(problem), device_(device) {
    const auto range = word_range(problem.profile(), problem.sequences().longest());
    range_ = range.value_or(WordRange{});
    const FilterShape shape{.filter = problem.filter(),
                            .model_length = problem.profile().length,
                            .words_exact = range.has_value(),
                            .shared_bytes = static_cast<std::size_t>(
                                device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN))};
    const Policy policy = choose_policy(at, shape);
    upload_sequences(at.sorted);
    main_ = make_stage(policy, at.ahead_of_time);
    main_.arguments.next = counter(kTaken);
    const auto second = second_policy(policy, shape);
    if (!second) return;
    again_ = DeviceBuffer(device, std::max<std::size_t>(entry_count_, 1) * sizeof(u32));
    second_ = make_stage(*second, filter_kernels().is_ahead_of_time(*second));
    second_->arguments.next = counter(kTakenAgain);
    second_->arguments.selected = again_.as<const u32>();
    second_->arguments.selected_count = counter(kLeft);
    main_.arguments.again = again_.as<u32>();
    main_.arguments.again_count = counter(kLeft);
  }

  void launch() override {
    counters_.fill(0);
    run(main_);
    if (second_) run(*second_);
    launched_ = true;
  }

  std::vector<RawScore> scores() override {
    if (!launched_) launch();
    device_.synchronize();
    const Sequences& sequences = problem_.sequences();
    std::vector<RawScore> scores(sequences.count());
    download_s_.push_back(
        device_.time_s([&] { scores_.download(std::as_writable_bytes(std::span(scores))); }));
    for (u64 i = 0; i < sequences.count(); ++i)
      if (sequences.length(i) == 0) scores[i] = kNoScore;
    return scores;
  }

  std::optional<Resources> resources() const override {
    return main_.kernel->resources(main_.blocks, main_.policy.threads_per_block(), main_.shared_bytes);
  }

  HeldMemory held() const override {
    HeldMemory held;
    held.add("sequences", residues_.size() + entries_.size())
        .add("model", main_.costs.size() + main_.steps.size())
        .add(kOutputPart, scores_.size())
        .add(kWorkspacePart, again_.size() + counters_.size());
    if (second_) held.add("model", second_->costs.size() + second_->steps.size());
    return held;
  }

  std::map<std::string, std::vector<double>> side_samples_s() override {
    std::map<std::string, std::vector<double>> samples{{"upload", {upload_s_}},
                                                       {"load_kernel", {main_.load_s}}};
    if (!download_s_.empty()) samples["download"] = download_s_;
    return samples;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = FilterSession::facts();
    const Policy& policy = main_.policy;
    facts["kernel"] = filter_kernels().name(policy);
    facts["words"] = main_.arguments.words;
    facts["lanes"] = policy.lanes;
    facts["padded_share"] = 1 - static_cast<double>(problem_.profile().length) /
                                    (main_.arguments.words * policy.lanes * policy.states());
    if (second_ && launched_) facts["scored_again"] = scored_again();
    return facts;
  }

 protected:
  std::optional<Instructions> instructions() const override {
    return instructions_of(main_.policy, main_.arguments.words,
                           static_cast<double>(problem_.sequences().residues()));
  }

 private:
  void upload_sequences(bool sorted) {
    const PackedSequences packed = pack_sequences(problem_.sequences(), sorted);
    upload_s_ = device_.time_s([&] {
      residues_ = uploaded(device_, packed.residues);
      entries_ = uploaded(device_, packed.entries);
    });
    entry_count_ = static_cast<u32>(packed.entries.size());
    scores_ =
        DeviceBuffer(device_, std::max<std::size_t>(problem_.sequences().count(), 1) * sizeof(RawScore));
    counters_ = DeviceBuffer(device_, kCounters * sizeof(u32));
  }

  Stage make_stage(const Policy& policy, bool ahead_of_time) {
    const Profile& profile = problem_.profile();
    const u32 words = words_of(policy, profile.length);
    const FilterTables tables = make_tables(policy, profile, words, range_);
    const auto start = std::chrono::steady_clock::now();
    std::shared_ptr<cuda::Kernel> kernel =
        load_kernel(filter_kernels(), policy, ahead_of_time, embedded_profile_hmm_fatbin(), device_headers(),
                    device_, problem_.cache_dir());
    const double load_s = seconds_since(start);
    Stage stage{.policy = policy,
                .kernel = std::move(kernel),
                .costs = uploaded(device_, tables.costs),
                .steps = uploaded(device_, tables.steps),
                .arguments = profile_arguments(policy, profile, range_),
                .shared_bytes = static_cast<u32>(policy.shared_words(words) * sizeof(u32)),
                .load_s = load_s};
    stage.arguments.costs = stage.costs.as<const u32>();
    stage.arguments.steps = stage.steps.as<const u32>();
    stage.arguments.residues = residues_.as<const u8>();
    stage.arguments.entries = entries_.as<const SequenceEntry>();
    stage.arguments.entry_count = entry_count_;
    stage.arguments.scores = scores_.as<i16>();
    stage.arguments.words = words;
    if (stage.shared_bytes > 0) stage.kernel->allow_shared_bytes(stage.shared_bytes);
    // One wave of blocks, at most as many as there are sequences for.
    const u64 resident = u64{resident_blocks(stage, policy)} * static_cast<u64>(device_.multiprocessors());
    const u64 sequences_of_block = u64{policy.warps_per_block} * policy.groups();
    stage.blocks = static_cast<u32>(
        std::max<u64>(1, std::min(resident, (entry_count_ + sequences_of_block - 1) / sequences_of_block)));
    return stage;
  }

  /// Blocks per multiprocessor: the occupancy limit, or the policy's value.
  static u32 resident_blocks(const Stage& stage, const Policy& policy) {
    const auto held =
        static_cast<u32>(stage.kernel->resident_blocks(policy.threads_per_block(), stage.shared_bytes));
    if (policy.resident_warps == 0) return held;
    if (held < policy.resident_blocks())
      throw ResourceError(fmt::format("resident_warps = {}: a multiprocessor holds {} warps of this kernel",
                                      policy.resident_warps, held * policy.warps_per_block));
    return policy.resident_blocks();
  }

  void run(Stage& stage) {
    std::array<void*, 1> arguments{&stage.arguments};
    stage.kernel->launch(stage.blocks, stage.policy.threads_per_block(), stage.shared_bytes, arguments);
  }

  u32* counter(Counter which) const { return counters_.as<u32>() + which; }

  u32 scored_again() const {
    u32 count = 0;
    counters_.download(std::as_writable_bytes(std::span(&count, 1)), kLeft * sizeof(u32));
    return count;
  }

  CudaDevice& device_;
  WordRange range_;
  DeviceBuffer residues_, entries_, scores_, again_;
  DeviceBuffer counters_;  // [kCounters]
  u32 entry_count_ = 0;
  double upload_s_ = 0;
  std::vector<double> download_s_;
  Stage main_;
  std::optional<Stage> second_;  // scores the entries that the first leaves
  bool launched_ = false;
};

}  // namespace

std::unique_ptr<FilterSession> make_cuda_session(FilterProblem& problem, const FilterPoint& at,
                                                 cuda::CudaDevice& device) {
  return std::make_unique<CudaFiltering>(problem, at, device);
}

Cost filter_cost(const Policy& policy, const FilterShape& shape, const OutlinedSizes& sizes) {
  return {.work = {.amount = sizes.cells(), .unit = "cells"},
          .held = sizes.known() ? estimated_held(policy, shape, sizes) : HeldMemory(),
          .traffic = std::nullopt,
          .instructions = instructions_of(policy, words_of(policy, shape.model_length),
                                          static_cast<double>(sizes.residues)),
          .why_no_bound = {}};
}

}  // namespace gpuseq::profile_hmm
