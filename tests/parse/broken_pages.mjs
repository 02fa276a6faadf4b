// Writes pages that are broken in every way that a tokenizer can meet, to hold
// our reading against a browser's. Arguments: a directory, how many, and a
// number from which all chance is drawn: the same number makes the same pages.
// Prints a line "FILE BASE CHARSET" for each, "-" where no header names one.
//
// A page is a few pieces of this grammar, one behind another and within one
// another; each address in it is another number, so that what is found says
// where it was found. What only the building of a tree decides is left out
// (doc/testing.md has the list): what stands here has one reading in us and in
// browsers.

import { writeFileSync } from 'node:fs';

const [directory, count, seed = '1'] = process.argv.slice(2);

// Of one page, so that it can be made again alone.
let state = 0;
let links = 0;

// https://en.wikipedia.org/wiki/Xorshift, with a multiplication at its end
function random() {
	state ^= state << 13;
	state ^= state >>> 17;
	state ^= state << 5;
	return (Math.imul(state, 0x9e3779b1) >>> 0) / 2 ** 32;
}

const below = (limit) => Math.floor(random() * limit);
const one = (...list) => list[below(list.length)];
const maybe = (text, chance = 0.5) => random() < chance ? text : '';
const some = (max, make) => Array.from({ length: below(max + 1) }, make).join('');
const pick = (list) => {
	const made = one(...list);
	return typeof made === 'function' ? made() : made;
};

// Upper and lower letters as they come.
const anyCase = (text) => maybe(1, 0.2)
	? text.replace(/[a-z]/g, (letter) => maybe(1) ? letter.toUpperCase()
		: letter)
	: text;

const space = () => one(' ', ' ', ' ', '\n', '\t', '\f', '\r', '\r\n', '  ');
const between = () => one(space(), space(), '/', ' / ', '//', ' /');
const address = () => pick(addresses).replace('N', () => `l${++links}`);

/// Addresses and how they are written

const addresses = [
	'N', 'N', 'N', '/N', './N', '../N', '//other.test/N', '?N', 'N#part',
	'http://other.test:80/N', 'HTTPS://Other.Test/N', 'http:N', 'http:/N',
	'\\N', 'a\\..\\N', 'N?q=1&amp;r=2', 'N?q=1&r=2', 'N?a&copy=1&copy2',
	'N&notit;', 'N&not', 'N&notin;', 'N&amp', 'N?a&lt', 'N&ampx', 'N&amp=x',
	'N&amp;=x', '&#108;N', 'N&#x41;', 'N&#X41', 'N&#65', 'N&#;', 'N&#x;',
	'N&#x80;&#150;', 'N&#0;', 'N&#xd800;', 'N&#x110000;', 'N&#99999999999;',
	'N&Aacute;', 'N&Aacute', 'N&NotEqualTilde;', 'N&fjlig;', 'N&ngE;',
	'N&nosuch;', 'N&;', 'N&', 'N&&amp;', 'N&amp;amp;', 'N&Tab;x&NewLine;y',
	'N&colon;', 'N&sol;x', '&period;/N', 'N&num;x', 'N&quest;x', 'N%zz',
	'N%2e', '%2e%2e/N', 'N/../x', 'N{}^`', 'N\u00e9', 'N?\u00e9',
	'N\ufffd', 'N\u{1f600}', ' N', 'N ', '\tN\n', 'N\nx', 'N\tx', 'N x',
	'N\0', 'N\x01', 'http://[::1]/N', 'http://1.2/N', 'http://a b/N',
	'http://%41.test/N', 'http://\u00e9.test/N', 'http:///N', 'http:\\\\a/N',
	'mailto:N', 'javascript:N', 'data:,N', 'ftp://a.test/N', 'about:N', '',
	'#N', ':N', 'N:x', 'http://a.test:99999/N', 'http://u:p@a.test/N',
];

// Values of one attribute: how they stand between quotes, or without any.
function quoted(value) {
	const isPlain = /^[^\s"'=<>`\0]+$/.test(value);
	return pick([
		() => '"' + value.replaceAll('"', '&quot;') + '"',
		() => "'" + value.replaceAll("'", '&#39;') + "'",
		() => isPlain && !value.endsWith('/') ? value + space()
			: '"' + value.replaceAll('"', '&#x22;') + '"',
	]);
}

const equals = () => one('=', '=', '=', ' = ', '\n=', '=\t', '= \r\n');

const attribute = (name, value) => anyCase(name) + equals() + quoted(value);

// Attributes that mean nothing, and what is hard about them.
const NOTHINGS = [
	'x', 'x=', 'x=y', "x='>'", 'x=">"', "x='<a href=no>'", '"', "'", '<',
	'=', '==x', '=x=y', "x=y'", 'x=`y', 'x"y', 'x=y"z', 'x\0', 'x=\0', '/',
	'//', 'hreff=no', 'xhref=no', 'hr\0ef=no', 'x=&gt', 'x=&quot', 'x=<',
	'x=a/', "x=''", 'data-href=no', '-', '\u00e9=\u00e9', 'x=no=no',
	'on="load"', 'xmlns=no', 'xmlns:xlink=no', 'x:y=no',
];
const nothing = () => {
	const text = pick(NOTHINGS);
	return text.endsWith('=') ? text + '""' : text + ' ';
};

const end = () => one('>', '>', '>', '>', ' >', '\n>', '/>', ' />');

// A start tag with those attributes among others.
function tag(name, attributes, close = end) {
	let text = '<' + anyCase(name) + between();
	for (const [key, value] of attributes) {
		text += some(1, nothing) + attribute(key, value) +
			maybe(between(), 0.7);
		if (maybe(1, 0.1)) // the second counts for nothing
			text += attribute(key, address()) + space();
	}
	return text + some(2, nothing) + close();
}

/// Values of other attributes

const descriptor = () => pick([
	'', '', ' 1x', ' 2x', ' 100w', ' 1.5x', ' 1e1x', ' -1x', ' -0x', ' .5x',
	' 5.x', ' +1x', ' 0w', ' 1W', ' 1x 2x', ' 100w 50h', ' 50h', ' 1x 50h',
	' (1x, 2x) 1x', ' 1x (', ' 1x\t', ' x', ' w', ' 1', ' 1x)', ' 007w',
	' 1.5w', ' 1e400x', ' 1x 100w', ' 50h 100w', ' 1y', ' 1x(', '\n2x ',
]);
const srcset = () => one('', '', ',', ', ', ' ,,') +
	Array.from({ length: 1 + below(3) }, () =>
		one(address(), address(), address() + ',', ',' + address(),
			address() + ',,', 'data:,' + address()) + descriptor())
		.join(one(', ', ', ', ' , ', ',', ',\n', ' ,,')) +
	one('', '', ',', ', ');

const refresh = () => one('0', '5', ' 5 ', '.', '5.5', '.5', '5.5.5', '', '-1',
	'+1', 'x', '5x', '\n5') + one(';', ';', ',', ' ', '; ', ' ; ', '\t,\t',
	'', ';;', '. ') + one('url=', 'url=', 'URL=', 'url =', 'url\n= ', 'Url',
	'ur=', 'url', '', '', 'url==', 'uri=', 'url;') + one('', '', '"', "'", ' ') +
	address() + one('', '', '"', "'", ' ', '" x', "' x", ';x');

// As far as it may stand in CSS, be it in an attribute or in a text, where
// references without a semicolon mean something else.
const value = (text) => text.replace(/[\0\\"'()\s]|&(?:Tab|NewLine);/g, '');
const plain = (text) => value(text).replaceAll('&', '');
const style = () => Array.from({ length: 1 + below(3) }, () => pick([
	() => `a:url(${value(address())})`, () => `a:url('${value(address())}')`,
	() => `a:url("${value(address())}") no`, () => `a:URL( ${value(address())} )`,
	() => `a:u\\72l(${value(address())})`, () => `a:\\75 rl(${value(address())})`,
	() => `a:url(\\6c ${value(address())})`, () => `a:url(${value(address())}\\29 )`,
	() => `a:url("${value(address())}\\22")`, () => `a:url("${value(address())}\\\nx")`,
	() => `a:url(${value(address())}/**/)`, () => `a:'url(no)'`,
	() => `a:"url(no)"`, () => `/*a:url(no)*/b:url(${value(address())})`,
	() => `a:image-set("${value(address())}" 1x, url(${value(address())}) 2x)`,
	() => `a:xurl(no)`, () => `a:url (no)`, () => `a:url(no no)`,
	() => `a:{b:url(${value(address())})}`, () => `a:-url(no)`,
	() => `a:url(#no)`, () => `a:url()`, () => `a:url('')`,
	() => `a:[url(${value(address())})]`,
	() => `--a:url(${value(address())})`, () => `a:url&lpar;${value(address())}&rpar;`,
	() => `a&colon;url&#40;${value(address())})`, () => `a:src("${value(address())}")`,
])).join(one(';', ';', ' ; ', ';;'));

/// Elements with a link

const rel = () => one('stylesheet', 'icon', 'alternate', 'canonical', 'next',
	'preconnect', 'dns-prefetch stylesheet', 'STYLESHEET', 'nothing',
	'alternate stylesheet', ' preload\n', 'pingback', '');

const image = () => tag('img', one([['src', address()]],
	[['srcset', srcset()]], [['src', address()], ['srcset', srcset()]]));
const anchor = () => tag('a', [['href', address()]]);

// Those that may stand anywhere in a body, and in HTML within drawings.
const LINKS = [
	anchor, anchor, image, image,
	() => tag('area', [['href', address()]]),
	() => tag('link', [['rel', rel()], ['href', address()]]),
	() => tag('link', [['imagesrcset', srcset()]]),
	() => tag('embed', [['src', address()]]),
	() => tag('object', [['data', address()]]) + '</object>',
	() => tag('iframe', [['src', address()]]) + pick(HIDDEN) + '</iframe>',
	() => tag('iframe', [['srcdoc', some(2, inlaid)], ['src', address()]]) +
		'</iframe>',
	() => tag('script', [['src', address()]]) + script() + '</script>',
	() => tag('input', [['type', one('image', 'IMAGE', 'text', '', 'image ')],
		['src', address()]]),
	() => tag('video', [['poster', address()], ['src', address()]]),
	() => tag('audio', [['src', address()]]),
	() => tag('source', [['src', address()], ['srcset', srcset()]]),
	() => tag('track', [['src', address()]]),
	() => tag('image', [['src', address()]]),
	() => tag('meta', [['http-equiv', one('refresh', 'Refresh', 'refres',
		' refresh', 'refre&#115;h')], ['content', refresh()]]),
	() => tag(one('p', 'div', 'span', 'i', 'b'), [['style', style()]]),
	() => '<style' + maybe(' type=' + one('text/css', 'TEXT/CSS', '""',
		'text/x', 'text/css2'), 0.3) + '>' + sheet() + '</style>',
];
const link = () => pick(LINKS);

// In a page that an attribute holds, with references for what is markup there.
const inlaid = () => one(link(), raw(), link().replaceAll('<', '&lt;'),
	link().replaceAll('"', '&#34;').replaceAll('>', '&gt;'),
	link().replaceAll('&', '&amp;'));

const sheet = () => one('', '<!-- ', '/* <a href=no> */', '@charset "x";') +
	one(`@import "${value(address())}";`, `@import url(${value(address())}) x;`,
		`a{b:url(${value(address())})}`, '') +
	style().replace(/&[#\w]*;/g, '') + one('', ' -->', '</styl>', '<a href=no>');

/// What hides them

const HIDDEN = [
	() => `<a href=no>`, () => `<img src=no>`, () => `</a><a href=no>`,
	() => `<!-- <a href=no>`, () => '<script><a href=no>', 'x', '',
	() => '--><a href=no>', '<', '</', '<!', '</x', '&lt;a href=no&gt;',
];

const script = () => some(4, () => one('<!--', '<!--', '-->', '--!>', '<!-->',
	'<!--->', '<script>', '<script ', '<script/', '<SCRIPT>', '<scripts>',
	'</scripts>', '</script', '<!-', '<!- -', '--', '- ->', '<', 'x', ' ',
	'<a href=no>', '"<!--"', '<![CDATA[', ']]>').replace(/<\/script$/,
	'</script-'));

// A name whose content is text, with all that nearly ends it.
const raw = () => {
	const name = one('title', 'textarea', 'style', 'xmp', 'iframe', 'noembed',
		'noframes');
	return `<${anyCase(name)}${maybe(' x="</' + name + '>"', 0.2)}` +
		one('>', '>', '/>', ' >') + some(4, () => one(pick(HIDDEN),
		`</${name}s>`, `</${name.slice(1)}>`, `</ ${name}>`, `<${name}>`,
		`</${name}\0>`, `< /${name}>`, '<!--', '-->', '<![CDATA[')) +
		`</${anyCase(name)}` + one('>', '>', ' >', '/>', '\n>', '\tx=">">',
		' x=\'<a href=no>\'>', '\f>');
};

const COMMENTS = [
	() => `<!--${pick(HIDDEN)}-->`, '<!-->', '<!--->', '<!---->', '<!----->',
	() => `<!-- ${pick(HIDDEN)} --!>`, '<!--!-->', '<!--!>no-->',
	() => `<!--->${link()}`, () => `<!-->${link()}`, '<!-- - -- -->',
	'<!-- <!-- -->', '<!-- <!--> ', '<!---!>no-->', '<!-- --!>', '<!----!>',
	'<!-- -- > <a href=no> -->', '<!--<a href=no>--->', '<!--\0-->',
	() => `<!${pick(['', 'x', 'doctype', 'DOCTYPE html "', '-', '- -', '['])}>`,
	() => `<!x '>${link()}`, () => `<?php echo '<a href=no'>${link()}`, '<?>',
	'<??>', '<?xml version="1.0"?>', '</>', '</ x>', '</1>', '</?>', '</!-->',
	() => `</ <a href=no>${link()}`, () => `<![CDATA[<a href=no>${link()}`,
	'<![CDATA[x]]>', () => `<![cdata[>${link()}`, '<!-', '<', '< ', '<3', '<>',
].map((piece) => typeof piece === 'string' && /^<!?-?$|^< $|^<3$/.test(piece)
	? piece + ' >' : piece);

const END_TAGS = [
	'</b>', '</x>', '</x/>', '</x y>', "</x y='>'>", '</x y=">" z>', '</a>',
	"</a href='<a href=no>'>", '</B\n>', '</x\0>', '</x<y>', '</i/ />',
];

const TAGS = [
	'<b>', '<x>', '<x-y>', '<x:a href=no>', '<ab href=no>', '<a\0 href=no>',
	'<a>', '<imgs src=no>', '<a-b href=no>', '<linkx href=no>', '<x\0>',
	'<b <a href=no>', '<1 href=no>', '<\0a href=no>', '<\u00e9 href=no>',
	'<a<b href=no>', '<svgx>', '<scriptx>', '<titles>', '<-a href=no>',
];

/// Drawings and formulas

const drawn = () => pick([
	() => tag('a', [[one('href', 'xlink:href'), address()]]) + '</a>',
	() => tag('image', [[one('href', 'xlink:href'), address()]],
		() => '/>'),
	() => tag('use', [['href', one('#no', address())]], () => '/>'),
	() => tag('a', [['href', address()], ['xlink:href', 'no']]) + '</a>',
	() => tag('a', [['xlink:href', 'no'], ['href', address()]]) + '</a>',
	() => tag('script', [['href', address()]], () => '/>'),
	() => `<script>${tag('a', [['href', address()]])}</a></script>`,
	() => `<g style="a:url(${value(address())})"></g>`,
	() => tag('g', [['style', style()]]) + '</g>',
	() => `<style>a{b:url(${plain(address())})}</style>`,
	() => `<style><![CDATA[a{b:url(${value(address())})}]]></style>`,
	() => `<style>a{b&#58;url(&quot;${plain(address())}&quot;)}</style>`,
	() => tag('feImage', [['href', address()]], () => '/>'),
	'<x src=no />', '<foreignObject/>', '<title/>', '<desc/>', '<g/>',
	'<path d="M0">', '<rect/>', () => `<![CDATA[<a href=no>]]>`,
	'<![CDATA[<a href=no> ]] > ]>]]>', '<![CDATA[]]>', '<![CDATA[]]]>',
	'<![CDATA[>]]>', '<xmp/>', '<noembed/>', '<iframe src=no />',
	'<textarea/>', '<plaintext/>', '<noframes/>',
	() => `<title>${content()}</title>`, () => `<desc>${content()}</desc>`,
	() => `<foreignObject>${content()}</foreignObject>`,
	() => `<ForeignObject>${content()}</foreignobject>`,
	() => `<svg>${some(2, drawn)}</svg>`, () => pick(COMMENTS),
	() => `<textarea>${tag('a', [['href', address()]])}</a></textarea>`,
	() => `<noscript>${tag('a', [['href', address()]])}</a></noscript>`,
]);
const drawing = () => `<${anyCase('svg')}${maybe(' xmlns="x"')}>` +
	some(3, drawn) + one('</svg>', '</SVG>', '</svg >', '</svg>');

const formed = () => pick([
	'<mrow>', '</mrow>', '<mi>x</mi>', '<mi/>', '<mspace/>', '<x href=no />',
	() => `<mi>${content()}</mi>`, () => `<mtext>${content()}</mtext>`,
	() => `<mo>${content()}</mo>`, () => `<mn>${content()}</mn>`,
	() => `<ms>${content()}</ms>`, '<a href=no />', '<title/>', '<style/>',
	'<![CDATA[<a href=no>]]>', '<script/>', '<mi href=no></mi>',
	() => `<mrow style="a:url(${value(address())})"></mrow>`,
	() => `<annotation-xml encoding="${one('text/html', 'TEXT/HTML',
		'application/xhtml+xml', 'application/xhtml&#43;xml')}">${content()}` +
		'</annotation-xml>',
	() => '<annotation-xml encoding=text/x><a href=no /></annotation-xml>',
	() => `<annotation-xml>${drawing()}</annotation-xml>`,
	() => '<annotation-xml><a href=no /><title/></annotation-xml>',
]);
const formula = () => `<math>${some(3, formed)}</math>`;

// A tag of HTML ends all that is foreign.
const outbreak = () => one('<svg>', '<svg><g>', '<math>', '<math><mrow>') +
	one('<p>', '<br>', '<div>', '<b>', '<ul>', '<h1>', '<pre>', '<span>',
		'<table></table>', '<img>', '<font color=x>', '<font face=x>',
		'<font size=1>', '<body>', '<s>', '<code>', '</p>', '</br>',
		'<em>') + link() + '<![CDATA[>' + link();
const noOutbreak = () => one('<svg>', '<svg><g>') +
	one('<font>', '<font x=color>', '<a href=no2>', '<title/>',
		'<section>', '<td>', '<form>', '<button>', '<main>') +
	'<![CDATA[<a href=no>]]></svg>';

/// Trees that no tree is needed for

// Content of one element, closed in order.
const content = () => some(2, () => one(anchor() + '</a>', image(),
	raw(), '<b>x</b>', 'x', pick(COMMENTS), drawing()));

const template = () => '<template>' + some(3, () => one(link(), raw(),
	drawing(), pick(COMMENTS), '<template><a href=no></template>',
	'<script>"</template>"</script>', '<td background=no>', '<style>' +
	'a{b:url(no)}</style>')).replace(/<\/?(?:b|body|p|a|x)[ >]/g, '$&') +
	'</template>';

const shadow = () => `<div><template shadowrootmode=${one('open', 'OPEN',
	'"open"')}>` + content() + '</template></div>';

const noscript = () => `<noscript>${content()}</noscript>`;

const table = () => tag('table', [['background', address()]], () => '>') +
	maybe(`<caption style="a:url(${value(address())})">x</caption>`) +
	some(2, () => tag(one('thead', 'tbody', 'tfoot'), [['background',
		address()]], () => '>') + tag('tr', [['background', address()]],
		() => '>') + tag(one('td', 'th'), [['background', address()]],
		() => '>') + content()) + maybe(anchor() + '</a>') + maybe(image()) +
	'</table>';

const select = () => `<select><option style="a:url(${value(address())})">x` +
	`<optgroup><option>${script() && ''}</select>`;

const base = () => pick([
	() => tag('base', [['href', one('/b/', '//base.test/', 'c/', '?x', '',
		'data:,x', 'javascript:x', 'about:blank', 'mailto:x',
		'ftp://a.test/', ' /d/ ', '/e&amp;f/')]]),
	'<base>', '<base target=x>', '<base href>', '<svg><base href=/no/></svg>',
	'<!--<base href=/no/>-->', '<template><base href=/no/></template>',
	'<title><base href=/no/></title>', '<noscript><base href=/n/></noscript>',
]);

const PIECES = [
	link, link, link, link, link, raw, raw, raw,
	() => pick(COMMENTS), () => pick(COMMENTS), () => pick(COMMENTS),
	() => pick(END_TAGS), () => pick(TAGS), () => pick(TAGS),
	() => `<script>${script()}</script>`, () => `<script>${script()}</script>`,
	drawing, drawing, drawing, formula, formula, outbreak, noOutbreak,
	template, shadow, noscript, table, select, base,
	'\0', '&lt;a href=no&gt;', '\r\n', 'x', '\ufeff',
];

const LAST = [
	'', '', '', '<a href=no', '<a href="no', "<a href='no>", '<a href=no ',
	'<!-- <a href=no>', '<!--', '<!-', '<', '</', '</a', '<a', '<script>' +
	'<a href=no>', '<title><a href=no>', '<textarea><a href=no></textarea',
	'<style>a{b:url(no1', '<plaintext><a href=no></plaintext><a href=no>',
	'<?', '<!doctype', '<svg><![CDATA[<a href=no>', '<a href=no/',
	'<template><a href=no>', '<style>@import "no1', '<xmp><a href=no></xmp',
	'<script><!--<script></script><a href=no>', '&', '&#', '&amp',
].map((text) => text.replaceAll('no1', '')); // a sheet's end is the page's

function page(number) {
	state = Math.imul(number + 1, 0x85ebca6b) ^ Number(seed) || 1;
	links = 0;
	random();
	let text = maybe('<!doctype html>') + maybe('<head>') + maybe(base(), 0.2) +
		maybe('<body>', 0.3);
	for (let left = 2 + below(7); left > 0; left--)
		text += pick(PIECES) + maybe(space(), 0.2);
	return text + pick(LAST);
}

for (let number = 0; number < Number(count); number++) {
	const file = `${directory}/${number}.html`;
	writeFileSync(file, page(number));
	console.log(`${file} http://pages.test/made/up/${number}.html utf-8`);
}
