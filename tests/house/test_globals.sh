#!/bin/sh
# No object of ours has a writable global.

. "${top_srcdir:=.}/tests/house/planting.sh"

archive=$top_builddir/.libs/librooms.a

# Compiles source text as the library is compiled, and says where the object
# is.
compiled() {
	printf '%s\n' '#include <stddef.h>' "$@" >"$temporary/planted.c"
	# CC and the flags are lists of words.
	# shellcheck disable=SC2086
	${CC:-cc} ${house_flags:-} -w -fPIC -c -o "$temporary/planted.o" \
		"$temporary/planted.c" && echo "$temporary/planted.o"
}

planted() {
	finds "planted.o: $2 is a writable global" "finds $1" \
		"$house/globals.sh" "$(compiled "$3")"
}

case " ${house_flags:-} " in
*\ -flto*)
	skip "no object has a writable global" "-flto leaves nothing to read"
	tap_done
	;;
esac

finds_none "no object of the library has a writable global" \
	"$house/globals.sh" "$archive"
finds_none "no object of the program has one" \
	"$house/globals.sh" "$top_builddir/.libs/libcli.a" \
	"$top_builddir/src/cli/pavane-main.o"

planted "an initialised variable" 'pv_count' 'int pv_count = 1;'
planted "one that is visible outside" 'pv_count' \
	'__attribute__((visibility("default"))) int pv_count = 1;'
planted "one that begins as 0" 'pv_count' 'int pv_count;'
planted "a static one" 'count' \
	'static int count; int *pv_count(void) { return &count; }'
planted "one within a function" 'count\.?[0-9]*|pv_count\.count' \
	'int pv_count(void) { static int count; return ++count; }'
planted "one of each thread" 'pv_count' '_Thread_local int pv_count;'
planted "a table that only its texts keep constant" 'pv_names' \
	'const char *pv_names[] = {"a", "b"};'

finds_none "constants are none, tables of pointers among them" \
	"$house/globals.sh" "$(compiled \
		'const int pv_one = 1;' \
		'const char *const pv_names[] = {"a", "b"};' \
		'struct pv_kind { const char *name; void (*call)(void); };' \
		'void pv_call(void) {}' \
		'const struct pv_kind pv_kinds[] = {{"a", pv_call}, {NULL}};' \
		'const char *pv_name(void) { return __func__; }')"
finds 'no-such-file' "an object that is not there is a fault" \
	"$house/globals.sh" "$temporary/no-such-file.o"

tap_done
