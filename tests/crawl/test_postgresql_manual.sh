#!/bin/sh
# The PostgreSQL manual, crawled, mirrored and opened (real_site.sh).

. "${top_srcdir:=.}/tests/crawl/real_site.sh"

wants_all
site 'the PostgreSQL manual' /usr/share/doc/postgresql-doc-15/html / 1000 10
tap_done
