#!/bin/sh
# What expressions find on real pages, and on such as are broken in many ways,
# as we find it and as parsel does, by the same libxml2: not one text may differ.
#
# The pages are of Debian's manuals, as many of each: PAVANE_PARSEL_PAGES (100)
# of them, and PAVANE_PARSEL_BROKEN (250) broken ones, always the same.

pages_max=${PAVANE_PARSEL_PAGES:-100}
broken_max=${PAVANE_PARSEL_BROKEN:-250}
manuals='/usr/share/doc/python3.11/html /usr/share/doc/apache2-doc/manual/en
/usr/share/doc/postgresql-doc-15/html /usr/share/doc/debian-handbook/html/en-US'
tree=${srcdir:-.}/tests/tree
expressions=$tree/parsel_expressions.txt

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

python=
for one in python3 /usr/bin/python3; do
	"$one" -c 'import parsel' 2>/dev/null && python=$one && break
done
[ -n "$python" ] || skip 'python3 and its parsel are not installed'

directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT
mkdir "$directory/broken" || exit 1

for manual in $manuals; do
	[ -d "$manual" ] || continue
	find "$manual" -type f -name '*.html' -size -400k |
		LC_ALL=C sort >"$directory/all"
	count=$(wc -l <"$directory/all")
	awk -v step="$(((count * 4 + pages_max - 1) / pages_max))" \
		'step < 1 || NR % step == 0' "$directory/all"
done >"$directory/candidates"
"$python" "$tree/parsel_pages.py" sound "$directory/candidates" \
	>"$directory/real"
[ -s "$directory/real" ] || skip 'no manuals are installed'

# compare LIST KIND
compare() {
	"$python" "$tree/parsel_pages.py" find "$expressions" <"$1" \
		>"$directory/theirs" &&
		./tests/tree/print_matches "$expressions" <"$1" \
			>"$directory/ours"
	read=$?
	number=$((number + 1))
	matches=$(awk 'NF == 3 { sum += $2 } END { print sum + 0 }' \
		"$directory/ours")
	claim="$(wc -l <"$1") $2, $(wc -l <"$expressions") expressions: $matches matches for both"
	if [ $read -eq 0 ] && [ "$matches" -gt 0 ] &&
		cmp -s "$directory/ours" "$directory/theirs"; then
		echo "ok $number - $claim"
		return
	fi
	echo "not ok $number - $claim"
	diff "$directory/theirs" "$directory/ours" | head -n 60 |
		sed 's/^/# /'
	[ -z "$PAVANE_PARSEL_KEEP" ] || cp -r "$directory" "$PAVANE_PARSEL_KEEP"
}

echo '1..2'
number=0
compare "$directory/real" 'real pages'
"$python" "$tree/parsel_pages.py" break "$directory/real" \
	"$directory/broken" "$broken_max" >"$directory/list"
compare "$directory/list" 'broken pages'
