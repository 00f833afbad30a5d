#include "kernels/exact_match/cuda/searcher.hpp"

#include "kernels/exact_match/cuda/session.hpp"

namespace gpuseq::exact_match {
namespace {

/// Share of a device's free memory that the trees of all parts may occupy permanently; the rest is for
/// queries and results.
constexpr double kTreesShare = 0.6;

/// Matches that are unique over several parts can only be determined from slots.
MatchPoint point_for(MatchPoint at, const Search& search, std::size_t parts) {
  if (parts <= 1 || search.mode == Mode::maxmatch) return at;
  at.policy.listed = false;
  at.ahead_of_time = at.ahead_of_time && match_kernels().is_ahead_of_time(at.policy);
  return at;
}

bool leave_room(std::span<const TreePart> parts, const TreeForm& form, cuda::CudaDevice& device) {
  u64 bytes = 0;
  for (const TreePart& part : parts) bytes += device_bytes(part.tree->view(), form);
  return static_cast<double>(bytes) <= kTreesShare * static_cast<double>(device.free_bytes());
}

}  // namespace

CudaSearcher::CudaSearcher(std::vector<TreePart> parts, const Search& search, const MatchPoint& at,
                           cuda::CudaDevice& device, const std::filesystem::path& cache_dir,
                           std::optional<bool> trees_stay)
    : pool_(0, false),
      parts_(std::move(parts)),
      search_for_(search),
      search_(point_for(at, search, parts_.size()), search, device, cache_dir, pool_) {
  trees_stay_ = trees_stay ? *trees_stay : leave_room(parts_, tree_form(search_.point().policy), device);
  if (parts_.size() == 1) search_.use(parts_.front());
}

CudaSearcher::~CudaSearcher() {
  for (const TreePart& part : parts_) part.tree->device_copy.reset();
}

MatchList CudaSearcher::search(const Queries& queries) {
  search_.take(queries);
  if (parts_.size() == 1) {
    search_.run();
    search_.download();
    return search_.list();
  }
  return search_for_.mode == Mode::maxmatch ? all_matches() : unique_matches(queries);
}

void CudaSearcher::compute(const Queries& queries) {
  search_.take(queries);
  for (const TreePart& part : parts_) {
    if (parts_.size() > 1) search_.use(part);
    search_.enqueue();
    search_.copy_slots();
    if (!trees_stay_ && parts_.size() > 1) part.tree->device_copy.reset();
  }
}

void CudaSearcher::make_ready(const Queries& queries) {
  if (parts_.size() > 1) search_.use(parts_.front());
  search_.take(queries);
}

/// Searches one part after the other; `visit` receives the downloaded results of each.
template <typename Visit>
void CudaSearcher::in_each_part(const Visit& visit) {
  for (const TreePart& part : parts_) {
    search_.use(part);
    search_.run();
    search_.download();
    visit(part);
    if (!trees_stay_) part.tree->device_copy.reset();
  }
}

MatchList CudaSearcher::all_matches() {
  std::vector<MatchList> lists;
  in_each_part([&](const TreePart&) { lists.push_back(search_.list()); });
  return merge_parts(lists);
}

MatchList CudaSearcher::unique_matches(const Queries& queries) {
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

std::unique_ptr<Searcher> make_cuda_searcher(std::vector<TreePart> parts, const Search& search,
                                             const MatchPoint& at, cuda::CudaDevice& device,
                                             const std::filesystem::path& cache_dir) {
  return std::make_unique<CudaSearcher>(std::move(parts), search, at, device, cache_dir);
}

}  // namespace gpuseq::exact_match
