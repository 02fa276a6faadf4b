#include "policy/values/host_index.h"

/* The author of the policy chooses its names: no stranger can make them
 * collide. */
static const struct pv_hash_key hash_key = {{0x70617661, 0x6e65}};

void pv_host_index_init(struct pv_host_index *index)
{
	*index = (struct pv_host_index){0};
	pv_map_init(&index->exact, hash_key);
	pv_map_init(&index->below, hash_key);
	pv_map_init(&index->networks, hash_key);
}

void pv_host_index_finish(struct pv_host_index *index)
{
	pv_map_finish(&index->exact);
	pv_map_finish(&index->below);
	pv_map_finish(&index->networks);
}

/* A network as a key: family, prefix and bytes. */
#define NETWORK_KEY_BYTES 18

static struct pv_str network_key(
    const struct pv_network *network, char key[NETWORK_KEY_BYTES])
{
	key[0] = (char)network->address.bits;
	key[1] = (char)network->prefix;
	memcpy(key + 2, network->address.bytes, 16);
	return (struct pv_str){key, NETWORK_KEY_BYTES};
}

/* An IPv4 address within an IPv6 one (RFC 4291, 2.5.5.2) leads to the same
 * host, so it is that address. */
static struct pv_network without_mapping(struct pv_network network)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	const struct pv_address *address = &network.address;
	struct pv_network inner = {.address.bits = 32};
	if (address->bits != 128 || network.prefix < 96 ||
	    memcmp(address->bytes, mapped, sizeof(mapped)) != 0)
		return network;
	memcpy(inner.address.bytes, address->bytes + sizeof(mapped), 4);
	inner.prefix = (uint8_t)(network.prefix - 96);
	return inner;
}

static bool add(struct pv_map *map, struct pv_arena *arena, struct pv_str text,
    uint32_t *number)
{
	if (pv_map_add(map, pv_arena_copy(arena, text), *number))
		return true;
	*number = *pv_map_get(map, text);
	return false;
}

bool pv_host_index_add(struct pv_host_index *index, struct pv_arena *arena,
    const struct pv_host_pattern *pattern, uint32_t *number)
{
	if (pattern->kind == PV_HOST_EXACT)
		return add(&index->exact, arena, pattern->name, number);
	if (pattern->kind == PV_HOST_BELOW)
		return add(&index->below, arena, pattern->name, number);
	char key[NETWORK_KEY_BYTES];
	struct pv_network network = without_mapping(pattern->network);
	size_t family = network.address.bits == 128;
	index->prefixes[family][network.prefix / 64] |= UINT64_C(1)
							<< network.prefix % 64;
	return add(&index->networks, arena, network_key(&network, key), number);
}

/* No pattern is longer, and a stranger's name of thousands of labels is not to
 * be looked up from each of them on. */
#define NAME_MAX_BYTES ((size_t)253)

static const uint32_t *find_name(const struct pv_map *map, struct pv_str name)
{
	return name.len <= NAME_MAX_BYTES ? pv_map_get(map, name) : NULL;
}

static size_t find_names(
    const struct pv_host_index *index, struct pv_str host, uint32_t *numbers)
{
	size_t count = 0;
	const uint32_t *found = find_name(&index->exact, host);
	if (found)
		numbers[count++] = *found;
	size_t dot = index->below.count ? pv_str_find(host, '.') : PV_NOT_FOUND;
	while (dot != PV_NOT_FOUND) {
		host = pv_str_from(host, dot + 1);
		found = find_name(&index->below, host);
		if (found && count <= 127)
			numbers[count++] = *found;
		dot = pv_str_find(host, '.');
	}
	return count;
}

static size_t find_networks(const struct pv_host_index *index,
    const struct pv_address *address, uint32_t *numbers)
{
	size_t count = 0;
	const uint64_t *prefixes = index->prefixes[address->bits == 128];
	for (int prefix = address->bits; prefix >= 0; prefix--) {
		char key[NETWORK_KEY_BYTES];
		if (!(prefixes[prefix / 64] >> prefix % 64 & 1))
			continue;
		struct pv_network network =
		    pv_network_of(address, (uint8_t)prefix);
		const uint32_t *found =
		    pv_map_get(&index->networks, network_key(&network, key));
		if (found)
			numbers[count++] = *found;
	}
	return count;
}

size_t pv_host_index_find(const struct pv_host_index *index, struct pv_str host,
    const struct pv_address *address, uint32_t numbers[PV_HOST_MATCHES_MAX])
{
	size_t count = 0;
	if (index->exact.count || index->below.count)
		count = find_names(index, pv_host_name_trim(host), numbers);
	if (!address || !index->networks.count)
		return count;
	struct pv_network network =
	    without_mapping(pv_network_of(address, address->bits));
	return count + find_networks(index, &network.address, numbers + count);
}
