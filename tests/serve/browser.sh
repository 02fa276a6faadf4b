# For tests of the service with a browser: sourced by each.

. "$top_srcdir/tests/cli/program.sh"

browser=$(command -v chromium || command -v chromium-browser) ||
	skip_all 'chromium is not installed'
command -v node >/dev/null || skip_all 'node is not installed'

# drive SCRIPT: runs it, which makes all claims.
drive() {
	node "$top_srcdir/tests/serve/$1" "$pavane" "$browser" "$work"
	exit
}
