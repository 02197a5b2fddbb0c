import { planRun } from '../../../nodes/EventPlatform/core/registration/plan';
import { emailAndAddressOf } from '../../../nodes/EventPlatform/core/people/registration';
import { rowFor, someRows } from '../../support/runs/simulation';

test.each([
	[0, []],
	[50, [50]],
	[51, [50, 1]],
])('%i people are sent in requests of %j', (count, sizes) => {
	const { batches: chunks } = planRun(someRows(count));
	expect(chunks.map(({ people }) => people.length)).toEqual(sizes);
});

test('sessions do not share a request', () => {
	const rows = [...someRows(3, 'a'), ...someRows(2, 'b'), rowFor('a', 'late@example.com')];
	const { batches: chunks } = planRun(rows);
	const sent = chunks.map(({ sessionId, people }) => [sessionId, people.map(({ row }) => row)]);
	expect(sent).toEqual([
		['a', [rows[0], rows[1], rows[2], rows[5]]],
		['b', [rows[3], rows[4]]],
	]);
});

test('a request has up to fifty people of one session, in the order of the list', () => {
	const rows = Array.from({ length: 104 }, (_, index) =>
		rowFor(index % 2 === 0 ? 'a' : 'b', `p${index}@example.com`),
	);
	const { batches } = planRun(rows);
	expect(batches.map(({ sessionId, people }) => [sessionId, people.length])).toEqual([
		['a', 50],
		['a', 2],
		['b', 50],
		['b', 2],
	]);
	expect(batches[1]?.people.map(({ row }) => row)).toEqual([rows[100], rows[102]]);
});

test('people of a session that is known to take nobody are not sent, and duplicates of them are duplicates', () => {
	const reason = { code: 'session_closed', message: 'It is over.' };
	const rows = [...someRows(1, 'a'), ...someRows(1, 'a'), ...someRows(1, 'b')];
	const plan = planRun(rows, (id) => (id === 'a' ? reason : undefined));
	expect(plan.batches.map(({ sessionId }) => sessionId)).toEqual(['b']);
	expect(plan.candidates.map(({ outcome }) => outcome?.status)).toStrictEqual([
		'failed',
		'duplicate',
		undefined,
	]);
});

test('the same address in other letters is a duplicate in the same session only', () => {
	const plan = planRun([
		rowFor('a', 'Nathan@Example.com'),
		rowFor('a', 'nathan@example.com '),
		rowFor('b', 'nathan@example.com'),
	]);
	expect(plan.candidates.map(({ outcome }) => outcome?.status)).toStrictEqual([
		undefined,
		'duplicate',
		undefined,
	]);
	const message = 'Row 1 has the same person.';
	expect(plan.candidates[1]?.outcome?.reasons).toEqual([{ code: 'duplicate', message }]);
	expect(plan.candidates.map(({ first }) => first)).toEqual([
		undefined,
		plan.candidates[0],
		undefined,
	]);
	expect(plan.batches).toHaveLength(2);
});

test('who cannot be sent is invalid, says why, and does not make others duplicates', () => {
	const invalid = { ...rowFor('a', 'x@example.com'), problems: ['No choice of the field'] };
	const nobody = { ...rowFor('a', ''), ...emailAndAddressOf(undefined) };
	const nowhere = rowFor('', 'y@example.com');
	const plan = planRun([invalid, rowFor('a', 'x@example.com'), nobody, nowhere]);
	expect(plan.candidates.map(({ outcome }) => outcome?.status)).toStrictEqual([
		'invalid',
		undefined,
		'invalid',
		'invalid',
	]);
	expect(plan.candidates[3]?.outcome?.reasons[0]?.message).toMatch(/^The session: The ID is empty/);
	expect(plan.candidates[0]?.outcome?.reasons).toEqual([
		{ code: 'invalid', message: 'No choice of the field' },
	]);
	expect(plan.candidates[2]?.outcome?.reasons[0]?.message).toMatch(/no email/i);
});
