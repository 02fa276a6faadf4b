// Claims about the page for people. Arguments: the program, the browser, and a
// directory to work in. See test_dashboard.sh.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

import { ask, closeScene, jobComesTo, openScene, submit } from './scene.mjs';
import { ok, skip, testWithBrowser } from './tap.mjs';

const [pavane, program, work] = process.argv.slice(2);
const TABS_MAX = 120;
const looks = [[1280, 900, 'light'], [1280, 900, 'dark'], [390, 844, 'light'],
	[390, 844, 'dark']];

const axeFile = `${process.env.AXE_DIR || '.'}/node_modules/axe-core/axe.min.js`;
const axe = existsSync(axeFile) ? readFileSync(axeFile, 'utf8') : null;

let browser;

const text = (selector) => browser.run(
	`document.querySelector(${JSON.stringify(selector)})?.innerText || ''`);
const hasFocus = (selector) =>
	`document.activeElement.matches(${JSON.stringify(selector)})`;
// The focus may come a moment after what it comes to.
const focused = (selector) =>
	browser.until(hasFocus(selector)).then(() => true, () => false);
const has = (selector) => `document.querySelector(${JSON.stringify(selector)})`;
const says = (part) =>
	`document.querySelector('#view').innerText.includes(${JSON.stringify(part)})`;

// Presses Tab until the focus is there; each place on the way shows that it has
// the focus; but a title, which the page itself focuses a moment after it is drawn.
async function tabTo(selector) {
	for (let tabs = 0; tabs < TABS_MAX; tabs++) {
		if (await browser.run(hasFocus(selector)))
			return true;
		await browser.press('Tab');
		const unseen = await browser.run(`(() => {
			const style = getComputedStyle(document.activeElement);
			return document.activeElement !== document.body &&
				document.activeElement.tabIndex >= 0 &&
				style.outlineStyle === 'none' &&
				document.activeElement.outerHTML.slice(0, 200);
		})()`);
		if (unseen)
			ok(false, 'what has the focus shows it', unseen);
	}
	return false;
}

// Presses what can be reached by Tab.
async function pressAt(selector, claim) {
	const isReached = await tabTo(selector);
	if (!isReached)
		ok(false, claim, `no Tab leads to ${selector}`);
	await browser.press('Enter');
}

async function judgeByAxe() {
	if (!axe)
		return null;
	await browser.run(`window.axe ? 0 : (0, eval)(${JSON.stringify(axe)})`);
	return browser.run(`axe.run().then((result) => result.violations
		.filter((each) => ['serious', 'critical'].includes(each.impact))
		.map((each) => each.id + ': ' + each.nodes.slice(0, 3).map(
			(node) => node.html.slice(0, 200) + ' ' +
				node.failureSummary).join(' ')))`);
}

// Each screen in each look.
async function lookAt(name) {
	for (const [width, height, scheme] of looks) {
		await browser.look(width, height, scheme);
		const wide = await browser.run('document.scrollingElement.scrollWidth');
		ok(wide <= width, `${name}: nothing is beyond ${width} pixels, ${scheme}`,
			`it is ${wide} wide`);
		const small = await browser.run(`[...document.querySelectorAll(
			'button, input, select, summary')].filter((each) => each.offsetParent &&
			each.getBoundingClientRect().height < 24).map(
			(each) => each.outerHTML)`);
		ok(small.length === 0, `${name}: nothing is too small to be hit`,
			small.join('\n'));
		const claim = `${name}: axe finds nothing serious, ${width} ${scheme}`;
		const found = await judgeByAxe();
		if (found)
			ok(found.length === 0, claim, found.join('\n'));
		else
			skip(claim, 'axe-core is not in AXE_DIR');
	}
	await browser.look(320, 600, 'light');
	ok(await browser.run('document.scrollingElement.scrollWidth <= 320'),
		`${name}: nor beyond 320, as where letters are four times as large`);
	await browser.look(1280, 900, 'light');
}

function complainsOfNothing(claim) {
	ok(browser.complaints.length === 0, claim, browser.complaints.join('\n'));
	browser.complaints = [];
}

async function testEmpty(scene) {
	await browser.go(`${scene.origin}/`);
	await browser.until(has('#view h1'));
	ok((await text('#view')).includes('No job yet'),
		'where there is no job, the page says so, and who could hand one in');
	await lookAt('no job');
}

async function testOverview(scene, job) {
	await browser.until(has(`a[href="#/jobs/${job}"]`));
	await browser.until(has('.tiles'));
	await browser.until(has('#answers-title + .card'));
	await browser.until(has('.reasons button[data-reason="retry-after"]'));
	await browser.until(says('4xx'));
	const shown = await text('#view');
	ok(/1 job runs/.test(shown), 'the first screen says how many jobs run', shown);
	ok(['Pages a second', 'Left', 'Errors', 'Hosts waiting', 'Statuses', 'Ledger',
		'addresses are known', 'as long as its Retry-After asks', '4xx']
		.every((part) => shown.includes(part)),
	'P4: how fast, what is left, errors, statuses, and what hosts wait for',
	shown);
	ok(await browser.run(`document.querySelector('.job .why').innerText.length > 5`),
		'P4: a sentence says what holds a job');
	await browser.until('/(grows|shrinks|steady)/.test(' +
		'document.querySelector(".tiles").innerText)');
	ok(true, 'it comes to say how the queue grows');
	await lookAt('jobs');
}

// Figures come by one stream, and nothing is asked for again and again.
async function testStream() {
	const tile = 'document.querySelector(".tile .value").textContent + ' +
		'document.querySelector("#live").textContent';
	await browser.until('document.querySelector("#live").textContent');
	browser.requests = [];
	for (let changes = 0; changes < 6; changes++) {
		const before = JSON.stringify(await browser.run(tile));
		await browser.until(`${tile} !== ${before}`);
	}
	const asked = (part) => browser.requests.filter((url) =>
		url.includes(part)).length;
	ok(asked('v1/jobs') <= 1 && asked('v1/events') === 0 && asked('v1/hosts') > 0,
		'figures come by the stream that is open, and hosts as they wait',
		browser.requests.join('\n'));
}

async function testReasons() {
	await pressAt('.reasons button[data-reason="retry-after"]',
		'hosts of one reason are chosen by keyboard');
	const rows = await browser.run(
		`[...document.querySelectorAll('tbody tr')].map((row) => row.innerText)`);
	ok(rows.length === 1 && rows[0].includes('busy.test') &&
		await focused('[aria-pressed="true"]'),
	'hosts of one reason are chosen by keyboard', rows.join('\n'));
	await browser.press('Enter');
	ok(await focused('[aria-pressed="false"]'), 'and all of them again');
}

async function testHost(scene) {
	await pressAt('a[href="#/hosts/busy.test"]', 'a host is opened by keyboard');
	await browser.until(`${has('#view h1')}.innerText === 'busy.test'`);
	ok(await focused('h1'), 'a host is opened by keyboard, and its title focused');
	ok((await text('#view')).includes('Retry-After'),
		'P4: its screen says what it waits for', await text('#view'));
	await lookAt('a host');
	await tabTo('#pause-for');
	await tabTo('#pause-reason');
	await browser.type('<b>too much</b>');
	await browser.press('Enter');
	await browser.until(has('[data-action="resume-host"]'));
	ok((await text('#view')).includes('<b>too much</b>') &&
		await focused('[data-action="resume-host"]'),
	'a host is paused by keyboard, and the reason shown as it was written');
	const view = JSON.parse((await ask(scene, 'GET', '/v1/hosts/busy.test')).text);
	ok(view.paused?.reason === '<b>too much</b>', 'the service has it paused');
	await lookAt('a paused host');
	await browser.press('Enter');
	await browser.until(has('#pause-for'));
	ok(await focused('#pause-for'), 'it is resumed likewise');
	await pressAt('.back a', 'there is a way back');
	await browser.until(has('#jobs-title'));
	await tabTo('#host-name');
	await browser.type('Other.test');
	await browser.press('Enter');
	await browser.until(`${has('#view h1')}.innerText === 'other.test'`);
	ok((await text('#view')).includes('No job that runs'),
		'any other host can be opened by its name');
	await pressAt('.back a', 'there is a way back');
	await browser.until(has('#jobs-title'));
}

async function testJob(scene, job) {
	await pressAt(`a[href="#/jobs/${job}"]`, 'a job is opened by keyboard');
	await browser.until(has('#order-title'));
	ok(await focused('h1'), 'a job is opened by keyboard, and its title focused');
	await browser.until(has('.timeline svg'));
	const shown = await text('#view');
	ok(['Queue', 'Ledger', 'Statuses', 'Answer times', 'Hosts that wait',
		'What was asked for', 'http://calm.test/'].every((part) =>
		shown.includes(part)), 'its screen has all that is known of it', shown);
	await lookAt('a job');
	await pressAt('[data-action="pause"]', 'it is paused by keyboard');
	await jobComesTo(scene, job, (each) => each.state === 'paused');
	await browser.until(has('[data-action="resume"]'));
	ok(await focused(`[data-job="${job}"]`),
		'it is paused by keyboard, and the focus stays at its buttons');
	await browser.press('Enter');
	await browser.until(has('[data-action="pause"]'));
	ok(true, 'and resumed');
	await tabTo('[data-action="pause"]');
	await ask(scene, 'POST', `/v1/jobs/${job}/pause`);
	await browser.until(has('[data-action="resume"]'));
	ok(await focused(`[data-job="${job}"]`),
		'where somebody else pauses it, the focus stays at its buttons, too');
	await ask(scene, 'POST', `/v1/jobs/${job}/resume`);
	await browser.until(has('[data-action="pause"]'));
}

async function testStop(scene, job) {
	await pressAt('[data-action="stop"]', 'it is stopped by keyboard');
	await browser.until('document.querySelector("dialog").open');
	ok(await focused('dialog button.first'),
		'who stops a job is asked, and Enter alone does nothing');
	await lookAt('the question');
	await browser.press('Escape');
	ok(await focused('[data-action="stop"]'), 'who does not mean it goes back');
	await browser.press('Enter');
	await tabTo('#confirm-yes');
	await browser.press('Enter');
	await jobComesTo(scene, job, (each) => each.state === 'stopped');
	await browser.until(has('[data-action="remove"]'));
	ok(true, 'it is stopped by keyboard');
	await lookAt('a stopped job');
	await pressAt('[data-action="remove"]', 'it is removed by keyboard');
	await tabTo('#confirm-yes');
	await browser.press('Enter');
	await browser.until(has('#jobs-title'));
	await browser.until(`!${has(`a[href="#/jobs/${job}"]`)}`);
	ok((await ask(scene, 'GET', `/v1/jobs/${job}`)).status === 404 &&
		await focused('h1'), 'it is removed by keyboard, and the list shown');
}

async function testMissing() {
	await browser.run('location.hash = "#/jobs/none"');
	await browser.until(`${has('#view h1')}?.innerText === 'No such job'`);
	ok((await text('#view')).includes('there is no such job') ||
		(await text('#view')).includes('There is no such job'),
	'a job that there is not is told as such', await text('#view'));
	await lookAt('no such job');
	browser.complaints = browser.complaints.filter((each) => !/404/.test(each));
	await pressAt('.back a', 'there is a way back');
	await browser.until(has('#jobs-title'));
}

async function testSkip(scene) {
	await browser.go('about:blank');
	await browser.go(`${scene.origin}/`);
	await browser.until(`${has('#view h1')} && !${has('#view')}.hidden`);
	await browser.press('Tab');
	ok(await focused('.skip'), 'the first Tab leads to a way past the head');
}

// What a large service gives: no more is drawn than a browser can bear.
async function testMany(scene) {
	const hosts = [...Array(200).keys()].map((n) =>
		({ host: `h${n}.test`, job: 'x', waits_for: 'delay', why: 'for it' }));
	const jobs = [...Array(50).keys()].map((n) => ({ id: `j${n}`, state: 'running',
		created: new Date().toISOString(), progress: { known: 9, pending: 3 } }));
	await browser.answerItself({
		'/v1/hosts': { body: JSON.stringify({ waiting: 90000, given_up: 0, hosts,
			reasons: [{ waits_for: 'delay', why: 'for it', hosts: 90000 }] }) },
		'/v1/jobs': { body: JSON.stringify({ jobs, next: '50' }) },
	});
	await browser.until(`${has('#hosts-title')} &&
		document.querySelectorAll('tbody tr').length > 100`);
	const rows = await browser.run(
		`document.querySelectorAll('tbody tr, .job').length`);
	ok(rows <= 200, 'P5: at most 200 rows are drawn', `${rows} rows`);
	ok((await text('#view')).includes('150 of 90,000') &&
		(await text('#view')).includes('The newest 50 are shown'),
	'and it says that there are more');
	await browser.answerItself({});
}

function askedNobodyElse(scene) {
	const others = [...new Set(browser.requests)].filter((url) =>
		!url.startsWith(`${scene.origin}/`) && !/^(data|about):/.test(url));
	ok(browser.requests.length > 10 && others.length === 0,
		'P7: no request goes anywhere else', others.join('\n'));
	browser.requests = [];
}

async function testWithoutTokens() {
	const scene = await openScene(pavane, `${work}/open`);
	try {
		await testEmpty(scene);
		const job = await submit(scene, ['calm', 'busy', 'broken', 'slow'].map(
			(name) => `http://${name}.test/`), { name: 'News' });
		await testOverview(scene, job);
		await testStream();
		await testReasons();
		await testHost(scene);
		await testJob(scene, job);
		await testStop(scene, job);
		await testMissing();
		await testSkip(scene);
		await testMany(scene);
		askedNobodyElse(scene);
		complainsOfNothing('the browser finds nothing to complain of');
	} finally {
		await closeScene(scene);
	}
	await browser.until(`!${has('#error')}.hidden`);
	ok((await text('#error')).includes('does not answer'),
		'a service that is gone is reported, with the time of what is shown');
	await lookAt('no service');
	await browser.go('about:blank');
	browser.complaints = [];
}

async function testEnding() {
	const scene = await openScene(pavane, `${work}/ending`);
	try {
		const job = await submit(scene, ['http://hanging.test/'], {});
		await browser.go(`${scene.origin}/`);
		await jobComesTo(scene, job, (each) => each.progress?.in_flight);
		scene.service.kill('SIGTERM');
		await browser.until(`!${has('#ending')}.hidden`);
		ok((await text('#ending')).includes('is ending'),
			'a service that is ending says so');
		await lookAt('an end');
		complainsOfNothing('which is no error');
	} finally {
		await closeScene(scene);
		await browser.go('about:blank');
		browser.complaints = [];
	}
}

// Who may do what

const digest = (token) => createHash('sha256').update(token).digest('hex');

async function logIn(token) {
	await tabTo('#token');
	await browser.type(token);
	await browser.press('Enter');
}

async function testTokens() {
	const scene = await openScene(pavane, `${work}/closed`,
		`all ${digest('boss')} control\nguest ${digest('look')} read\n` +
		`robot ${digest('put')} submit\nworker ${digest('work')} read,submit\n`);
	try {
		await browser.go(`${scene.origin}/`);
		await browser.until(`!${has('#login')}.hidden`);
		ok(true, 'where there are tokens, one is asked for');
		await lookAt('the login');
		complainsOfNothing('which is no error');
		await logIn('wrong');
		await browser.until(`!${has('#login-error')}.hidden`);
		ok((await text('#login-error')).includes('token'),
			'a wrong token is told as such');
		browser.complaints = [];
		await browser.run(`document.querySelector('#token').select()`);
		await logIn('look');
		await browser.until(has('#jobs-title'));
		ok((await text('#who')) === 'guest', 'who has one is in, and told as whom');
		const job = JSON.parse((await ask(scene, 'POST', '/v1/jobs', {
			body: { urls: ['http://calm.test/'] },
			headers: { Authorization: 'Bearer boss' } })).text).id;
		await pressAt('#logout', 'there is a way out');
		await browser.until(`!${has('#login')}.hidden`);
		ok(!(await browser.run('document.cookie')) &&
			await text('#view') === '', 'who logs out leaves nothing behind');
		await logIn('boss');
		await browser.until(has(`.job [data-job="${job}"]`));
		ok(true, 'who may stop jobs has the buttons for it');
		await pressAt('#logout', 'there is a way out');
		await logIn('work');
		await browser.until(has('#jobs-title'));
		await browser.run('location.hash = "#/hosts/calm.test"');
		await browser.until(`${has('#view h1')}?.innerText === 'calm.test'`);
		ok(!await browser.run(`Boolean(${has('#pause-for')}?.offsetParent)`),
			'who may not pause hosts has no button for it');
		await pressAt('#logout', 'there is a way out');
		await logIn('put');
		await browser.until(`${has('#view h1')}?.innerText.includes('may not look')`);
		ok((await text('#view')).includes('scope read'),
			'a token that may not look is told what it lacks');
		await lookAt('no permission');
		complainsOfNothing('and the browser has nothing to complain of');
	} finally {
		await closeScene(scene);
	}
}

await testWithBrowser(program, `${work}/profile`, async (opened) => {
	browser = opened;
	await testWithoutTokens();
	await testEnding();
	await testTokens();
});
