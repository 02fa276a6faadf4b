#ifndef PAVANE_TESTS_SERVER_FLOODS_FRAMES_H
#define PAVANE_TESTS_SERVER_FLOODS_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* Frames of HTTP/2 (RFC 9113, 4.1), and as much of HPACK (RFC 7541) as it
 * takes to know whether a request is for "/". */
#define FRAME_DATA 0
#define FRAME_HEADERS 1
#define FRAME_PRIORITY 2
#define FRAME_RST_STREAM 3
#define FRAME_SETTINGS 4
#define FRAME_PING 6
#define FRAME_GOAWAY 7
#define FRAME_WINDOW_UPDATE 8
#define FRAME_CONTINUATION 9
#define FRAME_UNKNOWN 0x42

#define FRAME_END_STREAM 0x1
#define FRAME_ACK 0x1
#define FRAME_END_HEADERS 0x4
#define FRAME_PADDED 0x8
#define FRAME_HAS_PRIORITY 0x20

#define FRAME_PREFACE "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

struct frame {
	uint8_t type;
	uint8_t flags;
	uint32_t stream;
	struct pv_str payload; /* borrowed */
};

void frame_write(const struct frame *frame, struct pv_buf *buf);

/* Takes the frame that the text begins with. False if it is not whole yet. */
bool frame_take(struct pv_str *text, struct frame *frame);

/* Whether the request of a whole HEADERS frame is for "/", whose field has a
 * number of its own. */
bool frame_asks_for_root(const struct frame *frame);

#endif
