#!/bin/sh
# The flags that make a fault harder to use reach the library and the program.

. "${top_srcdir:=.}/tests/house/planting.sh"

library=$top_builddir/.libs/libpavane.so

[ "${hardening:-yes}" = yes ] || skip_all "configured without them"
[ -f "$library" ] || skip_all "there is no shared library"
readelf -h "$library" >/dev/null 2>&1 || skip_all "this is not ELF"

program=$top_builddir/.libs/pavane
[ -f "$program" ] || program=$top_builddir/pavane

# A program that copies into its stack, made with further flags.
copying() {
	printf '%s\n' '#include <stdio.h>' 'int main(int argc, char **argv) {' \
		'char text[9]; snprintf(text, (size_t)argc, "%s", argv[0]);' \
		'return puts(text); }' >"$temporary/copying.c"
	# shellcheck disable=SC2086
	${CC:-cc} -w -O2 -fPIE -pie -fstack-protector-strong \
		-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -Wl,-z,relro,-z,now \
		"$@" -o "$temporary/copying" "$temporary/copying.c"
}

# planted KIND LACK FLAG: leaving out what the flag says is found.
planted() {
	copying "$3"
	finds "$2" "finds what $2" "$house/hardened.sh" "$1" \
		"$temporary/copying"
}

finds_none "the library's layout is hard" \
	"$house/hardened.sh" layout "$library"
finds_none "the program's is" "$house/hardened.sh" layout "$program"
case " ${house_flags:-} " in
*\ -O[123s]*)
	finds_none "the library guards its stack and copies" \
		"$house/hardened.sh" guards "$library"
	;;
*) skip "the library guards its stack and copies" "not optimised" ;;
esac

copying
finds_none "a program with all flags has a hard layout" \
	"$house/hardened.sh" layout "$temporary/copying"
finds_none "and guards" "$house/hardened.sh" guards "$temporary/copying"
planted layout "stands at a fixed address" -no-pie
planted layout "keeps its tables of pointers writable" -Wl,-z,norelro
planted layout "looks up functions late" -Wl,-z,lazy
planted layout "has a stack that can be executed" -Wl,-z,execstack
planted guards "does not guard its stack" -fno-stack-protector
planted guards "does not check what it copies" -U_FORTIFY_SOURCE

tap_done
