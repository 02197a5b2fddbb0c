import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isNode, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { observedName } from '../sandbox/options/observed';
import type { Report, ReportRow } from './report';
import type { Row, Traits } from './row';
import { rows } from './rows';
import { uses } from './uses';

/** The adopted reports saw this last of each statement. It stands beside the contract, and the sandbox reads it. */
export interface Observed {
	date: string;
	rows: Record<
		string,
		{ state: 'holds' | 'differs'; date: string; came?: string; traits?: Traits }
	>;
}

/** Writes the evidence into the contract, and says what has to change where the platform differs. */
export function adopt(report: Report, folder: string): string[] {
	const file = join(folder, 'openapi.yaml');
	writeFileSync(file, withEvidence(readFileSync(file, 'utf8'), report));
	const seen = observedWith(report, readObserved(folder));
	writeFileSync(join(folder, observedName), `${JSON.stringify(seen, null, 2)}\n`);
	// A line may have become too long.
	const prettier = join(__dirname, '../node_modules/prettier/bin/prettier.cjs');
	const config = join(__dirname, '../.prettierrc.json');
	spawnSync(process.execPath, [
		prettier,
		'--config',
		config,
		'--write',
		file,
		join(folder, observedName),
	]);
	return report.rows.filter(({ state }) => state === 'differs').map(toChange);
}

export function readObserved(folder: string): Observed | undefined {
	const file = join(folder, observedName);
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Observed) : undefined;
}

/** Comments, order and layout stay. A node is observed when a row about it held and none differs. */
function withEvidence(contract: string, { rows: reported, date }: Report): string {
	const document = parseDocument(contract);
	const stateOf = new Map(reported.map(({ id, state }) => [id, state]));
	const evidence = rows.flatMap((row) => row.evidence ?? []);
	const nodes = new Map(evidence.map((path) => [path.join('/'), path]));
	const edits = [...nodes].flatMap(([name, path]) => {
		const states = rows.filter((row) => isAbout(row, name)).map(({ id }) => stateOf.get(id));
		const node = document.getIn(path);
		if (!isMap(node) || !states.includes('holds') || states.includes('differs')) return [];
		return editsOf(contract, node, date);
	});
	// The edits are made from the end, so that the places before them stay where they are.
	return edits
		.sort((a, b) => b.from - a.from)
		.reduce((text, { from, to, put }) => text.slice(0, from) + put + text.slice(to), contract);
}

interface Edit {
	from: number;
	to: number;
	put: string;
}

function editsOf(contract: string, node: YAMLMap, date: string): Edit[] {
	const [first] = node.items;
	const start = rangeOf(first?.key)[0];
	const indent = ' '.repeat(start - contract.lastIndexOf('\n', start) - 1);
	const between = node.flow ? ', ' : `\n${indent}`;
	const day = `'${date}'`;
	const [mark, when] = ['x-evidence', 'x-observed'].map((name) =>
		node.items.find(({ key }) => isScalar(key) && key.value === name),
	);
	const replace = (value: unknown, put: string): Edit => {
		const [from, to] = rangeOf(value);
		return { from, to, put };
	};
	if (when) return [replace(when.value, day)];
	if (mark) return [replace(mark.value, `observed${between}x-observed: ${day}`)];
	const put = `x-evidence: observed${between}x-observed: ${day}${between}`;
	return [{ from: start, to: start, put }];
}

function rangeOf(node: unknown): readonly [from: number, to: number] {
	const range = isNode(node) ? node.range : undefined;
	if (!range) throw new Error('The contract has a node without a place');
	return [range[0], range[1]];
}

function isAbout({ evidence = [] }: Row, name: string): boolean {
	return evidence.some((path) => path.join('/') === name);
}

function observedWith({ rows: reported, date }: Report, before?: Observed): Observed {
	const seen = reported.flatMap(({ id, state, came, traits }) =>
		state === 'not seen'
			? []
			: [[id, { state, date, ...(came && { came }), ...(traits && { traits }) }] as const],
	);
	return { date, rows: { ...before?.rows, ...Object.fromEntries(seen) } };
}

function toChange({ id, says, promised, came, reliesOn }: ReportRow): string {
	const features = reliesOn.map((use) => uses[use]);
	return `${id}: ${says}. Promised: ${promised}; came: ${came}. Look at contract/openapi.yaml, and at: ${features.join('; ')}`;
}

/** Statements that were seen before and now, and differ in what was seen. */
export function changesSince(report: Report, before: Observed): string[] {
	return report.rows.flatMap(({ id, says, state, came }) => {
		const adopted = before.rows[id];
		if (!adopted || state === 'not seen') return [];
		if (adopted.state === state && adopted.came === came) return [];
		const now = came === undefined ? state : `${state} (${came})`;
		return [`${says} (${id}): ${adopted.state} on ${adopted.date}, now ${now}`];
	});
}
