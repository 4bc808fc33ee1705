// How code reaches variables: whole ones, elements, sections and components.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jit/fortran/meaning.hpp"

namespace op2::core::jit::fortran {

// A whole number of the code: a known part, and code for the rest where there is one.
struct Amount {
  long number = 0;
  std::string code;
  bool known() const { return code.empty(); }
  bool operator==(const Amount &) const = default;
};
inline Amount known(long number) { return {number, ""}; }
Amount operator+(const Amount &a, const Amount &b);
Amount operator-(const Amount &a, const Amount &b);
Amount operator*(const Amount &a, const Amount &b);
std::string code_of(const Amount &amount); // in brackets where it is more than a name or a number
// Whether code is a name, a number, or an element of an array with such an index.
bool is_plain(const std::string &code);

// One dimension of an array as code uses it.
struct Dimension {
  Amount lower = known(1);
  std::optional<Amount> extent; // none: (*)
  Amount stride = known(1);     // elements from one to the next
  bool assumed = false;         // of the array of one call: code may ask for its size before it takes an element
};

// A variable, or what a part of it is.
struct Variable {
  std::string code; // its name
  Type type;
  bool array = false;
  bool indirect = false; // a scalar behind a pointer: code[0]
  bool as_int = false;   // a logical that is stored as an int
  bool changeable = true;
  bool pointer = false; // of Fortran, and nothing is known of where it points
  std::vector<Dimension> dimensions;
  Amount offset = known(0);    // of its first element
  std::vector<Variable> parts; // the components of a derived type, in its order, each as of a single value
  bool is_record() const { return type.base == Type::Base::record; }
};

// Strides of an array whose elements lie one behind the other.
void set_strides(std::vector<Dimension> &dimensions);
// The number of elements where it is known.
std::optional<long> size_of(const std::vector<Dimension> &dimensions);
// Component `part` of a variable of a derived type: an array where the variable or the component is one. An array of
// such a type is one array for each component, with the component's own dimensions in front.
Variable part_of(const Variable &record, const Variable &part);
// The numbers that it is made of, in order.
void leaves_of(const Variable &variable, std::vector<Variable> &out);
// Whether its elements lie one behind the other.
bool is_dense(const Variable &variable);
// code[...] for the element at these positions, from 0.
std::string element_of(const Variable &variable, const std::vector<Amount> &at);
// A pointer to its first element.
std::string address_of(const Variable &variable);

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
