#include "names/reply.h"

#include <ares.h>

#include "base/buf.h"

static enum pv_reply_kind kind_of(int status)
{
	switch (status) {
	case ARES_SUCCESS:
		return PV_REPLY_ADDRESSES;
	case ARES_ENODATA:
		return PV_REPLY_NO_DATA;
	case ARES_ENOTFOUND:
		return PV_REPLY_NO_NAME;
	case ARES_EDESTRUCTION:
		return PV_REPLY_DROPPED;
	default:
		return PV_REPLY_FAILED;
	}
}

static void add(struct pv_reply *reply, int bits, const void *bytes, int ttl_s)
{
	struct pv_address *address = &reply->addresses[reply->count++];
	*address = (struct pv_address){.bits = (uint8_t)bits};
	memcpy(address->bytes, bytes, (size_t)bits / 8);
	if (reply->count == 1 || ttl_s < reply->ttl_s)
		reply->ttl_s = ttl_s;
}

/* RFC 1035, 4.1.1: the header, and in it the number of answers. */
#define HEADER_BYTES 12
#define ANSWERS_OFFSET 6

static size_t count_answers(const unsigned char *message, size_t len)
{
	if (len < HEADER_BYTES)
		return 0;
	return (size_t)message[ANSWERS_OFFSET] << 8 |
	       message[ANSWERS_OFFSET + 1];
}

/* A copy of the message that says it had fewer answers. */
static void copy_fewer(
    const unsigned char *message, size_t len, struct pv_buf *copy)
{
	pv_buf_append(copy, (struct pv_str){(const char *)message, len});
	copy->ptr[ANSWERS_OFFSET] = (char)(PV_REPLY_ADDRESSES_MAX >> 8);
	copy->ptr[ANSWERS_OFFSET + 1] = (char)(PV_REPLY_ADDRESSES_MAX & 0xff);
}

static int read_v4(
    const unsigned char *message, int len, struct pv_reply *reply)
{
	struct ares_addrttl found[PV_REPLY_ADDRESSES_MAX];
	int count = PV_REPLY_ADDRESSES_MAX;
	int status = ares_parse_a_reply(message, len, NULL, found, &count);
	for (int i = 0; status == ARES_SUCCESS && i < count; i++)
		add(reply, 32, &found[i].ipaddr, found[i].ttl);
	return status;
}

static int read_v6(
    const unsigned char *message, int len, struct pv_reply *reply)
{
	struct ares_addr6ttl found[PV_REPLY_ADDRESSES_MAX];
	int count = PV_REPLY_ADDRESSES_MAX;
	int status = ares_parse_aaaa_reply(message, len, NULL, found, &count);
	for (int i = 0; status == ARES_SUCCESS && i < count; i++)
		add(reply, 128, &found[i].ip6addr, found[i].ttl);
	return status;
}

/* c-ares takes a time that grows with the square of the answers' number, and
 * there is room for thousands of them. */
static int read_message(
    const unsigned char *message, size_t len, int bits, struct pv_reply *reply)
{
	struct pv_buf fewer;
	pv_buf_init(&fewer, len);
	if (count_answers(message, len) > PV_REPLY_ADDRESSES_MAX) {
		copy_fewer(message, len, &fewer);
		message = (const unsigned char *)fewer.ptr;
	}
	int status = bits == 32 ? read_v4(message, (int)len, reply)
				: read_v6(message, (int)len, reply);
	pv_buf_finish(&fewer);
	return status;
}

void pv_reply_read(int status, int bits, const unsigned char *message,
    size_t len, struct pv_reply *reply)
{
	reply->count = 0;
	reply->ttl_s = 0;
	if (status == ARES_SUCCESS)
		status = read_message(message, len, bits, reply);
	reply->why =
	    status == ARES_ETIMEOUT ? PV_REPLY_TOO_LATE : ares_strerror(status);
	reply->kind = kind_of(status);
	if (reply->kind == PV_REPLY_ADDRESSES && !reply->count)
		reply->kind = PV_REPLY_NO_DATA; /* an alias to nowhere */
}
