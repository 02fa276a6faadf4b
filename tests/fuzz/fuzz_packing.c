#include <stdint.h>
#include <stdlib.h>

#include "frontier/sqlite/packing.h"

/* Unpacks a row that another worker has written, or somebody else who can write to
 * the database: an address, a host or a robots.txt, by the first byte.
 *
 * What must hold: what is read is within its bounds, and packed again and read
 * once more it is the same.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_address(struct pv_str text)
{
	struct pv_packed_address read, again;
	struct pv_buf first, second;
	if (!pv_address_unpack(text, &read))
		return;
	require(read.url.len > 0 && read.row.state < PV_STATE_COUNT);
	require(read.row.standing.depth <= PV_DEPTH_MAX &&
		read.row.standing.hops <= PV_HOPS_MAX &&
		read.via_hops <= PV_HOPS_MAX);
	pv_buf_init(&first, SIZE_MAX);
	pv_buf_init(&second, SIZE_MAX);
	pv_address_pack(&read, &first);
	require(pv_address_unpack(pv_buf_str(&first), &again));
	pv_address_pack(&again, &second);
	require(pv_str_equal(pv_buf_str(&first), pv_buf_str(&second)));
	pv_buf_finish(&first);
	pv_buf_finish(&second);
}

static void check_host(struct pv_str text)
{
	struct pv_host_state read, again;
	uint64_t round, round_again;
	struct pv_buf packed;
	if (!pv_host_unpack(text, &read, &round))
		return;
	require(read.left_reason >= 0 && read.left_reason < PV_REASON_COUNT &&
		read.wait_ms >= 0 && read.pages >= 0);
	pv_buf_init(&packed, SIZE_MAX);
	pv_host_pack(&read, round, &packed);
	require(pv_host_unpack(pv_buf_str(&packed), &again, &round_again));
	require(round == round_again && read.pages == again.pages &&
		read.rest_ms == again.rest_ms);
	pv_buf_finish(&packed);
}

static void check_robots(struct pv_str text)
{
	struct pv_saved_robots read, again;
	struct pv_str copy, copy_again;
	struct pv_buf packed;
	if (!pv_robots_unpack(text, &read, &copy))
		return;
	pv_buf_init(&packed, SIZE_MAX);
	pv_robots_pack(&read, copy, &packed);
	require(pv_robots_unpack(pv_buf_str(&packed), &again, &copy_again));
	require(pv_str_equal(copy, copy_again) && read.state == again.state);
	pv_buf_finish(&packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const checks[])(struct pv_str text) = {
	    check_address, check_host, check_robots};
	if (!size)
		return 0;
	checks[data[0] % 3]((struct pv_str){(const char *)data + 1, size - 1});
	return 0;
}
