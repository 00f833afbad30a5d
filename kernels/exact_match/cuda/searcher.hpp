#pragma once

#include "kernels/exact_match/cuda/search.hpp"
#include "kernels/exact_match/problem.hpp"

namespace gpuseq::exact_match {

/// Searches blocks of queries in the trees of all parts, one after the other.
class CudaSearcher final : public Searcher {
 public:
  /// @param parts  see MakeSearcher
  /// @param trees_stay  whether the trees of several parts stay on the device from one block to the next; if
  /// not given, they stay if they take at most 60 % of the free memory
  CudaSearcher(std::vector<TreePart> parts, const Search& search, const MatchPoint& at,
               cuda::CudaDevice& device, const std::filesystem::path& cache_dir,
               std::optional<bool> trees_stay = std::nullopt);
  /// Frees trees whose device may not outlive them.
  ~CudaSearcher() override;

  MatchList search(const Queries& queries) override;
  /// Searches without listing: each part's results are copied to the host, and those of the next part
  /// replace them. Slots only.
  void compute(const Queries& queries);
  /// Prepares the device for queries and the first part.
  void make_ready(const Queries& queries);

  HeldMemory held(const Queries&) const override { return search_.held(); }
  std::map<std::string, double> phases() const override { return search_.phases(); }
  const CudaSearch& on_device() const { return search_; }

 private:
  template <typename Visit>
  void in_each_part(const Visit& visit);
  MatchList all_matches();
  MatchList unique_matches(const Queries& queries);

  ThreadPool pool_;
  std::vector<TreePart> parts_;
  Search search_for_;
  CudaSearch search_;
  bool trees_stay_ = true;
};

}  // namespace gpuseq::exact_match
