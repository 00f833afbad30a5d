#pragma once

// Shared by external tools that count queries with a library's FM-index: reading FASTA, counting, writing.

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "timed_passes.hpp"

namespace count_queries {

struct Record {
  std::string name, letters;  // up to the first blank; upper case
};

inline std::vector<Record> read_fasta(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(std::string(path) + ": cannot be read");
  std::vector<Record> records;
  for (std::string line; std::getline(file, line);) {
    while (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.starts_with('>')) {
      records.push_back({line.substr(1, line.find_first_of(" \t") - 1), ""});
      continue;
    }
    if (line.empty()) continue;
    if (records.empty()) fail(std::string(path) + ": letters before the first name");
    for (char& letter : line) {
      letter = static_cast<char>(letter & ~0x20);
      if (std::string_view("ACGT").find(letter) == std::string_view::npos)
        fail(std::string(path) + ": a letter of " + records.back().name + " is none of A C G T");
    }
    records.back().letters += line;
  }
  return records;
}

/// The letters of a file of one record.
inline std::string read_text(const char* path) {
  std::vector<Record> records = read_fasta(path);
  if (records.size() != 1) fail(std::string(path) + ": found another number of records than one");
  return std::move(records.front().letters);
}

struct Counted {
  std::vector<std::uint64_t> counts;
  double seconds = 0;
};

/// Counts every query. @returns the counts, and the seconds of a pass over all of them
template <class Query, class Count>
Counted count_all(const std::vector<Query>& queries, std::size_t threads, const Count& count) {
  Counted counted{.counts = std::vector<std::uint64_t>(queries.size())};
  counted.seconds = timed_passes(threads, {.items = queries.size(), .piece = 256, .warm_up = 4096}, [&] {
    return [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) counted.counts[i] = count(queries[i]);
    };
  });
  return counted;
}

/// A line for each query: its name and how often it occurs. Prints the seconds.
inline void write(const char* path, const std::vector<Record>& queries, const Counted& counted) {
  std::FILE* out = std::fopen(path, "w");
  if (out == nullptr) fail(std::string(path) + ": cannot be written");
  for (std::size_t i = 0; i < queries.size(); ++i)
    std::fprintf(out, "%s %llu\n", queries[i].name.c_str(),
                 static_cast<unsigned long long>(counted.counts[i]));
  if (std::fclose(out) != 0) fail(std::string(path) + ": cannot be written");
  std::printf("seconds %.9f\n", counted.seconds);
}

/// Runs the command of the program if it names the index `kind`: "build KIND TEXT INDEX" or "count KIND
/// THREADS INDEX QUERIES OUT".
template <class Build, class Count>
bool run(int words, char** arguments, std::string_view kind, const Build& build, const Count& count) {
  const std::string_view what = arguments[1];
  if (kind != arguments[2]) return false;
  if (what == "build" && words == 5)
    build(arguments[3], arguments[4]);
  else if (what == "count" && words == 7)
    count(arguments[3], arguments[4], arguments[5], arguments[6]);
  else
    return false;
  return true;
}

}  // namespace count_queries
