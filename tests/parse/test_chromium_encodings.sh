#!/bin/sh
# The links of pages in each encoding, under each of its labels, with what they
# say of it themselves (encoding_pages.mjs), as we read them and as Chromium
# does: PAVANE_CODED_MAX of these pages, spread evenly.

. "${top_srcdir:=.}/tests/parse/chromium.sh"

node "$parse/encoding_pages.mjs" "$directory/made" |
	spread "${PAVANE_CODED_MAX:-75}" >"$directory/encodings"
read_all encodings frames
ok $? "$(wc -l <"$directory/encodings") pages are read in all encodings and none"
sort_links encodings
compare encodings "and their $(count_links encodings) links are the same"
tap_done
