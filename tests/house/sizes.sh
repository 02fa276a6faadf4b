#!/bin/sh
# sizes.sh TREE: prints a line for each function and file of TREE that is
# larger or knottier than the house likes. It reports and never judges: the
# second thing that a long function does is for a reader to see.
#
# It knows functions by how .clang-format lays them out, their braces in the
# first column, and nesting by tabs. Complexity is the number of ways to turn:
# if, for, while, case, ?, && and ||, and one.

set -eu
cd "$1"

find src include -name '*.[ch]' | sort | while read -r file; do
	awk -v file="$file" -v max_file=400 -v max_lines=60 -v max_nesting=3 \
		-v max_parameters=5 -v max_turns=20 '
		function report(line, text) {
			print file ":" line ": " text
		}

		# Without comments and texts, which hold words that are not code.
		function code_of(line) {
			gsub(/\\./, "", line)
			gsub(/"[^"]*"/, "", line)
			gsub(/\047[^\047]*\047/, "", line)
			sub(/\/[*\/].*/, "", line)
			return line
		}

		# From "static int name(int a, int b)".
		function name_of(signature) {
			match(signature, /[A-Za-z_0-9]+\(/)
			return substr(signature, RSTART, RLENGTH - 1)
		}

		function parameters_of(signature) {
			return gsub(/,/, "", signature) + 1
		}

		function turns_of(code) {
			return gsub(/(^|[^A-Za-z_0-9])(if|for|while|case)[ (]/,
				"&", code) + gsub(/&&|\|\||\?/, "&", code)
		}

		function begin() {
			inside = 1
			start = NR
			nesting = 0
			turns = 1
		}

		function finish(    name, lines, parameters) {
			inside = 0
			name = name_of(signature)
			lines = NR - start + 1
			parameters = parameters_of(signature)
			if (lines > max_lines)
				report(start, name ": " lines " lines")
			if (nesting > max_nesting)
				report(start, name ": " nesting " deep")
			if (parameters > max_parameters)
				report(start, name ": " parameters " parameters")
			if (turns > max_turns)
				report(start, name ": " turns " turns")
		}

		inside && /^}/ { finish() }
		inside {
			match($0, /^\t*/)
			if (RLENGTH - 1 > nesting)
				nesting = RLENGTH - 1
			turns += turns_of(code_of($0))
		}
		/^\{/ { begin() }

		# A signature begins in the first column and may go on, indented.
		!inside && /^[A-Za-z_]/ { signature = "" }
		!inside && !/^#/ { signature = signature code_of($0) }

		END {
			if (NR > max_file)
				report(NR, NR " lines")
		}' "$file"
done
