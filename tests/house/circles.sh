#!/bin/sh
# circles.sh TREE: prints a line for each circle of more than three .c files of
# TREE that call one another, and says with its status whether there was none.
#
# Who is in a circle cannot be understood, changed or tested without the others:
# a table of functions, or a struct in a header of its own, ends it.
#
# A file calls another if it names a function that the other defines: one whose
# name begins with pv_ or pavane_ and which is not static. Functions are known by
# how .clang-format lays them out: they begin in the first column.

set -eu
cd "$1"

find src -name '*.c' | sort | xargs awk -v max=3 '
	function without_text(line) {
		gsub(/\\./, "", line)
		gsub(/"[^"]*"/, "", line)
		gsub(/\047[^\047]*\047/, "", line)
		gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", line)
		sub(/\/\/.*/, "", line)
		return line
	}

	function note(file, name) {
		names[file, ++name_count[file]] = name
	}

	# A signature goes on until its brace; a declaration ends before that.
	function look_for_definition(line) {
		if (line ~ /^[a-z_].*\(/ && line !~ /^static/ &&
		    match(line, /(pv|pavane)_[A-Za-z0-9_]+\(/))
			started = substr(line, RSTART, RLENGTH - 1)
		if (started != "" && line ~ /;/)
			started = ""
		if (started != "" && line ~ /^[{]/) {
			owner[started] = FILENAME
			started = ""
		}
	}

	function look_for_names(line,    words, count, i) {
		count = split(line, words, /[^A-Za-z0-9_]+/)
		for (i = 1; i <= count; i++)
			if (words[i] ~ /^(pv|pavane)_/)
				note(FILENAME, words[i])
	}

	# Each file after all that it calls.
	function visit(file,    i, called) {
		if (is_seen[file]++)
			return
		for (i = 1; i <= call_count[file]; i++) {
			called = calls[file, i]
			visit(called)
		}
		order[++ordered] = file
	}

	# Of the files in no circle yet, those that call it are in its own.
	function gather(file,    i) {
		if (is_gathered[file]++)
			return
		size++
		members = members " " substr(file, 5)
		for (i = 1; i <= caller_count[file]; i++)
			gather(callers[file, i])
	}

	function connect(file,    i, called) {
		for (i = 1; i <= name_count[file]; i++) {
			called = owner[names[file, i]]
			if (called == "" || called == file ||
			    is_known[file, called]++)
				continue
			calls[file, ++call_count[file]] = called
			callers[called, ++caller_count[called]] = file
		}
	}

	FNR == 1 {
		files[++file_count] = FILENAME
		is_comment = 0
		started = ""
	}

	{ line = without_text($0) }

	is_comment {
		if (!sub(/^.*\*\//, "", line))
			next
		is_comment = 0
	}

	{
		is_comment = sub(/\/\*.*/, "", line)
		look_for_definition(line)
		look_for_names(line)
	}

	END {
		for (i = 1; i <= file_count; i++)
			connect(files[i])
		for (i = 1; i <= file_count; i++)
			visit(files[i])
		for (i = ordered; i > 0; i--) {
			size = 0
			members = ""
			gather(order[i])
			if (size > max) {
				print size " files call one another:" members
				has_found = 1
			}
		}
		exit has_found
	}'
