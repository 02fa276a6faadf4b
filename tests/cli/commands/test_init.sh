#!/bin/sh
# `pavane init`: what it prints is a policy that is right.

. "${top_srcdir:=.}/tests/cli/program.sh"

for policy in "$policies"/*.yaml; do
	kind=$(basename "$policy" .yaml)
	run init "$kind"
	exits 0 "init $kind ends with 0"
	cmp -s out "$policy"
	claim $? "and prints policies/$kind.yaml"
	cp out policy.yaml
	run check policy.yaml
	exits 0 "which is right"
	run init --help
	says out "^  $kind " "and known to --help"
done
run init
cmp -s out "$policies/mirror.yaml"
claim $? "the kind is mirror where none is given"
run init miror
exits 2 "an unknown kind is wrong usage"
says err 'did you mean mirror\?' "and the nearest is named"
says err '^  many-hosts ' "and all are listed"
run init mirror crawl
exits 2 "two kinds are wrong usage"
run init mirror --json
exits 2 "an option of another command is wrong usage"
tap_done
