# Pages as we read them and as Chromium does with scripts off. To be read by a
# test of one sort of pages:
#
#   . "${top_srcdir:=.}/tests/parse/chromium.sh"
#   read_all pages documents
#   ok $? "pages are read, by us and by Chromium"
#   compare pages "and their $(count_links pages) links are the same"
#   tap_done
#
# What may differ is explained in doc/testing.md.

top_srcdir=${top_srcdir:-.}
. "$top_srcdir/tests/tap.sh"
parse=$top_srcdir/tests/parse

browser=$(command -v chromium || command -v chromium-browser) ||
	skip_all 'chromium is not installed'
command -v node >/dev/null || skip_all 'node is not installed'

directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT
mkdir "$directory/profile" "$directory/sites" "$directory/made" || exit 1

# spread WANTED: of the lines on standard input so many, spread evenly.
spread() {
	awk -v wanted="$1" '{ lines[NR] = $0 }
		END {
			for (i = 1; i <= NR; i++)
				if (int(i * wanted / NR) > int((i - 1) * wanted / NR))
					print lines[i]
		}'
}

# read_all NAME MANNER: has both read the pages that the file names, with their
# encodings where they are read in frames; whether both could.
read_all() {
	node "$parse/chromium.mjs" "$browser" "$directory/profile" \
		"$directory/$1" "$2" >"$directory/$1.theirs"
	theirs=$?
	[ $theirs -ne 77 ] || skip_all 'chromium does not run here'
	[ "$2" = frames ] || set -- "$1"
	# shellcheck disable=SC2086
	./tests/parse/print_links $2 <"$directory/$1" >"$directory/$1.ours"
	ours=$?
	[ $((ours + theirs)) -eq 0 ]
}

# compare NAME SENTENCE: whether both read the same.
compare() {
	cmp -s "$directory/$1.ours" "$directory/$1.theirs"
	ok $? "$2"
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
