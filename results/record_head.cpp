#include "results/record_head.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "results/reading/record_words.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/json_text.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::results {
namespace {

using nlohmann::json;

/// Extracts the head from a line's JSON during parsing.
class HeadReader : public nlohmann::json_sax<json> {
 public:
  explicit HeadReader(ReadLine how_far) : whole_(how_far == ReadLine::whole) {}

  bool null() override { return value_read(); }
  bool boolean(bool) override { return value_read(); }
  bool number_integer(number_integer_t value) override { return number(value); }
  bool number_unsigned(number_unsigned_t value) override {
    return number(static_cast<number_integer_t>(value));
  }
  bool number_float(number_float_t, const string_t&) override { return value_read(); }
  bool binary(binary_t&) override { return value_read(); }
  bool string(string_t& value) override {
    if (depth_ == 1)
      if (const auto text = texts_.find(field_); text != texts_.end()) text->second = value;
    if (depth_ == 2 && field_ == "failure" && name_ == "kind") failure_kind_ = value;
    return value_read();
  }
  bool start_object(std::size_t) override { return ++depth_ > 0; }
  bool end_object() override {
    --depth_;
    return value_read();
  }
  bool start_array(std::size_t) override { return ++depth_ > 0; }
  bool end_array() override {
    --depth_;
    return value_read();
  }
  bool key(string_t& name) override {
    name_ = name;
    if (depth_ == 1) field_ = name;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
    throw UsageError(fmt::format("not JSON: {}", reason_of(error)));
  }

  RecordHead head() const {
    if (!repetition_) throw UsageError("/repetition: is missing");
    for (const auto& [name, value] : texts_)
      if (!value) throw UsageError(fmt::format("/{}: is missing", name));
    require_word("kind", kRecordKinds);
    require_word("phase", kPhaseWords);
    require_word("status", kStatusWords);
    return {.state = *texts_.at("state"),
            .kind = *texts_.at("kind"),
            .phase = *texts_.at("phase"),
            .status = *texts_.at("status"),
            .repetition = *repetition_,
            .failure_kind = failure_kind_};
  }

 private:
  bool number(number_integer_t value) {
    if (depth_ != 1 || field_ != "repetition") return value_read();
    if (value < 0 || value > std::numeric_limits<int>::max())
      throw UsageError(
          fmt::format("/repetition: found {}, allowed: 0 to {}", value, std::numeric_limits<int>::max()));
    repetition_ = static_cast<int>(value);
    return value_read();
  }
  void require_word(const char* name, std::span<const std::string_view> allowed) const {
    if (const std::string& found = *texts_.at(name); std::ranges::find(allowed, found) == allowed.end())
      throw UsageError(fmt::format("/{}: found {}, allowed: {}", name,
                                   json(found).dump(-1, ' ', false, json::error_handler_t::replace),
                                   fmt::join(allowed, ", ")));
  }
  /// Whether to read on: `failure` is the last field of the head.
  bool value_read() {
    return whole_ || depth_ != 1 || field_ != "failure" || !repetition_ ||
           std::ranges::any_of(texts_, [](const auto& text) { return !text.second; });
  }

  bool whole_;
  int depth_ = 0;
  std::string field_, name_;  // the outermost name, and the innermost
  std::map<std::string, std::optional<std::string>, std::less<>> texts_{
      {"state", {}}, {"kind", {}}, {"phase", {}}, {"status", {}}};
  std::optional<int> repetition_;
  std::string failure_kind_;
};

}  // namespace

std::string record_key(const std::string& state, std::string_view phase, int repetition) {
  return fmt::format("{}, {} {}", state, phase, repetition);
}

RecordHead read_head(std::string_view line, ReadLine how_far) {
  HeadReader reader(how_far);
  std::string buffer;
  json::sax_parse(printable_json(line, buffer), &reader);
  return reader.head();
}

}  // namespace gpuseq::results
