import { registered } from '../support/platform/registrants';
import { ExampleScene, past, upcoming } from './exampleScene';

/* Examples that a webinar team asks for between the webinars. Other services do nothing here. */

let scene: ExampleScene;
const done = [{ ok: true }];

beforeAll(async () => {
	scene = await ExampleScene.open();
	await scene.account('slackApi', { accessToken: 'none' });
	await scene.account('hubspotAppToken', { appToken: 'none' });
	await scene.account('googleSheetsOAuth2Api', { clientId: 'none', clientSecret: 'none' });
	await scene.account('smtp', { user: 'none', password: 'none', host: '127.0.0.1' });
	await scene.account('stripeApi', { secretKey: 'none' });
});

afterAll(() => scene.close());

test('the people of a day are one message, which names twenty of them', async () => {
	for (let number = 1; number <= 22; number++) {
		await scene.sandbox.register(`today${number}@example.org`, { first_name: `Tess${number}` });
	}
	const pinned = { 'Tell Slack': done };
	const workflow = await scene.imported('day-in-slack', undefined, upcoming, pinned);
	const [message] = (await scene.run(workflow)).output('Write the message');
	expect(message?.['text']).toMatch(
		/^22 new for Product Tour: Autumn Release, Europe since yesterday, \d+ in all: .*Tess\d+.* and 2 more$/,
	);
});

test('the questions and the chat of a session go to sheets, and those without an answer to their owner', async () => {
	const pinned = {
		'Questions to a sheet': done,
		'Chat to a sheet': done,
		'Mail the unanswered ones': done,
	};
	const workflow = await scene.imported('questions-after-the-webinar', undefined, past, pinned);
	const execution = await scene.run(workflow);
	const questions = execution.output('Questions');
	expect(questions.length).toBeGreaterThan(0);
	expect(execution.output('Chat').length).toBeGreaterThan(0);
	const open = questions.filter(({ response }) => !response);
	expect(execution.output('Without an answer', 0)).toEqual(open);
	expect(execution.output('All of them')).toHaveLength(open.length > 0 ? 1 : 0);
});

test('who stayed and took part becomes a contact, and nobody else', async () => {
	const person = { email: 'hot@example.org', segment: 'attended', engagement: 3, minutes: 41.2 };
	const people = [
		person,
		{ ...person, email: 'left@example.org', segment: 'left_early' },
		{ ...person, email: 'quiet@example.org', engagement: 0 },
		{ ...person, email: '1+2@unknown.livestorm.co' },
	];
	const workflow = await scene.imported('hot-leads-to-hubspot', undefined, past, {
		'Who came': people,
		'The contact': done,
	});
	expect((await scene.run(workflow)).output('Hot leads', 0)).toMatchObject([person]);
	const asItIs = await scene.imported('hot-leads-to-hubspot', () => ({}), past, {
		'The contact': done,
	});
	expect((await scene.run(asItIs)).output('Who came').length).toBeGreaterThan(0);
});

test('a row of a sheet becomes a session once, and gets its ID', async () => {
	const row = { start: '2031-03-01T10:00:00', timezone: 'Europe/Paris', name: 'March' };
	const workflow = await scene.imported('sheet-of-dates', undefined, upcoming, {
		'The dates': [
			{ ...row, row_number: 2, session_id: '' },
			{ ...row, row_number: 3, session_id: 'made before' },
		],
		'Remember the session': done,
	});
	const execution = await scene.run(workflow);
	const made = execution.output('Make the session');
	expect(made).toMatchObject([{ name: 'March', timezone: 'Europe/Paris' }]);
	expect(execution.output('Its row')).toEqual([{ row_number: 2, session_id: made[0]?.['id'] }]);
});

test('a payment registers who has paid for this webinar, and nobody else', async () => {
	const paid = (email: string, link: string) => ({
		data: {
			object: {
				payment_status: 'paid',
				payment_link: link,
				customer_details: { email, name: 'Pat Payer' },
			},
		},
	});
	const trigger = 'When somebody has paid';
	const workflow = await scene.imported('stripe-to-registration', undefined, upcoming, {
		[trigger]: [paid('pat@example.org', 'plink_…'), paid('other@example.org', 'plink_other')],
		'Send the link': done,
	});
	const [person, ...others] = (await scene.run(workflow, trigger)).output('Register');
	expect(person).toMatchObject({ email: 'pat@example.org', first_name: 'Pat', last_name: 'Payer' });
	expect(person?.['join_link']).toMatch(/^https:/);
	expect(others).toEqual([]);
	expect(await registered(scene.sandbox)).not.toContain('other@example.org');
});
