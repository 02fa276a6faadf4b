// What people ask for: each button and form of the page.

import { find, tell } from "./dom.js";
import { host_link } from "./parts.js";
import { ask, host_path, job_path } from "./service.js";

let page; // what of it is needed here

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
	await page.read();
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
	const host = page.host();
	const wish = {};
	const seconds = Number(form.elements.for.value);
	if (seconds)
		wish.until = new Date(Date.now() + seconds * 1000).toISOString();
	if (form.elements.reason.value)
		wish.reason = form.elements.reason.value;
	await ask("POST", host_path(host) + "/pause", wish);
	find("said").textContent = host + " is paused.";
	await page.read();
	keep_focus("[data-action=resume-host]");
}

async function resume_host() {
	const host = page.host();
	await ask("POST", host_path(host) + "/resume", {});
	find("said").textContent = host + " goes on.";
	await page.read();
	keep_focus("#pause-for");
}

function choose_reason(button) {
	page.choose(button.dataset.reason);
	page.draw();
}

function open_host(form) {
	location.hash = host_link(form.elements.host.value.trim());
}

async function log_in(form) {
	tell("login-error", "");
	try {
		await ask("POST", "session", { token: form.elements.token.value });
		form.reset();
		await page.read();
	} catch (fault) {
		tell("login-error", fault.message);
	}
}

async function log_out() {
	await ask("DELETE", "session");
	page.log_out();
	page.read();
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
		page.fail(fault);
	}
}

// The page: { read, fail, draw, choose, host, log_out }.
export function listen_to_people(the_page) {
	page = the_page;
	document.addEventListener("click", (event) =>
		act(on_click, event.target.closest("button[data-action]")));
	document.addEventListener("submit", (event) => {
		if (event.target.method === "dialog")
			return;
		event.preventDefault();
		act(on_submit, event.target);
	});
	find("confirm").addEventListener("close", close_question);
}
