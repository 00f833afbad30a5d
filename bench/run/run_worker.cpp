#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <new>

#include "bench/run/worker.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/program_name.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {

using nlohmann::json;

int run_worker(const std::filesystem::path& dir, InheritedDescriptors inherited, const Registry& registry) {
  // Not for the programs that tools start: one that survives the worker would keep run and supervisor
  // waiting.
  for (const int descriptor : {inherited.messages, inherited.lock}) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  const auto tell = [messages = inherited.messages](const json& message) {
    const std::string line = message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    std::size_t sent = 0;
    while (sent < line.size()) {
      const ssize_t written = ::write(messages, line.data() + sent, line.size() - sent);
      if (written < 0 && errno != EINTR) return;  // nobody listens; the journal is what counts
      if (written > 0) sent += static_cast<std::size_t>(written);
    }
  };
  const auto end = [](const std::exception& error, WorkerExit code) {
    say(stderr, "{}: {}\n", kProgramName, error.what());
    return static_cast<int>(code);
  };
  try {
    const RunFolder folder{dir};
    const BegunRun run = read_start(folder);
    Worker(folder, run, registry, tell).run();
    return static_cast<int>(WorkerExit::done);
  } catch (const UsageError& error) {
    return end(error, WorkerExit::usage);
  } catch (const DeviceLost& error) {
    return end(error, WorkerExit::device_lost);
  } catch (const ResourceError& error) {
    return end(error, WorkerExit::resource);
  } catch (const std::bad_alloc&) {
    return end(ResourceError("the host has not enough memory"), WorkerExit::resource);
  }
}

}  // namespace gpuseq::bench
