#include "names/gathering.h"

#include "base/visible.h"
#include "names/limits.h"

void pv_gathering_init(struct pv_gathering *gathering,
    const struct pv_vetting *vetting, struct pv_str host,
    const struct pv_address *before)
{
	*gathering = (struct pv_gathering){
	    .vetting = vetting,
	    .host = host,
	    .ttl_s = PV_NAME_TTL_NONE,
	};
	if (before)
		gathering->before = *before;
}

/* Whether a stands before b, which is another address. */
static bool is_better(const struct pv_gathering *gathering,
    const struct pv_address *a, const struct pv_address *b)
{
	if (pv_address_equal(a, &gathering->before))
		return true;
	if (pv_address_equal(b, &gathering->before))
		return false;
	if (a->bits != b->bits)
		return a->bits < b->bits;
	return memcmp(a->bytes, b->bytes, a->bits / 8) < 0;
}

/* Puts it in its place; the last one falls out if there are too many. */
static void insert(
    struct pv_gathering *gathering, const struct pv_address *address)
{
	struct pv_address *best = gathering->best;
	uint32_t place = 0;
	while (place < gathering->count &&
	       is_better(gathering, &best[place], address))
		place++;
	if (place == PV_NAME_ADDRESSES_MAX)
		return;
	uint32_t last = gathering->count < PV_NAME_ADDRESSES_MAX
			    ? gathering->count++
			    : PV_NAME_ADDRESSES_MAX - 1;
	memmove(&best[place + 1], &best[place], (last - place) * sizeof(*best));
	best[place] = *address;
}

static bool has(
    const struct pv_gathering *gathering, const struct pv_address *address)
{
	for (uint32_t i = 0; i < gathering->count; i++) {
		if (pv_address_equal(&gathering->best[i], address))
			return true;
	}
	return false;
}

static void refuse(struct pv_gathering *gathering,
    const struct pv_address *address, bool is_asked_away)
{
	if (gathering->refused.bits &&
	    (gathering->is_asked_away || !is_asked_away))
		return;
	gathering->refused = *address;
	gathering->is_asked_away = is_asked_away;
}

void pv_gathering_add(
    struct pv_gathering *gathering, const struct pv_address *address)
{
	if (has(gathering, address))
		return;
	enum pv_vetted vetted =
	    pv_vetting_judge(gathering->vetting, gathering->host, address);
	if (vetted == PV_VETTED_YES)
		insert(gathering, address);
	else
		refuse(gathering, address, vetted == PV_VETTED_ASKED_AWAY);
}

void pv_gathering_add_ttl(struct pv_gathering *gathering, int64_t ttl_s)
{
	if (ttl_s < gathering->ttl_s)
		gathering->ttl_s = ttl_s;
}

bool pv_gathering_is_empty(const struct pv_gathering *gathering)
{
	return !gathering->count && !gathering->refused.bits;
}

static bool is_own(const struct pv_address *address)
{
	enum pv_address_kind kind = pv_address_kind(address);
	return kind == PV_ADDRESS_LOOPBACK || kind == PV_ADDRESS_PRIVATE;
}

static void tell_why(const struct pv_gathering *gathering,
    const char *otherwise, struct pv_name_answer *answer)
{
	struct pv_buf why;
	pv_buf_init(&why, sizeof(answer->why) - 1);
	if (gathering->refused.bits)
		pv_vetting_explain(gathering->vetting, gathering->host,
		    &gathering->refused, &why);
	else
		pv_visible_append(&why, pv_str_of(otherwise));
	memcpy(answer->why, pv_buf_text(&why), why.len + 1);
	pv_buf_finish(&why);
}

void pv_gathering_answer(const struct pv_gathering *gathering,
    enum pv_name_result otherwise, const char *why,
    struct pv_name_answer *answer)
{
	*answer = (struct pv_name_answer){.result = PV_NAME_FOUND};
	if (!gathering->count) {
		answer->result = !gathering->refused.bits   ? otherwise
				 : gathering->is_asked_away ? PV_NAME_ASKED_AWAY
							    : PV_NAME_FORBIDDEN;
		tell_why(gathering, why, answer);
		return;
	}
	memcpy(answer->addresses, gathering->best, sizeof(gathering->best));
	answer->count = gathering->count;
	answer->port = gathering->port;
	answer->is_own = is_own(&answer->addresses[0]);
}
