// Writes pages that try how encodings are found out and read, and in what
// queries are written, to hold our reading against a browser's. Argument: a
// directory. Prints a line "FILE BASE CHARSET" for each, "-" where no header
// names one.
//
// What iconv reads and writes in another way than the Encoding Standard is left
// out; doc/testing.md has the list.

import { writeFileSync } from 'node:fs';

const [directory] = process.argv.slice(2);

// https://encoding.spec.whatwg.org/#names-and-labels
const LABELS = {
	'utf-8':
		'unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 ' +
		'x-unicode20utf8',
	'ibm866':
		'866 cp866 csibm866 ibm866',
	'iso-8859-2':
		'csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 ' +
		'iso_8859-2 iso_8859-2:1987 l2 latin2',
	'iso-8859-3':
		'csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 ' +
		'iso_8859-3 iso_8859-3:1988 l3 latin3',
	'iso-8859-4':
		'csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 ' +
		'iso_8859-4 iso_8859-4:1988 l4 latin4',
	'iso-8859-5':
		'csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 ' +
		'iso88595 iso_8859-5 iso_8859-5:1988',
	'iso-8859-6':
		'arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ' +
		'ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 ' +
		'iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987',
	'iso-8859-7':
		'csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 ' +
		'iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 ' +
		'sun_eu_greek',
	'iso-8859-8':
		'csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e ' +
		'iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 ' +
		'visual',
	'iso-8859-8-i':
		'csiso88598i iso-8859-8-i logical',
	'iso-8859-10':
		'csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 ' +
		'latin6',
	'iso-8859-13':
		'iso-8859-13 iso8859-13 iso885913',
	'iso-8859-14':
		'iso-8859-14 iso8859-14 iso885914',
	'iso-8859-15':
		'csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9',
	'iso-8859-16':
		'iso-8859-16',
	'koi8-r':
		'cskoi8r koi koi8 koi8-r koi8_r',
	'koi8-u':
		'koi8-ru koi8-u',
	'macintosh':
		'csmacintosh mac macintosh x-mac-roman',
	'windows-874':
		'dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874',
	'windows-1250':
		'cp1250 windows-1250 x-cp1250',
	'windows-1251':
		'cp1251 windows-1251 x-cp1251',
	'windows-1252':
		'ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 ' +
		'iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 ' +
		'iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252',
	'windows-1253':
		'cp1253 windows-1253 x-cp1253',
	'windows-1254':
		'cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 ' +
		'iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254',
	'windows-1255':
		'cp1255 windows-1255 x-cp1255',
	'windows-1256':
		'cp1256 windows-1256 x-cp1256',
	'windows-1257':
		'cp1257 windows-1257 x-cp1257',
	'windows-1258':
		'cp1258 windows-1258 x-cp1258',
	'x-mac-cyrillic':
		'x-mac-cyrillic x-mac-ukrainian',
	'gbk':
		'chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk ' +
		'iso-ir-58 x-gbk',
	'gb18030':
		'gb18030',
	'big5':
		'big5 big5-hkscs cn-big5 csbig5 x-x-big5',
	'euc-jp':
		'cseucpkdfmtjapanese euc-jp x-euc-jp',
	'iso-2022-jp':
		'csiso2022jp iso-2022-jp',
	'shift_jis':
		'csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j ' +
		'x-sjis',
	'euc-kr':
		'cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ' +
		'ks_c_5601-1989 ksc5601 ksc_5601 windows-949',
	'replacement':
		'csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr ' +
		'replacement',
	'utf-16be':
		'unicodefffe utf-16be',
	'utf-16le':
		'csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 ' +
		'utf-16le',
	'x-user-defined':
		'x-user-defined',
};

const UNKNOWN = ['utf-7', 'utf-32', 'cesu-8', 'gb_2312-1980', 'cp936', 'ebcdic',
	'iso-8859-12', 'iso-8859-17', 'koi', 'latin-1', 'latin7', 'none', 'utf',
	'utf-8x', 'windows1252', 'x-mac-japanese', 'cp932', 'euc-tw', 'viscii'];

let number = 0;
function write(charset, ...pieces) {
	const file = `${directory}/${++number}.html`;
	writeFileSync(file,
		Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
	console.log(`${file} http://pages.test/coded/${number}.html ${charset}`);
}

// Links whose addresses tell what bytes were read as, each with a number.
const links = (list, after = '') => list.flatMap((bytes, i) => [
	`<a href="/${i.toString(16)}-`, bytes, `${after}-">`]);

// Links whose addresses tell how a query's characters were written.
const queries = (list) => list.map((character) =>
	`<a href="?${character.toString(16)}-&#${character};-x">`);

const range = (first, last, step = 1) => Array.from(
	{ length: Math.floor((last - first) / step) + 1 },
	(_, i) => first + i * step);

const CHARACTERS = [range(0xa0, 0x17f), range(0x192, 0x3ff, 3),
	range(0x400, 0x4ff, 3), range(0x5d0, 0x6ff, 7), range(0xe00, 0xe5b, 5),
	range(0x1e00, 0x1eff, 9), range(0x2010, 0x2044), range(0x20a0, 0x20bf),
	range(0x2100, 0x22ff, 11), range(0x2460, 0x2670, 13),
	range(0x3000, 0x30ff, 3), range(0x3100, 0x33ff, 17),
	range(0x4e00, 0x9fff, 97), range(0xac00, 0xd7a3, 151),
	[0xe000, 0xe4c6, 0xe5e5, 0xe7c7, 0xf8ff, 0xfffd, 0xfeff, 0x1f600,
		0x20000, 0x2a6d6, 0x10ffff, 0x7f, 0x1e3f, 0x2225, 0x2212, 0xa5,
		0x203e, 0xff5e, 0x301c, 0x2016], range(0xf900, 0xfa2d, 7),
	range(0xff01, 0xffee, 3)].flat();

// Of one encoding, without what iconv has not got.
const charactersOf = (name) => CHARACTERS.filter((character) => {
	const isOfIbm = [0x2179, 0x5046, 0x60f2, 0x6a6b, 0x891c, 0x9357, 0xff07]
		.includes(character) || (character >> 8) === 0xfa;
	const isOfJapan = character < 0x2100 || (character >= 0x3000 &&
		character < 0x3100) || character >> 8 === 0x4e || character > 0xffff;
	return name === 'iso-2022-jp' ? isOfJapan
		: name !== 'euc-jp' || !isOfIbm;
});

for (const [name, labels] of Object.entries(LABELS)) {
	for (const label of labels.split(' '))
		write(label, '<a href=x>');
	write(name.toUpperCase(), '<a href=y>');
	if (name.startsWith('utf-16') || name === 'replacement')
		continue;
	const first = { 'euc-jp': 0xa1, big5: 0x81 }[name] ?? 0x80;
	const bytes = range(first, 0xff);
	write(name, ...links(bytes.map((byte) => [byte])));
	write(name, ...links(bytes.filter((byte) => first !== 0xa1 ||
		byte < 0xf5).map((byte) => [byte, byte])));
	write(name, ...links(bytes.filter((byte) => byte !== 0xa2)
		.map((byte) => [byte]), 'A'));
	if (name !== 'x-user-defined')
		write(name, ...queries(charactersOf(name)));
}
const META = '<meta charset=windows-1251>';
for (const label of UNKNOWN)
	write(label, META, '<a href="/\u00e9?\u00e9">');

// A quarter of all pairs; and each byte before markup, which it must not hide.
const PAIRS = { gbk: [0x81, 0xfd], gb18030: [0x81, 0xfd], big5: [0xa4, 0xfa],
	'euc-jp': [0xa2, 0xf4], shift_jis: [0x81, 0xfe], 'euc-kr': [0x81, 0xfe] };
for (const [name, [first, last]] of Object.entries(PAIRS)) {
	const seconds = [0x30, 0x39, 0x40, 0x41, 0x5b, 0x5c, 0x60, 0x7b, 0x7d,
		0x7e, 0x7f, 0x80, 0x81, 0xa1, 0xfc, 0xfd, 0xfe, 0xff];
	write(name, ...links(range(first, last).flatMap((first) =>
		seconds.concat(range(0x42 + first % 5, 0xfc, 5))
			.filter((second) => second !== 0x7c)
			.map((second) => [first, second]))));
	for (const mark of ['"', "'", '<', '>', '&', ' ', '='])
		write(name, ...range(first, last).flatMap((first) => [
			'<a href="/', [first], mark, ' class=x><a href=y>']));
}
write('gb18030', ...links(range(0x81, 0xfe, 3).flatMap((first) =>
	range(0x30, 0x39, 2).flatMap((second) => range(0x81, 0xfe, 17)
		.map((third) => [first, second, third, 0x30 + third % 10])))));
write('euc-jp', ...links(range(0xb0, 0xec).flatMap((second) =>
	range(0xa1, 0xfe, 11).map((third) => [0x8f, second, third]))));
write('iso-2022-jp', ...links(range(0x30, 0x73).filter((row) => row !== 0x4f)
	.flatMap((first) => range(0x21, 0x7e, 7).map((second) => [0x1b, 0x24,
		0x42, first, second, 0x1b, 0x28, 0x42]))));
write('iso-2022-jp', ...links(['(J', '(B', '$@', '$B'].flatMap((escape) =>
	['0!', '0"', '3>', '&A'].map((text) => `\x1b${escape}${text}\x1b(B`))));

// UTF-16, by its mark and by its header; queries are in UTF-8.
const little = Buffer.from('<a href="/\u00e9\u6f22?\u00e9\u6f22\u{1f600}">',
	'utf16le');
const big = Buffer.from(little).swap16();
write('-', [0xff, 0xfe], little);
write('-', [0xfe, 0xff], big);
write('koi8-r', [0xff, 0xfe], little);
write('utf-16', little);
write('utf-16be', big);
write('utf-16be', [0xff, 0xfe], little);
write('utf-8', [0xfe, 0xff], big);
write('utf-16', little, [0x3d, 0xd8], little, [0x00, 0xdc, 0x3c], little);

// What the page says of itself, and what comes before that.
const KOI8 = 'content="text/html; charset=koi8-r"';
const OLD = '<meta http-equiv=content-type';
const STATEMENTS = [META, '<META CHARSET="windows-1251">',
	"<meta charset = 'windows-1251' >", '<meta charset=windows-1251/>',
	'<meta charset=windows-1251 />', '<meta x=y charset=windows-1251>',
	'<meta\ncharset=windows-1251>', '<meta/charset=windows-1251>',
	'<meta charset=" windows-1251 ">', '<meta charset=cp1251>',
	'<meta charset=evil>', '<meta charset="">', '<meta charset>',
	'<meta charset=evil>' + META, '<meta charset=utf-16>',
	'<meta charset=utf-16be>', '<meta charset=x-user-defined>',
	'<metax charset=koi8-r>',
	`${OLD} ${KOI8}>`, `<META ${KOI8} HTTP-EQUIV="Content-Type">`,
	`${OLD} content="charset=koi8-r">`, `${OLD} content="charset = koi8-r ;x">`,
	`${OLD} content='charset="koi8-r"'>`, `${OLD} content='charset="koi8-r'>`,
	`${OLD} content="charset x charset=koi8-r">`,
	`${OLD} content="xcharset=koi8-r">`, `${OLD} content=koi8-r>`,
	`${OLD} content="text/html;charset=utf-16">`,
	`${OLD} content="a;charset=x-user-defined">`, `<meta ${KOI8}>`,
	`<meta http-equiv=refresh ${KOI8}>`,
	`${OLD} ${KOI8} charset=windows-1251>`,
	`<meta charset=windows-1251 http-equiv=content-type ${KOI8}>`,
	`<meta charset=evil http-equiv=content-type ${KOI8}>`,
	`<!-- ${META} -->`, `<!-- > -->${META}`, `<!-->${META}`, `<!--->${META}`,
	`<!doctype html><html><head><title>x</title>${META}`,
	`<!doctype html><p title="${META}">`, `<html><head>${META}</head>`,
	`<?xml version="1.0"?>${META}`, `</x>${META}`, `<x y='>'>${META}`,
	`<!x>${META}`, `< ${META}`, `<p>${META}`, `<svg>${META}</svg>`,
	' '.repeat(1024 - META.length) + META];
for (const text of STATEMENTS) {
	const link = '<a href="/x?&#1078;&#233;">';
	write('-', text, link);
	write('iso-8859-5', text, link);
	write('-', [0xef, 0xbb, 0xbf], text, link);
}
write('evil', META, '<a href="?&#1078;">');
