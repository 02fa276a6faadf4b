# For tests of the program: sourced by each. A directory of its own, a home of
# its own, and TAP.

top_srcdir=$(cd "${top_srcdir:-.}" && pwd)
pavane=$(cd "${top_builddir:-.}" && pwd)/pavane
policies=$top_srcdir/policies
work=$(mktemp -d "${TMPDIR:-/tmp}/pavane-cli.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
export HOME="$work/home"
unset XDG_CONFIG_HOME XDG_STATE_HOME http_proxy https_proxy all_proxy \
	HTTP_PROXY HTTPS_PROXY ALL_PROXY
mkdir "$HOME"

. "$top_srcdir/tests/tap.sh"

# claim STATUS TEXT: a claim about the last run, which is shown where it fails.
claim() {
	ok "$1" "$2"
	if [ "$1" -ne 0 ]; then
		remark "out: $(cat out)"
		remark "err: $(cat err)"
	fi
}

# run ARGUMENT...: runs the program; what it says is in out and err, its status
# in $status.
run() {
	status=0
	"$pavane" "$@" >out 2>err </dev/null || status=$?
}

# exits STATUS CLAIM: the last run ended so.
exits() {
	[ "$status" -eq "$1" ]
	claim $? "$2"
}

# says FILE PATTERN CLAIM: out or err has a line that matches.
says() {
	grep -Eq -e "$2" "$1"
	claim $? "$3"
}

silent() {
	[ ! -s "$1" ]
	claim $? "$2"
}
