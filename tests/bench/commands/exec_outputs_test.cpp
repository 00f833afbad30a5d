#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "runtime/io/file_descriptor.hpp"
#include "tests/bench/toy_program.hpp"

// Output of exec takes its place when it is complete: for every family of the program, and for the toy.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

Registry registry_with_toys() {
  Registry registry = make_registry();
  registry.families.push_back(std::make_shared<ToyFamily>());
  return registry;
}

/// One run of a family's exec, with a file for each role and an old result at each output.
class Exec {
 public:
  explicit Exec(const Family& family) : family_(family) {
    for (const auto& [role, meaning] : family.exec_roles())
      if (role != "out") data_[role] = scratch_ / ("data " + role);
    fs::create_directory(scratch_ / "results");
    outputs_["out"] = scratch_ / "results/out";
    for (const auto& [role, meaning] : family.exec_outputs()) outputs_[role] = scratch_ / ("results/" + role);
    for (const auto& [role, path] : outputs_) scratch_.write("results/" + role, old(role));
  }

  const Scratch& scratch() const { return scratch_; }
  const std::map<std::string, fs::path>& data() const { return data_; }
  std::vector<std::string> arguments() const {
    const auto cpu = std::ranges::find(family_.variants(), DeviceKind::cpu, &Variant::device);
    std::vector<std::string> arguments{"exec", std::string(family_.name()), "--variant", cpu->name};
    for (const auto& [role, path] : data_)
      arguments.insert(arguments.end(), {"--data", fmt::format("{}={}", role, path.string())});
    for (const auto& [role, path] : outputs_) arguments.insert(arguments.end(), {"--" + role, path.string()});
    return arguments;
  }
  void expect_old_results() const {
    for (const auto& [role, path] : outputs_) EXPECT_EQ(content(path), old(role)) << role;
    const fs::directory_iterator files(scratch_ / "results");
    EXPECT_EQ(static_cast<std::size_t>(std::distance(files, fs::directory_iterator())), outputs_.size());
  }

 private:
  static std::string old(const std::string& role) { return "old result: " + role + "\n"; }

  const Family& family_;
  Scratch scratch_;
  std::map<std::string, fs::path> data_, outputs_;
};

/// Whether a file without a name can be made, of which nothing is left when its process is killed.
bool has_unnamed_files(const fs::path& folder) {
  return static_cast<bool>(FileDescriptor(open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600)));
}

constexpr const char* kHiddenFileStays =
    "the file system has no unnamed files: a killed program leaves a hidden one";

TEST(ExecOutputs, OfRefusedInputsAreAsTheyWere) {
  for (const auto& family : registry_with_toys().families) {
    SCOPED_TRACE(family->name());
    for (const std::string& input : {std::string("\x7f"
                                                 "ELF\x02\0\0\xff",
                                                 8),
                                     std::string()}) {
      const Exec exec(*family);
      for (const auto& [role, path] : exec.data()) exec.scratch().write(path.filename(), input);
      std::vector<std::string> arguments = exec.arguments();
      if (family->name() == "toy") arguments.insert(arguments.end(), {"--problem", "size=13"});
      Program program(exec.scratch(), arguments);
      EXPECT_EQ(program.wait(), 2) << program.err();
      exec.expect_old_results();
    }
  }
}

TEST(ExecOutputs, OfAKilledProgramAreAsTheyWere) {
  const Registry registry = make_registry();
  for (const auto& family : registry.families) {
    SCOPED_TRACE(family->name());
    const Exec exec(*family);
    if (!has_unnamed_files(exec.scratch() / "results")) GTEST_SKIP() << kHiddenFileStays;
    for (const auto& [role, path] : exec.data()) ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    Program program(exec.scratch(), exec.arguments());
    // A pipe can be opened for writing once the program reads it, which then waits for data.
    FileDescriptor pipe;
    EXPECT_TRUE(wait_until([&] {
      for (const auto& [role, path] : exec.data())
        if (!pipe) pipe = FileDescriptor(open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
      return static_cast<bool>(pipe);
    }));
    program.kill(SIGKILL);
    EXPECT_EQ(program.wait(), -SIGKILL) << program.err();
    exec.expect_old_results();
  }
}

TEST(ExecOutputs, OfAProgramThatIsKilledWhileItWritesAreAsTheyWere) {
  const ToyFamily toys;
  const Exec exec(toys);
  if (!has_unnamed_files(exec.scratch() / "results")) GTEST_SKIP() << kHiddenFileStays;
  std::vector<std::string> arguments = exec.arguments();
  *std::ranges::find(arguments, "steady") = "hang";
  for (const auto& [role, path] : exec.data()) exec.scratch().write(path.filename(), "a toy");
  Program program(exec.scratch(), arguments);
  EXPECT_TRUE(wait_until([&] { return count_lines(exec.scratch() / "toys.log") > 0; })) << program.err();
  exec.expect_old_results();
  program.kill(SIGKILL);
  EXPECT_EQ(program.wait(), -SIGKILL);
  exec.expect_old_results();
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  if (std::getenv("GPUSEQ_TEST_PROGRAM") != nullptr)
    return gpuseq::bench::run_program(argc, argv, gpuseq::bench::registry_with_toys());
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
