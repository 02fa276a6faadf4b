#include "fields/output/packed.h"

#include "base/reader.h"
#include "fields/row_json.h"

void pv_packed_add_null(struct pv_buf *packed)
{
	pv_buf_append_char(packed, PV_PACKED_NULL);
}

static void add_bytes(const void *bytes, size_t len, struct pv_buf *packed)
{
	pv_buf_append(packed, (struct pv_str){bytes, len});
}

void pv_packed_add_number(int64_t number, struct pv_buf *packed)
{
	pv_buf_append_char(packed, PV_PACKED_NUMBER);
	add_bytes(&number, sizeof(number), packed);
}

void pv_packed_add_text(struct pv_str text, struct pv_buf *packed)
{
	uint64_t len = text.len;
	pv_buf_append_char(packed, PV_PACKED_TEXT);
	add_bytes(&len, sizeof(len), packed);
	pv_buf_append(packed, text);
}

static bool read_integer(struct pv_str digits, int64_t *number)
{
	struct pv_reader reader = pv_reader_of(digits);
	bool is_negative = pv_reader_accept(&reader, '-');
	uint64_t value;
	if (!pv_reader_take_number(&reader, INT64_MAX, &value) ||
	    !pv_reader_is_end(&reader))
		return false;
	*number = is_negative ? -(int64_t)value : (int64_t)value;
	return true;
}

static void add_integer(struct pv_str digits, struct pv_buf *packed)
{
	int64_t number;
	if (read_integer(digits, &number))
		pv_packed_add_number(number, packed);
	else
		pv_packed_add_text(digits, packed);
}

static void add_json(const struct pv_cell *cell, const struct pv_field *field,
    struct pv_buf *packed)
{
	struct pv_buf json;
	pv_buf_init(&json, packed->ceiling);
	pv_row_json_write_cell(cell, field, &json);
	packed->is_full = packed->is_full || json.is_full;
	pv_packed_add_text(pv_buf_str(&json), packed);
	pv_buf_finish(&json);
}

void pv_packed_add_cell(const struct pv_cell *cell,
    const struct pv_field *field, struct pv_buf *packed)
{
	switch (cell->kind) {
	case PV_CELL_NULL:
		pv_packed_add_null(packed);
		break;
	case PV_CELL_TEXT:
	case PV_CELL_NUMBER:
	case PV_CELL_JSON:
		pv_packed_add_text(cell->text, packed);
		break;
	case PV_CELL_INTEGER:
		add_integer(cell->text, packed);
		break;
	case PV_CELL_BOOL:
		pv_packed_add_number(
		    pv_str_equal(cell->text, PV_STR("true")), packed);
		break;
	case PV_CELL_LIST:
	case PV_CELL_RECORDS:
	case PV_CELL_RECORD:
		add_json(cell, field, packed);
		break;
	}
}

/* Whether that many bytes were there, which are taken. */
static bool take(struct pv_str *left, size_t len, struct pv_str *taken)
{
	if (left->len < len)
		return false;
	*taken = pv_str_head(*left, len);
	*left = pv_str_from(*left, len);
	return true;
}

bool pv_packed_next(struct pv_str *left, struct pv_packed_value *value)
{
	struct pv_str bytes;
	uint64_t len;
	if (!take(left, 1, &bytes))
		return false;
	*value =
	    (struct pv_packed_value){.kind = (enum pv_packed_kind)bytes.ptr[0]};
	switch (value->kind) {
	case PV_PACKED_NULL:
		return true;
	case PV_PACKED_NUMBER:
		if (!take(left, sizeof(value->number), &bytes))
			return false;
		memcpy(&value->number, bytes.ptr, sizeof(value->number));
		return true;
	case PV_PACKED_TEXT:
		if (!take(left, sizeof(len), &bytes))
			return false;
		memcpy(&len, bytes.ptr, sizeof(len));
		return take(left, len, &value->text);
	}
	return false;
}
