#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace gpuseq {

/// Whether a text is a date that exists: "2026-11-20", or with a time of day in UTC "2026-11-20T21:26:08Z".
bool is_utc_date(std::string_view text);

/// @param place  of the text, for the start of the message: "run.json: /started"
/// @throws UsageError for a text that is not a UTC date
void require_utc_date(std::string_view text, std::string_view place);

/// Checks the existing members with these names in a JSON object of a file.
template <typename Json>
void require_utc_dates(const Json& object, std::initializer_list<const char*> names,
                       const std::string& file) {
  if (!object.is_object()) return;
  for (const char* name : names)
    if (const auto found = object.find(name); found != object.end() && found->is_string())
      require_utc_date(found->template get<std::string>(), file + ": /" + name);
}

}  // namespace gpuseq
