#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "runtime/contract/family.hpp"

namespace gpuseq::probes {

/// The current content of a footprint; an operation that needs another content fills it again.
struct Contents {
  enum class Kind { nothing, granules, chase };
  Kind kind = Kind::nothing;
  std::size_t bytes = 0;
  std::size_t stride_bytes = 0;  // stride of a chase
  bool operator==(const Contents&) const = default;
};

/// One piece of memory of one device, as large as the largest footprint requested so far and reused by
/// every later state.
class Memory {
 public:
  virtual ~Memory() = default;
  Contents contents;
};

/// The memory that the states of one probe share, and the seed of their addresses.
class ProbeProblem final : public Problem {
 public:
  /// @param cache_dir  directory of compiled kernels; empty: none
  ProbeProblem(std::string probe, std::uint64_t seed, std::filesystem::path cache_dir)
      : probe_(std::move(probe)), seed_(seed), cache_dir_(std::move(cache_dir)) {}
  std::string hash() const override;
  bool synthetic() const override { return false; }
  nlohmann::json describe() const override { return {{"seed", seed_}}; }
  std::uint64_t seed() const { return seed_; }
  const std::filesystem::path& cache_dir() const { return cache_dir_; }

  /// The memory called `name` ("cpu/huge/any", "cuda:0"), made on first use. Other memory is freed: states
  /// run one at a time, and two footprints of a device may not fit.
  template <typename T>
  std::shared_ptr<T> memory(const std::string& name) {
    if (name != name_ || !memory_) {
      memory_.reset();
      memory_ = std::make_shared<T>();
      name_ = name;
    }
    return std::static_pointer_cast<T>(memory_);
  }

 private:
  std::string probe_, name_;
  std::uint64_t seed_;
  std::filesystem::path cache_dir_;
  std::shared_ptr<Memory> memory_;
};

/// The reads of a timed random-access launch, for its check.
struct RandomAccesses {
  std::uint64_t blocks = 0;
  std::uint64_t block_bytes = 0;
  std::uint64_t generators = 0;  // independent streams of addresses
  std::uint64_t accesses_per_generator = 0;
  bool dependent = false;
  std::uint64_t seed = 0;
  /// By generator: the memory block that is its block 0. Empty: the first for all.
  std::span<const std::uint64_t> first_block = {};
};

/// Exclusive or of every 32-bit word of every block read, computed from addresses and contents alone.
std::uint32_t expected_checksum(const RandomAccesses& accesses);

/// Exclusive or of all words of a block of `block_bytes` bytes.
std::uint32_t block_checksum(std::uint64_t block, std::uint64_t block_bytes);

/// Exclusive or of all words of granules [0, count).
std::uint32_t expected_checksum(std::uint64_t granules);

/// Seed of a probe's n-th launch: launches read different blocks, so that none finds blocks of the
/// last one in a cache.
std::uint64_t launch_seed(std::uint64_t seed, std::uint64_t launch);

/// @throws DoesNotFit unless `bytes` fit the free memory plus `given_back`, which is freed before
void require_free(const Device& device, std::size_t bytes, std::size_t given_back);

/// Passed, or a reason that names both checksums.
Verification compare_checksums(std::uint32_t found, std::uint32_t expected, std::uint64_t checked);

}  // namespace gpuseq::probes
