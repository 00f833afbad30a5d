#include "kernels/exact_match/oracle.hpp"

#include <algorithm>
#include <optional>

namespace gpuseq::exact_match {
namespace {

constexpr u32 kMostWordLetters = 11;

/// The k-mer's number; nullopt if a letter is not a base.
std::optional<u32> number_of(const u8* word, u32 letters) {
  u32 number = 0;
  for (u32 i = 0; i < letters; ++i) {
    if (word[i] > 3) return std::nullopt;
    number = number * 4 + word[i];
  }
  return number;
}

/// Length of the common prefix of two places; the texts have no letters beyond `most`.
u64 common_letters(const u8* a, const u8* b, u64 most) {
  u64 length = 0;
  while (length < most && a[length] == b[length] && a[length] < 4) ++length;
  return length;
}

u64 occurrences_in_query(std::span<const u8> strand, std::span<const u8> word) {
  u64 count = 0;
  for (u64 at = 0; at + word.size() <= strand.size(); ++at)
    count += std::equal(word.begin(), word.end(), strand.begin() + static_cast<std::ptrdiff_t>(at));
  return count;
}

}  // namespace

Oracle::Oracle(const Reference& reference, const Search& search)
    : reference_(reference), search_(search), word_letters_(std::min(search.min_length, kMostWordLetters)) {
  const std::span<const u8> text = reference.text;
  first_.resize((u64{1} << (2 * word_letters_)) + 1);
  const u64 starts = text.size() < word_letters_ ? 0 : text.size() - word_letters_ + 1;
  for (u64 at = 0; at < starts; ++at)
    if (const auto word = number_of(&text[at], word_letters_)) ++first_[*word + 1];
  for (u64 word = 1; word < first_.size(); ++word) first_[word] += first_[word - 1];
  places_.resize(first_.back());
  std::vector<u64> next(first_.begin(), first_.end() - 1);
  for (u64 at = 0; at < starts; ++at)
    if (const auto word = number_of(&text[at], word_letters_)) places_[next[*word]++] = static_cast<u32>(at);
}

std::span<const u32> Oracle::places(const u8* word) const {
  const auto number = number_of(word, word_letters_);
  if (!number) return {};
  return std::span(places_).subspan(first_[*number], first_[*number + 1] - first_[*number]);
}

u64 Oracle::occurrences_in_reference(std::span<const u8> word, u64 most) const {
  u64 count = 0;
  const std::span<const u8> text = reference_.text;
  for (const u32 place : places(word.data())) {
    if (count == most) break;
    count += common_letters(&text[place], word.data(), std::min<u64>(word.size(), text.size() - place)) ==
             word.size();
  }
  return count;
}

std::vector<Match> Oracle::find(std::span<const u8> strand) const {
  std::vector<Match> found;
  const std::span<const u8> text = reference_.text;
  for (u64 at = 0; at + search_.min_length <= strand.size(); ++at) {
    for (const u32 place : places(&strand[at])) {
      if (at > 0 && strand[at - 1] == text[place - 1]) continue;  // the text starts with a separator
      const u64 length =
          common_letters(&text[place], &strand[at], std::min<u64>(text.size() - place, strand.size() - at));
      if (length < search_.min_length) continue;
      const auto word = strand.subspan(at, length);
      if (search_.mode != Mode::maxmatch && occurrences_in_reference(word, 2) != 1) continue;
      if (search_.mode == Mode::mum && occurrences_in_query(strand, word) != 1) continue;
      found.push_back({place, static_cast<u32>(at), static_cast<u32>(length)});
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

MatchList Oracle::find(const Queries& queries, std::span<const u64> chosen, ThreadPool& pool) const {
  const u32 strands = search_.strands();
  std::vector<std::vector<Match>> found(chosen.size() * strands);
  pool.parallel_for(chosen.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto forward = queries.codes(chosen[i]);
      found[i * strands] = find(forward);
      if (!search_.both_strands) continue;
      std::vector<u8> reverse(forward.size());
      reverse_complement(forward, reverse);
      found[i * strands + 1] = find(reverse);
    }
  });
  MatchList list;
  for (const auto& matches : found) {
    list.matches.insert(list.matches.end(), matches.begin(), matches.end());
    list.end.push_back(list.matches.size());
  }
  return list;
}

}  // namespace gpuseq::exact_match
