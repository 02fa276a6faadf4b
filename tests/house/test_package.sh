#!/bin/sh
# What is installed beside the program is whole.

. "${top_srcdir:=.}/tests/house/planting.sh"

package=$top_builddir/libpavane.pc
page=$top_builddir/doc/pavane-policy.5

grep -q '^Libs:' "$package" && ! grep -q '@' "$package"
ok $? "libpavane.pc has a value for every variable"

# The variables of configure that hold what linking with a library needs.
libraries() {
	sed -n 's/^PAVANE_LIBRARY(\[\([^]]*\)\].*/\1/p' \
		"$top_srcdir/configure.ac" | sort
}

packaged() {
	tr -s ' ' '\n' <"$top_srcdir/libpavane.pc.in" |
		sed -n 's/^@\(.*\)_LIBS@$/\1/p' | sort
}

[ -n "$(libraries)" ] && [ "$(libraries)" = "$(packaged)" ]
ok $? "and names each library that configure looks for"

grep -q '^\.B rate\.max_rate$' "$page"
ok $? "the page about policies lists its keys"
! grep -q '^@' "$page"
ok $? "and nothing stands in their place"
tap_done
