#include "kernels/profile_hmm/data/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "kernels/profile_hmm/data/model_words.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::profile_hmm {
namespace {

constexpr std::string_view kFormats = "HMMER3/a to HMMER3/f";
constexpr u32 kMostStates = 1'000'000;

class ModelReader {
 public:
  explicit ModelReader(const std::filesystem::path& path) : file_(path.string()), words_(path) {}

  std::vector<Model> read() {
    std::vector<Model> models;
    while (words_.next_line()) {
      model_ = {};
      model_.file = file_;
      model_.line = words_.number_of_line();
      read_format();
      read_header();
      read_body();
      words_.memory().make_room_in_each(models);
      models.push_back(std::move(model_));
    }
    if (models.empty()) throw UsageError(fmt::format("{}: the file is empty, allowed: {}", file_, kFormats));
    return models;
  }

 private:
  void read_format() {
    const std::string_view found = words_.expect_word("the format");
    constexpr std::string_view prefix = "HMMER3/";
    const bool known = found.size() == prefix.size() + 1 && found.starts_with(prefix) &&
                       found.back() >= 'a' && found.back() <= 'f';
    if (!known)
      words_.fail(fmt::format("found '{}' where a model begins, allowed: {}", shown(found), kFormats));
    if (format_ != 0 && found.back() != format_)
      words_.fail(fmt::format("the model is {}, those before it HMMER3/{}, allowed: one format a file", found,
                              format_));
    format_ = found.back();
  }

  void read_header() {
    alphabet_ = consensus_ = false;
    statistics_ = 0;
    std::string_view tag;
    do {
      words_.expect_line("the 'HMM' line of a model");
      tag = words_.expect_word("a tag");
      read_tag(tag);
    } while (tag != "HMM");
    if (model_.name.empty()) words_.fail("the model has no NAME line");
    if (model_.length == 0) words_.fail("the model has no LENG line");
    if (!alphabet_) words_.fail("the model has no ALPH line");
    if (statistics_ != 7)
      words_.fail(fmt::format("the model lacks STATS lines, needed: {}",
                              format_ == 'a' ? "VLAMBDA, VMU and FTAU" : "MSV, VITERBI and FORWARD"));
    if (format_ >= 'e' && !consensus_)
      words_.fail("the model has no 'CONS yes' line (hmmsearch ends at such a model)");
  }

  void read_tag(std::string_view tag) {
    const auto is_one_of = [tag](std::initializer_list<std::string_view> tags) {
      return std::find(tags.begin(), tags.end(), tag) != tags.end();
    };
    if (tag == "NAME")
      read_name();
    else if (tag == "ACC")
      model_.accession = words_.expect_word("the accession");
    else if (tag == "LENG")
      model_.length = static_cast<u32>(words_.count(tag, kMostStates));
    else if (tag == "NSEQ" || (tag == "MAXL" && format_ >= 'c'))
      words_.count(tag, std::numeric_limits<i32>::max());
    else if (tag == "EFFN")
      words_.positive_number(tag);
    else if (tag == "ALPH")
      read_alphabet();
    else if (tag == "STATS")
      read_statistics();
    else if (is_one_of({"RF", "MM", "CS", "MAP"}))
      words_.yes_or_no(tag);
    else if (tag == "CONS")
      consensus_ = words_.yes_or_no(tag);
    else if (is_one_of({"GA", "TC", "NC"}))
      words_.expect_word("the threshold of sequences"), words_.expect_word("the threshold of domains");
    else if (is_one_of({"DESC", "DATE"}))
      words_.expect_rest(tag);
    else if (tag == "COM")
      words_.expect_word("the number of a command"), words_.expect_rest(tag);
    else if (tag == "CKSUM")
      words_.expect_word("the checksum");
  }

  void read_name() {
    model_.name = words_.expect_word("the name");
    const auto is_control = [](char letter) { return static_cast<u8>(letter) < 0x20 || letter == 0x7f; };
    if (std::ranges::any_of(model_.name, is_control))
      words_.fail(fmt::format("a control character in the name '{}', allowed: none", shown(model_.name)));
  }

  void read_alphabet() {
    const std::string_view found = words_.expect_word("the alphabet");
    if (!same_letters(found, "amino"))
      words_.fail(fmt::format("the alphabet of the model is '{}', allowed: amino", shown(found)));
    alphabet_ = true;
  }

  void read_statistics() {
    const std::string_view mode = words_.expect_word("LOCAL");
    if (!same_letters(mode, "LOCAL"))
      words_.fail(fmt::format("found 'STATS {}', allowed: LOCAL", shown(mode)));
    const std::string kind(words_.expect_word("the kind of the statistics"));
    const auto is = [&](std::string_view name) { return same_letters(kind, name); };
    if (format_ == 'a') {
      if (is("VLAMBDA"))
        model_.msv.lambda = model_.viterbi.lambda = model_.forward.lambda = read_slope(), statistics_ |= 1;
      else if (is("VMU"))
        model_.msv.mu = model_.viterbi.mu = static_cast<float>(words_.number("mu")), statistics_ |= 2;
      else if (is("FTAU"))
        model_.forward.mu = static_cast<float>(words_.number("tau")), statistics_ |= 4;
      else
        words_.fail(fmt::format("found 'STATS LOCAL {}', allowed: VLAMBDA, VMU, FTAU", shown(kind)));
      return;
    }
    if (is("MSV"))
      model_.msv = read_gumbel(), statistics_ |= 1;
    else if (is("VITERBI"))
      model_.viterbi = read_gumbel(), statistics_ |= 2;
    else if (is("FORWARD"))
      model_.forward = read_gumbel(), statistics_ |= 4;
    else
      words_.fail(fmt::format("found 'STATS LOCAL {}', allowed: MSV, VITERBI, FORWARD", shown(kind)));
  }

  float read_slope() { return static_cast<float>(words_.positive_number("lambda")); }

  Gumbel read_gumbel() {
    const float mu = static_cast<float>(words_.number("the location"));
    return {.mu = mu, .lambda = read_slope()};
  }

  void read_body() {
    words_.expect_line("the line of transition names");
    words_.expect_line("the COMPO line, or the insert emissions of node 0");
    if (words_.take_word("COMPO")) {
      read_probabilities(model_.composition, "COMPO");
      words_.expect_line("the insert emissions of node 0");
    }
    read_node(0);
    for (u32 node = 1; node <= model_.length; ++node) read_node(node);
    words_.expect_line("'//'");
    if (const auto end = words_.expect_word("'//'"); end != "//")
      words_.fail(
          fmt::format("found '{}' after node {}, the last, allowed: '//'", shown(end), model_.length));
  }

  /// Node 0 has no match state and two lines, of which the first is already read. Other
  /// nodes have three lines.
  void read_node(u32 node) {
    words_.memory().make_room_in_each(model_.match, model_.transitions);
    words_.memory().take(sizeof model_.match[0] + sizeof model_.transitions[0]);
    auto& match = model_.match.emplace_back();
    if (node > 0) {
      words_.expect_line(fmt::format("node {} of {}", node, model_.length));
      const std::string_view found = words_.expect_word("the number of a node");
      if (found != std::to_string(node))
        words_.fail(fmt::format("found '{}' where node {} of {} begins", shown(found), node, model_.length));
      read_probabilities(match, "match emissions");
      static constexpr std::array<std::string_view, 5> kNotes{"MAP", "CONS", "RF", "MM", "CS"};
      for (const std::string_view note : kNotes)
        if ((note != "CONS" || format_ >= 'e') && (note != "MM" || format_ >= 'f'))
          words_.expect_word(fmt::format("its {} field", note));
    }
    std::array<float, kAminoAcids> insert;
    if (node > 0) words_.expect_line(fmt::format("the insert emissions of node {}", node));
    read_probabilities(insert, "insert emissions");
    words_.expect_line(fmt::format("the transitions of node {}", node));
    read_probabilities(model_.transitions.emplace_back(), "transitions");
  }

  template <std::size_t n>
  void read_probabilities(std::array<float, n>& values, std::string_view what) {
    for (std::size_t i = 0; i < n; ++i) values[i] = words_.probability(i, n, what);
  }

  std::string file_;
  ModelWords words_;
  char format_ = 0;  // its last letter
  Model model_;
  bool alphabet_ = false;
  bool consensus_ = false;
  u32 statistics_ = 0;  // one bit per line
};

}  // namespace

std::vector<Model> read_models(const std::filesystem::path& path) {
  return ModelReader(path).read();
}

}  // namespace gpuseq::profile_hmm
