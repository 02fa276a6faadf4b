#include "names/wanted.h"

#include <stdlib.h>

#include "base/alloc.h"

/* Who waits, for one host or for several. */
struct waiter {
	struct pv_named named; /* the bytes of ctx */
	struct pv_line requests;
	void *ctx;
};

/* That somebody waits for a host. */
struct request {
	struct pv_line_link of_wanted;
	struct pv_line_link of_waiter;
	struct pv_wanted *wanted;
	struct waiter *waiter;
	pv_name_fn on_answer;
};

/* The table of waiters finds them by the bytes of this pointer. */
static struct pv_str name_of(const void *const *ctx)
{
	return (struct pv_str){(const char *)ctx, sizeof(*ctx)};
}

void pv_wanted_table_init(struct pv_wanted_table *table, struct pv_hash_key key)
{
	pv_named_table_init(&table->hosts, key);
	pv_named_table_init(&table->waiters, key);
}

void pv_wanted_table_finish(struct pv_wanted_table *table)
{
	while (table->hosts.count) {
		struct pv_wanted *wanted =
		    PV_WHOLE(struct pv_wanted, named, table->hosts.items[0]);
		pv_wanted_take(table, wanted);
		pv_wanted_destroy(table, wanted);
	}
	pv_named_table_finish(&table->hosts);
	pv_named_table_finish(&table->waiters);
}

struct pv_wanted *pv_wanted_get(
    const struct pv_wanted_table *table, struct pv_str host)
{
	struct pv_named *named = pv_named_get(&table->hosts, host);
	return named ? PV_WHOLE(struct pv_wanted, named, named) : NULL;
}

struct pv_wanted *pv_wanted_add(
    struct pv_wanted_table *table, struct pv_str host)
{
	struct pv_wanted *wanted = pv_alloc(sizeof(*wanted) + host.len + 1);
	char *copy = (char *)(wanted + 1);
	if (host.len)
		memcpy(copy, host.ptr, host.len);
	wanted->named.name = (struct pv_str){copy, host.len};
	pv_named_add(&table->hosts, &wanted->named);
	return wanted;
}

void pv_wanted_take(struct pv_wanted_table *table, struct pv_wanted *wanted)
{
	pv_named_remove(&table->hosts, &wanted->named);
}

static void remove_request(
    struct pv_wanted_table *table, struct request *request)
{
	struct waiter *waiter = request->waiter;
	pv_line_remove(&request->wanted->requests, &request->of_wanted);
	pv_line_remove(&waiter->requests, &request->of_waiter);
	free(request);
	if (waiter->requests.first)
		return;
	pv_named_remove(&table->waiters, &waiter->named);
	free(waiter);
}

static struct request *first_of(const struct pv_wanted *wanted)
{
	struct pv_line_link *link = wanted->requests.first;
	return link ? PV_WHOLE(struct request, of_wanted, link) : NULL;
}

void pv_wanted_clear(struct pv_wanted_table *table, struct pv_wanted *wanted)
{
	while (wanted->requests.first)
		remove_request(table, first_of(wanted));
}

void pv_wanted_destroy(struct pv_wanted_table *table, struct pv_wanted *wanted)
{
	pv_wanted_clear(table, wanted);
	free(wanted);
}

static struct waiter *get_waiter(
    const struct pv_wanted_table *table, const void *ctx)
{
	struct pv_named *named = pv_named_get(&table->waiters, name_of(&ctx));
	return named ? PV_WHOLE(struct waiter, named, named) : NULL;
}

static struct waiter *add_waiter(struct pv_wanted_table *table, void *ctx)
{
	struct waiter *waiter = pv_alloc(sizeof(*waiter));
	waiter->ctx = ctx;
	waiter->named.name =
	    (struct pv_str){(const char *)&waiter->ctx, sizeof(waiter->ctx)};
	pv_named_add(&table->waiters, &waiter->named);
	return waiter;
}

void pv_wanted_add_request(struct pv_wanted_table *table,
    struct pv_wanted *wanted, pv_name_fn on_answer, void *ctx)
{
	struct request *request = pv_alloc(sizeof(*request));
	struct waiter *waiter = get_waiter(table, ctx);
	request->wanted = wanted;
	request->waiter = waiter ? waiter : add_waiter(table, ctx);
	request->on_answer = on_answer;
	pv_line_add(&wanted->requests, &request->of_wanted);
	pv_line_add(&request->waiter->requests, &request->of_waiter);
}

bool pv_wanted_tell(struct pv_wanted_table *table, struct pv_wanted *wanted)
{
	struct request *request = first_of(wanted);
	if (!request)
		return false;
	pv_name_fn on_answer = request->on_answer;
	void *ctx = request->waiter->ctx;
	remove_request(table, request);
	on_answer(ctx, &wanted->answer);
	return true;
}

struct pv_wanted *pv_wanted_forget(
    struct pv_wanted_table *table, const void *ctx)
{
	const struct waiter *waiter = get_waiter(table, ctx);
	if (!waiter)
		return NULL;
	struct request *request =
	    PV_WHOLE(struct request, of_waiter, waiter->requests.first);
	struct pv_wanted *wanted = request->wanted;
	remove_request(table, request);
	return wanted;
}
