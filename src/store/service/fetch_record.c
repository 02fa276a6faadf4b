#include "store/service/fetch_record.h"

#include <string.h>

#include "store/statement.h"

const char *pv_fetch_state_word(enum pv_fetch_state state)
{
	static const char *const words[PV_FETCH_STATE_COUNT] = {
	    [PV_FETCH_WAITING] = "waiting",
	    [PV_FETCH_DONE] = "done",
	    [PV_FETCH_REFUSED] = "refused",
	    [PV_FETCH_FAILED] = "failed",
	};
	return (unsigned)state < PV_FETCH_STATE_COUNT ? words[state]
						      : "unknown";
}

bool pv_fetch_read(struct pv_statement *statement, struct pv_fetch *fetch)
{
	if (!pv_statement_step(statement))
		return false;
	*fetch = (struct pv_fetch){
	    .number = (uint64_t)pv_statement_number(statement, 0),
	    .id = pv_statement_text(statement, 1),
	    .owner = pv_statement_text(statement, 2),
	    .profile = pv_statement_text(statement, 3),
	    .url = pv_statement_text(statement, 4),
	    .at = pv_statement_text(statement, 5),
	    .not_before_ms = pv_statement_number(statement, 6),
	    .created_ms = pv_statement_number(statement, 7),
	    .ended_ms = pv_statement_number(statement, 8),
	    .state = (enum pv_fetch_state)pv_statement_number(statement, 9),
	    .answer = pv_statement_text(statement, 10),
	    .key = pv_statement_text(statement, 11),
	    .hops = (unsigned)pv_statement_number(statement, 13),
	    .rows = pv_statement_text(statement, 14),
	    .webhook = pv_statement_text(statement, 15),
	};
	struct pv_str digest = pv_statement_text(statement, 12);
	if (digest.len == PV_DIGEST_SIZE)
		memcpy(fetch->digest, digest.ptr, digest.len);
	return true;
}

bool pv_fetch_take(struct pv_statement *statement, struct pv_arena *arena,
    struct pv_fetch *fetch)
{
	bool is_there = pv_fetch_read(statement, fetch);
	if (is_there) {
		struct pv_str *texts[] = {&fetch->id, &fetch->owner,
		    &fetch->profile, &fetch->url, &fetch->at, &fetch->answer,
		    &fetch->key, &fetch->rows, &fetch->webhook};
		for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
			*texts[i] = pv_arena_copy(arena, *texts[i]);
	}
	pv_statement_reset(statement);
	return is_there;
}
