import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/*
 * n8n's lint reads object literals only, and the nodes build their parameters with functions. Therefore the lint runs over
 * the same descriptions written out as classes of literals.
 */

/** The source of a node class with this description. */
export function nodeSource(className: string, description: INodeTypeDescription): string {
	const properties = description.properties.map(withoutWordsOfN8n);
	return `import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

export class ${className} implements INodeType {
	description: INodeTypeDescription = ${literal({ ...description, properties })};
}
`;
}

/** The source of a credential class with these members. */
export function credentialSource(className: string, credential: ICredentialType): string {
	const members = Object.entries(credential).map(([name, value]) => {
		const type = name === 'properties' ? ': INodeProperties[]' : '';
		return `${name}${type} = ${literal(value)};`;
	});
	return `import type { ICredentialType, INodeProperties } from 'n8n-workflow';

export class ${className} implements ICredentialType {
	${members.join('\n\t')}
}
`;
}

/** The choices of `pollTimes` come from n8n itself, whose own words break its rules. */
function withoutWordsOfN8n(property: INodeProperties): INodeProperties {
	return property.name === 'pollTimes' ? { ...property, options: [] } : property;
}

/**
 * A value as source, with one member on a line and a tab for each level, because some rules read the indentation.
 * Functions and undefined members have no place in a description.
 */
function literal(value: unknown, level = 1): string {
	const lines = (members: readonly string[]) =>
		members.map((member) => `${'\t'.repeat(level + 1)}${member},\n`).join('');
	const end = '\t'.repeat(level);
	if (Array.isArray(value)) {
		return `[\n${lines(value.map((inner) => literal(inner, level + 1)))}${end}]`;
	}
	if (typeof value === 'object' && value !== null) {
		const members = Object.entries(value)
			.filter(([, inner]) => inner !== undefined)
			.map(([name, inner]) => `${keyOf(name)}: ${literal(inner, level + 1)}`);
		return `{\n${lines(members)}${end}}`;
	}
	return typeof value === 'string' ? quoted(value) : String(value);
}

/** Without quotes where it can be, because the rules look for plain names. */
function keyOf(name: string): string {
	return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

function quoted(text: string): string {
	const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
	return `'${escaped}'`;
}
