#!/bin/sh
# The page for people in Chromium: each screen by keyboard alone, in a wide and a
# narrow window, light and dark, and what it asks of whom. With axe-core from npm
# in AXE_DIR it is also looked at for what keeps people out.

. "${top_srcdir:=.}/tests/serve/browser.sh"
drive dashboard.mjs
