#ifndef PAVANE_TESTS_SERVER_FLOODS_FLOOD_H
#define PAVANE_TESTS_SERVER_FLOODS_FLOOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* The floods that there are: what a server may send without end, of which each
 * piece is legal, or nearly, is worth nothing, and costs whoever reads it more
 * than it costs to send. A flood more is a row of the table.
 */
enum flood_way {
	FLOOD_TCP,       /* HTTP/1.1 */
	FLOOD_TLS,       /* the same over TLS, or what belongs to TLS itself */
	FLOOD_HANDSHAKE, /* instead of the server's part of TLS's handshake */
	FLOOD_HTTP2,     /* frames of HTTP/2, over TLS */
};

/* The stream that a frame is of. */
enum flood_stream {
	FLOOD_ON_CONNECTION, /* 0 */
	FLOOD_ON_ASKED,      /* that of the request */
	FLOOD_ON_CLOSED,     /* one that was answered before */
};

/* A frame of HTTP/2 (RFC 9113, 4.1). */
struct flood_frame {
	uint8_t type;
	uint8_t flags;
	enum flood_stream stream;
	struct pv_str payload;
};

struct flood {
	const char *name;
	enum flood_way way;

	/* Sent once, and then this without end. With HTTP/2 both are frames,
	 * and the first is left out where its type is 0. */
	struct pv_str head;
	struct pv_str unit;
	struct flood_frame head_frame;
	struct flood_frame unit_frame;

	/* Of TLS (RFC 8446, 5.1): 0 is application data. */
	uint8_t record_type;
	bool is_alone;     /* each in a record of its own */
	bool updates_keys; /* it is a KeyUpdate: the next has other keys */
};

extern const struct flood floods[];
extern const size_t flood_count;

/* NULL if there is none. */
const struct flood *flood_find(const char *name);

#endif
