// Prints the links of pages as Chromium finds them, in the form of
// print_links.c. Arguments: the browser, a directory for its profile, and a
// file with a line "FILE BASE" for each page. Nothing is asked of anybody but
// our own server on this machine.
//
// The pages are fetched as documents by one page of ours: so they are decoded
// and parsed as any page is, without scripts and without anything they name
// being loaded.

import { spawn } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

// The exit status if the browser does not run on this machine.
const NO_BROWSER = 77;
const TIMEOUT_MS = 240000;
const [browser, profile, list] = process.argv.slice(2);
const files = new Map();
for (const line of readFileSync(list, 'utf8').trim().split('\n')) {
	const [file, base] = line.split(' ');
	files.set(new URL(base).pathname, file);
}

// Runs in the browser.
async function collect(paths) {
	const PLACES = {
		a: ['href'], area: ['href'], link: ['href'], img: ['src', 'srcset'],
		script: ['src'], iframe: ['src'], frame: ['src'],
		source: ['src', 'srcset'], meta: ['content'],
	};
	const PAGES = ['a', 'area', 'iframe', 'frame', 'meta'];
	const HTML = 'http://www.w3.org/1999/xhtml';
	const SVG = 'http://www.w3.org/2000/svg';

	const load = (path) => new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		request.open('GET', path);
		request.responseType = 'document';
		request.onload = () => resolve(request.response);
		request.onerror = reject;
		request.send();
	});

	// Every element in the order of the tree, what lies in templates too.
	function* elements(root) {
		for (const element of root.querySelectorAll('*')) {
			yield element;
			if (element.localName === 'template' && element.content)
				yield* elements(element.content);
		}
	}

	function isPage(element) {
		const rel = (element.getAttribute('rel') || '').toLowerCase();
		const words = rel.split(/[\s,]+/);
		if (element.localName !== 'link')
			return PAGES.includes(element.localName);
		return !words.includes('stylesheet') &&
			words.some((word) => ['canonical', 'alternate', 'next',
				'prev'].includes(word));
	}

	function valuesOf(element, { name, value }) {
		if (name === 'srcset')
			return [...value.matchAll(
				/\s*([^\s,]\S*[^\s,]|[^\s,])(?:\s+[^,]+)?\s*(?:,|$)/g)]
				.map((match) => match[1]);
		if (element.localName !== 'meta')
			return [value];
		const equiv = element.getAttribute('http-equiv') || '';
		const match = equiv.toLowerCase() === 'refresh' && value.match(
			/^\s*(?:\d+|(?=\.))[\d.]*(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(.*)$/is);
		if (!match)
			return [];
		const quoted = match[1].match(/^(["'])(.*?)(?:\1|$)/s);
		return [quoted ? quoted[2] : match[1]];
	}

	function linksOf(page) {
		const anchor = page.createElement('a');
		const links = [];
		const add = (element, value) => {
			const mayBeEmpty = ['a', 'area'].includes(element.localName);
			if (!mayBeEmpty && !/[^ \t\n\f\r]/.test(value))
				return;
			anchor.setAttribute('href', value);
			let url;
			try {
				url = new URL(anchor.href);
			} catch {
				return;
			}
			if (!['http:', 'https:'].includes(url.protocol))
				return;
			url.hash = '';
			links.push((isPage(element) ? 'page' : 'resource') +
				'\t' + url.href);
		};
		for (const element of elements(page)) {
			const name = element.localName;
			const isOurs = element.namespaceURI === HTML ||
				(element.namespaceURI === SVG && name === 'a');
			if (!isOurs || !Object.hasOwn(PLACES, name))
				continue;
			for (const attribute of element.attributes)
				if (PLACES[name].includes(attribute.name))
					for (const value of valuesOf(element, attribute))
						add(element, value);
		}
		return links;
	}

	for (const path of paths) {
		const page = await load(path);
		const lines = page ? linksOf(page) : [];
		await fetch('/found' + path,
			{ method: 'POST', body: lines.join('\n') });
	}
	await fetch('/done', { method: 'POST' });
}

const found = new Map();
const server = createServer((request, response) => {
	const path = new URL(request.url, 'http://pages.test').pathname;
	if (request.method === 'POST') {
		receive(path, request, response);
	} else if (files.has(path)) {
		response.setHeader('Content-Type', 'text/html');
		response.end(readFileSync(files.get(path)));
	} else if (path === '/') {
		response.setHeader('Content-Type', 'text/html; charset=utf-8');
		response.end(`<!DOCTYPE html><script>(${collect})(` +
			`${JSON.stringify([...files.keys()])})</script>`);
	} else {
		response.statusCode = 404;
		response.end();
	}
});

function receive(path, request, response) {
	const pieces = [];
	request.on('data', (piece) => pieces.push(piece));
	request.on('end', () => {
		response.end();
		if (path === '/done')
			finish(0);
		else
			found.set(path.replace('/found', ''),
				Buffer.concat(pieces).toString());
	});
}

let child;
function finish(status) {
	for (const [path, file] of files) {
		const lines = found.get(path);
		writeAll(file + '\n' + (lines ? lines + '\n' : ''));
	}
	if (child.exitCode !== null || child.signalCode)
		process.exit(found.size ? status : NO_BROWSER);
	child.removeAllListeners('exit');
	child.once('exit', () => process.exit(found.size ? status : NO_BROWSER));
	child.kill();
}

function writeAll(text) {
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length;)
		at += writeSync(1, bytes, at);
}

server.listen(0, '127.0.0.1', () => {
	const { port } = server.address();
	child = spawn(browser, ['--headless', '--no-sandbox', '--disable-gpu',
		'--disable-quic', '--no-first-run', '--disable-extensions',
		'--disable-background-networking', '--disable-component-update',
		'--disable-sync', '--disable-dev-shm-usage',
		`--user-data-dir=${profile}`, '--remote-debugging-port=0',
		'--host-resolver-rules=MAP pages.test 127.0.0.1:' + port +
			', MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
		'http://pages.test/'], { stdio: 'ignore' });
	child.on('error', () => process.exit(NO_BROWSER));
	child.on('exit', () => finish(1));
});
setTimeout(() => finish(1), TIMEOUT_MS).unref();
