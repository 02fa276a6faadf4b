#include <stdint.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "base/json/json_ld.h"
#include "base/json/json_pointer.h"
#include "base/json/json_text.h"
#include "base/reader.h"

/* Reads JSON of a page and goes where a pointer leads. The input is a line with
 * the pointer, and the JSON, or a script that holds it behind that line.
 *
 * What must hold: what is found is written as JSON that is read again, and then
 * written the same; lists keep their ceiling; where the pointer does not lead
 * somewhere, there is something to say; and a value in a script is a piece of
 * it.
 */

#define TEXT_MAX ((size_t)16 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_written(const struct pv_json *value)
{
	struct pv_buf first, second;
	pv_buf_init(&first, TEXT_MAX);
	pv_buf_init(&second, TEXT_MAX);
	require(pv_json_page_write(value, &first));
	struct pv_json *again = pv_json_read_page(pv_buf_str(&first));
	require(again != NULL);
	require(pv_json_page_kind(again) == pv_json_page_kind(value));
	require(
	    pv_str_equal(pv_json_page_text(again), pv_json_page_text(value)));
	require(pv_json_page_write(again, &second));
	require(pv_str_equal(pv_buf_str(&first), pv_buf_str(&second)));
	require(pv_str_find(pv_buf_str(&first), '\n') == PV_NOT_FOUND);
	require(pv_json_page_kind(value) != PV_JSON_NUMBER ||
		pv_json_text_is_number(pv_buf_str(&first)));
	pv_json_destroy(again);
	pv_buf_finish(&second);
	pv_buf_finish(&first);
}

static void check_pointer(
    const struct pv_json_pointer *pointer, const struct pv_json *value)
{
	struct pv_json_list list;
	struct pv_buf buf;
	pv_json_list_init(&list);
	pv_buf_init(&buf, TEXT_MAX);
	pv_json_pointer_find(pointer, value, &list);
	require(list.count <= PV_JSON_LIST_MAX);
	for (size_t i = 0; i < list.count && i < 3; i++)
		check_written(list.items[i]);
	pv_json_pointer_nearest(pointer, value, &buf);
	require(buf.len > 0 && !buf.is_full);
	pv_buf_finish(&buf);
	pv_json_list_finish(&list);
}

static void check_nodes(const struct pv_json *value, struct pv_str type)
{
	struct pv_json_list list;
	pv_json_list_init(&list);
	pv_json_ld_find(value, type, &list);
	for (size_t i = 0; i < list.count; i++)
		require(pv_json_page_kind(list.items[i]) == PV_JSON_OBJECT);
	pv_json_list_finish(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)data, size});
	struct pv_str line = pv_reader_take_line(&reader);
	struct pv_str rest = pv_reader_rest(&reader);
	struct pv_pattern_fault fault = {0};
	struct pv_json_pointer *pointer = pv_json_pointer_create(line, &fault);
	struct pv_json *value = pv_json_read_page(rest);
	require(pointer || (fault.text[0] && fault.offset <= line.len));
	if (value) {
		check_written(value);
		check_nodes(value, line);
	}
	if (pointer && value)
		check_pointer(pointer, value);
	struct pv_str found = pv_json_find_value(rest, line);
	require(
	    !found.len || (found.ptr >= rest.ptr &&
			      found.ptr + found.len <= rest.ptr + rest.len));
	pv_json_destroy(value);
	pv_json_pointer_destroy(pointer);
	return 0;
}
