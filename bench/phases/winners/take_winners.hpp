#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"
#include "bench/phases/winners/tuned_file.hpp"
#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// A config with winners of this machine in the places of default points.
struct TakenWinners {
  SuiteConfig config;
  std::vector<std::string> variants;  // "family/variant", of which something was taken
  std::vector<std::string> said;      // for people, a line each
};

/// Takes the points of this machine's winners by throughput for variants of which a config says no axis: of
/// each problem and device that of the nearest problem of its class, else the default. What a config says of
/// a variant counts. A winner of a variant or point that there is no more is ignored with a word.
TakenWinners with_winners(const SuiteConfig& config, const Registry& registry,
                          std::span<const DeviceInfo> devices);

/// The config as it was before.
/// @param variants  as with_winners() had them
SuiteConfig without_winners(const SuiteConfig& config, const std::vector<std::string>& variants);

/// What `exec` runs where its user does not say it.
struct ExecWinner {
  std::string variant, device;
  std::string origin;  // for people: when and for what it was tuned
  Point point;
  nlohmann::ordered_json json = {};  // the winner as it is kept
};

/// The best of this machine's winners for files of a user's, by what a user waits for or, where nobody
/// searched for that, by throughput. Where no variant is named, that which the family takes then must have
/// been measured beside one of them.
/// @param request  its data, problem and options count
/// @param variant  of these winners only; empty: of any
/// @param devices  to look at
/// @param remarks  what could not be used
std::optional<ExecWinner> winner_for(const Family& family, const ExecRequest& request,
                                     const std::string& variant, std::span<const std::string> devices,
                                     std::vector<std::string>& remarks);

/// The winner of this machine that was tuned last, whatever its problem, by throughput or what a user waits
/// for.
/// @param variants  of these winners only
std::optional<ExecWinner> latest_winner(const Family& family, const std::filesystem::path& cache_dir,
                                        std::span<const std::string> variants,
                                        std::span<const std::string> devices,
                                        std::vector<std::string>& remarks);

}  // namespace gpuseq::bench
