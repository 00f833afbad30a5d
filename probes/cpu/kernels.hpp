#pragma once

#include <cstddef>
#include <cstdint>

// The vector loops of the CPU probes: one source, compiled for each instruction set and selected at run time.

namespace gpuseq::probes {

/// Prefetch target of a block. A core can have about twenty outstanding requests to L1, and more to L2.
enum class Prefetch { none, to_l1, to_l2 };

/// Random reads of one thread. Generator g of the thread is generator first_generator + g of the launch.
struct RandomReads {
  const std::byte* memory = nullptr;
  std::uint64_t blocks = 0;
  std::size_t block_bytes = 0;  // a power of two, at least 32
  std::size_t generators = 0;   // at most kMostGenerators; their accesses are interleaved
  std::uint64_t accesses_per_generator = 0;
  std::uint64_t first_generator = 0;
  std::uint64_t seed = 0;
  bool dependent = false;
  Prefetch prefetch = Prefetch::none;
};
inline constexpr std::size_t kMostGenerators = 128;

/// Returns the exclusive or of all 32-bit words of all blocks read.
std::uint32_t read_at_random(const RandomReads& reads);

/// Sequential operations on whole 64-byte lines; `passes` times over the same memory.
std::uint32_t read_in_order(const std::byte* from, std::size_t bytes, std::uint64_t passes);
void write_in_order(std::byte* to, std::size_t bytes, std::uint64_t passes, std::uint32_t value,
                    bool non_temporal);
void copy_in_order(std::byte* to, const std::byte* from, std::size_t bytes, std::uint64_t passes,
                   bool non_temporal);

/// Instruction set of the selected loops ("AVX3_ZEN4").
const char* vector_target();

}  // namespace gpuseq::probes
