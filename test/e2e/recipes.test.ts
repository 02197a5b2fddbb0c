import { picture } from '../support/browser/browser';
import type { Canvas } from '../support/browser/canvas';
import { openConnectedEditor, type ConnectedEditor } from '../support/browser/editor';
import {
	heldSession,
	otherSession,
	seededEvent,
	upcomingSession,
} from '../support/platform/seededIds';
import {
	bulkRegister,
	chosenSession,
	eventPlatform,
	manual,
	node,
	workflowOf,
} from '../support/n8n/workflows';
import { byId } from '../support/n8n/locators';

/** Recipes that no example shows, as people build them in the editor. */

let scene: ConnectedEditor;
let canvas: Canvas;

beforeAll(async () => {
	scene = await openConnectedEditor({ sandbox: { rate: 0 } });
	({ canvas } = scene);
});

beforeEach(() => canvas.closeAll());

test('a filter keeps the people who watched the replay', async () => {
	for (let viewers = 0; viewers < 3; viewers++) {
		await scene.sandbox.web.post('/_sandbox/try/replay', {});
	}
	const people = eventPlatform('People of the session', scene.credentials.token, {
		resource: 'session',
		operation: 'getPeople',
		sessionId: chosenSession(heldSession, -32, '10:00 UTC · past · State of the Industry 2026'),
		returnAll: true,
		filters: { role: 'participant' },
		options: { fields: ['email', 'first_name', 'last_name', 'attended', 'has_viewed_replay'] },
	});
	const viewers = node('Watched the replay', 'n8n-nodes-base.filter', watchedReplay, 2.2);
	await scene.show(workflowOf('Replay', manual, people, viewers));
	await canvas.execute();
	await waitUntilDone(viewers.name);
	await canvas.openNode(viewers.name);
	await canvas.showTable('has_viewed_replay');
	await canvas.says('3 items');
	await canvas.widenOutput();
	await picture(scene.browser.page, 'recipe-replay-viewers', { size: wide }, canvas.output);
});

test('a list of people is unregistered, and who was not registered leaves by the error output', async () => {
	await scene.sandbox.register('ada@example.com', { first_name: 'Ada', last_name: 'Lovelace' });
	const list = node('People who leave', 'n8n-nodes-base.code', { jsCode: leaving }, 2);
	const unregister = {
		...eventPlatform('Unregister', scene.credentials.token, {
			resource: 'registration',
			operation: 'unregister',
			sessionId: chosenSession(
				upcomingSession,
				7,
				'11:00 Paris · Europe · Product Tour: Autumn Release',
			),
			by: 'email',
			email: '={{ $json.email }}',
		}),
		onError: 'continueErrorOutput',
	};
	await scene.show(workflowOf('Unregister', manual, list, unregister));
	await canvas.openNode(unregister.name);
	await canvas.executeStep();
	await canvas.showTable('deleted');
	await canvas.says(/^Error Branch \(1 item\)/);
	await picture(scene.browser.page, 'recipe-unregister', { size: panel }, ...settingsAndOutput());
});

test('a sheet with a column of session IDs fills several sessions, and the summary has one item for each', async () => {
	const jsCode = sheet;
	const list = node('Sheet', 'n8n-nodes-base.code', { jsCode }, 2);
	const register = bulkRegister(scene.credentials.token, '', {
		sessionId: byId('={{ $json.session_id }}'),
		output: 'summary',
	});
	await scene.show(workflowOf('Several sessions', manual, list, register));
	await canvas.openNode(register.name);
	await canvas.executeStep();
	await canvas.showTable('registered');
	await canvas.says('2 items');
	// The counts stand behind the ID, the title and the start, which would fill the picture.
	const style =
		':is(th, td):is(:nth-child(1), :nth-child(2), :nth-child(4)) { display: none !important; }';
	await scene.browser.page.addStyleTag({ content: style });
	await picture(
		scene.browser.page,
		'recipe-several-sessions',
		{ size: panel },
		...settingsAndOutput(),
	);
});

test('an event is repeated as a draft with a session next month', async () => {
	const create = eventPlatform('Repeat the event', scene.credentials.token, {
		resource: 'event',
		operation: 'create',
		title: 'Product Tour: Winter Release',
		sessions: {
			session: [
				{
					estimatedStartedAt:
						"={{ $today.plus(1, 'month').set({ hour: 10 }).toFormat(\"yyyy-MM-dd'T'HH:mm\") }}",
					timezone: {
						__rl: true,
						mode: 'list',
						value: 'Europe/Paris',
						cachedResultName: 'Europe/Paris',
					},
				},
			],
		},
		additionalFields: {
			copyFromEventId: {
				__rl: true,
				mode: 'list',
				value: seededEvent,
				cachedResultName: 'Product Tour: Autumn Release',
			},
			status: 'draft',
		},
	});
	await scene.show(workflowOf('Repeat an event', manual, create));
	await canvas.openNode(create.name);
	await canvas.executeStep();
	await canvas.says('1 item');
	await canvas.says('Product Tour: Winter Release');
	const settings = [canvas.part('tab-params'), canvas.part('node-parameters')];
	const size = { width: 1280, height: 1_120 };
	const margin = { x: 0, y: 10, below: 0 };
	await picture(scene.browser.page, 'recipe-repeat-event', { size, margin }, ...settings);
});

test('the browser reports no error', () => {
	expect(scene.browser.errors).toEqual([]);
});

const wide = { width: 1_850, height: 420 };
/** So wide that the settings and the output are as wide as a page shows them. */
const panel = { width: 1_300, height: 620 };

const watchedReplay = {
	conditions: {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		conditions: [
			{
				id: 'watched',
				leftValue: '={{ $json.has_viewed_replay }}',
				rightValue: '',
				operator: { type: 'boolean', operation: 'true', singleValue: true },
			},
		],
		combinator: 'and',
	},
	options: {},
};

const leaving = `return ['ada@example.com', 'nobody@example.com'].map((email) => ({ json: { email } }));`;

const sheet = `return [
	['Ada', 'Lovelace', '${upcomingSession}'],
	['Grace', 'Hopper', '${upcomingSession}'],
	['Alan', 'Turing', '${otherSession}'],
].map(([first_name, last_name, session_id]) => ({ json: {
	email: \`\${first_name.toLowerCase()}@example.org\`, first_name, last_name, company: 'Engines', session_id,
} }));`;

function settingsAndOutput() {
	return [canvas.part('tab-params'), canvas.part('node-parameters'), canvas.output];
}

async function waitUntilDone(name: string) {
	const mark = '[data-test-id="canvas-node-status-success"]';
	await canvas.node(name).locator(mark).first().waitFor();
}
