#include "kernels/exact_match/exec.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <future>

#include "kernels/exact_match/match_writer.hpp"
#include "runtime/atomic_file.hpp"
#include "runtime/errors.hpp"
#include "runtime/output_files.hpp"
#include "runtime/threads.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr u64 kLettersOfABlock = u64{1} << 25;
constexpr u64 kStrandsOfAPiece = u64{1} << 14;

const std::filesystem::path& file_for(const std::map<std::string, std::filesystem::path>& files,
                                      const std::string& role, std::string_view option) {
  const auto file = files.find(role);
  if (file == files.end()) throw UsageError(fmt::format("exec exact_match needs {}", option));
  return file->second;
}

/// The file that is written, open from the start: the work before may be long.
class MatchFile {
 public:
  explicit MatchFile(const std::filesystem::path& path) : path_(path), out_(path) { check(); }
  void write(const std::string& text) {
    out_.write(text.data(), static_cast<std::streamsize>(text.size()));
    check();
  }
  void close() {
    out_.close();
    check();
  }

 private:
  void check() {
    if (!out_) throw_unwritable(path_, errno);
  }
  std::filesystem::path path_;
  std::ofstream out_;
};

/// Adds the seconds of its life to a sum.
class Timed {
 public:
  explicit Timed(double& sum_s) : sum_s_(sum_s) {}
  ~Timed() { sum_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& sum_s_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Steps {
  double prepare_s = 0, read_s = 0, search_s = 0, write_s = 0;
  u64 queries = 0, matches = 0;
};

/// A block of queries with its matches.
struct Block {
  Queries queries;
  MatchList list;
};

void write_block(const MatchWriter& writer, const Block& block, ThreadPool& pool, MatchFile& file,
                 Steps& steps) {
  const Timed timed(steps.write_s);
  std::vector<std::string> texts(block.list.end.size() / kStrandsOfAPiece + 1);
  pool.parallel_for(texts.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (u64 piece = begin; piece < end; ++piece)
      writer.write(texts[piece], block.queries, block.list, kStrandsOfAPiece * piece,
                   std::min<u64>(kStrandsOfAPiece * (piece + 1), block.list.end.size()));
  });
  for (const std::string& text : texts) file.write(text);
}

std::string summary(const Steps& steps) {
  return fmt::format(
      "{} queries, {} matches; reference and tree {:.2f} s, reading {:.2f} s, searching {:.2f} s, "
      "writing {:.2f} s, the last three at the same time\n",
      steps.queries, steps.matches, steps.prepare_s, steps.read_s, steps.search_s, steps.write_s);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> data_roles() {
  return {{"reference", "FASTA or FASTQ, gzip or plain, one or many sequences"},
          {"queries", "FASTA or FASTQ, gzip or plain: what is searched for"},
          {"out", "the maximal exact matches of every query, as mummer prints them"}};
}

const SearchSpace& exec_options() {
  static const SearchSpace space(search_axes());
  return space;
}

void write_matches(const ExecRequest& request, const MakeSearcher& make_searcher,
                   const std::function<void(const std::string&)>& report) {
  const auto& reference_file = file_for(request.data, "reference", "--data reference=path");
  const auto& query_file = file_for(request.data, "queries", "--data queries=path");
  const auto& path = file_for(request.outputs, "out", "--out");
  if (!request.problem.values().empty())
    throw UsageError(
        fmt::format("--problem {}: exec exact_match has options instead: --min-length, --mode, "
                    "--both-strands",
                    request.problem.values().front().first));
  const Search search = search_of(exec_options().complete(request.options));
  require_separate_files(request.data, request.outputs);
  MatchFile file(path);
  Steps steps;
  Reference reference;
  std::unique_ptr<Searcher> searcher;
  QueryReader reader(query_file);
  {
    const Timed timed(steps.prepare_s);
    reference = read_reference(reference_file);
    searcher = make_searcher(reference, search);
  }
  const MatchWriter writer(reference, search);
  ThreadPool writers(0, false);
  const auto read = [&] {
    const Timed timed(steps.read_s);
    return reader.next(kLettersOfABlock);
  };
  auto next = std::async(std::launch::async, read);
  std::future<void> written;
  for (Queries queries = next.get(); queries.count() > 0; queries = next.get()) {
    next = std::async(std::launch::async, read);
    MatchList list;
    {
      const Timed timed(steps.search_s);
      list = searcher->search(queries);
    }
    steps.queries += queries.count();
    steps.matches += list.matches.size();
    if (written.valid()) written.get();
    written = std::async(std::launch::async, [&, done = Block{std::move(queries), std::move(list)}] {
      write_block(writer, done, writers, file, steps);
    });
  }
  if (written.valid()) written.get();
  file.close();
  report(summary(steps));
}

}  // namespace gpuseq::exact_match
