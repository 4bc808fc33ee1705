#include "gpu/locality/ways.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "mesh/layout.hpp"
#include "plan/colour.hpp"

namespace bench::locality {

namespace {

constexpr int threads = 256;
constexpr int value_bytes = 8;
constexpr std::uint64_t apart = std::uint64_t{1} << 36; // between arrays
using Place = std::optional<std::uint64_t>;

enum Array : std::uint64_t {
  dats = 1,
  maps = 50,
  order = 100,
  block_offset,
  block_colours,
  rows_offset,
  elements,
  colours,
  row_lists,
  locals
};

std::uint64_t entry(std::uint64_t array, std::uint64_t number, std::uint64_t bytes) {
  return array * apart + number * bytes;
}
std::uint64_t whole(int number) { return static_cast<std::uint64_t>(number); }

// Where values lie, and which of them move at once.
class Layouts {
 public:
  Layouts(const Loop &loop, Rows rows) {
    for (const LoopDat &dat : loop.dats) {
      const bool split = rows == Rows::as_on_cuda && dat.dim > 2; // a thread moves two values at once
      layouts_.push_back(op2::core::with_rows({split ? OP_LAYOUT_SOA : OP_LAYOUT_AOS, 0, dat.dim, value_bytes, 0},
                                              loop.rows(dat.set)));
    }
  }
  [[nodiscard]] int dim(int dat) const { return of(dat).dim; }
  [[nodiscard]] bool split(int dat) const { return !of(dat).aos(); }
  // Values that one access to the row moves.
  [[nodiscard]] int together(int dat) const { return !split(dat) && dim(dat) % 2 == 0 ? 2 : 1; }
  [[nodiscard]] std::uint64_t value(int dat, int row, int component) const {
    return (dats + whole(dat)) * apart +
           static_cast<std::uint64_t>(row * of(dat).stride() + component * of(dat).step());
  }

 private:
  [[nodiscard]] const op2::core::Layout &of(int dat) const { return layouts_[static_cast<std::size_t>(dat)]; }
  std::vector<op2::core::Layout> layouts_;
};

// What a thread knows already: entries of maps that it has read.
using Known = std::set<std::pair<int, int>>;

// A kernel's reads of maps and rows, in the order of its arguments; element(thread) is negative for those without one.
template <class F>
void read_rows(Requests &out, const Loop &loop, const Layouts &layouts, const F &element) {
  Known known;
  const auto each = [&](Use use, unsigned bytes, auto &&address) {
    out.instruction(use, bytes, [&](int thread) -> Place {
      const int n = element(thread);
      return n < 0 ? Place() : Place(address(n));
    });
  };
  for (const LoopArg &arg : loop.args)
    for (int j = 0; j < arg.count; ++j) {
      const int column = arg.column + j, columns = loop.maps[static_cast<std::size_t>(arg.map)].dim;
      if (known.insert({arg.map, column}).second)
        each(Use::load, 4,
             [&](int n) { return entry(maps + whole(arg.map), whole(n) * whole(columns) + whole(column), 4); });
      if (arg.adds) continue;
      const int together = layouts.together(arg.dat);
      for (int c = 0; c < layouts.dim(arg.dat); c += together)
        each(Use::load, static_cast<unsigned>(together) * 8,
             [&](int n) { return layouts.value(arg.dat, loop.target(arg, j, n), c); });
    }
}

} // namespace

Counts atomic_additions(const Loop &loop, Rows rows) {
  const Layouts layouts(loop, rows);
  Requests out(threads);
  out.start_launch(0);
  for (int first = 0; first < loop.elements; first += threads) {
    const auto element = [&](int thread) { return first + thread < loop.elements ? first + thread : -1; };
    read_rows(out, loop, layouts, element);
    for (const LoopArg &arg : loop.args)
      for (int j = 0; arg.adds && j < arg.count; ++j)
        for (int c = 0; c < layouts.dim(arg.dat); ++c)
          out.instruction(Use::add, 8, [&](int thread) -> Place {
            const int n = element(thread);
            return n < 0 ? Place() : Place(layouts.value(arg.dat, loop.target(arg, j, n), c));
          });
    out.end_block();
  }
  return out.counts();
}

namespace {

// Rows of a dat in shared memory: component by component, at a pitch with which neither threads that use neighbouring
// rows nor those that carry rows away meet in a bank.
struct Held {
  std::uint64_t begin = 0, pitch = 0;
  [[nodiscard]] std::uint64_t value(int row, int component) const {
    return begin + (whole(component) * pitch + whole(row)) * 8;
  }
};
std::uint64_t pitch_of(int rows, int dim) {
  constexpr std::uint64_t banks = 16; // of eight bytes
  const std::uint64_t want = whole(dim) < banks ? banks / whole(dim) : 1;
  return whole(rows) + ((want - whole(rows)) & (banks - 1));
}

// Of one block: which rows it uses, and where they are in its lists.
struct BlockRows {
  std::map<int, std::vector<int>> of_set; // those that it holds, ascending
  std::map<int, std::uint64_t> first;     // of the set's in the lists of all blocks
  std::map<int, Held> of_dat;
  std::size_t bytes = 0;
};

class Blocks {
 public:
  Blocks(const Loop &loop, const Division &division, Rows rows, const BlockWay &way)
      : loop_(loop), way_(way), layouts_(loop, rows), division_(by_colour(loop, division)), out_(threads) {
    const Loop divided = in_order(loop, division_.element);
    const op2::core::SlotTable table = slots_of(divided);
    block_colour_ = op2::core::colour_blocks(table, division_.offset);
    element_colour_ = op2::core::colour_elements_in_blocks(table, division_.offset);
    find_rows();
  }

  Counts run() {
    for (int colour = 0; colour < block_colour_.count; ++colour) {
      if (way_.coloured || colour == 0) out_.start_launch(shared_bytes());
      for (int block = 0; block < division_.blocks(); ++block)
        if (block_colour_.colour[static_cast<std::size_t>(block)] == colour) run(block);
    }
    return out_.counts();
  }

 private:
  bool held(const LoopArg &arg) const { return arg.adds || way_.stages_reads; }
  int start(int block) const { return division_.offset[static_cast<std::size_t>(block)]; }
  int size(int block) const { return start(block + 1) - start(block); }
  std::size_t shared_bytes() const {
    std::size_t most = 0;
    for (const BlockRows &rows : rows_) most = std::max(most, rows.bytes);
    return most;
  }

  void find_rows() {
    std::uint64_t first = 0;
    for (int block = 0; block < division_.blocks(); ++block) {
      BlockRows &rows = rows_.emplace_back();
      for (const LoopArg &arg : loop_.args)
        for (int at = start(block); held(arg) && at < start(block + 1); ++at)
          for (int j = 0; j < arg.count; ++j)
            rows.of_set[loop_.dat(arg).set].push_back(
                loop_.target(arg, j, division_.element[static_cast<std::size_t>(at)]));
      for (auto &[set, list] : rows.of_set) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        rows.first[set] = first;
        first += list.size();
      }
      for (const LoopArg &arg : loop_.args) {
        if (!held(arg) || rows.of_dat.contains(arg.dat)) continue;
        const int dim = layouts_.dim(arg.dat);
        const std::uint64_t pitch = pitch_of(static_cast<int>(rows.of_set[loop_.dat(arg).set].size()), dim);
        rows.of_dat[arg.dat] = {rows.bytes, pitch};
        rows.bytes += (pitch * whole(dim) * 8 + 15) / 16 * 16;
      }
    }
  }

  // All threads of the block read the same.
  void all_read(std::uint64_t array, int number) {
    out_.instruction(Use::load, 4, [&](int) { return Place(entry(array, whole(number), 4)); });
  }
  // Of the thread's place among all elements; nothing for threads without one.
  template <class F>
  void mine(Use use, unsigned bytes, const F &address) {
    out_.instruction(use, bytes, [&](int thread) -> Place {
      return thread < size(block_) ? Place(address(start(block_) + thread)) : Place();
    });
  }
  int local(const LoopArg &arg, int j, int place) const {
    const std::vector<int> &rows = now().of_set.at(loop_.dat(arg).set);
    const int row = loop_.target(arg, j, division_.element[static_cast<std::size_t>(place)]);
    return static_cast<int>(std::lower_bound(rows.begin(), rows.end(), row) - rows.begin());
  }
  const BlockRows &now() const { return rows_[static_cast<std::size_t>(block_)]; }
  // Number of a map's column among those whose local rows are listed.
  int listed_column(const LoopArg &arg, int j) {
    return columns_.try_emplace({arg.map, arg.column + j}, static_cast<int>(columns_.size())).first->second;
  }
  std::uint64_t local_entry(const LoopArg &arg, int j, int place) {
    return entry(locals, whole(listed_column(arg, j)) * whole(loop_.elements) + whole(place), 2);
  }

  void run(int block) {
    block_ = block;
    all_read(order, static_cast<int>(out_.counts().blocks)); // blocks are listed by colour
    all_read(block_offset, block);
    all_read(block_offset, block + 1);
    all_read(block_colours, block);
    const int groups = static_cast<int>(now().of_set.size());
    for (int group = 0; group < groups; ++group)
      for (const int end : {0, 1}) all_read(rows_offset, block * groups + group + end);
    bring_rows();
    out_.barrier();
    if (way_.stages_reads)
      read_held_rows();
    else
      read_rows_of_memory();
    mine(Use::load, 2, [](int place) { return entry(colours, whole(place), 2); });
    add_by_colour();
    carry_away();
    out_.end_block();
  }

  // Zeros for what is added to. A thread for each row that is read, so that one entry of the list serves all values.
  void bring_rows() {
    std::set<int> zeroed;
    for (const LoopArg &arg : loop_.args) {
      if (!arg.adds || !zeroed.insert(arg.dat).second) continue;
      const Held &to = now().of_dat.at(arg.dat);
      const std::uint64_t values = to.pitch * whole(layouts_.dim(arg.dat));
      out_.strided(values, [&](std::uint64_t first) {
        out_.instruction(Use::shared, 8, [&](int thread) -> Place {
          const std::uint64_t at = first + whole(thread);
          return at < values ? Place(to.begin + at * 8) : Place();
        });
      });
    }
    if (!way_.stages_reads) return;
    for (const auto &[set, rows] : now().of_set)
      out_.strided(rows.size(), [&, &rows_of_set = rows, number = set](std::uint64_t first) {
        const auto each = [&](Use use, unsigned bytes, auto &&address) {
          out_.instruction(use, bytes, [&](int thread) -> Place {
            const std::uint64_t at = first + whole(thread);
            return at < rows_of_set.size() ? Place(address(static_cast<int>(at))) : Place();
          });
        };
        each(Use::load, 4, [&](int u) { return entry(row_lists, now().first.at(number) + whole(u), 4); });
        std::set<int> brought;
        for (const LoopArg &arg : loop_.args) {
          if (arg.adds || loop_.dat(arg).set != number || !brought.insert(arg.dat).second) continue;
          const int together = layouts_.together(arg.dat);
          for (int c = 0; c < layouts_.dim(arg.dat); c += together) {
            each(Use::load, static_cast<unsigned>(together) * 8,
                 [&](int u) { return layouts_.value(arg.dat, rows_of_set[static_cast<std::size_t>(u)], c); });
            for (int k = c; k < c + together; ++k)
              each(Use::shared, 8, [&](int u) { return now().of_dat.at(arg.dat).value(u, k); });
          }
        }
      });
  }

  void read_rows_of_memory() {
    mine(Use::load, 4, [](int place) { return entry(elements, whole(place), 4); });
    read_rows(out_, loop_, layouts_, [&](int thread) {
      return thread < size(block_) ? division_.element[static_cast<std::size_t>(start(block_) + thread)] : -1;
    });
  }

  void read_held_rows() {
    Known known;
    for (const LoopArg &arg : loop_.args)
      for (int j = 0; j < arg.count; ++j) {
        if (known.insert({arg.map, arg.column + j}).second)
          mine(Use::load, 2, [&](int place) { return local_entry(arg, j, place); });
        for (int c = 0; !arg.adds && c < layouts_.dim(arg.dat); ++c)
          mine(Use::shared, 8, [&](int place) { return now().of_dat.at(arg.dat).value(local(arg, j, place), c); });
      }
  }

  void add_by_colour() {
    for (int colour = 0; colour < element_colour_.count[static_cast<std::size_t>(block_)]; ++colour) {
      const auto of_colour = [&](Use use, unsigned bytes, const auto &address) {
        out_.instruction(use, bytes, [&](int thread) -> Place {
          const int place = start(block_) + thread;
          if (thread >= size(block_) || element_colour_.colour[static_cast<std::size_t>(place)] != colour) return {};
          return address(place);
        });
      };
      for (const LoopArg &arg : loop_.args)
        for (int j = 0; arg.adds && j < arg.count; ++j)
          for (int c = 0; c < layouts_.dim(arg.dat); ++c) {
            if (!way_.stages_reads) of_colour(Use::load, 2, [&](int place) { return local_entry(arg, j, place); });
            for (int access = 0; access < 2; ++access) // there and back
              of_colour(Use::shared, 8,
                        [&](int place) { return now().of_dat.at(arg.dat).value(local(arg, j, place), c); });
          }
      out_.barrier();
    }
  }

  // Neighbouring threads take values of unit stride.
  void carry_away() {
    std::set<int> carried;
    for (const LoopArg &arg : loop_.args) {
      if (!arg.adds || !carried.insert(arg.dat).second) continue;
      const int set = loop_.dat(arg).set, dim = layouts_.dim(arg.dat);
      const std::vector<int> &rows = now().of_set.at(set);
      const std::uint64_t values = rows.size() * whole(dim);
      const bool split = layouts_.split(arg.dat);
      out_.strided(values, [&](std::uint64_t first) {
        const auto each = [&](Use use, unsigned bytes, auto &&address) {
          out_.instruction(use, bytes, [&](int thread) -> Place {
            const std::uint64_t at = first + whole(thread);
            if (at >= values) return {};
            return address(static_cast<int>(split ? at % rows.size() : at / whole(dim)),
                           static_cast<int>(split ? at / rows.size() : at % whole(dim)));
          });
        };
        const auto value = [&](int u, int c) { return layouts_.value(arg.dat, rows[static_cast<std::size_t>(u)], c); };
        each(Use::load, 4, [&](int u, int) { return entry(row_lists, now().first.at(set) + whole(u), 4); });
        each(Use::shared, 8, [&](int u, int c) { return now().of_dat.at(arg.dat).value(u, c); });
        if (way_.coloured) {
          each(Use::load, 8, value);
          each(Use::store, 8, value);
        } else {
          each(Use::add, 8, value);
        }
      });
    }
  }

  const Loop &loop_;
  const BlockWay way_;
  const Layouts layouts_;
  const Division division_;
  Requests out_;
  op2::core::Colouring block_colour_;
  op2::core::BlockElementColouring element_colour_;
  std::vector<BlockRows> rows_;
  std::map<std::pair<int, int>, int> columns_;
  int block_ = 0;
};

} // namespace

Counts blocks(const Loop &loop, const Division &division, Rows rows, const BlockWay &way) {
  return Blocks(loop, division, rows, way).run();
}

} // namespace bench::locality

// SPDX-License-Identifier: MIT
