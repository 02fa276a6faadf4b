#include "policy/pages/follow.h"

#include "policy/kind.h"
#include "policy/option.h"
#include "policy/pages/source.h"
#include "policy/values/value.h"

static bool read_as(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	struct pv_follow *follow = ctx;
	if (node->kind != PV_NODE_TEXT || !pv_member_name_is_right(node->text))
		return pv_reading_expected(
		    reading, node, "the name of a kind of page");
	if (!pv_text_is_meant(reading, node, "the name of a kind of page"))
		return false;
	follow->as = pv_arena_text(reading->arena, node->text);
	return true;
}

static bool read_carry(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	struct pv_follow *follow = ctx;
	size_t count = pv_node_count(node);
	if (node->kind != PV_NODE_LIST || !count)
		return pv_reading_expected(reading, node,
		    "a list of fields of this kind of page, such as "
		    "[category]");
	if (count > PV_CARRY_MAX)
		return pv_reading_fail(reading, node,
		    "at most %d fields are allowed; there are %zu",
		    PV_CARRY_MAX, count);
	follow->carry.items =
	    pv_arena_give_array(reading->arena, count, sizeof(char *));
	for (const struct pv_node *one = node->first; one; one = one->next) {
		if (one->kind != PV_NODE_TEXT || !one->text.len)
			return pv_reading_expected(
			    reading, one, "the name of a field");
		if (!pv_text_is_meant(reading, one, "the name of a field"))
			return false;
		follow->carry.items[follow->carry.count++] =
		    pv_arena_text(reading->arena, one->text);
	}
	return true;
}

static bool read_limit(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	static const struct pv_option option = {.path = "limit",
	    .kind = &pv_kind_count,
	    .least = 1,
	    .most = PV_FOLLOW_LIMIT_MAX,
	    .flags = PV_MAY_BE_NONE};
	struct pv_follow *follow = ctx;
	return pv_kind_count.read(reading, &option, node, &follow->limit);
}

static const struct pv_member_key keys[] = {
    PV_ELEMENT_KEYS,
    {"regex", NULL},
    {"as", read_as},
    {"carry", read_carry},
    {"limit", read_limit},
};

static const struct pv_member_table table = {keys, sizeof(keys) / sizeof(*keys),
    "a link has css, xpath, json or regex, then as, and may have carry and "
    "limit"};

static bool read_one(struct pv_reading *reading, const struct pv_node *node,
    struct pv_follow *follow)
{
	*follow = (struct pv_follow){
	    .limit = PV_NONE,
	    .origin = pv_reading_origin(reading, node),
	};
	if (node->kind != PV_NODE_MAP || !node->first)
		return pv_reading_expected(reading, node,
		    "a mapping such as {css: \"a.next\", as: category}");
	if (!pv_members_read(reading, node, &table, follow))
		return false;
	if (pv_source_count(node) != 1)
		return pv_source_fail_count(
		    reading, node, "css, xpath, json or regex");
	if (!follow->as)
		return pv_reading_fail(reading, node,
		    "the kind of page that this leads to is missing: write "
		    "as: and its name");
	return pv_source_read(reading, node, &follow->source);
}

bool pv_follow_read(struct pv_reading *reading, const struct pv_node *node,
    struct pv_page_kind *kind)
{
	size_t count = pv_node_count(node);
	bool is_right = true;
	kind->has_follow = true;
	if (node->kind != PV_NODE_LIST)
		return pv_reading_expected(reading, node,
		    "a list of links, such as [{css: \"a.next\", as: "
		    "category}]");
	if (count > PV_FOLLOW_MAX)
		return pv_reading_fail(reading, node,
		    "at most %d links are allowed; there are %zu",
		    PV_FOLLOW_MAX, count);
	kind->follow =
	    pv_arena_give_array(reading->arena, count, sizeof(*kind->follow));
	for (const struct pv_node *one = node->first; one; one = one->next)
		is_right = read_one(reading, one,
			       &kind->follow[kind->follow_count++]) &&
			   is_right;
	return is_right;
}

void pv_follow_finish(struct pv_page_kind *kind)
{
	for (size_t i = 0; i < kind->follow_count; i++)
		pv_source_finish(&kind->follow[i].source);
}
