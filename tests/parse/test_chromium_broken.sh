#!/bin/sh
# The links of broken pages that are made up (broken_pages.mjs), as we read them
# and as Chromium does: as many as PAVANE_BROKEN_MAX says, from the number
# PAVANE_BROKEN_SEED. Only which links there are is compared: where a table holds
# what may not stand in one, a tree has another order than its page, and some
# links twice.

. "${top_srcdir:=.}/tests/parse/chromium.sh"

node "$parse/broken_pages.mjs" "$directory/made" \
	"${PAVANE_BROKEN_MAX:-50}" "${PAVANE_BROKEN_SEED:-1}" \
	>"$directory/broken"
read_all broken frames
ok $? "$(wc -l <"$directory/broken") broken pages are read, by us and by Chromium"
sort_links broken
compare broken "and their $(count_links broken) links are the same"
tap_done
