import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { titleToWrite } from '../../host/provision';

/* Examples are imported into real accounts. Before anything reaches real people, somebody has to have chosen whom. */

interface Locator {
	__rl?: boolean;
	mode?: string;
	value?: unknown;
}

interface Node {
	name: string;
	type: string;
	onError?: string;
	parameters: {
		content?: string;
		resource?: string;
		operation?: string;
		jsCode?: string;
		toEmail?: string;
		html?: string;
		errorMessage?: string;
		text?: string;
		message?: string;
		url?: string;
		bodyParameters?: object;
		maxItems?: string;
		includeOtherFields?: boolean;
		assignments?: { assignments: Array<{ name: string; value: unknown }> };
		conditions?: object;
		events?: string[];
		amount?: string;
		unit?: string;
		resume?: string;
		sessionId?: Locator;
		eventId?: Locator;
		options?: { validateOnly?: boolean; dryRun?: boolean; cellFormat?: string };
	};
}

type Connections = Record<string, Record<string, Array<Array<{ node: string }> | null>>>;

interface Workflow {
	nodes: Node[];
	connections: Connections;
	pinData: Record<string, unknown>;
}

/** A workflow, with the ways in it. */
class Example {
	readonly nodes: Node[];
	/** The nodes that have a sample in place of what they give. */
	readonly pinned: Node[];
	private readonly connections: Connections;

	constructor(readonly file: string) {
		const text = readFileSync(join(folder, file), 'utf8');
		const { nodes, connections, pinData } = JSON.parse(text) as Workflow;
		this.nodes = nodes;
		this.pinned = nodes.filter(({ name }) => name in pinData);
		this.connections = connections;
	}

	/** Whether each way to a node leads through one that is of this kind, or the node itself is. */
	isBehind(node: Node, isOfKind: (node: Node) => boolean, seen: string[] = []): boolean {
		if (isOfKind(node)) return true;
		const before = this.before(node).filter(({ name }) => !seen.includes(name));
		return (
			before.length > 0 &&
			before.every((earlier) => this.isBehind(earlier, isOfKind, [...seen, node.name]))
		);
	}

	/** The nodes from which a way leads to this one. */
	allBefore(node: Node, seen = new Set<Node>()): Set<Node> {
		for (const earlier of this.before(node)) {
			if (seen.has(earlier)) continue;
			seen.add(earlier);
			this.allBefore(earlier, seen);
		}
		return seen;
	}

	/** The nodes that get what an output of this one gives. */
	after({ name }: Node, output: number): Node[] {
		const names = (this.connections[name]?.main?.[output] ?? []).map((to) => to.node);
		return this.nodes.filter((node) => names.includes(node.name));
	}

	private before({ name }: Node): Node[] {
		return this.nodes.filter((node) =>
			(this.connections[node.name]?.main ?? []).flat().some((to) => to?.node === name),
		);
	}
}

const folder = join(__dirname, '../../examples');
const examples = readdirSync(folder)
	.filter((file) => file.endsWith('.json'))
	.map((file) => new Example(file));

const kindOf = ({ type }: Node) => type.split('.').at(-1) ?? '';
const isOurs = (node: Node) => /^eventPlatform(?:Tool)?$/.test(kindOf(node));

/** Operations that change nothing; any other one is taken for a change. */
const reads = /^(?:get|ping|wait|downloadRecording)/;
const changes = (node: Node) => isOurs(node) && !reads.test(node.parameters.operation ?? '');
const onlySays = ({ parameters: { options } }: Node) =>
	options?.validateOnly === true || options?.dryRun === true;

const isOpen = (locator?: Locator) => locator?.mode === 'list' && locator.value === '';
/** A node that does nothing, or fails, before a person has chosen a session or an event, or has written a title. */
const needsChoice = ({ type, parameters }: Node) =>
	!type.endsWith('.stickyNote') &&
	(isOpen(parameters.sessionId) ||
		isOpen(parameters.eventId) ||
		JSON.stringify(parameters).includes(titleToWrite));
/** A node at which a person says yes or no. */
const asks = (node: Node) => node.parameters.operation === 'sendAndWait';

const isStart = (node: Node) => /(?:Trigger|webhook)$/.test(kindOf(node));
const tellsOfEnd = ({ parameters: { events = [] } }: Node) =>
	events.some((event) => ['session.ended', 'recording.ready'].includes(event));
const readsAttendance = (node: Node) =>
	isOurs(node) && /^get(?:Report|People)$/.test(node.parameters.operation ?? '');
/** Livestorm changes the attendance for an hour after the end. The wait is shorter only while somebody tries the workflow. */
const waitsUntilFinal = ({ type, parameters: { resume, unit, amount = '' } }: Node) =>
	type.endsWith('.wait') &&
	resume === 'timeInterval' &&
	unit === 'seconds' &&
	Number(/ : (\d+) \* 60 \}\}$/.exec(amount)?.[1]) >= 65;

/** Nodes that write where people notice it. */
const isMail = (node: Node) => kindOf(node) === 'emailSend';
const isOfCrm = ({ type, parameters: { resource, operation = '' } }: Node) =>
	/\.hubspot$/.test(type) ||
	(/\.salesforce$/.test(type) && resource !== 'search' && !operation.startsWith('get'));
const goesToPeople = ({ parameters: { toEmail = '' } }: Node) => toEmail.startsWith('=');

/** What decides whom a mail goes to, and of how many people while somebody tries the workflow. */
const guardOf = ({ parameters: { toEmail, maxItems, conditions } }: Node) =>
	toEmail ?? maxItems ?? JSON.stringify(conditions);
const isReal =
	/\$execution\.mode === 'production' && \$\('([^']+)'\)\.first\(\)\.json\.is_published && \$\('\1'\)\.first\(\)\.json\.to_registrants/;
const isBound = (node: Node) =>
	/: 2 \}\}|\$itemIndex < 2/.test(guardOf(node)) && isReal.test(guardOf(node));

const nodesThat = (isMeant: (node: Node) => boolean) =>
	examples.flatMap((example) => example.nodes.filter(isMeant).map((node) => ({ example, node })));
const named = ({ example, node }: { example: Example; node: Node }) =>
	[`${example.file}: ${node.name}`, example, node] as const;

const readsBehindEnds = nodesThat(readsAttendance)
	.filter(({ example, node }) => [...example.allBefore(node)].some(tellsOfEnd))
	.map(named);
const allChanges = nodesThat(changes).map(named);
const mailsToPeople = nodesThat((node) => isMail(node) && goesToPeople(node)).map(named);
const bounds = nodesThat(isBound).map(named);
const changesOfCrm = nodesThat(isOfCrm).map(named);
/** Of HubSpot alone: the changes of Salesforce stand one behind the other, and a run that stops would leave out the later ones. */
const contacts = nodesThat(({ type }) => type.endsWith('.hubspot')).map(named);

test('there is something to look at', () => {
	expect(allChanges.length).toBeGreaterThan(10);
	expect(mailsToPeople.length).toBeGreaterThan(2);
	expect(bounds.length).toBeGreaterThan(3);
	expect(changesOfCrm.length).toBeGreaterThan(4);
	expect(readsBehindEnds.length).toBeGreaterThan(4);
	expect(sheetsWritten.length).toBeGreaterThan(1);
	expect(posts.length).toBeGreaterThan(5);
});

test.each(allChanges)(
	'%s changes the platform only after a person has chosen or approved',
	(_, example, node) => {
		const isChosen = example.isBehind(node, (each) => needsChoice(each) || asks(each));
		expect(onlySays(node) || isChosen).toBe(true);
	},
);

test.each(allChanges)(
	'%s gets no invented people, or only says what it would do',
	(_, example, node) => {
		const isInvented = ({ type, parameters }: Node) =>
			/\.(?:code|set)$/.test(type) && /(?<!"you)@example\./.test(JSON.stringify(parameters));
		if (![...example.allBefore(node)].some(isInvented)) return;
		expect(onlySays(node)).toBe(true);
		const notes = example.nodes.map(({ parameters: { content = '' } }) => content).join('\n');
		expect(notes).toContain('**Nobody is registered, because');
		expect(notes).toContain(node.parameters.options?.dryRun ? '*Dry Run*' : '*Validate Only*');
	},
);

test.each(mailsToPeople)(
	'%s goes to real people only from a published workflow whose switch is on, for webinars that a person has named',
	(_, example, node) => {
		const { toEmail = '' } = node.parameters;
		const [, name = ''] = isReal.exec(toEmail) ?? [];
		expect(toEmail).toMatch(/json\.email : \$\('[^']+'\)\.first\(\)\.json\.my_address \}\}$/);
		expect(toEmail.split(`$('${name}').first().json.my_address`)).toHaveLength(2);
		expect(example.isBehind(node, needsChoice)).toBe(true);
	},
);

test.each(
	mailsToPeople.filter(([, example, node]) => [...example.allBefore(node)].some(readsAttendance)),
)('%s goes to two people while somebody tries the workflow', (_, example, node) => {
	expect(example.isBehind(node, isBound)).toBe(true);
});

test.each([...mailsToPeople, ...bounds])(
	'%s asks one switch at the top, which is off, and the data: n8n says production when a try-out is retried',
	(_, example, node) => {
		// The data alone would not do: in the editor, a step can run with the data of a real run.
		const name = isReal.exec(guardOf(node))?.[1];
		const top = example.nodes.find((each) => each.name === name);
		const { includeOtherFields, assignments } = top?.parameters ?? {};
		const [toRegistrants, address, isPublished] = assignments?.assignments ?? [];
		expect(toRegistrants).toMatchObject({ name: 'to_registrants', value: false, type: 'boolean' });
		expect(address).toMatchObject({ name: 'my_address', value: 'you@example.com' });
		expect(isPublished).toMatchObject({ name: 'is_published', type: 'boolean' });
		expect(isPublished?.value).toMatch(/^=\{\{ \$execution\.mode === 'production' /);
		expect(includeOtherFields).toBe(true);
		expect(top && example.isBehind(node, (each) => each === top)).toBe(true);
		// Where something can fail between a start and the switch, a retry would call a try-out published: only the other start counts.
		const [trigger, ...others] = [...(top ? example.allBefore(top) : [])].filter(
			(each) => isStart(each) && kindOf(each) !== 'manualTrigger',
		);
		expect(others).toEqual([]);
		const isAlone = top && example.allBefore(top).size === 1;
		const counts = `&& $('${trigger?.name}').isExecuted`;
		expect(isAlone || String(isPublished?.value).includes(counts)).toBe(true);
	},
);

test.each(changesOfCrm)(
	'%s writes into a CRM for webinars that a person has named, and no sample',
	(_, example, node) => {
		expect(example.isBehind(node, needsChoice)).toBe(true);
		expect(example.pinned.filter((each) => example.allBefore(node).has(each))).toEqual([]);
	},
);

test.each([...mailsToPeople, ...changesOfCrm])(
	'%s gets nobody whose address the platform has made up at a public event',
	(_, example, node) => {
		const leavesOut = ({ type, parameters }: Node) =>
			/\.(?:filter|code)$/.test(type) &&
			JSON.stringify(parameters).includes('@unknown.livestorm.co');
		expect(example.isBehind(node, leavesOut)).toBe(true);
	},
);

test.each([...mailsToPeople, ...contacts])(
	'%s goes on with the others where one person is refused, and the run ends with the names of those',
	(_, example, node) => {
		expect(node.onError).toBe('continueErrorOutput');
		const [stop, ...others] = example.after(node, 1);
		expect(others).toEqual([]);
		expect(stop?.type).toBe('n8n-nodes-base.stopAndError');
		expect(stop?.parameters.errorMessage).toMatch(
			/\$input\.all\(\)\.slice\(0, 20\)\.map\(.*json\.email \|\| 'somebody without an address'\)/,
		);
		expect(stop?.parameters.errorMessage).toContain("($input.all().length - 20) + ' more'");
		// It ends the run, whatever else waits for its turn.
		expect(example.after(node, 0)).toEqual([]);
	},
);

test.each(readsBehindEnds)(
	'%s reads who came to a session that has ended only when that is final',
	(_, example, node) => {
		const isOtherStart = (each: Node) => isStart(each) && !tellsOfEnd(each);
		const isFinal = (each: Node) => waitsUntilFinal(each) || isOtherStart(each);
		expect(example.isBehind(node, isFinal)).toBe(true);
	},
);

test.each(mailsToPeople)('%s has no name of a person as HTML', (_, __, node) => {
	const escaped =
		/first_name\.replace\(\/\[&<\]\/g, \(sign\) => `&#\$\{sign\.charCodeAt\(0\)\};`\)/g;
	const html = node.parameters.html?.replace(escaped, '') ?? '';
	expect(html).not.toMatch(/(?:first|last)_name(?! \? )/);
});

const sheetsWritten = nodesThat(
	({ type, parameters: { operation = '' } }) =>
		type.endsWith('.googleSheets') && /append|update/i.test(operation),
).map(named);

test.each(sheetsWritten)(
	'%s writes what strangers have sent as a text: a campaign such as =IMPORTXML(…) is no formula',
	(_, __, node) => {
		expect(node.parameters.options?.cellFormat).toBe('RAW');
	},
);

const posts = nodesThat(
	({ type, parameters: { url = '' } }) =>
		type.endsWith('.slack') || url.includes('incoming-webhook'),
).map(named);

test.each(posts)(
	'%s calls nobody by what strangers have sent, such as <!channel>',
	(_, __, node) => {
		const { text, message, bodyParameters } = node.parameters;
		const expressions = JSON.stringify([text, message, bodyParameters]).match(/\{\{.*?\}\}/g) ?? [];
		expect(expressions.length).toBeGreaterThan(0);
		// What does not end with it is no text.
		const escaped =
			/\.replaceAll\('&', '&amp;'\)\.replaceAll\('<', '&lt;'\)\.replaceAll\('>', '&gt;'\) \}\}$/;
		const isOpen = (expression: string) =>
			!escaped.test(expression) && !/_count|would_|Url/.test(expression);
		expect(expressions.filter(isOpen)).toEqual([]);
	},
);

test.each(nodesThat(isMail).map(named))(
	'%s has no campaign, question or reason of a stranger as HTML',
	(_, __, { parameters: { html = '' } }) => {
		expect(html).not.toMatch(/utm_|referrer|campaign|\.group|question|reason/);
	},
);
