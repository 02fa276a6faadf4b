#!/bin/sh
# The links of real pages, as we read them and as Chromium does: not one may
# differ, neither in its address nor in its place in the order. places.html has
# every place where one may stand, and many where none does.
#
# The pages are documentation that is installed on this machine, or all below
# the directories in PAVANE_PAGES (between spaces); of these, 600 spread
# evenly.

pages_max=${PAVANE_PAGES_MAX:-600}
directories=${PAVANE_PAGES:-/usr/share/doc/python3.11/html
/usr/share/doc/apache2-doc/manual /usr/share/doc/libxslt1-dev
/usr/share/doc/nodejs /usr/share/doc/autoconf-archive/html
/usr/share/doc/postgresql-doc-15/html /usr/share/doc/debian-handbook/html}
parse=${srcdir:-.}/tests/parse

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

browser=$(command -v chromium || command -v chromium-browser) ||
	skip 'chromium is not installed'
command -v node >/dev/null || skip 'node is not installed'

directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT
mkdir "$directory/profile" || exit 1

# "FILE BASE" for each page; names that an address would write in another way
# are left out.
# shellcheck disable=SC2086
find $directories -type f \( -name '*.html' -o -name '*.htm' \) 2>/dev/null |
	LC_ALL=C grep '^[A-Za-z0-9/._~-]*$' | LC_ALL=C sort >"$directory/all"
count=$(wc -l <"$directory/all")
[ "$count" -gt 0 ] || skip 'no documentation pages are installed'
awk -v step="$(((count + pages_max - 1) / pages_max))" \
	'NR % step == 0 { print $0 " http://pages.test" $0 }' \
	"$directory/all" >"$directory/pages"
echo "$parse/places.html http://pages.test/places.html" >>"$directory/pages"
count=$(wc -l <"$directory/pages")

node "$parse/chromium.mjs" "$browser" "$directory/profile" \
	"$directory/pages" >"$directory/theirs"
theirs=$?
[ $theirs -ne 77 ] || skip 'chromium does not run here'
echo '1..2'
./tests/parse/print_links <"$directory/pages" >"$directory/ours"
ours=$?
if [ $theirs -eq 0 ] && [ $ours -eq 0 ]; then
	echo "ok 1 - $count pages are read, by us and by Chromium"
else
	echo "not ok 1 - $count pages are read, by us and by Chromium"
fi
lines=$(grep -c '	' "$directory/ours")
if cmp -s "$directory/ours" "$directory/theirs"; then
	echo "ok 2 - and their $lines links are the same"
else
	echo "not ok 2 - and their $lines links are the same"
	diff -U 3 "$directory/theirs" "$directory/ours" | head -n 100 |
		sed 's/^/# /'
fi
