import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import type {
	ApiResponse,
	ApiRequest,
	NoResponse,
} from '../../../nodes/EventPlatform/core/client/request';
import type { Clock } from '../../../nodes/EventPlatform/core/client/clock';
import { createRateLimit, type RateLimit } from '../../../sandbox/access/rateLimit';
import { shuffled, createDraws } from '../../../sandbox/world/draws';
import { inWords } from '../../../sandbox/world/errorWords';
import {
	answer,
	answersOf,
	emailOf,
	errors,
	fieldIds,
	isBeyondTheLetter,
	newPersonRecord,
	same,
} from './platformAnswers';
import { perfectPlatform, refusedEarly, type ModelOptions, type Trouble } from './platformOptions';
import { pageOf } from './fakePlatform';
import type { Random } from './random';

export interface Registration {
	role: 'participant' | 'team_member';
	answers: Record<string, string>;
	/** The person was in the session, or watched its replay. */
	attended?: boolean;
}

const nobody: Registration = { role: 'participant', answers: {} };

interface ModelJob {
	id: string;
	sessionId: string;
	tasks: JsonObject[];
	startAt: number;
	endAt: number;
	/** The task at which it stops for good. */
	stuckAt: number;
	results: JsonObject[];
	failed: number;
}

/** A platform like that of the specification, in memory, at any speed, with any fault. */
export class PlatformModel {
	readonly options: ModelOptions;
	/** The addresses of the registered people, by session. */
	readonly registered = new Map<string, Set<string>>();
	/** Their answers, and whether they are of the team, by `session email`. */
	private readonly registrations = new Map<string, Registration>();
	/** Everybody who was ever registered for a session, in the order in which they came: IDs may be counted. */
	private readonly order = new Map<string, string[]>();
	/** Requests that change somebody who is registered, and were let in. */
	changes = 0;
	/** Requests that were let in. */
	private accepted = 0;
	requests = 0;
	refusals = 0;
	/** The largest number of tasks in a request. */
	largest = 0;
	private readonly jobs = new Map<string, ModelJob>();
	private readonly active = new Set<ModelJob>();
	private readonly random: Random;
	private readonly rateLimit: RateLimit;
	private firstAt?: number;
	private busyUntil = 0;
	private latest?: ModelJob;
	private jobCount = 0;

	constructor(
		private readonly clock: Clock,
		options: Partial<ModelOptions> = {},
	) {
		this.options = { ...perfectPlatform, ...options };
		const { seed, perSecond, limiter } = this.options;
		this.random = createDraws(seed);
		this.rateLimit = createRateLimit(perSecond, limiter);
	}

	addPerson(sessionId: string, email: string, registration?: Registration): void {
		this.peopleOf(sessionId).add(email.toLowerCase());
		const order = this.order.get(sessionId) ?? [];
		this.order.set(sessionId, order);
		if (!order.includes(email.toLowerCase())) order.push(email.toLowerCase());
		if (registration) this.registrations.set(`${sessionId} ${email.toLowerCase()}`, registration);
	}

	registrationOf(sessionId: string, email: string): Registration {
		return this.registrations.get(`${sessionId} ${email.trim().toLowerCase()}`) ?? nobody;
	}

	isRegistered(sessionId: string, email: string): boolean {
		return this.registered.get(sessionId)?.has(email.trim().toLowerCase()) ?? false;
	}

	/** Lets every job that is not stuck come to its end. */
	settle(): void {
		this.work(Infinity);
	}

	send = async (request: ApiRequest): Promise<ApiResponse | NoResponse> => {
		const { latencyMs, jitterMs } = this.options;
		const [least, most] = latencyMs;
		const thereMs = least / 2 + jitterMs * this.random();
		const backMs = least + (most - least) * this.random() - thereMs;
		this.requests += 1;
		const trouble = this.trouble();
		if (trouble === 'unreachable') return { networkError: 'ECONNREFUSED', isSent: false };
		if (trouble === 'lost-before') return { networkError: 'ECONNRESET', isSent: true };
		await this.clock.sleep(thereMs);
		const answer = this.arrived(request, trouble);
		await this.clock.sleep(backMs);
		return answer;
	};

	private trouble(): Trouble | undefined {
		const { troubles, kinds, script, downMs } = this.options;
		const [downFrom, downUntil] = downMs ?? [Infinity, -Infinity];
		this.firstAt ??= this.clock.now();
		const since = this.clock.now() - this.firstAt;
		if (since >= downFrom && since < downUntil) return '500';
		if (script) return script(this.requests);
		if (troubles === 0 || this.random() >= troubles) return undefined;
		return kinds[Math.floor(this.random() * kinds.length)];
	}

	private arrived(request: ApiRequest, trouble?: Trouble): ApiResponse | NoResponse {
		const headers = this.letIn();
		if (headers.refused) return answer(429, errors('Too many requests'), headers.all);
		const { refuseAfter } = this.options;
		if (refuseAfter && this.requests > refuseAfter.requests) {
			const isMeant = !refuseAfter.onlyPosts || request.method === 'POST';
			if (isMeant) return this.refuse(refuseAfter.status, headers.all);
		}
		const later = { 'retry-after': String(this.options.retryAfterSeconds) };
		if (trouble === '429') return answer(429, errors('Later'), later);
		if (trouble === '500') return answer(500, errors('Oh no'));
		this.work(this.clock.now());
		const response = this.respond(request);
		if (trouble === 'lost-after') return { networkError: 'ECONNRESET', isSent: true };
		if (trouble === '500-after') return answer(503, errors('Oh no'));
		if (trouble === 'html') return answer(502, '<html>Bad gateway</html>');
		if (trouble === 'truncated' && response.status < 300) {
			return answer(response.status, JSON.stringify(response.body).slice(0, 40), headers.all);
		}
		return { ...response, headers: headers.all };
	}

	private refuse(status: number, headers?: Record<string, string>): ApiResponse {
		const isSilent = status === 403 && !this.options.explains403;
		return answer(status, isSilent ? '' : errors('No'), headers);
	}

	/** Lets in at most `perSecond` requests in any second, as they arrive. */
	private letIn(): { refused: boolean; all: Record<string, string> } {
		const { perSecond, monthly } = this.options;
		const now = this.clock.now();
		const all: Record<string, string> = {};
		if (monthly !== undefined) {
			all['ratelimit-monthly-limit'] = '10000';
			all['ratelimit-monthly-remaining'] = String(Math.max(0, monthly - this.accepted));
			if (this.accepted >= monthly) {
				return { refused: true, all: { ...all, 'retry-after': '86400' } };
			}
		}
		if (perSecond === 0) return { refused: false, all };
		const { allowed, remaining } = this.rateLimit.take('token', now);
		if (allowed) this.accepted += 1;
		else this.refusals += 1;
		all['ratelimit-interval-limit'] = String(perSecond);
		all['ratelimit-interval-remaining'] = String(remaining);
		if (!allowed) all['retry-after'] = '1';
		return { refused: !allowed, all };
	}

	private respond({ method, path, query, body }: ApiRequest): ApiResponse {
		const [, place, id = '', part, person] = path.split('/').map(decodeURIComponent);
		if (method === 'POST' && place === 'sessions') return this.accept(id, body);
		if (person !== undefined) return this.answerOfPerson(method, id, person, body);
		if (place === 'sessions' && part === 'people') return this.findPeople(id, query);
		if (place === 'sessions') {
			const status = this.options.statuses[id] ?? 'upcoming';
			const session = { type: 'sessions', id, attributes: { status } };
			return this.refused(id) ?? answer(200, { data: session });
		}
		const job = this.jobs.get(id);
		if (place !== 'jobs' || !job) return answer(404, errors('Not found'));
		return part === 'tasks' ? this.showTasks(job, query) : answer(200, this.show(job));
	}

	private refused(sessionId: string): ApiResponse | undefined {
		if (sessionId.startsWith('gone')) return answer(404, errors('There is no such session'));
		return sessionId.startsWith('closed') ? this.refuse(403) : undefined;
	}

	isClosed(sessionId: string): boolean {
		return ['past', 'canceled'].includes(this.options.statuses[sessionId] ?? '');
	}

	private accept(sessionId: string, body?: JsonObject): ApiResponse {
		const refused = this.refused(sessionId);
		if (refused) return refused;
		if (this.isClosed(sessionId)) return answer(422, errors('The session is over'));
		const tasks = (body as { data: { attributes: { tasks: JsonObject[] } } }).data.attributes.tasks;
		this.largest = Math.max(this.largest, tasks.length);
		if (tasks.length > 50) return answer(400, errors('At most 50'));
		const stray = tasks.flatMap(fieldIds).find((id) => id === 'unheard_of');
		if (stray) return answer(400, errors(`The field '${stray}' doesn't exist`));
		const { form, refusal } = this.options;
		const isRefused = tasks.some((task) => emailOf(task).startsWith('refuse'));
		if (isRefused && refusal === 'page') return answer(403, '<html>Blocked</html>');
		if (isRefused || (form === 'letter' && tasks.some(isBeyondTheLetter))) {
			return answer(isRefused ? Number(refusal) : 400, errors('There is something wrong'));
		}
		const { repeatedIds } = this.options;
		if (this.latest && repeatedIds > 0 && this.random() < repeatedIds) {
			return answer(202, this.show(this.latest));
		}
		const now = this.clock.now();
		const lasts = this.options.jobMs(tasks.length, this.random);
		const startAt = this.options.oneByOne ? Math.max(now, this.busyUntil) : now;
		const stuck = lasts === Infinity;
		const endAt = startAt + (stuck ? 1_000 : lasts);
		if (!stuck) this.busyUntil = endAt;
		const stuckAt = stuck ? Math.floor(tasks.length / 2) : tasks.length;
		const id = `job-${(this.jobCount += 1)}`;
		const job: ModelJob = { id, sessionId, tasks, startAt, endAt, stuckAt, results: [], failed: 0 };
		this.jobs.set(id, job);
		this.latest = job;
		this.active.add(job);
		this.work(now);
		return answer(202, this.show(job));
	}

	/** Does what was due by now. */
	private work(now: number): void {
		for (const job of this.active) {
			const { startAt, endAt, tasks, stuckAt } = job;
			const share = endAt <= startAt ? 1 : Math.min(1, (now - startAt) / (endAt - startAt));
			const due = now < startAt ? 0 : Math.min(stuckAt, Math.floor(share * tasks.length));
			while (job.results.length < due) job.results.push(this.register(job, job.results.length));
			if (due === tasks.length) {
				this.active.delete(job);
				this.reorder(job);
			}
		}
	}

	private register(job: ModelJob, place: number): JsonObject {
		const { sessionId, tasks } = job;
		const task = tasks[place] ?? {};
		const email = emailOf(task);
		const people = this.peopleOf(sessionId);
		const fail = (code: string, message: string): JsonObject => {
			job.failed += 1;
			const { words: errorWords } = this.options;
			const errors = inWords({ errorWords }, [{ code, message }], place);
			return { status: 'failed', errors: errors.map((error) => ({ ...error })) };
		};
		if (email.startsWith('bad')) return fail('invalid_email', `'${email}' is not valid`);
		if (email.startsWith('banned')) return fail('banned', 'Not welcome');
		if (people.has(email.toLowerCase())) {
			return fail('already_registered', `${email} is already registered`);
		}
		if (!this.options.forgets) {
			this.addPerson(sessionId, email, { role: 'participant', answers: answersOf(task) });
		}
		const record = newPersonRecord(email, this.options.emails);
		if (this.options.ids === 'counted') record.id = this.idOf(sessionId, email.toLowerCase());
		return { status: 'succeeded', errors: [], data: record };
	}

	private reorder(job: ModelJob): void {
		const { order, lostResults } = this.options;
		const { results } = job;
		if (order === 'reversed') results.reverse();
		if (order === 'shuffled') job.results = this.shuffle(results);
		for (let place = results.length - 1; place > 0 && order === 'swapped'; place--) {
			const [result, before] = [results[place], results[place - 1]];
			const isDrawn = this.random() < 0.2;
			// Where only two failures have swapped places that name nobody, nothing shows it.
			const isShown = result?.status !== 'failed' || before?.status !== 'failed';
			if (isDrawn && isShown && result && before)
				[results[place], results[place - 1]] = [before, result];
		}
		if (lostResults > 0) job.results = job.results.filter(() => this.random() >= lostResults);
	}

	/**
	 * Another order. Where all who have succeeded stand at their own places by chance, nothing shows that failures, which name nobody, do not: then
	 * these do as well.
	 */
	private shuffle(results: JsonObject[]): JsonObject[] {
		const moved = shuffled(results, this.random);
		const isShown = results.some(
			(result, place) => result.status !== 'failed' && moved[place] !== result,
		);
		return isShown ? moved : results;
	}

	private showTasks(job: ModelJob, query: ApiRequest['query'] = {}): ApiResponse {
		const asksForPage = Object.keys(query).some((name) => name.startsWith('page['));
		if (asksForPage && this.options.paging === 'broken') return answer(500, errors('Oh no'));
		const isOver = !this.active.has(job);
		const { earlyResults, lagMs, order, paging, pageSize } = this.options;
		const refusal = refusedEarly.find((status) => status === earlyResults);
		const isComplete = isOver && this.clock.now() >= job.endAt + lagMs;
		if (refusal && !isComplete) return answer(Number(refusal), errors('Not yet'));
		let all = !isOver && earlyResults === 'empty' ? [] : job.results;
		if (isOver && !isComplete) all = all.slice(0, Math.floor(all.length / 2));
		if (order === 'changing') all = this.shuffle(all);
		const size = paging === 'broken' ? 50 : Math.min(pageSize, Number(query['page[size]'] ?? 20));
		const page = findPage(all, query, size);
		if (isOver && this.options.forgets && page?.meta.next_page === null) this.jobs.delete(job.id);
		return page ? answer(207, page) : answer(400, errors('No such page'));
	}

	private show(job: ModelJob): JsonObject {
		const isOver = !this.active.has(job);
		const { failed } = job;
		const done = isOver ? job.tasks.length : job.results.length;
		const ended = this.options.words === 'other' ? 'completed' : 'ended';
		const status = isOver ? (failed > 0 ? 'failed' : ended) : 'processing';
		const attributes = {
			status,
			total_items: job.tasks.length,
			total_processed_items: done,
			total_fail: failed,
			total_success: done - failed,
		};
		return { type: 'jobs', id: job.id, attributes };
	}

	private findPeople(sessionId: string, query: ApiRequest['query'] = {}): ApiResponse {
		const refused = this.refused(sessionId);
		if (refused) return refused;
		const address = query['filter[email]'];
		const all = [...this.peopleOf(sessionId)];
		const matches = address === undefined ? all : all.filter((email) => email === same(address));
		const page = findPage(matches, query);
		if (!page) return answer(400, errors('No such page'));
		const data = page.data.map((email) => this.record(sessionId, email));
		return answer(200, { ...page, data });
	}

	/** The address, or the place in the session: then somebody else of another session has the same one. */
	private idOf(sessionId: string, email: string): string {
		if (this.options.ids === 'address') return email;
		return String((this.order.get(sessionId) ?? []).indexOf(email) + 1);
	}

	/** A registered person. */
	private answerOfPerson(
		method: string,
		sessionId: string,
		id: string,
		body?: JsonObject,
	): ApiResponse {
		const email =
			[...this.peopleOf(sessionId)].find((address) => this.idOf(sessionId, address) === id) ?? '';
		if (!this.isRegistered(sessionId, email)) return answer(404, errors('Nobody'));
		if (method === 'GET') return answer(200, { data: this.record(sessionId, email) });
		this.changes += 1;
		if (method === 'DELETE') {
			this.peopleOf(sessionId).delete(email);
			this.registrations.delete(`${sessionId} ${email}`);
			return answer(204, '');
		}
		const { attributes } = (body as { data: { attributes: JsonObject } }).data;
		const { answers, ...rest } = this.registrationOf(sessionId, email);
		const changed: Registration = { ...rest, answers: { ...answers } };
		for (const [name, value] of Object.entries(answersOf(attributes))) {
			changed.answers[name] = value.slice(0, this.options.keptCharacters);
		}
		this.registrations.set(`${sessionId} ${email}`, changed);
		return answer(200, { data: this.record(sessionId, email) });
	}

	private record(sessionId: string, email: string): JsonObject {
		const { role, answers, attended = false } = this.registrationOf(sessionId, email);
		const fields = Object.entries(answers).map(([id, value]) => ({ id, value }));
		const connection_link = `https://example.com/join/${email}`;
		const detail = { fields, attended, has_viewed_replay: attended, connection_link };
		const attributes = { email, role, registrant_detail: detail };
		return { type: 'people', id: this.idOf(sessionId, email), attributes };
	}

	private peopleOf(sessionId: string): Set<string> {
		let people = this.registered.get(sessionId);
		if (!people) this.registered.set(sessionId, (people = new Set()));
		return people;
	}
}

/** Undefined: there is no such page. */
function findPage<T>(all: readonly T[], query: ApiRequest['query'], size?: number) {
	const page = pageOf(all, query, size);
	return page.meta.current_page > 0 && page.data.length === 0 ? undefined : page;
}
