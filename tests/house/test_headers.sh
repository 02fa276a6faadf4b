#!/bin/sh
# Each header compiles alone, and has a guard named by its path.

. "${top_srcdir:=.}/tests/house/planting.sh"

# A copy with two headers, so that compiling each takes no time.
copy_little() {
	copy_tree
	find "$copy" -name '*.h' ! -name str.h ! -path "*/include/pavane/*" \
		-exec rm -f {} +
}

# planted CLAIM PATTERN HEADER LINE...: a new header of these lines is found
# to be at fault.
planted() {
	claim=$1
	pattern=$2
	shift 2
	copy_little
	plant "$@"
	finds "$pattern" "finds $claim" "$house/headers.sh" "$copy"
}

finds_none "each header compiles alone and has its guard" \
	"$house/headers.sh" "$top_srcdir"

planted "a header without a guard" \
	'src/base/new.h: the guard ought to be PAVANE_BASE_NEW_H' \
	src/base/new.h 'struct pv_new;'
planted "a guard of another name" \
	'src/base/new.h: the guard ought to be PAVANE_BASE_NEW_H' \
	src/base/new.h '#ifndef NEW_H' '#define NEW_H' '#endif'
planted "a guard that is not defined" \
	'src/base/new.h: the guard ought to be PAVANE_BASE_NEW_H' \
	src/base/new.h '#ifndef PAVANE_BASE_NEW_H' '#define PAVANE_BASE_NEWH' \
	'#endif'
planted "a guard that ends too early" \
	'src/base/new.h: the guard ought to be PAVANE_BASE_NEW_H' \
	src/base/new.h '#ifndef PAVANE_BASE_NEW_H' \
	'#define PAVANE_BASE_NEW_H' '#endif' 'struct pv_new;'
planted "a header that lacks an include" \
	'src/base/new.h: does not compile alone: .*pv_str' \
	src/base/new.h '#ifndef PAVANE_BASE_NEW_H' \
	'#define PAVANE_BASE_NEW_H' 'void pv_new(struct pv_str text);' \
	'#endif'
planted "a header that only its .c file completes" \
	'src/base/new.h: does not compile alone' \
	src/base/new.h '#ifndef PAVANE_BASE_NEW_H' \
	'#define PAVANE_BASE_NEW_H' 'void pv_new(uint8_t byte);' '#endif'

copy_little
plant src/base/new.h '#ifndef PAVANE_BASE_NEW_H' \
	'#define PAVANE_BASE_NEW_H' 'void pv_new(uint8_t byte);' '#endif'
plant src/base/new.c '#include <stdint.h>' '#include "base/new.h"'
finds 'src/base/new.h: does not compile alone' \
	"finds one that its .c file completes before it" \
	"$house/headers.sh" "$copy"

copy_little
sed 's/PAVANE_PAVANE_H/PAVANE_H/' "$top_srcdir/include/pavane/pavane.h" \
	>"$copy/include/pavane/pavane.h"
finds 'pavane.h: the guard ought to be PAVANE_PAVANE_H' \
	"finds a wrong guard of the public header" "$house/headers.sh" "$copy"

copy_little
plant include/pavane/new.h '/* A comment' ' * before the guard. */' \
	'#ifndef PAVANE_NEW_H' '#define PAVANE_NEW_H' 'struct pavane_new;' \
	'#endif /* of the guard */'
finds_none "comments may stand around the guard" "$house/headers.sh" "$copy"

if echo 'class x {};' | ${CXX:-c++} -x c++ -fsyntax-only - >/dev/null 2>&1; then
	planted "a public header that is no C++" \
		'include/pavane/new.h: does not compile alone' \
		include/pavane/new.h '#ifndef PAVANE_NEW_H' \
		'#define PAVANE_NEW_H' 'int pavane_new(int class);' '#endif'
else
	skip "finds a public header that is no C++" "no C++ compiler is here"
fi

tap_done
