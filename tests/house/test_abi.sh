#!/bin/sh
# What programs know of the shared library: its symbols, all of one version,
# and its types. An incompatible change wants a new soname; `make
# abi-reference` then writes another reference beside this one.

. "${top_srcdir:=.}/tests/house/planting.sh"

library=$top_builddir/.libs/libpavane.so
headers=$top_srcdir/include/pavane
map=$top_srcdir/libpavane.map

[ -f "$library" ] || skip_all "there is no shared library"
readelf -h "$library" >/dev/null 2>&1 || skip_all "this is not ELF"

package=$(sh "$house/abi.sh" name "$library")
reference=$house/$package.abi
table=$top_srcdir/debian/$package.symbols

# Makes a library of the source text and further arguments of the compiler.
make_library() {
	text=$1
	shift
	printf '%s\n' "$text" >"$temporary/made.c"
	# CC is a list of words.
	# shellcheck disable=SC2086
	${CC:-cc} -w -g -shared -fPIC -I"$top_srcdir/src" \
		-I"$top_srcdir/include" -D_GNU_SOURCE \
		-Wl,-soname,libpavane.so.0 -Wl,--version-script="$map" \
		"$@" -o "$temporary/libpavane.so.0" "$temporary/made.c"
}

### Symbols

# NM is a list of words.
# shellcheck disable=SC2086
exported=$(${NM:-nm} -D -P --defined-only "$library")
[ -n "$exported" ] && ! echo "$exported" | grep -v '^__' |
	grep -Evq '^(pavane_[a-z_]*@@)?PAVANE_0'
ok $? "the library exports pavane_ of the version PAVANE_0 alone"
finds_none "what it exports is declared, and what is declared is exported" \
	"$house/abi.sh" undeclared "$headers" "$library"
version=$(sed -n 's/^AC_INIT(.*\[\(.*\)\])/\1/p' "$top_srcdir/configure.ac")
if [ -d "$top_srcdir/debian" ]; then
	[ "$(sh "$house/abi.sh" symbols "$version" "$library" <"$table")" = \
		"$(cat "$table")" ]
	ok $? "Debian's table has the same symbols (make abi-reference)"
else
	skip "Debian's table has the same symbols" "this is a release"
fi

make_library 'int pavane_new; int pv_hidden(void) { return 1; }'
finds '^pavane_new is exported, not declared' \
	"finds one that no header declares" \
	"$house/abi.sh" undeclared "$headers" "$temporary/libpavane.so.0"
finds '^pavane_version is declared, not exported' "and one that is missing" \
	"$house/abi.sh" undeclared "$headers" "$temporary/libpavane.so.0"
added=$(printf ' %s 0.0.9\n' pavane_new@PAVANE_0 pavane_old@PAVANE_0 |
	sh "$house/abi.sh" symbols 7 "$temporary/libpavane.so.0" | sed 1,3d)
[ "$added" = ' pavane_new@PAVANE_0 0.0.9' ]
ok $? "the table keeps since when a symbol is there, and none that is gone"
[ "$(sh "$house/abi.sh" symbols 7 "$temporary/libpavane.so.0" </dev/null |
	sed 1,3d)" = ' pavane_new@PAVANE_0 7' ]
ok $? "a new one is there since this version"

### A host program's own pavane_out_of_memory

# A program that has one, and calls the function when nothing is left.
printf '%s\n' '#include <stdlib.h>' '#include <sys/resource.h>' \
	'#include "pavane/pavane.h"' \
	'void pavane_out_of_memory(size_t size) { _Exit(42); }' \
	'void want_memory(void);' \
	'int main(void) { struct rlimit none = {0, 0};' \
	'setrlimit(RLIMIT_AS, &none); while (malloc(16)) ;' \
	'want_memory(); return 0; }' >"$temporary/host.c"

# replaces CLAIM DIRECTORY FILE...: linked with these, of which shared libraries
# are in the directory, the program's own is called.
replaces() {
	claim=$1
	directory=$2
	shift 2
	# shellcheck disable=SC2086
	${CC:-cc} ${house_flags:-} -w -fPIE -I"$top_srcdir/include" \
		-I"$top_srcdir/src" -o "$temporary/host" "$temporary/host.c" "$@" \
		-Wl,-rpath,"$directory" &&
		LD_BIND_NOW=1 "$temporary/host"
	[ $? -eq 42 ]
	ok $? "$claim"
}

wanting='#include "base/alloc.h"
	void *pavane_want(void) { return pv_alloc(100); }'
case " ${house_flags:-} " in
*-fsanitize*)
	skip "a program's pavane_out_of_memory is the library's" "sanitizers"
	skip "and so with -flto" "sanitizers"
	skip "and in the static library" "sanitizers"
	;;
*)
	printf '%s\n' '#include "pavane/pavane.h"' 'void want_memory(void)' \
		'{ struct pavane_sources none = {0}; pavane_policy_load(&none); }' \
		>"$temporary/want.c"
	replaces "a program's pavane_out_of_memory is the library's" \
		"$top_builddir/.libs" "$temporary/want.c" "$library"
	make_library "$wanting" -O2 -flto -fno-semantic-interposition \
		"$top_srcdir/src/base/alloc.c"
	printf 'void *pavane_want(void); void want_memory(void) %s\n' \
		'{ pavane_want(); }' >"$temporary/want.c"
	replaces "and so with -flto" "$temporary" \
		"$temporary/want.c" "$temporary/libpavane.so.0"
	replaces "and in the static library" "$temporary" \
		"$temporary/want.c" "$temporary/made.c" \
		"$top_builddir/.libs/librooms.a"
	;;
esac

### Types

# What programs see, and what is behind it.
header='struct pavane_thing { int size; char name[4]; };
	enum pavane_end { PAVANE_GOOD, PAVANE_BAD };'
source='#include "made.h"
	enum pavane_end pavane_look(struct pavane_thing *thing)
	{ return thing->size ? PAVANE_BAD : PAVANE_GOOD; }
	int pavane_count(int of) { return of; }'

# Makes that library, changed by a script of sed, with further arguments.
change() {
	script=$1
	shift
	printf '%s\n' "$header" | sed "$script" >"$temporary/headers/made.h"
	make_library "$(printf '%s\n' "$source" | sed "$script")" \
		-I"$temporary/headers" "$@"
}

try_changes() {
	mkdir "$temporary/headers"
	change ''
	sh "$house/abi.sh" describe "$temporary/headers" \
		"$temporary/libpavane.so.0" >"$temporary/before.abi"
	set -- "$house/abi.sh" compare "$temporary/before.abi" \
		"$temporary/headers" "$temporary/libpavane.so.0"
	finds_none "the same library is compatible" "$@"
	change 's/int pavane_count/int pavane_more(void) { return 1; } &/'
	finds_none "and so is one with a new function" "$@"
	change 's/pavane_count/pavane_counted/'
	finds 'pavane_count' "finds a function that is gone" "$@"
	change 's/int of/long of/'
	finds 'pavane_count' "finds another parameter" "$@"
	change 's/name.4./name[8]/'
	finds 'pavane_thing' "finds a type that has grown" "$@"
	change 's/int size; char name.4.;/char name[4]; int size;/'
	finds 'pavane_thing' "finds members that have moved" "$@"
	change 's/PAVANE_GOOD, PAVANE_BAD/PAVANE_BAD, PAVANE_GOOD/'
	finds 'PAVANE_BAD' "finds a constant that means something else" "$@"
	header=$(printf '%s\n' '#include <stddef.h>' 'struct pavane_thing {' \
		'	size_t size;' '	char name[4];' '};' \
		'enum pavane_end { PAVANE_GOOD, PAVANE_BAD };')
	change ''
	sh "$house/abi.sh" describe "$temporary/headers" \
		"$temporary/libpavane.so.0" >"$temporary/before.abi"
	change 's/char name.4.;/& long more;/'
	finds_none "a struct that begins with its size may grow at its end" "$@"
	change 's/char name.4.;/long more; &/'
	finds 'pavane_thing' "but not before it" "$@"
	change 's/char name.4.;/& char more;/'
	finds 'lies in padding' "nor where a program has padding" "$@"
	change '' -Wl,-soname,libpavane.so.1
	finds 'SONAME' "another soname is another library" "$@"
}

# The reference was made on a machine of this kind; elsewhere types differ.
if ! command -v abidiff >/dev/null; then
	skip "programs run that were built with the reference" "no abidiff"
elif ! readelf -SW "$library" | grep -q '\.debug_info'; then
	skip "programs run that were built with the reference" "built without -g"
elif [ "$(uname -m)" != x86_64 ]; then
	skip "programs run that were built with the reference" "not x86_64"
else
	[ -f "$reference" ]
	ok $? "there is a reference for this soname (make abi-reference)"
	finds_none "programs run that were built with the reference" \
		"$house/abi.sh" compare "$reference" "$headers" "$library"
	try_changes
fi

tap_done
