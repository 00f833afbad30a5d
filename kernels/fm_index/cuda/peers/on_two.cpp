#include "kernels/fm_index/cuda/peers/on_two.hpp"

#include <fmt/format.h>

namespace gpuseq::fm_index {

using cuda::CudaDevice;

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

std::optional<HeldMemory> SearchOnTwo::memory() const {
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
