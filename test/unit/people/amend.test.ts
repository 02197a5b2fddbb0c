import {
	onlyChanged,
	findChanges,
	isSameBeyondDoubt,
	isIdentical,
} from '../../../nodes/EventPlatform/core/people/changes';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { amend } from '../../../nodes/EventPlatform/core/people/amend';
import { hintsAboutUpdates } from '../../../nodes/EventPlatform/actions/registration/registrationHints';
import { fakePlatform } from '../../support/platform/fakePlatform';

describe('what an update changes', () => {
	const person = {
		id: 'p1',
		attributes: {
			email: 'Ada@Example.com',
			last_name: 'Lovelace',
			registrant_detail: {
				utm_source: 'newsletter',
				referrer: null,
				fields: [
					{ id: 'company', value: 'Acme' },
					{ id: 'interests', value: ['Product', 'Pricing'] },
					{ id: 'website', value: null },
				],
			},
		},
	};

	test.each<[string, string, string | string[], boolean]>([
		['the address in other letters', 'email', ' ada@example.COM ', true],
		['a name that the form does not ask for', 'last_name', 'Lovelace', true],
		['one answer less', 'interests', ['Product'], false],
		['an answer where none was given', 'website', 'https://example.com', false],
		['an answer to something never asked', 'shoe_size', '38', false],
	])('%s: %s %j is the same: %j', (_, id, value, same) => {
		const left = findChanges(person, { fields: [{ id, value }], tracking: {} }, isSameBeyondDoubt);
		expect(left.map((change) => [change.field, change.new])).toEqual(same ? [] : [[id, value]]);
	});

	test('answers are compared by the kind of their question, as the platform shows it', () => {
		const fields = [
			{ id: 'news', type: 'consent', value: '1' },
			{ id: 'room', type: 'text', value: '1' },
		];
		const of = { id: 'p', attributes: { registrant_detail: { fields } } };
		const registration = {
			fields: ['news', 'room'].map((id) => ({ id, value: 'yes' })),
			tracking: {},
		};
		expect(findChanges(of, registration, isSameBeyondDoubt)).toEqual([
			{ field: 'room', old: '1', new: 'yes' },
		]);
	});

	test('referrer and utm values are compared by name, and told with what was', () => {
		const registration = {
			fields: [],
			tracking: { utm_source: 'newsletter', referrer: 'https://a.example' },
		};
		const referrer = { field: 'referrer', old: null, new: 'https://a.example' };
		expect(findChanges(person, registration, isSameBeyondDoubt)).toEqual([referrer]);
		// Nothing is known of this person, so everything is to be changed.
		const source = { field: 'utm_source', old: null, new: 'newsletter' };
		expect(findChanges({ id: 'p2' }, registration, isSameBeyondDoubt)).toEqual([source, referrer]);
	});

	test('the part of a registration that changed has nothing else', () => {
		const registration = {
			fields: ['company', 'room'].map((id) => ({ id, value: 'x' })),
			tracking: { referrer: 'r', utm_source: 's' },
		};
		const changes = ['room', 'utm_source'].map((field) => ({ field, old: null, new: 'x' }));
		expect(onlyChanged(registration, changes)).toEqual({
			fields: [{ id: 'room', value: 'x' }],
			tracking: { utm_source: 's' },
		});
	});
});

describe('an update', () => {
	type Answers = Record<string, string>;

	function person(answers: Answers): JsonObject {
		const fields = Object.entries(answers).map(([id, value]) => ({ id, type: 'text', value }));
		return { id: 'p', type: 'people', attributes: { registrant_detail: { fields } } };
	}

	function sessionIdOf(last: string): string {
		return `5e550000-0000-4000-8000-00000000000${last}`;
	}

	/** The record of a person in a session with this company. */
	function inSession(last: string, company: string): JsonObject {
		const fields = [{ id: 'company', type: 'text', value: company }];
		const registrant_detail = { session_id: sessionIdOf(last), fields };
		return { id: 'p', type: 'people', attributes: { registrant_detail } };
	}

	/** Asks for these answers of somebody who has others, on a platform that says this, request by request. */
	async function amended(has: Answers, wants: Answers, says: ReadonlyArray<Answers | Cause>) {
		const { ask, asked } = fakePlatform((_, nth) => {
			const said = says[nth - 1] ?? 'refused';
			return typeof said === 'string' ? said : { data: person(said) };
		});
		const registration = {
			fields: Object.entries(wants).map(([id, value]) => ({ id, value })),
			tracking: {},
		};
		const changes = findChanges(person(has), registration, isIdentical);
		const done = await amend(ask, {
			sessionId: 's',
			person: person(has),
			registration,
			changes,
		});
		if (done.kind === 'unconfirmed') throw done.failure;
		const outcome = done.kind === 'notMade' ? done.outcome : undefined;
		const rewritten = done.kind === 'notMade' ? done.rewritten : [];
		const { status, reasons = [], changes: left = [] } = outcome ?? {};
		const sent = asked.map(({ method, body }) => {
			const fields = JSON.stringify(body ?? {}).matchAll(/"id":"([a-z]+)","value"/g);
			return [method, ...[...fields].map(([, id]) => id)].join(' ');
		});
		const texts = reasons.map(({ code, message }) => `${code}: ${message}`);
		return { status, texts, left, rewritten, sent, person: done.person };
	}

	test('a platform that writes an accepted text a little differently has made the change', async () => {
		const old = { company: 'Acme  Inc', room: 'A' };
		const run = await amended(old, { company: 'Acme Inc', room: 'A' }, [old, old]);
		expect(run).toMatchObject({ status: undefined, sent: ['PATCH company'] });
		const atOnce = await amended(old, { company: 'Acme Inc' }, [{ company: 'Acme Inc' }]);
		expect(atOnce).toMatchObject({ status: undefined, sent: ['PATCH company'] });
	});

	test('after a lost answer the record tells what was made', async () => {
		const [old, wants] = [{ company: 'Old' }, { company: 'Acme Inc' }];
		const unread = amended(old, wants, ['unconfirmed', 'platform_error']);
		await expect(unread).rejects.toMatchObject({ cause: 'platform_error' });
		for (const shown of [wants, { company: 'Acme  Inc' }]) {
			const made = await amended(old, wants, ['unconfirmed', shown]);
			expect(made).toMatchObject({ status: undefined, sent: ['PATCH company', 'GET'] });
		}
		const lost = await amended(old, wants, ['unconfirmed', old]);
		expect(lost).toMatchObject({
			status: 'not_updated',
			sent: ['PATCH company', 'GET'],
			texts: [
				'not_updated: The platform did not answer, and \'company\' is still "Old" and not "Acme Inc". Try again later.',
			],
		});
	});

	test('of two changes each is told that was not made, and nothing is sent again', async () => {
		const old = { company: 'Acme', room: 'A' };
		const wants = { company: 'New', room: 'B' };
		const half = { company: 'New', room: 'A' };
		const lost = await amended(old, wants, ['unconfirmed', half]);
		expect(lost.sent).toEqual(['PATCH company room', 'GET']);
		expect(lost.left).toEqual([{ field: 'room', old: 'A', new: 'B' }]);
		const none = await amended(old, wants, ['unconfirmed', old]);
		expect(none.texts).toEqual([
			'not_updated: The platform did not answer, and \'company\' is still "Acme" and not "New", \'room\' is still "A" and not "B". Try again later.',
		]);
		const seen = { company: 'NEW', room: 'A' };
		const accepted = await amended(old, wants, [seen, seen]);
		expect(accepted.texts).toEqual([
			'still_different: The platform accepted the update, but \'company\' is now "NEW" and not "New", \'room\' is still "A" and not "B".',
		]);
		expect(accepted.person).toEqual(person(seen));
		expect(accepted.rewritten).toEqual([{ field: 'company', old: 'NEW', new: 'New' }]);
		expect(lost.rewritten).toEqual([]);
	});

	describe('an update', () => {
		const old = { company: 'Acme' };
		const registration = { fields: [{ id: 'company', value: 'New' }], tracking: {} };
		const update = async (...says: Array<Answers | Cause>) => {
			const { ask } = fakePlatform((_, nth) => {
				const said = says[nth - 1] ?? 'refused';
				return typeof said === 'string' ? said : { data: person(said) };
			});
			const changes = findChanges(person(old), registration, isIdentical);
			return await amend(ask, { sessionId: 's', person: person(old), registration, changes });
		};

		test('whose record shows every change is made', async () => {
			const record = person({ company: 'New' });
			expect(await update({ company: 'New' })).toEqual({ kind: 'made', person: record });
		});

		test('after which nobody can read the person is unconfirmed', async () => {
			const amended = await update('unconfirmed', 'platform_error');
			expect(amended).toMatchObject({ kind: 'unconfirmed', failure: { cause: 'platform_error' } });
		});

		test('that the platform refuses throws the refusal', async () => {
			await expect(update('unprocessable')).rejects.toMatchObject({ cause: 'unprocessable' });
		});
	});

	test.each<[string, JsonObject, JsonObject | undefined]>([
		[
			'whose response is about another session is read',
			inSession('b', 'Acme'),
			inSession('a', 'New'),
		],
		['whose record is about another session is unconfirmed', inSession('a', 'Acme'), undefined],
	])('an update %s', async (_, response, record) => {
		const { ask } = fakePlatform(({ method }) => {
			return { data: method === 'PATCH' ? response : (record ?? inSession('b', 'Acme')) };
		});
		const registration = { fields: [{ id: 'company', value: 'New' }], tracking: {} };
		const before = inSession('a', 'Acme');
		const changes = findChanges(before, registration, isIdentical);
		const sessionId = sessionIdOf('a');
		const amended = await amend(ask, { sessionId, person: before, registration, changes });
		expect(amended).toMatchObject(
			record
				? { kind: 'made', person: record }
				: { kind: 'unconfirmed', failure: { cause: 'unexpected_shape' } },
		);
	});

	test('the hints count people by field, and requests by those who were sent', () => {
		const outcome = (code: string, ...fields: string[]) => ({
			status: 'not_updated' as const,
			changes: fields.map((field) => ({ field, old: 'a', new: 'b' })),
			reasons: [{ code, message: '' }],
		});
		const outcomes = [
			outcome('still_different', 'bio', 'room'),
			outcome('still_different', 'bio'),
			outcome('not_updated', 'bio'),
			{ status: 'unchanged' as const, reasons: [] },
		];
		const next = "Use the platform's value in your list, or remove the field from the mapping.";
		expect(hintsAboutUpdates(outcomes)).toEqual([
			`'bio' is stored with another value on the platform, for 2 people. This costs 4 requests in every run. ${next}`,
			`'room' is stored with another value on the platform, for 1 person. This costs 2 requests in every run. ${next}`,
		]);
	});
});
