#pragma once

#include "bench/config.hpp"
#include "bench/peers/peer.hpp"
#include "bench/registry.hpp"

namespace gpuseq::bench {

/// The registry with other programs among its families' variants, and with the problems that only they solve.
/// @param timeout_s  after which a command of theirs is killed
/// @throws UsageError for a peer whose family is nowhere, or that has the name of a variant
Registry with_peers(const Registry& registry, const Peers& peers, double timeout_s);

/// The same with the peers of a config; the registry itself where it has none.
Registry with_peers(const Registry& registry, const SuiteConfig& config);

}  // namespace gpuseq::bench
