#!/bin/sh
# No more than three files call one another.

. "${top_srcdir:=.}/tests/house/planting.sh"

# planted_circle NAME...: files in which each calls the next one, and the last
# the first.
planted_circle() {
	copy_tree
	first=$1
	while [ $# -gt 0 ]; do
		plant "src/base/$1.c" "int pv_$1(int number)" '{' \
			"	return pv_${2:-$first}(number);" '}'
		shift
	done
}

finds_none "no four files call one another" "$house/circles.sh" "$top_srcdir"

planted_circle a b c d
finds '^4 files call one another: .*base/a.c' "finds four that do" \
	"$house/circles.sh" "$copy"

planted_circle a b c
finds_none "three may" "$house/circles.sh" "$copy"

planted_circle a b c
plant src/base/c.c 'void pv_hook(' '    struct pv_thing *thing, int number)' \
	'{' '}'
plant src/base/d.c 'static const struct table table = {' \
	'    .hook = pv_hook,' '};' 'void pv_d(void)' '{' '	pv_a(1);' '}'
plant src/base/a.c 'int pv_a_to_d(void)' '{' '	return pv_d();' '}'
finds '^4 files call one another: .*base/d.c' \
	"finds one that names a function without calling it" \
	"$house/circles.sh" "$copy"

planted_circle a b c
plant src/base/c.c '/* as pv_d' ' * has it */' 'f("pv_d");'
plant src/base/d.c 'void pv_d(void)' '{' '	pv_a(1);' '}'
finds_none "names in comments and texts are no calls" \
	"$house/circles.sh" "$copy"

tap_done
