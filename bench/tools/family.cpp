#include "bench/tools/family.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/tools/programs.hpp"
#include "bench/tools/session.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

/// A family with other programs among its variants. Everything but these is the family's own; a problem that
/// only peers solve has no family behind it.
class PeerFamily final : public Family {
 public:
  PeerFamily(std::shared_ptr<const Family> inner, const PeerProblemSpec& spec, const std::vector<Peer>& peers,
             double timeout_s)
      : inner_(std::move(inner)), spec_(spec) {
    if (inner_)
      for (const Variant& variant : inner_->variants()) variants_.push_back(of_shared_problem(variant));
    for (const Peer& peer : peers) {
      if (inner_ && std::any_of(variants_.begin(), variants_.end(),
                                [&](const Variant& variant) { return variant.name == peer.name; }))
        throw UsageError(fmt::format("/tools/{}: {} has a variant of this name", peer.name, name()));
      variants_.push_back(of_peer(peer, timeout_s));
    }
  }

  std::string_view name() const override { return inner_ ? inner_->name() : spec_.name; }
  std::string_view summary() const override { return inner_ ? inner_->summary() : spec_.summary; }
  const SearchSpace& problem_space() const override { return inner_ ? inner_->problem_space() : spec_.space; }
  const std::vector<Variant>& variants() const override { return variants_; }
  std::optional<Effort> effort(const StateOutline& state) const override {
    return inner_ ? inner_->effort(state) : Effort();
  }
  const Growth* growth() const override { return inner_ ? inner_->growth() : nullptr; }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override {
    return std::make_unique<PeerProblem>(inner_ ? inner_->load(spec) : load_peer_problem(spec_, spec), spec);
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override {
    return inner_ ? inner_->exec_roles() : Family::exec_roles();
  }
  std::vector<std::pair<std::string, std::string>> exec_outputs() const override {
    return inner_ ? inner_->exec_outputs() : Family::exec_outputs();
  }
  std::string_view exec_variant() const override {
    return inner_ ? inner_->exec_variant() : Family::exec_variant();
  }
  void exec(const ExecRequest& request, Device& device) const override {
    const bool ours = inner_ && !variant(request.variant).whole_process;
    return ours ? inner_->exec(request, device) : Family::exec(request, device);
  }

 private:
  /// A variant of the family itself, whose problem peers share.
  static Variant of_shared_problem(Variant variant) {
    variant.prepare = prepare_by<PeerProblem>(
        [prepare = std::move(variant.prepare)](PeerProblem& problem, const Point& point, Device& device) {
          return prepare(problem.inner(), point, device);
        });
    return variant;
  }

  Variant of_peer(const Peer& peer, double timeout_s) const {
    const Compare compare = inner_ ? inner_->comparison() : nullptr;
    if (peer.may_differ && compare == nullptr)
      throw UsageError(fmt::format(
          "/tools/{}/answers/may_differ: {} tells nothing of how far answers agree; allowed: false",
          peer.name, name()));
    Variant variant{.name = peer.name,
                    .device = peer.device,
                    .summary = peer.summary,
                    .space = peer.space,
                    .whole_process = true,
                    .missing = why_missing(peer)};
    variant.prepare = prepare_by<PeerProblem>(
        [peer, timeout_s, compare](PeerProblem& problem, const Point& point, Device& device) {
          return std::make_unique<PeerSession>(peer, problem, point, device.id(), timeout_s, compare);
        });
    return variant;
  }

  std::shared_ptr<const Family> inner_;  // may be null
  PeerProblemSpec spec_;
  std::vector<Variant> variants_;
};

const PeerProblemSpec& problem_of(const Peer& peer, const Peers& peers, const Registry& registry) {
  std::vector<std::string_view> known;
  for (const PeerProblemSpec& spec : peers.families) {
    if (spec.name == peer.family) return spec;
    known.push_back(spec.name);
  }
  for (const auto& family : registry.families) known.push_back(family->name());
  throw UsageError(fmt::format("/tools/{}/family: found \"{}\"; allowed: {}", peer.name, peer.family,
                               fmt::join(known, ", ")));
}

}  // namespace

Registry with_peers(const Registry& registry, const Peers& peers, double timeout_s) {
  Registry result = registry;
  std::map<std::string, std::vector<Peer>> by_family;
  for (const Peer& peer : peers.peers) by_family[peer.family].push_back(peer);
  for (auto& [name, members] : by_family) {
    const auto same = [&, &wanted = name](const auto& family) { return family->name() == wanted; };
    const auto found = std::find_if(result.families.begin(), result.families.end(), same);
    if (found != result.families.end())
      *found = std::make_shared<PeerFamily>(*found, PeerProblemSpec{}, members, timeout_s);
    else
      result.families.push_back(std::make_shared<PeerFamily>(
          nullptr, problem_of(members.front(), peers, registry), members, timeout_s));
  }
  return result;
}

Registry with_tools_of(const SuiteConfig& config, const Registry& registry) {
  // Less than what the supervisor waits: a program that hangs is then a failed record of its own, and the
  // worker goes on.
  constexpr double kShare = 0.8;
  if (!config.document.contains("tools")) return registry;
  const nlohmann::json& tools = config.document["tools"];
  const std::string source = config.source + ": /tools";
  try {
    return with_peers(registry, peers_from_json(tools, source), kShare * config.timeout_s);
  } catch (const UsageError& error) {
    const std::string what = error.what();
    throw UsageError(what.starts_with(source) ? what : source + what);
  }
}

}  // namespace gpuseq::bench
