#include "runtime/cuda/peers/group.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gpuseq::cuda {
namespace {

constexpr const char* kAxis = "gpus";
constexpr std::int64_t kMostGpus = 16;
constexpr int kLaunchesAlone = 3;

std::string on_gpu(const std::string& part, std::string_view id) {
  return fmt::format("{} on {}", part, id);
}

}  // namespace

Axis gpus_axis() {
  return integer_axis(kAxis, {2}, 2,
                      "GPUs of the host, each with a part of the problem; that of the case is the first", 1,
                      kMostGpus);
}

Peers open_peers_of(const CudaDevice& device, const Point& point) {
  return open_peers(device, static_cast<std::size_t>(point.integer(kAxis)) - 1, PeerAccess::none);
}

Cost cost_on_gpus(const Cost& one, const Point& point) {
  Cost cost{.work = one.work, .held = {}, .why_no_bound = one.why_no_bound};
  for (std::int64_t gpu = 0; gpu < point.integer(kAxis); ++gpu)
    for (const auto& [part, bytes] : one.held.parts)
      cost.held.add(on_gpu(part, fmt::format("cuda:{}", gpu)), bytes);
  if (one.traffic)
    cost.why_no_bound = kNoBoundOfGpus;
  else if (one.instructions)
    cost.instructions = Instructions{.by_device = {{"cuda", one.instructions->operations}}};
  return cost;
}

nlohmann::json facts_of(const std::vector<Device*>& devices) {
  nlohmann::json facts{{"gpus", devices.size()}};
  for (std::size_t peer = 1; peer < devices.size(); ++peer) {
    const nlohmann::json described = devices[peer]->describe();
    for (const char* fact : {"id", "name", "uuid"}) {
      nlohmann::json& all = facts[fmt::format("peer_{}", fact)];
      const auto word = described[fact].get<std::string>();
      all = all.is_null() ? word : fmt::format("{} {}", all.get<std::string>(), word);
    }
  }
  return facts;
}

Group::Group(CudaDevice& device, Peers peers) : device_(&device), peers_(std::move(peers)) {
  std::vector<DeviceStream> streams;
  for (std::size_t gpu = 0; gpu < size(); ++gpu) streams.push_back({&(*this)[gpu], (*this)[gpu].stream()});
  meeting_.emplace(streams);
}

void Group::launch(const Enqueue& enqueue) {
  meeting_->meet();
  for (std::size_t gpu = 0; gpu < size(); ++gpu) enqueue(gpu);
  meeting_->meet();
}

std::map<std::string, std::vector<double>> Group::alone_s(const Enqueue& enqueue) const {
  std::map<std::string, std::vector<double>> seconds;
  for (std::size_t gpu = 0; gpu < size(); ++gpu) {
    CudaDevice& device = (*this)[gpu];
    for (int i = 0; i < kLaunchesAlone; ++i)
      seconds[on_gpu("alone", device.id())].push_back(device.time_s([&] { enqueue(gpu); }));
  }
  return seconds;
}

std::vector<Device*> Group::devices() const {
  std::vector<Device*> devices;
  for (std::size_t gpu = 0; gpu < size(); ++gpu) devices.push_back(&(*this)[gpu]);
  return devices;
}

std::string Group::probed_as(std::size_t gpu) const {
  const bool alike = (*this)[gpu].describe()["name"] == device_->describe()["name"];
  return (alike ? *device_ : (*this)[gpu]).id();
}

void Group::add(HeldMemory& to, const HeldMemory& part, std::size_t gpu) const {
  for (const auto& [name, bytes] : part.parts) to.add(on_gpu(name, (*this)[gpu].id()), bytes);
}

std::vector<ItemRange> parts_by_size(std::span<const u64> begin, std::size_t parts) {
  const std::size_t items = begin.size() - 1;
  const u64 all = begin.back() - begin.front();
  std::vector<ItemRange> ranges;
  std::size_t first = 0;
  for (std::size_t part = 1; part <= parts; ++part) {
    // In two terms, whose products do not overflow.
    const u64 wanted = begin.front() + all / parts * part + all % parts * part / parts;
    const auto at = std::ranges::lower_bound(begin, wanted) - begin.begin();
    const std::size_t end = part == parts ? items : std::clamp(static_cast<std::size_t>(at), first, items);
    ranges.push_back({first, end});
    first = end;
  }
  return ranges;
}

}  // namespace gpuseq::cuda
