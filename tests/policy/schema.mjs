// Holds the schema that `pavane check --schema` prints against policies: it
// must accept each file of policies/ and refuse each mistake of mistakes.txt
// that is not marked as seen by the loader alone. Speaks TAP.
//
// usage: node schema.mjs PAVANE POLICIES MISTAKES
// AJV_DIR names the directory in which ajv and js-yaml are installed.

import {execFileSync} from "node:child_process";
import {readFileSync, readdirSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";

const [pavane, policies, mistakes] = process.argv.slice(2);
const require = createRequire(join(process.env.AJV_DIR || ".", "x.js"));
const Ajv = require("ajv").default ?? require("ajv");
const yaml = require("js-yaml");

let claims = 0;
let failures = 0;

function ok(isTrue, claim) {
	claims++;
	if (!isTrue)
		failures++;
	console.log(`${isTrue ? "ok" : "not ok"} ${claims} - ${claim}`);
}

// A policy as a validator sees it; undefined where it is not even YAML.
function read(text) {
	try {
		return yaml.load(text);
	} catch {
		return undefined;
	}
}

// The blocks of mistakes.txt: a name behind ==, marks in brackets, the policy,
// and the sentences behind --.
function* blocks(text) {
	for (const block of text.split(/^== /m).slice(1)) {
		const lines = block.split("\n");
		const [, name, marks] = lines[0].match(/^(.*?)((?: \[.*\])*)$/);
		const body = lines.slice(1).filter(line => !line.startsWith("-- "));
		yield {name, marks, policy: body.join("\n")};
	}
}

const schema = JSON.parse(execFileSync(pavane, ["check", "--schema"]));
const ajv = new Ajv({allErrors: true, strict: true, allowUnionTypes: true});
ok(ajv.validateSchema(schema), "the schema is a schema");
const validate = ajv.compile(schema);

for (const file of readdirSync(policies).filter(f => f.endsWith(".yaml"))) {
	const path = join(policies, file);
	ok(validate(read(readFileSync(path, "utf8"))), `accepts ${file}`);
	const effective = execFileSync(pavane,
		["check", "-q", "--effective", path], {encoding: "utf8"});
	ok(validate(read(effective)), `accepts ${file} with every default`);
}

for (const {name, marks, policy} of blocks(readFileSync(mistakes, "utf8"))) {
	if (marks.includes("[loader]") || marks.includes("[bytes]"))
		continue;
	const value = read(policy);
	ok(value === undefined || !validate(value), `refuses ${name}`);
}

console.log(`1..${claims}`);
process.exit(failures ? 1 : 0);
