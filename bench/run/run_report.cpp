#include "bench/run/run_report.hpp"

#include "bench/tools/package.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {

void write_report_of(const std::filesystem::path& dir, const Registry& registry, std::FILE* out,
                     double most_s) {
  constexpr double kLeastS = 3;  // that drawing takes
  try {
    std::fflush(out);
    const PackageStreams streams{.input = "", .out = fileno(out), .most_s = most_s};
    const int code = most_s < kLeastS ? kPackageStopped
                                      : call_package({"report", dir.string()}, streams, exec_uses(registry));
    if (code == kPackageStopped)
      say(out, "no page: the budget ended; draw it with: gpuseq-bench report {}\n", dir.string());
    else if (code != 0)
      say(out, "no report: `gpuseq-bench report {}` ended with {}\n", dir.string(), code);
  } catch (const ResourceError& error) {
    say(out, "no report: {}\n", error.what());
  }
}

}  // namespace gpuseq::bench
