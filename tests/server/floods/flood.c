#include "server/floods/flood.h"

#include <string.h>

#include "server/floods/frames.h"
#include "server/floods/records.h"

#define EIGHT "aaaaaaaa"
#define SIXTY_FOUR EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT
#define PLAIN_HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
#define CHUNKED_HEAD PLAIN_HEAD "Transfer-Encoding: chunked\r\n\r\n"

#define BYTES PV_STR

/* RFC 7541, Appendix A: 8 is ":status: 200"; a literal that has its name. */
#define STATUS_200 BYTES("\x88")
#define STATUS_103 BYTES("\x08\x03\x31\x30\x33")

/* RFC 8446, 4.6.1: a lifetime of an hour, an age to add, no nonce, a ticket of
 * one byte, no extensions. */
#define TICKET                                           \
	BYTES("\x04\x00\x00\x0e\x00\x00\x0e\x10\x00\x00" \
	      "\x00\x00\x00\x00\x01t\x00\x00")

/* The answer has begun, and is not over. */
#define ANSWERED        \
	.head_frame = { \
	    FRAME_HEADERS, FRAME_END_HEADERS, FLOOD_ON_ASKED, STATUS_200}

const struct flood floods[] = {
    /* RFC 9112, 7.1 and 5; RFC 9110, 15.2 */
    {"tiny-chunks", FLOOD_TCP, .head = PV_STR(CHUNKED_HEAD),
	.unit = PV_STR("1\r\na\r\n")},
    {"chunk-extensions", FLOOD_TCP, .head = PV_STR(CHUNKED_HEAD),
	.unit = PV_STR("1;a=" SIXTY_FOUR "\r\na\r\n")},
    {"endless-extension", FLOOD_TCP, .head = PV_STR(CHUNKED_HEAD "1;"),
	.unit = PV_STR(SIXTY_FOUR)},
    {"trailers", FLOOD_TCP, .head = PV_STR(CHUNKED_HEAD "1\r\na\r\n0\r\n"),
	.unit = PV_STR("a: b\r\n")},
    {"interims", FLOOD_TCP, .unit = PV_STR("HTTP/1.1 103 Early Hints\r\n\r\n")},
    {"header-lines", FLOOD_TCP, .head = PV_STR("HTTP/1.1 200 OK\r\n"),
	.unit = PV_STR("a: b\r\n")},
    {"header-line", FLOOD_TCP, .head = PV_STR("HTTP/1.1 200 OK\r\na: "),
	.unit = PV_STR(SIXTY_FOUR)},

    /* RFC 8446, 5.1, 6.1, 4.6.1 and 4.6.3 */
    {"tls-tiny-chunks", FLOOD_TLS, .head = PV_STR(CHUNKED_HEAD),
	.unit = PV_STR("1\r\na\r\n")},
    {"tls-tiny-records", FLOOD_TLS, .head = PV_STR(PLAIN_HEAD "\r\n"),
	.unit = PV_STR("a"), .is_alone = true},
    {"tls-empty-records", FLOOD_TLS, .head = PV_STR(PLAIN_HEAD "\r\n"),
	.unit = PV_STR(""), .is_alone = true},
    {"tls-alerts", FLOOD_TLS, .unit = BYTES("\x01\x5a"),
	.record_type = RECORD_ALERT, .is_alone = true},
    {"tls-tickets", FLOOD_TLS, .unit = TICKET, .record_type = RECORD_HANDSHAKE},
    {"tls-ticket-records", FLOOD_TLS, .unit = TICKET,
	.record_type = RECORD_HANDSHAKE, .is_alone = true},
    {"tls-key-updates", FLOOD_TLS, .unit = BYTES("\x18\x00\x00\x01\x00"),
	.record_type = RECORD_HANDSHAKE, .is_alone = true,
	.updates_keys = true},
    /* HelloRequests, which a client passes over in mid-handshake (RFC 5246,
     * 7.4.1.1). */
    {"tls-hello-requests", FLOOD_HANDSHAKE, .unit = BYTES("\x00\x00\x00\x00"),
	.record_type = RECORD_HANDSHAKE},

    /* RFC 9113, 6, in its order */
    {"h2-empty-data", FLOOD_HTTP2, ANSWERED,
	.unit_frame = {FRAME_DATA, 0, FLOOD_ON_ASKED, PV_STR("")}},
    {"h2-tiny-data", FLOOD_HTTP2, ANSWERED,
	.unit_frame = {FRAME_DATA, 0, FLOOD_ON_ASKED, PV_STR("a")}},
    {"h2-padding", FLOOD_HTTP2, ANSWERED,
	.unit_frame = {FRAME_DATA, FRAME_PADDED, FLOOD_ON_ASKED,
	    BYTES("\x03\0\0\0")}},
    {"h2-data-on-closed", FLOOD_HTTP2,
	.unit_frame = {FRAME_DATA, 0, FLOOD_ON_CLOSED, PV_STR("")}},
    {"h2-interims", FLOOD_HTTP2,
	.unit_frame = {FRAME_HEADERS, FRAME_END_HEADERS, FLOOD_ON_ASKED,
	    STATUS_103}},
    {"h2-priority", FLOOD_HTTP2, ANSWERED,
	.unit_frame = {FRAME_PRIORITY, 0, FLOOD_ON_ASKED,
	    BYTES("\0\0\0\0\x10")}},
    {"h2-priority-unasked", FLOOD_HTTP2,
	.unit_frame = {FRAME_PRIORITY, 0, FLOOD_ON_ASKED,
	    BYTES("\0\0\0\0\x10")}},
    {"h2-resets", FLOOD_HTTP2,
	.unit_frame = {FRAME_RST_STREAM, 0, FLOOD_ON_CLOSED,
	    BYTES("\0\0\0\x08")}},
    {"h2-settings", FLOOD_HTTP2,
	.unit_frame = {FRAME_SETTINGS, 0, FLOOD_ON_CONNECTION, PV_STR("")}},
    {"h2-pings", FLOOD_HTTP2,
	.unit_frame = {FRAME_PING, 0, FLOOD_ON_CONNECTION, PV_STR("12345678")}},
    {"h2-ping-acks", FLOOD_HTTP2,
	.unit_frame = {FRAME_PING, FRAME_ACK, FLOOD_ON_CONNECTION,
	    PV_STR("12345678")}},
    {"h2-goaways", FLOOD_HTTP2,
	.unit_frame = {FRAME_GOAWAY, 0, FLOOD_ON_CONNECTION,
	    BYTES("\x7f\xff\xff\xff\0\0\0\0")}},
    {"h2-windows", FLOOD_HTTP2, ANSWERED,
	.unit_frame = {FRAME_WINDOW_UPDATE, 0, FLOOD_ON_CONNECTION,
	    BYTES("\0\0\0\x01")}},
    {"h2-stream-windows", FLOOD_HTTP2, ANSWERED,
	.unit_frame = {FRAME_WINDOW_UPDATE, 0, FLOOD_ON_ASKED,
	    BYTES("\0\0\0\x01")}},
    {"h2-continuations", FLOOD_HTTP2,
	.head_frame = {FRAME_HEADERS, 0, FLOOD_ON_ASKED, STATUS_200},
	.unit_frame = {FRAME_CONTINUATION, 0, FLOOD_ON_ASKED, PV_STR("")}},
    {"h2-unknown", FLOOD_HTTP2, ANSWERED,
	.unit_frame = {FRAME_UNKNOWN, 0, FLOOD_ON_CONNECTION, PV_STR("")}},
    {"h2-unknown-unasked", FLOOD_HTTP2,
	.unit_frame = {FRAME_UNKNOWN, 0, FLOOD_ON_ASKED, PV_STR("")}},
};

const size_t flood_count = sizeof(floods) / sizeof(*floods);

const struct flood *flood_find(const char *name)
{
	for (size_t i = 0; i < flood_count; i++) {
		if (strcmp(floods[i].name, name) == 0)
			return &floods[i];
	}
	return NULL;
}
