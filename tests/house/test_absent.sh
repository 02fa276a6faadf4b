#!/bin/sh
# A room that a build leaves out is asked for nothing that is not there.

. "${top_srcdir:=.}/tests/house/planting.sh"

# leave_out LINE...: a copy without the room `fetch`, and these lines of what stands in
# its place, which other rooms use.
leave_out() {
	copy_tree
	sed -i '\#^include src/fetch/#d' "$copy/Makefile.am"
	plant Makefile.am 'if CURL' 'include src/fetch/sources.am' 'else' \
		'librooms_la_SOURCES += src/base/str.h \' \
		'	src/fetch/absent.c' 'endif'
	plant src/fetch/kind.c 'const struct pv_kind pv_fetch_kind = {' \
		'    .open = NULL};' 'int pv_fetch_one(' '    int number)' '{' \
		'	return number;' '}' 'static int pv_fetch_two(int number)' \
		'{' '	return number;' '}'
	plant src/fetch/absent.c "$@"
}

finds_none "what rooms use is there without PostgreSQL, too" \
	"$house/absent.sh" "$top_srcdir"

leave_out 'int pv_fetch_one(int number)' '{' '	return -1;' '}'
plant src/base/a.c 'int pv_a(void)' '{' '	return pv_fetch_one(1);' '}'
finds_none "a function that stands in for the room's is enough" \
	"$house/absent.sh" "$copy"

plant src/base/a.c 'static const struct pv_kind *kind = &pv_fetch_kind;'
finds '^pv_fetch_kind of src/fetch is used elsewhere' \
	"finds a constant that nothing defines" "$house/absent.sh" "$copy"

leave_out 'int pv_fetch_one(int number);'
plant src/base/a.c 'int pv_a(void)' '{' '	return pv_fetch_one(1);' '}'
finds '^pv_fetch_one of src/fetch is used elsewhere' \
	"finds a function that is only declared" "$house/absent.sh" "$copy"

leave_out ''
plant src/base/a.c '/* as pv_fetch_one' ' * pv_fetch_kind */' \
	'struct pv_fetch_one *one;'
finds_none "comments and types are no uses" "$house/absent.sh" "$copy"

tap_done
