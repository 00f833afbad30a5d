#pragma once

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "bench/config/json_file.hpp"

// A death of supervisor or worker at a chosen write, so that a test of it needs no luck. The test program
// that includes this has the write() of its own below, which all of ours calls instead of the system's.

namespace gpuseq::bench::testing {

/// The first journal line, message ... of a process that begins so.
struct KillPoint {
  std::string process = "worker";  // whose writes are watched: "worker" or "supervisor"
  std::string begins = {};         // the bytes that are written
  int nth = 1;                     // such write
  std::string when = "before";     // it; or "half", "after"
  std::string victim = "self";     // or "parent": the supervisor of a worker, which dies with it
};

/// A record; its provenance comes before it in the same write where a process has not given it yet.
inline constexpr const char* kJournalLine = R"({"schema_version")";
inline constexpr const char* kProvenanceLine = R"({"provenance_id")";

/// For the process that a test starts and its children; only the first that gets there dies.
/// @param mark  a file that does not exist yet
inline void set_kill_point(const KillPoint& point, const std::filesystem::path& mark) {
  const nlohmann::json json{{"process", point.process}, {"begins", point.begins}, {"nth", point.nth},
                            {"when", point.when},       {"victim", point.victim}, {"mark", mark.string()}};
  setenv("TOY_KILL", json.dump().c_str(), 1);
}

struct ArmedKill {
  KillPoint point;
  std::string mark;
  int seen = 0;
};
/// The write at which this process is killed; null: it is to live.
inline ArmedKill* armed_kill = nullptr;

/// Reads the values that a test set, at the start of main().
inline void arm_kill_point(const std::string& process) {
  const char* set = std::getenv("TOY_KILL");
  if (set == nullptr) return;
  const nlohmann::json json = nlohmann::json::parse(set);
  if (json["process"] != process) return;
  static ArmedKill armed;
  armed.point = {.process = json["process"],
                 .begins = json["begins"],
                 .nth = json["nth"],
                 .when = json["when"],
                 .victim = json["victim"]};
  armed.mark = json["mark"];
  armed_kill = &armed;
}

[[noreturn]] inline void die(const std::string& victim) {
  kill(victim == "parent" ? getppid() : getpid(), SIGKILL);
  while (true) pause();  // a worker dies with its supervisor
}

/// Whether this write is the one; true only once for all processes.
inline bool is_kill_point(std::string_view bytes) {
  if (armed_kill == nullptr) return false;
  const std::string& begins = armed_kill->point.begins;
  if (!bytes.starts_with(begins) && !(begins == kJournalLine && bytes.starts_with(kProvenanceLine)))
    return false;
  if (++armed_kill->seen != armed_kill->point.nth || access(armed_kill->mark.c_str(), F_OK) == 0)
    return false;
  return std::ofstream(armed_kill->mark).is_open();
}

}  // namespace gpuseq::bench::testing

extern "C" ssize_t write(int descriptor, const void* data, std::size_t size) {
  using namespace gpuseq::bench::testing;
  if (!is_kill_point({static_cast<const char*>(data), size}))
    return syscall(SYS_write, descriptor, data, size);
  const KillPoint& point = armed_kill->point;
  const std::size_t first = point.when == "before" ? 0 : point.when == "half" ? size / 2 : size;
  if (first > 0) syscall(SYS_write, descriptor, data, first);
  die(point.victim);
}
