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

/// Takes the points of this machine's winners by throughput for variants of which a config names no axis: for
/// each problem and device that of the nearest problem of its class, else the default. The config's axes of
/// a variant count. A winner of a variant or point that there is no more is ignored with a word.
TakenWinners with_winners(const SuiteConfig& config, const Registry& registry,
                          std::span<const DeviceInfo> devices);

/// The config as it was before.
/// @param variants  as with_winners() had them
SuiteConfig without_winners(const SuiteConfig& config, const std::vector<std::string>& variants);

/// The variant and point that `exec` runs where its user names none.
struct ExecWinner {
  std::string variant, device;
  std::string origin;  // for people: the time and problem of its tuning
  Point point;
  nlohmann::ordered_json json = {};  // the winner as it is kept
};

/// The best of this machine's winners for files of a user's, by the waiting time of a user or, without a
/// search for that, by throughput. Where no variant is named, the variant that the family takes then must
/// have been measured next to one of them.
/// @param request  its data, problem and options count
/// @param variant  of these winners only; empty: of any
/// @param devices  to look at
/// @param remarks  winners that could not be used
std::optional<ExecWinner> winner_for(const Family& family, const ExecRequest& request,
                                     const std::string& variant, std::span<const std::string> devices,
                                     std::vector<std::string>& remarks);

/// The winner of this machine that was tuned last, whatever its problem, by throughput or by the waiting time
/// of a user.
/// @param variants  of these winners only
std::optional<ExecWinner> latest_winner(const Family& family, const std::filesystem::path& cache_dir,
                                        std::span<const std::string> variants,
                                        std::span<const std::string> devices,
                                        std::vector<std::string>& remarks);

}  // namespace gpuseq::bench
