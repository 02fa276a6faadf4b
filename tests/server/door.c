#include "server/door.h"

#include "base/glob.h"
#include "server/inside.h"

static bool fits(const struct server_door *door, struct pv_str address)
{
	return !door->address ||
	       pv_glob_match(pv_str_of(door->address), address);
}

static const struct server_door *find(
    struct server *server, struct pv_str address)
{
	for (size_t i = 0; i < server->plan.door_count; i++) {
		const struct server_door *door = &server->plan.doors[i];
		uint32_t *uses = &server->door_uses[i];
		if (!fits(door, address) ||
		    (door->times && *uses >= door->times))
			continue;
		++*uses;
		return door;
	}
	return NULL;
}

const struct server_door *door_find(
    struct server *server, const struct pv_address *address)
{
	struct pv_buf text;
	if (!server->plan.door_count)
		return NULL;
	pv_buf_init(&text, 64);
	pv_address_write(address, &text);
	const struct server_door *found = find(server, pv_buf_str(&text));
	pv_buf_finish(&text);
	return found;
}
