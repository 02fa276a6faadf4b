#include "crawl/robots/authority.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "crawl/host/live_host.h"
#include "schedule/wait.h"

/* So many are remembered, and rules of so many bytes. */
#define AUTHORITIES_MAX 50000
#define RULES_BYTES_MAX ((size_t)64 << 20)

void pv_authority_hold(struct pv_authority *authority)
{
	authority->asks++;
}

void pv_authority_let_go(struct pv_authority *authority)
{
	authority->asks--;
}

void pv_authority_join(struct pv_authority *authority,
    struct pv_live_host *host, struct pv_authority **list)
{
	authority->host = host;
	authority->host_next = *list;
	authority->host_link = list;
	if (authority->host_next)
		authority->host_next->host_link = &authority->host_next;
	*list = authority;
}

void pv_authority_leave(struct pv_authority *authority)
{
	*authority->host_link = authority->host_next;
	if (authority->host_next)
		authority->host_next->host_link = authority->host_link;
	authority->host = NULL;
	authority->host_next = NULL;
	authority->host_link = NULL;
	authority->aside = (struct pv_task_line){0};
	if (authority->state == PV_AUTHORITY_ASKING)
		authority->state = PV_AUTHORITY_UNKNOWN;
	if (authority->state == PV_AUTHORITY_UNKNOWN)
		authority->is_remembered = false;
}

void pv_authorities_init(
    struct pv_authorities *authorities, struct pv_hash_key key)
{
	*authorities = (struct pv_authorities){
	    .max = AUTHORITIES_MAX,
	    .room = AUTHORITIES_MAX,
	    .bytes_max = RULES_BYTES_MAX,
	    .bytes_room = RULES_BYTES_MAX,
	    .ask_next = PV_NEVER,
	};
	pv_map_init(&authorities->map, key);
}

void pv_authorities_note_ask(struct pv_authorities *authorities, int64_t ask_at)
{
	if (ask_at < authorities->ask_next)
		authorities->ask_next = ask_at;
}

static void destroy(struct pv_authority *authority)
{
	pv_robots_rules_release(authority->rules);
	free(authority);
}

void pv_authorities_finish(struct pv_authorities *authorities)
{
	for (size_t i = 0; i < authorities->count; i++)
		destroy(authorities->items[i]);
	free(authorities->items);
	pv_map_finish(&authorities->map);
}

static struct pv_authority *create(struct pv_str text)
{
	struct pv_authority *authority =
	    pv_alloc(sizeof(*authority) + text.len);
	char *copy = (char *)(authority + 1);
	memcpy(copy, pv_str_bytes(text), text.len);
	authority->text = (struct pv_str){copy, text.len};
	return authority;
}

static size_t bytes_of(const struct pv_robots_rules *rules)
{
	return rules ? pv_robots_matcher_bytes(rules->matcher) : 0;
}

void pv_authorities_set_rules(struct pv_authorities *authorities,
    struct pv_authority *authority, struct pv_robots_rules *rules)
{
	authorities->bytes += bytes_of(rules) - bytes_of(authority->rules);
	pv_robots_rules_release(authority->rules);
	authority->rules = rules;
}

static void forget(
    struct pv_authorities *authorities, struct pv_authority *authority)
{
	struct pv_live_host *host = authority->host;
	if (host && authority->rules)
		pv_forgotten_pace_add(
		    &host->robots_pace.forgotten, authority->rules->matcher);
	if (host)
		pv_authority_leave(authority);
	pv_map_remove(&authorities->map, authority->text);
	authorities->bytes -= bytes_of(authority->rules);
	destroy(authority);
}

static bool is_too_much(const struct pv_authorities *authorities, size_t count)
{
	return count > authorities->max / 2 ||
	       authorities->bytes > authorities->bytes_max / 2;
}

/* Forgets those that no task is for, the oldest first, as long as there are too
 * many. */
static void sweep(struct pv_authorities *authorities, bool is_held)
{
	size_t kept = 0, count = authorities->count;
	for (size_t i = 0; i < authorities->count; i++) {
		struct pv_authority *authority = authorities->items[i];
		bool is_used = authority->asks || authority->aside.count;
		bool has_host = authority->host != NULL;
		if (!is_used && has_host == is_held &&
		    is_too_much(authorities, count)) {
			forget(authorities, authority);
			count--;
			continue;
		}
		*pv_map_get(&authorities->map, authority->text) =
		    (uint32_t)kept;
		authorities->items[kept++] = authority;
	}
	authorities->is_kept =
	    authorities->is_kept || kept < authorities->count;
	authorities->count = kept;
}

static void make_room(struct pv_authorities *authorities)
{
	sweep(authorities, false);
	if (is_too_much(authorities, authorities->count))
		sweep(authorities, true);
	authorities->room = authorities->count + authorities->max / 2;
	authorities->bytes_room =
	    authorities->bytes + authorities->bytes_max / 2;
}

struct pv_authority *pv_authorities_find(
    struct pv_authorities *authorities, struct pv_str text)
{
	if (authorities->bytes > authorities->bytes_room)
		make_room(authorities);
	uint32_t *place = pv_map_get(&authorities->map, text);
	if (place)
		return authorities->items[*place];
	if (authorities->count >= authorities->room)
		make_room(authorities);
	struct pv_authority *authority = create(text);
	pv_map_add(
	    &authorities->map, authority->text, (uint32_t)authorities->count);
	*PV_ARRAY_PUSH(authorities->items, authorities->count,
	    authorities->size) = authority;
	return authority;
}
