import { beginTotals } from '../../../nodes/EventPlatform/core/registration/runParts';
import { modelScene } from '../../support/runs/simulation';

test('a run begins with nothing spent, no columns seen, and the time that somebody waits', () => {
	const { parts, clock } = modelScene();
	const view = { columns: ['first_name'] };
	const totals = beginTotals({ ...parts, view }, 10);
	expect(totals.meter.spent()).toEqual({ requests: 0, sessionOfEach: [], seconds: 0 });
	expect(totals.meter.deadlineAt).toBe(clock.now() + 10_000);
	expect(totals.view).toMatchObject(view);
	expect(totals.view.answerColumns.mayHave('s', 'company')).toBe(true);
});

test('a run that nobody waits for has no end, and keeps all of a record unless less is said', () => {
	const { parts } = modelScene();
	const { meter, view } = beginTotals(parts);
	expect([meter.deadlineAt, view.columns]).toEqual([undefined, 'all']);
});
