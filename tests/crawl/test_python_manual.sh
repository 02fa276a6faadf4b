#!/bin/sh
# The Python manual, crawled, mirrored and opened (real_site.sh).

. "${top_srcdir:=.}/tests/crawl/real_site.sh"

site 'the Python manual' /usr/share/doc/python3.11/html / 500 \
	"$(is_thorough && echo 50 || echo 5)"
tap_done
