#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/report_data.hpp"

/// What records have to have in common to be compared, unless a figure shows in what they differ.
namespace gpuseq::reports {

struct Term {
  std::string name;   // "reference", "prefix table"
  std::string words;  // as figures say it: "prefix table of 12"
};

/// Every axis of the problem.
std::vector<Term> problem_terms(const Entry& entry);

/// The axis of problems that says which of several data sets made alike is taken.
inline constexpr const char* kDataSetAxis = "data_set";

/// Whether problems that differ in this axis alone may be pooled in one mark, which then says of how many it
/// is as a term of that name: they are drawn from one distribution. Of no other axis are they.
bool made_alike(std::string_view axis);

/// What of a point is no tuning, as it changes what is searched or left: "prefix table of 12", "slots". Peers
/// and families without such axes have none.
std::vector<Term> point_terms(const Entry& entry);

/// The words of point_terms(): "prefix table of 12, slots"; may be empty.
std::string point_words(const Entry& entry);

/// A name and the words of point_terms() behind it.
std::string with_point_words(std::string name, const Entry& entry);

/// What a record timed, where it is not one launch: "whole process".
std::string timed_words(const Entry& entry);

/// Records of a family, together where they are on one problem with the same point_terms().
std::vector<std::vector<const Entry*>> like_groups(const std::vector<const Entry*>& entries);

/// A point as text without some of its axes.
std::string without(const Point& point, const std::vector<std::string_view>& axes);

}  // namespace gpuseq::reports
