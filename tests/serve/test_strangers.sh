#!/bin/sh
# What strangers could do to who uses the service with a browser: texts that look
# like markup, pages that were stored, names that lead here, pages of other sites.

. "${top_srcdir:=.}/tests/serve/browser.sh"
drive strangers.mjs
