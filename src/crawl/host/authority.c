#include "crawl/host/authority.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "schedule/wait.h"

/* So many are remembered after their host has left. */
#define AUTHORITIES_MAX 50000

void pv_authority_hold(struct pv_authority *authority)
{
	authority->asks++;
}

void pv_authority_let_go(struct pv_authority *authority)
{
	authority->asks--;
}

void pv_authority_join(struct pv_authority *authority,
    struct pv_live_host *host, struct pv_authority *others)
{
	authority->host = host;
	authority->host_next = others;
}

struct pv_authority *pv_authority_leave(struct pv_authority *authority)
{
	authority->host = NULL;
	authority->aside = (struct pv_task_line){0};
	if (authority->state == PV_AUTHORITY_ASKING)
		authority->state = PV_AUTHORITY_UNKNOWN;
	return authority->host_next;
}

void pv_authorities_init(
    struct pv_authorities *authorities, struct pv_hash_key key)
{
	*authorities = (struct pv_authorities){
	    .room = AUTHORITIES_MAX, .ask_next = PV_NEVER};
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

/* Forgets half of those that nobody works by. */
static void make_room(struct pv_authorities *authorities)
{
	size_t kept = 0, forgotten = 0;
	for (size_t i = 0; i < authorities->count; i++) {
		struct pv_authority *authority = authorities->items[i];
		bool is_used = authority->host || authority->asks ||
			       authority->aside.count;
		if (!is_used && forgotten < authorities->count / 2) {
			pv_map_remove(&authorities->map, authority->text);
			destroy(authority);
			forgotten++;
			continue;
		}
		*pv_map_get(&authorities->map, authority->text) =
		    (uint32_t)kept;
		authorities->items[kept++] = authority;
	}
	authorities->is_kept = authorities->is_kept || forgotten;
	authorities->count = kept;
	authorities->room = kept + AUTHORITIES_MAX / 2;
}

struct pv_authority *pv_authorities_find(
    struct pv_authorities *authorities, struct pv_str text)
{
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
