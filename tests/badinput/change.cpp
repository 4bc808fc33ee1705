// change.cpp: bad input for change.h: rows of maps, parents of new elements.
#include "op2/change.h"

#include <functional>
#include <limits>

#include "op2/heads.h"

#include "refuse.hpp"

namespace badinput {

namespace {

const op_gindex one[] = {1}, row[] = {2, 3};

Wrong put(const char *parameter, std::string value, op_status status, std::vector<std::string> words, op_index count,
          const op_gindex *elements, const op_gindex *entries) {
  return {"op_put_map_rows", parameter,
          std::move(value),  status,
          std::move(words),  [=] { return op_put_map_rows(world().edge_nodes, count, elements, entries); }};
}

const op_gindex parents[] = {0, 1, 2, 2};
const double weights[] = {1, 2, 3, 4};

struct Carried {
  op_dat from = world().length, to = world().flow_speed;
  const op_gindex *of = parents;
  int what = OP_CARRY_SUMS;
  const double *by = weights;
  const void *fill = nullptr;
};
Wrong carry(const char *parameter, std::string value, op_status status, std::vector<std::string> words,
            std::function<void(Carried &)> spoil) {
  return {"op_carry", parameter, std::move(value), status, std::move(words), [spoil = std::move(spoil)] {
            Carried call;
            spoil(call);
            return op_carry(call.from, call.to, call.of, call.what, call.by, call.fill);
          }};
}

void add_carried(std::vector<Wrong> &rows) {
  static const op_gindex far[] = {0, 1, 3, 2}, below[] = {0, -2, 1, 2}, childless[] = {0, 0, 2, 2};
  static const double negative[] = {1, -1, 1, 1}, none[] = {1, 0, 1, 1},
                      no_number[] = {1, 1, std::numeric_limits<double>::quiet_NaN(), 1};
  static const double start[] = {1, 2, 3, 4};
  const std::vector<Wrong> all = {
      carry("from", "the dat itself", OP_ERR_ARGUMENT, {"dat 'flow_speed' is carried to itself"},
            [](Carried &c) { c.from = c.to; }),
      carry("from", "of whole numbers", OP_ERR_TYPE, {"dat 'scratch' has type int, dat 'flow_speed' double"},
            [](Carried &c) { c.from = world().scratch; }),
      carry("from", "with dim 2", OP_ERR_DIM, {"dat 'x' has dim 2, dat 'flow_speed' 1"},
            [](Carried &c) { c.from = world().x; }),
      carry("to", "with dim 2", OP_ERR_DIM, {"dat 'length' has dim 1, dat 'x' 2"},
            [](Carried &c) { c.to = world().x; }),
      carry("parents", "NULL", OP_ERR_ARGUMENT, {"argument 'parents' is NULL", "4 elements of set 'nodes'"},
            [](Carried &c) { c.of = nullptr; }),
      carry("parents", "behind the last", OP_ERR_RANGE, {"parents[2], of set 'nodes', is 3", "'edges' has 3 elements"},
            [](Carried &c) { c.of = far; }),
      carry("parents", "-2", OP_ERR_RANGE, {"parents[1]", "is -2", "-1 is none"}, [](Carried &c) { c.of = below; }),
      carry("parents", "without one element", OP_ERR_ARGUMENT, {"element 1 of set 'edges' is nobody's parent"},
            [](Carried &c) { c.of = childless; }),
      carry("what", "7", OP_ERR_ARGUMENT, {"argument 'what' is 7"}, [](Carried &c) { c.what = 7; }),
      carry("weights", "for values", OP_ERR_ARGUMENT, {"argument 'weights' is for OP_CARRY_SUMS"},
            [](Carried &c) { c.what = OP_CARRY_VALUES; }),
      carry("weights", "negative", OP_ERR_ARGUMENT, {"weights[1], of set 'nodes', is -1"},
            [](Carried &c) { c.by = negative; }),
      carry("weights", "no number", OP_ERR_ARGUMENT, {"weights[2]", "is nan"}, [](Carried &c) { c.by = no_number; }),
      carry("weights", "only 0", OP_ERR_ARGUMENT, {"element 1 of set 'edges' has children whose weights are all 0"},
            [](Carried &c) { c.by = none; }),
  };
  rows.insert(rows.end(), all.begin(), all.end());
  rows.push_back({"op_carry", "fill", "NULL: zeros", OP_OK, {}, [] {
                    const Result out =
                        op_carry(world().length, world().flow_speed, parents, OP_CARRY_VALUES, nullptr, nullptr);
                    op_put_data(world().flow_speed, start);
                    return out;
                  }});
}

std::vector<Wrong> make_rows() {
  static const op_gindex far[] = {3}, negative[] = {-1}, outside[] = {0, 4}, below[] = {0, -1}, huge[] = {0, 1LL << 40};
  static const op_gindex twice[] = {1, 1}, two_rows[] = {2, 3, 3, 2};
  std::vector<Wrong> rows = {
      put("count", "-1", OP_ERR_ARGUMENT, {"argument 'count' is -1"}, -1, one, row),
      put("elements", "NULL", OP_ERR_ARGUMENT, {"argument 'elements' is NULL", "1 elements"}, 1, nullptr, row),
      put("entries", "NULL", OP_ERR_ARGUMENT, {"argument 'entries' is NULL", "2 for each"}, 1, one, nullptr),
      put("elements", "behind the last", OP_ERR_RANGE, {"map 'edge_nodes': elements[0] is 3", "'edges' has 3 elements"},
          1, far, row),
      put("elements", "-1", OP_ERR_RANGE, {"elements[0] is -1"}, 1, negative, row),
      put("elements", "one twice", OP_ERR_ARGUMENT, {"element 1 of set 'edges' gets two different rows"}, 2, twice,
          two_rows),
      put("entries", "behind the last", OP_ERR_RANGE,
          {"element 1, column 1: entry 4 is outside set 'nodes' (0 to 3)", "OP2_MAPS_BASE_INDEX=1"}, 1, one, outside),
      put("entries", "-1", OP_ERR_RANGE, {"column 1: entry -1 is outside"}, 1, one, below),
      put("entries", "2^40", OP_ERR_RANGE, {"column 1: entry 1099511627776 is outside"}, 1, one, huge),
  };
  add_carried(rows);
  return rows;
}

} // namespace

const std::vector<Wrong> &wrong_changes() {
  static const std::vector<Wrong> all = make_rows();
  return all;
}

namespace {

TEST_F(InSession, TheSameRowTwiceIsNoMistake) {
  const op_gindex twice[] = {1, 1}, rows[] = {2, 3, 2, 3};
  EXPECT_EQ(OP_OK, op_put_map_rows(world().edge_nodes, 2, twice, rows)) << op_last_error();
  EXPECT_EQ(3, world().edge_nodes->map[3]);
}

} // namespace

} // namespace badinput
// SPDX-License-Identifier: MIT
