#pragma once

#include <vector>

#include "runtime/contract/device.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq {

/// A session whose launches keep other devices busy than the one that it was prepared on, or several.
class DevicesAtWork {
 public:
  virtual ~DevicesAtWork() = default;
  /// Of the last launches; they live as long as the session.
  virtual std::vector<Device*> devices_at_work() const = 0;
};

/// The devices that a session's launches keep busy: those that it names, else the one it was prepared on.
inline std::vector<Device*> devices_at_work(const Session& session, Device& prepared_on) {
  const auto* const several = dynamic_cast<const DevicesAtWork*>(&session);
  std::vector<Device*> devices = several ? several->devices_at_work() : std::vector<Device*>{};
  if (devices.empty()) devices.push_back(&prepared_on);
  return devices;
}

}  // namespace gpuseq
