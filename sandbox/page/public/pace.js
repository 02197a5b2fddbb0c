import { byId, makeSvg, number, say, set } from './dom.js';

const height = 100;
const step = 10;
const width = 7;
const kinds = ['failed', 'limited', 'answered'];

/** Bars for 60 seconds, drawn once; afterwards only their sizes change. */
const chart = makeSvg('svg', { preserveAspectRatio: 'none', role: 'img' });
const line = makeSvg('line', { class: 'limit', x1: 0, 'vector-effect': 'non-scaling-stroke' });
const bars = [];

export function showPace({ pace, limits, registrations }) {
	if (bars.length === 0) build(pace.length);
	const totals = pace.map(({ answered, limited, failed }) => answered + limited + failed);
	const highest = Math.max(limits.rate * 1.25, 4, ...totals);
	pace.forEach((second, index) => drawSecond(bars[index], second, highest));
	line.toggleAttribute('hidden', limits.rate === 0);
	const y = height * (1 - limits.rate / highest);
	set(line, 'y1', y);
	set(line, 'y2', y);

	// The second before the current one: the current one is not complete.
	const last = totals.at(-2);
	const minute = totals.reduce((sum, total) => sum + total, 0);
	say(byId('pace-now'), number(last));
	say(byId('pace-minute'), number(minute));
	say(byId('count-registrations'), number(registrations));
	say(byId('limit-key'), limits.rate === 0 ? 'no limit' : `limit ${limits.rate}/s per token`);
	showMonth(limits);
	set(chart, 'aria-label', `${minute} requests in the last minute, ${last} in the last second`);
}

function showMonth({ monthly, used }) {
	const most = used[0]?.used ?? 0;
	say(byId('pace-month'), monthly === 0 ? '∞' : number(most));
	say(
		byId('pace-month-of'),
		monthly === 0 ? 'no monthly limit' : `of ${number(monthly)} in 30 days${by(used)}`,
	);
}

const by = (used) => (used.length > 0 ? ` (${used[0].who})` : '');

function build(seconds) {
	set(chart, 'viewBox', `0 0 ${seconds * step} ${height}`);
	set(line, 'x2', seconds * step);
	for (let index = 0; index < seconds; index++) {
		const x = index * step + (step - width) / 2;
		const parts = kinds.map((kind) =>
			makeSvg('rect', { class: kind, x, width, y: height, height: 0 }),
		);
		chart.append(...parts);
		bars.push(parts);
	}
	chart.append(line);
	byId('chart').append(chart);
}

function drawSecond(parts, second, highest) {
	let top = height;
	kinds.forEach((kind, index) => {
		const size = (second[kind] / highest) * height;
		top -= size;
		set(parts[index], 'y', top);
		set(parts[index], 'height', size);
	});
}
