#!/bin/sh
# The Apache manual, crawled, mirrored and opened (real_site.sh).

. "${top_srcdir:=.}/tests/crawl/real_site.sh"

wants_all
site 'the Apache manual' /usr/share/doc/apache2-doc /manual/ 2000 10
tap_done
