#include "fleet/wishes.h"

#include "base/reader.h"
#include "fleet/worker/worker.h"
#include "store/orders.h"

/* What is no text of orders is a later version's, or damaged. */
static void tell_damaged(struct pv_fleet *fleet)
{
	fleet->options.on_line(fleet->options.ctx, true,
	    "the orders in the fleet's database cannot be read, so that what "
	    "held before goes on: give them again");
}

static bool heed(struct pv_fleet *fleet, struct pv_str wish)
{
	struct pv_orders orders;
	pv_orders_init(&orders);
	bool is_right = !wish.len || pv_orders_read(&orders, wish) == 0;
	bool is_to_stop = orders.stop_run > fleet->joined_wish;
	pv_orders_finish(&orders);
	if (!is_right)
		tell_damaged(fleet);
	return !is_right ||
	       fleet->options.on_wish(fleet->options.ctx, wish, is_to_stop);
}

/* Who has joined before anybody wished for anything keeps to the orders of its own
 * directory. */
void pv_wishes_hear(struct pv_fleet *fleet, int64_t number, struct pv_str wish)
{
	if (number > fleet->heard_wish && !fleet->is_lost && heed(fleet, wish))
		fleet->heard_wish = number;
}

/* Looking at once */

static void look(struct pv_fleet *fleet);

/* What came meanwhile may not be in the answer. */
static void on_answer(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	int64_t number = 0;
	struct pv_str wish = PV_STR("");
	(void)request;
	fleet->is_looking = false;
	if (answer->status != PV_FLEET_OK || !fleet->worker)
		return;
	pv_fleet_field_number(
	    pv_fleet_results_field(answer->results, 0, 0, 1), &number);
	pv_fleet_field_text(
	    pv_fleet_results_field(answer->results, 0, 0, 2), &wish);
	pv_wishes_hear(fleet, number, wish);
	if (fleet->looks_again)
		look(fleet);
}

static void look(struct pv_fleet *fleet)
{
	struct pv_fleet_value crawl =
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl);
	const struct pv_fleet_step step = {PV_SAY_LOOK, &crawl, 1};
	fleet->looks_again = fleet->is_looking;
	if (fleet->is_looking)
		return;
	fleet->is_looking = true;
	pv_fleet_line_send(fleet->beats_line,
	    pv_fleet_request_create(&step, 1, on_answer, fleet));
}

static bool is_for(const struct pv_fleet *fleet, const char *payload)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(payload));
	uint64_t number = 0;
	return pv_reader_take_number(&reader, INT64_MAX, &number) &&
	       pv_reader_is_end(&reader) && (int64_t)number == fleet->crawl;
}

void pv_wishes_on_notify(void *ctx, const char *channel, const char *payload)
{
	struct pv_fleet *fleet = ctx;
	(void)channel;
	if (!pv_fleet_line_is_up(fleet->beats_line) || !is_for(fleet, payload))
		return;
	look(fleet);
	if (fleet->has_beats)
		pv_fleet_beats_hurry(&fleet->beats);
}
