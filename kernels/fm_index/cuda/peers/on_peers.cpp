#include "kernels/fm_index/cuda/peers/on_peers.hpp"

#include <fmt/format.h>

#include "runtime/cuda/peers/group.hpp"

namespace gpuseq::fm_index {
namespace {

using cuda::CudaDevice;

std::vector<const CudaDevice*> all_of(const CudaDevice& device, const cuda::Peers& peers) {
  std::vector<const CudaDevice*> all{&device};
  for (const auto& peer : peers) all.push_back(peer.get());
  return all;
}

}  // namespace

HeldMemory held_on_peers(const SearchPoint& at, const SearchSizes& sizes) {
  const Layout layout = layout_for(at.policy.layout(), sizes);
  const u64 interval_bytes = layout.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>);
  const u64 all = index_bytes_at_most(layout, sizes), small = superblocks_bytes(layout, sizes.rows());
  const bool routed = at.policy.scheme == Scheme::one_hot_routed, parts = at.index_on == IndexOn::parts;
  QuerySizes queries = sizes.queries;
  if (!parts) {
    queries.count = (queries.count + at.gpus - 1) / at.gpus;
    queries.units = queries.units / at.gpus + queries.longest / 64 + 2;
  }
  HeldMemory held;
  for (u32 device = 0; device < at.gpus; ++device) {
    const auto add = [&](const char* name, u64 bytes) {
      held.add(fmt::format("{} on cuda:{}", name, device), bytes);
    };
    add(kIndexPart, all == 0 ? 0 : entries_bytes_on_device(at, all - small) + small);
    add(kPrefixTablePart, prefix_bytes(layout, at.prefix_symbols));
    add(kQueriesPart, routed ? route_bytes_at_most(at, queries) : device_query_bytes(queries));
    add(kWorkspacePart, parts ? 2 * (queries.count + 128) * interval_bytes : 0);
    add(kOutputPart, queries.count * interval_bytes);
  }
  return held;
}

std::vector<Windows> windows_of_all(FmProblem& problem, const SearchPoint& at, CudaDevice& device,
                                    const cuda::Peers& peers) {
  const std::shared_ptr<const Index> index = host_index(problem, at, all_of(device, peers));
  std::vector<Windows> windows{windows_of(at, *index, device, problem.cache_dir())};
  for (const auto& peer : peers) windows.push_back(windows_of(at, *index, *peer, problem.cache_dir()));
  return windows;
}

SearchOnPeers::SearchOnPeers(FmProblem& problem, const SearchPoint& at, CudaDevice& device,
                             const cuda::Peers& peers)
    : SearchSession(problem, host_index(problem, at, all_of(device, peers)), RowsRead::counted),
      at_(at),
      device_(device),
      index_on_(device_index_of(*index_, at.index_on, device, peers)),
      parts_(index_on_->devices()) {}

void SearchOnPeers::prepare(std::size_t number, const QueryView& queries) {
  CudaDevice& on = index_on_->device(number);
  Part& part = parts_[number];
  part.kernel = search_kernel_on(on, at_, problem_.cache_dir());
  part.intervals = cuda::DeviceBuffer(on, queries.count * interval_bytes(at_.policy));
  part.arguments =
      search_arguments(at_.policy, index_on_->view(*index_, number), queries, part.intervals.as<void>());
  part.blocks = search_blocks(at_, *part.kernel, on, queries.count, notes_);
}

std::optional<Resources> SearchOnPeers::resources() const {
  return parts_[0].kernel->resources(parts_[0].blocks, at_.policy.threads_per_block,
                                     at_.policy.shared_bytes());
}

HeldMemory SearchOnPeers::held() const {
  HeldMemory held;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto add = [&](const char* name, std::size_t bytes) {
      held.add(fmt::format("{} on {}", name, index_on_->device(i).id()), bytes);
    };
    add(kIndexPart, index_on_->index_bytes(i));
    add(kPrefixTablePart, index_on_->prefix_bytes(i));
    add(kWorkspacePart, parts_[i].workspace_bytes);
    add(kQueriesPart, parts_[i].query_bytes);
    add(kOutputPart, parts_[i].intervals.size());
  }
  return held;
}

std::map<std::string, std::vector<double>> SearchOnPeers::side_samples_s() {
  std::map<std::string, std::vector<double>> samples = SearchSession::side_samples_s();
  double upload_s = 0;
  for (const Part& part : parts_) upload_s += part.upload_s;
  samples["upload"] = {upload_s};
  samples["upload_index"] = {index_on_->upload_s()};
  if (at_.policy.scheme == Scheme::one_hot_routed) samples["route_queries"] = {route_s_};
  if (!download_s_.empty()) samples["download"] = download_s_;
  return samples;
}

nlohmann::json SearchOnPeers::facts() const {
  nlohmann::json facts = SearchSession::facts();
  facts.update(cuda::facts_of(devices_at_work()));
  std::uint64_t blocks = 0;
  for (const Part& part : parts_) blocks += part.blocks;
  facts["resident_threads"] = blocks * at_.policy.threads_per_block;
  return facts;
}

std::vector<std::string> SearchOnPeers::notes() const {
  std::vector<std::string> notes = SearchSession::notes();
  notes.insert(notes.end(), notes_.begin(), notes_.end());
  return notes;
}

std::vector<Device*> SearchOnPeers::devices_at_work() const {
  std::vector<Device*> devices;
  for (std::size_t i = 0; i < parts_.size(); ++i) devices.push_back(&index_on_->device(i));
  return devices;
}

}  // namespace gpuseq::fm_index
