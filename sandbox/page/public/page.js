import { enableCockpit, showCockpit } from './cockpit.js';
import { byId, clock, say, set, zone } from './dom.js';
import { showEvents } from './events.js';
import { showJobs, showRequests, showWebhooks } from './lists.js';
import { showPace } from './pace.js';
import { showWorld } from './world.js';

const everyMs = 1000;

let eventsPage = 0;
let paused = false;
/** Counts the refreshes that were asked for, so that a slow answer never overwrites a newer one. */
let asked = 0;

async function refresh() {
	const mine = ++asked;
	try {
		const answer = await fetch(`/_sandbox/page?events=${eventsPage}`);
		if (!answer.ok) throw new Error(`${answer.status}`);
		const view = await answer.json();
		if (mine === asked) show(view);
	} catch {
		if (mine === asked) sayConnection('Not reachable, trying again', 'bad');
	}
}

function show(view) {
	eventsPage = view.events.page;
	showCockpit(view);
	showWorld(view);
	showPace(view);
	showEvents(view, turnEvents);
	showJobs(view);
	showRequests(view);
	showWebhooks(view);
	if (!paused) sayConnection('Live', 'good');
	set(byId('connection'), 'title', `Last updated ${clock(view.now)}`);
}

/** Said only when it changes: a screen reader reads it out. */
function sayConnection(text, tone) {
	say(byId('connection'), text);
	set(byId('connection'), 'data-tone', tone);
}

function turnEvents(page) {
	eventsPage = page;
	void refresh();
}

byId('pause').addEventListener('click', () => {
	paused = !paused;
	set(byId('pause'), 'aria-pressed', paused);
	if (paused) sayConnection('Paused', 'quiet');
	else void refresh();
});

setInterval(() => {
	if (!paused && document.visibilityState === 'visible') void refresh();
}, everyMs);
say(byId('zone'), zone);
enableCockpit(refresh);
void refresh();
