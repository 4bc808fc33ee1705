#include "jit/specialiser.hpp"

#include <algorithm>
#include <limits>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "host/code_library.hpp"
#include "host/symbols.hpp"
#include "host/unit_notes.hpp"
#include "jit/fortran/fortran.hpp"
#include "jit/fortran/range/range_text.hpp"

namespace op2::core::jit {

void GivenTexts::add_kernel(const Kernel &kernel) {
  const std::lock_guard lock(mutex_);
  std::erase_if(kernels_, [&](const Kernel &old) { return old.address == kernel.address && old.name == kernel.name; });
  kernels_.push_back(kernel);
}

std::optional<GivenTexts::Kernel> GivenTexts::kernel(op_kernel_fn address, const std::string &name) const {
  const std::lock_guard lock(mutex_);
  for (const Kernel &kernel : kernels_)
    if (kernel.address && kernel.address == address) return kernel;
  for (const Kernel &kernel : kernels_)
    if (!kernel.address && kernel.name == name) return kernel;
  return std::nullopt;
}

std::string pinned_form(const std::string &setting) {
  return setting == "soon" || setting == "first" ? "auto" : setting;
}

namespace {

// Seconds that a loop has taken before its forms are compared.
double measurement_of(const std::string &setting) {
  constexpr double usual = 0.25;
  return setting == "soon" ? 0 : setting == "first" ? std::numeric_limits<double>::infinity() : usual;
}

} // namespace

Specialiser::Specialiser(const Settings &settings, const Log &log, const GivenTexts &given)
    : given_(given),
      quick_first_(settings.get("OP2_JIT") == "auto"),
      verifies_(settings.get("OP2_JIT") == "verify"),
      least_elements_(settings.get_int("OP2_JIT_MIN_ELEMENTS")),
      form_(pinned_form(settings.get("OP2_JIT_FORM"))),
      measure_after_(measurement_of(settings.get("OP2_JIT_FORM"))),
      store_(settings, log) {}

namespace {

const void *address_of(const SpecialiseRequest &request) {
  return request.range ? reinterpret_cast<const void *>(request.range)
                       : reinterpret_cast<const void *>(request.element);
}

// Where in its file the address is, wherever that was loaded.
std::string place_in_program(const void *address) {
  const std::optional<LoadedObject> object = object_with(address);
  return object ? std::to_string(reinterpret_cast<std::uintptr_t>(address) - object->bias) : "";
}

// The file that holds this address, and when it was made.
std::string made_at(const void *address) {
  return text(program_path(address), " ", program_mtime(address).value_or(0));
}

} // namespace

// The texts in Fortran that the compiler of the program or library has kept in it.
fortran::Project &Specialiser::fortran_of(const SpecialiseRequest &request) {
  const auto [known, fresh] = fortran_.try_emplace(made_at(address_of(request)));
  fortran::Project &out = known->second;
  if (!fresh) return out;
  for (const std::string_view note :
       unit_notes(KernelOfProgram{request.element, request.range, request.file}.address())) {
    try {
      out.add(read_fortran_unit(std::string(note)));
    } catch (const Refusal &refusal) {
      out.leave_out(refusal.what());
    }
  }
  return out;
}

// Unless the program has given a text of its own for the kernel.
bool Specialiser::reads_fortran(const SpecialiseRequest &request) const {
  return request.fortran && !given_.kernel(request.element, request.expression ? request.expression : "");
}

KernelText Specialiser::find(const SpecialiseRequest &request) {
  if (reads_fortran(request))
    return fortran::fortran_kernel(request.expression ? request.expression : "", fortran_of(request));
  KernelRequest wanted;
  wanted.expression = request.expression ? request.expression : "";
  wanted.file = request.file ? request.file : "";
  wanted.line = request.line;
  const auto kernel = given_.kernel(request.element, wanted.expression);
  if (kernel)
    wanted.expression = kernel->name;
  else
    wanted.c_language = wanted.file.ends_with(".c");
  if (wanted.expression.empty()) throw Refusal("nothing is known of the kernel's text; op_kernel_source() can give it");
  const std::vector<DeclaredConstant> constants = names_of(request.constants);
  wanted.constants = constants;
  wanted.parameters = static_cast<int>(request.shape.args.size());
  KernelText out;
  if (kernel || (request.text && !is_unit_text(request.text)))
    out = find_in_given(std::move(wanted), kernel ? kernel->text : request.text);
  else
    out = find_in_unit(std::move(wanted), request);
  find_constants(out, request);
  return out;
}

namespace {

constexpr const char *how_to_give_text =
    ". Loops get faster code from it: compile with the options of op2-config --fflags (gfortran keeps the text in the "
    "program then), with op2_embed_kernels() of CMake, or give one in C by op_kernel_source()";

// A part of a variable lies within it; a whole one has the size that the text says.
const void *address_of_variable(const SpecialiseRequest &request, const std::string &symbol, std::size_t bytes) {
  const fortran::PartOfVariable part = fortran::part_of_variable(symbol);
  for (const std::string &name : fortran::variable_symbols(part.symbol)) {
    const VariablePlace place = variable_place(address_of(request), name);
    if (!place.address) continue;
    if (bytes > 0 && (part.whole ? place.bytes != bytes : place.bytes < part.offset + bytes))
      throw Refusal(text("the program's variable '", name, "' has ", place.bytes, " bytes, in the text it has ",
                         part.offset + bytes));
    return static_cast<const char *>(place.address) + part.offset;
  }
  return nullptr;
}

std::size_t size_of(Scalar scalar) {
  if (scalar == Scalar::boolean) return 1;
  return scalar == Scalar::int32 || scalar == Scalar::uint32 || scalar == Scalar::float32 ? 4 : 8;
}

} // namespace

LoopShape Specialiser::shape_with_constants(const KernelText &kernel, const SpecialiseRequest &request,
                                            std::vector<const void *> &values) {
  LoopShape shape = request.shape;
  for (const std::string &name : kernel.declared) {
    const auto place = kernel.places.find(name);
    if (place == kernel.places.end()) continue;
    const ConstantValue *const constant = constant_at(request.constants, name, place->second.address);
    if (!constant) continue;
    shape.constants.push_back(constant->shape);
    values.push_back(constant->value);
  }
  for (const ProgramVariable &variable : kernel.variables) {
    const std::size_t bytes = size_of(variable.scalar) * static_cast<std::size_t>(variable.dim);
    const void *const value = address_of_variable(request, variable.symbol, bytes);
    if (!value)
      throw Refusal(text("the program has no symbol '", variable.symbol, "', a variable that the kernel reads"));
    shape.constants.push_back({variable.symbol, variable.scalar, variable.dim});
    values.push_back(value);
  }
  return shape;
}

DeviceDraft Specialiser::device(const SpecialiseRequest &request) {
  DeviceDraft out;
  try {
    const KernelText kernel = find(request);
    out.text = device_text(kernel, shape_with_constants(kernel, request, out.values));
  } catch (const Refusal &refusal) {
    out.why = refusal.what();
  }
  return out;
}

// Without a compiler there is only shipped code, which was made on another mesh and for other caches. Vectors depend on
// both: the draft takes those of the first shape that was shipped.
void Specialiser::take_shipped(Draft &draft, const KernelText &kernel, LoopShape &shape, int vector_bytes) {
  if (draft.code.lanes == 0) return;
  for (const bool stream : {shape.stream, !shape.stream})
    for (const int runs : {shape.runs, 0, 1, 2}) {
      LoopShape other = shape;
      other.stream = stream;
      other.runs = runs;
      LoopCode code = generate(kernel, other, vector_bytes);
      if (!store_.at_hand(store_.label_of(code.text), draft.loop, code.form)) continue;
      draft.code = std::move(code);
      shape = std::move(other);
      return;
    }
}

Draft Specialiser::draft(const SpecialiseRequest &request) {
  Draft out;
  out.loop = request.loop;
  try {
    KernelText kernel = find(request);
    LoopShape shape = shape_with_constants(kernel, request, out.values);
    out.constants = places_of(kernel, shape);
    shape.vector_math = request.vectors && store_.machine().vector_math;
    const int vector_bytes = request.vectors ? store_.machine().vector_bytes : 0;
    out.code = generate(kernel, shape, vector_bytes);
    if (!store_.compiler().found()) take_shipped(out, kernel, shape, vector_bytes);
    out.identity = hex(store_.label_of(out.code.text).source);
    if (!kernel.kernel.file.empty()) out.from = text(kernel.kernel.file, ":", kernel.kernel.line);
    out.key = key_to(request);
    out.source = std::make_shared<DraftSource>(DraftSource{std::move(kernel), std::move(shape), vector_bytes});
  } catch (const fortran::NoText &refusal) {
    out.why = refusal.what();
    if (fortran::kernel_name(request.expression ? request.expression : "")) out.why += how_to_give_text;
    out.warns = !std::exchange(told_of_text_, true);
  } catch (const ConstantRefusal &refusal) {
    out.why = refusal.what();
  } catch (const Refusal &refusal) {
    out.why = refusal.what();
    if (reads_fortran(request) && !request.range) in_fortran(out, request);
    if (!out.why.empty()) memory_.keep_refusal(key_to(request), out.why);
  }
  return out;
}

// A kernel in Fortran that is not read, for the reason in the draft, compiled by its own compiler with the loop around
// it.
void Specialiser::in_fortran(Draft &draft, const SpecialiseRequest &request) {
  if (!store_.may_have(store_.fortran_compiler())) {
    draft.why += text("; ", store_.fortran_compiler().missing());
    return;
  }
  try {
    for (const ArgShape &arg : request.shape.args)
      if (arg.layout != OP_LAYOUT_AOS) throw Refusal("rows of a loop in Fortran are contiguous");
    fortran::RangeText made = fortran::range_text(request.expression, request.shape, fortran_of(request));
    std::vector<const void *> values;
    for (const ConstantShape &one : shape_with_constants(made.kernel, request, values).constants)
      draft.constants.push_back(one.name);
    draft.values = std::move(values);
    draft.code = std::move(made.code);
    draft.code.why_scalar = std::exchange(draft.why, "");
    draft.identity = hex(store_.label_of(draft.code.text).source);
    draft.from = made.from;
    draft.key = key_to(request);
  } catch (const Refusal &refusal) {
    if (refusal.what() != draft.why) draft.why += text("; nor is it compiled here: ", refusal.what());
  }
}

std::string Specialiser::key_to(const SpecialiseRequest &request, const std::string &form) const {
  return remembers() ? key_of(request, form) : "";
}

std::optional<Draft> Specialiser::recall(const SpecialiseRequest &request, const std::string &form) {
  if (!remembers()) return std::nullopt;
  std::optional<Draft> out = memory_.recall(key_of(request, form), request.loop);
  if (!out) return out;
  out->loop = request.loop;
  for (const std::string &name : out->constants) {
    const void *value = nullptr;
    if (!ConstantPlaces::is_place(name))
      value = address_of_variable(request, name, 0);
    else if (const ConstantValue *const known = recall_constant(name, request))
      value = known->value;
    if (!value) return std::nullopt;
    out->values.push_back(value);
  }
  return out;
}

// Another build of this library may generate other text, another build of the program may have another one.
std::string Specialiser::key_of(const SpecialiseRequest &request, const std::string &form) const {
  static const std::string library = made_at(reinterpret_cast<const void *>(&range_symbol));
  std::string flags;
  for (const std::string &flag : store_.compiler().flags()) flags += flag + " ";
  if (request.fortran) {
    flags += store_.fortran_compiler().identity() + store_.fortran_compiler().missing();
    for (const std::string &flag : store_.fortran_compiler().flags()) flags += " " + flag;
  }
  std::string out = text(library, "\n", made_at(address_of(request)), "\n", store_.machine().identity, "\n",
                         store_.machine().vector_bytes, " ", store_.machine().vector_math, request.vectors, "\n",
                         store_.compiler().identity(), "\n", flags, "\n", form, "\n");
  for (const char *word : {request.expression, request.file}) out += text(word ? word : "-", "\n");
  out += is_unit_text(request.text) ? digest_of_unit(request.text) : request.text ? request.text : "-";
  out += text("\n", place_in_program(address_of(request)), "\n");
  if (request.fortran) out += text("fortran\n");
  out += text(request.line, "\n");
  if (const auto kernel = given_.kernel(request.element, request.expression ? request.expression : ""))
    out += text(kernel->name, "\n", hex(sha256(kernel->text)), "\n");
  for (const ConstantValue &constant : request.constants)
    out += text(constant.shape.name, " ", static_cast<int>(constant.shape.scalar), " ", constant.shape.dim, "\n");
  return out + identity_of(request.shape);
}

std::vector<Draft> Specialiser::others(const Draft &draft) {
  std::vector<Draft> out;
  if (!draft.source) return out;
  const DraftSource &from = *draft.source;
  for (LoopCode &code : other_forms(from.kernel, from.shape, from.vector_bytes, draft.code)) {
    Draft &other = out.emplace_back();
    other.loop = draft.loop;
    other.code = std::move(code);
    other.constants = draft.constants;
    other.values = draft.values;
    other.source = draft.source;
  }
  return out;
}

std::optional<Draft> Specialiser::quick(const Draft &draft) const {
  if (!draft.source || form_ != "auto" || !store_.compiler().found()) return std::nullopt;
  std::optional<LoopCode> code = scalar_form(draft.source->kernel, draft.source->shape, draft.code, true);
  if (!code) return std::nullopt;
  Draft out;
  out.loop = draft.loop;
  out.code = std::move(*code);
  out.constants = draft.constants;
  out.values = draft.values;
  return out;
}

namespace {

constexpr const char *choices = "libop2's choices of forms"; // whose entries in the cache these are

std::string choice_key(const CodeStore &store, const Draft &draft, const std::string &key) {
  return text(store.machine().identity, "\n", store.compiler().identity(), "\n", key, "\n", draft.identity);
}

} // namespace

std::string Specialiser::remembered(const Draft &draft, const std::string &key) {
  return store_.load_blob(choices, choice_key(store_, draft, key));
}

void Specialiser::remember(const Draft &draft, const std::string &key, const std::string &form) {
  store_.store_blob(choices, choice_key(store_, draft, key), form);
}

// Scalar code in place of vectors that cannot be compiled: a compiler may refuse the one and take the other.
std::optional<LoopCode> Specialiser::scalar_instead_of(const Draft &draft) {
  if (!draft.source || draft.code.lanes == 0 || !draft.source->kernel.excerpt.empty()) return std::nullopt;
  const auto &[kernel, shape, vector_bytes] = *draft.source;
  std::optional<LoopCode> scalar = scalar_form(kernel, shape, draft.code);
  return scalar ? std::move(*scalar) : generate(kernel, shape, 0);
}

Specialised Specialiser::load(const LoopCode &code, const Code &compiled, const Draft &draft) const {
  Specialised out;
  const auto table = static_cast<const void **>(
      compiled.library->find(code.fortran ? fortran::fortran_constants_symbol : constants_symbol));
  out.range = reinterpret_cast<op_range_fn>(compiled.library->find(code.fortran      ? fortran::fortran_range_symbol
                                                                   : code.by_element ? element_symbol
                                                                                     : range_symbol));
  if (!table || !out.range) throw Refusal("the compiled code lacks its symbols");
  std::copy(draft.values.begin(), draft.values.end(), table);
  out.form = code.form;
  out.why = code.by_compiler ? "" : code.why_scalar;
  out.how = compiled.why;
  if (code.runs > 0) out.how += "; looks for runs";
  out.library = compiled.library;
  return out;
}

Specialised Specialiser::finish(const Draft &draft) {
  Specialised out;
  out.why = draft.why;
  out.warns = draft.warns;
  if (!draft.why.empty()) return out;
  try {
    const Code compiled = draft.pending ? draft.pending->get()
                                        : store_.get(draft.code.text, draft.loop, draft.code.title, draft.code.form);
    LoopCode code = compiled.vectorised ? draft.code : element_form(draft.code);
    if (!compiled.vectorised) code.why_scalar = text(draft.code.why_scalar, "; and ", no_vectors);
    out = load(code, compiled, draft);
    if (draft.source || draft.code.fortran) memory_.keep(draft, code, out.why);
    return out;
  } catch (const Refusal &refusal) {
    out.why = refusal.what();
    if (draft.code.fortran) { // the reader's reason is the one that a user can do something about
      out.why = text(draft.code.why_scalar, "; and ", refusal.what());
      memory_.keep_refusal(draft.key, out.why);
      return out;
    }
    const bool excerpt = draft.source && !draft.source->kernel.excerpt.empty();
    out.warns = out.why != no_vectors && !excerpt;
    if (!out.warns)
      out.why =
          excerpt && out.why != no_vectors ? draft.code.why_scalar : text(draft.code.why_scalar, "; and ", no_vectors);
  }
  try {
    const std::optional<LoopCode> scalar = scalar_instead_of(draft);
    if (!scalar) return out;
    Specialised other = load(*scalar, store_.get(scalar->text, draft.loop, scalar->title, scalar->form), draft);
    other.why = out.why;
    other.warns = out.warns;
    if (!out.warns) memory_.keep(draft, *scalar, out.why);
    return other;
  } catch (const Refusal &) { // the same reason, or another one of the same compiler
    return out;
  }
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
