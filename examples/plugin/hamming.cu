// A plugin for pairwise_distance on a GPU: Hamming distances, a thread per pair, rows of a tile in shared memory.
//
//   nvcc -O3 -std=c++20 -arch=native -shared -Xcompiler -fPIC -I runtime/plugin examples/plugin/hamming.cu -o libhamming.so

#include <cstring>

#include "gpuseq_plugin.h"

namespace {

constexpr int kTile = 16, kColumns = 128;
const int64_t kUnrolls[] = {1, 4};
const gpuseq_parameter kParameters[] = {{"unroll", "attributes compared per step of the loop", kUnrolls, 2, 4}};

struct Pairs {
  gpuseq_pairwise_distance problem;
  cudaStream_t stream;
  int64_t unroll;
  uint8_t* codes = nullptr;
  uint32_t* sums = nullptr;
};

template <int unroll>
__global__ void compare(const uint8_t* codes, uint64_t instances, uint64_t attributes, uint32_t* sums) {
  __shared__ uint8_t rows[2][kTile][kColumns + 1];  // + 1: neighbouring rows in other banks
  const uint64_t first[2] = {blockIdx.y * kTile, blockIdx.x * kTile};
  uint32_t sum = 0;
  for (uint64_t begin = 0; begin < attributes; begin += kColumns) {
    for (int side = 0; side < 2; ++side)
      for (int column = threadIdx.x; column < kColumns; column += kTile) {
        const uint64_t row = first[side] + threadIdx.y;
        const bool inside = row < instances && begin + column < attributes;
        rows[side][threadIdx.y][column] = inside ? codes[row * attributes + begin + column] : 0;
      }
    __syncthreads();
#pragma unroll unroll
    for (int column = 0; column < kColumns; ++column)
      sum += rows[0][threadIdx.y][column] != rows[1][threadIdx.x][column];
    __syncthreads();
  }
  const uint64_t a = first[0] + threadIdx.y, b = first[1] + threadIdx.x;
  if (a < instances && b < instances) sums[a * instances + b] = sum;
}

const char* failed(cudaError_t error) { return error == cudaSuccess ? nullptr : cudaGetErrorString(error); }

const char* prepare(const gpuseq_input* input, void** state) {
  const auto& problem = *static_cast<const gpuseq_pairwise_distance*>(input->problem);
  if (std::strcmp(problem.metric, "hamming") != 0 || problem.missing)
    return GPUSEQ_UNSUPPORTED "it has Hamming distances without missing values";
  cudaSetDevice(input->device.cuda_ordinal);
  auto* pairs = new Pairs{problem, static_cast<cudaStream_t>(input->device.stream), input->parameters[0]};
  *state = pairs;
  const uint64_t bytes = problem.instances * problem.attributes;
  if (const char* why = failed(cudaMalloc(&pairs->codes, bytes))) return why;
  if (const char* why = failed(cudaMalloc(&pairs->sums, problem.instances * problem.instances * 4))) return why;
  return failed(cudaMemcpyAsync(pairs->codes, problem.codes, bytes, cudaMemcpyHostToDevice, pairs->stream));
}

const char* launch(void* state) {
  const auto& pairs = *static_cast<Pairs*>(state);
  const unsigned tiles = (pairs.problem.instances + kTile - 1) / kTile;
  const auto kernel = pairs.unroll == 1 ? compare<1> : compare<4>;
  kernel<<<dim3(tiles, tiles), dim3(kTile, kTile), 0, pairs.stream>>>(pairs.codes, pairs.problem.instances,
                                                                      pairs.problem.attributes, pairs.sums);
  return failed(cudaGetLastError());
}

const char* answers(void* state, void* to) {
  const auto& pairs = *static_cast<Pairs*>(state);
  return failed(cudaMemcpy(static_cast<gpuseq_distances*>(to)->sum, pairs.sums,
                           pairs.problem.instances * pairs.problem.instances * 4, cudaMemcpyDeviceToHost));
}

void release(void* state) {
  auto* pairs = static_cast<Pairs*>(state);
  cudaFree(pairs->codes);
  cudaFree(pairs->sums);
  delete pairs;
}

const gpuseq_plugin kPlugin{.abi = GPUSEQ_PLUGIN_ABI,
                            .family = "pairwise_distance",
                            .name = "my_tiles",
                            .summary = "a thread per pair, 16 x 16 tiles",
                            .device = "cuda",
                            .parameters = kParameters,
                            .parameter_count = 1,
                            .prepare = prepare,
                            .launch = launch,
                            .answers = answers,
                            .release = release};

}  // namespace

extern "C" const gpuseq_plugin* gpuseq_plugin_at(uint32_t index) { return index == 0 ? &kPlugin : nullptr; }
