#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/reader.h"
#include "serve/routes/answer.h"
#include "serve/routes/answer_extra.h"

/* The service described for programs (OpenAPI 3.1), made of the table of
 * routes. */

static struct pv_json *read(const char *text)
{
	return pv_json_read(pv_str_of(text));
}

/* What requests and replies are made of. */
static const char schemas[] =
    "{\"JobOrder\":{\"type\":\"object\",\"additionalProperties\":false,"
    "\"properties\":{"
    "\"policy\":{\"type\":\"string\",\"description\":\"YAML, as in a policy "
    "file.\"},"
    "\"urls\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":"
    "\"string\"}},"
    "\"profile\":{\"type\":\"string\",\"description\":\"A profile of the "
    "service, over which the policy is laid.\"},"
    "\"set\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":"
    "\"string\",\"description\":\"KEY=VALUE\"}},"
    "\"labels\":{\"type\":\"object\"},"
    "\"webhook\":{\"type\":\"string\",\"description\":\"A webhook of the "
    "service, which is told of the job.\"}}},"
    "\"Delivery\":{\"type\":\"object\",\"required\":[\"of\"],\"properties\":{"
    "\"of\":{\"type\":\"string\",\"description\":\"states, journal or a kind "
    "of pages.\"},"
    "\"cursor\":{\"type\":\"string\",\"description\":\"Behind the last line "
    "that was delivered.\"},"
    "\"id\":{\"type\":\"string\",\"description\":\"Of the delivery under "
    "way.\"},"
    "\"tries\":{\"type\":\"integer\"},"
    "\"next\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"ended\":{\"type\":\"string\",\"description\":\"Why nothing more is "
    "delivered.\"}}},"
    "\"Job\":{\"type\":\"object\",\"required\":[\"id\",\"state\",\"created\"],"
    "\"properties\":{"
    "\"id\":{\"type\":\"string\"},"
    "\"state\":{\"$ref\":\"#/components/schemas/JobState\"},"
    "\"owner\":{\"type\":\"string\"},"
    "\"profile\":{\"type\":\"string\"},"
    "\"labels\":{\"type\":\"object\"},"
    "\"created\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"started\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"ended\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"end\":{\"type\":\"string\",\"description\":\"Why it ended.\"},"
    "\"policy\":{\"type\":\"string\"},"
    "\"urls\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"set\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"held_by\":{\"type\":\"string\",\"description\":\"What it waits "
    "for.\"},"
    "\"webhook\":{\"type\":\"string\"},"
    "\"deliveries\":{\"type\":\"array\",\"items\":{\"$ref\":"
    "\"#/components/schemas/Delivery\"}},"
    "\"progress\":{\"$ref\":\"#/components/schemas/Progress\"}}},"
    "\"JobState\":{\"type\":\"string\",\"enum\":[\"queued\",\"running\","
    "\"paused\",\"stopping\",\"finished\",\"limited\",\"stopped\","
    "\"failed\"]},"
    "\"Jobs\":{\"type\":\"object\",\"required\":[\"jobs\"],\"properties\":{"
    "\"jobs\":{\"type\":\"array\",\"items\":{\"$ref\":"
    "\"#/components/schemas/Job\"}},"
    "\"next\":{\"type\":\"string\",\"description\":\"To be given as after, "
    "for those that follow.\"}}},"
    "\"FetchOrder\":{\"type\":\"object\",\"required\":[\"url\"],"
    "\"additionalProperties\":false,\"properties\":{"
    "\"url\":{\"type\":\"string\"},"
    "\"profile\":{\"type\":\"string\"},"
    "\"max_age\":{\"type\":\"string\",\"description\":\"How old an answer "
    "may be, such as 1h; without it only a new one will do.\"}}},"
    "\"Fetch\":{\"type\":\"object\",\"required\":[\"id\",\"state\","
    "\"url\",\"created\"],\"properties\":{"
    "\"id\":{\"type\":\"string\"},"
    "\"state\":{\"type\":\"string\",\"enum\":[\"waiting\",\"done\","
    "\"refused\",\"failed\"]},"
    "\"url\":{\"type\":\"string\"},"
    "\"profile\":{\"type\":\"string\"},"
    "\"created\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"ended\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"final_url\":{\"type\":\"string\"},"
    "\"outcome\":{\"type\":\"string\"},"
    "\"status\":{\"type\":\"integer\"},"
    "\"reason\":{\"type\":\"string\"},"
    "\"why\":{\"type\":\"string\"},"
    "\"type\":{\"type\":\"string\"},"
    "\"bytes\":{\"type\":\"integer\"},"
    "\"digest\":{\"type\":\"string\"},"
    "\"time\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"round\":{\"type\":\"integer\"},"
    "\"body\":{\"type\":\"string\",\"description\":\"The path of what was "
    "stored.\"}}},"
    "\"HostPause\":{\"type\":\"object\",\"additionalProperties\":false,"
    "\"properties\":{"
    "\"until\":{\"type\":\"string\",\"description\":\"A time (RFC 3339); "
    "without it until the host is resumed.\"},"
    "\"reason\":{\"type\":\"string\",\"maxLength\":200}}},"
    "\"Host\":{\"type\":\"object\",\"required\":[\"host\",\"jobs\"],"
    "\"properties\":{"
    "\"host\":{\"type\":\"string\"},"
    "\"paused\":{\"type\":\"object\",\"description\":\"For all jobs.\","
    "\"properties\":{"
    "\"since\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"until\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"reason\":{\"type\":\"string\"},"
    "\"by\":{\"type\":\"string\"}}},"
    "\"jobs\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
    "\"required\":[\"job\"],\"properties\":{"
    "\"job\":{\"type\":\"string\"},"
    "\"waits_for\":{\"type\":\"string\"},"
    "\"why\":{\"type\":\"string\"},"
    "\"until\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"given_up\":{\"type\":\"string\"},"
    "\"paused\":{\"type\":\"boolean\"},"
    "\"clocks\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
    "\"required\":[\"sentence\"],\"properties\":{"
    "\"sentence\":{\"type\":\"string\"},"
    "\"origin\":{\"type\":\"string\"}}}},"
    "\"robots\":{\"type\":\"object\"},"
    "\"ledger\":{\"type\":\"object\"}}}}}},"
    "\"Progress\":{\"type\":\"object\",\"required\":[\"phase\","
    "\"known\",\"pending\",\"done\",\"refused\",\"failed\",\"note\","
    "\"held_by\"],\"properties\":{\"phase\":{\"type\":\"string\","
    "\"enum\":[\"starting\",\"crawling\",\"draining\",\"dropping\","
    "\"closing\",\"ended\"]},\"end\":{\"type\":\"string\"},"
    "\"elapsed_ms\":{\"type\":\"integer\"},\"known\":{\"type\":"
    "\"integer\"},\"pending\":{\"type\":\"integer\"},\"done\":"
    "{\"type\":\"integer\"},\"refused\":{\"type\":\"integer\"},"
    "\"failed\":{\"type\":\"integer\"},\"requests\":{\"type\":"
    "\"integer\"},\"pages\":{\"type\":\"integer\"},\"bytes\":{\"type\":"
    "\"integer\"},\"pages_per_second\":{\"type\":\"number\"},"
    "\"requests_per_second\":{\"type\":\"number\"},"
    "\"bytes_per_second\":{\"type\":\"number\"},\"done_share\":"
    "{\"type\":\"number\"},\"in_flight\":{\"type\":\"integer\"},"
    "\"in_flight_max\":{\"type\":\"integer\"},\"concurrency\":"
    "{\"type\":\"integer\"},\"open\":{\"type\":\"integer\"},\"hosts\":"
    "{\"type\":\"integer\"},\"hosts_waiting\":{\"type\":\"integer\"},"
    "\"next_ms\":{\"type\":\"integer\"},\"left_ms\":{\"type\":"
    "\"integer\"},\"waiting\":{\"$ref\":"
    "\"#/components/schemas/Tally\"},\"outcomes\":{\"$ref\":"
    "\"#/components/schemas/Tally\"},\"refusals\":{\"$ref\":"
    "\"#/components/schemas/Tally\"},\"statuses\":{\"$ref\":"
    "\"#/components/schemas/Tally\"},\"name\":{\"$ref\":"
    "\"#/components/schemas/Percentiles\"},\"connect\":{\"$ref\":"
    "\"#/components/schemas/Percentiles\"},\"first_byte\":{\"$ref\":"
    "\"#/components/schemas/Percentiles\"},\"total\":{\"$ref\":"
    "\"#/components/schemas/Percentiles\"},\"pool\":{\"$ref\":"
    "\"#/components/schemas/Percentiles\"},\"note\":{\"type\":"
    "\"string\"},\"held_by\":{\"type\":\"string\"},\"waits_for\":"
    "{\"type\":\"string\"},\"pauses\":{\"type\":\"string\"},"
    "\"settings\":{\"type\":\"string\"},\"fetching\":{\"type\":"
    "\"array\",\"items\":{\"type\":\"string\"}},\"failures\":{\"type\":"
    "\"array\",\"items\":{\"type\":\"object\",\"required\":"
    "[\"address\",\"what\"],\"properties\":{\"address\":{\"type\":"
    "\"string\"},\"what\":{\"type\":\"string\"}}}}}},\"Tally\":"
    "{\"type\":\"object\",\"description\":\"How many of each.\","
    "\"additionalProperties\":{\"type\":\"integer\"}},\"Percentiles\":"
    "{\"type\":\"object\",\"required\":[\"count\"],\"properties\":"
    "{\"count\":{\"type\":\"integer\"},\"p50_ms\":{\"type\":"
    "\"number\"},\"p95_ms\":{\"type\":\"number\"},\"p99_ms\":{\"type\":"
    "\"number\"}}},\"Hosts\":{\"type\":\"object\",\"required\":"
    "[\"waiting\",\"given_up\",\"reasons\",\"hosts\"],\"properties\":"
    "{\"waiting\":{\"type\":\"integer\"},\"given_up\":{\"type\":"
    "\"integer\"},\"reasons\":{\"type\":\"array\",\"items\":{\"type\":"
    "\"object\",\"required\":[\"waits_for\",\"why\",\"hosts\"],"
    "\"properties\":{\"waits_for\":{\"type\":\"string\"},\"why\":"
    "{\"type\":\"string\"},\"hosts\":{\"type\":\"integer\"}}}},"
    "\"hosts\":{\"type\":\"array\",\"description\":\"Those that wait "
    "longest.\",\"maxItems\":200,\"items\":{\"type\":\"object\","
    "\"required\":[\"host\",\"job\"],\"properties\":{\"host\":"
    "{\"type\":\"string\"},\"job\":{\"type\":\"string\"},\"waits_for\":"
    "{\"type\":\"string\"},\"why\":{\"type\":\"string\"},\"until\":"
    "{\"type\":\"string\",\"format\":\"date-time\"},\"given_up\":"
    "{\"type\":\"string\"},\"failures\":{\"type\":\"integer\"},"
    "\"paused\":{\"type\":\"boolean\"}}}}}},"
    "\"Session\":{\"type\":\"object\",\"required\":[\"token\"],"
    "\"properties\":{\"token\":{\"type\":\"string\"}}},"
    "\"SessionView\":{\"type\":\"object\",\"required\":[\"tokens\","
    "\"scopes\",\"ending\"],\"properties\":{"
    "\"tokens\":{\"type\":\"boolean\",\"description\":\"Whether the service "
    "has tokens; else everybody may do everything.\"},"
    "\"name\":{\"type\":\"string\",\"description\":\"That of the token of "
    "this request, if it has one.\"},"
    "\"scopes\":{\"type\":\"array\",\"items\":{\"type\":\"string\","
    "\"enum\":[\"read\",\"submit\",\"control\"]}},"
    "\"ending\":{\"type\":\"boolean\",\"description\":\"Whether the service "
    "takes no more jobs, since it is ending.\"}}},"
    "\"object\":{\"type\":\"object\"},"
    "\"Problem\":{\"type\":\"object\",\"required\":[\"type\",\"status\","
    "\"title\",\"detail\"],"
    "\"properties\":{"
    "\"type\":{\"type\":\"string\"},"
    "\"title\":{\"type\":\"string\"},"
    "\"status\":{\"type\":\"integer\"},"
    "\"detail\":{\"type\":\"string\"}}}}";

static const char *word_of(enum pv_http_method method)
{
	switch (method) {
	case PV_POST:
		return "post";
	case PV_DELETE:
		return "delete";
	default:
		return "get";
	}
}

/* "/v1/jobs/{id}/files/{path}" */
static void write_path(const struct pv_route *route, struct pv_buf *path)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(route->path));
	while (pv_reader_accept(&reader, '/')) {
		struct pv_str part = pv_reader_take_until(&reader, '/');
		pv_buf_append_char(path, '/');
		if (pv_str_equal(part, PV_STR("ID")))
			pv_buf_append_text(path, "{id}");
		else if (pv_str_equal(part, PV_STR("NAME")))
			pv_buf_append_text(path, "{name}");
		else if (pv_str_equal(part, PV_STR("...")))
			pv_buf_append_text(path, "{path}");
		else
			pv_buf_append(path, part);
	}
}

/* What arguments may be; others are texts. */
static const struct {
	const char *name;
	const char *schema;
} argument_schemas[] = {
    {"limit", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000}"},
    {"order", "{\"type\":\"string\",\"enum\":[\"oldest\",\"newest\"]}"},
    {"state", "{\"$ref\":\"#/components/schemas/JobState\"}"},
};

static struct pv_json *schema_of_argument(const char *name)
{
	const size_t count =
	    sizeof(argument_schemas) / sizeof(*argument_schemas);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(argument_schemas[i].name, name) == 0)
			return read(argument_schemas[i].schema);
	}
	return read("{\"type\":\"string\"}");
}

static void add_parameter(struct pv_json *parameters, const char *name,
    const char *place, bool is_required)
{
	struct pv_json *parameter = pv_json_object();
	pv_json_set_text(parameter, "name", name);
	pv_json_set_text(parameter, "in", place);
	pv_json_set(parameter, "required", pv_json_bool(is_required));
	pv_json_set(parameter, "schema", schema_of_argument(name));
	pv_json_add(parameters, parameter);
}

/* Of the query, or of the head. */
static void add_argument(struct pv_json *parameters, const char *argument)
{
	static const char head[] = "header ";
	bool is_header = strncmp(argument, head, strlen(head)) == 0;
	add_parameter(parameters, argument + (is_header ? strlen(head) : 0),
	    is_header ? "header" : "query", false);
}

static struct pv_json *parameters_of(const struct pv_route *route)
{
	struct pv_json *parameters = pv_json_array();
	if (strstr(route->path, "/ID"))
		add_parameter(parameters, "id", "path", true);
	if (strstr(route->path, "/NAME"))
		add_parameter(parameters, "name", "path", true);
	if (strstr(route->path, "/..."))
		add_parameter(parameters, "path", "path", true);
	for (size_t i = 0; route->arguments && route->arguments[i]; i++)
		add_argument(parameters, route->arguments[i]);
	return parameters;
}

/* JSON of that schema. */
static struct pv_json *content_of(const char *type, const char *schema)
{
	struct pv_buf link;
	struct pv_json *content = pv_json_object();
	struct pv_json *media = pv_json_object();
	struct pv_json *reference = pv_json_object();
	pv_buf_init(&link, 100);
	pv_buf_append_format(&link, "#/components/schemas/%s", schema);
	pv_json_set_text(reference, "$ref", pv_buf_text(&link));
	pv_json_set(media, "schema", reference);
	pv_json_set(content, type, media);
	pv_buf_finish(&link);
	return content;
}

static struct pv_json *answer_of(
    const char *sentence, const char *type, const char *schema)
{
	struct pv_json *answer = pv_json_object();
	pv_json_set_text(answer, "description", sentence);
	if (schema)
		pv_json_set(answer, "content", content_of(type, schema));
	return answer;
}

/* An object of such members, each a text. */
static struct pv_json *texts_of(const char *const *names)
{
	struct pv_json *texts = pv_json_object();
	for (size_t i = 0; names[i]; i++) {
		struct pv_json *text = pv_json_object();
		pv_json_set(text, "schema", read("{\"type\":\"string\"}"));
		pv_json_set(texts, names[i], text);
	}
	return texts;
}

static struct pv_json *good_answer_of(const struct pv_route *route)
{
	const struct pv_answer_extra *extra = pv_answer_extra_of(route);
	struct pv_json *answer =
	    answer_of("Done.", "application/json", route->gives);
	if (extra && extra->types[0])
		pv_json_set(answer, "content", texts_of(extra->types));
	if (extra && extra->header)
		pv_json_set(answer, "headers",
		    texts_of((const char *const[]){extra->header, NULL}));
	return answer;
}

static struct pv_json *operation_of(const struct pv_route *route)
{
	char status[12];
	struct pv_json *operation = pv_json_object();
	struct pv_json *answers = pv_json_object();
	snprintf(status, sizeof(status), "%u", route->status);
	pv_json_set_text(operation, "summary", route->summary);
	pv_json_set(operation, "parameters", parameters_of(route));
	if (route->takes) {
		struct pv_json *body = pv_json_object();
		pv_json_set(body, "required", pv_json_bool(true));
		pv_json_set(body, "content",
		    content_of("application/json", route->takes));
		pv_json_set(operation, "requestBody", body);
	}
	pv_json_set(answers, status, good_answer_of(route));
	const struct pv_answer_extra *extra = pv_answer_extra_of(route);
	if (extra && extra->other_status) {
		snprintf(status, sizeof(status), "%u", extra->other_status);
		pv_json_set(answers, status, good_answer_of(route));
	}
	pv_json_set(answers, "default",
	    answer_of("Refused, or failed: the detail says why.",
		"application/problem+json", "Problem"));
	pv_json_set(operation, "responses", answers);
	if (!route->scope)
		pv_json_set(operation, "security", pv_json_array());
	return operation;
}

/* Methods of one path stand together; routes of one path follow one another. */
static struct pv_json *paths(void)
{
	struct pv_json *all = pv_json_object();
	struct pv_buf path;
	pv_buf_init(&path, 200);
	for (size_t i = 0; i < pv_route_count;) {
		struct pv_json *item = pv_json_object();
		const char *same = pv_routes[i].path;
		pv_buf_clear(&path);
		write_path(&pv_routes[i], &path);
		for (;
		     i < pv_route_count && strcmp(pv_routes[i].path, same) == 0;
		     i++)
			pv_json_set(item, word_of(pv_routes[i].method),
			    operation_of(&pv_routes[i]));
		pv_json_set(all, pv_buf_text(&path), item);
	}
	pv_buf_finish(&path);
	return all;
}

void pv_route_openapi(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_json *all = pv_json_object();
	struct pv_json *info = pv_json_object();
	struct pv_json *components = pv_json_object();
	(void)request;
	pv_json_set_text(all, "openapi", "3.1.0");
	pv_json_set_text(info, "title", "Pavane");
	pv_json_set_text(info, "version", pavane_version());
	pv_json_set(all, "info", info);
	pv_json_set(all, "paths", paths());
	pv_json_set(components, "schemas", read(schemas));
	pv_json_set(components, "securitySchemes",
	    read("{\"token\":{\"type\":\"http\",\"scheme\":\"bearer\"},"
		 "\"session\":{\"type\":\"apiKey\",\"in\":\"cookie\","
		 "\"name\":\"pavane_session\"}}"));
	pv_json_set(all, "components", components);
	pv_json_set(
	    all, "security", read("[{\"token\":[]},{\"session\":[]},{}]"));
	pv_route_give_json(reply, all);
}
