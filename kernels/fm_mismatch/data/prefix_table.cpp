#include "kernels/fm_mismatch/data/prefix_table.hpp"

#include <chrono>

#include "runtime/system/host_memory.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_mismatch {
namespace {

/// Writes the children of one of `count` k-mers; the child by A replaces its parent.
void extend(const IndexView& index, Node* nodes, u64 word, u64 count) {
  const Node node = nodes[word];
  Children children{};
  if (node.rows > 0) {
    const SideView& side = index.forward;
    const u32 end = node.row + node.rows;
    children = children_of(node.rows, Line::load<true>(side, node.row).lf(side, node.row),
                           Line::load<true>(side, end).lf(side, end));
  }
  for (u32 symbol = 0; symbol < 4; ++symbol)
    nodes[symbol * count + word] = {of_symbol(children.first, symbol),
                                    node.reverse_row + of_symbol(children.before, symbol),
                                    of_symbol(children.rows, symbol), node.state + 1};
}

}  // namespace

u64 prefix_bytes(u32 symbols) {
  return symbols == 0 ? 0 : (u64{1} << (2 * symbols)) * sizeof(Node);
}

PrefixTable build_prefix_table(const IndexView& index, u32 symbols, ThreadPool& pool) {
  constexpr std::size_t kWordsPerTask = std::size_t{1} << 12;
  if (symbols == 0) return {};
  const auto start = std::chrono::steady_clock::now();
  const u64 bytes = prefix_bytes(symbols);
  require_host_memory(bytes, "the prefix table");
  PrefixTable table{.symbols = symbols,
                    .nodes = HugeBuffer(bytes, bytes < u64{2} << 20 ? Pages::small : Pages::huge),
                    .build_s = 0,
                    .device_copy = nullptr};
  auto* const nodes = reinterpret_cast<Node*>(table.nodes.data());
  nodes[0] = {0, 0, index.rows, 0};
  // A base added on the left is the highest of the longer k-mer, so that longer k-mers are stored behind the
  // shorter ones.
  for (u64 count = 1; count < u64{1} << (2 * symbols); count *= 4)
    pool.parallel_for(count, kWordsPerTask, [&](std::size_t begin, std::size_t end) {
      for (u64 word = begin; word < end; ++word) extend(index, nodes, word, count);
    });
  table.build_s = seconds_since(start);
  return table;
}

IndexView with_table(IndexView index, const PrefixTable& table) {
  index.prefix_symbols = table.symbols;
  index.prefix = reinterpret_cast<const u8*>(table.nodes.data());
  return index;
}

}  // namespace gpuseq::fm_mismatch
