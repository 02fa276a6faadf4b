#include "store/orders.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/reader.h"
#include "base/utf8.h"

#define HEAD PV_STR("pavane-control 1")

void pv_orders_init(struct pv_orders *orders)
{
	*orders = (struct pv_orders){.pauses = NULL};
}

void pv_orders_finish(struct pv_orders *orders)
{
	free(orders->pauses);
	free(orders->settings);
	pv_orders_init(orders);
}

/* Pauses */

static struct pv_pause *find(const struct pv_orders *orders, struct pv_str host)
{
	for (size_t i = 0; i < orders->count; i++) {
		if (pv_str_equal(pv_str_of(orders->pauses[i].host), host))
			return &orders->pauses[i];
	}
	return NULL;
}

const struct pv_pause *pv_orders_pause_of(
    const struct pv_orders *orders, struct pv_str host, int64_t wall_ms)
{
	const struct pv_pause *pause = find(orders, host);
	return pause && pause->until_wall_ms > wall_ms ? pause : NULL;
}

/* As it stands in an address: lower case, and no byte beyond ASCII. */
static bool is_host(struct pv_str host)
{
	for (size_t i = 0; i < host.len; i++) {
		char byte = host.ptr[i];
		if (byte <= ' ' || byte >= 127 || (byte >= 'A' && byte <= 'Z'))
			return false;
	}
	return host.len <= PV_ORDER_HOST_MAX;
}

bool pv_orders_pause(struct pv_orders *orders, struct pv_str host,
    int64_t since_wall_ms, int64_t until_wall_ms)
{
	struct pv_pause *pause = find(orders, host);
	if (pause) {
		pause->until_wall_ms = until_wall_ms;
		return true;
	}
	if (orders->count == PV_ORDER_PAUSES_MAX || !is_host(host))
		return false;
	pause = PV_ARRAY_PUSH(orders->pauses, orders->count, orders->size);
	*pause = (struct pv_pause){
	    .since_wall_ms = since_wall_ms,
	    .until_wall_ms = until_wall_ms,
	};
	memcpy(pause->host, pv_str_bytes(host), host.len);
	return true;
}

/* One line of UTF-8, whatever was given: what a terminal would obey becomes a
 * space, and none stands at its ends, where it would not be read again. */
static void set_why(struct pv_pause *pause, struct pv_str why)
{
	struct pv_str head = pv_utf8_head(pv_str_trim(why), PV_ORDER_WHY_MAX);
	bool is_utf8 = pv_utf8_find_invalid(head) == PV_NOT_FOUND;
	for (size_t i = 0; i < head.len; i++) {
		unsigned char byte = (unsigned char)head.ptr[i];
		pause->why[i] = head.ptr[i];
		if (byte < 32 || byte == 127)
			pause->why[i] = ' ';
		else if (byte > 127 && !is_utf8)
			pause->why[i] = '?';
	}
	struct pv_str kept = pv_str_trim((struct pv_str){pause->why, head.len});
	memmove(pause->why, kept.ptr, kept.len);
	pause->why[kept.len] = '\0';
}

void pv_orders_say_why(
    struct pv_orders *orders, struct pv_str host, struct pv_str why)
{
	struct pv_pause *pause = find(orders, host);
	if (pause)
		set_why(pause, why);
}

static void remove_pause(struct pv_orders *orders, struct pv_pause *pause)
{
	size_t behind = orders->count - (size_t)(pause - orders->pauses) - 1;
	memmove(pause, pause + 1, behind * sizeof(*pause));
	orders->count--;
}

bool pv_orders_resume(struct pv_orders *orders, struct pv_str host)
{
	struct pv_pause *pause = find(orders, host);
	if (pause)
		remove_pause(orders, pause);
	return pause != NULL;
}

void pv_orders_tidy(struct pv_orders *orders, int64_t wall_ms)
{
	for (size_t i = orders->count; i-- > 0;) {
		if (orders->pauses[i].until_wall_ms <= wall_ms)
			remove_pause(orders, &orders->pauses[i]);
	}
}

/* Settings */

static struct pv_order_setting *find_setting(
    const struct pv_orders *orders, struct pv_str key)
{
	for (size_t i = 0; i < orders->setting_count; i++) {
		if (pv_str_equal(pv_str_of(orders->settings[i].key), key))
			return &orders->settings[i];
	}
	return NULL;
}

/* Words and dots. */
static bool is_key(struct pv_str key)
{
	for (size_t i = 0; i < key.len; i++) {
		char byte = key.ptr[i];
		if ((byte < 'a' || byte > 'z') && byte != '_' && byte != '.' &&
		    (byte < '0' || byte > '9'))
			return false;
	}
	return key.len && key.len <= PV_ORDER_KEY_MAX;
}

/* One line that a terminal shows as it is. */
static bool is_value(struct pv_str value)
{
	for (size_t i = 0; i < value.len; i++) {
		if (value.ptr[i] < ' ' || value.ptr[i] > '~')
			return false;
	}
	return value.len <= PV_ORDER_VALUE_MAX &&
	       pv_str_trim(value).len == value.len;
}

static void unset(struct pv_orders *orders, struct pv_order_setting *setting)
{
	size_t behind =
	    orders->setting_count - (size_t)(setting - orders->settings) - 1;
	memmove(setting, setting + 1, behind * sizeof(*setting));
	orders->setting_count--;
}

bool pv_orders_set(
    struct pv_orders *orders, struct pv_str key, struct pv_str value)
{
	struct pv_order_setting *setting = find_setting(orders, key);
	if (!is_key(key) || !is_value(value))
		return false;
	if (!value.len) {
		if (setting)
			unset(orders, setting);
		return true;
	}
	if (!setting && orders->setting_count == PV_ORDER_SETTINGS_MAX)
		return false;
	if (!setting)
		setting = PV_ARRAY_PUSH(orders->settings, orders->setting_count,
		    orders->setting_size);
	*setting = (struct pv_order_setting){.key = ""};
	memcpy(setting->key, key.ptr, key.len);
	memcpy(setting->value, value.ptr, value.len);
	return true;
}

bool pv_orders_set_the_same(
    const struct pv_orders *a, const struct pv_orders *b)
{
	bool are_equal = a->setting_count == b->setting_count;
	for (size_t i = 0; are_equal && i < a->setting_count; i++) {
		const struct pv_order_setting *other =
		    find_setting(b, pv_str_of(a->settings[i].key));
		are_equal =
		    other && strcmp(a->settings[i].value, other->value) == 0;
	}
	return are_equal;
}

void pv_orders_write_settings(
    const struct pv_orders *orders, struct pv_buf *buf)
{
	for (size_t i = 0; i < orders->setting_count; i++)
		pv_buf_append_format(buf, "%s%s=%s", i ? ", " : "",
		    orders->settings[i].key, orders->settings[i].value);
}

/* Text */

static bool read_time(struct pv_reader *reader, int64_t *time_ms)
{
	uint64_t number;
	if (!pv_reader_take_number(reader, INT64_MAX - 1, &number))
		return false;
	*time_ms = (int64_t)number;
	return true;
}

static bool read_pause(struct pv_reader *reader, struct pv_orders *orders)
{
	int64_t since_ms, until_ms = INT64_MAX;
	struct pv_str host = PV_STR("");
	if (!read_time(reader, &since_ms) || !pv_reader_accept(reader, ' '))
		return false;
	if (!pv_reader_accept_str(reader, PV_STR("never")) &&
	    !read_time(reader, &until_ms))
		return false;
	if (pv_reader_accept(reader, ' ')) {
		host = pv_reader_take(reader, pv_reader_left(reader));
		if (!host.len)
			return false;
	}
	return pv_reader_is_end(reader) && !find(orders, host) &&
	       pv_orders_pause(orders, host, since_ms, until_ms);
}

static bool read_why(struct pv_reader *reader, struct pv_orders *orders)
{
	struct pv_str why = pv_reader_take(reader, pv_reader_left(reader));
	if (!orders->count || orders->pauses[orders->count - 1].why[0])
		return false;
	set_why(&orders->pauses[orders->count - 1], why);
	return orders->pauses[orders->count - 1].why[0] != '\0';
}

static bool read_stop(struct pv_reader *reader, struct pv_orders *orders)
{
	return !orders->stop_run && read_time(reader, &orders->stop_run) &&
	       orders->stop_run && pv_reader_is_end(reader);
}

static bool read_setting(struct pv_reader *reader, struct pv_orders *orders)
{
	struct pv_str key = pv_reader_take_until(reader, ' ');
	return pv_reader_accept(reader, ' ') && !pv_reader_is_end(reader) &&
	       !find_setting(orders, key) &&
	       pv_orders_set(
		   orders, key, pv_reader_take(reader, pv_reader_left(reader)));
}

static bool read_line(struct pv_str line, struct pv_orders *orders)
{
	struct pv_reader reader = pv_reader_of(line);
	if (pv_reader_accept_str(&reader, PV_STR("pause ")))
		return read_pause(&reader, orders);
	if (pv_reader_accept_str(&reader, PV_STR("because ")))
		return read_why(&reader, orders);
	if (pv_reader_accept_str(&reader, PV_STR("set ")))
		return read_setting(&reader, orders);
	return pv_reader_accept_str(&reader, PV_STR("stop ")) &&
	       read_stop(&reader, orders);
}

uint32_t pv_orders_read(struct pv_orders *orders, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	uint32_t number = 1;
	bool is_right = pv_str_equal(pv_reader_take_line(&reader), HEAD);
	while (is_right && !pv_reader_is_end(&reader)) {
		number++;
		is_right = read_line(pv_reader_take_line(&reader), orders);
	}
	if (is_right)
		return 0;
	pv_orders_finish(orders);
	return number;
}

void pv_orders_write(const struct pv_orders *orders, struct pv_buf *text)
{
	pv_buf_append(text, HEAD);
	pv_buf_append_char(text, '\n');
	for (size_t i = 0; i < orders->count; i++) {
		const struct pv_pause *pause = &orders->pauses[i];
		pv_buf_append_format(
		    text, "pause %" PRId64 " ", pause->since_wall_ms);
		if (pause->until_wall_ms == INT64_MAX)
			pv_buf_append_text(text, "never");
		else
			pv_buf_append_format(
			    text, "%" PRId64, pause->until_wall_ms);
		if (pause->host[0])
			pv_buf_append_format(text, " %s", pause->host);
		if (pause->why[0])
			pv_buf_append_format(text, "\nbecause %s", pause->why);
		pv_buf_append_char(text, '\n');
	}
	for (size_t i = 0; i < orders->setting_count; i++)
		pv_buf_append_format(text, "set %s %s\n",
		    orders->settings[i].key, orders->settings[i].value);
	if (orders->stop_run)
		pv_buf_append_format(
		    text, "stop %" PRId64 "\n", orders->stop_run);
}
