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

bool pv_fetch_take(struct pv_statement *statement, struct pv_arena *arena,
    struct pv_fetch *fetch)
{
	bool is_there = pv_statement_step(statement);
	if (is_there) {
		*fetch = (struct pv_fetch){
		    .number = (uint64_t)pv_statement_number(statement, 0),
		    .not_before_ms = pv_statement_number(statement, 6),
		    .created_ms = pv_statement_number(statement, 7),
		    .ended_ms = pv_statement_number(statement, 8),
		    .hops = (unsigned)pv_statement_number(statement, 13),
		    .state =
			(enum pv_fetch_state)pv_statement_number(statement, 9),
		};
		const struct {
			struct pv_str *text;
			int column;
		} texts[] = {{&fetch->id, 1}, {&fetch->owner, 2},
		    {&fetch->profile, 3}, {&fetch->url, 4}, {&fetch->at, 5},
		    {&fetch->answer, 10}, {&fetch->key, 11}, {&fetch->rows, 14},
		    {&fetch->webhook, 15}};
		for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
			*texts[i].text = pv_arena_copy(arena,
			    pv_statement_text(statement, texts[i].column));
		struct pv_str digest = pv_statement_text(statement, 12);
		if (digest.len == PV_DIGEST_SIZE)
			memcpy(fetch->digest, digest.ptr, digest.len);
	}
	pv_statement_reset(statement);
	return is_there;
}
