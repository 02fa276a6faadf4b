// Claims about what strangers could do to a browser of the service. Arguments: the
// program, the browser, and a directory to work in. See test_strangers.sh.

import { ask, closeScene, jobComesTo, openScene, submit } from './scene.mjs';
import { ok, testWithBrowser } from './tap.mjs';

const [pavane, program, work] = process.argv.slice(2);

const EVIL = '<script>window.ran = 1</script><img src=/ran onerror="window.ran = 1">';

let browser;

const shownIn = (selector) => browser.run(
	`document.querySelector(${JSON.stringify(selector)})?.innerText || ''`);

const hasRun = () => browser.run('Boolean(window.ran) || Boolean(' +
	'document.querySelector("#view script, #view img, #view b"))');

// Each text of the service's, as if a stranger had written it.
const madeUp = (text) => {
	const evilProgress = { known: 5, pending: 2, done: 3, failed: 1, refused: 0,
		phase: text, note: text, held_by: text, waits_for: text,
		statuses: { [text]: 1 }, outcomes: { [text]: 2 }, refusals: { [text]: 3 },
		fetching: [text], failures: [{ address: text, what: text }],
		total: { count: 1, p50_ms: 1, p95_ms: 1, p99_ms: 1 } };
	const evilJob = { id: 'x1', webhook: text,
		deliveries: [{ of: text, ended: text }, { of: text, tries: 1,
			next: '2026-01-01T00:00:00Z' }], state: 'running', owner: text, profile: text,
		labels: { name: text, [text]: text }, created: '2026-01-01T00:00:00Z',
		started: '2026-01-01T00:00:00Z', policy: text, urls: [text], set: [text],
		held_by: text, progress: evilProgress };
	const evilWait = { host: text, job: 'x1', waits_for: 'delay', why: text,
		given_up: text, wish: text };
	const evilHost = { host: text, paused: { reason: text, by: text },
		jobs: [{ ...evilWait, clocks: [{ sentence: text, origin: text }],
			robots: { state: text, authority: text, status: text },
			ledger: { paced_by: { [text]: 1 } } }] };
	return {
		'/v1/jobs': { body: JSON.stringify({ jobs: [evilJob] }) },
		'/v1/jobs/x1': { body: JSON.stringify(evilJob) },
		'/v1/hosts': { body: JSON.stringify({ waiting: 1, given_up: 0,
			reasons: [{ waits_for: text, why: text, hosts: 1 }],
			hosts: [evilWait] }) },
		'/v1/events': { headers: { 'Content-Type': 'text/event-stream' },
			body: `event: progress\ndata: ${JSON.stringify({ jobs: [
				{ id: 'x1', progress: { ...evilProgress, note: `told ${text}` },
				}] })}\n\n` },
		[`/v1/hosts/${encodeURIComponent(text)}`]:
			{ body: JSON.stringify(evilHost) },
	};
};

const name = encodeURIComponent(EVIL);
const LONG = 'x'.repeat(400);

async function testTexts(scene) {
	await browser.answerItself(madeUp(EVIL));
	const screens = [['', '#hosts-title'], ['jobs/x1', '#order-title'],
		[`hosts/${name}`, '[data-action="resume-host"]']];
	for (const [path, selector] of screens) {
		await browser.go('about:blank');
		await browser.go(`${scene.origin}/#/${path}`);
		await browser.until(`document.querySelector(${
			JSON.stringify(selector)})`);
		const shown = await shownIn('#view');
		ok(shown.includes('<script>window.ran') && !await hasRun(),
			`P7: what looks like a script is text: #/${path.slice(0, 10)}`,
			shown);
		ok((await browser.run('document.querySelectorAll("[style], ' +
			'[onclick], [onerror]").length')) === 0,
		'P7: and nothing on the screen has styles or scripts of its own');
	}
	await browser.go('about:blank');
	await browser.go(`${scene.origin}/`);
	await browser.until(`document.querySelector('.job .why')?.innerText
		.includes('Told <script>')`);
	ok(!await hasRun(), 'P7: so is what comes by the stream');
	await browser.answerItself({});
	const said = await browser.run(`(() => {
		try {
			document.body.innerHTML = '<b>x</b>';
			return 'written';
		} catch (fault) {
			return fault.name;
		}
	})()`);
	ok(said === 'TypeError', 'P7: the browser lets no text be read as HTML', said);
	browser.complaints = [];
}

// Texts without an end push nothing off the screen.
async function testLongTexts(scene) {
	await browser.answerItself(madeUp(LONG));
	const screens = [['', '#hosts-title'], ['jobs/x1', '#order-title'],
		[`hosts/${LONG}`, '[data-action="resume-host"]']];
	for (const [path, selector] of screens) {
		await browser.go('about:blank');
		await browser.go(`${scene.origin}/#/${path}`);
		await browser.until(`document.querySelector('${selector}')`);
		for (const width of [1280, 390]) {
			await browser.look(width, 800, 'light');
			const beyond = await browser.run(`[...document.querySelectorAll('*')]
				.filter((each) => !each.closest('.scroll, svg, pre') &&
				each.getBoundingClientRect().right > ${width} + 1)
				.map((each) => each.outerHTML.slice(0, 100)).join('\\n')`);
			const wide = await browser.run(
				'document.scrollingElement.scrollWidth');
			ok(!beyond && wide <= width, `a text of 400 letters stays in ${width} pixels: #/${
				path.slice(0, 7)}`, beyond);
		}
	}
	await browser.answerItself({});
}

// A page that was stored, opened from where it lies.
async function testFiles(scene) {
	scene.pages['stored.test/'] = `<title>stored</title><script>
		fetch('/v1/jobs?ran'); document.title = 'ran';</script>
		<img src="/v1/jobs?ran" onerror="document.title = 'ran'">`;
	const job = await submit(scene, ['http://stored.test/'], {});
	await jobComesTo(scene, job, (each) => each.state === 'finished');
	const file = `/v1/jobs/${job}/files/site/stored.test%5E80/index.html`;
	const reply = await ask(scene, 'GET', file);
	ok(reply.status === 200 && reply.text.includes("document.title = 'ran'"),
		'a page of a stranger is stored, with its script', reply.text);
	await browser.go(`${scene.origin}/healthz`);
	browser.requests = [];
	ok(!await browser.go(scene.origin + file),
		'P7: a browser that opens it shows nothing, but saves it');
	const { 'content-disposition': saved, 'content-length': length, ...headers } =
		reply.headers;
	await browser.answerItself({ [file]: { body: reply.text,
		headers: { ...headers, 'content-type': 'text/html' } } });
	ok(await browser.go(scene.origin + file), 'even if it were shown ...');
	ok(await browser.run('document.title') === 'stored' &&
		!browser.requests.some((url) => url.includes('?ran')),
	'P7: ... nothing of it would run, or ask for anything',
	browser.requests.join('\n'));
	await browser.answerItself({});
	browser.complaints = [];
}

// A name of somebody else's that leads here.
async function testRebinding(scene) {
	const port = scene.port;
	ok(await browser.go(`http://rebound.test:${port}/`) &&
		(await shownIn('body')).includes('this service is not called'),
	'P7: under a name that is not ours a browser gets no page',
	await shownIn('body'));
	const said = await browser.run(
		`fetch('/v1/jobs').then((reply) => reply.status)`);
	ok(said === 421, 'P7: and no answer', said);
	for (const path of ['/', '/v1/jobs', '/healthz', '/session', '/metrics',
		'/openapi.json', '/dashboard/page.js'])
		ok((await ask(scene, 'GET', path,
			{ headers: { Host: `rebound.test:${port}` } })).status === 421,
		`P7: ${path} is not given under that name`);
	browser.complaints = [];
}

// A page of another site, open in the same browser.
async function testOtherSite(scene) {
	scene.pages['evil.test/'] = `<title>evil</title>
		<form method=post enctype=text/plain action="${scene.origin}/v1/jobs">
		<input name='{"urls":["http://victim.test/"],"labels":{"x":"'
		value='"}}'></form>`;
	await browser.go(`http://evil.test:${scene.sitePort}/`);
	const before = JSON.parse((await ask(scene, 'GET', '/v1/jobs')).text).jobs;
	const order = JSON.stringify({ urls: ['http://victim.test/'] });
	const asks = [
		['POST', '/v1/jobs', 'text/plain'],
		['POST', '/v1/jobs', 'application/json'],
		['POST', `/v1/jobs/${before[0].id}/stop`, 'text/plain'],
		['DELETE', `/v1/jobs/${before[0].id}`, 'text/plain'],
		['POST', '/session', 'text/plain'],
	];
	for (const [method, path, type] of asks) {
		const said = await browser.run(`fetch(${
			JSON.stringify(scene.origin + path)}, {
			method: '${method}', headers: { 'Content-Type': '${type}' },
			body: ${JSON.stringify(order)} }).then((reply) => 'answered',
			(fault) => 'refused')`);
		ok(said === 'refused',
			`P7: a page of another site gets no answer to ${method} ${path}`);
	}
	const read = await browser.run(`fetch('${scene.origin}/v1/jobs').then(
		(reply) => reply.text(), () => 'refused')`);
	ok(read === 'refused', 'P7: nor may it read', read);
	await browser.run('setTimeout(() => document.forms[0].submit())');
	await browser.until('document.title !== "evil"');
	ok((await shownIn('body')).includes('a page of another site'),
		'P7: nor does a form of it hand in a job', await shownIn('body'));
	const after = JSON.parse((await ask(scene, 'GET', '/v1/jobs')).text).jobs;
	ok(after.length === before.length &&
		after.every((job) => job.state === 'finished'),
	'P7: there is no job that was not there before');
	await browser.go(`http://evil.test:${scene.sitePort}/`);
	await browser.run(`new Promise((done) => {
		const frame = document.createElement('iframe');
		frame.onload = done;
		frame.src = '${scene.origin}/';
		document.body.append(frame);
	})`);
	ok(browser.complaints.some((each) => /frame-ancestors/.test(each)),
		'P7: it cannot show our page within its own',
		browser.complaints.join('\n'));
	for (const headers of [{ Origin: 'http://evil.test' }, { Origin: 'null' },
		{ Origin: `http://127.0.0.1:${scene.sitePort}` },
		{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }])
		ok((await ask(scene, 'POST', '/v1/jobs', { headers,
			body: { urls: ['http://victim.test/'] } })).status === 403,
		`P7: a job with ${Object.entries(headers)[0].join(': ')} is refused`);
	ok(!scene.asked.some((each) => each.startsWith('victim.test')),
		'P7: and nobody was asked for anything');
}

await testWithBrowser(program, `${work}/profile`, async (opened) => {
	browser = opened;
	const scene = await openScene(pavane, `${work}/strangers`);
	try {
		await testTexts(scene);
		await testLongTexts(scene);
		await testFiles(scene);
		await testRebinding(scene);
		await testOtherSite(scene);
	} finally {
		await closeScene(scene);
	}
});
