#include "reports/published.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "runtime/contract/errors.hpp"
#include "runtime/io/json_text.hpp"

namespace gpuseq::reports {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw UsageError(fmt::format("{}: {}", where, what));
}

std::string required_text(const json& object, const char* key, const std::string& where) {
  const auto found = object.find(key);
  if (found == object.end()) return "";
  if (!found->is_string())
    refuse(where + "/" + key, fmt::format("expected a string, found {}", found->type_name()));
  return found->get<std::string>();
}

double required_number(const json& object, const char* key, const std::string& where) {
  const auto found = object.find(key);
  if (found == object.end()) refuse(where, fmt::format("needs \"{}\"", key));
  if (!found->is_number())
    refuse(where + "/" + key, fmt::format("expected a number, found {}", found->type_name()));
  return found->get<double>();
}

/// The value of a fact: stated, or a stated ratio to an earlier fact.
void set_value(Fact& fact, const json& object, const std::vector<Fact>& earlier, const std::string& where) {
  if (!object.contains("of")) {
    fact.value = required_number(object, "value", where);
    return;
  }
  const std::string of = required_text(object, "of", where);
  const auto base =
      std::find_if(earlier.begin(), earlier.end(), [&](const Fact& other) { return other.id == of; });
  if (base == earlier.end()) refuse(where + "/of", fmt::format("no earlier fact has the id \"{}\"", of));
  const bool divides = object.contains("divided_by");
  const double factor = required_number(object, divides ? "divided_by" : "times", where);
  if (!(factor > 0)) refuse(where, "the ratio must be positive");
  fact.value = divides ? base->value / factor : base->value * factor;
  fact.derived = true;
}

Fact parse_fact(const json& object, const std::vector<Fact>& earlier, const std::string& where) {
  if (!object.is_object()) refuse(where, fmt::format("expected an object, found {}", object.type_name()));
  Fact fact;
  fact.paper = required_text(object, "paper", where);
  fact.id = required_text(object, "id", where);
  fact.figure = required_text(object, "figure", where);
  fact.kind = required_text(object, "kind", where);
  if (fact.kind != "value" && fact.kind != "guide" && fact.kind != "listed")
    refuse(where + "/kind", fmt::format("is \"{}\"; allowed: value, guide, listed", fact.kind));
  fact.axis = required_text(object, "axis", where);
  if (fact.kind == "guide" && fact.axis != "x" && fact.axis != "y")
    refuse(where + "/axis", fmt::format("is \"{}\"; a guide needs x or y", fact.axis));
  fact.device = required_text(object, "device", where);
  fact.label = required_text(object, "label", where);
  fact.unit = required_text(object, "unit", where);
  fact.source = required_text(object, "source", where);
  if (fact.source.empty()) refuse(where, "needs \"source\": where the paper states the value");
  fact.stated = required_text(object, "stated", where);
  if (const auto at = object.find("at"); at != object.end()) {
    if (!at->is_object()) refuse(where + "/at", fmt::format("expected an object, found {}", at->type_name()));
    fact.at = *at;
  }
  set_value(fact, object, earlier, where);
  if (!std::isfinite(fact.value)) refuse(where, "the value is not finite");
  return fact;
}

}  // namespace

std::vector<const Fact*> Published::find(std::string_view figure, std::string_view kind) const {
  std::vector<const Fact*> found;
  for (const Fact& fact : facts)
    if (fact.figure == figure && fact.kind == kind) found.push_back(&fact);
  return found;
}

Published load_published(const std::filesystem::path& file) {
  const json root = read_json(file, Texts::printable);
  const std::string where = file.string() + ": ";
  if (!root.is_object()) refuse(file.string(), "expected an object with \"paper\" and \"facts\"");
  Published published;
  std::string name;
  if (const auto paper = root.find("paper"); paper != root.end() && paper->is_object()) {
    name = required_text(*paper, "short", where + "/paper");
    published.citation = required_text(*paper, "citation", where + "/paper");
  }
  const auto facts = root.find("facts");
  if (facts == root.end() || !facts->is_array()) refuse(where + "/facts", "expected an array of facts");
  for (std::size_t i = 0; i < facts->size(); ++i) {
    published.facts.push_back(parse_fact((*facts)[i], published.facts, fmt::format("{}/facts/{}", where, i)));
    if (published.facts.back().paper.empty()) published.facts.back().paper = name;
  }
  return published;
}

Published load_published(const std::vector<std::filesystem::path>& files) {
  Published all;
  std::set<std::filesystem::path> read;
  for (const std::filesystem::path& file : files) {
    std::error_code missing;  // then load_published() says so
    if (!read.insert(std::filesystem::weakly_canonical(file, missing)).second) continue;
    Published one = load_published(file);
    if (!one.citation.empty()) all.citation += (all.citation.empty() ? "" : "; ") + one.citation;
    std::move(one.facts.begin(), one.facts.end(), std::back_inserter(all.facts));
  }
  return all;
}

std::string papers_of(const std::vector<const Fact*>& facts) {
  std::vector<std::string> papers;
  for (const Fact* fact : facts)
    if (std::find(papers.begin(), papers.end(), fact->paper) == papers.end()) papers.push_back(fact->paper);
  return fmt::format("{}", fmt::join(papers, "; "));
}

std::string credit(const std::vector<const Fact*>& facts) {
  std::map<std::string, std::set<std::string>> sources;
  for (const Fact* fact : facts) sources[fact->paper].insert(fact->source);
  std::vector<std::string> words;
  for (const auto& [paper, of_paper] : sources)
    words.push_back(fmt::format("{} ({})", paper, fmt::join(of_paper, "; ")));
  return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace gpuseq::reports
