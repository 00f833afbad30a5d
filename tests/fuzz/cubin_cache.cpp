#include "runtime/cuda/cubin_cache.hpp"

#include "tests/fuzz/fuzz_input.hpp"
#include "tests/fuzz/sealed_cache.hpp"

// The cache of compiled kernels, with right checksums whatever
// it holds: a kernel that is found is kept and found alike.

using namespace gpuseq;

namespace {

constexpr std::string_view kKey = "sm_90\nsource";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const cuda::CubinCache cache(fuzz::folder().path());
  fuzz::folder().write(cache.file_of(kKey).filename().string(),
                       fuzz::sealed_cubin(fuzz::text_of(data, size)));
  std::string refusal;
  const auto found = cache.find(kKey, refusal);
  fuzz::require(refusal.empty(), "a private file is refused as none");
  if (!found) return 0;
  fuzz::require(cache.keep(kKey, *found).empty(), "it cannot be kept");
  const auto again = cache.find(kKey, refusal);
  fuzz::require(again && again->cubin == found->cubin && again->log == found->log &&
                    again->resources.registers_per_thread == found->resources.registers_per_thread,
                "kept, it is another");
  return 0;
}
