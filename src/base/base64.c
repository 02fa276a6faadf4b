#include "base/base64.h"

#include <limits.h>

#include <openssl/evp.h>

bool pv_base64_append(struct pv_str bytes, struct pv_buf *buf)
{
	size_t len = (bytes.len + 2) / 3 * 4;
	if (bytes.len > INT_MAX / 2)
		return false;
	char *room = pv_buf_reserve(buf, len); /* and a NUL, as it writes */
	if (!room)
		return false;
	EVP_EncodeBlock((unsigned char *)room,
	    (const unsigned char *)pv_str_bytes(bytes), (int)bytes.len);
	buf->len += len;
	return true;
}
