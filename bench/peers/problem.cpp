#include "bench/peers/problem.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "runtime/byte_source.hpp"
#include "runtime/errors.hpp"
#include "runtime/hash.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kScratchPrefix = "gpuseq-scratch-";

FileDescriptor opened_folder(const fs::path& path) {
  return FileDescriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

/// Removes scratch folders that nobody holds: their processes died.
void remove_abandoned(const fs::path& parent) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    if (!entry.path().filename().string().starts_with(kScratchPrefix)) continue;
    const FileDescriptor folder = opened_folder(entry.path());
    if (folder && flock(folder.get(), LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), error);
  }
}

class DataProblem final : public Problem {
 public:
  DataProblem(const PeerProblemSpec& family, const ProblemSpec& spec) : name_(family.name), spec_(spec) {
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

ScratchFolder::ScratchFolder(const fs::path& parent) {
  std::error_code error;
  const fs::path base = parent.empty() ? fs::temp_directory_path() : parent;
  fs::create_directories(base, error);
  remove_abandoned(base);
  std::string pattern = (base / (std::string(kScratchPrefix) + "XXXXXX")).string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw ResourceError(fmt::format("cannot make a folder in {}: {}", base.string(), std::strerror(errno)));
  path_ = pattern;
  lock_ = opened_folder(path_);
  if (lock_) flock(lock_.get(), LOCK_SH | LOCK_NB);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

PeerProblem::PeerProblem(std::unique_ptr<Problem> inner, ProblemSpec spec)
    : inner_(std::move(inner)), spec_(std::move(spec)) {}

const fs::path& PeerProblem::folder() {
  if (!scratch_)
    scratch_ =
        std::make_unique<ScratchFolder>(spec_.cache_dir.empty() ? fs::path() : spec_.cache_dir / "peers");
  return scratch_->path();
}

const Files& PeerProblem::files() {
  if (!files_) files_ = inner_->write_files(folder());
  return *files_;
}

std::unique_ptr<Problem> load_peer_problem(const PeerProblemSpec& family, const ProblemSpec& spec) {
  ProblemSpec completed = spec;
  completed.point = family.space.complete(spec.point);
  return std::make_unique<DataProblem>(family, completed);
}

}  // namespace gpuseq::bench
