#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "kernels/fm_index/index.hpp"
#include "runtime/family.hpp"

namespace gpuseq::fm_index {

/// The queries of a problem in host memory. Those with letters other than ACGT are not packed: their interval
/// is (0, 0) by definition and they are no work.
struct Queries {
  std::vector<std::string> names;      // of all queries, in file order; empty when sampled
  std::vector<u32> packed;             // see QueryView; 16-byte aligned starts
  std::vector<u32> begin, bases;       // of the packed queries
  std::vector<u32> source;             // packed query -> position in file order
  u64 total = 0;                       // all queries, packed or not
  u64 total_bases = 0;                 // of the packed queries: the work
  u32 longest = 0;
  QueryView view() const { return {packed.data(), begin.data(), bases.data(), static_cast<u32>(begin.size())}; }
};

/// A reference with its BWT, queries, and the oracle's answers. Shared by all sessions.
class FmProblem : public Problem {
 public:
  ~FmProblem() override;
  std::string hash() const override;
  bool synthetic() const override;
  nlohmann::json describe() const override;

  /// Reference bases (n); rows are n + 1.
  u64 bases() const;
  /// Positions need 64 bits.
  bool wide() const;
  const Queries& queries() const;
  /// Indices of the packed queries that have an oracle's answer, ascending, and those answers.
  std::span<const u32> checked() const;
  std::span<const Interval<u64>> expected() const;
  /// The index of a layout; built, or the last one again (one is kept alive per problem).
  std::shared_ptr<const Index> index(const Layout& layout, u32 prefix_symbols);
  /// Blocks that a layout touches for these queries (counted on a seeded subset, scaled to all).
  Traffic count_traffic(const Index& index);

  struct State;
  explicit FmProblem(std::unique_ptr<State> state);

 private:
  std::unique_ptr<State> state_;
};

/// What CPU and CUDA sessions share: work, verification against the oracle, traffic, facts.
class SearchSession : public Session {
 public:
  SearchSession(FmProblem& problem, std::shared_ptr<const Index> index);
  Work work() const override;
  Verification verify() override;
  std::optional<Traffic> traffic() const override;
  nlohmann::json facts() const override;
  /// Interval of every packed query, as the last launch left them; launches once if none did.
  virtual std::vector<Interval<u64>> answers() = 0;

 protected:
  FmProblem& problem_;
  std::shared_ptr<const Index> index_;
  mutable std::optional<Traffic> traffic_;
};

/// The CPU variants and the CUDA variants (the latter absent in a build without CUDA).
std::vector<Variant> cpu_variants();
std::unique_ptr<SearchSession> prepare_cpu(FmProblem& problem, const Variant& variant, const Point& point,
                                           Device& device);
std::vector<Variant> cuda_variants();
std::unique_ptr<SearchSession> prepare_cuda(FmProblem& problem, const Variant& variant, const Point& point,
                                            Device& device, const std::filesystem::path& cache_dir);
std::vector<KernelSource> cuda_sources(const Variant& variant, const Point& point);

}  // namespace gpuseq::fm_index
