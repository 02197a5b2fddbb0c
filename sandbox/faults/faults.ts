import { errorsText, shape } from '../check';
import { Refusal } from '../refusal';

const deeds = [
	'429',
	'500',
	'html-400',
	'html-502',
	'empty-400',
	'empty-403',
	'reset-before',
	'reset-after',
	'hang',
	'truncate',
	'empty-page',
	'expire-token',
	'expire-link',
] as const;

export type Deed = (typeof deeds)[number];

/** One thing that shall go wrong, and the requests on which it does. */
export interface Fault {
	match: {
		/** Any method, when absent. */
		method?: string;
		/** `:name` stands for one segment, `*` for anything. */
		path: string;
		/** Parameters that must have these values. */
		query?: Record<string, string>;
	};
	/** Matching requests that are answered as usual before the first that is not. */
	after: number;
	times: number;
	do: Deed;
	/** Seconds. */
	retryAfter?: number;
}

const schema = {
	type: 'array',
	maxItems: 1000,
	items: {
		type: 'object',
		required: ['match', 'do'],
		additionalProperties: false,
		properties: {
			match: {
				type: 'object',
				required: ['path'],
				additionalProperties: false,
				properties: {
					method: { enum: ['GET', 'POST', 'PATCH', 'DELETE'] },
					path: { type: 'string', pattern: '^/', maxLength: 300 },
					query: { type: 'object', additionalProperties: { type: 'string' } },
				},
			},
			after: { type: 'integer', minimum: 0, default: 0 },
			times: { type: 'integer', minimum: 1, default: 1 },
			do: { enum: deeds },
			retryAfter: { type: 'integer', minimum: 0 },
		},
	},
} as const;

const isFaults = shape<Fault[]>(schema);

export function readFaults(body: unknown): Fault[] {
	if (isFaults(body)) return body;
	const why = errorsText(isFaults, 'faults');
	throw new Refusal(400, `${why}. Known deeds: ${deeds.join(', ')}.`);
}

interface Pending {
	fault: Fault;
	path: RegExp;
}

interface Arrival {
	method: string;
	path: string;
	query: URLSearchParams;
}

/** The faults that are still to happen, in the order in which they were asked for. */
export class Faults {
	private pending: Pending[] = [];

	add(faults: readonly Fault[]): void {
		this.pending.push(...faults.map((fault) => ({ fault, path: pathPattern(fault.match.path) })));
	}

	clear(): void {
		this.pending = [];
	}

	left(): Fault[] {
		return this.pending.map(({ fault }) => fault);
	}

	/** The fault for this request, if there is one; it is then used up by one time. */
	take(arrival: Arrival): Fault | undefined {
		for (const [index, { fault, path }] of this.pending.entries()) {
			if (!matches(fault, path, arrival)) continue;
			if (fault.after > 0) {
				fault.after -= 1;
				continue;
			}
			fault.times -= 1;
			if (fault.times === 0) this.pending.splice(index, 1);
			return fault;
		}
		return undefined;
	}
}

function matches({ match }: Fault, pattern: RegExp, { method, path, query }: Arrival): boolean {
	if (match.method !== undefined && match.method !== method) return false;
	if (!pattern.test(path)) return false;
	return Object.entries(match.query ?? {}).every(([name, value]) => query.get(name) === value);
}

function pathPattern(path: string): RegExp {
	const source = path
		.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
		.replace(/:\w+/g, '[^/]+')
		// One star where several stand in a row: they mean the same and cost exponentially.
		.replace(/\*+/g, '.*');
	return new RegExp(`^${source}$`);
}
