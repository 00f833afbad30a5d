#pragma once

#include <vector>

#include "runtime/contract/device.hpp"

namespace gpuseq {

/// A session whose launches keep other devices busy than the one that it was prepared on, or several.
class DevicesAtWork {
 public:
  virtual ~DevicesAtWork() = default;
  /// Of the last launches; they live as long as the session.
  virtual std::vector<Device*> devices_at_work() const = 0;
};

}  // namespace gpuseq
