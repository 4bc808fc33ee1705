// Specialiser: the texts that the program's compiler has kept in it.
#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "host/symbols.hpp"
#include "host/unit_notes.hpp"
#include "jit/specialiser.hpp"

namespace op2::core::jit {

// The texts that the program's compiler has kept, beside those that the program gives.
fortran::Project &Specialiser::fortran_of(Program &program, const SpecialiseRequest &request) const {
  if (program.fortran) return *program.fortran;
  program.fortran = std::make_unique<fortran::Project>(program.given);
  int number = 0;
  for (const std::string_view note :
       unit_notes(KernelOfProgram{request.element, request.range, request.file}.address())) {
    ++number;
    try {
      const FortranUnit unit = read_fortran_unit(std::string(note));
      // Another text may have come to a name: a unit compiled twice, or two files of one name by options -I.
      const bool taken = std::ranges::any_of(unit.files, [&](const SourceFile &file) {
        const SourceFile *const known = program.given.embedded(file.path);
        return known && known->text != file.text;
      });
      const std::string above = taken ? text("/unit ", number) : "";
      for (const SourceFile &file : unit.files) program.given.embed(above + file.path, file.text);
    } catch (const Refusal &refusal) {
      program.fortran->leave_out(refusal.what());
    }
  }
  return *program.fortran;
}

namespace {

constexpr const char *no_text =
    "the text of its unit is not in the program: compile with op2cxx or op2cc, with the options of op2-config "
    "--cxxflags "
    "(g++), or in CMake with op2_embed_kernels()";

// In a shared library the dynamic linker may take a function of another one instead of that in the text.
void refuse_replaced(const KernelText &text, const void *kernel) {
  std::set<std::string> names{text.kernel.name};
  for (const Function &helper : text.helpers) names.insert(helper.name);
  for (const Token &token : tokenize(text.excerpt))
    if (token.kind == TokenKind::identifier) names.insert(token.text);
  if (const std::string function = replaced_function(kernel, names); !function.empty())
    throw Refusal(core::text("the program uses '", function, "' of another library"));
}

} // namespace

// In the text that the compiler of the program has kept.
KernelText Specialiser::find_in_unit(KernelRequest wanted, const SpecialiseRequest &request) {
  if (!is_unit_text(request.text)) throw Refusal(no_text);
  Unit &unit = units_[digest_of_unit(request.text)];
  if (unit.tokens.files.empty()) {
    unit.text = read_unit(request.text);
    unit.tokens = tokens_of(unit.text);
    unit.text.text.clear();
  }
  check_options(unit.text);
  const auto kernel = reinterpret_cast<const void *>(request.element);
  if (kernel && !same_object(kernel, request.text))
    throw Refusal("the program's kernel of this name is in another file than the loop");
  wanted.unit = &unit.tokens;
  wanted.c_language = unit.text.c_language;
  if (kernel) wanted.symbols = function_names(kernel);
  KernelText out = find_kernel(wanted, program_of(request).files);
  check_options_of(unit.text, out);
  if (kernel) refuse_replaced(out, kernel);
  return out;
}

} // namespace op2::core::jit
