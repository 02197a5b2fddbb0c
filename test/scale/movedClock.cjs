/*
 * To be loaded by n8n before anything else (`node --require`): its clock begins at MOVED_CLOCK_FROM and jumps to each poll
 * that is scheduled, one after the other, until MOVED_CLOCK_UNTIL. Then the file MOVED_CLOCK_DONE is written, and no poll
 * comes any more. All other timers go on as they are.
 */
const { writeFileSync } = require('node:fs');

const { MOVED_CLOCK_FROM: from, MOVED_CLOCK_UNTIL: until, MOVED_CLOCK_DONE: done } = process.env;
/** Long enough for a poll to come to its end: it may not take longer than five minutes of this clock. */
const betweenJumpsMs = 600;
/** More of the time than this n8n works for a poll that has not come to its end, or another program has the machine. */
const mostBusy = 0.2;
/** Polls that are due within a minute come together. */
const togetherMs = 60_000;

if (from !== undefined) {
	const RealDate = Date;
	let aheadMs = Number(from) - RealDate.now();
	const now = () => RealDate.now() + aheadMs;

	globalThis.Date = class extends RealDate {
		constructor(...args) {
			super(...(args.length === 0 ? [now()] : args));
		}

		static now() {
			return now();
		}
	};

	/** The timers that n8n's scheduler waits for. */
	const waiting = new Set();
	const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;

	globalThis.setTimeout = (callback, delayMs, ...parameters) => {
		const isScheduler = /[\\/]cron[\\/]dist[\\/]job\.js/.test(new Error().stack ?? '');
		if (!isScheduler || delayMs < 1_000) return realSetTimeout(callback, delayMs, ...parameters);
		const timer = { dueAt: now() + delayMs, callback, ref: () => timer, unref: () => timer };
		waiting.add(timer);
		return timer;
	};

	globalThis.clearTimeout = (timer) => {
		if (!waiting.delete(timer)) realClearTimeout(timer);
	};

	const { performance } = require('node:perf_hooks');
	let before = performance.eventLoopUtilization();

	const jump = () => {
		const { utilization } = performance.eventLoopUtilization(before);
		before = performance.eventLoopUtilization();
		if (utilization > mostBusy) return realSetTimeout(jump, betweenJumpsMs);
		const next = Math.min(...[...waiting].map(({ dueAt }) => dueAt));
		if (Number.isFinite(next) && next >= Number(until)) {
			return writeFileSync(done, String(now()));
		}
		const due = [...waiting].filter(({ dueAt }) => dueAt < next + togetherMs);
		for (const timer of due.sort((a, b) => a.dueAt - b.dueAt)) {
			waiting.delete(timer);
			aheadMs += Math.max(0, timer.dueAt - now());
			timer.callback();
		}
		return realSetTimeout(jump, betweenJumpsMs);
	};
	realSetTimeout(jump, betweenJumpsMs);
}
