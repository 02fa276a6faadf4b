#include "url/idna.h"

#include <unicode/uidna.h>

/* No name of this length resolves, and the work on a label grows with the
 * square of its length. */
#define NAME_BYTES_MAX 4096

/* What UTS 46 tells and the URL Standard does not mind. */
#define ALLOWED_ERRORS                                                      \
	(UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |             \
	    UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN | \
	    UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4)

#define OPTIONS                                    \
	(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | \
	    UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE)

/* Fills in at most `room` bytes; the length that all would have, or -1. */
static int32_t convert(
    const UIDNA *idna, struct pv_str name, char *ascii, int32_t room)
{
	UIDNAInfo info = UIDNA_INFO_INITIALIZER;
	UErrorCode error = U_ZERO_ERROR;
	int32_t len = uidna_nameToASCII_UTF8(
	    idna, name.ptr, (int32_t)name.len, ascii, room, &info, &error);
	bool is_bad = U_FAILURE(error) && error != U_BUFFER_OVERFLOW_ERROR;
	if (is_bad || (info.errors & ~(uint32_t)ALLOWED_ERRORS))
		return -1;
	return len;
}

static bool append(const UIDNA *idna, struct pv_buf *buf, struct pv_str name)
{
	char ascii[256];
	int32_t len = convert(idna, name, ascii, sizeof(ascii));
	if (len < 0)
		return false;
	if ((size_t)len <= sizeof(ascii))
		return pv_buf_append(buf, (struct pv_str){ascii, (size_t)len});
	char *room = pv_buf_reserve(buf, (size_t)len);
	if (!room || convert(idna, name, room, len) != len)
		return false;
	room[len] = '\0';
	buf->len += (size_t)len;
	return true;
}

bool pv_idna_append(struct pv_buf *buf, struct pv_str name)
{
	UErrorCode error = U_ZERO_ERROR;
	if (name.len > NAME_BYTES_MAX)
		return false;
	UIDNA *idna = uidna_openUTS46(OPTIONS, &error);
	if (U_FAILURE(error))
		return false;
	bool is_done = append(idna, buf, name);
	uidna_close(idna);
	return is_done;
}
