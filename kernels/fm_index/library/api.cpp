#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "kernels/common/library/c_interface.hpp"
#include "kernels/fm_index/data/base_code.hpp"
#include "kernels/fm_index/data/bwt.hpp"
#include "kernels/fm_index/data/psi.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/library/engine.hpp"
#include "kernels/fm_index/library/gpuseq_fm_index.h"
#include "kernels/fm_index/library/point.hpp"
#include "kernels/fm_index/library/query_batch.hpp"
#include "runtime/system/host_memory.hpp"

using namespace gpuseq;
using namespace gpuseq::fm_index;

struct gpuseq_fm_index {
  ThreadPool pool;
  IndexFile file;
  std::unique_ptr<Engine> engine;
  std::mutex searching;

  gpuseq_fm_index(const char* path, const gpuseq_fm_index_options& options)
      : pool(options.threads, false), file(path, kExportedLayout, kExportedPrefixSymbols) {
    if (options.trusted == 0) file.check_content(pool);
    engine = make_engine(file, {.device = options.device, .in_memory = options.in_memory != 0}, pool);
  }
};

namespace {

using library::guarded;
using library::require_argument;

static_assert(static_cast<int>(library::Status::failed) == GPUSEQ_FM_INDEX_FAILED);

gpuseq_fm_index_status status_of(library::Status status) {
  return static_cast<gpuseq_fm_index_status>(status);
}

std::vector<u8> codes_of(const char* text, u64 letters) {
  require_host_memory(letters, "the text");
  std::vector<u8> codes;
  codes.reserve(letters);
  for (u64 i = 0; i < letters; ++i)
    if (const auto code = base_code(text[i])) codes.push_back(*code);
  require_argument(!codes.empty(), "text: found no base, allowed: at least one of A C G T");
  return codes;
}

Index index_of(std::span<const u8> codes, ThreadPool& pool) {
  Layout layout = kExportedLayout;
  if (layout.psi()) require_psi(layout, codes.size() + 1);
  layout.wide = codes.size() + 1 >= u64{1} << 32;
  Bwt bwt = bwt_of(codes, sort_suffixes(codes, pool), pool);
  if (!layout.psi()) derive_columns(bwt, layout.k, pool);
  const ColumnRank rank(bwt, pool);
  return build_index(bwt, rank, layout, kExportedPrefixSymbols, pool);
}

void search(gpuseq_fm_index& index, const char* letters, std::span<const u64> begin,
            gpuseq_fm_index_interval* intervals) {
  const std::lock_guard lock(index.searching);
  std::vector<Interval<u64>> found;
  for (QueryBatch batch(letters, begin, index.pool); batch.next();) {
    const PackedBatch packed = batch.packed();
    found.resize(packed.view.count);
    index.engine->search(packed, found);
    for (u64 i = 0; i < found.size(); ++i)
      intervals[batch.first() + i] = batch.is_other(i) ? gpuseq_fm_index_interval{0, 0}
                                                       : gpuseq_fm_index_interval{found[i].l, found[i].h};
  }
}

}  // namespace

const char* gpuseq_fm_index_message() {
  return library::last_message().c_str();
}

const char* gpuseq_fm_index_point() {
  return kExportedPoint.data();
}

gpuseq_fm_index_status gpuseq_fm_index_build(const char* text, uint64_t letters, const char* path,
                                             int threads) {
  return status_of(guarded([&] {
    require_argument(text != nullptr, "text: found NULL, allowed: a text");
    require_argument(path != nullptr && *path != '\0', "path: found none, allowed: that of a file");
    ThreadPool pool(threads, false);
    write_index(path, index_of(codes_of(text, letters), pool));
  }));
}

gpuseq_fm_index_status gpuseq_fm_index_open(const char* path, const gpuseq_fm_index_options* options,
                                            gpuseq_fm_index** index) {
  if (index != nullptr) *index = nullptr;
  return status_of(guarded([&] {
    require_argument(index != nullptr, "index: found NULL, allowed: where it is put");
    require_argument(path != nullptr && *path != '\0', "path: found none, allowed: that of an index");
    const gpuseq_fm_index_options usual{};
    *index = new gpuseq_fm_index(path, options == nullptr ? usual : *options);
  }));
}

uint64_t gpuseq_fm_index_bases(const gpuseq_fm_index* index) {
  return index == nullptr ? 0 : index->file.view().rows - 1;
}

gpuseq_fm_index_status gpuseq_fm_index_search(gpuseq_fm_index* index, const char* letters,
                                              const uint64_t* begin, uint64_t count,
                                              gpuseq_fm_index_interval* intervals) {
  static_assert(sizeof(uint64_t) == sizeof(u64));
  return status_of(guarded([&] {
    require_argument(index != nullptr, "index: found NULL, allowed: an open index");
    if (count == 0) return;
    require_argument(begin != nullptr, "begin: found NULL, allowed: [count + 1] places");
    require_argument(letters != nullptr || begin[count] == begin[0],
                     "letters: found NULL, allowed: the queries");
    require_argument(intervals != nullptr, "intervals: found NULL, allowed: [count] intervals");
    search(*index, letters, {reinterpret_cast<const u64*>(begin), count + 1}, intervals);
  }));
}

void gpuseq_fm_index_close(gpuseq_fm_index* index) {
  delete index;
}
