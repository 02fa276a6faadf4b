#include "policy/document/members.h"

#include "base/ascii.h"
#include "base/nearest.h"

static void tell_unknown(struct pv_reading *reading, const struct pv_node *node,
    const struct pv_member_table *table)
{
	struct pv_nearest nearest = pv_nearest_to(node->key);
	for (size_t i = 0; i < table->count; i++)
		pv_nearest_offer(&nearest, table->keys[i].name);
	if (nearest.word)
		pv_reading_fail_key(reading, node,
		    "unknown key: did you mean %s?", nearest.word);
	else
		pv_reading_fail_key(
		    reading, node, "unknown key: %s", table->known);
}

static bool read_member(struct pv_reading *reading, const struct pv_node *node,
    const struct pv_member_table *table, void *ctx)
{
	size_t mark = pv_reading_enter(reading, node->key);
	bool is_right = false;
	size_t i = 0;
	while (i < table->count &&
	       !pv_str_equal(node->key, pv_str_of(table->keys[i].name)))
		i++;
	if (i == table->count)
		tell_unknown(reading, node, table);
	else
		is_right = !table->keys[i].read ||
			   table->keys[i].read(reading, node, ctx);
	pv_reading_leave(reading, mark);
	return is_right;
}

bool pv_members_read(struct pv_reading *reading, const struct pv_node *map,
    const struct pv_member_table *table, void *ctx)
{
	bool is_right = true;
	for (const struct pv_node *node = map->first; node; node = node->next)
		is_right = read_member(reading, node, table, ctx) && is_right;
	return is_right;
}

const struct pv_node *pv_member_find(
    const struct pv_node *map, const char *name)
{
	const struct pv_node *node = map->first;
	while (node && !pv_str_equal(node->key, pv_str_of(name)))
		node = node->next;
	return node;
}

bool pv_member_fail(struct pv_reading *reading, const struct pv_node *map,
    const char *name, const char *sentence)
{
	const struct pv_node *node = pv_member_find(map, name);
	size_t mark = pv_reading_enter(reading, node->key);
	pv_reading_fail(reading, node, "%s", sentence);
	pv_reading_leave(reading, mark);
	return false;
}

#define NAME_MAX_BYTES 63

bool pv_member_name_is_right(struct pv_str name)
{
	if (!name.len || name.len > NAME_MAX_BYTES ||
	    !pv_is_alpha((unsigned char)name.ptr[0]))
		return false;
	for (size_t i = 0; i < name.len; i++) {
		int byte = (unsigned char)name.ptr[i];
		if (!pv_is_alnum(byte) && byte != '-' && byte != '_')
			return false;
	}
	return true;
}
