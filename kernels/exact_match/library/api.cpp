#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "kernels/common/library/c_interface.hpp"
#include "kernels/exact_match/library/engine.hpp"
#include "kernels/exact_match/library/gpuseq_exact_match.h"
#include "kernels/exact_match/library/point.hpp"
#include "kernels/exact_match/library/tree_file.hpp"
#include "runtime/system/host_memory.hpp"

using namespace gpuseq;
using namespace gpuseq::exact_match;

namespace {

using library::guarded;
using library::require_argument;

static_assert(static_cast<int>(library::Status::failed) == GPUSEQ_EXACT_MATCH_FAILED);

constexpr u64 kLettersATime = u64{64} << 20;

gpuseq_exact_match_status status_of(library::Status status) {
  return static_cast<gpuseq_exact_match_status>(status);
}

Search search_of(const gpuseq_exact_match_options& options) {
  constexpr u32 kUsualLength = 20;
  const auto mode = static_cast<unsigned>(options.mode);
  if (mode > GPUSEQ_EXACT_MATCH_UNIQUE)
    throw UsageError(fmt::format("mode: found {}, allowed: 0, 1 or 2", mode));
  return {.min_length = options.min_length == 0 ? kUsualLength : options.min_length,
          .mode = static_cast<Mode>(mode),
          .both_strands = options.both_strands != 0};
}

std::string_view letters_at(const char* letters, std::span<const u64> begin, u64 i) {
  return {letters + begin[i], begin[i + 1] - begin[i]};
}

/// Arguments common to building and searching. @returns [count + 1] offsets
std::span<const u64> checked(const char* letters, const uint64_t* begin, uint64_t count) {
  static_assert(sizeof(uint64_t) == sizeof(u64));
  require_argument(begin != nullptr, "begin: found NULL, allowed: [count + 1] places");
  require_argument(letters != nullptr || begin[count] == begin[0],
                   "letters: found NULL, allowed: the letters");
  const std::span<const u64> begins(reinterpret_cast<const u64*>(begin), count + 1);
  library::require_places(begins, kMostTextLetters, "sequence", fmt::format("up to {}", kMostTextLetters));
  return begins;
}

}  // namespace

struct gpuseq_exact_match {
  ThreadPool pool;
  Search search;
  TreeFile file;
  std::unique_ptr<Engine> engine;
  std::mutex searching;

  gpuseq_exact_match(const char* path, const gpuseq_exact_match_options& options)
      : pool(options.threads, false), search(search_of(options)), file(path, kExportedNodeOrder) {
    if (options.trusted == 0) file.check_content(pool);
    engine = make_engine(file.tree(), search, options.device, pool);
  }

  /// Appends the matches of queries. @param first  number of the first query
  void append_found(const MatchList& list, u64 first, std::vector<gpuseq_exact_match_found>& found) const {
    const std::span<const u32> begins = file.begins();
    found.reserve(found.size() + list.matches.size());
    for (u64 strand = 0; strand < list.end.size(); ++strand)
      for (const Match& match : list.of(strand)) {
        const auto sequence =
            static_cast<u32>(std::ranges::upper_bound(begins, match.reference) - begins.begin() - 1);
        found.push_back({.query = first + strand / search.strands(),
                         .strand = static_cast<u32>(strand % search.strands()),
                         .sequence = sequence,
                         .sequence_position = match.reference - begins[sequence],
                         .query_position = match.query,
                         .length = match.length});
      }
  }

  std::vector<gpuseq_exact_match_found> find_all(const char* letters, std::span<const u64> begin) {
    const std::lock_guard lock(searching);
    std::vector<gpuseq_exact_match_found> found;
    for (u64 next = 0; next + 1 < begin.size();) {
      const u64 first = next, most = engine->most_queries();
      Queries queries = empty_queries();
      do append(queries, {}, letters_at(letters, begin, next++));
      while (next + 1 < begin.size() && next - first < most &&
             begin[next + 1] - begin[first] <= kLettersATime);
      append_found(engine->find(queries), first, found);
    }
    return found;
  }
};

namespace {

/// Memory that the caller must free.
gpuseq_exact_match_found* given_away(const std::vector<gpuseq_exact_match_found>& found) {
  if (found.empty()) return nullptr;
  auto* const copy = static_cast<gpuseq_exact_match_found*>(std::malloc(found.size() * sizeof found[0]));
  if (copy == nullptr) throw std::bad_alloc();
  std::ranges::copy(found, copy);
  return copy;
}

}  // namespace

const char* gpuseq_exact_match_message() {
  return library::last_message().c_str();
}

const char* gpuseq_exact_match_point() {
  return kExportedPoint.data();
}

gpuseq_exact_match_status gpuseq_exact_match_build(const char* letters, const uint64_t* begin, uint64_t count,
                                                   const char* path, int threads) {
  return status_of(guarded([&] {
    require_argument(count > 0, "count: found 0, allowed: at least one sequence");
    require_argument(path != nullptr && *path != '\0', "path: found none, allowed: that of a file");
    const std::span<const u64> begins = checked(letters, begin, count);
    ThreadPool pool(threads, false);
    require_host_memory(begins.back() - begins.front(), "the text");
    Reference reference = empty_reference();
    for (u64 i = 0; i < count; ++i) append(reference, {}, letters_at(letters, begins, i));
    require_argument(reference.others < reference.letters(),
                     "letters: found no base, allowed: at least one of A C G T");
    SuffixTree tree = build_tree(reference.text, pool);
    order_nodes(tree, kExportedNodeOrder);
    write_tree(path, reference, tree, kExportedNodeOrder);
  }));
}

gpuseq_exact_match_status gpuseq_exact_match_open(const char* path, const gpuseq_exact_match_options* options,
                                                  gpuseq_exact_match** index) {
  if (index != nullptr) *index = nullptr;
  return status_of(guarded([&] {
    require_argument(index != nullptr, "index: found NULL, allowed: where it is put");
    require_argument(path != nullptr && *path != '\0', "path: found none, allowed: that of a tree");
    const gpuseq_exact_match_options usual{};
    *index = new gpuseq_exact_match(path, options == nullptr ? usual : *options);
  }));
}

gpuseq_exact_match_status gpuseq_exact_match_search(gpuseq_exact_match* index, const char* letters,
                                                    const uint64_t* begin, uint64_t count,
                                                    gpuseq_exact_match_found** found, uint64_t* found_count) {
  if (found != nullptr) *found = nullptr;
  if (found_count != nullptr) *found_count = 0;
  return status_of(guarded([&] {
    require_argument(index != nullptr, "index: found NULL, allowed: an open index");
    require_argument(found != nullptr, "found: found NULL, allowed: where it is put");
    require_argument(found_count != nullptr, "found_count: found NULL, allowed: where it is put");
    if (count == 0) return;
    const std::vector<gpuseq_exact_match_found> all =
        index->find_all(letters, checked(letters, begin, count));
    *found = given_away(all);
    *found_count = all.size();
  }));
}

void gpuseq_exact_match_free(gpuseq_exact_match_found* found) {
  std::free(found);
}

void gpuseq_exact_match_close(gpuseq_exact_match* index) {
  delete index;
}
