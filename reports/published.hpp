#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpuseq::reports {

/// A value that a paper states, drawn beside ours.
struct Fact {
  std::string paper;  // "Chacón et al."; of the file that states it, or another source named beside the value
  std::string id;
  std::string figure;  // name of the figure that draws it; empty: only listed
  std::string kind;    // "value": a mark; "guide": a line across at `value` of `axis`; "listed": only listed
  std::string axis;    // guide: "x" or "y"
  std::string device;  // "NVIDIA GTX Titan"
  std::string label;   // few words, for the legend or the line
  double value = 0;
  std::string unit;
  std::string source;                            // "section 5.2, figure 5"
  std::string stated;                            // as the paper words it; for a ratio, what it is a ratio to
  bool derived = false;                          // computed from stated ratios
  nlohmann::json at = nlohmann::json::object();  // coordinates: {"k": 2, "d": 192, "counters": "alternate"}
};

struct Published {
  std::string citation;  // of all papers, one after another
  std::vector<Fact> facts;

  std::vector<const Fact*> find(std::string_view figure, std::string_view kind) const;
};

/// Reads a file like configs/published/fm-index.json: {"schema": 1, "paper": {"short", "citation"}, "facts":
/// [...]}. A fact gives "value", or {"of": id, "divided_by" | "times": factor} with the id of an earlier
/// fact.
/// @throws UsageError naming the file and the JSON pointer
Published load_published(const std::filesystem::path& file);

/// The facts of several papers together; a file given twice counts once. Errors as above.
Published load_published(const std::vector<std::filesystem::path>& files);

/// Names of the papers of some facts: "Chacón et al.; Liu et al."
std::string papers_of(const std::vector<const Fact*>& facts);

/// Who states some facts and where: "Chacón et al. (section 5.2, figure 5; table 1)".
std::string credit(const std::vector<const Fact*>& facts);

}  // namespace gpuseq::reports
