#include "bench/run/run_journal.hpp"

#include <xxhash.h>

namespace gpuseq::bench {

using results::Record;

std::string record_key(const State& state, int repetition) {
  return results::record_key(state.key.to_string(), state.phase, repetition);
}

RunJournal::Fingerprint RunJournal::fingerprint(const std::string& key) {
  const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  return {hash.low64, hash.high64};
}

RunJournal::RunJournal(const std::filesystem::path& path) : journal_(path) {
  results::Journal::read_heads(path, results::ReadLine::head,
                               [&](const results::RecordHead& head, std::size_t, std::uint64_t begin) {
                                 recorded_.emplace(fingerprint(head.key()), begin);
                                 if (head.kind == "probe" || head.phase == "size")
                                   keep(results::Journal::at(path, begin));
                               });
}

Record RunJournal::record(const std::string& key) const {
  return results::Journal::at(journal_.path(), recorded_.at(fingerprint(key)));
}

std::vector<Record> RunJournal::records_where(const std::function<bool(const Record&)>& is_wanted) const {
  std::vector<Record> records;
  results::Journal::read(journal_.path(), [&](Record record) {
    if (is_wanted(record)) records.push_back(std::move(record));
  });
  return records;
}

void RunJournal::append(const Record& record) {
  recorded_[fingerprint(results::record_key(record))] = journal_.append(record);
  keep(record);
}

void RunJournal::keep(const Record& record) {
  if (record.kind == "probe") probe_records_.push_back(record);
  if (record.phase == "size") size_records_.push_back(record);
}

}  // namespace gpuseq::bench
