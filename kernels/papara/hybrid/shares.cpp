#include "kernels/papara/hybrid/shares.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gpuseq::papara {
namespace {

PartTime part_of(std::span<const Share> shares) {
  PartTime part;
  for (const Share& share : shares) {
    part.cells += share.cells;
    part.seconds = std::max(part.seconds, share.finish_s);
  }
  return part;
}

}  // namespace

void Shares::begin(int cpu_threads, std::size_t gpus) {
  threads_ = static_cast<std::size_t>(cpu_threads);
  shares_.assign(threads_ + gpus, Share{});
}

LaunchTimes Shares::times() const {
  LaunchTimes times{.seconds = duration_s_, .cpu = part_of(cpu()), .gpus = {}};
  for (const Share& gpu : gpus()) times.gpus.push_back(part_of({&gpu, 1}));
  return times;
}

double Shares::imbalance_s() const {
  double first = duration_s_, last = 0;
  for (const Share& share : shares_) {
    if (share.pieces == 0) continue;
    first = std::min(first, share.finish_s);
    last = std::max(last, share.finish_s);
  }
  return std::max(0.0, last - first);
}

nlohmann::json Shares::facts_of(const std::string& name, std::span<const Share> shares, double cells) const {
  const PartTime part = part_of(shares);
  u64 pieces = 0;
  double busy_s = 0;
  for (const Share& share : shares) {
    pieces += share.pieces;
    busy_s += share.finish_s / static_cast<double>(shares.size());
  }
  return {{name + "_share", cells > 0 ? part.cells / cells : 0.0},
          {name + "_gcups", part.speed() / 1e9},
          {name + "_pieces", pieces},
          {name + "_idle_s", duration_s_ - busy_s},
          {name + "_idle_share", duration_s_ > 0 ? 1 - busy_s / duration_s_ : 0.0}};
}

nlohmann::json Shares::facts(double cells, const std::optional<SettledPlan>& settled) const {
  nlohmann::json facts;
  if (threads_ > 0) facts.update(facts_of("cpu", cpu(), cells));
  for (std::size_t i = 0; i < gpus().size(); ++i)
    facts.update(facts_of(fmt::format("gpu{}", i), gpus().subspan(i, 1), cells));
  double speed = settled ? settled->cpu_speed + settled->gpus_speed : 0;
  if (speed <= 0)
    for (const Share& share : shares_) speed += part_of({&share, 1}).speed();
  const bool known = duration_s_ > 0 && speed > 0;
  facts["lost_share"] = known ? std::max(0.0, 1 - cells / speed / duration_s_) : 0.0;
  facts["imbalance_share"] = known ? imbalance_s() / duration_s_ : 0.0;
  return facts;
}

nlohmann::json facts_of(const SettledPlan& settled) {
  nlohmann::json facts{{"taken", settled.plan.taken()}};
  for (const auto& [name, seconds] :
       {std::pair("both_s", settled.both_s), std::pair("gpus_alone_s", settled.gpus_alone_s),
        std::pair("cpu_alone_s", settled.cpu_alone_s)})
    if (seconds > 0) facts[name] = seconds;
  return facts;
}

std::string note_of(const SettledPlan& settled) {
  if (settled.plan.taken() == "both" || settled.both_s <= 0) return "";
  const bool gpus = settled.plan.gpus;
  if (settled.by_speeds)
    return fmt::format(
        "{}: by the speeds of a launch of both, which took {:.4g} s, {} would gain less than 1 %; nothing "
        "else "
        "was tried",
        gpus ? "the GPU alone" : "the processors alone", settled.both_s, gpus ? "the processors" : "the GPU");
  return fmt::format(
      "{}: {} would make it slower, or gain less than 1 % ({:.4g} ms alone, {:.4g} ms together when tried)",
      gpus ? "the GPU alone" : "the processors alone", gpus ? "the processors" : "the GPU",
      1e3 * (gpus ? settled.gpus_alone_s : settled.cpu_alone_s), 1e3 * settled.both_s);
}

}  // namespace gpuseq::papara
