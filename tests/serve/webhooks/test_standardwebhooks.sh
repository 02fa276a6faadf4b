#!/bin/sh
# Deliveries of the service, verified by a library that nobody here wrote: npm's
# standardwebhooks, found in AJV_DIR. Skipped where it is absent.

if ! command -v node >/dev/null; then
	echo "1..0 # SKIP node is not here to verify deliveries"
	exit 0
fi
if [ ! -d "${AJV_DIR:-.}/node_modules/standardwebhooks" ]; then
	echo "1..0 # SKIP standardwebhooks is not in AJV_DIR"
	exit 0
fi
if "$top_builddir/pavane" serve --schema 2>&1 | grep -q 'built without'; then
	echo "1..0 # SKIP the program was built without the service"
	exit 0
fi
exec node "$top_srcdir/tests/serve/webhooks/standardwebhooks.mjs" \
	"$top_builddir/pavane"
