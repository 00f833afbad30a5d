#pragma once

#include <map>
#include <optional>
#include <string>

#include "kernels/common/tuned_kernel.hpp"
#include "kernels/fm_index/cuda/search_policy.cuh"
#include "kernels/fm_index/data/order_key.cuh"

// The tunables of the CUDA variants. One table (policy.cpp) states each once: the axes, the policy of a
// point and the text of its kernel derive from it.

namespace gpuseq::fm_index {

/// Where the index of a search is, and which devices search.
enum class IndexOn : u8 {
  one,     // on the device of the state
  copies,  // all of it on that one and its peers; each searches a part of the queries
  parts    // routed: each has a part of the words, and takes the steps of these
};

/// A configuration of a variant: its compiled kernel and its launch.
struct SearchPoint {
  Policy policy;
  u32 prefix_symbols = 0;
  u32 active_threads = 0;              // resident per multiprocessor; 0: as many as fit
  std::optional<OrderKey> order = {};  // that the device puts queries in before it searches them
  bool ahead_of_time = false;
  IndexOn index_on = IndexOn::one;  // one_hot and one_hot_routed only
  u32 gpus = 1;                     // that search
  // one_hot_routed only:
  u32 windows = 1;
  u32 streams = 1;
  bool by_sm_group = false;  // else by number of the multiprocessor

  /// The devices that share the words.
  u32 parts() const { return index_on == IndexOn::parts ? gpus : 1; }
};

/// Its word, which is the name of its variant.
std::string_view name_of(Scheme scheme);
/// The tunables that a scheme has, in the order of its axes.
const TunableAxes<Policy>& tunables_of(Scheme scheme);
/// @param point complete
SearchPoint search_point(Scheme scheme, const Point& point);
SearchSpace search_space(Scheme scheme);

/// Names and makes the kernel of a policy.
const TunedKernel<Policy>& search_kernels();
/// The text of the kernels that are compiled ahead of time: every variant's default point and the usual
/// winners.
std::string ahead_of_time_text();
/// The device sources by the names that they are included by; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();

/// Slots of a chunk, and 16-byte parts of an entry, that full-cooperative schemes deal out to lanes; see
/// search_cooperative.cuh.
u32 columns_of(const Policy& policy);
u32 slots_of(const Policy& policy);
/// 16-byte registers that a lane loads ahead of counting.
u32 pieces_in_flight(const Policy& policy);

}  // namespace gpuseq::fm_index
