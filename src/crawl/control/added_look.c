#include "crawl/control/added_look.h"

#include "crawl/conductor.h"
#include "store/tables/state_addresses.h"
#include "store/tables/state_figures.h"

/* Of several in one batch the first is new. */
static bool is_again(const struct pv_added *added, size_t number)
{
	const struct pv_added_item *item = &added->items[number];
	for (size_t i = 0; i < number; i++) {
		if (added->items[i].is_given &&
		    pv_str_equal(pv_buf_str(&added->items[i].url),
			pv_buf_str(&item->url)))
			return true;
	}
	return false;
}

/* How many addresses may become known. */
static uint64_t room(const struct pv_added *added, struct pv_database *database)
{
	int64_t most = added->crawl->policy->limits.known;
	uint64_t known = 0;
	struct pv_counts counts;
	if (most == PV_NONE)
		return UINT64_MAX;
	pv_state_figures_counts(database, &counts);
	for (size_t i = 0; i < PV_STATE_COUNT; i++)
		known += counts.states[i];
	return known < (uint64_t)most ? (uint64_t)most - known : 0;
}

/* Of seeds the frontier takes any number, since a policy has only so many. */
static void leave_out(struct pv_added *added, struct pv_database *database)
{
	uint64_t left = room(added, database);
	for (size_t i = 0; i < added->count; i++) {
		struct pv_added_item *item = &added->items[i];
		if (!item->is_given || item->was_known || is_again(added, i))
			continue;
		if (left) {
			left--;
			continue;
		}
		item->is_given = item->is_seed = false;
		added->has_left = true;
		pv_command_say(item->command, PAVANE_NO, "known-limit",
		    "limits.known is reached: no further address is stored");
	}
}

void pv_added_look_before(struct pv_added *added, struct pv_database *database)
{
	struct pv_state_addresses addresses;
	struct pv_state_address row;
	pv_state_addresses_init(&addresses, database);
	for (size_t i = 0; i < added->count; i++) {
		struct pv_added_item *item = &added->items[i];
		uint64_t id =
		    item->is_given
			? pv_state_addresses_find(&addresses, item->fingerprint)
			: 0;
		item->was_known = id != 0;
		bool is_there =
		    id && pv_state_addresses_get(&addresses, id, &row);
		item->was_refused = is_there && row.state == PV_STATE_REFUSED;
		item->was_done = is_there && row.state == PV_STATE_DONE;
		pv_state_addresses_let_go(&addresses);
	}
	pv_state_addresses_finish(&addresses);
	leave_out(added, database);
}

static void say_refused(
    struct pv_command *command, const struct pv_state_address *row)
{
	const struct pv_reason_row *reason = pv_reason_get(row->verdict.reason);
	struct pv_buf sentence;
	pv_buf_init(&sentence, SIZE_MAX);
	pv_buf_append_format(
	    &sentence, "it is not requested: %s", reason->sentence);
	if (row->verdict.line)
		pv_buf_append_format(&sentence, " (%s %u)",
		    pv_reason_number_of(row->verdict.reason),
		    (unsigned)row->verdict.line);
	pv_command_say(
	    command, PAVANE_NO, reason->word, pv_buf_text(&sentence));
	pv_buf_finish(&sentence);
}

static void say_known(
    struct pv_command *command, const struct pv_state_address *row)
{
	pv_command_say(command, PAVANE_NO, "known",
	    row->state == PV_STATE_DONE
		? "it is known already, and was requested"
		: "it is known already, and will be requested");
}

static bool is_anew(const struct pv_added_item *item)
{
	return item->asks_anew && item->was_done;
}

static void say(const struct pv_added *added, size_t number,
    const struct pv_state_address *row)
{
	const struct pv_added_item *item = &added->items[number];
	struct pv_command *command = item->command;
	if (!row)
		pv_command_say(command, PAVANE_UNREADABLE, "",
		    "it cannot be found in the state");
	else if (row->state == PV_STATE_REFUSED)
		say_refused(command, row);
	else if (is_again(added, number) ||
		 (item->was_known && !item->was_refused && !is_anew(item)))
		say_known(command, row);
	else
		pv_command_say(command, PAVANE_YES, "", "");
}

void pv_added_look_after(struct pv_added *added, struct pv_database *database)
{
	struct pv_state_addresses addresses;
	struct pv_state_address row;
	pv_state_addresses_init(&addresses, database);
	for (size_t i = 0; i < added->count; i++) {
		struct pv_added_item *item = &added->items[i];
		if (!item->is_given)
			continue;
		uint64_t id =
		    pv_state_addresses_find(&addresses, item->fingerprint);
		bool is_there =
		    id && pv_state_addresses_get(&addresses, id, &row);
		say(added, i, is_there ? &row : NULL);
		pv_state_addresses_let_go(&addresses);
	}
	pv_state_addresses_finish(&addresses);
}
