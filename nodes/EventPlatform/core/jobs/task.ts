import { asFailure, Failure, readError } from '../client/failure';
import { isObject, text, type JsonObject } from '../values/json';
import { listRecords, readPage, type List } from '../client/pages';
import { pathTo, type Ask } from '../client/request';
import { fieldsOf, showAll, type Fields, type Show } from '../records/simplify';
import { isGeneratedAddress, replaceAddresses, sameAddress } from './address';
import { addressesWithin } from './addressesWithin';
import { toldRegistered } from './alreadyRegistered';
import { readJobState } from './jobState';
import { mayMeanNotYet } from './notYet';

export type PersonField = { id: string; value: string | string[] };

export interface Registration {
	readonly fields: readonly PersonField[];
	/** `referrer` and the utm keys, as the platform names them. */
	readonly tracking: Readonly<Record<string, string>>;
}

/** What a person has sent beside the email, as texts. */
export function otherValuesOf({ fields, tracking }: Registration): string[] {
	const answers = fields.filter(({ id }) => id !== 'email').flatMap(({ value }) => value);
	return [...answers, ...Object.values(tracking)];
}

/** Section 2.2; a single registration and its change take the same. */
export function asTask({ fields, tracking }: Registration): JsonObject {
	return { fields: [...fields], ...tracking };
}

/** Why a person was not registered, in the platform's words or ours. */
export type Reason = Record<'code' | 'message', string>;

/** What the errors say, in one sentence; null where there is nothing to say. */
export function reasonOf(errors: readonly Reason[]): string | null {
	const words = [...new Set(errors.map(({ message }) => message.trim()))].filter(Boolean);
	if (words.length === 0) return null;
	const sentence = words.map((one) => one.replace(/\.$/, '')).join('; ');
	return /[!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Section 2.3, without what logs a person in. */
export interface TaskResult {
	status: 'registered' | 'already_registered' | 'failed';
	/** Told to be registered already by words alone, which may mean something else. */
	byWords?: true;
	/** The record's own, as `sameAddress` writes it. The platform may have made it up. */
	email?: string;
	/** Addresses elsewhere in the record, where it does not show an own one that somebody has sent. */
	mentions?: readonly string[];
	/** What is shown of the record. */
	person?: JsonObject;
	errors: readonly Reason[];
}

/** All that was said, once, for people of whom it may concern any: nobody's address is in it. */
export function distinctReasons(results: readonly TaskResult[]): Reason[] {
	const words = new Map<string, Reason>();
	for (const { code, message: said } of results.flatMap(({ errors }) => errors)) {
		const message = replaceAddresses(said, 'the address');
		words.set(`${code} ${message}`, { code, message });
	}
	const distinct = [...words.values()];
	const more = distinct.splice(mostReasons).length;
	if (more === 0) return distinct;
	return [...distinct, { code: 'more_reasons', message: `${more} more reasons are not listed.` }];
}

/** Each is shown for every person that it may be about: fifty of fifty would be 2,500. */
const mostReasons = 10;

/** What is true of each of them, whose result is whose aside; undefined where they differ. */
export function sharedResult(left: readonly TaskResult[]): TaskResult | undefined {
	const [first, ...others] = left;
	if (!first || others.length === 0) return first;
	if (others.some(({ status }) => status !== first.status)) return undefined;
	const byWords = left.some((one) => one.byWords) || undefined;
	const words = distinctReasons(left);
	const errors = words.length > first.errors.length ? [oneOfThese, ...words] : words;
	return { status: first.status, byWords, errors };
}

const oneOfThese: Reason = {
	code: 'one_of_these',
	message: 'The platform did not say who failed for which reason: one of the following applies.',
};

/** Undefined: not finished yet. */
export function readTaskResult(sent: JsonObject, show: Show = showAll): TaskResult | undefined {
	const result = isObject(sent.attributes) && sent.status === undefined ? sent.attributes : sent;
	if (result.status === 'failed') return readFailure([result.errors ?? []].flat().filter(isObject));
	if (result.status !== 'succeeded') return undefined;
	const { data } = result;
	const record = isObject(data) && isObject(data.data) ? data.data : data;
	if (!isObject(record)) return { status: 'registered', errors: [] };
	const fields = fieldsOf(record);
	const email = emailOf(fields);
	const isOwn = email !== undefined && !isGeneratedAddress(email);
	const within = isOwn ? [] : addressesWithin(record);
	const mentions = within.length > 0 ? within : undefined;
	return { status: 'registered', person: show(fields), email, mentions, errors: [] };
}

export function emailOf(fields: Fields): string | undefined {
	return sameAddress(text(fields.get('email'))) || undefined;
}

function readFailure(sent: readonly JsonObject[]): TaskResult {
	const read = sent.map(readError);
	const told = toldRegistered(read);
	const errors = read.map(({ code, title, detail }) => ({
		code: code ?? title ?? 'failed',
		message: detail ?? title ?? code ?? 'The platform gave no reason.',
	}));
	if (told === 'words') return { status: 'already_registered', byWords: true, errors };
	return { status: told === 'code' ? 'already_registered' : 'failed', errors };
}

/** Reads the tasks of jobs, and remembers for the next job what page parameters did to the last. */
export class TaskReader {
	/** Results may move from page to page while a job runs, so its end is asked for first. */
	hasSmallPages = false;
	/** Whether the platform has kept the results of a job to itself that was not over. */
	hidesEarly = false;
	/** Page parameters work by section 4.2; some platforms answer 500 to them. */
	private paging: 'untried' | 'works' | 'broken' = 'untried';

	constructor(readonly show?: Show) {}

	/** Gives the results of a job that may not be over, or the failure that may mean so. */
	async readEarly(ask: Ask, jobId: string, list?: List): Promise<JsonObject[] | Failure> {
		return await this.read(ask, jobId, list).catch((error: unknown) => {
			const failure = asFailure(error);
			if (mayMeanNotYet(failure)) return failure;
			throw failure;
		});
	}

	/** Gives the results as far as there are any. A refusal is a failure unless the platform says that the job is under way. */
	async readSoFar(ask: Ask, jobId: string, list?: List): Promise<JsonObject[]> {
		const shown = await this.readEarly(ask, jobId, list);
		if (!(shown instanceof Failure)) return shown;
		const state = await readJobState(ask, jobId).catch(asFailure);
		if (state instanceof Failure || state.isFinal) throw shown;
		return [];
	}

	async read(ask: Ask, jobId: string, list: List = {}): Promise<JsonObject[]> {
		const path = pathTo`/jobs/${jobId}/tasks`;
		if (this.paging !== 'broken') {
			// A failure may be the parameters' fault, so it is looked at before it is repeated.
			const isTriedBySender = this.paging === 'untried';
			let count = 0;
			const counted: Ask = (request) => {
				count += 1;
				return ask({ ...request, isTriedBySender });
			};
			const paged = await listRecords(counted, path, list).catch(asFailure);
			if (!(paged instanceof Failure)) {
				this.hasSmallPages ||= count > 1;
				this.paging = 'works';
				return paged;
			}
			if (!isTriedBySender || paged.reason !== 'platform_error') throw paged;
		}
		const request = { method: 'GET', path } as const;
		const { records, meta } = readPage(request, await ask(request));
		// Several pages of the usual twenty (4.2): pages do work, it was another failure.
		this.paging = (meta?.lastPage ?? 0) > 0 ? 'works' : 'broken';
		return this.paging === 'works' ? this.read(ask, jobId, list) : records;
	}
}
