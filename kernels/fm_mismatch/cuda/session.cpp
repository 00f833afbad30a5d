#include "kernels/fm_mismatch/cuda/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "kernels/common/device_copy.hpp"
#include "kernels/common/load_kernel.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/embedded.hpp"

namespace gpuseq::fm_mismatch {
namespace {

GPUSEQ_EMBEDDED(fm_mismatch_fatbin)

using cuda::CudaDevice;
using cuda::DeviceBuffer;

/// An index in device memory.
struct DeviceIndex {
  DeviceIndex(const Index& index, CudaDevice& on)
      : device(&on), forward(on, index.forward.size()), reverse(on, index.reverse.size()) {
    upload_s = on.time_s([&] {
      forward.upload(bytes_of(index.forward));
      reverse.upload(bytes_of(index.reverse));
    });
  }
  const CudaDevice* device;
  DeviceBuffer forward, reverse;
  double upload_s = 0;
};

/// A prefix table in device memory.
struct DeviceTable {
  DeviceTable(const PrefixTable& table, CudaDevice& on) : device(&on), nodes(on, table.nodes.size()) {
    upload_s = on.time_s([&] { nodes.upload(bytes_of(table.nodes)); });
  }
  const CudaDevice* device;
  DeviceBuffer nodes;
  double upload_s = 0;
};

MismatchProblem& fitting(MismatchProblem& problem, u32 prefix_symbols, const CudaDevice& device) {
  const u64 bytes = 2 * bytes_of_side(problem.reference().text.size()) + prefix_bytes(prefix_symbols);
  if (bytes > device.total_bytes())
    throw DoesNotFit(fmt::format("an index of {} bytes does not fit on {}, which has {} bytes", bytes,
                                 device.id(), device.total_bytes()));
  return problem;
}

class CudaSearch final : public MismatchSession {
 public:
  CudaSearch(MismatchProblem& problem, const Policy& policy, u32 prefix_symbols, bool ahead_of_time,
             CudaDevice& device)
      : MismatchSession(fitting(problem, prefix_symbols, device), prefix_symbols),
        policy_(policy),
        device_(device),
        kernel_(load_kernel(search_kernels(), policy, ahead_of_time, embedded_fm_mismatch_fatbin(),
                            device_headers(), device, problem.cache_dir())),
        device_index_(device_copy_of<DeviceIndex>(index_, device)),
        device_table_(device_copy_of<DeviceTable>(*table_, device)),
        packed_(device, problem.queries().packed.size() * sizeof(u32)),
        begin_(device, problem.queries().begin.size() * sizeof(u32)),
        bases_(device, problem.queries().bases.size() * sizeof(u32)),
        answers_(device, problem.places() * sizeof(Answer)) {
    upload_s_ = device_.time_s([&] {
      packed_.upload(problem.queries().packed);
      begin_.upload(problem.queries().begin);
      bases_.upload(problem.queries().bases);
    });
    arguments_ = {.index = view(),
                  .queries = {packed_.as<const u32>(), begin_.as<const u32>(), bases_.as<const u32>()},
                  .strands = problem.strands(),
                  .places = problem.places(),
                  .answers = answers_.as<Answer>(),
                  .hits = {nullptr, nullptr}};
    arguments_.index.forward.lines = device_index_->forward.as<const u8>();
    arguments_.index.reverse.lines = device_index_->reverse.as<const u8>();
    arguments_.index.prefix = device_table_->nodes.as<const u8>();
    choose_grid();
  }

  void launch() override {
    launched_ = true;
    search(arguments_);
  }

  std::vector<Answer> answers() override {
    if (!launched_) launch();
    std::vector<Answer> found(problem_.places());
    download_s_.push_back(
        device_.time_s([&] { answers_.download(std::as_writable_bytes(std::span(found))); }));
    return found;
  }

  std::vector<Hit> hits() override {
    const std::vector<u64> begins = begins_of_hits(answers());
    std::vector<Hit> found(begins.back());
    DeviceBuffer begin(device_, begins.size() * sizeof(u64)), hits(device_, found.size() * sizeof(Hit));
    begin.upload(begins);
    SearchArguments listing = arguments_;
    listing.hits = {hits.as<Hit>(), begin.as<const u64>()};
    search(listing);
    hits.download(std::as_writable_bytes(std::span(found)));
    return found;
  }

  std::optional<Resources> resources() const override {
    return kernel_->resources(blocks_, policy_.threads_per_block, policy_.shared_bytes());
  }

  /// The upload time of a reused index is that of its first upload.
  std::map<std::string, std::vector<double>> side_samples_s() override {
    const double index_upload_s = device_index_->upload_s + device_table_->upload_s;
    std::map<std::string, std::vector<double>> samples{{"upload", {upload_s_}},
                                                       {"upload_index", {index_upload_s}}};
    if (!download_s_.empty()) samples["download"] = download_s_;
    return samples;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = MismatchSession::facts();
    facts["resident_threads"] = std::uint64_t{blocks_} * policy_.threads_per_block;
    return facts;
  }

 private:
  /// Each lane has one query at a time, whose step reads at most two lines.
  double in_flight() const override {
    return 2 * std::min(static_cast<double>(blocks_) * policy_.threads_per_block,
                        static_cast<double>(problem_.places()));
  }

  void search(SearchArguments arguments) {
    if (arguments.places == 0) return;
    std::array<void*, 1> pointers{&arguments};
    kernel_->launch(blocks_, policy_.threads_per_block, policy_.shared_bytes(), pointers);
  }

  /// One wave of blocks, or fewer if the work needs fewer.
  void choose_grid() {
    kernel_->allow_shared_bytes(policy_.shared_bytes());
    const auto resident =
        static_cast<u64>(kernel_->resident_blocks(policy_.threads_per_block, policy_.shared_bytes()));
    const u64 of_block = u64{policy_.threads_per_block} / kWarp * policy_.queries_of_warp;
    const u64 needed = (problem_.places() + of_block - 1) / of_block;
    const u64 one_wave = resident * static_cast<u64>(device_.multiprocessors());
    blocks_ = static_cast<unsigned>(std::max<u64>(1, std::min(needed, one_wave)));
  }

  Policy policy_;
  CudaDevice& device_;
  std::shared_ptr<cuda::Kernel> kernel_;
  std::shared_ptr<const DeviceIndex> device_index_;
  std::shared_ptr<const DeviceTable> device_table_;
  DeviceBuffer packed_, begin_, bases_, answers_;
  SearchArguments arguments_{};
  unsigned blocks_ = 1;
  double upload_s_ = 0;
  std::vector<double> download_s_;
  bool launched_ = false;
};

}  // namespace

std::unique_ptr<MismatchSession> prepare_search(MismatchProblem& problem, const Policy& policy,
                                                u32 prefix_symbols, bool ahead_of_time,
                                                cuda::CudaDevice& device) {
  return std::make_unique<CudaSearch>(problem, policy, prefix_symbols, ahead_of_time, device);
}

}  // namespace gpuseq::fm_mismatch
