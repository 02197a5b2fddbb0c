import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/*
 * n8n's lint reads object literals only, and the nodes build their parameters with functions. Therefore the lint runs over
 * the same descriptions written out as classes of literals. Each line knows what it describes, so that a message of the
 * lint can name it.
 */

/** A line of the source of a description. */
export interface SourceLine {
	/** The line with its indentation, because some rules read that. */
	text: string;
	/** The objects that the line stands in, the outermost first. */
	objects: readonly object[];
}

/** A value has its name before it, and a mark after it. */
interface Surroundings {
	before: string;
	after: string;
	/** How many tabs the line begins with. */
	level: number;
	objects: readonly object[];
}

/** The source of a node class with this description. */
export function nodeSource(className: string, description: INodeTypeDescription): SourceLine[] {
	const properties = description.properties.map(withoutWordsOfN8n).map(withExemptChoiceSortedIn);
	return [
		code("import type { INodeType, INodeTypeDescription } from 'n8n-workflow';"),
		code(''),
		code(`export class ${className} implements INodeType {`),
		...memberOf('description: INodeTypeDescription', { ...description, properties }, []),
		code('}'),
	];
}

/** The source of a credential class with these members. */
export function credentialSource(className: string, credential: ICredentialType): SourceLine[] {
	return [
		code("import type { ICredentialType, INodeProperties } from 'n8n-workflow';"),
		code(''),
		code(`export class ${className} implements ICredentialType {`),
		...Object.entries(credential).flatMap(([name, value]) =>
			memberOf(name === 'properties' ? 'properties: INodeProperties[]' : name, value, [credential]),
		),
		code('}'),
	];
}

/** The choices of `pollTimes` come from n8n itself, whose own words break its rules. */
function withoutWordsOfN8n(property: INodeProperties): INodeProperties {
	return property.name === 'pollTimes' ? { ...property, options: [] } : property;
}

/** Exempt from the lint's alphabetical order: they stand first, because most people or a first run need them. */
const exemptChoices = ['registration', 'validateOnly', 'dryRun'];

/** The lint still checks the words of the exempt choice, and the order of the others. */
function withExemptChoiceSortedIn(property: INodeProperties): INodeProperties {
	const [first, ...others] = property.options ?? [];
	const name = first && ('value' in first ? first.value : first.name);
	if (!first || !exemptChoices.includes(String(name))) return property;
	const titleOf = (choice: typeof first) =>
		'displayName' in choice ? choice.displayName : choice.name;
	const next = others.findIndex((choice) => titleOf(choice).localeCompare(titleOf(first)) > 0);
	const place = next === -1 ? others.length : next;
	return { ...property, options: others.toSpliced(place, 0, first) };
}

function code(text: string): SourceLine {
	return { text, objects: [] };
}

/** A member of the class. */
function memberOf(declaration: string, value: unknown, objects: readonly object[]): SourceLine[] {
	return linesOf(value, { before: `${declaration} = `, after: ';', level: 1, objects });
}

/**
 * A value as source, with one member on a line, because some rules read the lines. Functions and undefined members have no
 * place in a description.
 */
function linesOf(value: unknown, { before, after, level, objects }: Surroundings): SourceLine[] {
	const line = (text: string, inside = objects): SourceLine => ({
		text: '\t'.repeat(level) + text,
		objects: inside,
	});
	if (Array.isArray(value)) {
		const item = { before: '', after: ',', level: level + 1, objects };
		const items = value.flatMap((inner) => linesOf(inner, item));
		return [line(`${before}[`), ...items, line(`]${after}`)];
	}
	if (typeof value === 'object' && value !== null) {
		const inside = [...objects, value];
		const members = Object.entries(value)
			.filter(([, inner]) => inner !== undefined)
			.flatMap(([name, inner]) => {
				const member = { before: `${keyOf(name)}: `, after: ',', level: level + 1 };
				return linesOf(inner, { ...member, objects: inside });
			});
		return [line(`${before}{`, inside), ...members, line(`}${after}`, inside)];
	}
	return [line(`${before}${typeof value === 'string' ? quoted(value) : String(value)}${after}`)];
}

/** Writes a name without quotes where it can, because the rules look for plain names. */
function keyOf(name: string): string {
	return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

function quoted(text: string): string {
	const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
	return `'${escaped}'`;
}
