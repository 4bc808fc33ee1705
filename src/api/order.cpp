// The door of order.h.
#include "op2/order.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string_view>

#include "api/guard.hpp"
#include "host/partitioner.hpp"

using namespace op2::core;

namespace {

// One of some words; NULL is the first.
std::string one_of(const char *word, const char *what, const std::vector<std::string> &words) {
  if (!word) return words.front();
  if (std::find(words.begin(), words.end(), word) == words.end()) {
    const std::string guess = nearest(word, words);
    fail(OP_ERR_ARGUMENT, "there is no ", what, " '", word, "'; it is one of ", listing(words),
         guess.empty() ? "" : text("; did you mean '", guess, "'?"));
  }
  return word;
}

Dat &need_coordinates(Mesh &mesh, const op_renumber_params &params, const Map *base) {
  if (!params.coordinates)
    fail(OP_ERR_ARGUMENT, "the method 'hilbert' needs coordinates: a dat with 1 to 3 values of type double or float");
  Dat &dat = mesh.objects().dat(params.coordinates, "the dat of coordinates");
  if (dat.element.id != OP_TYPE_DOUBLE && dat.element.id != OP_TYPE_FLOAT)
    fail(OP_ERR_TYPE, "dat '", dat.label, "' has type ", dat.type_label, "; coordinates are double or float");
  if (dat.dim > 3) fail(OP_ERR_DIM, "dat '", dat.label, "' has dim ", dat.dim, "; coordinates have 1 to 3 values");
  if (base && base->to != dat.set)
    fail(OP_ERR_SET, "map '", base->label, "' leads to set '", base->to->name, "', but the coordinates '", dat.label,
         "' are on set '", dat.set->name, "'; the set that is ordered first must have them");
  return dat;
}

RenumberRequest renumber_request(Session &current, const op_renumber_params &params) {
  RenumberRequest request;
  const std::string method = one_of(params.method, "method", {"auto", "rcm", "hilbert", "scotch"});
  request.separate = one_of(params.strategy, "strategy", {"follow", "separate"}) == "separate";
  if (params.base) request.base = &current.mesh->objects().map(params.base, "the map 'base'");
  if (method == "hilbert" || (method == "auto" && params.coordinates)) {
    request.coordinates = &need_coordinates(*current.mesh, params, request.base);
  } else if (request.base && request.base->dim < 2 && request.base->from != request.base->to) {
    fail(OP_ERR_DIM, "map '", request.base->label, "' has one column, so no two elements of set '",
         request.base->to->name, "' are neighbours through it; take a map with two columns or more");
  }
  if (method == "scotch") {
    request.method = "Scotch's method g";
    request.order = [scotch = Partitioner(current.registry, current.services, "scotch")](const OrderMap &map) {
      const Graph graph = adjacency(map);
      return scotch.order(graph.offset, graph.neighbour);
    };
  }
  return request;
}

void renumber_with(const char *call, const op_renumber_params &params) {
  Session &current = session();
  const RenumberRequest request = collectively([&](Mesh &mesh) {
    RenumberRequest all = renumber_request(current, params);
    mesh.agreement().agree(text(call, ", map ", all.base ? all.base->label : "NULL", ", coordinates ",
                                all.coordinates ? all.coordinates->label : "NULL"));
    return all;
  });
  current.engine->mesh_setup().renumber(request);
}

} // namespace

op_status op_renumber(op_map base) {
  return guarded("op_renumber", [&] {
    collectively([base](Mesh &mesh) { mesh.objects().map(base, "the map 'base'"); });
    op_renumber_params params = OP_RENUMBER_PARAMS;
    params.base = base;
    renumber_with("op_renumber", params);
  });
}

op_status op_renumber_with(const op_renumber_params *params) {
  return guarded("op_renumber_with", [&] {
    collectively([params](Mesh &) {
      if (!params || params->size < sizeof(size_t))
        fail(OP_ERR_ARGUMENT, "the parameters are NULL or their size is not set; use OP_RENUMBER_PARAMS");
    });
    op_renumber_params full = OP_RENUMBER_PARAMS;
    std::memcpy(&full, params, std::min(params->size, sizeof full));
    renumber_with("op_renumber_with", full);
  });
}

op_status op_get_order(op_set set, op_index *order) {
  return guarded("op_get_order", [&] {
    Mesh &mesh = *session().mesh;
    // The others may be waiting to find out how declarations are meant.
    if (mesh.declare().mode() == Declare::automatic)
      collectively([set](Mesh &all) { all.objects().set(set, "the set"); });
    const Set &object = mesh.objects().set(set, "the set");
    mesh.declare().settle();
    if (!order && object.size > 0)
      fail(OP_ERR_ARGUMENT, "the array for the order of set '", object.label, "' is NULL; pass one of ", object.size,
           " numbers");
    if (object.renumbered())
      std::copy_n(object.original.begin(), object.size, order);
    else
      std::iota(order, order + object.size, 0);
  });
}

// SPDX-License-Identifier: MIT
