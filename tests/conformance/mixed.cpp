// Random loops: arguments of all kinds in random company, on random meshes, held against the same kernel run by a plain
// loop.
#include "suite.hpp"

namespace conformance {

using Mixed = Topic;

constexpr int most_args = 12;
enum class Kind { real, single, whole, wide };
const char *type_name(Kind kind) {
  constexpr const char *names[] = {"double", "float", "int", "ll"};
  return names[static_cast<int>(kind)];
}
constexpr std::size_t bytes_of(Kind kind) { return kind == Kind::single || kind == Kind::whole ? 4 : 8; }

template <class F>
auto as_type(Kind kind, void *p, F f) {
  switch (kind) {
    case Kind::real:
      return f(static_cast<double *>(p));
    case Kind::single:
      return f(static_cast<float *>(p));
    case Kind::whole:
      return f(static_cast<int *>(p));
    default:
      return f(static_cast<long long *>(p));
  }
}

// One argument. All values are whole numbers below 2^24, so sums are exact in every type and order.
struct Arg {
  Kind kind;
  op_access access;
  int dim;
  int dat, map, column, count; // dat -1: global; map -1: direct; count > 0: vector
};

// What the kernel of the running loop does; set before the loop starts, only read while it runs.
std::vector<Arg> plan;

int take(const Arg &arg, void *row) { // something that depends on all values
  return as_type(arg.kind, row, [&](auto *p) {
    int sum = 0;
    for (int i = 0; i < arg.dim; ++i) sum = (sum * 3 + static_cast<int>(p[i]) % 17) % 17;
    return sum;
  });
}

void put(const Arg &arg, void *row, int value) {
  as_type(arg.kind, row, [&]<class T>(T *p) {
    for (int i = 0; i < arg.dim; ++i) {
      const T v = static_cast<T>(value + i);
      switch (arg.access) {
        case OP_WRITE:
          p[i] = v;
          break;
        case OP_RW:
          p[i] = static_cast<T>((static_cast<int>(p[i]) + 5 * value + i) % 1009);
          break;
        case OP_INC:
          p[i] += v;
          break;
        case OP_MIN:
          p[i] = std::min(p[i], static_cast<T>(-v));
          break;
        default:
          p[i] = std::max(p[i], v);
      }
    }
  });
}

void kernel(void *p0, void *p1, void *p2, void *p3, void *p4, void *p5, void *p6, void *p7, void *p8, void *p9,
            void *p10, void *p11) {
  void *const p[most_args] = {p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11};
  int value = 1;
  const auto each_row = [&](std::size_t a, auto f) {
    if (plan[a].count == 0) return f(p[a]);
    for (int c = 0; c < plan[a].count; ++c) f(static_cast<void **>(p[a])[c]);
  };
  for (std::size_t a = 0; a < plan.size(); ++a)
    if (plan[a].access == OP_READ) each_row(a, [&](void *row) { value = (2 * value + take(plan[a], row)) % 17; });
  for (std::size_t a = 0; a < plan.size(); ++a)
    if (plan[a].access != OP_READ) each_row(a, [&](void *row) { put(plan[a], row, value); });
}

// A mesh with maps to other sets and to the set itself, and its dats, both in the library and outside.
struct RandomProgram {
  struct Dat {
    Kind kind;
    int set, dim;
    std::vector<char> host;
    op_dat handle;
    std::size_t row() const { return bytes_of(kind) * static_cast<std::size_t>(dim); }
  };
  struct Map {
    Topology mesh;
    int to;
    bool own; // injective: elements have their targets to themselves
    op_map handle;
  };
  std::vector<int> sizes;
  std::vector<op_set> sets;
  std::vector<Map> maps; // all from set 0
  std::vector<Dat> dats;

  RandomProgram(int size, Random &random) : sizes{size, size / 3 + 1, 2 * size + 3} {
    for (const int n : sizes) sets.push_back(declare_set(n, "set"));
    const auto seed = static_cast<std::uint64_t>(random.below(1 << 30));
    maps.push_back({random_map(size, sizes[1], 4, seed), 1, false, nullptr});
    maps.push_back({random_map(size, sizes[1], 2, seed + 1), 1, false, nullptr});
    maps.push_back({random_map(size, std::max(size, 1), 3, seed + 2), 0, false, nullptr});
    maps.push_back({injective(size, sizes[2], 2, seed + 3), 2, true, nullptr});
    for (Map &map : maps) map.handle = declare_map(sets[0], sets[static_cast<std::size_t>(map.to)], map.mesh);
    for (int set = 0; set < 3; ++set)
      for (int k = 0; k < 5; ++k) {
        Dat dat{static_cast<Kind>(random.below(4)), set, 1 + random.below(3), {}, nullptr};
        const std::size_t values =
            static_cast<std::size_t>(sizes[static_cast<std::size_t>(set)]) * static_cast<std::size_t>(dat.dim);
        dat.host.resize(values * bytes_of(dat.kind));
        as_type(dat.kind, dat.host.data(), [&](auto *p) {
          for (std::size_t i = 0; i < values; ++i)
            p[i] = static_cast<std::remove_reference_t<decltype(*p)>>(random.below(100));
        });
        const std::size_t first = static_cast<std::size_t>(own_part(sizes[static_cast<std::size_t>(set)]).first);
        dat.handle = op_decl_dat(sets[static_cast<std::size_t>(set)], dat.dim, type_name(dat.kind),
                                 dat.host.data() + first * dat.row(), "dat");
        dats.push_back(std::move(dat));
      }
  }

  // Arguments that respect the rules: what one element writes, no other reads or writes, except where both increment.
  void choose_args(Random &random) {
    plan.clear();
    for (int d = 0; d < static_cast<int>(dats.size()); ++d) {
      const Dat &dat = dats[static_cast<std::size_t>(d)];
      if (random.below(3) != 0) continue;
      const int role = random.below(4);
      const op_access access = role == 0      ? OP_READ
                               : role == 1    ? OP_INC
                               : dat.set == 1 ? OP_READ
                               : role == 2    ? OP_WRITE
                                              : OP_RW;
      const bool alone = access == OP_WRITE || access == OP_RW;
      const int repeats = alone ? 1 : 1 + random.below(3);
      for (int r = 0; r < repeats && plan.size() + 3 < most_args; ++r) {
        Arg arg{dat.kind, access, dat.dim, d, -1, 0, 0};
        if (dat.set != 0 || (!alone && random.below(2))) {
          do arg.map = random.below(static_cast<int>(maps.size()));
          while (maps[static_cast<std::size_t>(arg.map)].to != dat.set);
          const int columns = maps[static_cast<std::size_t>(arg.map)].mesh.dim;
          if (random.below(2))
            arg.count = 2 + random.below(columns - 1);
          else
            arg.column = random.below(columns);
        }
        plan.push_back(arg);
      }
    }
    for (const op_access access : {OP_READ, OP_INC, OP_MIN, OP_MAX})
      if (random.below(3) == 0 && plan.size() < most_args)
        plan.push_back({static_cast<Kind>(random.below(4)), access, 1 + random.below(3), -1, -1, 0, 0});
  }

  void *row_of(const Arg &arg, std::size_t n, int column) {
    Dat &dat = dats[static_cast<std::size_t>(arg.dat)];
    const std::size_t row =
        arg.map < 0 ? n : maps[static_cast<std::size_t>(arg.map)].mesh.target(n, static_cast<std::size_t>(column));
    return dat.host.data() + row * dat.row();
  }
};

using Values = std::array<long long, 3>; // room for the values of a global of any type

op_status run_in_library(const RandomProgram &world, std::vector<Values> &globals) {
  std::vector<op_arg> args;
  for (std::size_t a = 0; a < plan.size(); ++a) {
    const Arg &arg = plan[a];
    if (arg.dat < 0)
      args.push_back(op_arg_gbl(globals[a].data(), arg.dim, type_name(arg.kind), arg.access));
    else
      args.push_back(op_arg_dat(world.dats[static_cast<std::size_t>(arg.dat)].handle,
                                arg.map < 0 ? -1
                                : arg.count ? -arg.count
                                            : arg.column,
                                arg.map < 0 ? OP_ID : world.maps[static_cast<std::size_t>(arg.map)].handle, arg.dim,
                                type_name(arg.kind), arg.access));
  }
  while (args.size() < most_args) args.push_back(op_opt_arg_dat(0, nullptr, -1, OP_ID, 1, "double", OP_READ));
  return op_par_loop(reinterpret_cast<op_kernel_fn>(kernel), "mixed", world.sets[0], most_args, args.data());
}

void run_outside(RandomProgram &world, std::vector<Values> &globals) {
  for (std::size_t n = 0; n < static_cast<std::size_t>(world.sizes[0]); ++n) {
    void *vectors[most_args][4] = {}, *p[most_args] = {};
    for (std::size_t a = 0; a < plan.size(); ++a) {
      for (int c = 0; c < plan[a].count; ++c) vectors[a][c] = world.row_of(plan[a], n, c);
      p[a] = plan[a].dat < 0 ? globals[a].data()
             : plan[a].count ? static_cast<void *>(vectors[a])
                             : world.row_of(plan[a], n, plan[a].column);
    }
    kernel(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11]);
  }
}

TEST_F(Mixed, RandomLoops) {
  for (const int size : as_requested(std::vector<int>{0, 1, 2, 100, 3000, 20000})) {
    SCOPED_TRACE(size);
    compare([size](Outcome &out) {
      Random random(240 + static_cast<std::uint64_t>(size));
      RandomProgram world(size, random);
      const int loops = size > 10000 ? 6 : size > 1000 ? 25 : 60;
      for (int loop = 0; loop < loops && !testing::Test::HasFailure(); ++loop) {
        SCOPED_TRACE(loop);
        world.choose_args(random);
        std::vector<Values> globals(plan.size(), Values{}), wanted = globals;
        EXPECT_OK(run_in_library(world, globals));
        run_outside(world, wanted);
        for (std::size_t a = 0; a < plan.size(); ++a)
          out.same("global", std::vector<long long>(globals[a].begin(), globals[a].end()),
                   std::vector<long long>(wanted[a].begin(), wanted[a].end()));
        for (const RandomProgram::Dat &dat : world.dats) {
          std::vector<char> got(dat.host.size() + 1);
          EXPECT_OK(op_fetch_data_all(dat.handle, got.data()));
          got.pop_back();
          out.same("dat", got, dat.host);
        }
      }
    });
  }
}

} // namespace conformance

// SPDX-License-Identifier: MIT
