#include "kernels/exact_match/cuda/search.hpp"
#include "kernels/exact_match/cuda/session.hpp"

namespace gpuseq::exact_match {
namespace {

/// Share of a device's free memory that the trees of all parts may take and stay there; the rest is for
/// queries and what is found of them.
constexpr double kTreesShare = 0.6;

/// Matches that are unique in all of several parts can only be told from slots.
MatchPoint point_for(MatchPoint at, const Search& search, std::size_t parts) {
  if (parts <= 1 || search.mode == Mode::maxmatch) return at;
  at.policy.listed = false;
  at.ahead_of_time = at.ahead_of_time && match_kernels().is_ahead_of_time(at.policy);
  return at;
}

class CudaSearcher final : public Searcher {
 public:
  CudaSearcher(std::vector<TreePart> parts, const Search& search, const MatchPoint& at,
               cuda::CudaDevice& device, const std::filesystem::path& cache_dir)
      : pool_(0, false),
        parts_(std::move(parts)),
        search_for_(search),
        search_(point_for(at, search, parts_.size()), search, device, cache_dir, pool_) {
    u64 bytes = 0;
    for (const TreePart& part : parts_)
      bytes += device_bytes(part.tree->view(), tree_form(search_.point().policy));
    trees_stay_ = static_cast<double>(bytes) <= kTreesShare * static_cast<double>(device.free_bytes());
    if (parts_.size() == 1) search_.use(parts_.front());
  }

  /// Trees do not stay on the device longer than it is there for them.
  ~CudaSearcher() override {
    for (const TreePart& part : parts_) part.tree->device_copy.reset();
  }

  MatchList search(const Queries& queries) override {
    search_.take(queries);
    if (parts_.size() == 1) {
      search_.run();
      search_.download();
      return search_.list();
    }
    return search_for_.mode == Mode::maxmatch ? all_matches() : unique_matches(queries);
  }

  std::map<std::string, double> phases() const override { return search_.phases(); }

 private:
  /// Searches one part after the other; `visit` takes what is downloaded of each.
  template <typename Visit>
  void in_each_part(const Visit& visit) {
    for (const TreePart& part : parts_) {
      search_.use(part);
      search_.run();
      search_.download();
      visit(part);
      if (!trees_stay_) part.tree->device_copy.reset();
    }
  }

  MatchList all_matches() {
    std::vector<MatchList> lists;
    in_each_part([&](const TreePart&) { lists.push_back(search_.list()); });
    return merge_parts(lists);
  }

  MatchList unique_matches(const Queries& queries) {
    constexpr u64 kSlotsATime = u64{1} << 18;
    UniqueMatches unique(search_.layout().slots());
    in_each_part([&](const TreePart& part) {
      const auto slots = search_.slots();
      pool_.parallel_for(slots.size(), kSlotsATime, [&](std::size_t begin, std::size_t end) {
        unique.take(part, slots.subspan(begin, end - begin), begin);
      });
    });
    MatchList list;
    search_.in_pieces(
        [&](u64 first, u64 count) {
          return unique.list(parts_, search_for_, queries, first, count, search_.layout().slot_begin);
        },
        list);
    return list;
  }

  ThreadPool pool_;
  std::vector<TreePart> parts_;
  Search search_for_;
  CudaSearch search_;
  bool trees_stay_ = true;
};

}  // namespace

std::unique_ptr<Searcher> make_cuda_searcher(std::vector<TreePart> parts, const Search& search,
                                             const MatchPoint& at, cuda::CudaDevice& device,
                                             const std::filesystem::path& cache_dir) {
  return std::make_unique<CudaSearcher>(std::move(parts), search, at, device, cache_dir);
}

}  // namespace gpuseq::exact_match
