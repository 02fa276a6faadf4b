#!/bin/sh
# The services of systemd: what each may do, and that an installation has its own
# directories in them.

. "${top_srcdir:=.}/tests/house/planting.sh"

units=$top_srcdir/packaging

# What is allowed has 0 to 10 points; 2.0 is the most that we want.
if command -v systemd-analyze >/dev/null &&
	systemd-analyze security --help 2>&1 | grep -q -e --offline; then
	for unit in pavane.service pavane@.service; do
		systemd-analyze security --offline=true --threshold=20 --no-pager \
			"$units/$unit" >"$temporary/said" 2>&1
		ok $? "P7: systemd finds $unit exposed by 2.0 points at most"
		remark "$(grep 'Overall' "$temporary/said")"
		! grep -i 'unknown\|ignoring' "$temporary/said"
		ok $? "and knows all of its lines"
	done
	sed '/^Protect\|^Private\|^Restrict/d' "$units/pavane.service" \
		>"$temporary/pavane.service"
	! systemd-analyze security --offline=true --threshold=20 --no-pager \
		"$temporary/pavane.service" >"$temporary/said" 2>&1
	ok $? "one that protects less is found"
else
	for unit in pavane.service pavane@.service; do
		skip "systemd finds $unit little exposed" "no systemd-analyze"
		skip "and knows all of its lines" "no systemd-analyze"
	done
	skip "one that protects less is found" "no systemd-analyze"
fi

sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' "$units"/*.service |
	sort -u >"$temporary/programs"
[ "$(cat "$temporary/programs")" = /usr/bin/pavane ]
ok $? "they start the program of a package"
(cd "$top_builddir" && rm -f units/pavane.service &&
	unset MAKEFLAGS && ${MAKE:-make} -s bindir=/opt/bin sysconfdir=/opt/etc \
		units/pavane.service) >"$temporary/said" 2>&1 &&
	grep -q '^ExecStart=/opt/bin/pavane serve -c /opt/etc/pavane/' \
		"$top_builddir/units/pavane.service" &&
	grep -q 'XDG_CONFIG_HOME=/opt/etc ' "$top_builddir/units/pavane.service"
ok $? "and that of an installation where it is one"
remark "$(cat "$temporary/said")"
rm -f "$top_builddir/units/pavane.service"
tap_done
