#include "bench/profile/store/profile_store.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "bench/config/json_file.hpp"
#include "bench/profile/profile_file.hpp"
#include "tests/bench/lines.hpp"
#include "tests/bench/process.hpp"
#include "tests/bench/records.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using results::Record;
namespace fs = std::filesystem;

nlohmann::json gpu() {
  return {{"name", "NVIDIA H100"},    {"uuid", "GPU-1"},      {"driver_version", "580.1"}, {"mig", false},
          {"max_sm_clock_mhz", 1980}, {"power_limit_w", 700}, {"sm_clock_mhz", 345}};
}

Record found(double bytes_per_s, const std::string& date, std::int64_t footprint = 1 << 20) {
  Record record = bandwidth_record(footprint, 64, bytes_per_s);
  record.provenance = nlohmann::json::object();
  record.date = date;
  return record;
}

std::vector<double> rates(const KeptProfile& profile) {
  std::vector<double> all;
  for (const Record& record : profile.records) all.push_back(std::round(record.statistics->rate / 1e8) / 10);
  return all;
}

class ProfileStoreTest : public ::testing::Test {
 protected:
  std::optional<KeptProfile> find() { return store_.find(key_, "cuda:0", remark_); }
  void add(std::vector<Record> records, ProfileStore::How how = ProfileStore::How::join) {
    ASSERT_EQ(store_.add(key_, gpu(), records, how), "");
  }
  /// Hashes depend on the probes and their compiler.
  void expect_remark(const std::string& other_hash = "none") const {
    expect_text(replaced(replaced(remark_, key_.hash(), "<card>"), other_hash, "<hash>"));
  }

  Scratch scratch_;
  ProfileStore store_{scratch_ / "cache"};
  ProfileKey key_ = profile_key(gpu());
  std::string remark_;
};

TEST_F(ProfileStoreTest, GivesBackWhatWasAddedUnderTheDevicesNumberOfNow) {
  EXPECT_FALSE(find());
  EXPECT_EQ(remark_, "");
  add({found(1e9, "2026-01-01T00:00:00Z"), found(2e9, "2026-01-01T00:00:01Z", 1 << 21)});
  const std::optional<KeptProfile> profile = store_.find(key_, "cuda:3", remark_);
  ASSERT_TRUE(profile) << remark_;
  EXPECT_THAT(rates(*profile), ::testing::ElementsAre(1, 2));
  EXPECT_EQ(profile->records.front().state.device, "cuda:3");
  EXPECT_EQ(profile->made, "2026-01-01T00:00:00Z");
  EXPECT_NO_THROW(read_profile(store_.folder_of(key_)));  // the profile for people is a valid one
}

TEST_F(ProfileStoreTest, JoinsPassesAndKeepsTheFastestFew) {
  for (int i = 0; i < 9; ++i) add({found(1e9 + 1e8 * i, "2026-01-01T00:00:0" + std::to_string(i) + "Z")});
  ASSERT_TRUE(find()) << remark_;
  EXPECT_THAT(rates(*find()), ::testing::ElementsAre(1.3, 1.4, 1.5, 1.6, 1.7, 1.8));
  const std::vector<Record> records = find()->records;
  for (int i = 0; i < 6; ++i) EXPECT_EQ(records[static_cast<std::size_t>(i)].repetition, i);
}

TEST_F(ProfileStoreTest, HasARecordOnceHoweverOftenItsRunIsFinished) {
  const std::vector<Record> records{found(1e9, "2026-01-01T00:00:00Z")};
  add(records);
  const std::string before = content(store_.folder_of(key_) / "profile.json");
  add(records);
  add(records, ProfileStore::How::renew);
  EXPECT_EQ(find()->records.size(), 1u);
  EXPECT_EQ(content(store_.folder_of(key_) / "profile.json"), before);
}

TEST_F(ProfileStoreTest, RenewedForgetsWhatItHad) {
  add({found(1e9, "2026-01-01T00:00:00Z"), found(1e9, "2026-01-01T00:00:00Z", 1 << 21)});
  add({found(3e9, "2026-01-02T00:00:00Z")}, ProfileStore::How::renew);
  EXPECT_THAT(rates(*find()), ::testing::ElementsAre(3));
  EXPECT_EQ(find()->made, "2026-01-02T00:00:00Z");
  // An older run that is finished only now says nothing of the machine as it is.
  add({found(1e9, "2026-01-01T00:00:00Z", 1 << 21)});
  EXPECT_THAT(rates(*find()), ::testing::ElementsAre(3));
}

TEST_F(ProfileStoreTest, ADamagedProfileIsThrownAwayWithAWord) {
  for (const char* file : {"records.jsonl", "profile.json"})
    for (const char* text : {"", "{}\n", "not JSON", "{\"schema\": 2}"}) {
      add({found(1e9, "2026-01-01T00:00:00Z")}, ProfileStore::How::renew);
      std::ofstream(store_.folder_of(key_) / file) << text;
      EXPECT_FALSE(find()) << file << text;
      expect_remark();
      EXPECT_FALSE(find());
      EXPECT_EQ(remark_, "") << "it is gone";
    }
}

TEST_F(ProfileStoreTest, RatesThatSomebodyEditedAreDamage) {
  add({found(1e9, "2026-01-01T00:00:00Z")});
  const fs::path records = store_.folder_of(key_) / "records.jsonl";
  std::string text = content(records);
  text.replace(text.find("1000000000"), 10, "2000000000");
  std::ofstream(records) << text;
  EXPECT_FALSE(find());
  expect_remark();
}

TEST_F(ProfileStoreTest, WhatOthersMayWriteToIsNotBelieved) {
  add({found(1e9, "2026-01-01T00:00:00Z")});
  chmod((store_.folder_of(key_) / "records.jsonl").c_str(), 0666);
  EXPECT_FALSE(find());
  expect_remark();
  EXPECT_TRUE(fs::exists(store_.folder_of(key_) / "records.jsonl"));
}

TEST_F(ProfileStoreTest, AProfileOfALaterVersionIsLeftAlone) {
  add({found(1e9, "2026-01-01T00:00:00Z")});
  const fs::path about = store_.folder_of(key_) / "profile.json";
  nlohmann::ordered_json said = read_json(about);
  said["schema"] = 3;
  std::ofstream(about) << said;
  EXPECT_FALSE(find());
  expect_remark();
  EXPECT_TRUE(fs::exists(about));
}

TEST_F(ProfileStoreTest, ProfileOfAnotherMachineIsIgnoredAndNamed) {
  add({found(1e9, "2026-01-01T00:00:00Z")});
  const fs::path about = store_.folder_of(key_) / "profile.json";
  nlohmann::ordered_json said = read_json(about);
  said["key"]["name"] = "NVIDIA H200";
  std::ofstream(about) << said;
  EXPECT_FALSE(find());
  expect_remark(ProfileKey{nlohmann::json(said["key"])}.hash());
  EXPECT_TRUE(fs::exists(about));
}

TEST_F(ProfileStoreTest, ProfileWithRecordsOfAnotherDeviceIsIgnoredAndNamed) {
  Record other = found(1e9, "2026-01-01T00:00:00Z");
  other.provenance = nlohmann::json{{"device", {{"name", "NVIDIA H200"}, {"uuid", "GPU-2"}}}};
  add({other});
  EXPECT_FALSE(find());
  expect_remark();
}

TEST_F(ProfileStoreTest, WithoutACacheNothingIsKept) {
  const ProfileStore none{fs::path()};
  EXPECT_NE(none.add(key_, gpu(), std::vector{found(1e9, "2026-01-01T00:00:00Z")}, ProfileStore::How::join),
            "");
  EXPECT_FALSE(none.find(key_, "cuda:0", remark_));
}

TEST(ProfileKeyTest, IsAnotherOneWhereTheDeviceOrItsSettingsAre) {
  const ProfileKey key = profile_key(gpu());
  nlohmann::json idle = gpu();
  idle["sm_clock_mhz"] = 1980;  // changes from moment to moment
  EXPECT_EQ(profile_key(idle), key);
  for (const auto& [name, value] : std::map<std::string, nlohmann::json>{{"uuid", "GPU-2"},
                                                                         {"driver_version", "590.0"},
                                                                         {"mig", true},
                                                                         {"power_limit_w", 500},
                                                                         {"max_sm_clock_mhz", 1700}}) {
    nlohmann::json other = gpu();
    other[name] = value;
    EXPECT_NE(profile_key(other).hash(), key.hash()) << name;
  }
  EXPECT_TRUE(key.fields.contains("probes"));
}

TEST(ProfileKeyTest, OfAProcessorTellsTwoVirtualMachinesApartAndAStartFromTheNext) {
  const Scratch scratch;
  for (const char* folder : {"a/proc/sys/kernel/random", "a/etc", "b/proc/sys/kernel/random", "b/etc"})
    fs::create_directories(scratch / folder);
  scratch.write("a/proc/sys/kernel/random/boot_id", "11\n");
  scratch.write("b/proc/sys/kernel/random/boot_id", "22\n");
  for (const char* file : {"a/etc/machine-id", "b/etc/machine-id"}) scratch.write(file, "33\n");
  EXPECT_NE(machine_identity(true, scratch / "a"), machine_identity(true, scratch / "b"));
  EXPECT_EQ(machine_identity(false, scratch / "a"), machine_identity(false, scratch / "b"));
  EXPECT_EQ(machine_identity(false, scratch / "a").find("33"), std::string::npos);
}

}  // namespace
}  // namespace gpuseq::bench
