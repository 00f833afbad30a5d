#include "runtime/cuda/peers/open_peers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/driver_api.hpp"

namespace gpuseq::cuda {
namespace {

bool can_access(CUdevice from, CUdevice to) {
  int can = 0;
  check(driver().device_can_access_peer(&can, from, to), "cuDeviceCanAccessPeer");
  return can != 0;
}

CUdevice handle_of(int ordinal) {
  CUdevice device = 0;
  check(driver().device_get(&device, ordinal), "cuDeviceGet");
  return device;
}

}  // namespace

std::vector<int> choose_peers(int device, int devices, std::size_t count,
                              const std::function<bool(int from, int to)>& reaches) {
  std::vector<int> chosen{device};
  for (int other = 0; other < devices && chosen.size() <= count; ++other)
    if (other != device &&
        std::ranges::all_of(chosen, [&](int one) { return reaches(one, other) && reaches(other, one); }))
      chosen.push_back(other);
  chosen.erase(chosen.begin());
  return chosen;
}

Peers open_peers(const CudaDevice& device, std::size_t count, PeerAccess access) {
  const int devices = device_count().value.value_or(0);
  const std::vector<int> chosen = choose_peers(device.ordinal(), devices, count, [access](int from, int to) {
    return access == PeerAccess::none || can_access(handle_of(from), handle_of(to));
  });
  if (chosen.size() < count)
    throw ResourceError(fmt::format("{} needs {} other CUDA device{}{}: found {} of the {} here", device.id(),
                                    count, count == 1 ? "" : "s",
                                    access == PeerAccess::all ? ", which all reach each other's memory" : "",
                                    chosen.size(), devices - 1));
  Peers peers;
  for (const int ordinal : chosen) peers.push_back(std::make_shared<CudaDevice>(ordinal));
  return peers;
}

void allow_access(const CudaDevice& device, const CudaDevice& peer) {
  if (device.handle() == peer.handle()) return;
  if (!can_access(device.handle(), peer.handle()))
    throw ResourceError(fmt::format("kernels of {} cannot reach the memory of {}", device.id(), peer.id()));
  device.make_current();
  const CUresult status = driver().ctx_enable_peer_access(peer.context(), 0);
  if (status != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) check(status, "cuCtxEnablePeerAccess");
}

}  // namespace gpuseq::cuda
