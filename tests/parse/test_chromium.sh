#!/bin/sh
# The links of real pages, as we read them and as Chromium does with scripts
# off: not one may differ, neither in its address nor in its place in the
# order, but for what doc/testing.md explains. places.html has every place where
# one may stand, and many where none does.
#
# The same for broken pages that are made up (broken_pages.mjs), as many as
# PAVANE_BROKEN_MAX says, from the number PAVANE_BROKEN_SEED. Of these only which
# links there are is compared: where a table holds what may not stand in one, a
# tree has another order than its page, and some links twice.
#
# And for pages in each encoding, under each of its labels, with what they say of
# it themselves (encoding_pages.mjs): all of them, or PAVANE_CODED_MAX, spread
# evenly.
#
# The real pages are documentation that is installed on this machine, or all below
# the directories in PAVANE_PAGES (between spaces); of these PAVANE_PAGES_MAX,
# as many of each directory as of any other if it has them, spread evenly.

pages_max=${PAVANE_PAGES_MAX:-2000}
broken_max=${PAVANE_BROKEN_MAX:-400}
broken_seed=${PAVANE_BROKEN_SEED:-1}
coded_max=${PAVANE_CODED_MAX:-10000}
directories=${PAVANE_PAGES:-/usr/share/doc/python3.11/html
/usr/share/doc/apache2-doc/manual /usr/share/doc/postgresql-doc-15/html
/usr/share/doc/debian-handbook/html}
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
mkdir "$directory/profile" "$directory/sites" "$directory/broken" \
	"$directory/coded" || exit 1

# The pages of one directory; names that an address would write in another way
# are left out.
list() {
	find "$1" -type f \( -name '*.html' -o -name '*.htm' \) 2>/dev/null |
		LC_ALL=C grep '^[A-Za-z0-9/._~-]*$' | LC_ALL=C sort
}

# spread WANTED: of the lines on standard input so many, spread evenly.
spread() {
	awk -v wanted="$1" '{ lines[NR] = $0 }
		END {
			for (i = 1; i <= NR; i++)
				if (int(i * wanted / NR) > int((i - 1) * wanted / NR))
					print lines[i]
		}'
}

# The smallest come first, so that the others have what these leave.
count=0
for site in $directories; do
	list "$site" >"$directory/sites/$count"
	pages=$(wc -l <"$directory/sites/$count")
	[ "$pages" -eq 0 ] || echo "$pages $count $site"
	count=$((count + 1))
done | sort -n >"$directory/counts"
left=$(wc -l <"$directory/counts")
[ "$left" -gt 0 ] || skip 'no documentation pages are installed'
while read -r pages number site; do
	wanted=$((pages_max / left))
	[ "$wanted" -le "$pages" ] || wanted=$pages
	pages_max=$((pages_max - wanted))
	left=$((left - 1))
	spread "$wanted" <"$directory/sites/$number" |
		sed 's|.*|& http://pages.test&|'
	echo "# $wanted of $pages pages of $site" >&3
done <"$directory/counts" >"$directory/pages" 3>"$directory/said"
echo "$parse/places.html http://pages.test/places.html" >>"$directory/pages"
count=$(wc -l <"$directory/pages")

number=0
# claim STATUS SENTENCE
claim() {
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
	fi
}

# read_all NAME MANNER: has both read the pages that the file names, with their
# encodings where they are read in frames; whether both could.
read_all() {
	node "$parse/chromium.mjs" "$browser" "$directory/profile" \
		"$directory/$1" "$2" >"$directory/$1.theirs"
	theirs=$?
	[ $theirs -ne 77 ] || skip 'chromium does not run here'
	[ "$2" = frames ] || set -- "$1"
	# shellcheck disable=SC2086
	./tests/parse/print_links $2 <"$directory/$1" >"$directory/$1.ours"
	ours=$?
	[ $((ours + theirs)) -eq 0 ]
}

# compare NAME SENTENCE: whether both read the same.
compare() {
	cmp -s "$directory/$1.ours" "$directory/$1.theirs"
	claim $? "$2"
	diff -U 3 "$directory/$1.theirs" "$directory/$1.ours" |
		head -n 100 | sed 's/^/# /'
}

# Makes of the lines of each page one set.
sort_links() {
	for who in ours theirs; do
		awk -F '\t' 'NF == 1 { file = $0; next } { print file "\t" $0 }' \
			"$directory/$1.$who" | LC_ALL=C sort -u >"$directory/sorted"
		mv "$directory/sorted" "$directory/$1.$who"
	done
}

# count_links NAME
count_links() {
	grep -cE '	(page|resource)	|^(page|resource)	' "$directory/$1.ours"
}

# The first run finds out whether there is a browser at all.
read_all pages documents
is_read=$?
echo '1..6'
cat "$directory/said"
claim $is_read "$count real pages are read, by us and by Chromium"
compare pages "and their $(count_links pages) links are the same"

node "$parse/broken_pages.mjs" "$directory/broken" "$broken_max" \
	"$broken_seed" >"$directory/made"
read_all made frames
claim $? "and $(wc -l <"$directory/made") broken ones"
sort_links made
compare made "and their $(count_links made) links are the same"

node "$parse/encoding_pages.mjs" "$directory/coded" |
	spread "$coded_max" >"$directory/encodings"
read_all encodings frames
claim $? "and $(wc -l <"$directory/encodings") in all encodings and none"
sort_links encodings
compare encodings "and their $(count_links encodings) links are the same"
