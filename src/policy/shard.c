#include "policy/shard.h"

#include "base/hash.h"
#include "base/reader.h"
#include "policy/values/host_pattern.h"

/* The bytes of "pavane's shards.": another one would divide all crawls anew. */
static const struct pv_hash_key key = {
    {0x2773656e61766170, 0x2e73647261687320}};

static bool take_number(struct pv_reader *reader, uint64_t *number)
{
	return pv_reader_take_number(reader, PV_SHARDS_MAX, number) &&
	       *number > 0;
}

bool pv_shard_read(struct pv_str text, struct pv_shard *shard)
{
	struct pv_reader reader = pv_reader_of(text);
	uint64_t number, count;
	if (!take_number(&reader, &number) || !pv_reader_accept(&reader, '/') ||
	    !take_number(&reader, &count) || !pv_reader_is_end(&reader) ||
	    number > count)
		return false;
	shard->number = (uint32_t)number;
	shard->count = (uint32_t)count;
	return true;
}

void pv_shard_tell(const char *text, struct pv_why *why)
{
	pv_why_add(why, (struct pv_place){0}, PV_STR("--shard"),
	    "%s is no shard: write its number and how many there are, such as "
	    "2/4; there are at most %d",
	    text, PV_SHARDS_MAX);
}

uint32_t pv_shard_of(
    const struct pv_policy *policy, uint32_t count, struct pv_str host)
{
	struct pv_str clock = pv_domains_clock(&policy->domains, host);
	uint32_t rest = (uint32_t)(pv_hash(&key, clock) % count);
	return rest ? rest : count;
}

uint32_t pv_shard_elsewhere(const struct pv_policy *policy,
    const struct pv_shard *shard, struct pv_str host)
{
	if (!shard->count)
		return 0;
	uint32_t number = pv_shard_of(policy, shard->count, host);
	return number == shard->number ? 0 : number;
}
