import { planRun } from '../../../nodes/EventPlatform/core/registration/plan';
import type { PendingBatch } from '../../../nodes/EventPlatform/core/registration/candidate';
import { Divider } from '../../../nodes/EventPlatform/core/registration/errors';
import type { Row } from '../../../nodes/EventPlatform/core/people/registration';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { rowFor, someRows } from '../../support/runs/simulation';

const request = { method: 'POST', path: '/sessions/s/people/bulk' } as const;
const refusal = (...details: string[]) =>
	new Failure('unprocessable', request, { errors: details.map((detail) => ({ detail })) });

/** Makes the divider of a run over these rows, and its batches, of which each was refused. */
function dividerOf(rows: readonly Row[]) {
	const plan = planRun(rows);
	const batches = plan.batches.map((batch): PendingBatch => ({
		...batch,
		kind: 'again',
		failedAttempts: 3,
		dueAt: () => 9,
		lostAt: 7,
	}));
	return { divider: new Divider(plan.batches), batches };
}

function refused(rows: readonly Row[]) {
	const { divider, batches } = dividerOf(rows);
	const [batch] = batches;
	if (!batch) throw new Error('The run has no batch');
	const partsOf = (what: PendingBatch, ...details: string[]) =>
		divider.divide(what, refusal(...details));
	return { batch, partsOf };
}

test('what was refused as a whole is sent in two parts, at once, and as doubtful as the whole', () => {
	const { batch, partsOf } = refused(someRows(3));
	const part = { sessionId: 's', kind: 'part', lostAt: 7 };
	expect(partsOf({ ...batch, sessionId: 's' })).toEqual([
		{ ...part, people: batch.people.slice(0, 2) },
		{ ...part, people: batch.people.slice(2) },
	]);
});

test('one person is not divided', () => {
	const { batch, partsOf } = refused(someRows(1));
	expect(partsOf(batch)).toEqual([]);
});

test.each([
	[300, 100],
	[303, 101],
])('of %d requests %d are divided at most', (batches, most) => {
	const { batch, partsOf } = refused(someRows(batches * 50));
	let splits = 0;
	while (partsOf(batch).length > 0) splits += 1;
	expect(splits).toBe(most);
});

test('dividing is pointless where a field that everyone has does not exist', () => {
	const { batch, partsOf } = refused(someRows(60));
	expect(partsOf(batch, "The field 'email' doesn't exist")).toEqual([]);
});

describe('dividing goes on, because somebody may be faultless,', () => {
	test('where both halves are refused in the words of the whole', () => {
		const { batch, partsOf } = refused(someRows(50));
		const words = "The field 'email' is not right";
		const quarters = partsOf(batch, words).map((half) => partsOf(half, words));
		expect(quarters.flat().map(({ people }) => people.length)).toEqual([13, 12, 13, 12]);
	});

	test('where words about a field that does not exist quote those that do', () => {
		const rows = [...someRows(49), rowFor('session', 'x@example.com', ['shoe_size'])];
		const { batch, partsOf } = refused(rows);
		const words = "The field 'shoe_size' doesn't exist; there is 'email'";
		expect(partsOf(batch, words)).toHaveLength(2);
	});
});

describe('the parts', () => {
	const parts = (...details: string[]) => {
		const { batch, partsOf } = refused([
			rowFor('s', 'ada@example.com'),
			rowFor('s', 'bob@example.com', ['shoe_size']),
			rowFor('s', 'eve@example.com'),
		]);
		return partsOf(batch, ...details).map(({ people }) =>
			people.map((person) => batch.people.indexOf(person)),
		);
	};

	test.each([
		['a field', "The field 'shoe_size' doesn't exist"],
		['a value', 'We do not know "bob@example.com"'],
		['something in backticks', 'What is `shoe_size`?'],
	])('are those whom the platform points to with %s, and the others first', (_, detail) => {
		expect(parts(detail)).toEqual([[0, 2], [1]]);
		expect(parts("It isn't right", detail)).toEqual([[0, 2], [1]]);
	});

	test.each([
		['it points to nobody', "The field 'unheard_of' doesn't exist"],
		['it points to all', "The field 'email' is not right"],
		['it quotes nothing', 'shoe_size'],
	])('are halves where %s', (_, detail) => {
		expect(parts(detail)).toEqual([[0, 1], [2]]);
	});
});
