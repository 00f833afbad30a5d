#include "bench/run/terminal/problem_labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace gpuseq::bench {
namespace {

/// "ecoli", "4.94 Mbases" of "ecoli, 4.94 Mbases".
std::vector<std::string> parts_of(const std::string& label) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= label.size();) {
    const std::size_t end = std::min(label.find(", ", begin), label.size());
    parts.push_back(label.substr(begin, end - begin));
    begin = end + 2;
  }
  return parts;
}

/// The place of a number as a whole: no letter, digit or point is next to it.
std::vector<std::size_t> places_of(const std::string& number, const std::string& label) {
  const auto is_part = [&](std::size_t at) {
    return at < label.size() &&
           (std::isalnum(static_cast<unsigned char>(label[at])) != 0 || label[at] == '.');
  };
  std::vector<std::size_t> places;
  for (std::size_t at = label.find(number); at != std::string::npos; at = label.find(number, at + 1))
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + number.size())) places.push_back(at);
  return places;
}

}  // namespace

std::string label_of_any_size(const std::string& label, const nlohmann::ordered_json& size) {
  const std::string number = std::to_string(size["value"].get<std::int64_t>());
  const std::vector<std::size_t> places = places_of(number, label);
  return places.size() == 1 ? std::string(label).replace(places.front(), number.size(), "n") : label;
}

std::vector<std::string> common_parts(const std::set<std::string>& labels) {
  if (labels.empty()) return {};
  std::vector<std::string> common = parts_of(*labels.begin());
  for (const std::string& label : labels) {
    const std::vector<std::string> own = parts_of(label);
    std::erase_if(common, [&](const std::string& part) { return std::ranges::find(own, part) == own.end(); });
  }
  return common;
}

std::string without_parts(const std::string& label, const std::vector<std::string>& common) {
  std::vector<std::string> parts = parts_of(label);
  std::erase_if(parts,
                [&](const std::string& part) { return std::ranges::find(common, part) != common.end(); });
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace gpuseq::bench
