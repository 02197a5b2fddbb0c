import { asFailure, Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import {
	ItemBreaker,
	KeptBack,
	SessionBreaker,
} from '../../../nodes/EventPlatform/core/failures/breaker';

const post = { method: 'POST', path: '/sessions/s1/people' } as const;

test.each<[string, Array<'no' | 'not for this session' | 'gone' | 'yes'>, number]>([
	['after one that speaks of its session, too', ['no', 'not for this session', 'no'], 2],
	['that others do not get concerns its session', ['no', 'yes', 'no', 'yes', 'no'], -1],
	['that speaks of its session concerns that', Array(5).fill('not for this session'), -1],
	['or a 404 for more than twenty in a row is nobody’s session', Array(21).fill('gone'), 20],
])('a 403 %s', (_, answers, endsAt) => {
	const breaker = new SessionBreaker();
	const ends = answers.map((answer, session) => {
		if (answer === 'yes') return breaker.recordSuccess();
		const cause = answer === 'gone' ? 'not_found' : 'forbidden';
		const errors = answer === 'not for this session' ? [{ detail: answer }] : [];
		const failed = new Failure(cause, post, { errors });
		return breaker.recordFailure(failed, `${session}`);
	});
	expect(ends.indexOf('run')).toBe(endsAt);
});

test('however many sessions are closed, the run goes on', () => {
	const breaker = new SessionBreaker();
	const closed = new Failure('session_closed', post);
	for (let session = 0; session < 50; session++) {
		expect(breaker.recordFailure(closed, `${session}`)).toBe('session');
	}
});

test.each<[Cause, ReturnType<SessionBreaker['recordFailure']>, string]>([
	['session_closed', 'session', 'session'],
	['not_found', 'session', 'session'],
	['refused', undefined, 'session'],
	['unprocessable', undefined, 'session'],
	['platform_error', undefined, 'run'],
	['unreachable', undefined, 'run'],
	['unauthorized', 'run', 'run'],
])('after %s of people %s is over; after the same of a read, the %s', (cause, sent, read) => {
	const failure = new Failure(cause, post);
	expect(new SessionBreaker().recordFailure(failure, 's')).toBe(sent);
	expect(new SessionBreaker().recordUnread(failure, 's')).toBe(read);
});

test('more than twenty sessions in a row that could not be read are none, whatever the refusal', () => {
	const breaker = new SessionBreaker();
	const read = (session: number) =>
		breaker.recordUnread(new Failure('refused', post), `${session}`);
	const scopes = Array.from({ length: 21 }, (_, session) => read(session));
	expect(scopes.indexOf('run')).toBe(20);
});

describe('of items that fail one after the other', () => {
	/** What became of each item: the cause of its own failure, or of the one that kept it back. */
	async function ends(causes: readonly Cause[]): Promise<string[]> {
		let now = 0;
		const breaker = new ItemBreaker({ now: () => now });
		const told: string[] = [];
		for (const cause of causes) {
			const fail = () => {
				now += 1_000;
				return Promise.reject(new Failure(cause, post));
			};
			const failure = await breaker.work(fail).catch(asFailure);
			told.push(`${failure instanceof KeptBack ? 'kept back: ' : ''}${failure.cause}`);
		}
		return told;
	}

	test('the first that would be refused for all keeps the others back', async () => {
		expect(await ends(['refused', 'unauthorized', 'quota_spent'])).toEqual([
			'refused',
			'unauthorized',
			'kept back: unauthorized',
		]);
	});

	test('the sixth in an outage keeps the others back', async () => {
		const told = await ends(Array<Cause>(8).fill('platform_error'));
		expect(told.indexOf('kept back: platform_error')).toBe(6);
	});

	test('one that a firewall refuses keeps nobody back, and the sixth in a row keeps the others back', async () => {
		const causes: Cause[] = ['not_from_api', 'refused', ...Array<Cause>(7).fill('not_from_api')];
		const told = await ends(causes);
		expect(told.indexOf('kept back: not_from_api')).toBe(8);
	});

	test('one that the platform refuses shows that there is no outage', async () => {
		const outage = Array<Cause>(5).fill('unreachable');
		const causes: Cause[] = [...outage, 'not_found', ...outage];
		expect(await ends(causes)).toEqual(causes);
	});

	test('a success shows that there is no outage', async () => {
		const breaker = new ItemBreaker({ now: () => 0 });
		const fail = () => Promise.reject(new Failure('unreachable', post));
		const ends = [];
		for (const work of [fail, () => Promise.resolve(), fail]) {
			for (let nth = 0; nth < 5; nth++) ends.push(await breaker.work(work).catch(asFailure));
		}
		expect(ends.filter((end) => end instanceof KeptBack)).toEqual([]);
	});
});
