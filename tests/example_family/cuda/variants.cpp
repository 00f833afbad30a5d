#include "runtime/contract/axes.hpp"
#include "runtime/cuda/cuda.hpp"
#include "tests/example_family/family.hpp"

namespace gpuseq::base_counts {

std::map<std::string, std::string> device_headers();  // by cmake/device_sources.cmake

static std::vector<KernelSource> sources(const Point&, const Point&) {
  return {{.name = "count_bases",
           .text = "#include \"tests/example_family/cuda/count.cuh\"\n",
           .headers = device_headers(),
           .options = {"--std=c++20"}}};
}

struct GridStride final : CountSession {
  GridStride(CountProblem& solved, const Point& point, Device& on)
      : CountSession(solved), device(cuda::cuda_device(on)), threads(point.integer("threads_per_block")) {
    bases.upload(std::as_bytes(std::span(solved.bases)));
  }
  void launch() override {
    total.fill(0);
    CUdeviceptr from = bases.address(), size = bases.size(), to = total.address();
    const std::array<void*, 3> arguments{&from, &size, &to};
    kernel->launch(1024, static_cast<unsigned>(threads), 0, arguments);
  }
  std::uint64_t count() override {
    launch();
    device.synchronize();
    total.download(std::as_writable_bytes(std::span(&found, 1)));
    return found;
  }
  cuda::CudaDevice& device;
  std::int64_t threads;
  cuda::DeviceBuffer bases{device, problem.bases.size()}, total{device, sizeof(std::uint64_t)};
  std::shared_ptr<cuda::Kernel> kernel = device.load(sources({}, {}).front(), problem.cache_dir);
};

std::vector<Variant> cuda_variants() {
  return {{.name = "grid_stride",
           .device = DeviceKind::cuda,
           .summary = "a base a thread, a grid apart",
           .space = SearchSpace({listed_axis("threads_per_block", {128, 256}, 256, "threads of a block")}),
           .prepare = prepare_by<CountProblem>([](auto& problem, const Point& point, Device& device) {
             return std::make_unique<GridStride>(problem, point, device);
           }),
           .sources = sources,
           .cost = estimated_cost}};
}

}  // namespace gpuseq::base_counts
