#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "reports/figure_tools.hpp"
#include "runtime/contract/problem.hpp"

/// Labels of the example records' problems, in the words of the families.
namespace gpuseq::reports::example {

/// "1250 queries of 100 bases x 320 references of 5000 sites", where an alignment is the problem; else empty.
inline std::string alignment_name(const results::Record& record) {
  const Point& problem = record.state.problem;
  const auto references = number(record.facts, "references"), sites = number(record.facts, "sites"),
             queries = number(record.facts, "queries_aligned");
  if (!references || !sites || !queries) return "";
  std::string name;
  for (const char* axis : {"alignment", "queries"})
    if (const std::string data = data_name(problem, axis); !data.empty() && data != "evolved")
      name += data + ", ";
  name += fmt::format("{} queries", *queries);
  const auto shortest = number(problem, "shortest_query"), longest = number(problem, "longest_query");
  if (word(problem, "queries") == "evolved" && shortest && longest)
    name += *shortest == *longest ? fmt::format(" of {} bases", *longest)
                                  : fmt::format(" of {} to {} bases", *shortest, *longest);
  return name + fmt::format(" x {} references of {} sites", *references, *sites);
}

/// "ssv, LuxC model of 400 states x 10000 sequences of proteins", where a filter of profile HMMs is the
/// problem.
inline std::string filter_name(const results::Record& record) {
  const Point& problem = record.state.problem;
  const auto length = number(record.facts, "model_length"), count = number(record.facts, "sequence_count");
  const std::string filter = word(problem, "filter");
  if (!length || !count || filter.empty()) return "";
  const auto source = [&](const char* axis) {
    const std::string name = data_name(problem, axis);
    return name.empty() ? "random" : name;
  };
  const std::string sequences = source("sequences");
  return fmt::format("{}, {} model of {} states x {}{} sequences{}", filter, source("models"), *length,
                     *count, sequences == "random" ? " random" : "",
                     sequences == "random" ? "" : " of " + sequences);
}

/// "genotypes, 2504 instances x 10000 attributes, ibs", where the distances of all pairs are the problem.
inline std::string pairs_name(const results::Record& record) {
  const Point& problem = record.state.problem;
  const auto instances = number(record.facts, "instance_count"),
             attributes = number(record.facts, "attribute_count");
  if (!instances || !attributes) return "";
  const std::string data = data_name(problem, "instances"), metric = word(problem, "metric");
  return fmt::format("{}{} instances x {} attributes{}", data.empty() || data == "random" ? "" : data + ", ",
                     *instances, *attributes, metric.empty() || metric == "hamming" ? "" : ", " + metric);
}

/// "l = 20, 100000 queries of 100 bases, 1 % errors, in ecoli (4.94 Mbases)", where exact matches are the
/// problem.
inline std::string matches_name(const results::Record& record) {
  const Point& problem = record.state.problem;
  const auto length = number(record.facts, "min_length"), queries = number(record.facts, "query_count"),
             bases = reference_bases(record);
  if (record.state.family != "exact_match" || !length || !queries || !bases) return "";
  std::string name = fmt::format("l = {}, {} queries", *length, *queries);
  if (const std::string data = data_name(problem, "queries"); data != "random")
    name += " of " + data;
  else if (const auto query = number(problem, "query_bases"))
    name += fmt::format(" of {} bases, {},", *query, errors_of(problem));
  const std::string reference = data_name(problem, "reference"), mode = word(problem, "mode");
  name += fmt::format(" in {} ({})", reference == "random" ? "a random text" : reference,
                      format_value(*bases, Unit::bases));
  if (!mode.empty() && mode != "maxmatch") name += ", " + mode;
  return name + (word(problem, "both_strands") == "yes" ? ", both strands" : "");
}

inline std::string label_of(const results::Record& record) {
  if (std::string name = alignment_name(record); !name.empty()) return name;
  if (std::string name = filter_name(record); !name.empty()) return name;
  if (std::string name = pairs_name(record); !name.empty()) return name;
  if (std::string name = matches_name(record); !name.empty()) return name;
  const Point& problem = record.state.problem;
  std::vector<std::string> words;
  if (const std::string reference = data_name(problem, "reference"); !reference.empty())
    words.push_back(reference);
  if (const auto bases = reference_bases(record)) words.push_back(format_value(*bases, Unit::bases));
  const std::string queries = data_name(problem, "queries");
  const auto query_bases = number(problem, "query_bases");
  const bool sampled = queries.empty() || queries == "sampled" || queries == "generated";
  if (!sampled)
    words.push_back("queries " + queries);
  else if (query_bases && *query_bases > 0)
    words.push_back(fmt::format("queries of {} bases", *query_bases));
  if (const auto percent = number(problem, "occurring_percent"); sampled && percent && *percent < 100)
    words.push_back(fmt::format("{} % occur", *percent));
  if (words.empty()) return problem.to_string();
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace gpuseq::reports::example
