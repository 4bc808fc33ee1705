#include "lab.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "../../unit/json.hpp"

namespace forms {

namespace {

namespace fs = std::filesystem;

// For tables; the process' own, as long as it lives.
struct Folder {
  std::string path = (fs::temp_directory_path() / "op2-forms-XXXXXX").string();
  Folder() { EXPECT_NE(nullptr, mkdtemp(path.data())); }
  ~Folder() { fs::remove_all(path); }
};

// What the timing table has in that column, of all loops.
FormTable column_now(const char *column) {
  static const Folder folder;
  const std::string file = folder.path + "/timings.json";
  EXPECT_EQ(OP_OK, op_timings_to_json(file.c_str())) << op_last_error();
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  FormTable out;
  const unit::Json table = unit::JsonReader(text.str()).document();
  for (const unit::Json &loop : table["loops"].items) out.emplace_back(loop["loop"].text, loop[column].text);
  return out;
}

FormTable forms_now() { return column_now("kernel_form"); }

Setting made(const std::string &name, const std::vector<std::string> &words, int vector_bytes) {
  Setting out{name, words, "seq", 1, vector_bytes};
  out.words.emplace_back("OP2_JIT=on");
  out.words.emplace_back("OP2_JIT_MIN_ELEMENTS=0");
  return out;
}
Setting on_threads(Setting setting, int threads, const char *more = nullptr) {
  setting.name += "/openmp" + std::to_string(threads);
  setting.backend = "openmp";
  setting.threads = threads;
  if (more) {
    setting.words.emplace_back(more);
    setting.name += std::string("/") + more;
  }
  return setting;
}

// Groups of settings in which sums have the same bits.
std::vector<std::vector<Setting>> settings(Reach reach) {
  const int bytes = widest_vector_bytes();
  const Setting scalar = made("scalar", {"OP2_JIT_ISA=scalar"}, 0), native = made("native", {}, bytes);
  std::vector<std::vector<Setting>> out = {{scalar}, {native, native}};
  // The forms of one code, and, where time does not matter, calls that try them in turn.
  const bool all_forms = std::getenv("OP2_TEST_EVERYWHERE") != nullptr;
  for (const char *word : {"OP2_JIT_FORM=scalar", "OP2_JIT_FORM=narrow", "OP2_JIT_FORM=soon"}) {
    if (!all_forms && std::string_view(word) != "OP2_JIT_FORM=scalar") continue;
    out.back().push_back(made(word, {word}, bytes));
    out.back().back().any_form = true;
  }
  // What runs until vectors are compiled; nothing is kept, so every loop begins with it.
  if (reach == Reach::wide || all_forms)
    out.back().push_back(
        {"first run", {"OP2_JIT=auto", "OP2_JIT_CACHE=off", "OP2_JIT_MIN_ELEMENTS=0"}, "seq", 1, bytes, true});
  for (const Setting &one : {scalar, native}) {
    out.push_back({on_threads(one, 1), on_threads(one, 2), on_threads(one, 3)});
    out.push_back({on_threads(one, 1, "OP2_BLOCK_SIZE=37"), on_threads(one, 3, "OP2_BLOCK_SIZE=37")});
  }
  out.push_back({on_threads(native, 2, "OP2_RACE=colour")});
  if (reach == Reach::native && !std::getenv("OP2_TEST_EVERYWHERE")) return out;
  // Any two of instruction sets and compilers would be many compilations: here each level once, with the two compilers
  // in turn, the widest one by the compiler that is not the default.
  const bool all = std::getenv("OP2_TEST_EVERYWHERE") != nullptr;
  struct Level {
    const char *isa, *compiler;
    int bytes;
    bool always;
  };
  for (const Level level :
       {Level{"sse2", "g++", 16, true}, Level{"avx2", "clang++", 32, true}, Level{"avx512", "clang++", 64, true},
        Level{"sse2", "clang++", 16, false}, Level{"avx2", "g++", 32, false}, Level{"avx512", "g++", 64, false},
        Level{"scalar", "clang++", 0, false}})
    if ((level.always || all) && (level.bytes == 0 || cpu_has(level.isa)) && has_program(level.compiler))
      out.push_back(
          {made(std::string(level.isa) + "/" + level.compiler,
                {"OP2_JIT_ISA=" + std::string(level.isa), "OP2_CXX=" + std::string(level.compiler)}, level.bytes)});
  return out;
}

std::string expected_form(Form form, int vector_bytes) {
  if (form == Form::own || vector_bytes < 0) return "range";
  if (form == Form::scalar || form == Form::compilers || vector_bytes == 0) return "scalar";
  return "vector x" + std::to_string(vector_bytes / (form == Form::vector8 ? 8 : 4));
}

std::string first_part(const std::string &form) { return form.substr(0, form.find(',')); }

} // namespace

Setting off() { return {"off", {"OP2_JIT=off"}, "seq", 1, -1}; }

bool cpu_has(const char *isa) {
#if defined(__x86_64__)
  const std::string name = isa;
  if (name == "avx512")
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  if (name == "avx2") return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return true;
#else
  return isa == nullptr;
#endif
}

int widest_vector_bytes() {
  for (const auto &[isa, bytes] : {std::pair{"avx512", 64}, std::pair{"avx2", 32}})
    if (cpu_has(isa)) return bytes;
  return 16;
}

bool has_program(const char *name) {
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string path; std::getline(folders, path, ':');)
    if (access((path + "/" + name).c_str(), X_OK) == 0) return true;
  return false;
}

void Forms::SetUp() {
  if (!has_program("c++") && !has_program("g++") && !has_program("clang++")) GTEST_SKIP() << "there is no C++ compiler";
  op_set_error_handler(op_error_return, nullptr);
  op_clear_error();
}
void Forms::TearDown() { EXPECT_EQ(OP_OK, op_exit()); }

std::string full_form_of(const std::string &loop) {
  for (const auto &[name, form] : forms_now())
    if (name == loop) return form;
  return "";
}

std::string form_of(const std::string &loop) { return first_part(full_form_of(loop)); }

std::string forms_by_time(const std::string &loop) {
  for (const auto &[name, times] : column_now("forms_by_time"))
    if (name == loop) return times;
  return "";
}

Results in_session(const Setting &setting, const Body &body) {
  SCOPED_TRACE(setting.name);
  std::vector<std::string> words = {"forms"};
  words.insert(words.end(), setting.words.begin(), setting.words.end());
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  op_init_params params = OP_INIT_PARAMS;
  params.argc = static_cast<int>(argv.size());
  params.argv = argv.data();
  params.backend = setting.backend;
  params.threads = setting.threads;
  EXPECT_EQ(OP_OK, op_init_with(&params)) << op_last_error();
  Results results;
  body(results);
  results.expect_forms(setting, forms_now());
  EXPECT_EQ(OP_OK, op_exit());
  return results;
}

void everywhere(Reach reach, const Body &body) {
  const Results known = in_session(off(), body);
  if (testing::Test::HasFailure()) return;
  for (const std::vector<Setting> &group : settings(reach)) {
    const Results first = in_session(group[0], body);
    SCOPED_TRACE(group[0].name);
    first.expect_agreement(known, false);
    for (std::size_t i = 1; i < group.size(); ++i) {
      SCOPED_TRACE(group[i].name);
      in_session(group[i], body).expect_agreement(first, true);
    }
    if (testing::Test::HasFailure()) return; // the others would say it again
  }
}

void Results::expect_forms(const Setting &setting, const FormTable &found) const {
  for (const auto &[loop, form] : forms_) {
    std::string got = "(it never ran)";
    for (const auto &[name, its] : found)
      if (name == loop) got = first_part(its);
    const bool perhaps =
        form == Form::compilers && setting.vector_bytes >= 0 && (got == "scalar" || got.starts_with("vector x"));
    const bool fits = perhaps || got == expected_form(form, setting.vector_bytes) ||
                      (setting.any_form && (got == expected_form(form, setting.vector_bytes / 2) || got == "scalar"));
    EXPECT_TRUE(fits) << "loop '" << loop << "', " << setting.name << ": expected "
                      << expected_form(form, setting.vector_bytes) << ", got " << got;
  }
}

void Results::compare(const Entry &mine, const Entry &known, bool same_sums) const {
  ASSERT_EQ(known.name, mine.name);
  ASSERT_EQ(known.bytes.size(), mine.bytes.size()) << mine.name;
  ASSERT_EQ(known.values.size(), mine.values.size()) << mine.name;
  const auto both_nan = [&](std::size_t i) {
    return i < mine.values.size() && std::isnan(mine.values[i]) && std::isnan(known.values[i]);
  };
  if (!mine.sum) {
    for (std::size_t i = 0; i * mine.value_bytes < mine.bytes.size(); ++i) {
      const std::size_t at = i * mine.value_bytes;
      const bool equal = std::memcmp(&mine.bytes[at], &known.bytes[at], mine.value_bytes) == 0;
      ASSERT_TRUE(equal || both_nan(i)) << mine.name << ": value " << i << " has other bits"
                                        << (mine.values.empty() ? "" : ": ")
                                        << (mine.values.empty() ? 0 : mine.values[i]) << " for "
                                        << (mine.values.empty() ? 0 : known.values[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < mine.values.size(); ++i)
    ASSERT_TRUE(mine.values[i] == known.values[i] || both_nan(i) ||
                std::fabs(mine.values[i] - known.values[i]) <= (same_sums ? 0 : known.bounds[i]))
        << mine.name << ": value " << i << " is " << mine.values[i] << ", known " << known.values[i]
        << ", they differ by " << mine.values[i] - known.values[i] << ", allowed " << (same_sums ? 0 : known.bounds[i]);
}

void Results::expect_agreement(const Results &reference, bool same_sums) const {
  ASSERT_EQ(reference.entries_.size(), entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) compare(entries_[i], reference.entries_[i], same_sums);
}

std::vector<int> random_table(int from, int dim, int to, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> out(static_cast<std::size_t>(from) * static_cast<std::size_t>(dim));
  for (int &entry : out) entry = to > 0 ? random.below(to) : 0;
  return out;
}

} // namespace forms

// SPDX-License-Identifier: MIT
