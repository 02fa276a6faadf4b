#!/bin/sh
# The JSON Schema, held against every policy and every mistake by a validator
# that nobody here wrote: ajv, found in AJV_DIR. Skipped where it is absent.

if ! command -v node >/dev/null; then
	echo "1..0 # SKIP node is not here to run a validator"
	exit 0
fi
if [ ! -d "${AJV_DIR:-.}/node_modules/ajv" ] ||
	[ ! -d "${AJV_DIR:-.}/node_modules/js-yaml" ]; then
	echo "1..0 # SKIP ajv and js-yaml are not in AJV_DIR"
	exit 0
fi
exec node "$top_srcdir/tests/policy/schema.mjs" "$top_builddir/pavane" \
	"$top_srcdir/policies" "$top_srcdir/tests/policy/mistakes.txt"
