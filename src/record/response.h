#ifndef PAVANE_RECORD_RESPONSE_H
#define PAVANE_RECORD_RESPONSE_H

#include "base/address.h"
#include "base/coding.h"
#include "http/headers.h"
#include "record/body.h"
#include "record/outcome.h"

/* What came over the wire for one request, said exactly: how far it went, what
 * ended it, how long each step took.
 *
 * `outcome` is PV_OUTCOME_ANSWERED only if the answer came whole: its headers,
 * and its body up to the end that its framing announced, or up to the end of
 * the connection where nothing was announced. Of an answer that was cut short
 * the status, the headers and the bytes that came are kept.
 */
enum pv_stage {
	PV_STAGE_NAME,
	PV_STAGE_CONNECT,
	PV_STAGE_TLS,
	PV_STAGE_WAIT, /* for the first byte of the answer */
	PV_STAGE_HEADER,
	PV_STAGE_BODY,
	PV_STAGE_END, /* all of it came */
	PV_STAGE_COUNT,
};

/* How the end of the body was found (RFC 9112, 6.3). */
enum pv_framing {
	PV_FRAMING_NONE, /* there is no body */
	PV_FRAMING_LENGTH,
	PV_FRAMING_CHUNKED,
	PV_FRAMING_STREAM, /* of HTTP/2 */
	PV_FRAMING_CLOSE,  /* not at all: the connection was closed */
	PV_FRAMING_COUNT,
};

/* Who accepted no connection. */
enum pv_unreached {
	PV_UNREACHED_NOBODY, /* or why is not known */
	PV_UNREACHED_HOST,   /* it refused: nothing listens there */
	PV_UNREACHED_PROXY,
};

/* In milliseconds; negative where it did not come to that. */
struct pv_response_times {
	int64_t name_ms;       /* set by who resolved it */
	int64_t connect_ms;    /* 0 on a kept connection */
	int64_t tls_ms;        /* 0 on a kept connection, or without TLS */
	int64_t first_byte_ms; /* from when the request was sent */
	int64_t total_ms;      /* from the start of connecting */
	int64_t told_late_ms;  /* from when the request was sent until the
				  conductor knew so */
};

#define PV_BODY_LENGTH_UNKNOWN UINT64_MAX

struct pv_response {
	enum pv_outcome outcome;
	enum pv_stage stage; /* that it reached */
	enum pv_framing framing;
	char why[200]; /* for a person: "the certificate has expired"; "" where
			  all went well. Safe to print. */
	enum pv_unreached unreached;
	bool is_own_fault; /* we are out of descriptors, ports or disk: it says
			      nothing about the host */
	bool is_bystander; /* nor about us: another answer on its connection
			      was to blame; to be asked for again */
	bool is_withheld;  /* nor that: another machine may ask the host by now
			      (base/lease.h) */
	int disk_error;    /* errno, where the disk would be in the way once
			      more; 0 where it is not */
	bool is_kept;      /* a connection from before served it */
	bool is_misfit;    /* it is not the rest of the part that there is */
	uint16_t http_status;
	uint8_t http_version; /* 10, 11 or 20; 0 where none came */
	struct pv_address address;
	uint64_t head_bytes; /* of all headers, interim ones included */
	struct pv_headers headers;
	struct pv_body body;          /* as it came, in its content coding; */
	enum pv_coding_result coding; /* what came of undoing that */
	uint64_t length;              /* of it, as the headers announced; or
				PV_BODY_LENGTH_UNKNOWN */
	uint64_t earlier; /* bytes of it that an earlier request brought */
	struct pv_response_times times;
	int64_t held_ms; /* so long we did not read it, to keep to a limit on
			    bandwidth; no part of the times */
};

/* An empty response, whose body may have so many bytes and is kept, where it
 * is large, in that directory (the caller's, kept). */
void pv_response_init(
    struct pv_response *response, const char *directory, uint64_t body_ceiling);
void pv_response_finish(struct pv_response *response);

/* As after pv_response_init with another ceiling, the memory kept. */
void pv_response_clear(struct pv_response *response, uint64_t body_ceiling);

/* It has ended with that, as is said for a person in so many words; nothing
 * else of it changes. */
void pv_response_fail(
    struct pv_response *response, enum pv_outcome outcome, const char *why);

/* No connection came about, because of that. */
void pv_response_note_unreached(
    struct pv_response *response, enum pv_unreached unreached);

/* How it has ended is our own fault. */
void pv_response_note_own_fault(struct pv_response *response);

/* It was not to be sent, or heard out, because the crawl's lease is over: our own
 * fault. */
void pv_response_withhold(struct pv_response *response);

/* All of it came. */
void pv_response_end(struct pv_response *response);

/* It is not the rest of the part that there is. */
void pv_response_misfit(struct pv_response *response);

/* Its body is whole by what an earlier request brought, `earlier` bytes of
 * `size`, and lies in a file, which is taken. */
void pv_response_complete(
    struct pv_response *response, int file, uint64_t earlier, uint64_t size);

/* The word for it in journals and tables; "unknown" for a number that is not
 * ours. */
const char *pv_stage_word(unsigned stage);
const char *pv_framing_word(unsigned framing);

#endif
