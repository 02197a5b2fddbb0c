import { PollingLedger, type Poller } from '../../../nodes/EventPlatform/core/polling/ledger';
import { usualPerDay } from '../../../nodes/EventPlatform/core/polling/monthlyShare';

const now = 1_800_000_000_000;
const day = 86_400_000;

const poller = (id: string, more: Partial<Poller> = {}): Poller => {
	return { id, credential: 'credential', isNew: true, leastCost: 1, ...more };
};
const nothing = { requests: 1, usage: {}, sentByProcess: 1 };

/** Polls with a new trigger; what was decided, and what is stored then. */
function polled(ledger: PollingLedger, id: string, at = now) {
	const permit = ledger.permit(poller(id), undefined, false, at);
	return { ...permit, stored: ledger.record(poller(id), permit, nothing, at) };
}

test('those divide a share that polled with its credential within a day', () => {
	const ledger = new PollingLedger();
	const of = (id: string, credential: string, at: number) =>
		ledger.permit(poller(id, { credential }), undefined, false, at).triggers;
	expect([of('1', 'a', now), of('2', 'a', now + 1)]).toEqual([1, 2]);
	expect([of('3', 'b', now + 1), of('2', 'a', now + 1)]).toEqual([1, 2]);
	expect([of('2', 'a', now + day), of('2', 'a', now + day + 1)]).toEqual([2, 1]);
});

test('after a start the others that divided the share count before they have polled, for a day', () => {
	const first = new PollingLedger();
	const [, second] = [polled(first, '1'), polled(first, '2')];
	expect(second.stored.triggers).toBe(2);
	const restarted = new PollingLedger();
	const triggers = (at: number) => restarted.permit(poller('2'), second.stored, false, at).triggers;
	expect([triggers(now + 1), triggers(now + day), triggers(now + day + 2)]).toEqual([2, 2, 1]);
});

test('a process goes on with what it knows, and one that was started trusts nothing that was saved up', () => {
	const ledger = new PollingLedger();
	const { stored } = polled(ledger, '1');
	expect(ledger.permit(poller('1'), stored, false, now + 1).isPaid).toBe(true);
	const permits = Array.from({ length: 20 }, (_, restart) =>
		new PollingLedger().permit(poller('1'), stored, true, now + restart * 60_000),
	);
	expect(permits.filter(({ isPaid }) => isPaid).length).toBeLessThan(3);
	expect(permits.every(({ isFirst, share }) => isFirst && share.credit <= 1)).toBe(true);
});

test('a share that another process has stored since is taken as after a start', () => {
	const ledger = new PollingLedger();
	const { stored } = polled(ledger, '1');
	const later = { ...stored, credit: -9, at: now + 60_000 };
	const permit = ledger.permit(poller('1'), later, false, now + 60_000);
	expect(permit).toMatchObject({ isFirst: true, isPaid: false, share: { credit: -9 } });
});

test('what others send with the token between two polls is told by what is left, and paid for', () => {
	const ledger = new PollingLedger();
	const permit = (at: number) => ledger.permit(poller('1'), undefined, false, at);
	const told = (remaining: number, sentByProcess: number) => {
		return { requests: 1, usage: { monthlyRemaining: remaining }, sentByProcess };
	};
	ledger.record(poller('1'), permit(now), told(5_000, 1), now);
	const later = now + day / 2;
	const before = permit(later);
	// 30 are gone: one by this poll, nine by a run of this process, and twenty by somebody else.
	const after = ledger.record(poller('1'), before, told(4_970, 11), later);
	expect(before.share.credit - after.credit).toBeCloseTo(1 + 20, 6);
	const month = permit(later);
	expect(ledger.record(poller('1'), month, told(10_000, 12), later).credit).toBeCloseTo(
		after.credit - 1,
		6,
	);
});

test('where the platform tells nothing, a month with a restart each night stays below a third', () => {
	let requests = 0;
	let stored;
	for (let days = 0; days < 30; days++) {
		const ledger = new PollingLedger();
		for (let minute = 0; minute < 24 * 60; minute += 2) {
			const at = now + days * day + minute * 60_000;
			const one = poller('1', { isNew: days === 0 });
			const permit = ledger.permit(one, stored, false, at);
			if (!permit.isPaid) continue;
			requests++;
			const share = ledger.record(one, permit, nothing, at);
			// n8n stores it at the end of an activation, and not after a poll without news.
			if (minute === 0) stored = share;
		}
	}
	expect(requests).toBeLessThanOrEqual(3_333);
	expect(requests).toBeGreaterThan(30 * usualPerDay * 0.9);
});
