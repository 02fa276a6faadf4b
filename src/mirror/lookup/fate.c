#include "mirror/lookup/fate.h"

#include <stdlib.h>

#include "base/array.h"
#include "http/status.h"

#define ADDRESS_MAX ((size_t)1 << 20)
#define FILE_MAX ((size_t)1 << 16)

/* So many files are looked for one by one, each through all of them; to read
 * them all takes about as long. */
#define SCANS_MAX 4

void pv_fate_init(struct pv_fate *fate)
{
	*fate = (struct pv_fate){.kind = PV_FATE_UNSEEN};
	pv_buf_init(&fate->url, ADDRESS_MAX);
	pv_buf_init(&fate->via, ADDRESS_MAX);
	pv_buf_init(&fate->file, FILE_MAX);
	pv_buf_init(&fate->location, ADDRESS_MAX);
}

void pv_fate_finish(struct pv_fate *fate)
{
	pv_buf_finish(&fate->url);
	pv_buf_finish(&fate->via);
	pv_buf_finish(&fate->file);
	pv_buf_finish(&fate->location);
}

void pv_fates_init(struct pv_fates *fates, const struct pv_kept_state *state)
{
	*fates = (struct pv_fates){.state = state};
	pv_state_addresses_init(&fates->addresses, state->database);
	pv_redirects_open(&fates->redirects, state->database);
	pv_url_init(&fates->url, ADDRESS_MAX);
	pv_buf_init(&fates->target, ADDRESS_MAX);
}

void pv_fates_finish(struct pv_fates *fates)
{
	pv_state_addresses_finish(&fates->addresses);
	free(fates->bad.ids);
	pv_redirects_close(&fates->redirects);
	pv_url_finish(&fates->url);
	pv_buf_finish(&fates->target);
	pv_kept_files_destroy(fates->files);
}

/* Finding */

uint64_t pv_fates_find(
    struct pv_fates *fates, struct pv_fingerprint fingerprint)
{
	return pv_state_addresses_find(&fates->addresses, fingerprint);
}

uint64_t pv_fates_find_file(struct pv_fates *fates, struct pv_str file)
{
	if (fates->scans++ == SCANS_MAX)
		fates->files = pv_kept_files_read(fates->state->database);
	if (fates->files)
		return (uint64_t)pv_kept_files_get(fates->files, file);
	return pv_state_addresses_find_file(&fates->addresses, file);
}

bool pv_fates_target(struct pv_fates *fates, const struct pv_fate *fate,
    struct pv_fingerprint *target)
{
	pv_buf_clear(&fates->target);
	if (!pv_redirects_get(&fates->redirects,
		pv_fingerprint_of(&fates->state->key, pv_buf_str(&fate->url)),
		&fates->target) ||
	    pv_url_parse(&fates->url, pv_buf_str(&fates->target)) != PV_URL_OK)
		return false;
	*target = pv_kept_state_fingerprint(fates->state, &fates->url);
	return true;
}

uint64_t pv_fates_next(struct pv_fates *fates, const struct pv_fate *fate)
{
	struct pv_fingerprint target;
	uint64_t id = pv_fates_target(fates, fate, &target)
			  ? pv_fates_find(fates, target)
			  : 0;
	if (id)
		return id;
	return pv_state_addresses_find_last_via(&fates->addresses, fate->id);
}

/* All that are bad in the next step, which may be none. */
static void read_bad(struct pv_fates *fates, uint64_t to)
{
	const struct pv_address_filter filter = {
	    .choice = PV_ADDRESSES_BAD, .after = fates->bad.last, .to = to};
	struct pv_state_address address;
	struct pv_address_cursor *rows =
	    pv_address_cursor_open(fates->state->database, &filter);
	fates->bad.count = fates->bad.given = 0;
	while (pv_address_cursor_next(rows, &address))
		*PV_ARRAY_PUSH(fates->bad.ids, fates->bad.count,
		    fates->bad.size) = address.id;
	pv_address_cursor_close(rows);
	fates->bad.last = to;
}

uint64_t pv_fates_next_bad(struct pv_fates *fates)
{
	while (fates->bad.given == fates->bad.count) {
		uint64_t to = pv_state_addresses_step(
		    fates->state->database, fates->bad.last);
		if (!to) {
			fates->bad.last = 0;
			return 0;
		}
		read_bad(fates, to);
	}
	return fates->bad.ids[fates->bad.given++];
}

/* What became of it */

/* What leaves the choice to a person leads no browser on (RFC 9110, 15.4.1);
 * and that nothing has changed is said of what was answered before, which is
 * kept in its place. */
static enum pv_fate_kind kind_of_redirection(int status)
{
	return pv_http_is_redirect(status) ? PV_FATE_MOVED : PV_FATE_BROKEN;
}

static enum pv_fate_kind kind_of_answer(const struct pv_result *answer)
{
	if (answer->outcome == PV_OUTCOME_TOO_LARGE ||
	    answer->outcome == PV_OUTCOME_NOT_ACCEPTED)
		return PV_FATE_LEFT;
	if (answer->outcome != PV_OUTCOME_ANSWERED)
		return PV_FATE_BROKEN;
	switch (pv_http_class(answer->http_status)) {
	case PV_HTTP_SUCCESS:
		return PV_FATE_GOOD;
	case PV_HTTP_REDIRECTION:
		return kind_of_redirection(answer->http_status);
	default:
		return PV_FATE_BROKEN;
	}
}

/* What was there and is redirected now is not lost. */
static enum pv_fate_kind kind_of_loss(struct pv_fate *fate, bool is_gone)
{
	if (!pv_http_is_redirect(fate->heard_status))
		return is_gone ? PV_FATE_GONE : PV_FATE_LOST;
	fate->result.http_status = fate->heard_status;
	return PV_FATE_MOVED;
}

static enum pv_fate_kind kind_of(
    struct pv_fate *fate, bool is_gone, bool has_failed)
{
	if (fate->state == PV_STATE_REFUSED)
		return PV_FATE_REFUSED;
	if (fate->state != PV_STATE_DONE)
		return PV_FATE_PENDING;
	if (is_gone || has_failed)
		return kind_of_loss(fate, is_gone);
	return kind_of_answer(&fate->result);
}

/* Turns what has moved into what leads to nothing, where it does. */
static void read_dead_end(
    const struct pv_state_address *address, struct pv_fate *fate)
{
	unsigned end = address->dead_end;
	if (fate->kind != PV_FATE_MOVED || end <= PV_DEAD_END_NONE ||
	    end >= PV_DEAD_END_COUNT)
		return;
	fate->dead_end = (enum pv_dead_end)end;
	fate->kind = end == PV_DEAD_END_ITSELF || end == PV_DEAD_END_SAME
			 ? PV_FATE_CIRCLE
			 : PV_FATE_NOWHERE;
	pv_buf_append(&fate->location, address->location);
}

static void read_address(
    const struct pv_state_address *address, struct pv_fate *fate)
{
	fate->state = address->state;
	fate->result = address->result;
	fate->verdict = address->verdict;
	fate->via_id = address->via_id;
	fate->heard_status = address->heard_status;
	fate->kind = kind_of(fate, address->is_gone, address->has_failed);
	read_dead_end(address, fate);
	fate->is_linked = !address->is_only_list;
	pv_buf_append(&fate->url, address->url);
	pv_buf_append(&fate->via, address->via);
	pv_buf_append(&fate->file, address->file);
}

void pv_fates_get(struct pv_fates *fates, uint64_t id, struct pv_fate *fate)
{
	struct pv_state_address address;
	pv_buf_clear(&fate->url);
	pv_buf_clear(&fate->via);
	pv_buf_clear(&fate->file);
	pv_buf_clear(&fate->location);
	fate->dead_end = PV_DEAD_END_NONE;
	fate->kind = PV_FATE_UNSEEN;
	fate->id = 0;
	if (!pv_state_addresses_get(&fates->addresses, id, &address))
		return;
	fate->id = id;
	read_address(&address, fate);
	pv_state_addresses_let_go(&fates->addresses);
}

/* A refusal is our own, but for these: nobody could have got there. */
bool pv_fate_is_broken(const struct pv_fate *fate)
{
	switch (fate->kind) {
	case PV_FATE_BROKEN:
	case PV_FATE_CIRCLE:
	case PV_FATE_NOWHERE:
	case PV_FATE_GONE:
	case PV_FATE_LOST:
		return true;
	case PV_FATE_REFUSED:
		return pv_reason_get(fate->verdict.reason)->kind ==
		       PV_KIND_BROKEN;
	default:
		return false;
	}
}
