#include "bench/run/gate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "bench/base/number_words.hpp"
#include "bench/run/run.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/run/worker_process.hpp"
#include "reports/comparison/certificate.hpp"
#include "reports/comparison/load_side.hpp"
#include "reports/comparison/words.hpp"
#include "results/journal.hpp"
#include "results/reading/migration.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/child_process.hpp"
#include "runtime/system/host_load.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using comparison::Comparison;
using comparison::Side;
using comparison::Verdict;
using Clock = std::chrono::steady_clock;

/// A filter longer than this may not fit a command line; then everything is measured again.
constexpr std::size_t kLongestFilter = 64 << 10;

/// A process that has finished no state for so long when the budget is spent, or that prints more, is killed.
constexpr double kSilentS = 5;
constexpr std::uintmax_t kMostSaid = std::uintmax_t{64} << 20;

/// The budget ended a process.
struct BudgetCut {};

std::uintmax_t file_bytes(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  return error ? 0 : size;
}

/// Both sides as they fill with processes.
class Gate {
 public:
  Gate(const GateOptions& options, const std::function<void(const std::string&)>& say)
      : options_(options), say_(say) {
    base_.name = options.base_command;
    next_.name = options.new_command;
  }

  /// base, new, new, base. @param states  only these; empty: all
  /// @returns whether it came to its end before that of the budget
  bool round(std::span<const std::string> states) {
    const auto start = Clock::now();
    try {
      process(base_, "base", options_.base_command, states);
      process(next_, "new", options_.new_command, states);
      process(next_, "new", options_.new_command, states);
      process(base_, "base", options_.base_command, states);
    } catch (const BudgetCut&) {
      return false;
    }
    last_round_s_ = seconds_since(start);
    ++rounds_;
    return true;
  }

  bool has_time() const { return seconds_since(start_) + last_round_s_ <= options_.budget_s; }
  GateResult judged() const {
    return {.comparison = compare(base_, next_, options_.compare),
            .base = base_,
            .next = next_,
            .rounds = rounds_,
            .elapsed_s = seconds_since(start_)};
  }
  /// Both sides have a process that came to its end.
  bool can_judge() const { return !base_.processes.empty() && !next_.processes.empty(); }

 private:
  void process(Side& side, const std::string& folder, const std::string& command,
               std::span<const std::string> states) {
    const fs::path dir = options_.output / folder / fmt::format("{:03}", side.processes.size() + 1);
    fs::create_directories(dir.parent_path());
    run(command, dir, states);
    const fs::path journal = dir / results::kRecordsFile;
    if (fs::exists(journal) && results::has_old_records(journal)) migrate_run(dir);  // of an older build
    if (fs::exists(journal)) comparison::add_process(side, journal);
    if (!fs::exists(journal) || side.processes.back().empty())
      throw UsageError(fmt::format("{}: measured nothing; see {}.log", command, dir.string()));
  }

  /// A state that failed is the records' to tell (exit code 1); anything else that goes wrong ends the gate.
  void run(const std::string& command, const fs::path& dir, std::span<const std::string> states) const {
    // The shell takes the command apart; what follows reaches the program as it is. Winners that the cache
    // has by now are not taken: a build of before does not know of them, and both sides measure the same
    // points. It is not told by an option, which such a build refuses.
    ChildCommand child{.arguments = {"/bin/sh", "-c",
                                     fmt::format("{}=1; export {}; exec {} \"$@\"", kDefaultPointsVariable,
                                                 kDefaultPointsVariable, command),
                                     "sh", "run", "--no-report", "--output", dir},
                       .out = dir.string() + ".log",
                       .err = dir.string() + ".err"};
    bool spent = false;
    child.why_end = watcher(child, dir / results::kRecordsFile, spent);
    // Neither side is judged by its ceilings.
    child.arguments.insert(child.arguments.end(), {"--set", "probe_budget_s=0"});
    if (!options_.probes) child.arguments.insert(child.arguments.end(), {"--set", "probes={}"});
    child.arguments.insert(child.arguments.end(), {"--set", "tune.remeasure=0"});
    child.arguments.insert(child.arguments.end(), options_.arguments.begin(), options_.arguments.end());
    const std::string filter = filter_of(states);
    if (!states.empty() && filter.size() < kLongestFilter)
      child.arguments.push_back("--benchmark_filter=" + filter);
    try {
      run_child(child);
    } catch (const ChildFailed& failure) {
      if (interrupted()) throw Interrupted();
      if (spent) {
        set_aside(dir);
        say_(fmt::format("{}: {}", command, failure.what()));
        if (can_judge()) throw BudgetCut();
      }
      const bool states_failed = failure.exit_code == static_cast<int>(ExitCode::failed);
      if (!states_failed || !fs::exists(dir / results::kRecordsFile))
        throw UsageError(fmt::format("{}: {}", command, failure.what()));
      say_(fmt::format("{}: a state failed, see {}.err", command, dir.string()));
    }
  }

  /// Says when a process is to be killed, and why. @param spent  set where the budget is the reason
  std::function<std::string()> watcher(const ChildCommand& child, const fs::path& journal,
                                       bool& spent) const {
    return [this, &child, &spent, journal, size = std::uintmax_t{0},
            grown = Clock::now()]() mutable -> std::string {
      if (file_bytes(child.out) + file_bytes(child.err) > kMostSaid)
        return fmt::format("it printed more than {} MiB", kMostSaid >> 20);
      if (const std::uintmax_t now = file_bytes(journal); now != size) {
        size = now;
        grown = Clock::now();
      }
      spent = seconds_since(start_) > options_.budget_s && seconds_since(grown) > kSilentS;
      return spent ? fmt::format("the budget of {} is spent, and it has finished no state for {:g} s",
                                 duration_text(options_.budget_s), kSilentS)
                   : "";
    };
  }

  /// The records of a killed process are not counted for its side.
  void set_aside(const fs::path& dir) const {
    std::error_code error;
    const fs::path aside = options_.output / "unfinished";
    fs::create_directories(aside, error);
    fs::rename(dir,
               aside / fmt::format("{}-{}", dir.parent_path().filename().string(), dir.filename().string()),
               error);
  }

  const GateOptions& options_;
  const std::function<void(const std::string&)>& say_;
  Side base_, next_;
  int rounds_ = 0;
  double last_round_s_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

std::vector<std::string> worth_another_round(const Comparison& comparison,
                                             std::span<const std::string> confirmed) {
  std::vector<std::string> states;
  for (const comparison::StateComparison& state : comparison.states) {
    std::string key = state.state.to_string();
    const bool again = state.verdict == Verdict::regressed &&
                       std::find(confirmed.begin(), confirmed.end(), key) == confirmed.end();
    if (again || state.verdict == Verdict::inconclusive) states.push_back(std::move(key));
  }
  return states;
}

std::string filter_of(std::span<const std::string> states) {
  std::vector<std::string> escaped;
  for (const std::string& state : states) {
    std::string& text = escaped.emplace_back();
    for (const char c : state) {
      if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) text += '\\';
      text += c;
    }
  }
  return fmt::format("^({})/iterations:1/", fmt::join(escaped, "|"));
}

namespace {

/// What people call a state of a comparison.
std::string name_of(const Comparison& comparison, const std::string& key) {
  for (const comparison::StateComparison& state : comparison.states)
    if (state.state.to_string() == key) return names_of(comparison).of(state.state);
  return key;
}

/// The rounds of a gate, until all is decided or the budget is spent.
GateResult decided(const GateOptions& options, const std::function<void(const std::string&)>& say) {
  Gate gate(options, say);
  const auto cut = [&gate] {
    GateResult result = gate.judged();
    result.cut = true;
    return result;
  };
  for (int i = 0; i < options.rounds; ++i) {
    if (!gate.round({})) return cut();
    say(fmt::format("round {} of {}", i + 1, options.rounds));
  }
  GateResult result = gate.judged();
  std::vector<std::string> confirmed;
  while (true) {
    const std::vector<std::string> again = worth_another_round(result.comparison, confirmed);
    if (again.empty()) return result;
    if (!gate.has_time()) {
      say(fmt::format("{} left undecided: the budget of {} is spent", again.size(),
                      duration_text(options.budget_s)));
      return result;
    }
    say(fmt::format("round {}: {} again", result.rounds + 1,
                    again.size() == 1 ? name_of(result.comparison, again.front())
                                      : fmt::format("{} states", again.size())));
    if (!gate.round(again)) return cut();
    confirmed.insert(confirmed.end(), again.begin(), again.end());
    result = gate.judged();
  }
}

}  // namespace

GateResult run_gate(const GateOptions& options, const std::function<void(const std::string&)>& say) {
  const Maybe<HostLoad> before = host_load();
  GateResult result = decided(options, say);
  const Maybe<HostLoad> after = host_load();  // the processes of both sides have ended, and are our own
  if (before.value && after.value) result.comparison.elsewhere = shares_between(*before.value, *after.value);
  result.comparison.certificate =
      comparison::certify(result.base, result.next.processes.size(), options.compare);
  return result;
}

}  // namespace gpuseq::bench
