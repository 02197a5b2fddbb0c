import { planRun } from '../../../nodes/EventPlatform/core/bulk/plan';
import { runBulk } from '../../../nodes/EventPlatform/core/bulk/run';
import type { Show } from '../../../nodes/EventPlatform/core/records/simplify';
import { candidate, modelScene, type Circumstances } from '../../support/runs/simulation';

const show: Show = (fields) => ({ shown: fields.get('type') ?? null });
const emails = Array.from({ length: 60 }, (_, index) =>
	index % 7 === 0 ? `bad${index}@example.com` : `p${index}@example.com`,
);

test.each<[string, Circumstances['platform']]>([
	['their result', {}],
	['the list of who is registered', { emails: 'absent', order: 'shuffled' }],
])('of a person who is known by %s, only what is shown is kept', async (_, platform) => {
	const { clock, parts } = modelScene({ platform });
	const plan = planRun(emails.map((email) => candidate('s', email)));
	const options = { waits: true, maxWaitSeconds: 900, isolates: true };
	const { outcomes } = await clock.run(runBulk(plan, { ...parts, show }, options));
	const kept = outcomes.map(({ status, person }) => ({ status, person }));
	expect(kept).toEqual(
		emails.map((email) =>
			email.startsWith('bad')
				? { status: 'failed' }
				: { status: 'registered', person: { shown: 'people' } },
		),
	);
});
