#!/bin/sh
# The manual pages of the library, made of its headers' comments: each header and
# each function stands in one, and mandoc and groff have nothing against them.

. "${top_srcdir:=.}/tests/house/planting.sh"

pages=$top_builddir/doc
library=$top_builddir/.libs/libpavane.so

# The headers but pavane.h, whose page is the overview, and that of the service,
# which is the program's alone.
subjects() {
	(cd "$top_srcdir/include/pavane" && ls ./*.h) |
		sed 's#^\./##; s/\.h$//' | grep -vx 'pavane\|serve'
}

### The pages

missing=$(subjects | while read -r name; do
	[ -s "$pages/pavane-$name.3" ] || echo "pavane-$name.3"
done)
[ -n "$(subjects)" ] && [ -z "$missing" ]
ok $? "each header has a page"
remark "$missing"
missing=$(subjects | while read -r name; do
	grep -qx "\.BR pavane\\\\-$name (3)" "$pages/pavane.3" || echo "$name"
done)
[ -z "$missing" ]
ok $? "and pavane(3) names it"
remark "$missing"

# How often each function that is exported is declared in a synopsis.
declared() {
	for page in "$pages"/pavane*.3; do
		sed -n '/^\.SH SYNOPSIS$/,/^\.SH DESCRIPTION$/p' "$page"
	done | grep -o 'pavane_[a-z_]*(' | tr -d '(' | sort
}

if [ -f "$library" ]; then
	# NM is a list of words.
	# shellcheck disable=SC2086
	${NM:-nm} -D -P --defined-only "$library" | sed 's/[ @].*//' |
		grep '^pavane_' | sort >"$temporary/exported"
	declared >"$temporary/declared"
	[ -s "$temporary/exported" ] &&
		cmp -s "$temporary/exported" "$temporary/declared"
	ok $? "each function that is exported stands in one page, once"
	remark "$(diff "$temporary/exported" "$temporary/declared")"
else
	skip "each function that is exported stands in one page, once" \
		"there is no shared library"
fi

# lints CLAIM COMMAND...: the command says nothing about the pages.
lints() {
	claim=$1
	shift
	if command -v "$1" >/dev/null; then
		said=$("$@" "$pages"/pavane*.3 2>&1)
		[ -z "$said" ]
		ok $? "$claim"
		remark "$(echo "$said" | head -n 10)"
	else
		skip "$claim" "there is no $1"
	fi
}

lints "mandoc has nothing against any page" mandoc -T lint -W warning
lints "nor has groff" groff -man -Tutf8 -ww -z

### How a page is made

cat >"$temporary/small.h" <<'END'
#ifndef PAVANE_SMALL_H
#define PAVANE_SMALL_H

#include "pavane/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Small things: count them. Each is `small`.
 *
 *	use it-so;
 */

#ifdef __cplusplus
int only_cxx(void);
#endif

struct pavane_hidden;

/* A thing. */
struct pavane_small {
	size_t size;

	/* Of both that follow. */
	int a;
	int b; /* of this
		  alone */

	/* Of the call. */
	void (*on_it)(
	    void *ctx);
	void *ctx;
};

enum pavane_sort {
	PAVANE_GOOD,
	PAVANE_BAD /* as bad */
};

/* Frees both, of which one may be NULL. */
PAVANE_API void pavane_small_free(struct pavane_small *one,
    struct pavane_small *another_one_of_those);
PAVANE_API __attribute__((noreturn)) void pavane_end(void);

#ifdef __cplusplus
}
#endif

#endif
END
cat >"$temporary/example.c" <<'END'
/* Counts things. And says so. */

int main(void)
END
printf '/* Pavane, as a library. */\n\n#include "pavane/small.h"\n' \
	>"$temporary/pavane.h"

# make_page NAME: in $temporary/page.3.
make_page() {
	${AWK:-awk} -v page="$1" -v version=7.0 -v day=2026-11-28 \
		-f "$top_srcdir/doc/library.awk" "$temporary"/*.h \
		"$temporary/example.c" >"$temporary/page.3" \
		2>"$temporary/said"
}

# has CLAIM LINE...: these lines follow one another in the page.
has() {
	claim=$1
	shift
	printf '%s\n' "$@" | awk '
		FILENAME == "-" { wanted[++count] = $0; next }
		{ line[FNR] = $0; last = FNR }
		END {
			for (at = 1; at <= last && !is_there; at++) {
				is_there = 1
				for (i = 1; i <= count; i++)
					if (line[at + i - 1] != wanted[i])
						is_there = 0
			}
			exit !is_there
		}' - "$temporary/page.3"
	ok $? "$claim"
}

make_page small
ok $? "a page is made of a small header"
has "its names are its own and its functions', and the first sentence" \
	'.SH NAME' 'pavane\-small,' 'pavane_small_free,' \
	'pavane_end \- small things: count them'
has "the first comment is the description, with its code as it is" \
	'.SH DESCRIPTION' 'Small things: count them. Each is \(gasmall\(ga.' \
	'.PP' '.nf' '    use it\-so;' '.fi'
has "a comment above members is of those below it" '.PP' \
	'Of both that follow.' '.TP' '\fBint a\fR' '.TP' '\fBint b\fR' \
	'of this' 'alone'
has "one above a function is of this alone" '.TP' \
	'\fBvoid (*on_it)(void *ctx)\fR' 'Of the call.' '.TP' \
	'\fBvoid *ctx\fR' '.RE'
has "an enum has its words" '\fBPAVANE_GOOD\fR' '.TP' '\fBPAVANE_BAD\fR' \
	'as bad'
has "functions share the comment above them" '.TP' \
	'\fBpavane_small_free\fR()' '.TQ' '\fBpavane_end\fR()' \
	'Frees both, of which one may be NULL.'
has "the synopsis has prototypes that fit" '.PP' \
	'\fBvoid pavane_small_free(struct pavane_small *one,\fR' \
	'\fB    struct pavane_small *another_one_of_those);\fR' \
	'\fBvoid pavane_end(void);\fR' '.fi'
! grep -q 'cxx\|hidden\|API' "$temporary/page.3"
ok $? "and nothing has what is not for readers"

make_page pavane
has "the overview names the page" '.BR pavane\-small (3)' \
	'Small things: count them.'
has "and the examples" '.I example.c' 'Counts things.'
make_page none
[ $? -eq 1 ] && grep -q 'no comment in none.h' "$temporary/said"
ok $? "a header without a comment is an error"

tap_done
