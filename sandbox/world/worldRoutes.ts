import type { FastifyInstance } from 'fastify';
import {
	type SandboxOptions,
	type TraitName,
	defaultsOf,
	optionTable,
	traitNames,
} from '../options';
import { BadArgument, type Option, type Value, flagOf } from '../options/kinds';
import type { Platform } from '../platform';
import { Refusal } from '../refusal';

/** Which platform this is, and the control path that makes it another one until the next reset. */
export function addWorldRoutes(app: FastifyInstance, { options, onReset }: Platform): void {
	const atStart = worldOf(options);
	onReset(() => void Object.assign(options, atStart));

	app.get('/_sandbox/world', () => worldOf(options));
	app.post('/_sandbox/world', ({ body }) => {
		Object.assign(options, readWorld(body));
		return worldOf(options);
	});
}

/** A trait of a platform, for people. */
export interface TraitInWords {
	/** The name of the trait, as the option of the command is called. */
	trait: string;
	value: Value;
	/** The effect that this value has on the platform. */
	meaning: string;
}

/** The traits in which a platform differs from the one of the specification, for people. */
export function differences(options: SandboxOptions): TraitInWords[] {
	return traitNames
		.filter((name) => options[name] !== optionTable[name].standard)
		.map((name) => ({
			trait: flagOf(name).slice(2),
			value: options[name],
			meaning: optionTable[name].meaning.replaceAll('`', ''),
		}));
}

type WorldValues = Pick<SandboxOptions, TraitName | 'world'>;

function worldOf(options: SandboxOptions): WorldValues {
	const names = ['world', ...traitNames] as const;
	return Object.fromEntries(names.map((name) => [name, options[name]])) as WorldValues;
}

/** `{"world": "wild"}` sets every trait, a trait beside it only itself. */
function readWorld(body: unknown): Partial<WorldValues> {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) {
		throw new Refusal(400, 'Send an object, such as {"world": "wild"} or {"limiter": "fixed"}.');
	}
	const entries = Object.entries(body).map(([name, value]) => [name, readTrait(name, value)]);
	const read = Object.fromEntries(entries) as Partial<WorldValues>;
	return read.world === undefined ? read : { ...worldOf(defaultsOf(read.world)), ...read };
}

function readTrait(name: string, value: unknown): Value {
	const names: readonly string[] = ['world', ...traitNames];
	if (!names.includes(name)) {
		throw new Refusal(
			400,
			`There is no trait '${name.slice(0, 60)}'. It takes ${names.join(', ')}.`,
		);
	}
	const option: Option = optionTable[name as TraitName | 'world'];
	if (typeof value !== typeof option.standard) {
		throw new Refusal(400, `${name} takes a ${typeof option.standard}.`);
	}
	try {
		return option.read(String(value), name);
	} catch (error) {
		if (error instanceof BadArgument) throw new Refusal(400, error.message);
		throw error;
	}
}
