#include "bench/peers/family.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/peers/session.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::bench {
namespace {

/// A family with other programs among its variants. Everything but these is the family's own; a problem that
/// only peers solve has no family behind it.
class PeerFamily final : public Family {
 public:
  PeerFamily(std::shared_ptr<const Family> inner, const PeerProblemSpec& spec, std::vector<Peer> peers,
             double timeout_s)
      : inner_(std::move(inner)), spec_(spec), peers_(std::move(peers)), timeout_s_(timeout_s) {
    if (inner_) variants_ = inner_->variants();
    for (const Peer& peer : peers_) {
      if (inner_ && std::any_of(variants_.begin(), variants_.end(),
                                [&](const Variant& variant) { return variant.name == peer.name; }))
        throw UsageError(fmt::format("/peers/{}: {} has a variant of this name", peer.name, name()));
      variants_.push_back({.name = peer.name,
                           .device = DeviceKind::cpu,
                           .summary = peer.summary,
                           .space = peer.space,
                           .whole_process = true,
                           .missing = why_missing(peer)});
    }
  }

  std::string_view name() const override { return inner_ ? inner_->name() : spec_.name; }
  std::string_view summary() const override { return inner_ ? inner_->summary() : spec_.summary; }
  const SearchSpace& problem_space() const override { return inner_ ? inner_->problem_space() : spec_.space; }
  const std::vector<Variant>& variants() const override { return variants_; }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override {
    return std::make_unique<PeerProblem>(inner_ ? inner_->load(spec) : load_peer_problem(spec_, spec), spec);
  }

  std::unique_ptr<Session> prepare(Problem& problem, const Variant& variant, const Point& point,
                                   Device& device) const override {
    auto& shared = dynamic_cast<PeerProblem&>(problem);
    if (variant.whole_process)
      return std::make_unique<PeerSession>(peer(variant.name), shared, point, timeout_s_);
    return inner_->prepare(shared.inner(), variant, point, device);
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
  std::vector<KernelSource> sources(const Variant& variant, const Point& point,
                                    const Point& problem) const override {
    return variant.whole_process ? Family::sources(variant, point, problem)
                                 : inner_->sources(variant, point, problem);
  }

 private:
  const Peer& peer(const std::string& name) const {
    return *std::find_if(peers_.begin(), peers_.end(), [&](const Peer& peer) { return peer.name == name; });
  }

  std::shared_ptr<const Family> inner_;  // may be null
  PeerProblemSpec spec_;
  std::vector<Peer> peers_;
  std::vector<Variant> variants_;
  double timeout_s_;
};

const PeerProblemSpec& problem_of(const Peer& peer, const Peers& peers, const Registry& registry) {
  std::vector<std::string_view> known;
  for (const PeerProblemSpec& spec : peers.families) {
    if (spec.name == peer.family) return spec;
    known.push_back(spec.name);
  }
  for (const auto& family : registry.families) known.push_back(family->name());
  throw UsageError(fmt::format("/peers/{}/family: found \"{}\"; allowed: {}", peer.name, peer.family,
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
      *found = std::make_shared<PeerFamily>(*found, PeerProblemSpec{}, std::move(members), timeout_s);
    else
      result.families.push_back(std::make_shared<PeerFamily>(
          nullptr, problem_of(members.front(), peers, registry), members, timeout_s));
  }
  return result;
}

Registry with_peers(const Registry& registry, const SuiteConfig& config) {
  // Less than what the supervisor waits: a program that hangs is then a failed record of its own, and the
  // worker goes on.
  constexpr double kShare = 0.8;
  if (!config.document.contains("peers")) return registry;
  const std::string source = config.source + ": /peers";
  try {
    return with_peers(registry, peers_from_json(config.document["peers"], source), kShare * config.timeout_s);
  } catch (const UsageError& error) {
    const std::string what = error.what();
    throw UsageError(what.starts_with(source) ? what : source + what);
  }
}

}  // namespace gpuseq::bench
