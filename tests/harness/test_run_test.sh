#!/bin/sh
# How `make check` runs a test: with a time limit, with its claims counted, and
# with nothing left behind.

top_builddir=$(cd "${top_builddir:-.}" && pwd)
tree=$(cd "${top_srcdir:-.}" && pwd)
. "$tree/tests/tap.sh"
run_test=$top_builddir/tests/harness/run_test

work=$(mktemp -d "$top_builddir/scratch.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$work/tests/room" "$work/tests/harness"
cp "$tree/tests/harness/stacks.sh" "$work/tests/harness"
cd "$work" || exit 1
top_srcdir=$work
export top_srcdir

# runs TEXT: runs a test of that text, which is to make 3 claims.
runs() {
	echo "tests/room/test_it 3" >tests/claims
	printf '%s\n' "$1" >tests/room/test_it.sh
	status=0
	"$run_test" sh tests/room/test_it.sh >said 2>&1 || status=$?
}

# ends STATUS PATTERN CLAIM: it ended so, and said such a line.
ends() {
	[ "$status" -eq "$1" ] && grep -Eq -e "$2" said
	is_so=$?
	ok $is_so "$3"
	[ $is_so -eq 0 ] || remark "status $status: $(cat said)"
}

three='echo ok 1 - a; echo not ok 2 - b; echo "ok 3 - c # SKIP d"; '

runs "$three echo 1..3"
ends 0 '^# took [0-9.]+ s, [0-9.]+ s of processor time, for 3 claims$' \
	"a test is said to have taken so long, with so many claims"
[ "$(head -n 4 said)" = "$(sh tests/room/test_it.sh)" ]
ok $? "what it says is passed on"
! grep -q Bail said
ok $? "and nothing else is said of it"
runs "$three echo ok 4; echo 1..4"
ends 0 'for 4 claims' "a test may make more claims than were counted before"
runs "printf 'ok 1 - a\\nok 2'; echo; echo okay; echo ' ok 3'; echo 1..2"
ends 1 'Bail out! tests/room/test_it made 2 claims, and tests/claims has 3' \
	"a test that makes fewer has failed"
runs 'echo "1..0 # SKIP no tools"'
ends 0 'for 0 claims' "but for one that is skipped as a whole"
runs 'echo "# no tools"; echo "1..0 # SKIP"'
ends 0 'for 0 claims' "where a remark may come first"
runs 'echo "# no tools"; echo; echo "1..0 # SKIP"'
ends 0 'for 0 claims' "and an empty line"
runs 'echo ok 1; echo "1..0 # SKIP no tools"'
ends 1 'Bail out! tests/room/test_it made 1 claims' \
	"not for one that says so when it has begun"
runs 'echo page; echo "1..0 # SKIP no tools"'
ends 1 'Bail out! tests/room/test_it made 0 claims' "whatever it has said"
runs "$three exit 7"
ends 7 'for 3 claims' "its status is passed on"
runs "$three kill -9 \$\$"
ends 137 'for 3 claims' "and by what it was killed"

(
	trap '' HUP TSTP
	runs "$three"'echo 1..3; sh -c "kill -s HUP \$\$"; echo "# $?"'
	mv said said.signals
)
grep -q '^# 129$' said.signals
ok $? "a signal that is ignored where tests are run reaches a test"

PAVANE_TEST_LIMIT=1
export PAVANE_TEST_LIMIT
runs "$three sleep 60 & echo \$! >pid; sleep 60"
ends 1 'Bail out! tests/room/test_it was killed: .* after 1 s' \
	"a test that does not end is killed"
! kill -0 "$(cat pid)" 2>/dev/null
ok $? "and with it what it started"
grep -q '^# process [0-9]*: sh tests/room/test_it.sh' said
ok $? "before that it is said what the test is at"
grep -A 1 '^# process [0-9]*: sleep 60' said | grep -q '^#   '
ok $? "and what all that it has started are"
unset PAVANE_TEST_LIMIT

rm pid
runs "$three setsid sh -c 'echo \$\$ >pid; exec sleep 60' & echo 1..3
	while ! [ -s pid ]; do sleep 0.01; done"
ends 0 '^# left [1-9][0-9]* processes running$' \
	"what a test leaves running is told of"
! kill -0 "$(cat pid)" 2>/dev/null
ok $? "and killed"

rm pid
echo "echo \$\$ >pid; sleep 60" >tests/room/test_it.sh
"$run_test" sh tests/room/test_it.sh >said 2>&1 &
runner=$!
while ! [ -s pid ]; do sleep 0.01; done
kill -TERM $runner
wait $runner
status=$?
ends 143 'for 0 claims' "a signal to stop is one for the test"
grep -Eq 'run_test: tests/room/test_it was stopped after [0-9]+ s' said
ok $? "of which whoever asked for all of them is told"
! kill -0 "$(cat pid)" 2>/dev/null
ok $? "and ends it"

rm tests/claims
"$run_test" sh tests/room/test_it.sh >said 2>&1
status=$?
ends 1 'Bail out! run_test: .*/tests/claims: No such file' \
	"a table that is missing is a fault"

### What tests in C say of themselves

# compiled TEXT: runs a program whose main does this, and then claims one thing
# and is done.
compiled() {
	cat >it.c <<-END
		#include <pthread.h>
		#include <signal.h>
		#include <stdlib.h>
		#include <sys/wait.h>

		#include "together.h"

		static void *leave(void *unused)
		{
			(void)unused;
			exit(0);
		}

		int main(void)
		{
			pthread_t thread;
			ok(true, "a");
			if (0)
				pthread_create(&thread, NULL, leave, NULL);
			$1
			ok(true, "b");
			return tap_done();
		}
	END
	# CC and the flags are lists of words.
	# shellcheck disable=SC2086
	if ! ${CC:-cc} ${house_flags:-} -w -I"$tree/src" -I"$tree/include" \
		-I"$tree/tests" -o it it.c "$tree/src/base/str.c" -lpthread \
		2>errors; then
		remark "$(cat errors)"
	fi
	echo "./it ${2:-2}" >tests/claims
	status=0
	"$run_test" ./it >said 2>&1 || status=$?
}

early='Bail out! the program ended before tap_done'
compiled ''
ends 0 '^1\.\.2$' "a program that reaches its end is well"
compiled 'return 0;'
ends 1 "$early" "a return from main before that is a failure"
compiled 'exit(0);'
ends 1 "$early" "and so is an exit"
compiled 'pthread_create(&thread, NULL, leave, NULL);
	pthread_join(thread, NULL);'
ends 1 "$early" "and one on another thread"
compiled 'if (fork() == 0) exit(0); wait(NULL);'
ends 0 '^1\.\.2$' "the exit of a child is none"
compiled 'for (int i = 0; i < 0; i++) ok(true, "c");' 3
ends 1 'Bail out! .* made 2 claims, and tests/claims has 3' \
	"a loop that never runs is found"
compiled 'return tap_done();'
ends 1 'Bail out! .* made 1 claims, and tests/claims has 2' \
	"and so is the end where more was to be claimed"

### Parts at the same time

all='struct together all = {0};'
compiled "$all together(&all, usleep(50000); ok(true, \"c\"); printf(\"# d\n\"));
	together(&all, ok(true, \"e\")); together_end(&all);" 4
ends 0 '^1\.\.4$' "what runs together is counted together"
[ "$(head -n 5 said | tr '\n' ,)" = 'ok 1 - a,ok 2 - c,# d,ok 3 - e,ok 4 - b,' ]
ok $? "and told in order"
compiled "$all for (int i = 0; i < 30; i++) together(&all, ok(true, \"c\"));
	together_end(&all);" 32
ends 0 '^1\.\.32$' "there may be many"
compiled "$all together(&all, ok(false, \"c\")); together_end(&all);"
ends 1 '^not ok 2 - c$' "a claim of one that fails is a failure"
compiled "$all together(&all, return 0); together_end(&all);"
ends 1 '^not ok 2 - part 1 comes to its end' "and so is a return from it"
compiled "$all together(&all, ok(true, \"c\"); exit(0)); together_end(&all);"
ends 1 '^not ok 3 - part 1 comes to its end' "and an exit"
compiled "$all together(&all, raise(SIGKILL)); together_end(&all);"
ends 1 '^not ok 2 - part 1 comes to its end' "and a crash"

# Files

memory=/dev/shm
[ -d "$memory" ] && [ -w "$memory" ] &&
	[ "$(df -Pk "$memory" | awk 'NR == 2 { print $4 }')" -gt 4194304 ] ||
	memory=
(
	unset PAVANE_SCRATCH
	runs "$three"'echo 1..3; echo "# in $PAVANE_SCRATCH"; mkdir -p \
		"$TMPDIR/scratch/deep" && echo x >"$TMPDIR/scratch/deep/file"'
	mv said said.files
)
place=$(sed -n 's/^# in //p' said.files)
[ "${place%/*}" = "$memory" ] || [ -z "$memory$place" ]
ok $? "a test has its files in memory, where that has room"
[ -z "$place" ] || [ ! -e "$place" ]
ok $? "and they are gone when it has ended"
PAVANE_SCRATCH=$work runs \
	"$three"'echo 1..3; echo "# in $PAVANE_SCRATCH"; echo x >"$PAVANE_SCRATCH/x"'
ends 0 "^# in $work\$" "or where the environment says"
[ -e "$work/x" ]
ok $? "and there nothing is removed"
tap_done
