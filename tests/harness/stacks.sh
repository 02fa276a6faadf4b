#!/bin/sh
# stacks.sh PID...: what these processes and all that they have started are at, as
# remarks of a test that waits in vain. Of each its command and the stacks of its
# threads (by gdb, else by eu-stack; where neither may look, in which call of the
# kernel each waits); of a crawl also what it says of itself. It changes nothing,
# and takes a minute of each process at most.

remarks() {
	sed 's/^/#   /'
}

# Each of them, and their children, parents first.
descendants() {
	for process; do
		echo "$process"
		descendants $(cat "/proc/$process/task/"*/children 2>/dev/null)
	done
}

stacks_of() {
	gdb --version >/dev/null 2>&1 &&
		timeout 60 gdb -nx -batch -p "$1" -ex 'thread apply all bt' \
			2>/dev/null | grep -E '^(Thread |#)' && return
	timeout 60 eu-stack -p "$1" 2>/dev/null && return
	for thread in "/proc/$1/task/"*; do
		[ -d "$thread" ] || continue
		echo "thread ${thread##*/}:" \
			"$(sed -n 's/^State:[[:space:]]*//p' "$thread/status")" \
			"in $(cat "$thread/wchan")" \
			"call $(cat "$thread/syscall")"
	done 2>/dev/null
}

# A crawl's directory is one of the words of its command.
status_of() {
	tr '\0' '\n' <"/proc/$1/cmdline" | while read -r word; do
		[ -n "$word" ] && [ -f "/proc/$1/cwd/$word/state.db" ] &&
			(cd "/proc/$1/cwd" &&
				timeout 60 "/proc/$1/exe" status --json "$word")
	done 2>/dev/null
}

for process in $(descendants "$@"); do
	command=$(tr '\0' ' ' <"/proc/$process/cmdline") || continue
	echo "# process $process: $(echo "$command" | head -c 500)"
	stacks_of "$process" | remarks
	status_of "$process" | remarks
done 2>/dev/null
exit 0
