#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "store/orders.h"

/* Reads a crawl's file `control`.
 *
 * What must hold: what is read fits its bounds, names no host twice, and is
 * written so that it is read as itself; of what is not read, nothing is left,
 * and the line of the mistake is one of the text.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_pauses(const struct pv_orders *orders)
{
	require(orders->count <= PV_ORDER_PAUSES_MAX);
	for (size_t i = 0; i < orders->count; i++) {
		const struct pv_pause *pause = &orders->pauses[i];
		struct pv_str host = pv_str_of(pause->host);
		require(host.len <= PV_ORDER_HOST_MAX);
		require(pause->since_wall_ms >= 0 && pause->until_wall_ms >= 0);
		require(!pause->until_wall_ms ||
			pv_orders_pause_of(orders, host, 0) == pause);
	}
}

static void check_settings(const struct pv_orders *orders)
{
	require(orders->setting_count <= PV_ORDER_SETTINGS_MAX);
	for (size_t i = 0; i < orders->setting_count; i++) {
		const struct pv_order_setting *setting = &orders->settings[i];
		size_t len = strlen(setting->key);
		require(len > 0 && len <= PV_ORDER_KEY_MAX);
		len = strlen(setting->value);
		require(len > 0 && len <= PV_ORDER_VALUE_MAX);
	}
}

static void check_again(const struct pv_orders *orders)
{
	struct pv_orders again;
	struct pv_buf text, twice;
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_init(&twice, SIZE_MAX);
	pv_orders_init(&again);
	pv_orders_write(orders, &text);
	require(pv_orders_read(&again, pv_buf_str(&text)) == 0);
	pv_orders_write(&again, &twice);
	require(pv_str_equal(pv_buf_str(&text), pv_buf_str(&twice)));
	pv_orders_finish(&again);
	pv_buf_finish(&twice);
	pv_buf_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str text = {(const char *)data, size};
	struct pv_orders orders;
	pv_orders_init(&orders);
	uint32_t line = pv_orders_read(&orders, text);
	require(line <= size + 1);
	if (line)
		require(!orders.count && !orders.pauses && !orders.settings &&
			!orders.stop_run);
	else
		check_again(&orders);
	check_pauses(&orders);
	check_settings(&orders);
	pv_orders_finish(&orders);
	return 0;
}
