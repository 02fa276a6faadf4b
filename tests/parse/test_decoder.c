#include "parse/decoder.h"

#include "tap.h"

static const struct {
	const char *claim;
	const char *encoding; /* "": unknown */
	struct pv_str bytes;
	const char *text;
} texts[] = {
    {"bytes of an unknown encoding stay", "", PV_STR("a\xe9\xff"), "a\xe9\xff"},
    {"but for NULs", "", PV_STR("a\0b"), "a\ufffdb"},
    {"UTF-8 stays", "utf-8", PV_STR("a\u00e9\U0001f600"), "a\u00e9\U0001f600"},
    {"but for what is none", "utf-8", PV_STR("a\xe9z\0"), "a\ufffdz\ufffd"},
    {"a byte is a character", "latin1", PV_STR("caf\xe9 \x80"),
	"caf\u00e9 \u20ac"},
    {"or a control, where it means nothing", "windows-1252", PV_STR("\x81"),
	"\xc2\x81"},
    {"or nothing at all", "windows-1253", PV_STR("\xaa"), "\ufffd"},
    {"NULs are no characters", "koi8-r", PV_STR("\xc1\0"), "\u0430\ufffd"},
    {"letters and accents stay apart", "windows-1258",
	PV_STR("a\xcc"
	       "b"),
	"a\u0300b"},
    {"Cyrillic", "windows-1251", PV_STR("\xef\xf0"), "\u043f\u0440"},
    {"Japanese, with a trail byte like a backslash", "shift_jis",
	PV_STR("\x95\x5c/\x83\x5c"), "\u8868/\u30bd"},
    {"Japanese of Unix", "euc-jp", PV_STR("\xc6\xfc"), "\u65e5"},
    {"Chinese, with a trail byte like a backslash", "gbk", PV_STR("\x8c\x5c"),
	"\u5b7f"},
    {"Chinese of four bytes", "gb18030", PV_STR("\x81\x30\x81\x30"),
	"\xc2\x80"},
    {"Chinese of Taiwan", "big5", PV_STR("\xa5\x5c"), "\u529f"},
    {"Korean", "euc-kr", PV_STR("\xc7\xd1"), "\ud55c"},
    {"what iconv reads in another way", "koi8-u", PV_STR("\xae\xbe"),
	"\u045e\u040e"},
    {"and of Apple's", "macintosh", PV_STR("\xc6\xf0"), "\u2206\uf8ff"},
    {"and of theirs in Russia", "x-mac-cyrillic", PV_STR("\xff"), "\u20ac"},
    {"and Hebrew", "windows-1255", PV_STR("\xca"), "\u05ba"},
    {"a Chinese euro", "gbk", PV_STR("a\x80z"), "a\u20acz"},
    {"Chinese of Hong Kong", "big5", PV_STR("\x87\x40\xfa\x40"),
	"\u43f0\U00020547"},
    {"a pair that means nothing is one fault", "euc-kr",
	PV_STR("a\xc9\xa1z\xfe\xfe"), "a\ufffdz\ufffd"},
    {"and so are four bytes", "gb18030", PV_STR("a\x86\x30\x81\x30z\x86\x30z"),
	"a\ufffdz\ufffd0z"},
    {"unless its second half is ASCII", "euc-kr", PV_STR("a\xff\x81[z"),
	"a\ufffd\ufffd[z"},
    {"a byte that begins none is one", "shift_jis", PV_STR("\xa0\xb1\xfd\xb1"),
	"\ufffd\uff71\ufffd\uff71"},
    {"half a character", "gbk", PV_STR("a\x8c"), "a\ufffd"},
    {"half of one before markup", "gbk", PV_STR("\x8c<"), "\ufffd<"},
    {"escapes", "iso-2022-jp", PV_STR("a\x1b$B<!\x1b(Bb"), "a\u6b21b"},
    {"UTF-16", "utf-16le", PV_STR("<\0\xe9\0\x3d\xd8\x00\xde"),
	"<\u00e9\U0001f600"},
    {"UTF-16 with its large end first", "utf-16be", PV_STR("\0<\0\xe9"),
	"<\u00e9"},
    {"half a pair", "utf-16le",
	PV_STR("a\0\x00\xdc"
	       "b\0"),
	"a\ufffdb"},
    {"half a unit", "utf-16le", PV_STR("a\0b"), "a\ufffd"},
    {"what is only there to hide something", "hz-gb-2312", PV_STR("<a href=x>"),
	"\ufffd"},
    {"the user's own", "x-user-defined", PV_STR("a\x80\xff"), "a\uf780\uf7ff"},
};

static void check_texts(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct pv_decoder decoder;
		pv_decoder_init(
		    &decoder, pv_encoding_find(pv_str_of(texts[i].encoding)));
		pv_buf_clear(&buf);
		pv_decoder_append(&decoder, &buf, texts[i].bytes);
		is_text(pv_buf_str(&buf), texts[i].text, "%s", texts[i].claim);
		bool is_changed =
		    !pv_str_equal(pv_buf_str(&buf), texts[i].bytes);
		if (is_changed && !pv_decoder_must_come_first(decoder.encoding))
			ok(pv_decoder_changes(&decoder, texts[i].bytes),
			    "%s: is known to change it", texts[i].claim);
		pv_decoder_finish(&decoder);
	}
	pv_buf_finish(&buf);
}

/* More than is converted at once, so that characters lie across. */
static void check_long(void)
{
	struct pv_buf bytes, text;
	struct pv_decoder decoder;
	pv_buf_init(&bytes, 100000);
	pv_buf_init(&text, 100000);
	pv_decoder_init(&decoder, pv_encoding_find(PV_STR("gb18030")));
	for (int i = 0; i < 1000; i++)
		pv_buf_append(&bytes, PV_STR("x\x81\x30\x81\x30"));
	pv_decoder_append(&decoder, &text, pv_buf_str(&bytes));
	bool is_right = text.len == 3000;
	for (size_t i = 0; is_right && i < text.len; i += 3)
		is_right = memcmp(text.ptr + i, "x\xc2\x80", 3) == 0;
	ok(is_right, "characters are not torn apart in long texts");
	pv_decoder_finish(&decoder);
	pv_buf_finish(&text);
	pv_buf_init(&text, 100);
	pv_decoder_init(&decoder, pv_encoding_find(PV_STR("gb18030")));
	pv_decoder_append(&decoder, &text, pv_buf_str(&bytes));
	ok(text.is_full && text.len <= 100,
	    "and no text grows over its ceiling (P5)");
	pv_decoder_finish(&decoder);
	pv_buf_finish(&text);
	pv_buf_finish(&bytes);
}

int main(void)
{
	check_texts();
	check_long();
	return tap_done();
}
