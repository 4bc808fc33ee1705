// constant_places.cpp: see constant_places.hpp.
#include "jit/constant_places.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "host/code_library.hpp"
#include "jit/text/declarations.hpp"

namespace op2::core::jit {

namespace {

using Variable = SymbolTable::Variable;

template <class... Part>
[[noreturn]] void refuse(const Part &...parts) {
  throw ConstantRefusal(text(parts...));
}

// What lies in the object of the kernel is found again by its distance from where the object is loaded, all else by the
// dynamic linker; a variable of a program without symbols by its name. The number of the variable, which is in the text
// of the code, comes last.
std::string place_in_object(const std::string &name, const void *address, const LoadedObject &object) {
  return text(name, "@+", reinterpret_cast<std::uintptr_t>(address) - object.bias);
}
constexpr const char *without_symbols = "@?"; // and no number

std::string mangled(const std::string &scope, const std::string &name) {
  if (scope.empty()) return name;
  std::string out = "_ZN";
  for (std::size_t at = 0; at < scope.size();) {
    const std::size_t end = std::min(scope.find("::", at), scope.size());
    out += text(end - at, scope.substr(at, end - at));
    at = end + 2;
  }
  return text(out, name.size(), name, "E");
}

// The name without "(anonymous namespace)::", which the scopes of a text do not have, either.
std::string plain(std::string name) {
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at = name.find(unnamed); at != name.npos; at = name.find(unnamed)) name.erase(at, unnamed.size());
  return name;
}

// One variable that a kernel's text names, in one object.
class Search {
 public:
  Search(const std::string &name, const TextVariable &told, const KernelOfProgram &kernel, const LoadedObject &object,
         const SymbolTable &table, bool c_language)
      : name_(name),
        told_(told),
        kernel_(kernel),
        object_(object),
        table_(table),
        c_language_(c_language),
        all_(table.variables_called(name)) {}

  // Its address, and the place for later runs.
  std::pair<const void *, std::string> found() const {
    if (!told_.declared) return anywhere();
    return told_.internal ? internal() : external();
  }

 private:
  std::string full() const { return joined(told_.scope, name_); }
  std::pair<const void *, std::string> here(const Variable &one) const {
    return {one.address, place_in_object(name_, one.address, object_)};
  }

  // The source file with the kernel. The range function, which has the kernel inside, is what runs without generated
  // code; a weak function may be that of another source file.
  SymbolTable::Unit unit() const {
    const auto range = reinterpret_cast<const void *>(kernel_.range);
    const auto element = reinterpret_cast<const void *>(kernel_.element);
    const SymbolTable::Unit of_range = table_.unit_of(range), of_element = table_.unit_of(element);
    if (of_range >= 0 && of_element >= 0 && of_range != of_element) return SymbolTable::no_unit;
    if (of_range >= 0 || of_element >= 0) return std::max(of_range, of_element);
    if (!range && table_.is_weak(element)) return SymbolTable::no_unit;
    return table_.unit_called(kernel_.file ? kernel_.file : "");
  }

  std::pair<const void *, std::string> internal() const {
    const SymbolTable::Unit unit = this->unit();
    if (unit == SymbolTable::no_unit)
      refuse("'", name_, "' is static, and the program's symbols do not tell which source file the kernel is in");
    std::vector<Variable> own = all_;
    std::erase_if(own,
                  [&](const Variable &one) { return one.external || one.unit != unit || plain(one.name) != full(); });
    if (own.size() != 1)
      refuse("'", name_, "' is static, and the symbols of the kernel's source file have ",
             own.empty() ? "no variable" : "several variables", " of this name");
    return here(own.front());
  }

  std::pair<const void *, std::string> external() const {
    const std::string symbol = mangled(told_.scope, name_);
    std::vector<Variable> own = all_;
    std::erase_if(own, [&](const Variable &one) { return !one.external || one.name != full(); });
    if (own.empty() && !c_language_) { // an optimisation of the whole program has made its variables local
      own = all_;
      std::erase_if(own,
                    [&](const Variable &one) { return one.symbol != symbol || !table_.of_whole_program(one.unit); });
    }
    if (own.size() > 1) refuse("'", name_, "' stands for several symbols of the program");
    if (own.size() == 1 && !own.front().replaceable) return here(own.front());
    return linked(symbol, own.empty() ? nullptr : own.front().address);
  }

  // What the dynamic linker takes. A library may have been linked to use its own variable all the same, so that they
  // must be one.
  std::pair<const void *, std::string> linked(const std::string &symbol, const void *own) const {
    const DynamicPlaces places = dynamic_places(object_, symbol);
    std::set<const void *> all{own, places.shared, places.own};
    all.erase(nullptr);
    if (all.size() > 1) refuse("several libraries have a variable '", name_, "'");
    if (all.empty()) refuse("the program has no symbol '", symbol, "'");
    return {*all.begin(), text(name_, "@", symbol)};
  }

  // The text does not declare it: whatever it is, there is only one of this name.
  std::pair<const void *, std::string> anywhere() const {
    if (all_.size() > 1) refuse("the program has several variables called '", name_, "', and the text declares none");
    if (all_.size() == 1 && !all_.front().replaceable) return here(all_.front());
    return linked(name_, all_.empty() ? nullptr : all_.front().address);
  }

  const std::string &name_;
  const TextVariable &told_;
  const KernelOfProgram &kernel_;
  const LoadedObject &object_;
  const SymbolTable &table_;
  bool c_language_;
  std::vector<Variable> all_;
};

// NULL: no longer certain.
const void *variable_at(const std::string &how, const void *kernel) {
  const std::optional<LoadedObject> object = object_with(kernel);
  if (!object) return nullptr;
  if (how.starts_with('+')) {
    std::uintptr_t distance = 0;
    std::from_chars(how.data() + 1, how.data() + how.size(), distance);
    return reinterpret_cast<const void *>(object->bias + distance);
  }
  const DynamicPlaces places = dynamic_places(*object, how);
  return !places.own || places.own == places.shared ? places.shared : nullptr;
}

const ConstantValue *only_one(std::span<const ConstantValue> constants, const std::string &name) {
  const ConstantValue *out = nullptr;
  for (const ConstantValue &constant : constants) {
    if (constant.shape.name != name) continue;
    if (out) return nullptr;
    out = &constant;
  }
  return out;
}

} // namespace

std::vector<DeclaredConstant> names_of(std::span<const ConstantValue> constants) {
  std::vector<DeclaredConstant> out;
  for (const ConstantValue &constant : constants) {
    const ConstantShape &shape = constant.shape;
    const auto same = std::ranges::find(out, shape.name, &DeclaredConstant::name);
    if (same == out.end())
      out.push_back({shape.name, shape.scalar, shape.dim});
    else if (same->scalar != shape.scalar)
      same->scalar = Scalar::other;
  }
  return out;
}

std::vector<std::string> places_of(const KernelText &kernel, const LoopShape &shape) {
  std::vector<std::string> out;
  for (const ConstantShape &constant : shape.constants) {
    const auto place = kernel.places.find(constant.name);
    out.push_back(place == kernel.places.end() ? constant.name : place->second.place);
  }
  return out;
}

const ConstantValue *constant_at(std::span<const ConstantValue> constants, const std::string &name,
                                 const void *variable) {
  for (const ConstantValue &constant : constants)
    if (constant.shape.name == name && constant.variable == variable) return &constant;
  return nullptr;
}

const ConstantPlaces::Object &ConstantPlaces::object_of(const KernelOfProgram &kernel, const std::string &name) {
  std::optional<LoadedObject> loaded = object_with(kernel.address());
  if (!loaded) refuse("the program has no file with the symbol of '", name, "'");
  std::unique_ptr<Object> &known = objects_[text(loaded->path, " ", program_mtime(kernel.address()).value_or(0))];
  if (!known || known->loaded.bias != loaded->bias)
    known = std::make_unique<Object>(Object{*loaded, SymbolTable(*loaded)});
  return *known;
}

void ConstantPlaces::find(KernelText &kernel_text, const KernelOfProgram &kernel,
                          std::span<const ConstantValue> constants) {
  for (auto &[name, told] : kernel_text.places) {
    if (std::ranges::any_of(constants, [&wanted = name](const ConstantValue &one) {
          return one.shape.name == wanted && one.of_no_variable;
        }))
      refuse("the constant '", name, "' was declared anew with memory that is no variable of this name");
    const Object &object = object_of(kernel, name);
    if (!object.table.complete() && told.declared && !told.internal) {
      const ConstantValue *const one = only_one(constants, name);
      if (!one) refuse("the program has no symbols, and several constants '", name, "' were declared");
      told.address = one->variable;
      told.place = name + without_symbols;
      continue;
    }
    if (!object.table.complete())
      refuse("the program has no symbols, which would tell whether the constant '", name, "' is the kernel's variable");
    std::tie(told.address, told.place) =
        Search(name, told, kernel, object.loaded, object.table, kernel_text.c_language).found();
    const ConstantValue *const constant = constant_at(constants, name, told.address);
    if (!constant)
      refuse("the constant '", name, "' that op_decl_const() was told of is another variable than the kernel's");
    told.place += text("#", constant->shape.number);
  }
}

const ConstantValue *ConstantPlaces::recall(const std::string &place, const void *kernel,
                                            std::span<const ConstantValue> constants) const {
  const std::size_t at = place.find('@'), number = place.find('#');
  const std::string name = place.substr(0, at);
  for (const ConstantValue &constant : constants)
    if (constant.shape.name == name && constant.of_no_variable) return nullptr;
  if (number == place.npos) return only_one(constants, name);
  const void *const variable = variable_at(place.substr(at + 1, number - at - 1), kernel);
  const ConstantValue *const out = variable ? constant_at(constants, name, variable) : nullptr;
  return out && text(out->shape.number) == place.substr(number + 1) ? out : nullptr;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
