#include "server/name_message.h"

#include "base/ascii.h"
#include "base/reader.h"

#define HEADER_BYTES 12
#define ANSWER_COUNT_OFFSET 6
#define CLASS_IN 1

#define FLAG_REPLY 0x8000
#define FLAG_OPERATION 0x7800
#define FLAG_AUTHORITY 0x0400
#define FLAG_CUT 0x0200
#define FLAGS_RECURSION 0x0180

static unsigned take_16(struct pv_reader *reader)
{
	unsigned high = (unsigned)pv_reader_next(reader) & 0xff;
	return high << 8 | ((unsigned)pv_reader_next(reader) & 0xff);
}

static void put_16(struct pv_buf *reply, unsigned number)
{
	pv_buf_append_char(reply, (char)(number >> 8 & 0xff));
	pv_buf_append_char(reply, (char)(number & 0xff));
}

/* A question's name is never compressed. */
static bool read_name(struct pv_reader *reader, char name[256])
{
	size_t len = 0;
	int label = pv_reader_next(reader);
	while (label > 0 && label < 64 &&
	       pv_reader_left(reader) >= (size_t)label &&
	       len + (size_t)label + 2 < 256) {
		struct pv_str text = pv_reader_take(reader, (size_t)label);
		if (len)
			name[len++] = '.';
		for (size_t i = 0; i < text.len; i++)
			name[len++] = pv_lower(text.ptr[i]);
		label = pv_reader_next(reader);
	}
	name[len] = '\0';
	return label == 0;
}

bool name_question_read(struct pv_str message, struct name_question *question)
{
	struct pv_reader reader = pv_reader_of(message);
	if (message.len < HEADER_BYTES)
		return false;
	question->id = take_16(&reader);
	unsigned flags = take_16(&reader);
	unsigned count = take_16(&reader);
	pv_reader_take(&reader, HEADER_BYTES - 6);
	const char *start = reader.at;
	if (flags & (FLAG_REPLY | FLAG_OPERATION) || count != 1 ||
	    !read_name(&reader, question->name) || pv_reader_left(&reader) < 4)
		return false;
	question->type = take_16(&reader);
	bool is_internet = take_16(&reader) == CLASS_IN;
	question->section = (struct pv_str){start, (size_t)(reader.at - start)};
	return is_internet;
}

void name_reply_write(const struct name_question *question,
    enum name_reply_code code, bool is_cut, struct pv_buf *reply)
{
	pv_buf_clear(reply);
	put_16(reply, question->id);
	put_16(reply, FLAG_REPLY | FLAG_AUTHORITY | FLAGS_RECURSION |
			  (is_cut ? FLAG_CUT : 0) | (unsigned)code);
	put_16(reply, 1);
	for (int i = 0; i < 3; i++)
		put_16(reply, 0);
	pv_buf_append(reply, question->section);
}

static void put_name(struct pv_buf *reply, struct pv_str name)
{
	struct pv_reader reader = pv_reader_of(name);
	while (!pv_reader_is_end(&reader)) {
		struct pv_str label = pv_reader_take_until(&reader, '.');
		pv_reader_accept(&reader, '.');
		pv_buf_append_char(reply, (char)label.len);
		pv_buf_append(reply, label);
	}
	pv_buf_append_char(reply, 0);
}

/* The length in front of what is put behind it. */
static void put_data(struct pv_buf *reply, unsigned type, struct pv_str data)
{
	size_t start = reply->len;
	put_16(reply, (unsigned)data.len);
	if (type != NAME_TYPE_CNAME) {
		pv_buf_append(reply, data);
		return;
	}
	put_name(reply, data);
	size_t len = reply->len - start - 2;
	if (!reply->is_full)
		reply->ptr[start + 1] = (char)len;
}

bool name_reply_add(struct pv_buf *reply, const char *owner, unsigned type,
    unsigned ttl_s, struct pv_str data)
{
	size_t before = reply->len;
	put_name(reply, pv_str_of(owner));
	put_16(reply, type);
	put_16(reply, CLASS_IN);
	put_16(reply, ttl_s >> 16);
	put_16(reply, ttl_s & 0xffff);
	put_data(reply, type, data);
	if (reply->is_full) {
		pv_buf_cut(reply, before);
		return false;
	}
	unsigned char *count =
	    (unsigned char *)reply->ptr + ANSWER_COUNT_OFFSET;
	unsigned records = (count[0] << 8 | count[1]) + 1U;
	count[0] = (unsigned char)(records >> 8);
	count[1] = (unsigned char)records;
	return true;
}
