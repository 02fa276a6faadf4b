# For tests of the program: sourced by each. A directory of its own, a home of
# its own, and TAP.

: "${top_srcdir:=.}" "${top_builddir:=.}"
pavane=$(cd "$top_builddir" && pwd)/pavane
policies=$(cd "$top_srcdir" && pwd)/policies
work=$(mktemp -d "${TMPDIR:-/tmp}/pavane-cli.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
export HOME="$work/home"
unset XDG_CONFIG_HOME http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY \
	ALL_PROXY
mkdir "$HOME"

claims=0
failures=0

# claim STATUS TEXT: a claim that holds if the status is 0.
claim() {
	claims=$((claims + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $claims - $2"
	else
		failures=$((failures + 1))
		echo "not ok $claims - $2"
		sed 's/^/# out: /' out
		sed 's/^/# err: /' err
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

done_testing() {
	echo "1..$claims"
	[ "$failures" -eq 0 ]
	exit
}
