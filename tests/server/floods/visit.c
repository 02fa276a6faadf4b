#include "server/floods/visit.h"

#include "server/floods/frames.h"

#define HEARD_MAX (1u << 20)
#define IDLE_MS 10000

#define HTTP_ANSWER "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
#define STATUS_200 "\x88"

/* HTTP/1.1 */

/* Takes the head of a request from what was heard. False if it is not whole. */
static bool take_request(struct visit *visit, bool *is_for_root)
{
	static const char end[] = "\r\n\r\n";
	struct pv_str heard = pv_buf_str(&visit->heard);
	const char *at = memmem(heard.ptr, heard.len, end, sizeof(end) - 1);
	if (!at)
		return false;
	size_t len = (size_t)(at - heard.ptr) + sizeof(end) - 1;
	*is_for_root = pv_str_starts(heard, PV_STR("GET / "));
	memmove(visit->heard.ptr, heard.ptr + len, heard.len - len);
	pv_buf_cut(&visit->heard, heard.len - len);
	return true;
}

static bool answer_http(struct visit *visit)
{
	atomic_fetch_add(&visit->tally->answers, 1);
	return wire_say(&visit->wire, PV_STR(HTTP_ANSWER));
}

static void run_http(struct visit *visit)
{
	bool is_for_root = false;
	while (!is_for_root) {
		bool goes_on = take_request(visit, &is_for_root)
				   ? is_for_root || answer_http(visit)
				   : wire_hear(&visit->wire, &visit->heard,
					 IDLE_MS) == WIRE_HEARD;
		if (!goes_on)
			return;
	}
	visit_flood(visit);
}

/* HTTP/2 */

static bool say_frame(struct visit *visit, const struct frame *frame)
{
	struct pv_buf buf;
	pv_buf_init(&buf, HEARD_MAX);
	frame_write(frame, &buf);
	bool is_said = wire_say(&visit->wire, pv_buf_str(&buf));
	pv_buf_finish(&buf);
	return is_said;
}

static void hold_answer(struct visit *visit, uint32_t stream)
{
	frame_write(
	    &(struct frame){FRAME_HEADERS, FRAME_END_HEADERS | FRAME_END_STREAM,
		stream, PV_STR(STATUS_200)},
	    &visit->held);
	visit->held_count++;
	visit->closed = stream;
}

/* What waited has waited long enough. */
static bool let_go(struct visit *visit)
{
	if (!visit->held_count)
		return true;
	bool is_said = wire_say(&visit->wire, pv_buf_str(&visit->held));
	atomic_fetch_add(&visit->tally->answers, visit->held_count);
	visit->held_count = 0;
	pv_buf_clear(&visit->held);
	return is_said;
}

/* What the client says is answered; whether it asked for "/". */
static bool note_frame(struct visit *visit, const struct frame *frame)
{
	if (frame->type == FRAME_SETTINGS && !(frame->flags & FRAME_ACK))
		say_frame(visit,
		    &(struct frame){FRAME_SETTINGS, FRAME_ACK, 0, PV_STR("")});
	if (frame->type != FRAME_HEADERS)
		return false;
	if (frame_asks_for_root(frame)) {
		visit->asked = frame->stream;
		return true;
	}
	hold_answer(visit, frame->stream);
	return false;
}

/* All frames that have come whole; whether one asked for "/". */
static bool note_frames(struct visit *visit)
{
	struct frame frame;
	struct pv_str heard = pv_buf_str(&visit->heard);
	struct pv_str rest = heard;
	bool is_for_root = false;
	while (!is_for_root && frame_take(&rest, &frame))
		is_for_root = note_frame(visit, &frame);
	memmove(visit->heard.ptr, rest.ptr, rest.len);
	pv_buf_cut(&visit->heard, rest.len);
	return is_for_root;
}

/* No dynamic table, so that a field means what it says. */
static bool greet(struct visit *visit)
{
	static const char no_table[] = {0, 1, 0, 0, 0, 0};
	const size_t preface = sizeof(FRAME_PREFACE) - 1;
	if (!say_frame(visit, &(struct frame){FRAME_SETTINGS, 0, 0,
				  {no_table, sizeof(no_table)}}))
		return false;
	while (visit->heard.len < preface) {
		if (wire_hear(&visit->wire, &visit->heard, IDLE_MS) !=
		    WIRE_HEARD)
			return false;
	}
	size_t left = visit->heard.len - preface;
	memmove(visit->heard.ptr, visit->heard.ptr + preface, left);
	pv_buf_cut(&visit->heard, left);
	return true;
}

static void run_http2(struct visit *visit)
{
	if (!greet(visit))
		return;
	while (!note_frames(visit)) {
		int wait_ms =
		    visit->held_count ? visit->plan->hold_ms : IDLE_MS;
		enum wire_result result =
		    wire_hear(&visit->wire, &visit->heard, wait_ms);
		bool goes_on = result == WIRE_HEARD ||
			       (result == WIRE_SILENT && visit->held_count &&
				   let_go(visit));
		if (!goes_on)
			return;
	}
	atomic_fetch_add(&visit->tally->bystanders, visit->held_count);
	visit_flood(visit);
}

void visit_run(struct visit *visit)
{
	pv_buf_init(&visit->heard, HEARD_MAX);
	pv_buf_init(&visit->held, HEARD_MAX);
	if (visit->plan->flood->way == FLOOD_HANDSHAKE)
		visit_flood(visit);
	else if (visit->plan->flood->way == FLOOD_HTTP2)
		run_http2(visit);
	else
		run_http(visit);
	pv_buf_finish(&visit->heard);
	pv_buf_finish(&visit->held);
}
