#pragma once

#include <optional>
#include <string>

#include "kernels/fm_index/data/layout.cuh"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {

/// Where an index of any content could lead a search out of it.
struct Unsafe {
  bool prefix = false;  // in the prefix table, else in the entries
  u64 byte = 0;
  std::string problem;
};

/// Looks for the first such place, in time linear in the index; nullopt: every step from a row of 0 ...
/// rows leads to one, and reads only existing data. By induction then all do, from the prefix table on.
/// @param view  as the head of a file has it; sizes fit
std::optional<Unsafe> find_unsafe(const Layout& layout, const IndexView& view, u64 entries_bytes,
                                  u64 prefix_bytes, ThreadPool& pool);

}  // namespace gpuseq::fm_index
