import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { Registration, Row } from '../../../nodes/EventPlatform/core/people/registration';
import type { Batch } from '../../../nodes/EventPlatform/core/registration/candidate';
import { planRun } from '../../../nodes/EventPlatform/core/registration/bulkPlan';
import { Divider, PlainForm } from '../../../nodes/EventPlatform/core/registration/refusedBatch';
import { rowFor, someRows } from '../../support/runs/simulation';

const request = { method: 'POST', path: '/sessions/s/people/bulk' } as const;

describe('a batch that was refused as a whole', () => {
	const refusal = (...details: string[]) =>
		new Failure('unprocessable', request, { errors: details.map((detail) => ({ detail })) });

	const lost = { sentAt: 7 };

	function refused(rows: readonly Row[]) {
		const { batches } = planRun(rows);
		const divider = new Divider(batches);
		const [batch] = batches;
		if (!batch) throw new Error('The run has no batch');
		const partsOf = (what: Batch, ...details: string[]) =>
			divider.divide(what, refusal(...details))?.batches ?? [];
		return { batch: { ...batch, lost }, partsOf, divider };
	}

	test('is sent in two parts, as doubtful as the whole', () => {
		const { batch, partsOf } = refused(someRows(3));
		const part = { sessionId: 'session', lost };
		expect(partsOf(batch)).toEqual([
			{ ...part, people: batch.people.slice(2) },
			{ ...part, people: batch.people.slice(0, 2) },
		]);
	});

	test.each<[Cause, isAhead: boolean | undefined]>([
		['refused', true],
		['already_exists', true],
		['unprocessable', true],
		// A firewall may refuse all, so others go first.
		['not_from_api', false],
		// Nothing of it is about one of the people.
		['session_closed', undefined],
		['unauthorized', undefined],
		['platform_error', undefined],
		['unreachable', undefined],
	])('where the cause is %s, goes on ahead of others: %s', (cause, isAhead) => {
		const { batch, divider } = refused(someRows(2));
		expect(divider.divide(batch, new Failure(cause, request))?.isAhead).toBe(isAhead);
	});

	test('is not divided where it is one person', () => {
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

	test('is divided less often where requests were spent on the plain form', () => {
		const { batch, partsOf, divider } = refused(someRows(50));
		expect(divider.takeRequests('session', 297)).toBe(true);
		expect([partsOf(batch).length, partsOf(batch).length]).toEqual([2, 0]);
		expect(divider.takeRequests('session', 1)).toBe(false);
	});

	test('dividing is pointless where a field that everyone has does not exist', () => {
		const { batch, partsOf } = refused(someRows(60));
		expect(partsOf(batch, "The field 'email' doesn't exist")).toEqual([]);
	});

	test('dividing goes on where both halves are refused in the words of the whole', () => {
		const { batch, partsOf } = refused(someRows(50));
		const words = "The field 'email' is not right";
		const quarters = partsOf(batch, words).map((half) => partsOf(half, words));
		expect(
			quarters
				.flat()
				.map(({ people }) => people.length)
				.sort(),
		).toEqual([12, 12, 13, 13]);
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

		const halves = [[2], [0, 1]];
		const pointedToAlone = [[0, 2], [1]];

		test.each([
			['a field', "The field 'shoe_size' doesn't exist", pointedToAlone],
			['a value', 'We do not know "bob@example.com"', pointedToAlone],
			['something in backticks', 'What is `shoe_size`?', pointedToAlone],
			['a field that nobody has', "The field 'unheard_of' doesn't exist", halves],
			['a field that all have', "The field 'email' is not right", halves],
			['nothing that is quoted', 'shoe_size', halves],
		])('where the platform points to %s', (_, detail, expected) => {
			expect(parts(detail)).toEqual(expected);
			expect(parts("It isn't right", detail)).toEqual(expected);
		});
	});
});

describe('the plain form', () => {
	const email = { id: 'email', value: 'ada@example.com' };
	const simple: Registration = { fields: [email], tracking: { utm_source: 's' } };
	const withList: Registration = {
		fields: [email, { id: 'topics', value: ['a', 'b'] }],
		tracking: {},
	};
	const withTerm: Registration = { fields: [email], tracking: { utm_term: 't' } };
	const refused = (status = 400, code?: string) =>
		new Failure('refused', request, { status, errors: [{ code }] });

	test.each([
		['a list', [simple, withList], refused(), true],
		['a UTM value that section 2.2 does not name', [withTerm], refused(), true],
		['nothing beyond the letter', [simple], refused(), false],
		['a list, after a refusal of its content', [withList], refused(422), false],
		[
			'a list, after a refusal by something in front of the platform',
			[withList],
			new Failure('not_from_api', request, { status: 400 }),
			false,
		],
		[
			'a list, of somebody who is registered',
			[withList],
			refused(400, 'already_registered'),
			false,
		],
	])('may help people with %s', (_, people, failure, mayHelp) => {
		expect(new PlainForm().mayHelp(people, failure)).toBe(mayHelp);
	});

	test('is needed from the first time that it is taken, and names what it leaves out', () => {
		const plain = new PlainForm();
		plain.recordAccepted([simple], false);
		expect(plain.isNeeded).toBeUndefined();
		plain.recordAccepted([withTerm], true);
		expect([plain.isNeeded, ...plain.leftOut]).toEqual([true, 'utm_term']);
	});

	test('is not tried any more once the platform has taken more', () => {
		const plain = new PlainForm();
		plain.recordAccepted([withList], false);
		expect(plain.mayHelp([withList], refused())).toBe(false);
	});
});
