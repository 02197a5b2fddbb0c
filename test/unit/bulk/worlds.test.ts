import { countStatuses } from '../../../nodes/EventPlatform/core/bulk/report';
import { candidate, candidates, simulate } from '../../support/runs/simulation';

/** The first of every fifty is not welcome. */
const people = candidates(100).map((person, index) =>
	index % 50 === 0 ? candidate('session', `banned${index}@example.com`) : person,
);

test('people whose job has the id of another are not told what became of the others', async () => {
	const { report, platform } = await simulate(candidates(100), {
		platform: { repeatedIds: 1, emails: 'absent' },
	});
	expect(platform.registered.get('session')?.size).toBe(50);
	expect(countStatuses(report.outcomes)).toEqual({ unknown: 100 });
	expect(report.outcomes[0]?.errors[0]?.code).toBe('contradictory');
});

test('people whose job has the id of another are not told of the others at a public event either', async () => {
	const { report } = await simulate(candidates(100), {
		platform: { repeatedIds: 1, emails: 'made-up' },
	});
	expect(countStatuses(report.outcomes)).toEqual({ unknown: 100 });
});

test('at a public event nobody is looked for by the address', async () => {
	const { report } = await simulate(people, { platform: { emails: 'made-up' } });
	expect(countStatuses(report.outcomes)).toEqual({ unknown: 100 });
	expect([...(report.publicSessions ?? [])]).toEqual(['session']);
	expect(report.requests).toBe(2 * 2);
});

test('one failure of fifty is told apart wherever the records have the addresses', async () => {
	for (const order of ['kept', 'shuffled'] as const) {
		const { report } = await simulate(people, { platform: { emails: 'elsewhere', order } });
		expect(countStatuses(report.outcomes)).toEqual({ registered: 98, failed: 2 });
		expect(report.outcomes[0]?.status).toBe('failed');
	}
});

test('an address is no proof where the id stands for people of two sessions', async () => {
	const { report } = await simulate([...candidates(10, 'a'), ...candidates(10, 'b')], {
		platform: { repeatedIds: 1 },
	});
	expect(report.outcomes.slice(10).map(({ status }) => status)).toEqual(Array(10).fill('unknown'));
});

test('a failure that stands twice does not make a registered person fail', async () => {
	const { report } = await simulate(people, { platform: { repeatedRows: 1, seed: 4 } });
	const failed = report.outcomes.filter(({ status }) => status === 'failed');
	expect(failed).toEqual([]);
	expect(report.outcomes[0]).toMatchObject({ status: 'unknown' });
	expect(report.outcomes[1]).toMatchObject({ status: 'unknown' });
});

test('results that move from page to page make nobody registered who is not', async () => {
	for (let seed = 1; seed <= 20; seed++) {
		const { report, platform } = await simulate(people, {
			platform: { order: 'changing', pageSize: 20, emails: 'absent', seed },
		});
		for (const [index, { email = '' }] of people.entries()) {
			const isThere = platform.isRegistered('session', email);
			const status = report.outcomes[index]?.status;
			if (status !== 'unknown') expect(status).toBe(isThere ? 'registered' : 'failed');
		}
	}
});

test('one session full of bad rows leaves another its own splits', async () => {
	const bad = Array.from({ length: 1_000 }, (_, index) => candidate('bad', `refuse${index}@x.io`));
	const good = candidates(200).map((person, index) =>
		index % 50 === 3 ? candidate('session', `refuse${index}@example.com`) : person,
	);
	const { report } = await simulate([...bad, ...good]);
	expect(countStatuses(report.outcomes)).toEqual({ failed: 1_004, registered: 196 });
});
