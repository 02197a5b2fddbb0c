// Writes examples/README.md from the notes on the canvases of the examples; with --check it only compares.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { anchorOf, writePage } from './page.mjs';
import { root } from './root.mjs';

/** The order in which people look for the examples. */
const groups = {
	'Register people': [
		'list-by-upload',
		'google-sheet-to-slack',
		'register-a-list',
		'form-on-your-own-page',
		'one-form-several-dates',
		'stripe-to-registration',
		'nightly-sync-mail',
		'hubspot-list-in-step',
		'move-registrants',
		'sheet-of-dates',
	],
	'Before a session': [
		'invitation-with-calendar',
		'reminders',
		'calendar-after-a-change',
		'calendar-to-subscribe-to',
		'sessions-for-a-website',
		'few-registrations',
		'day-in-slack',
		'registrants-to-a-sheet',
	],
	'After a session': [
		'after-the-webinar',
		'report-after-the-webinar',
		'the-month',
		'questions-after-the-webinar',
		'recording-to-recap',
		'recordings-to-a-folder',
	],
	'In your CRM': [
		'campaign-members-hubspot',
		'campaign-members-salesforce',
		'hot-leads-to-hubspot',
	],
	'Agents and alerts': ['agent-with-the-platform', 'mcp-server-with-approval', 'alert-on-failure'],
};

/** What somebody has to have for a node, by the end of its type. */
const needs = {
	slack: 'Slack',
	googleSheets: 'Google Sheets',
	hubspot: 'HubSpot',
	salesforce: 'Salesforce',
	stripeTrigger: 'Stripe',
	emailSend: 'a mail account',
	openAi: 'OpenAI',
	agent: 'a language model',
	dataTable: 'a data table',
	dataTableTool: 'a data table',
	readWriteFile: 'a folder that n8n may write to',
	eventPlatformTrigger: 'an n8n that Livestorm reaches',
	formTrigger: 'an n8n that visitors reach',
	webhook: 'an n8n that visitors reach',
	mcpTrigger: 'an n8n that the client reaches',
};

const names = readdirSync(join(root, 'examples'))
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.replace('.json', ''));
const inOrder = Object.values(groups).flat();
const unknown = [
	...names.filter((name) => !inOrder.includes(name)),
	...inOrder.filter((name) => !names.includes(name)),
];
if (unknown.length > 0) throw new Error(`Groups and files differ: ${unknown.join(', ')}`);

const text = [
	'# Example workflows',
	'',
	'A note on each canvas says, step by step, what to choose.',
	'',
	'On GitHub, save a file with _Download raw file_. In n8n, open the menu (…) beside the name of a new workflow and choose _Import → From',
	'file_ (in older versions _Import from File_). All but the alert need your Event Platform credential. The browser tests run each against the',
	'sandbox, with other services simulated.',
	'',
	'**No import changes anything.** No example registers, changes or mails anybody before you have chosen the session, the event or a part of the',
	'title of your webinars, or a person has approved it. A workflow that mails registrants has a node such as **Who gets the mails**: while its',
	'_to_registrants_ is off, the mails go to _my_address_. A run that you start in the editor, and its _Retry_, mail nobody else, also with the',
	'switch on. A CRM is changed also while you try. Only the examples of _Register people_ and the two for agents write to Livestorm.',
	'',
	Object.keys(groups)
		.map((group) => `[${group}](#${anchorOf(group)})`)
		.join(' · '),
	'',
	'When you try one:',
	'',
	'- A red triangle marks a node in which something is missing. Select a node that you do not use and press D: it is left out.',
	'- _Execute workflow_ starts where the button says; the arrow beside it lists the other starts, mostly **Now**. Nothing then waits for the',
	'  hour after a session.',
	'- A pin marks a trigger with a sample of the sandbox in it. With your own account, open the node, choose _Unpin_, and let the event happen.',
	'- Where a mail or a HubSpot contact is refused, the others go on. The run then fails, and its error names up to 20 people who are missing.',
	'- At a public event, whose form asks for no email, Livestorm makes addresses up. They get no mail and become no contact.',
	'- If Livestorm does not reach your n8n, the [polling trigger](../docs/triggers.md) can stand in place of the trigger.',
	'',
	...Object.entries(groups).flatMap(([group, members]) => [
		`## ${group}`,
		'',
		...members.flatMap(section),
	]),
].join('\n');

writePage('examples/README.md', text);

function section(name) {
	const { title, purpose, nodes } = read(name);
	const kinds = nodes.map(({ type }) => type.split('.').at(-1));
	const needed = unique(kinds.flatMap((kind) => needs[kind] ?? []));
	if (nodes.some(({ parameters }) => parameters.nodeCredentialType === 'hubspotAppToken'))
		needed.unshift('HubSpot');
	return [
		`### ${title}`,
		'',
		`[\`${name}.json\`](${name}.json): ${purpose}`,
		'',
		...(needed.length > 0 ? [`**Needs:** ${unique(needed).join(', ')}.`, ''] : []),
		`![The workflow on n8n's canvas](../docs/images/example-${name}.png)`,
		'',
	];
}

/** The note begins with the title, and says below it in one paragraph what the workflow is for. */
function read(name) {
	const { nodes } = JSON.parse(readFileSync(join(root, 'examples', `${name}.json`), 'utf8'));
	const note = nodes.find(({ type }) => type.endsWith('.stickyNote'));
	const [, title, purpose] = /^## (.+)\n\n(.+)$/m.exec(note.parameters.content) ?? [];
	if (purpose === undefined || /^(?:\d+\.|-|\*\*\d)/.test(purpose)) {
		throw new Error(`The first note of ${name} does not say what it is for.`);
	}
	return { title, purpose, nodes };
}

function unique(values) {
	return [...new Set(values)];
}
