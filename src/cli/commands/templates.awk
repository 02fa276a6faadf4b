# Writes files as C: a table of name, first line and text, of that `type` and
# called `table`, as `header` declares them. A literal a line keeps each under what
# a compiler must take.

function name_of(path)
{
	sub(/.*\//, "", path)
	sub(/\.(json|yaml)$/, "", path)
	return path
}

BEGIN {
	printf "#include \"%s\"\n\n", header
	printf "const struct %s %ss[] = {\n", type, table
}

{
	gsub(/\\/, "&&")
	gsub(/"/, "\\\"")
}

FNR == 1 {
	if (NR > 1)
		print "    },"
	first = $0
	sub(/^# */, "", first)
	printf "    {\"%s\",\n\t\"%s\",\n", name_of(FILENAME), first
}

{
	printf "\t\"%s\\n\"\n", $0
}

END {
	print "    },\n};\n"
	printf "const size_t %s_count = sizeof(%ss) / sizeof(*%ss);\n", table, table, table
}
