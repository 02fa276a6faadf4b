#!/bin/sh
# What is installed beside the program is whole.

. "${top_srcdir:=.}/tests/house/planting.sh"

package=$top_builddir/libpavane.pc
page=$top_builddir/doc/pavane-policy.5

grep -q '^Libs:' "$package" && ! grep -q '@' "$package"
ok $? "libpavane.pc has a value for every variable"

# The variables of configure that hold what linking with the library needs. What
# only the program needs is not among them.
libraries() {
	sed -n '/^librooms_la_LIBADD =/,/[^\\]$/p' "$top_srcdir/Makefile.am" |
		tr -s ' \t' '\n' | sed -n 's/^\$(\(.*\)_LIBS)$/\1/p' | sort
}

packaged() {
	tr -s ' ' '\n' <"$top_srcdir/libpavane.pc.in" |
		sed -n 's/^@\(.*\)_LIBS@$/\1/p' | sort
}

[ -n "$(libraries)" ] && [ "$(libraries)" = "$(packaged)" ]
ok $? "and names each library that it is linked with"

grep -q '^\.B rate\.max_rate$' "$page"
ok $? "the page about policies lists its keys"
! grep -q '^@' "$page"
ok $? "and nothing stands in their place"
tap_done
