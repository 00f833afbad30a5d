#include "kernels/exact_match/library/cuda_engine.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>

#include "kernels/exact_match/oracle.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/exact_match/cuda_launch.hpp"
#include "tests/kernels/exact_match/loaded_inputs.hpp"

// An exported library's engine without a GPU: CUDA's runtime is played by host memory and kernels compiled
// for the host, to which a texture is the address of its memory.

namespace gpuseq::exact_match {
namespace {

using testing::HostKernel;

/// Allocations on a device that the tests play.
struct PlayedDevice {
  std::map<const void*, std::size_t> memory;  // by address: bytes
  std::size_t most_bytes = std::size_t{1} << 40;
  int texels_allowed = 1 << 20;
  const HostKernel* kernel = nullptr;
  int launches = 0;

  void* take(std::size_t bytes) {
    if (bytes > most_bytes) return nullptr;
    void* const place = std::malloc(bytes);
    std::memset(place, 0xa5, bytes);
    memory[place] = bytes;
    return place;
  }
  void give_back(void* place) {
    if (place == nullptr) return;
    EXPECT_EQ(memory.erase(place), 1u);
    std::free(place);
  }
};
PlayedDevice played;

/// The kernel that a library has at its point; none is launched by it here.
const int kLibrarysKernel = 0;

}  // namespace

const void* exported_kernel();
const void* exported_kernel() {
  return &kLibrarysKernel;
}

}  // namespace gpuseq::exact_match

extern "C" {

using gpuseq::exact_match::played;

cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t) {
  return "refused by the test";
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 2;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) {
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = played.texels_allowed;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** place, std::size_t bytes) {
  *place = played.take(bytes);
  return *place == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t cudaFree(void* place) {
  played.give_back(place);
  return cudaSuccess;
}
cudaError_t cudaMemset(void* place, int value, std::size_t bytes) {
  std::memset(place, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, std::size_t width,
                            std::size_t height, unsigned) {
  const int bits = channels->x + channels->y + channels->z + channels->w;
  return cudaMalloc(reinterpret_cast<void**>(array), width * height * static_cast<std::size_t>(bits) / 8);
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  return cudaFree(array);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t array, std::size_t, std::size_t row, const void* from,
                                std::size_t from_pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind) {
  EXPECT_EQ(from_pitch, width);
  EXPECT_LE((row + height) * width, played.memory.at(array));
  std::memcpy(reinterpret_cast<char*>(array) + row * width, from, height * width);
  return cudaSuccess;
}
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* how, const cudaResourceViewDesc*) {
  EXPECT_EQ(how->normalizedCoords, 0);
  EXPECT_EQ(how->readMode, cudaReadModeElementType);
  const void* place =
      resource->resType == cudaResourceTypeArray ? resource->res.array.array : resource->res.linear.devPtr;
  *object = reinterpret_cast<cudaTextureObject_t>(place);
  return cudaSuccess;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  EXPECT_TRUE(played.memory.contains(reinterpret_cast<const void*>(object))) << "destroyed after its memory";
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t,
                             cudaStream_t) {
  EXPECT_EQ(kernel, played.kernel);
  EXPECT_EQ(block.x, played.kernel->policy.threads);
  ++played.launches;
  for (unsigned b = 0; b < grid.x; ++b)
    for (unsigned thread = 0; thread < block.x; ++thread)
      played.kernel->thread(*static_cast<const gpuseq::exact_match::MatchArguments*>(arguments[0]),
                            {thread, b, grid.x});
  return cudaSuccess;
}

}  // extern "C"

namespace gpuseq::exact_match {
namespace {

class CudaEngine : public ::testing::Test {
 protected:
  void SetUp() override { played = {}; }
  void TearDown() override { EXPECT_TRUE(played.memory.empty()); }

  std::unique_ptr<Engine> engine_of(const SuffixTree& tree, const Search& search, const HostKernel& kernel,
                                    const WordLetters& letters, bool sorted) {
    played.kernel = &kernel;
    return make_cuda_engine(
        tree, search, {.policy = kernel.policy, .letters = letters, .sorted = sorted, .kernel = &kernel}, 0,
        pool_);
  }

  ThreadPool pool_{2};
};

std::vector<u8> small_text() {
  Reference reference = empty_reference();
  append(reference, "", "ACGTTGCATTACGTACCCGGTT");
  return reference.text;
}

std::vector<HostKernel> all_kernels() {
  std::vector<HostKernel> kernels = testing::host_kernels<false>();
  for (const HostKernel& kernel : testing::host_kernels<true>()) kernels.push_back(kernel);
  return kernels;
}

TEST_F(CudaEngine, ListsTheOraclesMatchesInEveryFormOfATree) {
  const std::vector<HostKernel> kernels = all_kernels();
  for (const testing::Data& data : testing::all_data(3)) {
    SuffixTree tree = build_tree(data.reference.text, pool_);
    order_nodes(tree, NodeOrder::breadth_first);
    for (const u32 min_length : data.min_lengths) {
      const Search search{.min_length = min_length,
                          .mode = static_cast<Mode>(min_length % 3),
                          .both_strands = min_length % 2 == 0};
      std::vector<u64> all(data.queries.count());
      std::iota(all.begin(), all.end(), u64{0});
      const MatchList expected = Oracle(data.reference, search).find(data.queries, all, pool_);
      for (const HostKernel& kernel : kernels) {
        SCOPED_TRACE(data.name + ", length " + std::to_string(min_length) + ", " +
                     match_kernels().name(kernel.policy));
        const auto engine = engine_of(tree, search, kernel, {.prefix = 4, .filter = 9}, min_length % 2 == 1);
        EXPECT_TRUE(engine->find(data.queries) == expected);
        EXPECT_TRUE(engine->find(data.queries) == expected);
      }
    }
  }
  EXPECT_GT(played.launches, 0);
}

TEST_F(CudaEngine, TakesNoMoreQueriesThanALaunchHasTasksFor) {
  const SuffixTree tree = build_tree(small_text(), pool_);
  for (const HostKernel& kernel : all_kernels()) {
    const Search search{.both_strands = true};
    const u64 most = engine_of(tree, search, kernel, {}, false)->most_queries();
    EXPECT_GT(most, 0u);
    EXPECT_LE(most * search.strands() * kernel.policy.lanes, u64{1} << 24);
  }
}

TEST_F(CudaEngine, SaysWhatTheDeviceHasNot) {
  const SuffixTree tree = build_tree(small_text(), pool_);
  EXPECT_NE(make_engine(tree, {}, 1, pool_), nullptr);
  expect_error_text([&] { make_engine(tree, {}, 2, pool_); });
  const std::vector<HostKernel> kernels = all_kernels();
  const auto in_2d = std::ranges::find(kernels, MemoryPath::texture_2d,
                                       [](const HostKernel& kernel) { return kernel.policy.memory; });
  played.texels_allowed = 100;
  expect_error_text<ResourceError>([&] { engine_of(tree, {}, *in_2d, {}, false); });
  played.most_bytes = 30;
  expect_error_text<ResourceError>([&] { engine_of(tree, {}, kernels.front(), {}, false); });
}

}  // namespace
}  // namespace gpuseq::exact_match
