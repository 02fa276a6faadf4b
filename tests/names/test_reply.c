#include "names/reply.h"

#include <stdlib.h>

#include <ares.h>

#include "base/alloc.h"
#include "random.h"
#include "server/name_message.h"
#include "tap.h"

static const struct name_question question = {
    .id = 7,
    .type = NAME_TYPE_A,
    .name = "a.test",
    .section = {"\1a\4test\0\0\1\0\1", 12},
};

static const char ipv4[] = {(char)192, 0, 2, 1};
static const char ipv6[16] = {0x20, 1, 0xd, (char)0xb8, [15] = 1};

static void read_it(
    const struct pv_buf *message, int bits, struct pv_reply *reply)
{
	pv_reply_read(ARES_SUCCESS, bits, (const unsigned char *)message->ptr,
	    message->len, reply);
}

static void write_both(struct pv_buf *message)
{
	name_reply_write(&question, NAME_NO_ERROR, false, message);
	name_reply_add(
	    message, "a.test", NAME_TYPE_CNAME, 100, PV_STR("b.test"));
	name_reply_add(message, "b.test", NAME_TYPE_A, 300,
	    (struct pv_str){ipv4, sizeof(ipv4)});
	name_reply_add(message, "b.test", NAME_TYPE_AAAA, 200,
	    (struct pv_str){ipv6, sizeof(ipv6)});
	name_reply_add(message, "other.test", NAME_TYPE_A, 1,
	    (struct pv_str){"\x0a\0\0\1", 4});
}

static void test_addresses(struct pv_buf *message)
{
	struct pv_reply reply;
	write_both(message);
	read_it(message, 32, &reply);
	ok(reply.kind == PV_REPLY_ADDRESSES && reply.count == 1 &&
		reply.addresses[0].bits == 32 &&
		memcmp(reply.addresses[0].bytes, ipv4, 4) == 0,
	    "IPv4 addresses of the name are read, and no others");
	ok(reply.ttl_s == 100, "with the shortest time on the way to them");
	read_it(message, 128, &reply);
	ok(reply.kind == PV_REPLY_ADDRESSES && reply.count == 1 &&
		reply.addresses[0].bits == 128 &&
		memcmp(reply.addresses[0].bytes, ipv6, 16) == 0,
	    "IPv6 addresses alike");
}

static void test_nothing(struct pv_buf *message)
{
	struct pv_reply reply;
	name_reply_write(&question, NAME_NO_ERROR, false, message);
	read_it(message, 32, &reply);
	ok(reply.kind == PV_REPLY_NO_DATA, "a message may hold nothing");
	name_reply_add(
	    message, "a.test", NAME_TYPE_CNAME, 100, PV_STR("b.test"));
	read_it(message, 32, &reply);
	ok(reply.kind == PV_REPLY_NO_DATA && !reply.count,
	    "an alias that leads nowhere is nothing");
}

static void test_many(struct pv_buf *message)
{
	struct pv_reply reply;
	unsigned count = 0;
	unsigned char *answers;
	name_reply_write(&question, NAME_NO_ERROR, false, message);
	while (name_reply_add(message, "a.test", NAME_TYPE_A, 60,
	    (struct pv_str){ipv4, sizeof(ipv4)}))
		count++;
	read_it(message, 32, &reply);
	ok(reply.kind == PV_REPLY_ADDRESSES &&
		reply.count == PV_REPLY_ADDRESSES_MAX,
	    "of %u addresses so many are read as there is room for", count);
	/* What would make the message a wrong one is not looked at. */
	answers = (unsigned char *)message->ptr + 6;
	answers[0] = answers[1] = 0xff;
	read_it(message, 32, &reply);
	ok(reply.kind == PV_REPLY_ADDRESSES &&
		reply.count == PV_REPLY_ADDRESSES_MAX,
	    "and no further records are looked at");
}

static const struct {
	int status;
	enum pv_reply_kind kind;
} statuses[] = {
    {ARES_ENODATA, PV_REPLY_NO_DATA},
    {ARES_ENOTFOUND, PV_REPLY_NO_NAME},
    {ARES_EDESTRUCTION, PV_REPLY_DROPPED},
    {ARES_ESERVFAIL, PV_REPLY_FAILED},
    {ARES_ECONNREFUSED, PV_REPLY_FAILED},
    {ARES_ETIMEOUT, PV_REPLY_FAILED},
    {ARES_EFILE, PV_REPLY_FAILED},
};

static void test_statuses(void)
{
	struct pv_reply reply;
	for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++) {
		pv_reply_read(statuses[i].status, 32, NULL, 0, &reply);
		ok(reply.kind == statuses[i].kind && !reply.count &&
			reply.why[0],
		    "without a message: %s", reply.why);
	}
}

/* The bytes come from strangers: whatever is missing of them or wrong with
 * them, what is read has its bounds. */
static void test_broken(struct pv_buf *message)
{
	struct pv_reply reply;
	struct random random = random_of(5);
	bool is_bounded = true;
	write_both(message);
	size_t len = message->len;
	for (size_t cut = 0; cut < len; cut++) {
		unsigned char *copy = pv_alloc(cut + !cut);
		memcpy(copy, message->ptr, cut);
		pv_reply_read(ARES_SUCCESS, 32, copy, cut, &reply);
		is_bounded = is_bounded && reply.count <= 1;
		free(copy);
	}
	for (int round = 0; round < 20000; round++) {
		write_both(message);
		for (size_t i = 0; i <= random_below(&random, 4); i++)
			message->ptr[random_below(&random, len)] =
			    (char)random_next(&random);
		read_it(message, round % 2 ? 32 : 128, &reply);
		is_bounded = is_bounded && reply.count <= 3;
	}
	ok(is_bounded, "broken messages hold no more than whole ones");
}

int main(void)
{
	struct pv_buf message;
	pv_buf_init(&message, NAME_MESSAGE_BYTES_MAX);
	test_addresses(&message);
	test_nothing(&message);
	test_many(&message);
	test_statuses();
	test_broken(&message);
	pv_buf_finish(&message);
	return tap_done();
}
