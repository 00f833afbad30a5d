#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/runtime/temporary_folder.hpp"

// Machine code of kernels, where cuobjdump is installed.

namespace gpuseq::probes::disassembly {

/// The output of a command; empty if it fails.
inline std::string output_of(const std::string& command) {
  std::FILE* pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
  std::string text;
  char part[4096];
  for (std::size_t read; pipe && (read = std::fread(part, 1, sizeof part, pipe)) > 0;)
    text.append(part, read);
  return pipe && ::pclose(pipe) == 0 ? text : "";
}

struct Instruction {
  unsigned long address = 0;
  std::string text;  // "VIADDMNMX.S16x2 R5, R5, R9, R12, PT"
};

/// The machine code of every entry, as cuobjdump prints it.
inline std::map<std::string, std::vector<Instruction>> entries_of(const std::string& disassembly) {
  static const std::regex entry("Function : (\\S+)"),
      line("/\\*([0-9a-f]{4,5})\\*/\\s+(?:@!?U?P\\w+ )?(.*?) *;");
  std::map<std::string, std::vector<Instruction>> entries;
  std::string name;
  std::istringstream lines(disassembly);
  for (std::string text; std::getline(lines, text);) {
    std::smatch match;
    if (std::regex_search(text, match, entry))
      name = match[1];
    else if (std::regex_search(text, match, line))
      entries[name].push_back({std::stoul(match[1], nullptr, 16), match[2]});
  }
  return entries;
}

/// Mnemonics of the longest loop: between the target of a branch backwards and that branch.
inline std::map<std::string, unsigned> loop_of(const std::vector<Instruction>& entry) {
  static const std::regex branch("^BRA\\S*.* 0x([0-9a-f]+)");
  unsigned long begin = 0, end = 0;
  for (const Instruction& last : entry) {
    std::smatch match;
    if (!std::regex_search(last.text, match, branch)) continue;
    const unsigned long target = std::stoul(match[1], nullptr, 16);
    if (target < last.address && last.address - target > end - begin) {
      begin = target;
      end = last.address;
    }
  }
  std::map<std::string, unsigned> counts;
  for (const Instruction& one : entry)
    if (one.address >= begin && one.address <= end) ++counts[one.text.substr(0, one.text.find(' '))];
  return counts;
}

/// The entries of a cubin; none without a cuobjdump that can read it.
inline std::map<std::string, std::vector<Instruction>> disassembled(std::string_view cubin) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "kernels.cubin";
  std::ofstream(file, std::ios::binary) << cubin;
  return entries_of(output_of(fmt::format("cuobjdump -sass '{}'", file)));
}

}  // namespace gpuseq::probes::disassembly
