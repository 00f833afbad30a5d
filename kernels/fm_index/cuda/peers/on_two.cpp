#include "kernels/fm_index/cuda/peers/on_two.hpp"

#include <fmt/format.h>

#include "kernels/fm_index/cuda/routes.hpp"

namespace gpuseq::fm_index {

using cuda::CudaDevice;

HeldMemory held_on_two(const SearchPoint& at, const SearchSizes& sizes) {
  constexpr u64 kUnit = u64{2} << 20;  // in which CUDA maps memory of GPUs
  const Layout layout = layout_for(at.policy.layout(), sizes);
  const u64 interval_bytes = layout.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>);
  const u64 all = index_bytes_at_most(layout, sizes), small = superblocks_bytes(layout, sizes.rows());
  const bool halves = at.index_on == IndexOn::halves, routed = at.policy.scheme == Scheme::one_hot_routed;
  QuerySizes queries = sizes.queries;
  if (!routed) {
    queries.count = (queries.count + 1) / 2;
    queries.units = (queries.units + queries.longest / 64 + 2) / 2;
  }
  HeldMemory held;
  for (const char* device : {"cuda:0", "cuda:1"}) {
    const auto add = [&](const char* name, u64 bytes) {
      held.add(fmt::format("{} on {}", name, device), bytes);
    };
    add(kIndexPart, all == 0 ? 0 : halves ? (all - small) / 2 + kUnit + small : all);
    add(kPrefixTablePart, prefix_bytes(layout, at.prefix_symbols));
    add(kQueriesPart, routed ? route_bytes_at_most(at, queries) : device_query_bytes(queries));
    add(kWorkspacePart, routed ? 2 * (queries.count + 128) * interval_bytes : 0);
    add(kOutputPart, queries.count * interval_bytes);
  }
  return held;
}

SearchOnTwo::SearchOnTwo(FmProblem& problem, const SearchPoint& at, CudaDevice& device,
                         const std::shared_ptr<CudaDevice>& peer)
    : SearchSession(problem, host_index(problem, at, {&device, peer.get()}), RowsRead::counted),
      at_(at),
      device_(device),
      index_on_(device_index_of(*index_, at.index_on, device, peer)) {}

void SearchOnTwo::prepare(std::size_t number, const QueryView& queries) {
  CudaDevice& on = device_of(number);
  Part& part = parts_[number];
  part.device = &on;
  part.kernel = search_kernel_on(on, at_, problem_.cache_dir());
  part.intervals = cuda::DeviceBuffer(on, queries.count * interval_bytes(at_.policy));
  part.arguments =
      search_arguments(at_.policy, index_on_->view(*index_, number), queries, part.intervals.as<void>());
  part.blocks = search_blocks(at_, *part.kernel, on, queries.count, notes_);
}

std::optional<Resources> SearchOnTwo::resources() const {
  return parts_[0].kernel->resources(parts_[0].blocks, at_.policy.threads_per_block,
                                     at_.policy.shared_bytes());
}

HeldMemory SearchOnTwo::held() const {
  HeldMemory held;
  for (std::size_t i = 0; i < kDevices; ++i) {
    const auto add = [&](const char* name, std::size_t bytes) {
      held.add(fmt::format("{} on {}", name, parts_[i].device->id()), bytes);
    };
    add(kIndexPart, index_on_->index_bytes(i));
    add(kPrefixTablePart, index_on_->prefix_bytes(i));
    add(kWorkspacePart, parts_[i].workspace_bytes);
    add(kQueriesPart, parts_[i].query_bytes);
    add(kOutputPart, parts_[i].intervals.size());
  }
  return held;
}

std::map<std::string, std::vector<double>> SearchOnTwo::side_samples_s() {
  std::map<std::string, std::vector<double>> samples = SearchSession::side_samples_s();
  samples["upload"] = {parts_[0].upload_s + parts_[1].upload_s};
  samples["upload_index"] = {index_on_->upload_s()};
  if (!download_s_.empty()) samples["download"] = download_s_;
  return samples;
}

nlohmann::json SearchOnTwo::facts() const {
  nlohmann::json facts = SearchSession::facts();
  const nlohmann::json peer = index_on_->peer()->describe();
  for (const char* fact : {"id", "name", "uuid"}) facts[fmt::format("peer_{}", fact)] = peer[fact];
  facts["resident_threads"] =
      std::uint64_t{parts_[0].blocks + parts_[1].blocks} * at_.policy.threads_per_block;
  return facts;
}

std::vector<std::string> SearchOnTwo::notes() const {
  std::vector<std::string> notes = SearchSession::notes();
  notes.insert(notes.end(), notes_.begin(), notes_.end());
  return notes;
}

}  // namespace gpuseq::fm_index
