# Writes the policies as C: a table of name, first line and text. A literal a
# line keeps each under what a compiler must take.

function name_of(path)
{
	sub(/.*\//, "", path)
	sub(/\.yaml$/, "", path)
	return path
}

BEGIN {
	print "#include \"cli/commands/templates.h\"\n"
	print "const struct pv_policy_template pv_policy_templates[] = {"
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
	print "const size_t pv_policy_template_count = sizeof(pv_policy_templates) / sizeof(*pv_policy_templates);"
}
