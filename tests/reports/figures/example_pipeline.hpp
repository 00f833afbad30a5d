#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/reports/example_profile_hmm.hpp"

/// Runs of hmmsearch that end after each of its filters; times and answers are made up.
namespace gpuseq::reports::example {

struct PipelineModel {
  std::string models;
  std::int64_t length = 0;
  std::map<std::string, double> seconds;  // by variant
  std::map<std::string, double> answers;  // of the whole run, of 20000 sequences
};

inline const std::vector<PipelineModel>& pipeline_models() {
  static const std::vector<PipelineModel> models{
      {"globins",
       149,
       {{"hmmsearch_msv", 0.04},
        {"hmmsearch_viterbi", 0.06},
        {"hmmsearch_forward", 0.07},
        {"hmmsearch", 0.08}},
       {{"MSV", 800}, {"bias", 600}, {"Vit", 40}, {"Fwd", 10}}},
      {"kinase",
       260,
       {{"hmmsearch_msv", 0.05}, {"hmmsearch_viterbi", 0.1}, {"hmmsearch_forward", 0.2}, {"hmmsearch", 0.5}},
       {{"MSV", 1000}, {"bias", 800}, {"Vit", 400}, {"Fwd", 380}}}};
  return models;
}

/// One run of a model, which takes `seconds`.
inline results::Record pipeline_record(const PipelineModel& model, const std::string& variant,
                                       double seconds) {
  constexpr double kCells = 1e9;
  // As in records: 400 is the length of random models, and that of a file's a fact.
  results::Record r = record("profile_hmm", variant, profile_hmm_problem("ssv", 400, model.models),
                             {{"threads", 1}}, "cpu", kCells, "cells", kCells / seconds);
  r.kind = "tool";
  r.facts = {{"model_length", model.length}, {"model_name", model.models}, {"sequence_count", 20000}};
  if (variant == "hmmsearch") r.facts["answers"] = model.answers;
  r.ceiling.reason = "a whole process has none";
  return r;
}

inline std::vector<results::Record> pipeline_records() {
  std::vector<results::Record> records;
  for (const PipelineModel& model : pipeline_models())
    for (const auto& [variant, seconds] : model.seconds)
      records.push_back(pipeline_record(model, variant, seconds));
  return records;
}

inline void add_pipeline(std::vector<results::Record>& records) {
  for (results::Record& record : pipeline_records()) records.push_back(std::move(record));
}

}  // namespace gpuseq::reports::example
