#pragma once

#include "bench/base/registry.hpp"
#include "bench/peers/peer.hpp"

namespace gpuseq::bench {

/// The registry with other programs among its families' variants, and with the problems that only they solve.
/// @param timeout_s  after which a command of theirs is killed
/// @throws UsageError for a peer whose family is nowhere, or that has the name of a variant
Registry with_peers(const Registry& registry, const Peers& peers, double timeout_s);

}  // namespace gpuseq::bench
