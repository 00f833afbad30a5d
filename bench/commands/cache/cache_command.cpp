#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/commands/cache/cache_entries.hpp"
#include "bench/commands/commands.hpp"
#include "bench/config/cache_dir.hpp"
#include "bench/config/units.hpp"
#include "bench/profile/text_table.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/number_text.hpp"
#include "runtime/io/private_file.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct CacheCommand {
  fs::path folder;
  bool list = false, clear = false, json = false;
  std::vector<std::string> kinds;
};

/// The folder to look at, which is not made. @throws UsageError if it cannot be the program's
fs::path folder_of(const CacheCommand& command) {
  const CacheDir usual = command.folder.empty() ? default_cache_dir() : CacheDir{};
  const fs::path folder = command.folder.empty() ? usual.path : command.folder;
  if (folder.empty()) throw UsageError("nothing is cached: " + usual.remark);
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    throw UsageError(fmt::format("--cache-dir {}: allowed: a folder", folder.string()));
  if (const std::string reason = why_not_private(folder); !reason.empty())
    throw UsageError(fmt::format("--cache-dir: {}", reason));
  return folder;
}

std::string size_words(std::uint64_t bytes) {
  return with_decimal_prefix(static_cast<double>(bytes), "B");
}

std::uint64_t bytes_in(std::span<const CacheEntry> entries) {
  std::uint64_t bytes = 0;
  for (const CacheEntry& entry : entries) bytes += entry.bytes;
  return bytes;
}

ordered_json entries_json(std::span<const CacheEntry> entries) {
  ordered_json all = ordered_json::array();
  for (const CacheEntry& entry : entries)
    all.push_back({{"kind", entry.kind},
                   {"path", entry.path.string()},
                   {"bytes", entry.bytes},
                   {"age_s", entry.age_s},
                   {"of", entry.of}});
  return all;
}

/// A line per entry; cubins, of which there are hundreds, take one together.
std::string entries_text(std::span<const CacheEntry> entries) {
  std::vector<std::vector<std::string>> rows{{"kind", "name", "size", "age", "of"}};
  const auto add = [&](std::string_view kind, const std::string& name, std::uint64_t bytes, double age_s,
                       const std::string& of) {
    rows.push_back({std::string(kind), name, size_words(bytes), duration_text(age_s), of});
  };
  const auto is_cubin = [](const CacheEntry& entry) { return entry.kind == "cubins"; };
  const auto rest = std::ranges::find_if_not(entries, is_cubin);
  if (const std::span cubins(entries.begin(), rest); !cubins.empty())
    add("cubins", fmt::format("{} compiled kernels", cubins.size()), bytes_in(cubins),
        std::ranges::min(cubins, {}, &CacheEntry::age_s).age_s, "");
  for (const CacheEntry& entry : std::span(rest, entries.end()))
    add(entry.kind, printable(entry.path.filename().string()), entry.bytes, entry.age_s, printable(entry.of));
  return text_table(rows);
}

std::vector<CacheEntry> entries_of(const fs::path& folder, const std::vector<std::string>& kinds) {
  std::vector<CacheEntry> entries = cache_entries(folder);
  std::erase_if(entries, [&](const CacheEntry& entry) {
    return !kinds.empty() && std::ranges::find(kinds, entry.kind) == kinds.end();
  });
  return entries;
}

void say_json(const ordered_json& document) {
  say("{}\n", Lines{document.dump(2, ' ', false, ordered_json::error_handler_t::replace)});
}

ExitCode list_cache(const CacheCommand& command) {
  const fs::path folder = folder_of(command);
  const std::vector<CacheEntry> entries = entries_of(folder, command.kinds);
  if (command.json)
    say_json({{"folder", folder.string()}, {"bytes", bytes_in(entries)}, {"entries", entries_json(entries)}});
  else
    say("{}: {}\n{}", folder.string(), entries.empty() ? "nothing is cached" : size_words(bytes_in(entries)),
        Lines{entries.empty() ? "" : entries_text(entries)});
  return ExitCode::fine;
}

ExitCode clear_entries(const CacheCommand& command) {
  const fs::path folder = folder_of(command);
  const Cleared cleared = clear_cache(folder, command.kinds);
  if (command.json)
    say_json({{"folder", folder.string()},
              {"bytes", bytes_in(cleared.removed)},
              {"removed", entries_json(cleared.removed)},
              {"kept", cleared.kept}});
  else
    say("{}: {} entries removed, {}\n", folder.string(), cleared.removed.size(),
        size_words(bytes_in(cleared.removed)));
  for (const std::string& reason : cleared.kept) say(stderr, "{}\n", reason);
  return cleared.kept.empty() ? ExitCode::fine : ExitCode::failed;
}

}  // namespace

Action add_cache(CLI::App& app) {
  auto command = std::make_shared<CacheCommand>();
  CLI::App* cache = app.add_subcommand(
      "cache", "List or clear the cache: indexes, compiled kernels, machine profiles, winners");
  CLI::Option* list = cache->add_flag("--list", command->list, "Each entry with size and age (the default)");
  cache->add_flag("--clear", command->clear, "Remove the entries; exit code 1 where some had to stay")
      ->excludes(list);
  cache->add_flag("--json", command->json, "As JSON");
  cache->add_option("--cache-dir", command->folder, "Folder of the cache; default: the user's");
  const auto kinds = cache_kinds();
  cache->add_option("kinds", command->kinds, "Only entries of these kinds; default: all")
      ->check(CLI::IsMember(std::vector<std::string>(kinds.begin(), kinds.end())));
  return [command] { return command->clear ? clear_entries(*command) : list_cache(*command); };
}

}  // namespace gpuseq::bench
