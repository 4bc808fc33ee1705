// The vector form: W elements at once, what is left one by one.
#include <algorithm>

#include "jit/lanes/lanes.hpp"
#include "jit/loop_parts.hpp"
#include "jit/opposite.hpp"
#include "jit/runs.hpp"

namespace op2::core::jit {

namespace {

constexpr int most_values = 64;  // of one argument in vectors
constexpr int most_reduced = 16; // values of a reduction in vectors
constexpr int far_ahead = 64;    // how many elements ahead rows are asked for; measured

class VectorLoop {
 public:
  VectorLoop(const LoopParts &parts, int lanes, int value_bytes)
      : p_(parts), lanes_(lanes), value_bytes_(value_bytes), period_(usable_period(parts, lanes)) {}

  void check() const; // throws Refusal where vectors would be wrong or not worth it
  std::vector<Use> uses() const;
  std::string write(const std::string &members);

 private:
  // A global that is only read and too big to be spread over lanes.
  bool uniform(int i) const {
    return p_.arg(i).kind == OP_RANGE_GLOBAL && p_.arg(i).access == OP_READ && p_.arg(i).dim > most_values;
  }
  bool reduced(int i) const { return p_.arg(i).kind == OP_RANGE_GLOBAL && p_.arg(i).access != OP_READ; }
  bool shares_load(int i) const { return p_.arg(i).access == OP_READ && p_.is_row(i) && p_.same_row(i) != i; }
  bool has_payload(int i) const;
  int opposite_of(int i) const;
  bool adds() const {
    for (int i = 0; i < p_.nargs(); ++i)
      if (p_.added(i)) return true;
    return false;
  }
  // The type of the lanes, and the name of the rows that they reach: `own`, or through column j of argument i.
  std::string type(int i) const { return text("lanes<", p_.type(i), ", ", lanes_, ">"); }
  std::string rows(int i, int j) const {
    return p_.has_map(i) ? text("m", p_.same_column(i), j > 0 ? text("_", j) : "") : "own";
  }
  // The same as places of first components where rows are in another layout. found: what rows() names.
  std::string split_places(int i, const std::string &found) const;
  std::string variable(int i) const { return text("p", shares_load(i) ? p_.same_row(i) : i); }
  int values(int i) const { return p_.arg(i).dim * p_.pointers(i); }

  // Written past the caches: whole rows that are not read, in aligned pieces of at least 16 bytes.
  bool streams(int i) const {
    const ArgShape &arg = p_.arg(i);
    if (p_.split(i))
      return p_.shape().stream && arg.kind == OP_RANGE_DIRECT && arg.access == OP_WRITE && lanes_ * arg.type_size >= 16;
    return p_.shape().stream && arg.kind == OP_RANGE_DIRECT && arg.access == OP_WRITE &&
           (arg.dim & (arg.dim - 1)) == 0 &&
           (arg.dim == 1 ? lanes_ : std::min(arg.dim, lanes_)) * arg.type_size >= 16; // pieces of a row: rows.h
  }

  // W elements at once. What is added to rows stays in op2_added until their turn.
  struct Way {       // to find the rows
    bool run;        // or else through the maps
    int step, phase; // the elements n + phase, n + phase + step, ...
  };
  struct Place {
    std::string name, found;
  };
  std::vector<Place> places(const Way &way) const;
  void write_added(CodeWriter &out) const;
  void write_elements(CodeWriter &out) const;
  std::string increments(CodeWriter &out, const Way &way) const;
  void write_block(CodeWriter &out, const std::vector<Way> &ways) const;
  void write_blocks(CodeWriter &out) const;

  void write_globals(CodeWriter &out) const;
  void write_loads(CodeWriter &out, int i) const;
  void write_call(CodeWriter &out) const;
  void write_winners(CodeWriter &out) const;
  void write_stores(CodeWriter &out) const;
  void write_folds(CodeWriter &out) const;
  void write_prefetch(CodeWriter &out) const;
  void write_run_prefetch(CodeWriter &out) const;
  bool asked_for(int i) const;
  bool last_of_dat(int i) const;
  void write_requests(CodeWriter &out, int behind, const std::string &requests) const;
  bool aligned_start() const; // vectors of AoSoA must not cross the end of a block
  void write_split_loads(CodeWriter &out, int i) const;
  void write_ones(CodeWriter &out) const;

  const LoopParts &p_;
  int lanes_;
  int value_bytes_; // 8 or 4: of the widest type that takes part
  int period_;      // of runs, 0: none
};

bool VectorLoop::has_payload(int i) const {
  for (const ArgShape &arg : p_.shape().args)
    if (arg.payload_of == i) return true;
  return false;
}

// The earlier argument that receives the negative of what i receives, -1 = none.
int VectorLoop::opposite_of(int i) const {
  const auto indirect = [&](int k) { return p_.added(k) && p_.arg(k).kind == OP_RANGE_INDIRECT; };
  const Function &kernel = p_.kernel().kernel;
  for (int k = 0; k < i; ++k)
    if (indirect(i) && indirect(k) && p_.arg(k).dim == p_.arg(i).dim && p_.arg(k).scalar == p_.arg(i).scalar &&
        is_real(p_.arg(i).scalar) &&
        opposite_increments(kernel, kernel.parameters[static_cast<std::size_t>(k)],
                            kernel.parameters[static_cast<std::size_t>(i)], p_.arg(i).dim))
      return k;
  return -1;
}

void VectorLoop::check() const {
  for (int i = 0; i < p_.nargs(); ++i) {
    const ArgShape &arg = p_.arg(i);
    if (arg.kind == OP_RANGE_OFF) continue;
    if (arg.scalar == Scalar::other || arg.scalar == Scalar::boolean)
      throw Refusal(text("argument ", i, " is not of a type that fits vectors"));
    if (values(i) > most_values && !uniform(i))
      throw Refusal(text("argument ", i, " has ", values(i), " values, too many for vectors"));
    if (reduced(i) && arg.payload_of < 0 && arg.access != OP_INC && arg.access != OP_MIN && arg.access != OP_MAX)
      throw Refusal(text("argument ", i, " is a reduction of the program's own"));
    if (reduced(i) && arg.dim > most_reduced) throw Refusal(text("argument ", i, " reduces ", arg.dim, " values"));
    if (!p_.is_row(i)) continue;
    if (p_.through_map(i) && arg.access != OP_READ && arg.access != OP_INC)
      throw Refusal(text("argument ", i, " writes through a map, and elements side by side may share a row"));
    for (int j = 0; j < i; ++j) {
      const ArgShape &other = p_.arg(j);
      if (!p_.is_row(j) || other.dat != arg.dat) continue;
      const bool both_read = arg.access == OP_READ && other.access == OP_READ;
      const bool both_added = p_.added(i) && p_.added(j);
      if (!both_read && !both_added)
        throw Refusal(text("arguments ", j, " and ", i, " use one dat, and not both only read or only add"));
    }
  }
}

std::vector<Use> VectorLoop::uses() const {
  std::vector<Use> out;
  for (int i = 0; i < p_.nargs(); ++i) out.push_back(uniform(i) ? Use::uniform : Use::lanes);
  return out;
}

// All ways to rows, by name, and where they lead from element n.
std::vector<VectorLoop::Place> VectorLoop::places(const Way &way) const {
  const std::string step = way.step == 1 ? "direct" : text("every<", way.step, ", ", way.phase, ">");
  std::vector<Place> out = {{"own", step + "{n}"}};
  for (int i = 0; i < p_.nargs(); ++i) {
    if (!p_.has_map(i) || p_.same_column(i) != i) continue;
    const int columns = p_.arg(i).columns;
    int followed = 0; // a vector argument may begin with the column of another one
    for (int k = i; k < p_.nargs(); ++k)
      if (p_.has_map(k) && p_.same_column(k) == i) followed = std::max(followed, p_.pointers(k));
    for (int j = 0; j < followed; ++j) {
      const int offset = way.phase * columns + j;
      const std::string behind = text("n * ", columns, offset > 0 ? text(" + ", offset) : "");
      if (way.run && p_.through_map(i))
        out.push_back({rows(i, j), text("direct{", p_.column(i), "[", behind, "]}")});
      else
        out.push_back({rows(i, j), text("via<", columns * way.step, ">{", p_.column(i), " + ", behind, "}")});
    }
  }
  return out;
}

std::string VectorLoop::split_places(int i, const std::string &found) const {
  const ArgShape &arg = p_.arg(i);
  if (!p_.blocked(i)) return found;
  return text("blocked<", arg.block, ", ", arg.dim, ", via<", arg.columns, ">>{", found, "}");
}

bool VectorLoop::aligned_start() const {
  for (int i = 0; i < p_.nargs(); ++i)
    if (p_.blocked(i) && p_.arg(i).kind == OP_RANGE_DIRECT) return true;
  return false;
}

void VectorLoop::write_split_loads(CodeWriter &out, int i) const {
  const ArgShape &arg = p_.arg(i);
  if (arg.kind == OP_RANGE_DIRECT)
    return out.line("load_components<", arg.dim, ">(p", i, ", ", p_.row(i, 0, "n"), ", ", p_.step(i), ");");
  for (int j = 0; j < p_.pointers(i); ++j)
    out.line("collect_components<", arg.dim, ">(p", i, j > 0 ? text(" + ", j * arg.dim) : "", ", ", p_.base(i), ", ",
             split_places(i, rows(i, j)), ", ", p_.step(i), ");");
}

// Elements one by one as a function of its own, where there are some at both ends of a range.
void VectorLoop::write_ones(CodeWriter &out) const {
  out.open("static void op2_ones(", p_.parameters(), ", long n, long end) ");
  out.line("op2_scalar k;");
  p_.write_pointers(out);
  write_element_loop(out, p_, true);
  out.close();
}

// Before the elements: read-only globals spread over lanes, reductions started.
void VectorLoop::write_globals(CodeWriter &out) const {
  for (int i = 0; i < p_.nargs(); ++i) {
    const ArgShape &arg = p_.arg(i);
    if (arg.kind != OP_RANGE_GLOBAL || uniform(i)) continue;
    out.line(type(i), " p", i, "[", arg.dim, "];");
    if (p_.summed_in_order(i)) continue;
    if (arg.access == OP_INC && arg.payload_of < 0)
      out.line("clear<", arg.dim, ">(p", i, ");");
    else
      out.line("broadcast<", arg.dim, ">(p", i, ", ", p_.base(i), ");");
    if (has_payload(i)) {
      out.line("lanes<int, ", lanes_, "> w", i, "[", arg.dim, "]; // where each lane found its own");
      out.line("for (int j = 0; j < ", arg.dim, "; ++j) w", i, "[j] = lanes<int, ", lanes_, ">(-1);");
    }
  }
}

void VectorLoop::write_loads(CodeWriter &out, int i) const {
  const ArgShape &arg = p_.arg(i);
  if (p_.summed_in_order(i)) out.line("clear<", arg.dim, ">(p", i, ");");
  if (arg.kind == OP_RANGE_INDEX) out.line("lanes<int, ", lanes_, "> p", i, "[1] = {targets<int, ", lanes_, ">(own)};");
  if (arg.kind == OP_RANGE_MAP_INDEX)
    out.line("lanes<int, ", lanes_, "> p", i, "[1] = {targets<int, ", lanes_, ">(", rows(i, 0), ")};");
  if (!p_.is_row(i)) return;
  if (!shares_load(i)) {
    if (p_.added(i))
      out.line(type(i), " *const p", i, " = added.p", i, ";");
    else
      out.line(type(i), " p", i, "[", values(i), "];");
    if (p_.added(i))
      out.line("clear<", values(i), ">(p", i, ");");
    else if (p_.split(i))
      write_split_loads(out, i);
    else
      for (int j = 0; j < p_.pointers(i); ++j)
        out.line("load_rows<", arg.dim, ">(p", i, j > 0 ? text(" + ", j * arg.dim) : "", ", ", p_.base(i), ", ",
                 rows(i, j), ");");
  }
  if (arg.kind == OP_RANGE_VECTOR) {
    std::string list;
    for (int j = 0; j < arg.count; ++j) list += text(j > 0 ? ", " : "", variable(i), " + ", j * arg.dim);
    out.line(type(i), " *v", i, "[", arg.count, "] = {", list, "};");
  }
}

void VectorLoop::write_call(CodeWriter &out) const {
  std::string call;
  for (int i = 0; i < p_.nargs(); ++i) {
    if (i > 0) call += ", ";
    if (p_.arg(i).kind == OP_RANGE_OFF)
      call += "nullptr";
    else if (p_.arg(i).kind == OP_RANGE_VECTOR)
      call += text("pointer{v", i, "}");
    else
      call += uniform(i) ? p_.base(i) : variable(i);
  }
  out.line("l.op2_kernel(", call, ");");
}

// A lane whose extremum has changed found it at its element. That becomes rare soon, so it is asked first.
void VectorLoop::write_winners(CodeWriter &out) const {
  for (int i = 0; i < p_.nargs(); ++i)
    if (reduced(i) && has_payload(i))
      out.line("for (int j = 0; j < ", p_.arg(i).dim, "; ++j) if (any(p", i, "[j] != o", i, "[j])) w", i,
               "[j] = select(p", i, "[j] != o", i, "[j], targets<int, ", lanes_, ">(own), w", i, "[j]);");
}

void VectorLoop::write_stores(CodeWriter &out) const {
  for (int i = 0; i < p_.nargs(); ++i) {
    const ArgShape &arg = p_.arg(i);
    if (p_.summed_in_order(i)) out.line("add_in_order<", arg.dim, ">(", p_.base(i), ", p", i, ");");
    if (!p_.is_row(i) || arg.access == OP_READ) continue;
    if (p_.split(i) && !p_.added(i)) {
      out.line(streams(i) ? "stream" : "store", "_components<", arg.dim, ">(p", i, ", ", p_.row(i, 0, "n"), ", ",
               p_.step(i), streams(i) ? text(", s", i) : "", ");");
      continue;
    }
    if (streams(i))
      out.line("stream_rows<", arg.dim, ">(p", i, ", ", p_.base(i), ", own, s", i, ");");
    else if (!p_.added(i))
      out.line("store_rows<", arg.dim, ">(p", i, ", ", p_.base(i), ", own);");
  }
}

// What is to be added to rows, when its turn comes.
void VectorLoop::write_added(CodeWriter &out) const {
  if (!adds()) return;
  out.open("struct op2_added ");
  for (int i = 0; i < p_.nargs(); ++i)
    if (p_.added(i)) out.line(type(i), " p", i, "[", values(i), "];");
  out.close(";");
}

// Turns what was computed in one way into rows and lists what is done with them.
std::string VectorLoop::increments(CodeWriter &out, const Way &way) const {
  std::string terms;
  const std::vector<Place> all = places(way);
  const auto block = [&](int i, int j) { return text("r", i, "_", j, "_", way.phase); };
  for (int i = 0; i < p_.nargs(); ++i)
    for (int j = 0; p_.added(i) && j < p_.pointers(i); ++j) {
      int source = opposite_of(i);
      if (source >= 0 && p_.split(source) != p_.split(i)) source = -1;
      const char *const how = source < 0 ? "put_add" : "put_subtract";
      const auto place =
          std::find_if(all.begin(), all.end(), [&](const Place &candidate) { return candidate.name == rows(i, j); });
      terms += terms.empty() ? "" : ", ";
      if (p_.split(i)) {
        terms += text("spread_increment_of<", how, ", ", p_.arg(i).dim, ">(a", way.phase, ".p", source < 0 ? i : source,
                      j > 0 ? text(" + ", j * p_.arg(i).dim) : "", ", ", p_.base(i), ", ",
                      split_places(i, place->found), ", ", p_.step(i), ")");
        continue;
      }
      if (source < 0)
        out.line("const row_block<", p_.type(i), ", ", lanes_, ", ", p_.arg(i).dim, "> ", block(i, j), "(a", way.phase,
                 ".p", i, j > 0 ? text(" + ", j * p_.arg(i).dim) : "", ");");
      terms += text("increment_of<", how, ">(", block(source < 0 ? i : source, j), ", ", p_.base(i), ", ", place->found,
                    ")");
    }
  return terms;
}

// Everything but the increments, for W elements wherever their rows are.
void VectorLoop::write_elements(CodeWriter &out) const {
  std::string parameters = adds() ? "op2_added &added" : "";
  for (const Place &place : places({false, 1, 0}))
    parameters += text(parameters.empty() ? "" : ", ", "const auto ", place.name);
  out.open("const auto elements = [&](", parameters, ") OP2J_LAMBDA ");
  for (int i = 0; i < p_.nargs(); ++i) write_loads(out, i);
  for (int i = 0; i < p_.nargs(); ++i)
    if (reduced(i) && has_payload(i)) {
      out.line(type(i), " o", i, "[", p_.arg(i).dim, "];");
      out.line("for (int j = 0; j < ", p_.arg(i).dim, "; ++j) o", i, "[j] = p", i, "[j];");
    }
  write_call(out);
  write_winners(out);
  write_stores(out);
  out.close(";");
}

// The sequences of a block are computed before the first increment: their elements alternate, and every row receives
// its increments in the order of the elements.
void VectorLoop::write_block(CodeWriter &out, const std::vector<Way> &ways) const {
  for (const Way &way : ways) {
    std::string found;
    for (const Place &place : places(way)) found += (found.empty() ? "" : ", ") + place.found;
    if (adds()) out.line("op2_added a", way.phase, ";");
    out.line("elements(", adds() ? text("a", way.phase, ", ") : "", found, ");");
  }
  std::string terms;
  for (const Way &way : ways) terms += (terms.empty() ? "" : ", ") + increments(out, way);
  if (adds()) out.line("add_lanes<0, ", lanes_, ">(", terms, ");");
}

void VectorLoop::write_blocks(CodeWriter &out) const {
  if (period_ > 0) out.line("const bool side_by_side = ", columns_side_by_side(p_), ";");
  out.open("while (n + ", lanes_, " <= end) ");
  if (period_ > 0) {
    const int size = period_ * lanes_;
    out.open("if (__builtin_expect(side_by_side && ", period_ > 1 ? text("n + ", size, " <= end && ") : "",
             elements_are_runs(p_, lanes_, period_), ", 1)) ");
    std::vector<Way> ways;
    for (int phase = 0; phase < period_; ++phase) ways.push_back({true, period_, phase});
    write_run_prefetch(out);
    write_block(out, ways);
    out.line("n += ", size, ";");
    out.line("continue;");
    out.close();
  }
  write_prefetch(out);
  write_block(out, {{false, 1, 0}});
  out.line("n += ", lanes_, ";");
  out.close();
}

// After the vectors: lanes are combined into the record, in a fixed order.
void VectorLoop::write_folds(CodeWriter &out) const {
  for (int i = 0; i < p_.nargs(); ++i) {
    const ArgShape &arg = p_.arg(i);
    if (!reduced(i) || arg.payload_of >= 0 || p_.summed_in_order(i)) continue;
    const char *greatest = arg.access == OP_MAX ? "true" : "false";
    if (arg.access == OP_INC) {
      out.line("add_up<", arg.dim, ">(", p_.base(i), ", p", i, ");");
    } else if (!has_payload(i)) {
      out.line("extreme_of<", arg.dim, ", ", greatest, ">(", p_.base(i), ", p", i, ");");
    } else {
      out.open("for (int c = 0; c < ", arg.dim, "; ++c) ");
      out.line("const int lane = winning_lane<", arg.dim, ", ", greatest, ">(c, ", p_.base(i), "[c], p", i, ", w", i,
               ");");
      out.line("if (lane < 0) continue;");
      for (int k = 0; k < p_.nargs(); ++k)
        if (p_.arg(k).payload_of == i) {
          const int each = p_.arg(k).dim / arg.dim;
          out.line("for (int j = 0; j < ", each, "; ++j) ", p_.base(k), "[", each, " * c + j] = p", k, "[", each,
                   " * c + j].v[lane];");
        }
      out.close();
    }
  }
}

// The hardware's prefetchers follow most streams of a mesh in good order; they lose those that advance by jumps, for
// which a few requests far ahead are enough. Short rows are asked for in vain: several elements share a line.
void VectorLoop::write_prefetch(CodeWriter &out) const {
  CodeWriter requests;
  for (int i = 0; i < p_.nargs(); ++i)
    for (int j = 0; asked_for(i) && j < p_.pointers(i); ++j)
      requests.line("for (int lane = 0; lane < ", lanes_, "; lane += ", lanes_ / 2, ") ask_for(",
                    p_.row(i, j, text("(n + ", far_ahead, " + lane)").c_str()), ");");
  write_requests(out, far_ahead + lanes_, requests.take());
}

// The same where rows lie side by side: line by line.
void VectorLoop::write_run_prefetch(CodeWriter &out) const {
  constexpr int line = 64;
  CodeWriter requests;
  for (int i = 0; i < p_.nargs(); ++i)
    for (int j = 0; asked_for(i) && j < p_.pointers(i); ++j)
      for (int phase = 0; phase < period_; ++phase)
        requests.line("for (int k = 0; k < ", lanes_ * p_.arg(i).dim, "; k += ", line / p_.arg(i).type_size,
                      ") ask_for(", p_.row(i, j, text("(n + ", far_ahead + phase, ")").c_str()), " + k);");
  write_requests(out, far_ahead + period_, requests.take());
}

bool VectorLoop::asked_for(int i) const {
  constexpr int long_row = 32;
  return p_.shape().stream && p_.through_map(i) && p_.same_row(i) == i && last_of_dat(i) &&
         p_.arg(i).dim * p_.arg(i).type_size >= long_row;
}

// The last argument through a map that uses its dat: most often the one that gets to a row first.
bool VectorLoop::last_of_dat(int i) const {
  for (int k = i + 1; k < p_.nargs(); ++k)
    if (p_.through_map(k) && p_.arg(k).dat == p_.arg(i).dat) return false;
  return true;
}

void VectorLoop::write_requests(CodeWriter &out, int behind, const std::string &requests) const {
  if (requests.empty()) return;
  out.open("if (n + ", behind, " <= end) ");
  out.verbatim(requests);
  out.close();
}

std::string VectorLoop::write(const std::string &members) {
  CodeWriter out;
  p_.write_head(out);
  out.open("namespace op2j ");
  for (const auto &[alias, scalar] : {std::pair{"op2_double", "double"},
                                      {"op2_float", "float"},
                                      {"op2_int", "int"},
                                      {"op2_uint", "unsigned"},
                                      {"op2_ll", "long long"},
                                      {"op2_ull", "unsigned long long"}})
    out.line("using ", alias, " = lanes<", scalar, ", ", lanes_, ">;");
  out.line("using op2_mask = mask<", lanes_, ", ", value_bytes_, ">;");
  out.close();
  p_.write_constants(out);
  out.open("struct op2_scalar : op2_declared ");
  out.verbatim(scalar_members(p_.kernel()));
  out.close(";");
  out.open("struct op2_lanes : op2_declared ");
  out.verbatim(members);
  out.close(";");
  p_.write_fits(out);
  p_.write_general(out, true);
  write_added(out);
  const bool ones = aligned_start();
  if (ones) write_ones(out);
  out.open("static void op2_run(", p_.parameters(), ", int begin, int end) ");
  p_.write_pointers(out);
  out.line("long n = begin;");
  if (ones) {
    out.open("if (n % ", lanes_, " != 0) ");
    out.line("const long first = n / ", lanes_, " * ", lanes_, " + ", lanes_, " < end ? n / ", lanes_, " * ", lanes_,
             " + ", lanes_, " : end;");
    out.line("op2_ones(", p_.passed(), ", n, first);");
    out.line("n = first;");
    out.close();
  }
  out.open("if (n + ", lanes_, " <= end) ");
  out.line("op2_lanes l;");
  write_globals(out);
  bool streaming = false;
  for (int i = 0; i < p_.nargs(); ++i)
    if (streams(i)) {
      const std::string steps = p_.split(i) ? text(" && ", p_.step(i), " * ", p_.arg(i).type_size, " % 64 == 0") : "";
      out.line("const bool s", i, " = aligned(", p_.row(i, 0, "n"), ")", steps, ";");
      streaming = true;
    }
  write_elements(out);
  write_blocks(out);
  if (streaming) out.line("streamed();");
  write_folds(out);
  out.close();
  if (ones) {
    out.line("op2_ones(", p_.passed(), ", n, end);");
  } else {
    out.line("op2_scalar k;");
    write_element_loop(out, p_, true);
  }
  out.close();
  p_.write_entry(out);
  return out.take();
}

} // namespace

std::string vector_loop(const LoopParts &parts, int lanes, int value_bytes) {
  VectorLoop loop(parts, lanes, value_bytes);
  loop.check();
  return loop.write(lane_members(parts.kernel(), loop.uses()));
}

} // namespace op2::core::jit
