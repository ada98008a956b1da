// SPDX-License-Identifier: GPL-2.0
// What both pages share: their data, numbers as text, elements, colours. What comes from a trace is only ever text: textContent and canvas.

function byId(id) {
	return document.getElementById(id);
}

// An element with properties and children; strings become text.
function element(tag, properties, ...children) {
	const made = Object.assign(document.createElement(tag), properties);
	made.append(...children);
	return made;
}

function fromBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const binary = atob(text), bytes = new Uint8Array(binary.length);
	for (let i = 0; i < bytes.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

// The bytes of a part of the data, which the page has no more afterwards.
async function unpack(name) {
	const holder = byId("data-" + name);
	const packed = new Blob([fromBase64(holder.textContent)]);
	holder.remove();
	return new Uint8Array(await new Response(packed.stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
}

async function unpackJson(name) {
	return JSON.parse(new TextDecoder().decode(await unpack(name)));
}

// --- numbers as text ---

function groups(number) {
	return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

function formatNs(ns) {
	const size = Math.abs(ns);
	if (size >= 1e9)
		return (ns / 1e9).toFixed(size >= 1e11 ? 1 : 3) + " s";
	if (size >= 1e6)
		return (ns / 1e6).toFixed(3) + " ms";
	if (size >= 1e3)
		return (ns / 1e3).toFixed(3) + " us";
	return Math.round(ns) + " ns";
}

function formatPercent(share) {
	return (share * 100).toFixed(share < 0.1 ? 2 : 1) + " %";
}

// A cell of a table; what is not known is a dash.
function cellNs(ns) {
	return ns === undefined || ns < 0 ? "\u2013" : formatNs(ns);
}

function cellCount(count) {
	return count === undefined || count < 0 ? "\u2013" : groups(count);
}

// --- looks ---

const dark = matchMedia("(prefers-color-scheme: dark)");

// The colours of the style sheet, for canvases: read anew when the scheme changes.
const colours = {};
function readColours() {
	const style = getComputedStyle(document.documentElement);
	for (const name of ["ground", "text", "faint", "line", "mark", "select", "lost", "owner", "event", "fold", "running", "queued", "blocked",
			    "hardirq", "softirq", "nobody", "label", "panel", "program", "preempted", "asleep",
			    "same", "slower", "faster", "more", "less", "new"])
		colours[name] = style.getPropertyValue("--" + name).trim();
	colours.rooms = [];
	for (let room = 0; room < 9; room++)
		colours.rooms.push(style.getPropertyValue("--room" + room).trim());
}

// A colour between two, "#rrggbb": share 0 is the first.
function mixed(first, second, share) {
	const part = (colour, at) => parseInt(colour.slice(at, at + 2), 16);
	return "#" + [1, 3, 5].map(at => Math.round(part(first, at) + (part(second, at) - part(first, at)) * share).toString(16).padStart(2, "0")).join("");
}

// A canvas as large as its box, sharp on any screen. Returns its context, in which one unit is a pixel of the style sheet.
function fitCanvas(canvas, width, height) {
	const ratio = window.devicePixelRatio || 1;
	const pixels = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
	if (canvas.width !== pixels[0] || canvas.height !== pixels[1])
		[canvas.width, canvas.height] = pixels;
	canvas.style.width = width + "px";
	canvas.style.height = height + "px";
	const context = canvas.getContext("2d", { alpha: false });
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	return context;
}

// Letters of the canvases' font are of the same width: as many of a text as there is room for.
const LETTER = 6.63;
function clip(text, width) {
	const letters = Math.floor((width - 6) / LETTER);
	if (letters < 2)
		return "";
	return text.length <= letters ? text : text.slice(0, letters - 1) + "\u2026";
}

// At most one drawing a frame, however often it is asked for.
function onceAFrame(draw) {
	let asked = false;
	return () => {
		if (asked)
			return;
		asked = true;
		requestAnimationFrame(() => {
			asked = false;
			draw();
		});
	};
}

// What is searched for: a part of the name in any case, or /a regular expression/. null: nothing, or no expression that can be understood.
function matcher(text) {
	const typed = text.trim(), expression = typed.match(/^\/(.*)\/$/);
	if (!typed)
		return null;
	if (expression) {
		try {
			const pattern = new RegExp(expression[1]);
			return name => pattern.test(name);
		} catch (error) {
			return null;
		}
	}
	const small = typed.toLowerCase();
	return name => name.toLowerCase().includes(small);
}

// --- the head of a page ---

function showAbout(about, extra) {
	const list = byId("about"), first = about.files[0];
	const add = (term, text, lost) => list.append(element("div", {}, element("dt", {}, term), element("dd", lost ? { className: "lost" } : {}, text)));
	document.title = about.files.map(file => file.path).join(", ") + " \u2013 ringside";
	byId("title").textContent = about.files.map(file => file.path).join(", ");
	if (first.machine)
		add("machine", about.files.map(file => file.machine).join("; "));
	add("CPUs", about.files.map(file => String(file.cpus)).join("; "));
	add("clock", first.clock);
	add("span", about.ticks ? groups(about.span) + " ticks" : formatNs(about.span));
	add("records", groups(about.records));
	if (first.program)
		add("recorded by", first.program);
	if (about.selection.length)
		add("only", about.selection.join(", "));
	for (const [term, text] of extra)
		add(term, text);
	if (about.lostPlaces)
		add("lost", groups(about.lost) + (about.lostMore ? " events or more" : " events") + ", in " + groups(about.lostPlaces) +
			" places; calls that were open there are cut", true);
	if (about.damaged)
		add("damaged", "the file is damaged; this is what could be read", true);
}

// What goes wrong is said in the page, too.
function showFailure(error) {
	byId("failure").textContent = "This page could not be shown: " + error;
	byId("failure").hidden = false;
	throw error;
}
