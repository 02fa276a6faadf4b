#!/bin/sh
# The links of real style sheets, and of such as are spoilt in many ways, as we
# read them and as tinycss2 makes tokens of them: not one may differ.
#
# The sheets are those that are installed on this machine, or all below the
# directories in PAVANE_SHEETS (between spaces); of these, 200 spread evenly.

sheets_max=${PAVANE_SHEETS_MAX:-200}
directories=${PAVANE_SHEETS:-/usr/share /usr/lib}
parse=${srcdir:-.}/tests/parse

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

python=
for one in python3 /usr/bin/python3; do
	"$one" -c 'import tinycss2' 2>/dev/null && python=$one && break
done
[ -n "$python" ] || skip 'python3 and its tinycss2 are not installed'

directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT
mkdir "$directory/spoilt" || exit 1

# shellcheck disable=SC2086
find $directories -type f -name '*.css' -size -512k 2>/dev/null |
	LC_ALL=C grep '^[ -~]*$' | LC_ALL=C sort >"$directory/all"
count=$(wc -l <"$directory/all")
[ "$count" -gt 0 ] || skip 'no style sheets are installed'
awk -v step="$(((count + sheets_max - 1) / sheets_max))" \
	'NR % step == 0' "$directory/all" >"$directory/real"

# compare LIST KIND
compare() {
	"$python" "$parse/sheets.py" links "$1" >"$directory/theirs" &&
		./tests/parse/print_sheets <"$1" >"$directory/ours"
	read=$?
	links=$(grep -c '^	' "$directory/ours")
	number=$((number + 1))
	if [ $read -eq 0 ] && [ "$links" -gt 0 ] &&
		cmp -s "$directory/ours" "$directory/theirs"; then
		echo "ok $number - $(wc -l <"$1") $2 have $links links for both"
		return
	fi
	echo "not ok $number - $(wc -l <"$1") $2 have $links links for both"
	diff -U 3 "$directory/theirs" "$directory/ours" | head -n 60 |
		sed 's/^/# /'
}

echo '1..2'
number=0
compare "$directory/real" 'real sheets'
"$python" "$parse/sheets.py" spoil "$directory/real" "$directory/spoilt" \
	>"$directory/list"
compare "$directory/list" 'spoilt sheets'
