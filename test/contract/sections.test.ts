import { readDocument } from '../support/readDocument';

/** The sections of the platform's specification that say something which an API document can hold. */
const sections = [
	'1',
	...['2.1', '2.2', '2.3', '2.4', '2.5', '2.6'],
	...['3.1', '3.2'],
	...['4.1', '4.2', '4.3'],
	...['5.1', '5.2', '5.3'],
	'6',
	'7',
	'8',
	'9',
];

type Node = Record<string, unknown>;

/** Every part of the contract that names its section, with the way to it. */
function* marked(node: unknown, path: string[] = []): Generator<[path: string, section: string]> {
	if (typeof node !== 'object' || node === null) return;
	const marks = (node as Node)['x-section'];
	for (const mark of marks === undefined ? [] : [marks].flat()) {
		yield [path.join('/'), mark as string];
	}
	for (const [key, value] of Object.entries(node)) yield* marked(value, [...path, key]);
}

const document = readDocument();
const marks = [...marked(document)];
const told = new Set(marks.map(([, section]) => section));

test('the contract tells where each section of the specification is, and names no other', () => {
	expect([...told].sort()).toEqual(sections);
});

test('what is marked as specified names its section', () => {
	const { components, paths, webhooks } = document;
	const groups = [
		...(Object.values(paths) as Node[]),
		...(Object.values(webhooks) as Node[]),
		...(Object.values(components) as Node[]),
	];
	const lacking = groups.flatMap((group) =>
		Object.entries(group)
			.filter(([, part]) => (part as Node)['x-evidence'] === 'specified')
			.filter(([, part]) => (part as Node)['x-section'] === undefined)
			.map(([name]) => name),
	);
	expect(lacking).toEqual([]);
});
