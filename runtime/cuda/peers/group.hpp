#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/contract/axes.hpp"
#include "runtime/contract/cost.hpp"
#include "runtime/cuda/device/host_device.cuh"
#include "runtime/cuda/peers/meeting.hpp"
#include "runtime/cuda/peers/open_peers.hpp"

// One problem on several GPUs of a host, each of which has a part of it and accesses only its own memory.

namespace gpuseq::cuda {

/// The axis `gpus` of variants that do so.
Axis gpus_axis();
/// Opens the peers that a point with this axis asks for. @throws as open_peers()
Peers open_peers_of(const CudaDevice& device, const Point& point);

/// The estimate for such a point. @param one  of one GPU that has all of the problem
Cost cost_on_gpus(const Cost& one, const Point& point);

/// The reason why a state whose memory accesses are counted has no bound on several GPUs.
inline constexpr const char* kNoBoundOfGpus = "several devices search, probes measure what one can do";

/// "gpus", and "peer_id", "peer_name" and "peer_uuid" of all but the first, separated by spaces.
nlohmann::json facts_of(const std::vector<Device*>& devices);

/// A GPU and its peers.
class Group {
 public:
  /// @param peers  of the device; or the same GPU, opened again
  Group(CudaDevice& device, Peers peers);

  std::size_t size() const { return peers_.size() + 1; }
  /// @param gpu  0: the device; from 1 on: its peers
  CudaDevice& operator[](std::size_t gpu) const { return gpu == 0 ? *device_ : *peers_[gpu - 1]; }

  using Enqueue = std::function<void(std::size_t gpu)>;
  /// Enqueues the parts of all GPUs, which begin together. Events of the device enclose all of them.
  void launch(const Enqueue& enqueue);
  /// Seconds of each part while no other is computed, by the name of a side sample: "alone_on_cuda:0".
  std::map<std::string, std::vector<double>> alone_s(const Enqueue& enqueue) const;

  nlohmann::json facts() const { return facts_of(devices()); }
  std::vector<Device*> devices() const;
  /// The GPU whose probes bound a GPU: the first, if it is of the same model, as a run may have no probes of
  /// the others.
  std::string probed_as(std::size_t gpu) const;
  /// Adds the memory of a part under names that end in its GPU.
  void add(HeldMemory& to, const HeldMemory& part, std::size_t gpu) const;

 private:
  CudaDevice* device_;
  Peers peers_;
  std::optional<Meeting> meeting_;
};

/// Items that follow each other: from `first` up to `end`.
struct ItemRange {
  std::size_t first = 0, end = 0;
  friend bool operator==(const ItemRange&, const ItemRange&) = default;
};

/// A range for each part, with about as much of the sum of all sizes each; of few items some have none.
/// @param begin  [items + 1] of each item in an array of all of them, and the end of the last
std::vector<ItemRange> parts_by_size(std::span<const u64> begin, std::size_t parts);

}  // namespace gpuseq::cuda
