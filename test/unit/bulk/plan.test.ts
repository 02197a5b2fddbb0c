import { planRun, rowsAt } from '../../../nodes/EventPlatform/core/bulk/plan';
import { emailAndAddressOf } from '../../../nodes/EventPlatform/core/people/registration';
import { rowFor, someRows } from '../../support/runs/simulation';

test.each([
	[0, []],
	[50, [50]],
	[51, [50, 1]],
])('%i people are sent in requests of %j', (count, sizes) => {
	const { batches: chunks } = planRun(someRows(count));
	expect(chunks.map(({ indexes }) => indexes.length)).toEqual(sizes);
});

test('sessions do not share a request', () => {
	const rows = [...someRows(3, 'a'), ...someRows(2, 'b'), rowFor('a', 'late@example.com')];
	const { batches: chunks } = planRun(rows);
	expect(chunks).toEqual([
		{ sessionId: 'a', indexes: [0, 1, 2, 5] },
		{ sessionId: 'b', indexes: [3, 4] },
	]);
});

test('the rows of a request are found by their indexes, in its order', () => {
	const rows = someRows(3);
	expect(rowsAt({ people: rows }, [2, 0])).toEqual([rows[2], rows[0]]);
});

test('the same address in other letters is a duplicate in the same session only', () => {
	const plan = planRun([
		rowFor('a', 'Nathan@Example.com'),
		rowFor('a', 'nathan@example.com '),
		rowFor('b', 'nathan@example.com'),
	]);
	expect(plan.outcomes.map((outcome) => outcome?.status)).toStrictEqual([
		undefined,
		'duplicate',
		undefined,
	]);
	const message = 'Row 1 has the same person.';
	expect(plan.outcomes[1]?.reasons).toEqual([{ code: 'duplicate', message }]);
	expect([...plan.firstOf]).toEqual([[1, 0]]);
	expect(plan.batches).toHaveLength(2);
});

test('who cannot be sent is invalid, says why, and does not make others duplicates', () => {
	const invalid = { ...rowFor('a', 'x@example.com'), problems: ['No choice of the field'] };
	const nobody = { ...rowFor('a', ''), ...emailAndAddressOf(undefined) };
	const nowhere = rowFor('', 'y@example.com');
	const plan = planRun([invalid, rowFor('a', 'x@example.com'), nobody, nowhere]);
	expect(plan.outcomes.map((outcome) => outcome?.status)).toStrictEqual([
		'invalid',
		undefined,
		'invalid',
		'invalid',
	]);
	expect(plan.outcomes[3]?.reasons[0]?.message).toMatch(/^The session: The ID is empty/);
	expect(plan.outcomes[0]?.reasons).toEqual([
		{ code: 'invalid', message: 'No choice of the field' },
	]);
	expect(plan.outcomes[2]?.reasons[0]?.message).toMatch(/no email/i);
});
