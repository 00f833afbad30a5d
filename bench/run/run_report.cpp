#include "bench/run/run_report.hpp"

#include "bench/tools/package.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {

void write_report_of(const std::filesystem::path& dir, const Registry& registry, std::FILE* out) {
  try {
    std::fflush(out);
    const int code =
        call_package({"report", dir.string()}, {.input = "", .out = fileno(out)}, exec_uses(registry));
    if (code != 0) say(out, "no report: `gpuseq-bench report {}` ended with {}\n", dir.string(), code);
  } catch (const ResourceError& error) {
    say(out, "no report: {}\n", error.what());
  }
}

}  // namespace gpuseq::bench
