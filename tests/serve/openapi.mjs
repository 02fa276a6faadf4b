// Claims about /openapi.json and what the service answers. Arguments: the program,
// and a directory to work in. See test_openapi.sh.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { ask, closeScene, jobComesTo, openScene, submit } from './scene.mjs';
import { ok, skip, tapDone } from './tap.mjs';

const [pavane, work] = process.argv.slice(2);
const load = createRequire(`${process.env.AJV_DIR}/node_modules/`);
const Ajv = load('ajv/dist/2020').default;
const addFormats = load('ajv-formats').default;
const prism = `${process.env.PRISM_DIR || '.'}/node_modules/.bin/prism`;
const METHODS = ['get', 'post', 'delete'];
const digest = (token) => createHash('sha256').update(token).digest('hex');

// What the description says

class Description {
	constructor(text) {
		this.text = text;
		this.document = JSON.parse(text);
		this.ajv = new Ajv({ strict: false, allErrors: true });
		addFormats(this.ajv);
		this.ajv.addSchema(this.document, 'openapi');
		this.seen = new Set();
	}

	operations() {
		return Object.entries(this.document.paths).flatMap(([path, item]) =>
			METHODS.filter((method) => item[method]).map((method) =>
				({ method, path, operation: item[method] })));
	}

	find(method, path) {
		const plain = path.split('?')[0];
		return this.operations().find((each) =>
			each.method === method.toLowerCase().replace('head', 'get') &&
			new RegExp(`^${each.path.replace(/[.]/g, '[.]')
				.replace(/\{path\}/g, '.*').replace(/\{\w+\}/g, '[^/]+')}$`)
				.test(plain));
	}

	// What is wrong with an answer; nothing, if it is as described.
	judge(method, path, reply) {
		const found = this.find(method, path);
		const problem = { content: { 'application/problem+json': {
			schema: { $ref: '#/components/schemas/Problem' } } } };
		if (!found && reply.status < 400)
			return 'no such request is described';
		const responses = found ? found.operation.responses : { default: problem };
		const response = responses[reply.status] || responses.default;
		this.seen.add(found && `${found.method} ${found.path} ${
			responses[reply.status] ? reply.status : 'default'}`);
		if (!responses[reply.status] && reply.status < 400)
			return `the status ${reply.status} is not described`;
		return this.judgeBody(method, response, reply);
	}

	judgeBody(method, response, reply) {
		const type = (reply.headers['content-type'] || '').split(';')[0];
		const missing = Object.entries(response.headers || {}).find(
			([name, header]) => header.required && !reply.headers[
				name.toLowerCase()]);
		if (missing)
			return `the header ${missing[0]} is missing`;
		if (!response.content)
			return reply.text ? `a body of ${type} where none is described` : '';
		if (!response.content[type])
			return `the type ${type} is not described`;
		if (method === 'HEAD' || !/[/+]json$/.test(type))
			return '';
		return this.judgeJson(response.content[type].schema, reply.text);
	}

	judgeJson(schema, text) {
		const { $ref } = schema;
		const validate = this.ajv.compile($ref ? { $ref: `openapi${$ref}` } : schema);
		return validate(JSON.parse(text)) ? '' : this.ajv.errorsText(validate.errors);
	}
}

// Requests: [method, path, status, { body, headers }, what it is]

function goodRequests({ job, ended, fetched, told }) {
	return [
		['GET', '/v1/events', 200, { until: 'event: progress' }],
		['POST', '/v1/fetches', 202, { body: { url: 'http://one.test/a',
			max_age: '1h', profile: 'default' } }],
		['POST', '/v1/fetches', 200, { body: { url: 'http://one.test/b' },
			headers: { Prefer: 'wait=60' } }],
		['GET', '/v1/fetches', 200],
		['GET', '/v1/fetches?state=done&limit=1&after=99', 200],
		['GET', `/v1/fetches/${fetched}`, 200],
		['GET', `/v1/fetches/${fetched}/body`, 200],
		['GET', `/v1/fetches/${fetched}/rows`, 200],
		['GET', '/', 200],
		['HEAD', '/', 200],
		['GET', '/dashboard/page.js', 200],
		['GET', '/dashboard/dashboard.css', 200],
		['GET', '/healthz', 200],
		['GET', '/readyz', 200],
		['GET', '/openapi.json', 200],
		['GET', '/metrics', 200],
		['GET', '/metrics', 200, { headers: {
			Accept: 'application/openmetrics-text' } }],
		['GET', '/session', 200],
		['DELETE', '/session', 204],
		['POST', '/v1/jobs', 202, { body: { urls: ['http://calm.test/'],
			policy: 'limits: {pages: 1}', set: ['politeness.delay=1s'],
			labels: { a: { b: [1] } }, profile: 'default',
			webhook: 'team' } }],
		['GET', `/v1/jobs/${told}`, 200],
		['POST', `/v1/jobs/${told}/redeliver`, 200],
		['POST', `/v1/jobs/${told}/redeliver?from=start`, 200],
		['GET', '/v1/jobs', 200],
		['GET', '/v1/jobs?limit=1&order=newest&state=running', 200],
		['GET', '/v1/jobs?limit=1', 200],
		['GET', `/v1/jobs/${job}`, 200],
		['GET', `/v1/jobs/${ended}`, 200],
		['GET', `/v1/jobs/${ended}/results`, 200],
		['HEAD', `/v1/jobs/${ended}/results`, 200],
		['GET', `/v1/jobs/${ended}/results?of=journal&after=journal:0:0`, 200,
			{ headers: { Accept: 'text/event-stream' } }],
		['GET', `/v1/jobs/${ended}/files/journal.jsonl`, 200],
		['GET', `/v1/jobs/${ended}/files/site%2Fcalm.test%5E80%2Findex.html`, 200],
		['GET', '/v1/hosts', 200],
		['GET', '/v1/hosts/busy.test', 200],
		['GET', '/v1/hosts/unknown.test', 200],
		['POST', '/v1/hosts/calm.test/pause', 200, { body: {
			until: '2099-01-01T00:00:00Z', reason: 'they move' } }],
		['GET', '/v1/hosts/calm.test', 200],
		['POST', '/v1/hosts/calm.test/resume', 200, { body: {} }],
		['POST', `/v1/jobs/${job}/pause`, 200],
		['POST', `/v1/jobs/${job}/resume`, 200],
	];
}

function badRequests({ job, ended }) {
	const put = (body, headers) => ({ body, headers });
	const order = { urls: ['http://calm.test/'] };
	return [
		['GET', '/v1/none', 404],
		['POST', '/v1/hosts', 405],
		['GET', '/v1/jobs/none', 404],
		['DELETE', '/v1/jobs/none', 404],
		['DELETE', `/v1/jobs/${job}`, 409],
		['POST', '/v1/jobs/none/stop', 404],
		['POST', `/v1/jobs/${ended}/pause`, 409],
		['POST', `/v1/jobs/${ended}/resume`, 409],
		['POST', `/v1/jobs/${ended}/stop`, 409],
		['POST', `/v1/jobs/${ended}/redeliver`, 409],
		['POST', '/v1/jobs/none/redeliver', 404],
		['POST', '/v1/jobs', 422, put({ ...order, webhook: 'none' })],
		['GET', '/v1/jobs?limit=x', 400],
		['GET', '/v1/jobs?state=x', 400],
		['POST', '/v1/jobs', 400, put([])],
		['POST', '/v1/jobs', 400, put({ url: 'x' })],
		['POST', '/v1/jobs', 422, put({})],
		['POST', '/v1/jobs', 422, put({ ...order, profile: 'none' })],
		['POST', '/v1/jobs', 422, put({ policy: 'rate: {max_rat: 1}' })],
		['POST', '/v1/jobs', 403, put({ ...order, set: ['rate.max_rate=9999'] })],
		['POST', '/v1/jobs', 403, put({ ...order, policy: 'fetch: {private: all}' })],
		['POST', '/v1/jobs', 403, put(order, { Origin: 'http://evil.test' })],
		['POST', '/v1/jobs', 415, put(order, { 'Content-Type': 'text/plain' })],
		['POST', '/v1/jobs', 202, put(order, { 'Idempotency-Key': 'k' })],
		['POST', '/v1/jobs', 202, put(order, { 'Idempotency-Key': 'k' })],
		['POST', '/v1/jobs', 422, put({ urls: ['http://a.test/'] },
			{ 'Idempotency-Key': 'k' })],
		['POST', '/v1/jobs', 413, put(undefined, { 'Content-Length': 1 << 21,
			'Content-Type': 'application/json' })],
		['POST', '/v1/fetches', 400, put({ urls: [] })],
		['POST', '/v1/fetches', 422, put({ url: 'ftp://a.test/' })],
		['POST', '/v1/fetches', 422, put({ url: 'http://a.test/', profile: 'x' })],
		['POST', '/v1/fetches', 422, put({ url: 'http://a.test/', webhook: 'x' })],
		['GET', '/v1/fetches?limit=x', 400],
		['GET', '/v1/fetches?state=x', 400],
		['GET', '/v1/fetches/none', 404],
		['GET', '/v1/fetches/none/body', 404],
		['GET', '/v1/fetches/none/rows', 404],
		['POST', '/session', 400, put({})],
		['POST', '/session', 401, put({ token: 'none' })],
		['GET', `/v1/jobs/${ended}/results?of=../state`, 400],
		['GET', `/v1/jobs/${ended}/results?after=journal:0:99999999`, 410],
		['GET', '/v1/jobs/none/results', 404],
		['GET', `/v1/jobs/${ended}/files/state.db`, 404],
		['GET', '/dashboard/none.js', 404],
		['POST', '/v1/hosts/a.test/pause', 400, put({ until: 'soon' })],
		['POST', '/v1/hosts/a.test/pause', 400, put({ whom: 'x' })],
		['POST', '/v1/hosts/a.test/resume', 409, put({})],
		['GET', '/v1/hosts/%20', 404],
	];
}

// Direct

async function walk(scene, description, requests) {
	for (const [method, path, status, options] of requests) {
		const reply = await ask(scene, method, path, options);
		const shown = path.replace(/[0-9a-f]{20}/, 'ID');
		const wrong = description.judge(method, path, reply);
		ok(reply.status === status && !wrong,
			`${method} ${shown} ${status} is as it is described`,
			`${reply.status}: ${wrong || reply.text.slice(0, 300)}`);
	}
}

// Through prism, which tells what it finds in a header.
async function walkThrough(scene, description, requests) {
	if (!existsSync(prism)) {
		skip('prism finds nothing wrong', 'prism is not in PRISM_DIR');
		return;
	}
	writeFileSync(`${work}/openapi.json`, description.text);
	const child = spawn(process.execPath, [prism, 'proxy',
		`${work}/openapi.json`, scene.origin, '-h', '127.0.0.1', '-p', '0'],
	{ stdio: ['ignore', 'pipe', 'pipe'] });
	const port = await new Promise((resolve, reject) => {
		let said = '';
		child.on('exit', () => reject(new Error(said)));
		for (const stream of [child.stdout, child.stderr])
			stream.on('data', (text) => {
				said += text;
				const found = said.match(/listening on http:\/\/127[^:]*:(\d+)/);
				if (found)
					resolve(Number(found[1]));
			});
	});
	for (const [method, path, status, options] of requests) {
		// A body that is too large is refused before it is sent, and
		// prism would wait for it.
		if (!description.find(method, path) || options?.until ||
				status === 413)
			continue;
		const reply = await ask({ ...scene, port }, method, path, options);
		const violations = JSON.parse(reply.headers['sl-violations'] || '[]')
			.filter((each) => each.location[0] === 'response');
		ok(reply.status === status && violations.length === 0,
			`prism finds nothing wrong in ${method} ${
				path.replace(/[0-9a-f]{20}/, 'ID')} ${status}`,
			`${reply.status} ${JSON.stringify(violations)} ${
				reply.text.slice(0, 300)}`);
	}
	child.removeAllListeners('exit');
	child.kill('SIGKILL');
}

async function startJobs(scene) {
	const job = await submit(scene, ['calm', 'busy', 'slow'].map((name) =>
		`http://${name}.test/`), { name: 'x' });
	const ended = await submit(scene, ['http://calm.test/'], {},
		['limits.pages=2']);
	await jobComesTo(scene, ended, (each) => each.ended);
	await jobComesTo(scene, job, (each) => each.progress?.statuses?.['429']);
	const fetched = JSON.parse((await ask(scene, 'POST', '/v1/fetches', {
		body: { url: 'http://one.test/' }, headers: { Prefer: 'wait=60' } }))
		.text).id;
	const told = JSON.parse((await ask(scene, 'POST', '/v1/jobs', { body: {
		urls: ['http://calm.test/'], set: ['limits.pages=1'],
		webhook: 'team' } })).text).id;
	await jobComesTo(scene, told, (each) => each.ended);
	return { job, ended, fetched, told };
}

async function testOpen() {
	const scene = await openScene(pavane, `${work}/open`);
	try {
		const description = new Description(
			(await ask(scene, 'GET', '/openapi.json')).text);
		const ids = await startJobs(scene);
		const { job, ended } = ids;
		const good = goodRequests(ids);
		const bad = badRequests(ids);
		const last = [['POST', `/v1/jobs/${job}/stop`, 200],
			['DELETE', `/v1/jobs/${ended}`, 204]];
		await walkThrough(scene, description, [...good, ...bad.filter(
			([, , , options]) => !options?.headers?.['Idempotency-Key'])]);
		await walk(scene, description, [...good, ...bad, ...last]);
		return description;
	} finally {
		await closeScene(scene);
	}
}

async function testClosed(description) {
	const scene = await openScene(pavane, `${work}/closed`,
		`all ${digest('boss')} control\nguest ${digest('look')} read\n`);
	const guest = { Authorization: 'Bearer look' };
	const all = { Authorization: 'Bearer boss' };
	try {
		await walk(scene, description, [
			...description.operations().filter(({ operation }) =>
				!operation.security).map(({ method, path }) => [
				method.toUpperCase(), path.replace(/\{\w+\}/, 'x'), 401,
				method === 'post' ? { body: {} } : {}]),
			['POST', '/session', 204, { body: { token: 'look' } }],
			['GET', '/session', 200, { headers: guest }],
			['GET', '/v1/jobs', 200, { headers: guest }],
			['POST', '/v1/jobs', 403, { headers: guest, body: {} }],
			['POST', '/v1/hosts/a.test/pause', 403, { headers: guest, body: {} }],
			['POST', '/v1/hosts/a.test/pause', 200, { headers: all, body: {} }],
		]);
	} finally {
		await closeScene(scene);
	}
}

const description = await testOpen();
await testClosed(description);
for (const { method, path, operation } of description.operations()) {
	const [good] = Object.keys(operation.responses);
	ok(description.seen.has(`${method} ${path} ${good}`),
		`${method} ${path} was asked, and answered well`);
}
ok(description.operations().every(({ operation }) =>
	Object.values(operation.responses).every((each) => each.description)),
'each answer says what it is');
tapDone();
