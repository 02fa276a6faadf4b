// Runs the service with a webhook of two secrets, hands in a job, and verifies
// what is delivered with npm's standardwebhooks. Speaks TAP.
//
// usage: node standardwebhooks.mjs PAVANE
// AJV_DIR names the directory in which standardwebhooks is installed.

import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {createServer} from "node:http";
import {createRequire} from "node:module";
import {join, resolve} from "node:path";

const PATIENCE_MS = 60000;
const SECRETS = [
	"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
	"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
];

const [pavane] = process.argv.slice(2);
const require = createRequire(resolve(process.env.AJV_DIR || ".", "x.js"));
const {Webhook} = require("standardwebhooks");

let claims = 0;
let failures = 0;

function ok(isTrue, claim) {
	claims++;
	if (!isTrue)
		failures++;
	console.log(`${isTrue ? "ok" : "not ok"} ${claims} - ${claim}`);
}

// What the library makes of a delivery; null where it refuses it.
function verify(secret, {body, headers}) {
	try {
		return new Webhook(secret).verify(body, headers);
	} catch {
		return null;
	}
}

async function listen(answer) {
	const server = createServer(answer);
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return server;
}

const deliveries = [];
let hear;
const whole = new Promise(resolve => { hear = resolve; });

const receiver = await listen((request, response) => {
	let body = "";
	request.setEncoding("utf8");
	request.on("data", piece => { body += piece; });
	request.on("end", () => {
		deliveries.push({body, headers: request.headers});
		response.writeHead(204).end();
		const types = deliveries.map(each => JSON.parse(each.body).type);
		if (types.includes("job.finished") && types.includes("job.results"))
			hear(true);
	});
});
const site = await listen((request, response) => {
	response.writeHead(request.url === "/" ? 200 : 404,
		{"Content-Type": "text/html"});
	response.end(request.url === "/" ? "<p>Žluťoučký kůň" : "");
});

const place = mkdtempSync(join(process.env.PAVANE_SCRATCH || ".", "hooks-"));
const config = join(place, "service.yaml");
const profile = join(place, "default.yaml");
writeFileSync(profile, "version: 1\nidentity: {contact: bot@example.org}\n" +
	"politeness: {delay: 1ms, delay_factor: 0, ip_delay: 0}\n");
writeFileSync(join(place, "secrets"), SECRETS.join("\n") + "\n", {mode: 0o600});
writeFileSync(config, `directory: jobs
listen: 127.0.0.1:0
profiles: {default: default.yaml}
private: [127.0.0.0/8]
webhooks:
  team:
    url: "http://127.0.0.1:${receiver.address().port}/in"
    secrets_file: secrets
    allow: [127.0.0.0/8]
`);

const service = spawn(pavane, ["serve", "-c", config],
	{stdio: ["ignore", "ignore", "pipe"]});
let said = "";
service.stderr.setEncoding("utf8");
const address = await new Promise(resolve => {
	service.stderr.on("data", piece => {
		said += piece;
		const found = said.match(/listening on (\S+)/);
		if (found)
			resolve(found[1]);
	});
	service.on("exit", () => resolve(null));
});
ok(address !== null, "the service takes two secrets from a file");

const reply = await fetch(`${address}/v1/jobs`, {
	method: "POST",
	headers: {"Content-Type": "application/json"},
	body: JSON.stringify({
		urls: [`http://127.0.0.1:${site.address().port}/`],
		labels: {name: "Žluťoučký \u{1f40e}"},
		webhook: "team",
	}),
});
ok(reply.status === 202, "a job is handed in");
const job = await reply.json();
const timer = setTimeout(() => hear(false), PATIENCE_MS);
ok(await whole, "its states and results are delivered");
clearTimeout(timer);

for (const secret of SECRETS)
	ok(deliveries.every(each => verify(secret, each)?.data.id === job.id),
		"standardwebhooks accepts each delivery by each of the secrets");
ok(!deliveries.some(each => verify("whsec_" + "A".repeat(32), each)),
	"and none by another one");
ok(!deliveries.some(each => verify(SECRETS[0],
	{...each, body: each.body.replace("job.", "jab.")})),
	"nor a body that was changed");
ok(deliveries.every(each =>
	JSON.parse(each.body).data.labels.name === "Žluťoučký \u{1f40e}"),
	"labels come as they were given");

service.kill("SIGTERM");
if (service.exitCode === null)
	await once(service, "exit");
receiver.close();
receiver.closeAllConnections();
site.close();
site.closeAllConnections();
rmSync(place, {recursive: true});
console.log(`1..${claims}`);
process.exit(failures ? 1 : 0);
