#include "loop/signature/args.hpp"

#include <limits>

#include "base/error.hpp"
#include "mesh/particles.hpp"

namespace op2::core {

const char *access_name(op_access access) {
  static constexpr const char *names[] = {"OP_READ", "OP_WRITE", "OP_RW",   "OP_INC",
                                          "OP_MIN",  "OP_MAX",   "OP_WORK", "OP_REDUCE"};
  return access >= OP_READ && access <= OP_REDUCE ? names[access] : "an unknown access mode";
}

namespace {

ElementType need_type(const op_arg &arg) {
  if (!arg.type) fail(OP_ERR_TYPE, "the type is NULL; it is one of ", builtin_type_names(), " or a type of your own");
  if (arg.size < 0) fail(OP_ERR_ARGUMENT, "the type size of the variable of type '", arg.type, "' is negative");
  return parse_type(arg.type);
}

// Whether a global or a payload is switched off, as op2::opt() does. An array of zeros would pass for one, too.
bool switched_off(const op_arg &arg) {
  if (arg.opt) return false;
  if (!arg.data && !arg.type) fail(OP_ERR_ARGUMENT, "it is all zeros, not made by one of the op_arg_ functions");
  return true;
}

// op2.hpp and the *_char functions know how large the program's variable is, and put it into the argument.
void check_variable_size(const op_arg &arg, const ElementType &element) {
  const long long bytes = static_cast<long long>(arg.dim) * element.size;
  if (bytes > std::numeric_limits<int>::max())
    fail(OP_ERR_DIM, arg.dim, " values of type '", arg.type, "' are more than 2 GiB");
  if (arg.size != bytes)
    fail(OP_ERR_TYPE, "the variable has ", arg.size, " bytes, but ", arg.dim, " values of type '", arg.type, "' have ",
         bytes);
}

// Values of the library in place of a variable of the program.
op_global_core &resolve_values(const Mesh &mesh, const op_arg &arg) {
  op_global_core &global = mesh.objects().global(arg.global, "the global");
  if (arg.dim != global.dim)
    fail(OP_ERR_DIM, "global '", global.name, "' has dim ", global.dim, ", the argument says ", arg.dim);
  if (!(need_type(arg) == global.element))
    fail(OP_ERR_TYPE, "global '", global.name, "' has type ", global.element.name, ", the argument says ", arg.type);
  return global;
}

// A map argument must start from the set the loop runs over.
const Map &map_from(const Mesh &mesh, const Set &set, op_map handle) {
  const Map &map = mesh.objects().any_map(handle, "the map");
  if (map.from != &set)
    fail(OP_ERR_SET, "map '", map.label, "' starts from set '", map.from->name, "', but the loop runs over set '",
         set.label, "'");
  return map;
}

void check_against_dat(const op_arg &arg, const Dat &dat) {
  if (arg.acc != OP_READ && arg.acc != OP_WRITE && arg.acc != OP_RW && arg.acc != OP_INC)
    fail(OP_ERR_ACCESS, "dat '", dat.label, "' cannot be accessed with ", access_name(arg.acc),
         "; use OP_READ, OP_WRITE, OP_RW or OP_INC");
  if (arg.dim != dat.dim) fail(OP_ERR_DIM, "dat '", dat.label, "' has dim ", dat.dim, ", the argument says ", arg.dim);
  const ElementType element = need_type(arg);
  if (!(element == dat.element))
    fail(OP_ERR_TYPE, "dat '", dat.label, "' has type ", dat.type_label, ", the argument says ", arg.type);
}

LoopArg resolve_dat(const Mesh &mesh, const Set &set, const op_arg &arg) {
  LoopArg out;
  out.access = arg.acc;
  if (!arg.opt) return out; // switched off: nothing else counts
  Dat &dat = mesh.objects().any_dat(arg.dat, "the dat");
  check_against_dat(arg, dat);
  out.dat = &dat;
  out.dim = dat.dim;
  out.element = dat.element;
  if (arg.acc != OP_READ) need_changeable(dat);
  if (arg.idx == -1) {
    if (arg.map)
      fail(OP_ERR_RANGE, "idx -1 means direct access and goes with OP_ID, but a map is given; columns count from 0");
    if (dat.set != &set)
      fail(OP_ERR_SET, "dat '", dat.label, "' is on set '", dat.set->name, "', but the loop runs over set '", set.label,
           dat.on().particles ? "'; no map leads to particles, so loop over them" : "'; reach it through a map");
    out.kind = OP_RANGE_DIRECT;
    return out;
  }
  if (!arg.map) fail(OP_ERR_HANDLE, "idx ", arg.idx, " needs a map, but OP_ID is given; direct access has idx -1");
  const Map &map = map_from(mesh, set, arg.map);
  if (map.to != dat.set)
    fail(OP_ERR_SET, "map '", map.label, "' leads to set '", map.to->name, "', but dat '", dat.label, "' is on set '",
         dat.set->name, "'");
  if (arg.idx >= map.dim || arg.idx < -map.dim)
    fail(OP_ERR_RANGE, "idx ", arg.idx, " does not fit map '", map.label, "' of dim ", map.dim, "; columns are 0 to ",
         map.dim - 1,
         map.dim > 2    ? text(", vector arguments -2 to ", -map.dim)
         : map.dim == 2 ? ", a vector argument has -2"
                        : "");
  out.map = &map;
  out.kind = arg.idx >= 0 ? OP_RANGE_INDIRECT : OP_RANGE_VECTOR;
  out.column = arg.idx >= 0 ? arg.idx : 0;
  out.count = arg.idx >= 0 ? 0 : -arg.idx;
  return out;
}

LoopArg resolve_global(const Mesh &mesh, const Set &set, const op_arg &arg) {
  LoopArg out;
  out.access = arg.acc;
  if (switched_off(arg)) return out;
  if (arg.global) out.global = &resolve_values(mesh, arg);
  if (!arg.data) fail(OP_ERR_ARGUMENT, "the global variable is NULL; pass its address, or an op_global");
  if (arg.dim < 1) fail(OP_ERR_DIM, "the dim of the global variable is ", arg.dim, "; it must be at least 1");
  out.kind = OP_RANGE_GLOBAL;
  out.dim = arg.dim;
  out.element = need_type(arg);
  if (out.element.builtin()) {
    check_variable_size(arg, out.element);
  } else {
    if (arg.size <= 0)
      fail(OP_ERR_TYPE, "unknown type '", arg.type, "'; built-in types are ", builtin_type_names(),
           "; for a type of your own use op_arg_gbl_char or op_arg_gbl_reduce");
    out.element.size = arg.size / arg.dim;
  }
  if (arg.acc == OP_REDUCE) {
    if (set.particles)
      fail(OP_ERR_UNSUPPORTED, "a reduction of the program's own needs an order of the elements, which the particles '",
           set.label, "' do not have; reduce with OP_INC, OP_MIN or OP_MAX");
    out.reduction = &mesh.objects().reduction(arg.reduction, "the reduction");
    if (!(out.element == out.reduction->element))
      fail(OP_ERR_TYPE, "reduction '", out.reduction->name, "' is for type ", out.reduction->element.name,
           ", the argument says ", arg.type);
    out.element.size = out.reduction->element.size;
  } else if (arg.acc < OP_READ || arg.acc > OP_REDUCE) {
    fail(OP_ERR_ACCESS, "a global variable cannot be accessed with ", access_name(arg.acc),
         "; use OP_READ, OP_INC, OP_MIN, OP_MAX or op_arg_gbl_reduce (or OP_WRITE, OP_RW, OP_WORK, for which the loop "
         "runs "
         "element by element)");
  } else if (out.reduces() && !out.element.builtin()) {
    fail(OP_ERR_TYPE, "type '", arg.type, "' is not built in, so ", access_name(arg.acc),
         " means nothing for it; declare a reduction with op_decl_reduction");
  }
  return out;
}

void need_short_numbers(const op_set_core &set, int first) {
  const op_gindex elements = static_cast<const Set &>(set).global_size;
  if (elements - 1 + first > std::numeric_limits<int>::max())
    fail(OP_ERR_UNSUPPORTED, "set '", set.name, "' has ", elements,
         " elements, whose numbers do not fit an int; put them into a dat of 64-bit integers");
}

LoopArg resolve_index(const Mesh &mesh, const Set &set, const op_arg &arg) {
  LoopArg out;
  out.dim = 1;
  out.element = parse_type("int");
  out.first = arg.sent;
  if (arg.sent != 0 && arg.sent != 1) fail(OP_ERR_ARGUMENT, "numbers of elements begin at 0 or 1, not at ", arg.sent);
  if (!arg.map) {
    if (arg.idx != -1)
      fail(OP_ERR_HANDLE, "idx ", arg.idx, " needs a map, but OP_ID is given; the element itself has idx -1");
    if (set.particles)
      fail(OP_ERR_UNSUPPORTED, "the particles '", set.label,
           "' have no fixed numbers; read their identities (op_particle_identity)");
    need_short_numbers(set, out.first);
    out.kind = OP_RANGE_INDEX;
    return out;
  }
  const Map &map = map_from(mesh, set, arg.map);
  if (arg.idx < 0 || arg.idx >= map.dim)
    fail(OP_ERR_RANGE, "idx ", arg.idx, " does not fit map '", map.label, "' of dim ", map.dim, "; columns are 0 to ",
         map.dim - 1);
  need_short_numbers(*map.to, out.first);
  out.kind = OP_RANGE_MAP_INDEX;
  out.map = &map;
  out.column = arg.idx;
  return out;
}

LoopArg resolve_info(const Mesh &mesh, const op_arg &arg, std::span<const op_arg> all) {
  LoopArg out;
  if (switched_off(arg)) return out;
  if (arg.global) out.global = &resolve_values(mesh, arg);
  if (!arg.data) fail(OP_ERR_ARGUMENT, "the payload variable is NULL; pass its address, or an op_global");
  if (arg.idx < 0 || arg.idx >= static_cast<int>(all.size()))
    fail(OP_ERR_RANGE, "the payload goes with argument ", arg.idx, ", but the loop has arguments 0 to ",
         all.size() - 1);
  const op_arg &extremum = all[static_cast<std::size_t>(arg.idx)];
  if (extremum.argtype != OP_ARG_GBL || (extremum.acc != OP_MIN && extremum.acc != OP_MAX))
    fail(OP_ERR_ACCESS, "the payload goes with argument ", arg.idx, ", which is not a global OP_MIN or OP_MAX");
  if (arg.dim < 1 || extremum.dim < 1 || arg.dim % extremum.dim != 0)
    fail(OP_ERR_DIM, "the payload has dim ", arg.dim, ", which is not a multiple of dim ", extremum.dim,
         " of argument ", arg.idx);
  out.kind = OP_RANGE_GLOBAL;
  out.access = extremum.acc;
  out.dim = arg.dim;
  out.element = need_type(arg);
  if (out.element.builtin()) {
    check_variable_size(arg, out.element);
  } else {
    if (arg.size <= 0)
      fail(OP_ERR_TYPE, "unknown type '", arg.type, "'; use op_arg_payload_char for a type of your own");
    out.element.size = arg.size / arg.dim;
  }
  out.payload_of = arg.idx;
  return out;
}

LoopArg resolve_one(const Mesh &mesh, const Set &set, const op_arg &arg, std::span<const op_arg> all) {
  switch (arg.argtype) {
    case OP_ARG_DAT:
      return resolve_dat(mesh, set, arg);
    case OP_ARG_GBL:
      return resolve_global(mesh, set, arg);
    case OP_ARG_IDX:
      return resolve_index(mesh, set, arg);
    case OP_ARG_PAYLOAD:
      return resolve_info(mesh, arg, all);
    case OP_ARG_STOP:
      fail(OP_ERR_ARGUMENT, "op_arg_stop() belongs to op_par_loop_until(); the elements of other loops all run");
    default:
      fail(OP_ERR_ARGUMENT, "it was not made by one of the op_arg_ functions");
  }
}

} // namespace

std::vector<LoopArg> resolve_args(const Mesh &mesh, const Set &set, std::span<const op_arg> args) {
  std::vector<LoopArg> out;
  out.reserve(args.size());
  for (std::size_t i = 0; i < args.size(); ++i) {
    try {
      out.push_back(resolve_one(mesh, set, args[i], args));
    } catch (Error &error) {
      error.arg = static_cast<int>(i);
      throw;
    }
  }
  return out;
}

std::string loop_text(const std::string &name, const Set &set, std::span<const LoopArg> args) {
  std::string out = text("loop '", name, "' on set '", set.label, "'");
  const char *between = ": ";
  for (const LoopArg &arg : args) {
    out += between;
    between = ", ";
    if (arg.kind == OP_RANGE_ABSENT) {
      out += "nothing";
      continue;
    }
    out += arg.kind == OP_RANGE_INDEX || arg.kind == OP_RANGE_MAP_INDEX ? "the number" : access_name(arg.access);
    if (arg.dat) out += text(" '", arg.dat->label, "'");
    if (arg.map) out += text(" by column ", arg.column, arg.count > 0 ? " and on" : "", " of '", arg.map->label, "'");
    if (arg.kind == OP_RANGE_GLOBAL) out += text(" ", arg.dim, " x ", arg.element.name);
  }
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
