// SPDX-License-Identifier: GPL-2.0
// A recording as a page: four views, of which each is made when it is first looked at.

const views = ["timeline", "flame", "functions", "slow"];
const made = {};
let flameData = null, slowData = null;

async function loadFlame() {
	if (!flameData)
		flameData = unpackJson("flame");
	return flameData;
}

async function loadSlow() {
	if (!slowData)
		slowData = unpackJson("slow");
	return slowData;
}

async function makeView(name) {
	if (name === "flame")
		made.flame = new FlameView(await loadFlame());
	else if (name === "functions")
		made.functions = new FunctionTable(await loadFlame());
	else if (name === "slow")
		made.slow = new SlowCalls(await loadSlow());
}

async function chooseView(name) {
	for (const other of views) {
		byId("tab-" + other).setAttribute("aria-selected", String(other === name));
		byId("tab-" + other).tabIndex = other === name ? 0 : -1;
		byId("panel-" + other).hidden = other !== name;
	}
	if (!made[name]) {
		made[name] = true;
		await makeView(name);
	}
	byId(name + "-box").focus({ preventScroll: true });
	document.body.dataset.view = name;
}

function listenTabs() {
	const fail = error => showFailure(error);
	views.forEach((name, i) => {
		const tab = byId("tab-" + name);
		tab.addEventListener("click", () => chooseView(name).catch(fail));
		tab.addEventListener("keydown", event => {
			const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? views.length - 1 : 0;
			if (by) {
				const next = views[(i + by) % views.length];
				chooseView(next).then(() => byId("tab-" + next).focus()).catch(fail);
			}
		});
	});
	addEventListener("keydown", event => {
		if (/^(INPUT|SELECT)$/.test(event.target.tagName) || event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (event.key === "/" && !event.defaultPrevented) {
			byId(document.body.dataset.view + "-search").focus();
			event.preventDefault();
		}
		if (/^[1234]$/.test(event.key))
			chooseView(views[event.key - 1]).catch(fail);
	});
}

async function main() {
	listenTabs();
	readColours();
	const [head, slices, cpus, marks] = await Promise.all([unpackJson("head"), unpack("slices"), unpack("cpus"), unpack("marks")]);
	const data = new TimelineData(head, slices, cpus, marks), extra = [["calls, complete or cut", groups(data.calls())], ["tasks", groups(head.tracks.length)]];
	if (!head.facts.switches)
		extra.push(["who runs", "by the records of each CPU, where sched_switch is not there" + (head.facts.guessed ? "; off the CPU is then the time in schedule()" : "")]);
	showAbout(head.about, extra);
	const timeline = made.timeline = new Timeline(data, await loadSlow());
	dark.addEventListener("change", () => {
		readColours();
		timeline.draw();
		if (made.flame && made.flame.draw)
			made.flame.draw();
	});
	await chooseView("timeline");
	document.body.dataset.ready = "yes";
}

main().catch(showFailure);
