#include "bench/tools/problem.hpp"

#include <fmt/format.h>

#include <fstream>

#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"
#include "runtime/io/hash.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

class DataProblem final : public Problem {
 public:
  DataProblem(const ToolProblemSpec& family, const ProblemSpec& spec) : name_(family.name), spec_(spec) {
    Hash content;
    content.update(family.name).update(spec.point.to_string());
    for (const std::string& axis : family.data_axes) {
      const std::string& name = spec.point.word(axis);
      const auto file = spec.files.find(name);
      if (file == spec.files.end())
        throw UsageError(fmt::format("{}: found \"{}\", which is no entry of data", axis, name));
      files_[axis] = file->second;
      ByteSource source(file->second);
      for (std::string_view bytes = source.next(); !bytes.empty(); bytes = source.next())
        content.update(bytes);
    }
    hash_ = content.hex16();
  }
  std::string hash() const override { return hash_; }
  nlohmann::json describe() const override { return nlohmann::json(spec_.point.to_json()); }

  Files write_files(const fs::path& folder) const override {
    Files written;
    for (const auto& [role, path] : files_) {
      ByteSource source(path);
      std::string_view bytes = source.next();
      written[role] = source.is_gzip() ? folder / role : path;
      if (!source.is_gzip()) continue;
      std::ofstream out(written[role], std::ios::binary);
      for (; !bytes.empty(); bytes = source.next()) out << bytes;
      out.close();
      if (!out) throw ResourceError(fmt::format("cannot write {}", written[role].string()));
    }
    return written;
  }

  Verification check(const Answers&) const override {
    return {.passed = true,
            .checked = 0,
            .reason = fmt::format("there is no family {} in this program yet", name_)};
  }

 private:
  std::string name_;
  ProblemSpec spec_;
  Files files_;
  std::string hash_;
};

}  // namespace

ToolProblem::ToolProblem(std::unique_ptr<Problem> inner, ProblemSpec spec)
    : inner_(std::move(inner)), spec_(std::move(spec)) {}

const fs::path& ToolProblem::folder() {
  if (!scratch_)
    scratch_ =
        std::make_unique<ScratchFolder>(spec_.cache_dir.empty() ? fs::path() : spec_.cache_dir / "tools");
  return scratch_->path();
}

const Files& ToolProblem::files() {
  if (!files_) files_ = inner_->write_files(folder());
  return *files_;
}

std::unique_ptr<Problem> load_tool_problem(const ToolProblemSpec& family, const ProblemSpec& spec) {
  ProblemSpec completed = spec;
  completed.point = family.space.complete(spec.point);
  return std::make_unique<DataProblem>(family, completed);
}

}  // namespace gpuseq::bench
