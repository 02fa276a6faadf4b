#include "names/known_hosts.h"

#include "names/host_text.h"

void pv_known_hosts_init(struct pv_known_hosts *known,
    const struct pv_policy *policy, const char *hosts_path)
{
	pv_resolve_table_init(&known->resolve, &policy->fetch.resolve);
	pv_hosts_file_init(&known->file, hosts_path);
}

void pv_known_hosts_finish(struct pv_known_hosts *known)
{
	pv_resolve_table_finish(&known->resolve);
	pv_hosts_file_finish(&known->file);
}

static void add_local(struct pv_gathering *gathering)
{
	static const struct pv_address ipv4 = {32, {127, 0, 0, 1}};
	static const struct pv_address ipv6 = {128, {[15] = 1}};
	pv_gathering_add(gathering, &ipv4);
	pv_gathering_add(gathering, &ipv6);
}

static void on_address(void *ctx, const struct pv_address *address)
{
	pv_gathering_add(ctx, address);
}

static void gather(
    const struct pv_known_hosts *known, struct pv_gathering *gathering)
{
	struct pv_address itself;
	struct pv_str host = gathering->host;
	bool is_address = pv_host_text_as_address(host, &itself);
	const struct pv_socket *socket = pv_resolve_table_get(
	    &known->resolve, host, is_address ? &itself : NULL);
	if (socket) {
		gathering->port = socket->port;
		pv_gathering_add(gathering, &socket->address);
	} else if (is_address) {
		pv_gathering_add(gathering, &itself);
	} else if (pv_host_name_is_local(host)) {
		add_local(gathering);
	} else if (!pv_host_text_fault(host)) {
		pv_hosts_file_each(&known->file, host, on_address, gathering);
	}
}

bool pv_known_hosts_answer(const struct pv_known_hosts *known,
    struct pv_gathering *gathering, struct pv_name_answer *answer)
{
	gather(known, gathering);
	const char *fault = pv_host_text_fault(gathering->host);
	if (pv_gathering_is_empty(gathering) && !fault)
		return false;
	pv_gathering_answer(gathering, PV_NAME_UNKNOWN, fault, answer);
	return true;
}
