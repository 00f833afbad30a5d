#include "kernels/fm_index/cuda/neighbours/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/fm_index/cuda/neighbours/device_index.hpp"
#include "kernels/fm_index/data/verify.cuh"
#include "runtime/contract/devices_at_work.hpp"
#include "runtime/cuda/side_stream.hpp"

namespace gpuseq::fm_index {
namespace {

using cuda::CudaDevice;
using cuda::DeviceBuffer;

constexpr std::size_t kDevices = 2;

/// What one of the devices has.
struct Part {
  CudaDevice* device;
  QueryRange range;
  std::shared_ptr<cuda::Kernel> kernel;
  DeviceQueries queries;
  DeviceBuffer intervals;
  SearchArguments arguments = {};
  unsigned blocks = 1;
};

/// What is timed is from before either device begins to after both have ended, by events of the one that the
/// state is of: the other waits for the first and is waited for.
class SearchOnTwo final : public SearchSession, public DevicesAtWork {
 public:
  SearchOnTwo(FmProblem& problem, const SearchPoint& at, CudaDevice& device,
              const std::shared_ptr<CudaDevice>& neighbour)
      : SearchSession(problem, host_index(problem, at, {&device, neighbour.get()}), RowsRead::counted),
        at_(at),
        device_(device),
        index_on_(device_index_of(*index_, at.index_on, device, neighbour)),
        side_(device, *index_on_->neighbour()) {
    for (std::size_t i = 0; i < kDevices; ++i) parts_.push_back(part(i));
  }

  void launch() override {
    launched_ = true;
    side_.fork();
    for (std::size_t i = 0; i < kDevices; ++i) {
      Part& part = parts_[i];
      if (part.range.count == 0) continue;
      std::array<void*, 1> arguments{&part.arguments};
      part.kernel->launch(part.blocks, at_.policy.threads_per_block, at_.policy.shared_bytes(), arguments,
                          i == 0 ? nullptr : side_.stream());
    }
    side_.join();
  }

  std::vector<Interval<u64>> answers() override {
    if (!launched_) launch();
    device_.synchronize();  // with it the neighbour's launch is done
    std::vector<Interval<u64>> answers(problem_.queries().begin.size());
    double seconds = 0;
    for (Part& part : parts_)
      seconds += download_intervals(at_.policy, part.intervals, *part.device,
                                    std::span(answers).subspan(part.range.first, part.range.count));
    download_s_.push_back(seconds);
    return answers;
  }

  std::optional<Traffic> traffic() const override { return std::nullopt; }

  /// Of the device that the state is of; the other has the same kernel and grid if it is alike.
  std::optional<Resources> resources() const override {
    return parts_[0].kernel->resources(parts_[0].blocks, at_.policy.threads_per_block,
                                       at_.policy.shared_bytes());
  }

  std::optional<HeldMemory> memory() const override {
    HeldMemory held;
    for (std::size_t i = 0; i < kDevices; ++i) {
      const auto add = [&](const char* name, std::size_t bytes) {
        held.add(fmt::format("{} on {}", name, parts_[i].device->id()), bytes);
      };
      add(kIndexPart, index_on_->index_bytes(i));
      add(kPrefixTablePart, index_on_->prefix_bytes(i));
      add(kQueriesPart, parts_[i].queries.bytes());
      add(kOutputPart, parts_[i].intervals.size());
    }
    return held;
  }

  /// Devices take their queries, and give their answers, one after the other.
  std::map<std::string, std::vector<double>> side_samples_s() override {
    std::map<std::string, std::vector<double>> samples = SearchSession::side_samples_s();
    samples["upload"] = {parts_[0].queries.upload_s() + parts_[1].queries.upload_s()};
    samples["upload_index"] = {index_on_->upload_s()};
    if (!download_s_.empty()) samples["download"] = download_s_;
    return samples;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = SearchSession::facts();
    const nlohmann::json neighbour = index_on_->neighbour()->describe();
    for (const char* fact : {"id", "name", "uuid"})
      facts[fmt::format("neighbour_{}", fact)] = neighbour[fact];
    facts["resident_threads"] =
        std::uint64_t{parts_[0].blocks + parts_[1].blocks} * at_.policy.threads_per_block;
    facts["remote_share"] = at_.index_on == IndexOn::halves
                                ? remote_share(problem_.queries(), *index_, index_on_->entries_on_first())
                                : 0.0;
    return facts;
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = SearchSession::notes();
    notes.insert(notes.end(), notes_.begin(), notes_.end());
    return notes;
  }

  std::vector<Device*> devices_at_work() const override { return {&device_, index_on_->neighbour()}; }

 private:
  Part part(std::size_t number) {
    CudaDevice& on = number == 0 ? device_ : *index_on_->neighbour();
    const QueryRange range = queries_of_device(problem_.queries().begin.size(), number);
    Part part{.device = &on,
              .range = range,
              .kernel = search_kernel_on(on, at_, problem_.cache_dir()),
              .queries = DeviceQueries(problem_.queries(), range, on),
              .intervals = DeviceBuffer(on, range.count * interval_bytes(at_.policy))};
    part.arguments = search_arguments(at_.policy, index_on_->view(*index_, number), part.queries.view(),
                                      part.intervals.as<void>());
    part.blocks = search_blocks(at_, *part.kernel, on, range.count, notes_);
    return part;
  }

  SearchPoint at_;
  CudaDevice& device_;
  std::shared_ptr<const DeviceIndex> index_on_;  // before what lies on its neighbour
  cuda::SideStream side_;
  std::vector<Part> parts_;
  std::vector<double> download_s_;
  bool launched_ = false;
  std::vector<std::string> notes_;
};

}  // namespace

QueryRange queries_of_device(std::size_t queries, std::size_t part) {
  const std::size_t first = (queries + 1) / 2;
  return part == 0 ? QueryRange{0, first} : QueryRange{first, queries - first};
}

double remote_share(const Queries& queries, const Index& index, u64 entries_on_first) {
  constexpr std::size_t kMost = 2000;
  const std::size_t count = queries.begin.size(), counted = std::min(count, kMost);
  const u32 k = index.layout.k;
  const u64 word_bytes = index.view.blocks_per_word * index.layout.entry_bytes();
  const std::size_t first_of_second = queries_of_device(count, 1).first;
  u64 steps = 0, remote = 0;
  for (std::size_t i = 0; i < counted; ++i) {
    const std::size_t query = i * count / counted;
    const u32* packed = queries.packed.data() + u64{queries.begin[query]} * 4;
    const auto word_at = [packed](u32 number) { return packed[number]; };
    for (u32 at = prefix_length(queries.bases[query], index.view.prefix_symbols, k);
         at < queries.bases[query]; at += k, ++steps) {
      // Blocks of a word lie one behind the other; where they lie on both devices, by their middle.
      const u64 middle = query_symbols(at, k, word_at) * word_bytes + word_bytes / 2;
      remote += (middle < entries_on_first) == (query < first_of_second) ? 0 : 1;
    }
  }
  return steps == 0 ? 0 : static_cast<double>(remote) / static_cast<double>(steps);
}

std::string no_ceiling_on_two(IndexOn on) {
  return on == IndexOn::halves
             ? "half of what each device reads comes over the link, and the rest from its own "
               "memory: no probe reads both at a time"
             : "two devices search, probes measure what one can do";
}

std::unique_ptr<SearchSession> prepare_on_two(FmProblem& problem, const SearchPoint& at, CudaDevice& device,
                                              const std::shared_ptr<CudaDevice>& neighbour) {
  return std::make_unique<SearchOnTwo>(problem, at, device, neighbour);
}

}  // namespace gpuseq::fm_index
