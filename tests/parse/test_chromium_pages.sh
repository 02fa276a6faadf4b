#!/bin/sh
# The links of real pages, as we read them and as Chromium does: not one may
# differ, neither in its address nor in its place in the order. places.html has
# every place where one may stand, and many where none does.
#
# The real pages are documentation that is installed on this machine, or all below
# the directories in PAVANE_PAGES (between spaces); of these PAVANE_PAGES_MAX,
# as many of each directory as of any other if it has them, spread evenly.

pages_max=${PAVANE_PAGES_MAX:-200}
directories=${PAVANE_PAGES:-/usr/share/doc/python3.11/html
/usr/share/doc/apache2-doc/manual /usr/share/doc/postgresql-doc-15/html
/usr/share/doc/debian-handbook/html}
. "${top_srcdir:=.}/tests/parse/chromium.sh"

# The pages of one directory; names that an address would write in another way
# are left out.
list() {
	find "$1" -type f \( -name '*.html' -o -name '*.htm' \) 2>/dev/null |
		LC_ALL=C grep '^[A-Za-z0-9/._~-]*$' | LC_ALL=C sort
}

# The smallest come first, so that the others have what these leave.
count=0
for site in $directories; do
	list "$site" >"$directory/made/$count"
	pages=$(wc -l <"$directory/made/$count")
	[ "$pages" -eq 0 ] || echo "$pages $count $site"
	count=$((count + 1))
done | sort -n >"$directory/counts"
left=$(wc -l <"$directory/counts")
[ "$left" -gt 0 ] || skip_all 'no documentation pages are installed'
while read -r pages number site; do
	wanted=$((pages_max / left))
	[ "$wanted" -le "$pages" ] || wanted=$pages
	pages_max=$((pages_max - wanted))
	left=$((left - 1))
	spread "$wanted" <"$directory/made/$number" |
		sed 's|.*|& http://pages.test&|'
	echo "# $wanted of $pages pages of $site" >&3
done <"$directory/counts" >"$directory/pages" 3>"$directory/said"
echo "$parse/places.html http://pages.test/places.html" >>"$directory/pages"

read_all pages documents
ok $? "$(wc -l <"$directory/pages") real pages are read, by us and by Chromium"
cat "$directory/said"
compare pages "and their $(count_links pages) links are the same"
tap_done
