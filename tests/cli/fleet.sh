# For tests of the program with a fleet, sourced behind program.sh: a cluster of
# PostgreSQL of the test's own that runs, as $fleet, and the demo's site at $address.
# What the test starts it names in $one and $two.

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)
[ -x "$bin/initdb" ] || skip_all "no initdb of PostgreSQL"
"$pavane" status --fleet host=/nowhere shared 2>&1 |
	grep -q 'built without PostgreSQL' && skip_all "built without PostgreSQL"
# The server's user has to enter the directory, which the harness has made.
as=
if [ "$(id -u)" -eq 0 ]; then
	id postgres >/dev/null 2>&1 || skip_all "nobody but root"
	as="runuser -u postgres --"
	chmod 711 "$work"
	case $work in
	*/pavane-test.*/*) chmod 711 "${work%/*}" ;;
	esac
	mkdir data
	chown postgres data
else
	mkdir data
fi

# server PROGRAM ARGUMENT...: one of PostgreSQL's, as that user.
server() {
	program=$1
	shift
	(cd / && $as "$bin/$program" -D "$work/data/pg" "$@")
}

# server_start, server_stop: it runs, or is gone as by a loss of power.
server_start() {
	server pg_ctl -w -l "$work/data/log" \
		-o "-k $work/data -c listen_addresses=" start >>log 2>&1
}
server_stop() {
	server pg_ctl -m immediate stop >>log 2>&1
}

site=
one=
two=
trap 'kill -9 $site $one $two 2>/dev/null
server_stop
wait
rm -rf "$work"' EXIT
server initdb -U pavane --auth=trust >log 2>&1 &&
	server_start || { remark "$(cat log)"; exit 99; }
fleet="host=$work/data user=pavane dbname=postgres"

"$pavane" demo --serve 0 >served 2>&1 &
site=$!
while kill -0 $site && [ ! -s served ]; do
	sleep 0.02
done
address=$(sed 's/ .*//' served)

# awaits FILE PATTERN CLAIM: the file comes to have such a line, within a minute.
awaits() {
	looks=0
	until grep -Eqs -e "$2" "$1" || [ $looks -eq 1500 ]; do
		looks=$((looks + 1))
		sleep 0.04
	done
	grep -Eqs -e "$2" "$1"
	claim $? "$3"
}
