#ifndef PAVANE_TESTS_SERVER_NAME_MESSAGE_H
#define PAVANE_TESTS_SERVER_NAME_MESSAGE_H

#include "base/buf.h"

/* Messages of the name service (RFC 1035, 4), as far as a small server of the
 * tests needs them: reading a question, writing a reply to it. */

#define NAME_TYPE_A 1
#define NAME_TYPE_CNAME 5
#define NAME_TYPE_AAAA 28

#define NAME_MESSAGE_BYTES_MAX 65535

enum name_reply_code {
	NAME_NO_ERROR = 0,
	NAME_SERVER_FAILURE = 2,
	NAME_ERROR = 3, /* there is no such name */
	NAME_REFUSED = 5,
};

struct name_question {
	unsigned id;
	unsigned type;
	char name[256];        /* in lower case, without a last dot */
	struct pv_str section; /* as it was sent; a part of the message */
};

/* False if it holds no question that we understand. */
bool name_question_read(struct pv_str message, struct name_question *question);

/* Writes a reply without records over what is in the buffer, whose ceiling is
 * NAME_MESSAGE_BYTES_MAX. */
void name_reply_write(const struct name_question *question,
    enum name_reply_code code, bool is_cut, struct pv_buf *reply);

/* Adds a record: the data is four bytes, sixteen, or another name's text. False
 * if there is no room. */
bool name_reply_add(struct pv_buf *reply, const char *owner, unsigned type,
    unsigned ttl_s, struct pv_str data);

#endif
