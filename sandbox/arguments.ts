import { parseArgs } from 'node:util';
import { parseScopes, scopeProblem } from './access/scope';
import type { SandboxOptions } from './options';

/** An argument that makes no sense, in one sentence. */
export class BadArgument extends Error {
	override readonly name = 'BadArgument';
}

type Name = keyof SandboxOptions;
type Read = (text: string, flag: string) => string | number | boolean;

const readers: Record<Name, Read | 'switch'> = {
	host: text,
	port: whole(0, 65_535),
	rate: whole(0, 1_000_000),
	monthly: whole(0, 1_000_000_000),
	taskMs: whole(0, 3_600_000),
	jobMs: whole(0, 86_400_000),
	earlyResults: oneOf('partial', 'empty', '404'),
	tasksPaging: oneOf('spec', 'broken'),
	jobShape: oneOf('flat', 'wrapped'),
	latencyMs: whole(0, 600_000),
	tokenTtl: whole(1, 31_536_000),
	rotateRefresh: 'switch',
	redirectUri: address,
	scope: scopes,
	oauthParams: oneOf('any', 'query', 'form'),
	webhookSecret: text,
	webhookRetryFactor: fraction,
	data: text,
	seedPeople: whole(0, 1_000_000),
	seedEvents: whole(0, 100_000),
	allowHttpWebhooks: 'switch',
};

/** `--seed-people 100` becomes `{seedPeople: 100}`; `--no-…` turns a switch off. */
export function readArguments(args: readonly string[]): Partial<SandboxOptions> {
	const names = Object.keys(readers) as Name[];
	const { tokens } = parseArgs({
		args: [...args],
		strict: false,
		tokens: true,
		options: Object.fromEntries(
			names.map((name) => [
				kebab(name),
				{ type: readers[name] === 'switch' ? ('boolean' as const) : ('string' as const) },
			]),
		),
	});
	const options: Record<string, string | number | boolean> = {};
	for (const token of tokens) {
		if (token.kind === 'option-terminator') continue;
		if (token.kind === 'positional') throw new BadArgument(`I do not understand '${token.value}'.`);
		const off = token.rawName.startsWith('--no-');
		const flag = token.rawName.replace(/^--no-/, '--');
		const name = names.find((one) => `--${kebab(one)}` === flag);
		const reader = name && readers[name];
		if (!reader || (off && reader !== 'switch')) {
			throw new BadArgument(`There is no option ${token.rawName}. Options: ${known(names)}.`);
		}
		options[name] =
			reader === 'switch'
				? readSwitch(flag, token.value, off)
				: reader(required(flag, token.value), flag);
	}
	return options;
}

function known(names: readonly Name[]): string {
	return names.map((name) => `--${kebab(name)}`).join(', ');
}

function kebab(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function required(flag: string, value: string | undefined): string {
	if (value !== undefined) return value;
	throw new BadArgument(`${flag} needs a value.`);
}

function readSwitch(flag: string, value: string | undefined, off: boolean): boolean {
	if (value === undefined) return !off;
	if (!off && (value === 'true' || value === 'false')) return value === 'true';
	throw new BadArgument(`${flag} takes no value, or true or false; it was '${value}'.`);
}

function text(value: string): string {
	return value;
}

/** What could never be granted is a mistake now, and not at the first consent. */
function scopes(value: string, flag: string): string {
	const problem = scopeProblem(parseScopes(value));
	if (problem === null) return value;
	throw new BadArgument(`${flag} cannot be '${value}'. ${problem}`);
}

function address(value: string, flag: string): string {
	if (URL.canParse(value)) return value;
	throw new BadArgument(`${flag} must be a full URL; it was '${value}'.`);
}

function fraction(value: string, flag: string): number {
	const number = Number(value);
	if (value.trim() !== '' && number >= 0 && number <= 1_000) return number;
	throw new BadArgument(`${flag} must be a number from 0 to 1000; it was '${value}'.`);
}

function whole(least: number, most: number): Read {
	return (value, flag) => {
		const number = Number(value);
		if (/^\d+$/.test(value) && number >= least && number <= most) return number;
		throw new BadArgument(
			`${flag} must be a whole number from ${least} to ${most}; it was '${value}'.`,
		);
	};
}

function oneOf(...choices: string[]): Read {
	return (value, flag) => {
		if (choices.includes(value)) return value;
		throw new BadArgument(`${flag} must be ${choices.join(' or ')}; it was '${value}'.`);
	};
}
