#include "runtime/system/host_load.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>

#include "runtime/system/seconds_since.hpp"

namespace gpuseq {
namespace {

/// The fields of a line of /proc/stat, in order.
enum Field { user, nice, system, idle, iowait, irq, softirq, steal, kFields };

double own_seconds() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage use{};
    if (getrusage(who, &use) == 0) sum += seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
  }
  return sum;
}

}  // namespace

Maybe<HostLoad> parse_host_load(std::string_view stat, double ticks_per_s, double own_s) {
  std::istringstream line{std::string(stat.substr(0, stat.find('\n')))};
  std::string name;
  line >> name;
  std::array<double, kFields> ticks{};
  for (double& field : ticks) line >> field;
  if (name != "cpu" || !line)
    return {std::nullopt, "/proc/stat does not begin with the time of all processors"};
  HostLoad load{.own_s = own_s};
  for (const double field : ticks) load.all_s += field / ticks_per_s;
  load.steal_s = ticks[steal] / ticks_per_s;
  load.busy_s = load.all_s - load.steal_s - (ticks[idle] + ticks[iowait]) / ticks_per_s;
  return {load, {}};
}

Maybe<HostLoad> host_load() {
  std::ifstream file("/proc/stat");
  std::string line;
  if (!std::getline(file, line)) return {std::nullopt, "/proc/stat cannot be read"};
  return parse_host_load(line, static_cast<double>(sysconf(_SC_CLK_TCK)), own_seconds());
}

LoadShares shares_between(const HostLoad& from, const HostLoad& to) {
  const double all = to.all_s - from.all_s;
  if (!(all > 0)) return {};
  const double others = (to.busy_s - from.busy_s) - (to.own_s - from.own_s);
  return {.steal = std::max(0.0, to.steal_s - from.steal_s) / all, .others = std::max(0.0, others) / all};
}

}  // namespace gpuseq
