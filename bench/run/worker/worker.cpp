#include "bench/run/worker/worker.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <new>
#include <optional>

#include "bench/config/provenance.hpp"
#include "bench/measure/compile_ahead.hpp"
#include "bench/measure/measure.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/tools/family.hpp"
#include "results/journal.hpp"
#include "results/names/problem_hashes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/program_name.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using results::Record;

/// The worker's end of the connection.
class Requests {
 public:
  explicit Requests(int descriptor) : descriptor_(descriptor) {}

  /// @returns nothing once the supervisor has closed its end
  std::optional<json> next() {
    std::size_t end;
    while ((end = partial_.find('\n')) == std::string::npos) {
      char buffer[65536];
      const ssize_t got = ::read(descriptor_, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return std::nullopt;
      partial_.append(buffer, static_cast<std::size_t>(got));
    }
    json request = json::parse(partial_.substr(0, end));
    partial_.erase(0, end + 1);
    return request;
  }

  void send(const json& reply) const {
    const std::string line = reply.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    std::size_t sent = 0;
    while (sent < line.size()) {
      const ssize_t written = ::write(descriptor_, line.data() + sent, line.size() - sent);
      if (written < 0 && errno != EINTR) return;  // the supervisor is gone
      if (written > 0) sent += static_cast<std::size_t>(written);
    }
  }

 private:
  int descriptor_;
  std::string partial_;
};

/// The hash of each problem that a journal has records of.
results::ProblemHashes hashes_of(const std::filesystem::path& journal) {
  results::ProblemHashes hashes;
  if (std::filesystem::exists(journal))
    results::Journal::read(journal, [&](const Record& record) { hashes.check(record, "the records"); });
  return hashes;
}

/// Measures the states that it is sent.
class Worker {
 public:
  Worker(const RunFolder& folder, const BegunRun& run, const Registry& registry, Requests& requests)
      : requests_(requests),
        config_(with_flags(run.config, flags_of(run.invocation))),
        registry_(with_tools_of(config_, registry)),
        measurer_(
            config_, run_provenance(run.config), [](const std::string& id) { return open_device(id); },
            [this](const std::string& stage) { report(stage); }) {
    measurer_.hold_to(run.data.value_or(DataContents()), hashes_of(folder.records()));
  }

  void answer(const json& request) {
    requests_.send({{"begun", true}});
    if (request.contains("describe"))
      describe(request["describe"].get<std::string>());
    else if (request.contains("compile"))
      compile(request);
    else
      measure(state_of(request.at("measure")));
  }

 private:
  /// Reports a new stage, and the same one now and then: the supervisor runs on a core that is measured.
  void report(const std::string& stage) {
    constexpr auto kOften = std::chrono::milliseconds(250);
    const auto now = std::chrono::steady_clock::now();
    if (stage == reported_stage_ && now - reported_at_ < kOften) return;
    reported_stage_ = stage;
    reported_at_ = now;
    requests_.send({{"stage", stage}});
  }

  State state_of(const json& sent) const {
    const Record record = results::record_from_json(sent.at("record"));
    const auto& families = record.kind == "probe" ? registry_.probes : registry_.families;
    State state{.key = record.state,
                .kind = record.kind,
                .phase = record.phase,
                .repetition = record.repetition,
                .most_seconds = sent.at("most_seconds").get<double>()};
    for (const auto& family : families)
      if (family->name() == state.key.family) state.family = family.get();
    if (state.family == nullptr) throw UsageError("no family " + state.key.family);
    state.variant = &state.family->variant(state.key.variant);
    if (record.size) state.growth = state.family->growth();
    return state;
  }

  void describe(const std::string& device) {
    requests_.send(
        {{"done",
          {{"description", measurer_.describe(device)}, {"provenance", measurer_.provenance(device)}}}});
  }

  void compile(const json& request) {
    std::vector<State> states;
    for (const json& sent : request["compile"]) states.push_back(state_of(sent));
    report("compile");
    compile_ahead(
        states,
        measurer_.describe(request["device"].get<std::string>()).at("architecture").get<std::string>(),
        config_.cache_dir);
    requests_.send({{"done", json::object()}});
  }

  void measure(const State& state) {
    const Record record = measurer_.measure(state);
    requests_.send({{"done", results::to_json(record)}});
    if (record.status == results::Status::failed) measurer_.check_device(state);
  }

  Requests& requests_;
  SuiteConfig config_;
  Registry registry_;
  Measurer measurer_;
  std::string reported_stage_;
  std::chrono::steady_clock::time_point reported_at_;
};

}  // namespace

SuiteConfig with_flags(SuiteConfig config, const BenchmarkFlags& flags) {
  SamplingOptions& sampling = config.sampling;
  if (flags.min_seconds) sampling.min_seconds = *flags.min_seconds;
  if (flags.min_samples) sampling.min_samples = *flags.min_samples;
  sampling.max_samples = std::max(sampling.max_samples, sampling.min_samples);
  config.tune.repetitions = flags.repetitions;
  return config;
}

int run_worker(const std::filesystem::path& dir, InheritedDescriptors inherited, const Registry& registry) {
  // External tools do not inherit them: a tool that outlives the worker would keep run and supervisor
  // waiting.
  for (const int descriptor : {inherited.messages, inherited.lock}) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  const auto end = [](const std::exception& error, WorkerExit code) {
    say(stderr, "{}: {}\n", kProgramName, error.what());
    return static_cast<int>(code);
  };
  try {
    const RunFolder folder{dir};
    const BegunRun run = read_start(folder);
    Requests requests(inherited.messages);
    Worker worker(folder, run, registry, requests);
    while (const auto request = requests.next()) worker.answer(*request);
    return static_cast<int>(WorkerExit::done);
  } catch (const UsageError& error) {
    return end(error, WorkerExit::usage);
  } catch (const DeviceLost& error) {
    return end(error, WorkerExit::device_lost);
  } catch (const ResourceError& error) {
    return end(error, WorkerExit::resource);
  } catch (const std::bad_alloc&) {
    return end(ResourceError("the host has not enough memory"), WorkerExit::resource);
  }
}

}  // namespace gpuseq::bench
