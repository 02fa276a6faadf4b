// The page: which screen is shown, what is read for it, and what people ask.
// While it is seen, it is read anew every two seconds.

import { draw_page, element } from "./dom.js";
import { all_jobs, forget_others, remember } from "./history.js";
import { host_view } from "./host.js";
import { job_view } from "./job.js";
import { jobs_shown, overview } from "./overview.js";
import { back, host_link } from "./parts.js";
import { ask, host_path, job_path } from "./service.js";
import { sum } from "./tallies.js";
import { clock, sentence } from "./words.js";

const every_ms = 2000;
const late_ms = 400; // from when a person sees that something is read
const find = (id) => document.getElementById(id);
const no_hosts = { waiting: 0, reasons: [], hosts: [] };

const state = {
	jobs: [],
	hosts: no_hosts,
	has_more_jobs: false,
	job: null, // of the screen
	host: null,
	reason: undefined, // that hosts are shown of
	read: 0, // when, since 1970
};

// The screen

function screen_of(hash) {
	const [, kind, name] = hash.split("/");
	if ((kind === "jobs" || kind === "hosts") && name)
		try {
			return { kind, name: decodeURIComponent(name) };
		} catch {
			return { kind: "overview" };
		}
	return { kind: "overview" };
}

let screen = screen_of(location.hash);

function content() {
	if (screen.kind === "jobs")
		return state.job ? job_view(state) : [];
	if (screen.kind === "hosts")
		return state.host ? host_view(state) : [];
	return overview(state);
}

function show(id) {
	for (const part of ["loading", "login", "view"])
		find(part).hidden = part !== id;
}

function draw_screen() {
	const wanted = content();
	if (!wanted.length)
		return;
	show("view");
	draw_page(find("view"), wanted);
	document.title = find("view").querySelector("h1").textContent + " – Pavane";
}

function tell(id, text) {
	find(id).textContent = text;
	find(id).hidden = !text;
}

// Reading

let timer = 0;
let reading = 0; // the number of the latest one, so that no earlier one is drawn

async function read_screen() {
	const wanted = [ask("GET", "v1/jobs?order=newest&limit=" + jobs_shown)];
	if (screen.kind === "jobs")
		wanted.push(ask("GET", job_path(screen.name)));
	if (screen.kind === "hosts")
		wanted.push(ask("GET", host_path(screen.name)));
	else
		wanted.push(ask("GET", "v1/hosts"));
	return Promise.all(wanted);
}

function take(answers) {
	const [list] = answers;
	state.jobs = list.jobs;
	state.has_more_jobs = Boolean(list.next);
	state.job = screen.kind === "jobs" ? answers[1] : null;
	state.host = screen.kind === "hosts" ? answers[1] : null;
	state.hosts = screen.kind === "hosts" ? no_hosts
		: answers[answers.length - 1];
	state.read = Date.now();
	const running = state.jobs.filter((job) => job.progress);
	for (const job of running)
		remember(job.id, job.progress, state.read);
	remember(all_jobs, {
		pending: sum(running.map((job) => job.progress), "pending"),
		pages_per_second: sum(running.map((job) => job.progress),
			"pages_per_second"),
	}, state.read);
	forget_others(new Set(state.jobs.map((job) => job.id)));
}

function show_session(session) {
	find("logout").hidden = !(session.tokens && session.name);
	find("who").textContent = session.name || "";
	tell("ending", session.ending
		? "The service is ending: jobs finish what is in flight, and go on " +
			"when it is started again." : "");
	document.body.classList.toggle("looks-only",
		!session.scopes.includes("submit"));
	document.body.classList.toggle("no-control",
		!session.scopes.includes("control"));
}

// Whether jobs may be looked at; if not, the page says what is missing.
function may_look(session) {
	if (session.tokens && !session.name) {
		show("login");
		return false;
	}
	if (session.scopes.includes("read"))
		return true;
	draw_message("This token may not look at jobs", "The token " +
		session.name + " does not have the scope read. Log in with another.");
	return false;
}

// In the place of a screen.
function draw_message(title, text) {
	show("view");
	draw_page(find("view"), [
		screen.kind === "overview" ? "" : back(),
		element("h1", { tabindex: -1, "data-key": "title" }, title),
		element("p", { class: "lead" }, text),
	]);
	document.title = title + " – Pavane";
}

function fail(fault) {
	if (fault.status === 401) {
		show("login");
		return;
	}
	if (fault.status === 404 && screen.kind !== "overview") {
		draw_message(screen.kind === "jobs" ? "No such job" : "No such host",
			sentence(fault.message));
		return;
	}
	const since = state.read && fault.status === 0
		? " What is shown is from " + clock(state.read) + "." : "";
	tell("error", fault.message + since);
	document.body.classList.toggle("stale", fault.status === 0);
	find("loading").hidden = true;
}

async function read() {
	clearTimeout(timer);
	const own = ++reading;
	try {
		const session = await ask("GET", "session");
		show_session(session);
		if (!may_look(session))
			return;
		const answers = await read_screen();
		if (own !== reading)
			return;
		take(answers);
		tell("error", "");
		document.body.classList.remove("stale");
		find("live").textContent = "as of " + clock(state.read);
		draw_screen();
	} catch (fault) {
		if (own === reading)
			fail(fault);
	}
	if (own === reading && !document.hidden)
		timer = setTimeout(read, every_ms);
}

async function go() {
	screen = screen_of(location.hash);
	state.job = null;
	state.host = null;
	tell("error", "");
	const late = setTimeout(() => show("loading"), late_ms);
	await read();
	clearTimeout(late);
	scrollTo(0, 0);
	const title = find("view").querySelector("h1");
	if (title)
		title.focus();
}

// What people ask

const done_words = {
	pause: "is to pause",
	resume: "goes on",
	stop: "is to stop",
	remove: "is removed",
};

let answer = null; // takes what a person says to the question

function close_question() {
	const dialog = find("confirm");
	if (!answer || dialog.open)
		return; // a question that is gone already
	answer(dialog.returnValue === "yes");
	answer = null;
}

// Whether a person means it.
function confirm_with(question, word) {
	const dialog = find("confirm");
	if (answer)
		answer(false);
	find("question").textContent = question;
	find("confirm-yes").textContent = word;
	dialog.returnValue = "";
	dialog.showModal();
	return new Promise((resolve) => {
		answer = resolve;
	});
}

async function is_meant(wish, name) {
	if (wish === "stop")
		return confirm_with("Stop " + name + " for good? Requests in flight " +
			"end, and all that it has stored is kept.", "Stop");
	if (wish === "remove")
		return confirm_with("Remove " + name + ", with all that it has stored?",
			"Remove");
	return true;
}

async function change_job(button) {
	const { action, job, name } = button.dataset;
	if (!await is_meant(action, name))
		return;
	if (action === "remove")
		await ask("DELETE", job_path(job));
	else
		await ask("POST", job_path(job) + "/" + action);
	find("said").textContent = name + " " + done_words[action] + ".";
	if (action === "remove") {
		location.hash = "#/";
		return;
	}
	await read();
	keep_focus("[data-job='" + CSS.escape(job) + "']");
}

// What was pressed may be gone: who works by keyboard stays near it.
function keep_focus(selector) {
	const near = find("view").querySelector(selector) ||
		find("view").querySelector("h1");
	if (document.activeElement === document.body && near)
		near.focus();
}

async function pause_host(form) {
	const wish = {};
	const seconds = Number(form.elements.for.value);
	if (seconds)
		wish.until = new Date(Date.now() + seconds * 1000).toISOString();
	if (form.elements.reason.value)
		wish.reason = form.elements.reason.value;
	await ask("POST", host_path(screen.name) + "/pause", wish);
	find("said").textContent = screen.name + " is paused.";
	await read();
	keep_focus("[data-action=resume-host]");
}

async function resume_host() {
	await ask("POST", host_path(screen.name) + "/resume", {});
	find("said").textContent = screen.name + " goes on.";
	await read();
	keep_focus("#pause-for");
}

function choose_reason(button) {
	const { reason } = button.dataset;
	state.reason = state.reason === reason ? undefined : reason;
	draw_screen();
}

function open_host(form) {
	location.hash = host_link(form.elements.host.value.trim());
}

async function log_in(form) {
	tell("login-error", "");
	try {
		await ask("POST", "session", { token: form.elements.token.value });
		form.reset();
		await read();
	} catch (fault) {
		tell("login-error", fault.message);
	}
}

async function log_out() {
	await ask("DELETE", "session");
	show("login");
	find("view").replaceChildren();
	read();
}

const on_click = {
	pause: change_job,
	resume: change_job,
	stop: change_job,
	remove: change_job,
	reason: choose_reason,
	"resume-host": resume_host,
	logout: log_out,
};
const on_submit = {
	login: log_in,
	"open-host": open_host,
	"pause-host": pause_host,
};

async function act(table, target) {
	const deed = target && table[target.dataset.action];
	try {
		if (deed)
			await deed(target);
	} catch (fault) {
		fail(fault);
	}
}

document.addEventListener("click", (event) =>
	act(on_click, event.target.closest("button[data-action]")));
document.addEventListener("submit", (event) => {
	if (event.target.method === "dialog")
		return;
	event.preventDefault();
	act(on_submit, event.target);
});
document.addEventListener("visibilitychange", () => {
	if (!document.hidden)
		read();
});
find("confirm").addEventListener("close", close_question);
addEventListener("hashchange", go);
find("loading").append(element("p", { class: "soft" }, "Reading the jobs …"));
read();
