#include "bench/phases/predict/probed_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "bench/config/json_file.hpp"
#include "bench/profile/store/run_profiles.hpp"
#include "results/journal.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using results::Record;

constexpr const char* kAllowedMachine =
    "allowed: the folder of a run with probes, as `gpuseq-bench machine` makes one, or a file in it";

bool is_probe(const Record& record) {
  return record.kind == "probe" && record.status == results::Status::ok && record.statistics;
}

double number_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

const json& part_of(const json& provenance, const char* key) {
  static const json none = json::object();
  const auto found = provenance.find(key);
  return found != provenance.end() && found->is_object() ? *found : none;
}

using Operation = std::tuple<std::string, std::string, std::int64_t>;  // name, target, threads

std::map<Operation, double> operations_of(const ProbedMachine& machine, const std::string& device) {
  std::map<Operation, double> rates;
  for (const Throughput& one : machine.probes.throughputs) {
    if (one.device != device) continue;
    double& best = rates[{one.operation, one.target, one.threads}];
    best = std::max(best, one.rate);
  }
  return rates;
}

/// Cycles a second of all multiprocessors; 0: not known.
double cycles_of(const ProbedMachine& machine, const std::string& device) {
  const ProbedMachine::Device* const found = machine.find(device);
  if (found == nullptr) return 0;
  return number_of(found->description, "multiprocessors") * number_of(found->description, "max_sm_clock_mhz");
}

/// Records do not repeat them.
void add_instruction_sets(ProbedMachine& machine, const fs::path& summary) {
  constexpr const char* kKey = "instruction_sets";
  if (!fs::exists(summary)) return;
  const json devices = part_of(read_json(summary), "devices");
  for (ProbedMachine::Device& device : machine.devices)
    if (const json& described = part_of(devices, device.id.c_str()); described.contains(kKey))
      device.description[kKey] = described[kKey];
}

}  // namespace

std::string ProbedMachine::Device::name() const {
  return description.value("name", id);
}

const ProbedMachine::Device* ProbedMachine::find(std::string_view id) const {
  const auto found = std::ranges::find(devices, id, &Device::id);
  return found == devices.end() ? nullptr : &*found;
}

ProbedMachine probed_machine(std::span<const Record> records) {
  ProbedMachine machine;
  for (const Record& record : records) {
    if (!is_probe(record)) continue;
    const json& provenance = *record.provenance;
    machine.all_threads = std::max(
        machine.all_threads, static_cast<int>(number_of(part_of(provenance, "host"), "available_cpus")));
    if (machine.find(record.state.device) == nullptr)
      machine.devices.push_back({record.state.device, part_of(provenance, "device")});
  }
  machine.probes = probe_results(records);
  return machine;
}

ProbedMachine machine_of_run(const fs::path& run, std::span<const Record> records) {
  std::vector<Record> probes;
  std::ranges::copy_if(records, std::back_inserter(probes), is_probe);
  std::ranges::copy(profile_records_of_run(run), std::back_inserter(probes));
  if (std::ranges::none_of(probes, is_probe))
    throw UsageError(fmt::format("{}: has no records of probes; {}", (run / results::kRecordsFile).string(),
                                 kAllowedMachine));
  return probed_machine(probes);
}

ProbedMachine read_probed_machine(const fs::path& path) {
  const fs::path run = fs::is_directory(path) ? path : path.parent_path();
  if (!fs::exists(path))
    throw UsageError(fmt::format("{}: does not exist; {}", path.string(), kAllowedMachine));
  const fs::path journal = run / results::kRecordsFile;
  if (!fs::exists(journal))
    throw UsageError(fmt::format("{}: its folder has no records of probes ({}); {}", path.string(),
                                 results::kRecordsFile, kAllowedMachine));
  std::vector<Record> probes;
  results::Journal::read(journal, [&](Record record) {
    if (is_probe(record)) probes.push_back(std::move(record));
  });
  ProbedMachine machine = machine_of_run(run, probes);
  add_instruction_sets(machine, run / "run.json");
  return machine;
}

double execution_ratio(const ProbedMachine& machine, const std::string& device, const ProbedMachine& to,
                       const std::string& to_device) {
  const auto own = operations_of(machine, device), other = operations_of(to, to_device);
  std::vector<double> ratios;
  for (const auto& [operation, rate] : own)
    if (const auto found = other.find(operation); found != other.end())
      ratios.push_back(found->second / rate);
  if (!ratios.empty()) return results::median(ratios);
  const double own_cycles = cycles_of(machine, device), other_cycles = cycles_of(to, to_device);
  return own_cycles > 0 && other_cycles > 0 ? other_cycles / own_cycles : 1;
}

}  // namespace gpuseq::bench
