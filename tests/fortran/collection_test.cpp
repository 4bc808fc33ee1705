// The kernels in Fortran of the unit tests' collection (tests/unit/jit/fortran) in loops of the library, beside calls
// of the compiled procedures. Executor cuda must run every one of them on the device.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "../unit/json.hpp"
#include "op2/op2.h"

#ifdef OP2TEST_FLANG
#define OP2TEST_SYMBOL(name) _QMcollectionP##name
#else
#define OP2TEST_SYMBOL(name) __collection_MOD_##name
#endif
#define OP2TEST_ALL(use)                                                                                           \
  use(copies) use(precedence) use(powers) use(powers_single) use(mixed_kinds) use(functions) use(functions_single) \
      use(roe_flux) use(limiter) use(superbee) use(stiffness) use(products) use(quad_forces) use(viscosity)        \
          use(newton) use(searches) use(forever) use(masks) use(bounds) use(overlaps) use(calls) use(early)        \
              use(nested_calls) use(integers) use(long_integers) use(logicals) use(sections_of_planes)             \
                  use(long_arrays) use(smoothed)
#define OP2TEST_DECLARE(name) void OP2TEST_SYMBOL(name)();
extern "C" {
OP2TEST_ALL(OP2TEST_DECLARE)
void oldflx_();
void oldsum_();
}

namespace {

constexpr int elements = 150;

// One argument: type, values in a row, and whether the kernel may change them.
struct Argument {
  enum class Kind { real8, real4, integer4, integer8, logical };
  Kind kind;
  int dim;
  bool changed;

  const char *type() const {
    static const char *const names[] = {"double", "float", "int", "ll", "int"};
    return names[static_cast<int>(kind)];
  }
  std::size_t bytes() const { return kind == Kind::real8 || kind == Kind::integer8 ? 8 : 4; }
  std::size_t row() const { return bytes() * static_cast<std::size_t>(dim); }
};

// "r8(5) s4(2) i4 l8(2) +r8(4)": + for what is changed; s4 is a real(4), b4 a logical(4).
std::vector<Argument> arguments_of(const std::string &words) {
  static const std::map<char, Argument::Kind> kinds = {{'r', Argument::Kind::real8},
                                                       {'s', Argument::Kind::real4},
                                                       {'i', Argument::Kind::integer4},
                                                       {'l', Argument::Kind::integer8},
                                                       {'b', Argument::Kind::logical}};
  std::vector<Argument> out;
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    const bool changed = word[0] == '+';
    if (changed) word.erase(0, 1);
    const std::size_t dim = word.find('(');
    out.push_back({kinds.at(word[0]), dim == std::string::npos ? 1 : std::atoi(word.c_str() + dim + 1), changed});
  }
  return out;
}

struct Kernel {
  const char *name, *symbol;
  op_kernel_fn code;
  std::string arguments;
};

const std::vector<Kernel> &kernels() {
  static const std::map<std::string, std::string> arguments = {
      {"copies", "r8(5) +r8(5)"},
      {"precedence", "r8(8) +r8(8)"},
      {"powers", "r8(4) +r8(18)"},
      {"powers_single", "s4(4) +s4(4)"},
      {"mixed_kinds", "r8(2) s4(2) i4(2) +r8(6)"},
      {"functions", "r8(4) +r8(9)"},
      {"functions_single", "s4(3) +s4(4)"},
      {"roe_flux", "r8(5) r8(5) r8(3) +r8(5)"},
      {"limiter", "r8 r8 +r8"},
      {"superbee", "r8(4) i4 +r8(4)"},
      {"stiffness", "r8(6) +r8(9)"},
      {"products", "r8(9) r8(3) +r8(3) +r8(9)"},
      {"quad_forces", "r8(4) r8(4) r8 +r8(4) +r8(4) +r8"},
      {"viscosity", "r8(4) r8(4) r8 r8 +r8"},
      {"newton", "r8 +r8 +i4"},
      {"searches", "r8(8) i4 +i4 +r8"},
      {"forever", "r8 +r8"},
      {"masks", "r8(4) r8(4) +r8(4)"},
      {"bounds", "r8(8) i4 +r8(8)"},
      {"overlaps", "+r8(6)"},
      {"calls", "+r8(3) +r8(3) +r8(3)"},
      {"early", "r8(3) i4 +r8(3)"},
      {"nested_calls", "r8(2) +r8(2)"},
      {"integers", "i4(4) +i4(6)"},
      {"long_integers", "l8(2) i4 +l8(2)"},
      {"logicals", "b4 r8 +r8 +b4"},
      {"sections_of_planes", "r8(16) +r8(8)"},
      {"long_arrays", "r8(5) +r8(5)"},
      {"smoothed", "r8(2) +r8(2)"},
      {"oldflx", "r8(4) r8(4) +r8(4)"},
      {"oldsum", "r8(16) i4 +r8"},
  };
#define OP2TEST_TEXT(symbol) #symbol
#define OP2TEST_NAME(symbol) OP2TEST_TEXT(symbol)
#define OP2TEST_KERNEL(name)                                                                              \
  Kernel{#name, OP2TEST_NAME(OP2TEST_SYMBOL(name)), reinterpret_cast<op_kernel_fn>(OP2TEST_SYMBOL(name)), \
         arguments.at(#name)},
  static const std::vector<Kernel> all = {
      OP2TEST_ALL(OP2TEST_KERNEL) //
      Kernel{"oldflx", "oldflx_", reinterpret_cast<op_kernel_fn>(oldflx_), arguments.at("oldflx")},
      Kernel{"oldsum", "oldsum_", reinterpret_cast<op_kernel_fn>(oldsum_), arguments.at("oldsum")},
  };
  return all;
}

// The same numbers in every run.
class Random {
 public:
  void fill(std::vector<char> &bytes, Argument::Kind kind) {
    switch (kind) {
      case Argument::Kind::real8:
        return each<double>(bytes, [this] { return real(); });
      case Argument::Kind::real4:
        return each<float>(bytes, [this] { return static_cast<float>(real()); });
      case Argument::Kind::integer4:
        return each<int>(bytes, [this] { return static_cast<int>(next() % 3) + 1; });
      case Argument::Kind::integer8:
        return each<long long>(bytes, [this] { return static_cast<long long>(next() % 3) + 1; });
      case Argument::Kind::logical:
        return each<int>(bytes, [this] { return static_cast<int>(next() % 2); });
    }
  }

 private:
  template <class T, class Make>
  void each(std::vector<char> &bytes, const Make &make) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
      const T value = make();
      std::copy_n(reinterpret_cast<const char *>(&value), sizeof value, bytes.data() + at);
    }
  }
  double real() { return static_cast<double>(next() >> 11) * 0x1p-53 * 8 - 4; }
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 2685821657736338717u;
  }
  std::uint64_t state_ = 88172645463325252u;
};

void call(op_kernel_fn code, const std::vector<void *> &p) {
  using Any = void *;
  const auto as = [code]<class... P>(P... pointers) { reinterpret_cast<void (*)(P...)>(code)(pointers...); };
  switch (p.size()) {
    case 1:
      return as(Any(p[0]));
    case 2:
      return as(Any(p[0]), Any(p[1]));
    case 3:
      return as(Any(p[0]), Any(p[1]), Any(p[2]));
    case 4:
      return as(Any(p[0]), Any(p[1]), Any(p[2]), Any(p[3]));
    case 5:
      return as(Any(p[0]), Any(p[1]), Any(p[2]), Any(p[3]), Any(p[4]));
    default:
      return as(Any(p[0]), Any(p[1]), Any(p[2]), Any(p[3]), Any(p[4]), Any(p[5]));
  }
}

double value_at(const std::vector<char> &bytes, const Argument &argument, std::size_t n) {
  const char *const place = bytes.data() + n * argument.bytes();
  switch (argument.kind) {
    case Argument::Kind::real8:
      return *reinterpret_cast<const double *>(place);
    case Argument::Kind::real4:
      return *reinterpret_cast<const float *>(place);
    case Argument::Kind::integer8:
      return static_cast<double>(*reinterpret_cast<const long long *>(place));
    default:
      return *reinterpret_cast<const int *>(place);
  }
}

// Functions of mathematics may round otherwise on a device, and what follows from them.
void expect_same(const std::vector<char> &known, const std::vector<char> &got, const Argument &argument) {
  const double bound = argument.kind == Argument::Kind::real8   ? 1e-12
                       : argument.kind == Argument::Kind::real4 ? 1e-5
                                                                : 0;
  for (std::size_t n = 0; n < known.size() / argument.bytes(); ++n) {
    const double a = value_at(known, argument, n), b = value_at(got, argument, n);
    if (std::isnan(a) && std::isnan(b)) continue;
    ASSERT_LE(std::abs(a - b), bound * std::max(1.0, std::abs(a))) << "value " << n << " is " << b << ", not " << a;
  }
}

// What a loop did with each argument of a kernel, by hand or by the library.
struct Loop {
  std::vector<Argument> arguments;
  std::vector<std::vector<char>> data;

  explicit Loop(const Kernel &kernel) : arguments(arguments_of(kernel.arguments)) {
    Random random;
    for (const Argument &argument : arguments) {
      data.emplace_back(argument.row() * elements);
      random.fill(data.back(), argument.kind);
    }
  }
  void by_hand(const Kernel &kernel) {
    for (std::size_t n = 0; n < elements; ++n) {
      std::vector<void *> pointers;
      for (std::size_t i = 0; i < arguments.size(); ++i) pointers.push_back(data[i].data() + n * arguments[i].row());
      call(kernel.code, pointers);
    }
  }
  // site: stays while the library runs.
  void by_library(const Kernel &kernel, op_loop_site &site, op_set set) {
    std::vector<op_dat> dats;
    std::vector<op_arg> args;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Argument &argument = arguments[i];
      dats.push_back(op_decl_dat(set, argument.dim, argument.type(), data[i].data(), "data"));
      args.push_back(
          op_arg_dat(dats.back(), -1, OP_ID, argument.dim, argument.type(), argument.changed ? OP_RW : OP_READ));
    }
    ASSERT_EQ(OP_OK, op_par_loop_site(&site, kernel.name, set, static_cast<int>(args.size()), args.data()))
        << op_last_error();
    for (std::size_t i = 0; i < dats.size(); ++i) op_fetch_data(dats[i], data[i].data());
  }
};

// loop: the form of its code, and why it is not a better one.
std::map<std::string, std::string> forms_now() {
  std::string file = (std::filesystem::temp_directory_path() / "op2-collected-XXXXXX").string();
  close(mkstemp(file.data()));
  EXPECT_EQ(OP_OK, op_timings_to_json(file.c_str())) << op_last_error();
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  std::map<std::string, std::string> out;
  const unit::Json table = unit::JsonReader(text.str()).document();
  for (const unit::Json &loop : table["loops"].items)
    out[loop["loop"].text] = loop["kernel_form"].text + " " + loop["no_vectors"].text;
  return out;
}

TEST(FortranCollection, GivesTheAnswersOfTheCompiledKernels) {
  std::string words[] = {"collection", "OP2_JIT=on", "OP2_JIT_MIN_ELEMENTS=0"};
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  op_init_params params = OP_INIT_PARAMS;
  params.argc = static_cast<int>(argv.size());
  params.argv = argv.data();
  op_set_error_handler(op_error_return, nullptr);
  ASSERT_EQ(OP_OK, op_init_with(&params)) << op_last_error();
  const op_set set = op_decl_set(elements, "elements");
  std::vector<op_loop_site> sites(kernels().size());
  for (std::size_t k = 0; k < kernels().size(); ++k) {
    const Kernel &kernel = kernels()[k];
    SCOPED_TRACE(kernel.name);
    sites[k].size = sizeof(op_loop_site);
    sites[k].element = kernel.code;
    sites[k].flags = OP_SITE_INDEX_BY_KIND | OP_SITE_FORTRAN;
    sites[k].kernel_name = kernel.symbol;
    Loop known(kernel), got(kernel);
    known.by_hand(kernel);
    got.by_library(kernel, sites[k], set);
    for (std::size_t i = 0; i < known.data.size(); ++i) expect_same(known.data[i], got.data[i], known.arguments[i]);
  }
  const std::map<std::string, std::string> forms = forms_now();
  EXPECT_EQ(kernels().size(), forms.size());
  const char *const backend = std::getenv("OP2_BACKEND");
  const bool device = backend && std::string(backend).ends_with("cuda");
#ifdef __x86_64__
  const bool vectors = __builtin_cpu_supports("avx2");
#else
  const bool vectors = false; // some loops are right, and slower
#endif
  for (const auto &[loop, form] : forms)
    EXPECT_TRUE(form.starts_with(device ? "cuda" : vectors ? "vector" : "")) << loop << " gets " << form;
  EXPECT_EQ(OP_OK, op_exit());
}

} // namespace

// SPDX-License-Identifier: MIT
