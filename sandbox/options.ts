import { parseScopes, scopeProblem } from './oauth/scope';
import {
	BadArgument,
	type Option,
	address,
	decimal,
	oneOf,
	onOff,
	option,
	text,
	whole,
} from './options/kinds';
import { observedTraits } from './options/observed';
import { traits } from './options/traits';

const dayMs = 86_400_000;

/** The values that the sandbox is given when it starts, whatever platform it is. */
const settings = {
	world: oneOf(
		['specification', 'exact', 'wild', 'observed'],
		'specification',
		'Which platform the sandbox imitates: the one of the specification, one that has nothing beyond the specification ("exact" below), one with the values below in the column "wild", or the real one as the last adopted report of `npm run certify` saw it (without a report: the specification)',
	),
	host: text('127.0.0.1', 'Address to listen on'),
	allowHosts: text(
		'',
		'Host names that it accepts besides localhost, such as host.docker.internal, separated by commas',
	),
	port: whole(4010, [0, 65_535], '0 takes a free one'),
	rate: whole(5, [0, 1_000_000], 'Requests per second and token; 0 = unlimited'),
	monthly: whole(10_000, [0, 1_000_000_000], 'Requests per 30 days and token; 0 = unlimited'),
	taskMs: whole(20, [0, dayMs / 24], 'Processing time of one task of a job'),
	jobMs: whole(0, [0, dayMs], 'Time before the first task'),
	latencyMs: whole(0, [0, 600_000], 'Delay of every answer'),
	tokenTtl: whole(7200, [1, 31_536_000], 'Lifetime of an access token in seconds'),
	redirectUri: address(
		'http://localhost:5678/rest/oauth2-credential/callback',
		"Registered for the client; n8n's callback on this machine",
	),
	scope: scopes('events:write webhooks:write', 'Configured for the client'),
	webhookSecret: text('', 'Signs deliveries'),
	webhookRetryFactor: decimal(
		1,
		[0, 1_000],
		'Multiplies the delays between retries of a delivery, for tests',
	),
	filesUrl: text(
		'',
		'Where the links to recordings lead, such as another sandbox; by default to this one',
	),
	data: text(
		'',
		'File that keeps the state across restarts and kills; without it the state is in memory',
	),
	seedPeople: whole(0, [0, 1_000_000], 'Registrants to start with'),
	seedEvents: whole(3, [0, 100_000], 'Events to start with'),
	apiTokenScope: scopes('full:write', 'What the API token may do'),
	recordingBytes: whole(48_000_000, [1, 2 ** 40], 'Size of each recording to start with'),
	allowHttpWebhooks: onOff(true, '`--no-allow-http-webhooks` requires HTTPS'),
};

/** Every option: the command line, the README and the page take theirs from here. */
export const optionTable = { ...settings, ...traits };

type Values<Table> = { [Name in keyof Table]: Table[Name] extends Option<infer T> ? T : never };

export type SandboxOptions = Values<typeof optionTable>;
export type OptionName = keyof SandboxOptions;
export type TraitName = keyof typeof traits;
export type World = SandboxOptions['world'];

export const optionNames = Object.keys(optionTable) as OptionName[];
export const traitNames = Object.keys(traits) as TraitName[];

/** Section 4.3 and nothing more, as strict as the text. What is "not shown" has a trait of its own. */
const exactTraits: Partial<SandboxOptions> = {
	endpoints: 'specified',
	strict: true,
	oauthParams: 'query',
	limitHeaders: false,
	recordFields: 'few',
	deliveryMeta: false,
};

/** Every option as it is in a world, unless it is given. */
export function defaultsOf(world: World): SandboxOptions {
	const ofWorld = changesOf(world);
	const entries = optionNames.map((name): [string, unknown] => {
		const { standard }: Option = optionTable[name];
		return [name, ofWorld[name] ?? standard];
	});
	return { ...(Object.fromEntries(entries) as SandboxOptions), world };
}

/** The options that a world sets otherwise than the one of the specification. */
function changesOf(world: World): Readonly<Record<string, unknown>> {
	if (world === 'exact') return exactTraits;
	if (world === 'observed') return observedTraits() ?? {};
	if (world === 'specification') return {};
	return Object.fromEntries(
		traitNames.map((name) => {
			const { wild }: Option = optionTable[name];
			return [name, wild];
		}),
	);
}

/** Makes an option for scopes. A scope that could never be granted is a mistake now, and not at the first consent. */
function scopes(standard: string, meaning: string): Option<string> {
	return option(standard, [meaning], (value, flag) => {
		const problem = scopeProblem(parseScopes(value));
		if (problem === null) return value;
		throw new BadArgument(`${flag} cannot be '${value}'. ${problem}`);
	});
}
