#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/device_identity.hpp"
#include "results/record.hpp"

namespace gpuseq::reports {

/// One run folder: its summary, null where run.json is missing.
struct Run {
  std::filesystem::path dir;
  std::string name = {};
  nlohmann::json summary;
};

/// A record with its device: a fingerprint that is the same in every run on it, and a name that no other
/// device of the report has ("NVIDIA H200", or "NVIDIA H200 (driver 580.65)"). See device_identity.hpp.
struct Entry {
  results::Record record;
  std::string device_name = {};
  std::size_t run = 0;
  std::string device_fingerprint = {};
  std::size_t state_rank = 0;               // as state_ranks() says; 0: not known
  std::size_t samples_of_other_passes = 0;  // of a probe's point: those that its other records hold
  bool disturbed = false;  // a probe's point that no two passes agree on, as run.json states it
};

/// For each entry the place from 1 of its state and device among those of all, in the order of their texts.
std::vector<std::size_t> state_ranks(const std::vector<Entry>& entries);

/// Whether a record is of another program, run as a whole process beside our variants.
bool is_peer(const Entry& entry);

enum class Contestants { ours, with_peers };

struct ReportData {
  std::vector<Run> runs = {};
  std::vector<Entry> entries = {};
  Boards boards = Boards::apart;
  std::vector<std::string> warnings = {};  // about all numbers of these runs

  /// One ok record with a rate per state and device of a family: of the last phase that measured it, and of
  /// that phase's repetitions the median, so that what is drawn is no selection of lucky repetitions. Several
  /// runs on one device count as repetitions. None of phase "size".
  /// @param having  only records that it holds for count: energy and counters are of the sweep, not of the
  ///                best points measured again. Empty: all
  std::vector<const Entry*> settled(std::string_view family, Contestants contestants = Contestants::ours,
                                    const std::function<bool(const results::Record&)>& having = {}) const;

  /// Families of kernels with a record, in the order of their names.
  std::vector<std::string> kernel_families() const;

  /// Place of one of `entries`.
  std::size_t index_of(const Entry& entry) const { return static_cast<std::size_t>(&entry - entries.data()); }
};

/// Reads records.jsonl and run.json of each folder.
/// @param boards  whether two boards of one model are one device, whose runs count as repetitions
/// @throws UsageError if a folder holds neither, or one of them cannot be read
ReportData load_runs(const std::vector<std::filesystem::path>& dirs, Boards boards = Boards::apart);

/// Name of a device: what run.json calls its id, else the provenance of a record of it, else the id.
std::string device_name(const nlohmann::json& summary, const results::SharedJson& provenance,
                        const std::string& id);

// Lenient access: records of other versions may lack an axis or a fact, which must not stop a report.
std::optional<double> number(const Point& point, std::string_view axis);
std::string word(const Point& point, std::string_view axis);
std::optional<double> number(const nlohmann::json& object, std::string_view key);
std::string text(const nlohmann::json& object, std::string_view key);
/// A value as text: a string as it is, anything else as JSON.
std::string value_text(const nlohmann::json& value);

/// Bases of the reference of an fm_index record: a fact of the record, else the problem axis.
std::optional<double> reference_bases(const results::Record& record);

}  // namespace gpuseq::reports
