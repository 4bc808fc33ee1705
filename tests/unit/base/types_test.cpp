// types_test.cpp: names of scalar types in C and Fortran programs.
#include "base/types.hpp"

#include "support.hpp"

namespace op2::core {
namespace {

struct Spelling {
  const char *name;
  op_type_id id;
  int size;
  const char *canonical;
};

// Everything decl.h promises, and the spellings of C itself.
const Spelling spellings[] = {
    {"double", OP_TYPE_DOUBLE, 8, "double"},
    {"r8", OP_TYPE_DOUBLE, 8, "double"},
    {"real(8)", OP_TYPE_DOUBLE, 8, "double"},
    {"real*8", OP_TYPE_DOUBLE, 8, "double"},
    {"float", OP_TYPE_FLOAT, 4, "float"},
    {"r4", OP_TYPE_FLOAT, 4, "float"},
    {"real(4)", OP_TYPE_FLOAT, 4, "float"},
    {"real*4", OP_TYPE_FLOAT, 4, "float"},
    {"int", OP_TYPE_INT, 4, "int"},
    {"i4", OP_TYPE_INT, 4, "int"},
    {"integer(4)", OP_TYPE_INT, 4, "int"},
    {"integer*4", OP_TYPE_INT, 4, "int"},
    {"uint", OP_TYPE_UINT, 4, "uint"},
    {"unsigned int", OP_TYPE_UINT, 4, "uint"},
    {"ll", OP_TYPE_LL, 8, "ll"},
    {"long long", OP_TYPE_LL, 8, "ll"},
    {"ull", OP_TYPE_ULL, 8, "ull"},
    {"unsigned long long", OP_TYPE_ULL, 8, "ull"},
    {"bool", OP_TYPE_BOOL, 1, "bool"},
};

TEST(Types, KnowEverySpelling) {
  for (const Spelling &spelling : spellings) {
    SCOPED_TRACE(spelling.name);
    const ElementType type = parse_type(spelling.name);
    EXPECT_EQ(spelling.id, type.id);
    EXPECT_EQ(spelling.size, type.size);
    EXPECT_EQ(spelling.canonical, type.name);
    EXPECT_TRUE(type.builtin());
    EXPECT_FALSE(type.soa);
  }
}

TEST(Types, TakeTheLayoutHintOff) {
  for (const Spelling &spelling : spellings) {
    SCOPED_TRACE(spelling.name);
    const ElementType type = parse_type(std::string(spelling.name) + ":soa");
    EXPECT_EQ(spelling.id, type.id);
    EXPECT_EQ(spelling.canonical, type.name);
    EXPECT_TRUE(type.soa);
    EXPECT_TRUE(type == parse_type(spelling.name)); // a hint is not part of the type
  }
}

TEST(Types, OtherNamesAreUserTypes) {
  for (const char *name : {"state", "Double", "REAL(8)", "double ", "", ":soa", "int:aos", "doublesoa"}) {
    SCOPED_TRACE(name);
    const ElementType type = parse_type(name);
    EXPECT_EQ(OP_TYPE_USER, type.id);
    EXPECT_EQ(0, type.size);
    EXPECT_EQ(name, type.name);
    EXPECT_FALSE(type.soa);
    EXPECT_FALSE(type.builtin());
  }
  const ElementType hinted = parse_type("state:soa");
  EXPECT_EQ("state", hinted.name);
  EXPECT_TRUE(hinted.soa);
}

TEST(Types, AreEqualByMeaning) {
  for (const Spelling &a : spellings)
    for (const Spelling &b : spellings)
      EXPECT_EQ(a.id == b.id, parse_type(a.name) == parse_type(b.name)) << a.name << " and " << b.name;
  EXPECT_TRUE(parse_type("state") == parse_type("state:soa"));
  EXPECT_FALSE(parse_type("state") == parse_type("flux"));
  EXPECT_FALSE(parse_type("state") == parse_type("double"));
}

TEST(Types, HaveTheSizeOfTheirCxxType) {
  for (const Spelling &spelling : spellings)
    EXPECT_EQ(spelling.size, with_type(spelling.id, []<class T>(T *) { return static_cast<int>(sizeof(T)); }))
        << spelling.name;
  EXPECT_TRUE(with_type(OP_TYPE_UINT, []<class T>(T *) { return std::is_same_v<T, unsigned>; }));
  EXPECT_TRUE(with_type(OP_TYPE_FLOAT, []<class T>(T *) { return std::is_same_v<T, float>; }));
  EXPECT_TRUE(with_type(OP_TYPE_LL, []<class T>(T *) { return std::is_same_v<T, long long>; }));
  EXPECT_TRUE(with_type(OP_TYPE_BOOL, []<class T>(T *) { return std::is_same_v<T, bool>; }));
}

TEST(Types, AreListedForMessages) { EXPECT_EQ("double float int uint ll ull bool", builtin_type_names()); }

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
