import {
	ago,
	byId,
	chip,
	clock,
	list,
	listOr,
	make,
	makeSvg,
	number,
	say,
	sayChip,
	set,
	statusWord,
} from './dom.js';

export function showJobs({ jobs, now }) {
	const timedJobs = jobs.map((job) => ({ ...job, now }));
	listOr(byId('job-list'), timedJobs, 'No bulk registration has run yet.', makeJob, updateJob);
}

const jobTones = { processing: 'busy', ended: 'good', failed: 'bad' };

function makeJob({ id }) {
	const label = `Tasks processed of job ${id}`;
	return make(
		'article',
		{ class: 'job' },
		make('h3'),
		chip(),
		makeBar(label),
		make('p', { class: 'detail' }),
	);
}

/** Makes a bar that shows side by side how much of the whole succeeded and how much failed. */
function makeBar(label) {
	const bar = makeSvg('svg', {
		class: 'bar',
		viewBox: '0 0 100 1',
		preserveAspectRatio: 'none',
		role: 'progressbar',
		'aria-label': label,
		'aria-valuemin': 0,
	});
	const part = (kind) => makeSvg('rect', { class: kind, x: 0, y: 0, width: 0, height: 1 });
	bar.append(part('succeeded'), part('failed'));
	return bar;
}

function updateBar(bar, { total_items: total, total_success: good, total_fail: bad }) {
	const share = (count) => (total > 0 ? (count / total) * 100 : 0);
	const [succeeded, failed] = bar.children;
	set(succeeded, 'width', share(good));
	set(failed, 'x', share(good));
	set(failed, 'width', share(bad));
	set(bar, 'aria-valuemax', total);
	set(bar, 'aria-valuenow', good + bad);
}

function updateJob(card, job) {
	const [heading, state, bar, detail] = card.children;
	const { total_items: total, total_processed_items: processed, status } = job;
	say(
		heading,
		job.event ? `${job.event}${job.session ? ` · ${job.session}` : ''}` : 'Deleted session',
	);
	sayChip(state, status, jobTones[status] ?? 'quiet');
	updateBar(bar, job);
	const failures = job.total_fail > 0 ? ` · ${number(job.total_fail)} failed` : '';
	say(
		detail,
		`${number(processed)} of ${number(total)} people · ${number(job.total_success)} registered${failures} · ${ago(job.created_at_ms, job.now)} · ${job.id.slice(0, 8)}`,
	);
}

const tokenWords = {
	api_token: 'API token',
	access_token: 'OAuth',
	unknown: 'not accepted',
	none: 'none',
};

export function showRequests({ requests }) {
	byId('no-requests').hidden = requests.length > 0;
	list(byId('request-list'), requests, makeRequest, updateRequest);
}

function makeRequest({ method, target, time }) {
	return make(
		'tr',
		{},
		make('td', { class: 'time' }, clock(time)),
		make('td', { class: 'target' }, make('b', {}, method), ` ${target}`),
		make('td'),
		make('td', { class: 'number' }),
		make('td', { class: 'number' }, chip()),
	);
}

function updateRequest(row, { status, tokenKind, durationMs, fault }) {
	const [, , token, took, answered] = row.children;
	// A request that is refused on demand is refused before its token is looked at.
	say(token, fault && tokenKind === 'unknown' ? 'not read' : tokenWords[tokenKind]);
	say(
		took,
		durationMs === null ? '' : `${durationMs < 10 ? durationMs : Math.round(durationMs)} ms`,
	);
	const state = answered.firstElementChild;
	const ordered = fault ? `, fault: ${fault}` : '';
	if (status !== null) sayChip(state, `${status} ${statusWord(status)}${ordered}`, toneOf(status));
	else if (durationMs === null) sayChip(state, `waiting${ordered}`, 'busy');
	else sayChip(state, `no answer${ordered}`, 'bad');
}

function toneOf(status) {
	if (status < 400) return 'good';
	return status === 429 ? 'warn' : 'bad';
}

export function showWebhooks({ webhooks, deliveries, now }) {
	listOr(byId('webhook-list'), webhooks, 'No subscriptions yet.', makeWebhook, updateWebhook);
	const timedDeliveries = deliveries.map((delivery) => ({ ...delivery, now }));
	listOr(
		byId('delivery-list'),
		timedDeliveries,
		'Nothing has been delivered yet.',
		makeDelivery,
		updateDelivery,
	);
}

const makeWebhook = () =>
	make('article', { class: 'line' }, make('h3'), chip(), make('p', { class: 'detail' }));

function updateWebhook(card, { event, url, disabled_at: disabledAt }) {
	const [heading, state, detail] = card.children;
	say(heading, event);
	sayChip(state, disabledAt ? 'disabled' : 'active', disabledAt ? 'bad' : 'good');
	say(detail, url);
}

const deliveryTones = {
	pending: 'busy',
	sending: 'busy',
	delivered: 'good',
	dropped: 'warn',
	failed: 'bad',
	cancelled: 'quiet',
};

const makeDelivery = makeWebhook;

function updateDelivery(card, delivery) {
	const [heading, state, detail] = card.children;
	say(heading, delivery.event);
	const waiting = delivery.status === 'pending' && delivery.attempts > 0;
	sayChip(
		state,
		waiting ? 'waiting to retry' : delivery.status,
		waiting ? 'warn' : (deliveryTones[delivery.status] ?? 'quiet'),
	);
	const tries = `${delivery.attempts} ${delivery.attempts === 1 ? 'attempt' : 'attempts'}`;
	const last = delivery.last_status ?? delivery.last_error;
	const parts = [
		ago(delivery.created_at, delivery.now),
		last ? `${tries}, last: ${last}` : tries,
		...(waiting
			? [`next in ${Math.max(0, Math.ceil((delivery.next_at - delivery.now) / 1000))} s`]
			: []),
		delivery.url,
	];
	say(detail, parts.join(' · '));
}
