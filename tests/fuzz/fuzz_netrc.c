#include <stdint.h>
#include <stdlib.h>

#include "policy/secrets/netrc.h"

/* Reads a netrc. What must hold: a login has a host, a name and a password that
 * a header can say; each host has one; and whatever is wrong is told once, with
 * a line. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void require_sayable(struct pv_str text)
{
	require(text.len > 0);
	for (size_t i = 0; i < text.len; i++)
		require((unsigned char)text.ptr[i] >= ' ' &&
			text.ptr[i] != 0x7f);
}

static void check(
    const struct pv_netrc *netrc, const struct pv_netrc_login *login)
{
	require(login->host.len > 0);
	require_sayable(login->name);
	require_sayable(login->password);
	require(pv_netrc_find(netrc, login->host) == login);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_netrc netrc;
	struct pv_why why;
	pv_netrc_init(&netrc);
	pv_why_init(&why);
	pv_netrc_read(
	    &netrc, (struct pv_str){(const char *)data, size}, "n", &why);
	require(netrc.count <= PV_NETRC_MAX);
	for (size_t i = 0; i < netrc.count; i++)
		check(&netrc, &netrc.items[i]);
	require(why.problems.count <= 1);
	if (why.problems.count)
		require(why.problems.kept[0].line > 0);
	pv_why_finish(&why);
	pv_netrc_finish(&netrc);
	return 0;
}
