#include "api/crawl/crawl_object.h"
#include "api/sized.h"
#include "crawl/control/commands.h"
#include "policy/values/host_pattern.h"
#include "pavane/pavane.h"
#include "policy/seeds.h"
#include "store/orders.h"

/* Commands: what a program gives, as the crawl's mailbox takes it. */

#define HOST_MAX 1000
#define ASSIGNMENTS_MAX 100
#define ASSIGNMENT_MAX 400

/* One command on its way. */
struct sending {
	struct pavane_crawl *crawl;
	struct pavane_asking asking;
	struct pv_command *command;
	struct pavane_reply reply;
	struct pavane_host_look host;
	bool is_unsized; /* the asking: it was not read */
};

static void begin(struct sending *sending, struct pavane_crawl *crawl,
    enum pv_command_kind kind, const struct pavane_asking *asking)
{
	*sending = (struct sending){.crawl = crawl};
	sending->is_unsized = asking && !pv_sized_read(&sending->asking,
					    sizeof(sending->asking), asking);
	sending->command = pv_command_create(kind);
	sending->command->until_wall_ms = INT64_MAX;
	sending->command->on_reply = sending->asking.on_reply;
	sending->command->ctx = sending->asking.ctx;
}

static void write_reply(const struct sending *sending)
{
	if (sending->asking.reply)
		pv_sized_write(sending->asking.reply, &sending->reply,
		    sizeof(sending->reply));
}

/* What makes no sense is never sent. */
static enum pavane_answer refuse(struct sending *sending, const char *sentence)
{
	pv_command_say(sending->command, PAVANE_WRONG, "", sentence);
	sending->reply = sending->command->reply;
	write_reply(sending);
	pv_command_destroy(sending->command);
	return PAVANE_WRONG;
}

static enum pavane_answer send(struct sending *sending)
{
	const struct pv_mailbox_wait wait = {
	    .ms = sending->asking.wait_ms,
	    .reply = &sending->reply,
	    .host = &sending->host,
	};
	if (sending->is_unsized)
		return refuse(sending, "");
	enum pavane_answer answer =
	    pv_commands_send(sending->crawl->crawl, sending->command, &wait);
	if (answer != PAVANE_LATE)
		write_reply(sending);
	return answer;
}

static bool is_longer(const char *text, size_t len)
{
	return strnlen(text, len + 1) > len;
}

static enum pavane_answer send_address(
    struct sending *sending, const char *address, const char *tag)
{
	if (!address)
		return refuse(sending, "there is no address");
	if (is_longer(address, PV_SEED_ADDRESS_MAX))
		return refuse(
		    sending, "this address is longer than 65536 bytes");
	if (tag && is_longer(tag, PV_ADDED_TAG_MAX))
		return refuse(sending, "a tag has at most 255 bytes");
	pv_buf_append_text(&sending->command->text, address);
	pv_buf_append_text(&sending->command->more, tag ? tag : "");
	return send(sending);
}

enum pavane_answer pavane_crawl_add(struct pavane_crawl *crawl,
    const char *address, const char *tag, uint32_t depth,
    const struct pavane_asking *asking)
{
	struct sending sending;
	begin(&sending, crawl, PV_COMMAND_ADD, asking);
	sending.command->depth = depth;
	return send_address(&sending, address, tag);
}

enum pavane_answer pavane_crawl_ask(struct pavane_crawl *crawl,
    const char *address, const char *tag, const struct pavane_asking *asking)
{
	struct sending sending;
	begin(&sending, crawl, PV_COMMAND_ADD, asking);
	sending.command->asks_anew = true;
	return send_address(&sending, address, tag);
}

enum pavane_answer pavane_crawl_pause(
    struct pavane_crawl *crawl, const struct pavane_asking *asking)
{
	struct sending sending;
	begin(&sending, crawl, PV_COMMAND_PAUSE, asking);
	return send(&sending);
}

static const char *fault_of_host(const char *host)
{
	if (!host || !*host)
		return "there is no host";
	return is_longer(host, HOST_MAX) ? "no host has so long a name" : NULL;
}

enum pavane_answer pavane_crawl_resume(struct pavane_crawl *crawl,
    const char *host, const struct pavane_asking *asking)
{
	struct sending sending;
	begin(&sending, crawl, PV_COMMAND_RESUME, asking);
	if (!host)
		return send(&sending);
	if (fault_of_host(host))
		return refuse(&sending, fault_of_host(host));
	pv_buf_append_text(&sending.command->text, host);
	return send(&sending);
}

enum pavane_answer pavane_crawl_pause_host(struct pavane_crawl *crawl,
    const char *host, int64_t until_ms, const char *why,
    const struct pavane_asking *asking)
{
	struct sending sending;
	begin(&sending, crawl, PV_COMMAND_PAUSE, asking);
	if (fault_of_host(host))
		return refuse(&sending, fault_of_host(host));
	if (until_ms)
		sending.command->until_wall_ms = until_ms;
	pv_buf_append_text(&sending.command->text, host);
	pv_buf_append(&sending.command->more,
	    (struct pv_str){why, why ? strnlen(why, PV_ORDER_WHY_MAX + 1) : 0});
	return send(&sending);
}

enum pavane_answer pavane_crawl_set(struct pavane_crawl *crawl,
    const char *const *assignments, size_t count,
    const struct pavane_asking *asking)
{
	struct sending sending;
	begin(&sending, crawl, PV_COMMAND_SET, asking);
	if (count > ASSIGNMENTS_MAX)
		return refuse(
		    &sending, "no more than 100 keys can be set at a time");
	sending.command->count = count;
	for (size_t i = 0; i < count; i++) {
		if (is_longer(assignments[i], ASSIGNMENT_MAX))
			return refuse(&sending,
			    "a value is one line of at most 255 plain "
			    "characters");
		pv_buf_append_text(&sending.command->text, assignments[i]);
		pv_buf_append_char(&sending.command->text, '\0');
	}
	return send(&sending);
}

enum pavane_answer pavane_crawl_look_host(struct pavane_crawl *crawl,
    const char *host, struct pavane_host_look *look,
    const struct pavane_asking *asking)
{
	struct sending sending;
	begin(&sending, crawl, PV_COMMAND_LOOK_HOST, asking);
	if (fault_of_host(host))
		return refuse(&sending, fault_of_host(host));
	if (!pv_host_name_canonical(pv_str_of(host), &sending.command->text))
		return refuse(&sending, "this is no host name");
	enum pavane_answer answer = send(&sending);
	if (answer == PAVANE_YES && look)
		pv_sized_write(look, &sending.host, sizeof(sending.host));
	return answer;
}

enum pavane_answer pavane_crawl_finish(
    struct pavane_crawl *crawl, const struct pavane_asking *asking)
{
	struct sending sending;
	begin(&sending, crawl, PV_COMMAND_FINISH, asking);
	return send(&sending);
}
