// arch_test.cpp: the rules of the house hold for this source tree.
#include <gtest/gtest.h>

#include "rules.hpp"
#include "source.hpp"

namespace {

const arch::Root root = OP2_SOURCE_FOLDER;

void expect_none(const arch::Violations &violations) {
  for (const std::string &violation : violations) ADD_FAILURE() << violation;
}

TEST(Rules, TreeIsThere) { // a rule over no files holds always
  EXPECT_GT(arch::read_sources(root, "src").size(), 40u);
  EXPECT_GT(arch::read_sources(root, "include").size(), 10u);
  EXPECT_GT(arch::read_sources(root, "tests").size(), 20u);
}

TEST(Rules, LayersUseThoseBelow) { expect_none(arch::layers(root)); }
TEST(Rules, RoomsOfLoopsUseThoseBelow) { expect_none(arch::rooms_of_loops(root)); }
TEST(Rules, PluginsStandAlone) { expect_none(arch::plugins_stand_alone(root)); }
TEST(Rules, ToolsUseTheInterface) { expect_none(arch::tools_use_the_interface(root)); }
TEST(Rules, PublicHeadersStandAlone) { expect_none(arch::public_headers_stand_alone(root)); }
TEST(Rules, NoForeignHeadersOutsidePlugins) { expect_none(arch::no_foreign_headers(root)); }
TEST(Rules, OneUserOfDlopen) { expect_none(arch::one_user_of_dlopen(root)); }
TEST(Rules, NobodyEndsTheProcess) { expect_none(arch::nobody_ends_the_process(root)); }
TEST(Rules, NoBareNewAndDelete) { expect_none(arch::no_bare_new_and_delete(root)); }
TEST(Rules, PublicFunctionsCallNoOthers) { expect_none(arch::public_functions_call_no_others(root)); }
TEST(Rules, SmallCore) { expect_none(arch::small_core(root)); }
TEST(Rules, ShortFiles) { expect_none(arch::short_files(root)); }
TEST(Rules, SmallRooms) { expect_none(arch::small_rooms(root)); }
TEST(Rules, RoomsInTheTable) { expect_none(arch::rooms_in_the_table(root)); }
TEST(Rules, SameFilesInExecutors) { expect_none(arch::same_files_in_executors(root)); }
TEST(Rules, NothingLeftForLater) { expect_none(arch::nothing_left_for_later(root)); }
TEST(Rules, LicenseInTheLastLine) { expect_none(arch::license_in_the_last_line(root)); }

} // namespace

// SPDX-License-Identifier: MIT
