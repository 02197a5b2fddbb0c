import '../../support/fasterClock';
import { sandboxForTests, upcomingSession } from '../../support/sandbox';
import { fresh, makeSession } from './making';
import { byId } from './operationCase';
import { Registering } from './registering';

let registering: Registering;

beforeAll(async () => {
	const sandbox = await sandboxForTests();
	registering = new Registering(sandbox, await makeSession(sandbox));
});

describe('the answers of the form', () => {
	const form = [
		column('email', 'string'),
		column('first_name', 'string'),
		column('last_name', 'string'),
		column('company', 'string', undefined, 'Company (required)'),
		column('team_size', 'options', ['1-10', '11-100', '100+']),
		column('interests', 'string', ['Product', 'Pricing', 'Integrations']),
	];
	const whole = { first_name: 'Ada', last_name: 'Lovelace', company: 'Engines' };

	test.each<[string, unknown, unknown]>([
		['a list', ['Product', 'Pricing'], 'Product, Pricing'],
		['a list written as JSON', '["Product"]', 'Product'],
		['a text with commas', 'product, Pricing', 'Product, Pricing'],
	])('%s goes out as a list for a multiple choice', async (_, given, sent) => {
		const email = `${fresh('multiple')}@example.com`;
		const { items, error } = await registering.register(
			{ ...whole, email, team_size: '1-10', interests: given as string },
			{ sessionId: byId(upcomingSession) },
			form,
		);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ status: 'registered', interests: sent }]);
	});

	test('an answer that is not offered is refused before anything is sent', async () => {
		const { error, requests } = await registering.register(
			{ ...whole, email: 'a@example.com', team_size: '={{ "enormous" }}' },
			{ sessionId: byId(upcomingSession) },
			form,
		);
		expect(error?.message).toBe(`"enormous" is not a choice of 'Team Size'`);
		expect(error?.description).toBe('It has 1-10, 11-100, 100+. This person was not registered.');
		expect(requests).toEqual([`GET /v1/sessions/${upcomingSession} 200`]);
	});

	test('whole items are mapped by name; what is no field is left out and told', async () => {
		const people = [1, 2].map(() => ({
			...whole,
			email: `${fresh('auto')}@example.com`,
			interests: 'Product, Pricing',
			team_size: '',
			shoe_size: 43,
		}));
		const { items, hints, requests, error } = await registering.register(
			null,
			{ sessionId: byId(upcomingSession) },
			form,
			people,
		);
		expect(error).toBeUndefined();
		expect(items).toMatchObject(
			people.map(({ email }) => ({
				email,
				status: 'registered',
				...{ company: 'Engines', interests: 'Product, Pricing' },
			})),
		);
		expect(hints).toEqual([
			"Not on the registration form and therefore ignored: 'shoe_size'. It asks for 'email', 'first_name', 'last_name', 'Company', 'team_size', 'interests'.",
		]);
		expect(requests).toHaveLength(2);
	});

	test('without a saved form, whole items are mapped by the form of the session, asked for once', async () => {
		const people = [1, 2, 3].map(() => ({
			...whole,
			email: `${fresh('form')}@example.com`,
			shoe_size: 43,
		}));
		const { items, requests } = await registering.register(
			null,
			{ sessionId: byId(upcomingSession) },
			[],
			people,
		);
		expect(items.map(({ status }) => status)).toEqual(people.map(() => 'registered'));
		expect(requests.filter((request) => request.startsWith('GET'))).toEqual([
			`GET /v1/sessions/${upcomingSession} 200`,
		]);
	});

	test('a form that could not be read for a moment is asked for again', async () => {
		const people = Array.from({ length: 40 }, () => ({
			...whole,
			email: `${fresh('again')}@example.com`,
		}));
		const match = { path: '/v1/sessions/:id', method: 'GET' };
		await registering.sandbox.faults([{ match, times: 4, do: '500' }]);
		const { items } = await registering.register(
			null,
			{ sessionId: byId(upcomingSession) },
			[],
			people,
			{ onError: 'continueRegularOutput' },
		);
		const failed = items.filter(({ error }) => error !== undefined);
		expect(failed).toHaveLength(1);
		expect(items.filter(({ status }) => status === 'registered')).toHaveLength(39);
	});

	test('a person without an address is refused before anything is sent', async () => {
		const { error, requests } = await registering.register({ first_name: 'Ada' });
		expect(error?.message).toBe('There is no email');
		expect(error?.description).toMatch(/every person needs\. This person was not registered\.$/);
		expect(requests).toEqual([]);
	});

	test('an unknown field is the platform’s to name', async () => {
		const { error } = await registering.register({
			email: `${fresh('x')}@example.com`,
			first_name: 'A',
			last_name: 'B',
			horoscope: 'Leo',
		});
		expect(error?.description).toMatch(/horoscope/);
	});
});

function column(id: string, type: string, options?: string[], displayName = id) {
	return {
		id,
		displayName,
		type,
		required: id === 'email',
		defaultMatch: false,
		display: true,
		options: options?.map((value) => ({ name: value, value })),
	};
}
