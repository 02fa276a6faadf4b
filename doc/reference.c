#include <stdio.h>

#include "pavane/pavane.h"

/* Prints the part of the manual page that lists every key of a policy, when
 * the page is built. */

static void write_out(void *ctx, const char *text, size_t len)
{
	fwrite(text, 1, len, ctx);
}

int main(void)
{
	pavane_reference_write(write_out, stdout);
	return ferror(stdout) ? 1 : 0;
}
