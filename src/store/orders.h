#ifndef PAVANE_STORE_ORDERS_H
#define PAVANE_STORE_ORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/why.h"

/* What a person asked of a crawl from outside: which hosts are paused, or the
 * crawl as a whole, which keys of its policy have other values, and whether a
 * run is to stop.
 *
 * They stand in the file `control` of the crawl's directory, a line each, and
 * hold until they are taken back, whether the crawl runs or not. It says how
 * things are to be, not what has happened, so that it may be read at any time
 * and again. It is replaced as a whole, on the disk, under a lock of its own
 * (`control.lock`): of two programs that change it at once none loses what the
 * other wrote.
 *
 *     pavane-control 1
 *     pause 1764144000000 never
 *     pause 1764144000000 1764147600000 docs.example.org
 *     because they move to another machine
 *     set rate.max_rate 5
 *     stop 3
 *
 * Times are milliseconds since 1970: since when, and until when. A reason is that
 * of the pause above it. A stop names the number of a run, so that it never stops
 * a later one.
 */
#define PV_ORDER_HOST_MAX 255
#define PV_ORDER_PAUSES_MAX 1000
#define PV_ORDER_WHY_MAX 200
#define PV_ORDER_KEY_MAX 63
#define PV_ORDER_VALUE_MAX 255
#define PV_ORDER_SETTINGS_MAX 100

struct pv_pause {
	char host[PV_ORDER_HOST_MAX + 1]; /* "": the whole crawl */
	int64_t since_wall_ms;
	int64_t until_wall_ms;          /* INT64_MAX: until it is resumed */
	char why[PV_ORDER_WHY_MAX + 1]; /* "" for no reason */
};

/* What it means is the policy's business. */
struct pv_order_setting {
	char key[PV_ORDER_KEY_MAX + 1];
	char value[PV_ORDER_VALUE_MAX + 1];
};

struct pv_orders {
	struct pv_pause *pauses; /* one for each host */
	size_t count;
	size_t size;
	struct pv_order_setting *settings; /* one for each key */
	size_t setting_count;
	size_t setting_size;
	int64_t stop_run; /* 0: none */
};

void pv_orders_init(struct pv_orders *orders);
void pv_orders_finish(struct pv_orders *orders);

/* The pause of a host, or of the crawl ("") that holds at that time; NULL for
 * none. */
const struct pv_pause *pv_orders_pause_of(
    const struct pv_orders *orders, struct pv_str host, int64_t wall_ms);

/* Adds a pause, or changes until when the one that is there lasts. False if
 * there are too many, or the host's name cannot be one. */
bool pv_orders_pause(struct pv_orders *orders, struct pv_str host,
    int64_t since_wall_ms, int64_t until_wall_ms);

/* Says why the pause of that host is, if there is one: in one line, cut where it
 * is too long; empty for no reason. */
void pv_orders_say_why(
    struct pv_orders *orders, struct pv_str host, struct pv_str why);

/* False if there was none. */
bool pv_orders_resume(struct pv_orders *orders, struct pv_str host);

/* Sets a key; an empty value takes it back. False if there are too many, or one
 * of the texts cannot stand in the file. */
bool pv_orders_set(
    struct pv_orders *orders, struct pv_str key, struct pv_str value);

/* Whether the same keys have the same values. */
bool pv_orders_set_the_same(
    const struct pv_orders *a, const struct pv_orders *b);

/* "rate.max_rate=5, politeness.delay=2s". */
void pv_orders_write_settings(
    const struct pv_orders *orders, struct pv_buf *buf);

/* Drops the pauses that are over by then. */
void pv_orders_tidy(struct pv_orders *orders, int64_t wall_ms);

/* Reads the file's text into empty orders. Returns the line of the first
 * mistake, and then there are no orders; 0 if there is none. */
uint32_t pv_orders_read(struct pv_orders *orders, struct pv_str text);
void pv_orders_write(const struct pv_orders *orders, struct pv_buf *text);

/* The file of a crawl's directory. Where there is none, there are no orders.
 * False, with the reason, if it cannot be read; `text` gets its bytes. */
bool pv_orders_load(const char *directory, struct pv_buf *text,
    struct pv_orders *orders, struct pv_why *why);

/* Changes the file: `change` is given what it says, and returns whether that
 * is to be written. False, with the reason, if it cannot be read or written;
 * then it is as before. */
typedef bool (*pv_orders_fn)(void *ctx, struct pv_orders *orders);
bool pv_orders_change(
    const char *directory, pv_orders_fn change, void *ctx, struct pv_why *why);

#endif
