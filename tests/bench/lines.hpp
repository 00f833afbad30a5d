#pragma once

#include <regex>
#include <set>
#include <sstream>
#include <string>

// Printed texts, for tests that are about a few of their lines.

namespace gpuseq::bench::testing {

/// The lines of `text` with `part` in them.
inline std::string lines_with(const std::string& text, const std::string& part) {
  std::string found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find(part) != std::string::npos) found += line + "\n";
  return found;
}

/// `text` with another text for each `from`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// A plan's text without the longest time that it expects, which depends on how busy the machine is.
inline std::string at_any_load(const std::string& text) {
  static const std::regex kLongest("at most [^,\n]* on a busy one");
  return std::regex_replace(text, kLongest, "at most <time> on a busy one");
}

/// The lines of `text` that `other` lacks; columns may have another width there.
inline std::string lines_beyond(const std::string& text, const std::string& other) {
  const auto words_of = [](const std::string& line) {
    std::string all;
    std::istringstream words(line);
    for (std::string word; words >> word;) all += word + " ";
    return all;
  };
  std::set<std::string> known;
  std::istringstream others(other), lines(text);
  for (std::string line; std::getline(others, line);) known.insert(words_of(line));
  std::string found;
  for (std::string line; std::getline(lines, line);)
    if (!known.contains(words_of(line))) found += line + "\n";
  return found;
}

}  // namespace gpuseq::bench::testing
