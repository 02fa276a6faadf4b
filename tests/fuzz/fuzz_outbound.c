#include <stdint.h>
#include <stdlib.h>

#include "sink/outbound_line.h"

/* Reads a line of a file that another shard has written.
 *
 * What must hold: what is read is within its bounds, no refusal among it, and
 * what is written of it is read as the same; of what is not read it is said why.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_bounds(const struct pv_outbound_line *read)
{
	const struct pv_standing *standing = &read->link.standing;
	require(standing->use == PV_PAGE || standing->use == PV_RESOURCE);
	require(standing->verdict.reason == PV_REASON_NONE);
	require(standing->depth <= PV_DEPTH_MAX &&
		standing->depth_left <= PV_DEPTH_MAX &&
		standing->hops <= PV_HOPS_MAX &&
		standing->redirects <= PV_REDIRECTS_MAX &&
		standing->listing < PV_LISTING_COUNT && !standing->kind);
	require(read->link.url.len > 0 && read->link.lastmod_wall_ms >= 0);
}

static bool is_same(
    const struct pv_outbound_line *a, const struct pv_outbound_line *b)
{
	return pv_str_equal(a->link.url, b->link.url) &&
	       pv_str_equal(a->link.tag, b->link.tag) &&
	       pv_str_equal(a->link.carry, b->link.carry) &&
	       pv_str_equal(a->kind, b->kind) &&
	       a->link.lastmod_wall_ms == b->link.lastmod_wall_ms &&
	       pv_standing_equal(&a->link.standing, &b->link.standing);
}

static void check_again(const struct pv_outbound_line *read)
{
	struct pv_outbound_line again;
	struct pv_buf line;
	pv_buf_init(&line, SIZE_MAX);
	pv_outbound_line_write(&read->link, read->kind, read->via, &line);
	require(pv_str_find(pv_buf_str(&line), '\n') == PV_NOT_FOUND);
	require(!pv_outbound_line_read(&again, pv_buf_str(&line)));
	require(is_same(read, &again));
	pv_outbound_line_finish(&again);
	pv_buf_finish(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str text = {(const char *)data, size};
	struct pv_outbound_line read;
	const char *fault = pv_outbound_line_read(&read, text);
	if (fault) {
		require(fault[0] != '\0');
	} else {
		check_bounds(&read);
		check_again(&read);
	}
	pv_outbound_line_finish(&read);
	return 0;
}
