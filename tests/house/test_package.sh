#!/bin/sh
# What is installed beside the program is whole.

. "${top_srcdir:=.}/tests/house/planting.sh"

package=$top_builddir/libpavane.pc
page=$top_builddir/doc/pavane-policy.5

grep -q '^Libs:' "$package" && ! grep -q '@' "$package"
ok $? "libpavane.pc has a value for every variable"
grep -q '^\.B rate\.max_rate$' "$page"
ok $? "the page about policies lists its keys"
! grep -q '@REFERENCE@' "$page"
ok $? "and nothing stands in their place"
tap_done
