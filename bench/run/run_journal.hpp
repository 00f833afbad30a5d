#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench/plan/state.hpp"
#include "results/journal.hpp"

namespace gpuseq::bench {

/// The journal's key of a state's record.
std::string record_key(const State& state, int repetition);

/// The journal of a run with an index of its records. The records of probes and of sizes are in memory.
class RunJournal {
 public:
  explicit RunJournal(const std::filesystem::path& path);

  bool has(const std::string& key) const { return recorded_.contains(fingerprint(key)); }
  bool has(const State& state, int repetition) const { return has(record_key(state, repetition)); }
  std::size_t size() const { return recorded_.size(); }
  /// @param key  record_key() of a record in the journal
  results::Record record(const std::string& key) const;
  /// The records that pass a filter.
  std::vector<results::Record> records_where(
      const std::function<bool(const results::Record&)>& is_wanted) const;
  const std::vector<results::Record>& probe_records() const { return probe_records_; }
  const std::vector<results::Record>& size_records() const { return size_records_; }

  void append(const results::Record& record);
  void flush_if_due() { journal_.flush_if_due(); }

 private:
  /// 128 bits of a hash: two of 1e9 keys have the same one with a probability of 1e-21. Keys themselves would
  /// take 400 bytes for each record of a long run.
  using Fingerprint = std::array<std::uint64_t, 2>;
  struct FirstHalf {
    std::size_t operator()(const Fingerprint& of) const { return of[0]; }
  };
  static Fingerprint fingerprint(const std::string& key);
  void keep(const results::Record& record);

  results::Journal journal_;
  std::unordered_map<Fingerprint, std::uint64_t, FirstHalf> recorded_;  // key -> byte in the journal
  std::vector<results::Record> probe_records_, size_records_;
};

}  // namespace gpuseq::bench
