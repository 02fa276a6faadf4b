#!/bin/sh
# Each request that the service describes, and each way in which it refuses one:
# all answers are as /openapi.json says, by a validator that nobody here wrote (ajv,
# in AJV_DIR). Where prism is in PRISM_DIR, the same requests go through it, too.

. "${top_srcdir:=.}/tests/cli/program.sh"

command -v node >/dev/null || skip_all 'node is not installed'
[ -d "${AJV_DIR:-.}/node_modules/ajv-formats" ] ||
	skip_all 'ajv and ajv-formats are not in AJV_DIR'

node "$top_srcdir/tests/serve/openapi.mjs" "$pavane" "$work"
