#include "runtime/contract/axes.hpp"
#include "runtime/cuda/cuda.hpp"
#include "tests/example_family/problem.hpp"

namespace gpuseq::base_counts {
std::map<std::string, std::string> device_headers();  // by cmake/device_sources.cmake
namespace {

std::vector<KernelSource> sources(const Point&, const Point&) {
  return {{.name = "count_bases",
           .text = "#include \"tests/example_family/cuda/count.cuh\"\n",
           .headers = device_headers(),
           .options = {"--std=c++20"}}};
}

class GridStride final : public CountSession {
 public:
  GridStride(CountProblem& problem, const Point& point, cuda::CudaDevice& device)
      : CountSession(problem),
        device_(device),
        bases_(device, std::max<std::size_t>(problem.bases().size(), 1)),
        totals_(device, sizeof(Counts)),
        kernel_(device.load(sources(point, {}).front(), problem.cache_dir())),
        threads_(static_cast<unsigned>(point.integer("threads_per_block"))),
        blocks_(static_cast<unsigned>(device.multiprocessors() * kernel_->resident_blocks(threads_, 0))) {
    bases_.upload(std::as_bytes(problem.bases()));
  }

  /// Adds to the totals: the counts of so many launches.
  void launch() override {
    CUdeviceptr bases = bases_.address(), totals = totals_.address(), size = problem_.bases().size();
    const std::array<void*, 3> arguments{&bases, &size, &totals};
    kernel_->launch(blocks_, threads_, 0, arguments);
  }

  Counts counts() override {
    device_.synchronize();
    totals_.fill(0);
    launch();
    device_.synchronize();
    Counts counts;
    totals_.download(std::as_writable_bytes(std::span(counts)));
    return counts;
  }

  std::optional<HeldMemory> memory() const override {
    return HeldMemory().add("sequence", bases_.size()).add(kOutputPart, totals_.size());
  }

 private:
  cuda::CudaDevice& device_;
  cuda::DeviceBuffer bases_, totals_;
  std::shared_ptr<cuda::Kernel> kernel_;
  unsigned threads_, blocks_;
};

}  // namespace

std::vector<Variant> cuda_variants() {
  const auto prepare = [](CountProblem& problem, const Point& point, Device& device) {
    return std::make_unique<GridStride>(problem, point, cuda::cuda_device(device));
  };
  return {
      {.name = "grid_stride",
       .device = DeviceKind::cuda,
       .summary = "a base a thread, a grid apart",
       .space = SearchSpace({listed_axis("threads_per_block", {128, 256, 512}, 256, "threads of a block")}),
       .prepare = prepare_by<CountProblem>(prepare),
       .sources = sources,
       .needs = no_needs("nobody counts what it touches")}};
}

}  // namespace gpuseq::base_counts
