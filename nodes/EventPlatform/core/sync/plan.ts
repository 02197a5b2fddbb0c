import { notSent, type PersonOutcome } from '../bulk/outcome';
import { planRun, type Candidate } from '../bulk/plan';
import { groupBy } from '../http/collections';
import type { JsonObject } from '../http/ports';
import { addressesIn, isAddress, sameAddress } from '../jobs/address';
import type { Reason, Registration } from '../jobs/task';
import { fieldsOf, showAll, type Show } from '../records/simplify';
import { changesOf, isEmpty, outstanding } from './changes';
import {
	addressBook,
	addressOf,
	doubtAbout,
	doubtAboutSession,
	isOfTheTeam,
	tooMany,
	typingMistake,
	whyKept,
	whyNever,
} from './law';
import type { Registered } from './registered';
import type { Step } from './steps';
import { typingMistakes } from './typingMistakes';

export interface SyncPlan {
	/** The list, and behind it those who are to be removed or are kept. */
	people: Candidate[];
	/** One place per person: what is so when everything succeeds. */
	outcomes: PersonOutcome[];
	/** Places of those who are not registered yet. */
	additions: number[];
	updates: Step[];
	/** Those who go unless something is in doubt. */
	removals: Step[];
	/** What speaks against removals before anything is sent, by session. */
	doubts: Map<string, string[]>;
	/** A duplicate → the earlier row with the same person. */
	firstOf: Map<number, number>;
	/** Somebody behind the list → the first row of the session. */
	pairedTo: Map<number, number>;
	/** How many are registered and not on the list, whether they are to be removed or not. */
	others: number;
	/** Why the run must not begin. */
	refusal?: Reason;
}

export interface Rules {
	removesOthers: boolean;
	/** At most so many in one session; absent: a fifth of its participants. */
	mostRemovals?: number;
	/** Removals do not wait until everything is certain. */
	removesDespite?: boolean;
}

/** What makes the registrants of each session those of the list. */
export function planSync(
	rows: readonly Candidate[],
	registered: ReadonlyMap<string, Registered>,
	rules: Rules,
	show: Show = showAll,
): SyncPlan {
	return new Planning(rows, registered, rules, show).finish();
}

/** A session of the list. */
interface Session extends Registered {
	id: string;
	/** The rows of the list that are for it, with their places. */
	rows: ReadonlyArray<[number, Candidate]>;
	/** Those who are registered, as far as they could be read. */
	known: readonly JsonObject[];
	/** The rows of those who are added, by address. */
	added: Map<string, number>;
}

/** Plans session by session: first its rows, then those who are registered and not on the list. */
class Planning {
	private readonly plan: SyncPlan;
	/** By row: what is so of those who cannot be sent. */
	private readonly notSendable: ReadonlyArray<PersonOutcome | undefined>;
	private readonly addressesOf: (person: JsonObject) => string[];
	private readonly sessions: readonly Session[];

	constructor(
		rows: readonly Candidate[],
		registered: ReadonlyMap<string, Registered>,
		private readonly rules: Rules,
		private readonly show: Show,
	) {
		const { outcomes, firstOf } = planRun(rows);
		this.notSendable = outcomes;
		this.plan = {
			people: [...rows],
			outcomes: [],
			additions: [],
			updates: [],
			removals: [],
			doubts: new Map(),
			firstOf: new Map(firstOf),
			pairedTo: new Map(),
			others: 0,
		};
		this.addressesOf = addressBook([...registered.values()].map(({ people }) => listIn(people)));
		const rowsOf = groupBy([...rows.entries()], ([, { sessionId }]) => sessionId);
		this.sessions = [...rowsOf].map(([id, itsRows]) => {
			const { name, people } = registered.get(id) ?? { name: id };
			return { id, name, people, rows: itsRows, known: listIn(people), added: new Map() };
		});
	}

	finish(): SyncPlan {
		const { plan, rules } = this;
		for (const session of this.sessions) {
			this.planRows(session);
			const others = this.othersOf(session);
			plan.others += others.length;
			if (!rules.removesOthers) continue;
			const removals = others.flatMap((person) => this.remove(session, person) ?? []);
			plan.removals.push(...removals);
			if (removals.length === 0) continue;
			plan.refusal ??= this.tooManyOf(session, removals);
			if (!rules.removesDespite) this.holdBack(session, removals);
		}
		return plan;
	}

	private planRows({ id: sessionId, rows, people, known, added }: Session): void {
		const { plan } = this;
		const personOf = this.peopleByAddress(known);
		const rowOf = new Map<JsonObject, number>();
		const unread = people && 'code' in people ? notSent(people) : undefined;
		for (const [index, { email = '', wanted }] of rows) {
			const address = sameAddress(email);
			const stays = this.notSendable[index] ?? unread;
			const person = personOf.get(address);
			const first = person && rowOf.get(person);
			if (stays) {
				plan.outcomes[index] = { ...stays, changes: [] };
			} else if (!person) {
				plan.outcomes[index] = isAdded;
				plan.additions.push(index);
				added.set(address, index);
			} else if (first !== undefined) {
				plan.firstOf.set(index, first);
				plan.outcomes[index] = samePerson;
			} else {
				rowOf.set(person, index);
				this.compare({ index, sessionId, person }, wanted);
			}
		}
	}

	private peopleByAddress(known: readonly JsonObject[]): Map<string, JsonObject> {
		const personOf = new Map<string, JsonObject>();
		// An address that the session shows goes before one that another session shows.
		for (const addresses of [(person: JsonObject) => [addressOf(person)], this.addressesOf]) {
			for (const person of known) {
				for (const address of addresses(person)) {
					if (address !== '' && !personOf.has(address)) personOf.set(address, person);
				}
			}
		}
		return personOf;
	}

	/** The address is what tells who it is, so it is no answer to change. */
	private compare(step: Step, { fields, tracking }: Registration): void {
		const { person } = step;
		const answers = { fields: fields.filter(({ id }) => id !== 'email'), tracking };
		const change = isOfTheTeam(person) ? nothing : outstanding(person, answers);
		const status = isEmpty(change) ? 'unchanged' : 'updated';
		this.tell(step, { status, changes: changesOf(person, change), errors: [] });
		if (status === 'updated') this.plan.updates.push({ ...step, change });
	}

	private tell({ index, person }: Step, outcome: PersonOutcome): void {
		this.plan.outcomes[index] = { ...outcome, person: this.show(fieldsOf(person)) };
	}

	/** Those who are registered and not on the list. */
	private othersOf({ rows, known }: Session): JsonObject[] {
		const listed = new Set(rows.flatMap(([, { email = '' }]) => addressesIn(email)));
		const isListed = (person: JsonObject) =>
			this.addressesOf(person).some((address) => listed.has(address));
		return known.filter((person) => !isOfTheTeam(person) && !isListed(person));
	}

	/** Undefined where the person is never removed. */
	private remove({ id: sessionId, rows }: Session, person: JsonObject): Step | undefined {
		const { plan } = this;
		const email = addressOf(person) || undefined;
		const index = plan.people.push({ sessionId, email, wanted: nothing, problems: [] }) - 1;
		const [[first] = [0]] = rows;
		plan.pairedTo.set(index, first);
		const step = { index, sessionId, person };
		const never = whyNever(person);
		const errors = never === undefined ? [] : [{ code: 'kept', message: never }];
		this.tell(step, { status: never === undefined ? 'removed' : 'kept', changes: [], errors });
		return never === undefined ? step : undefined;
	}

	private tooManyOf({ name: session, known }: Session, removals: readonly Step[]) {
		const participants = known.filter((one) => !isOfTheTeam(one) && !whyNever(one)).length;
		const people = removals.map(({ person }) => person);
		const message = tooMany(session, participants, people, this.rules.mostRemovals);
		return message === undefined ? undefined : { code: 'too_many_removals', message };
	}

	/** Nobody goes while something is in doubt. Who may be somebody of the list is told that first. */
	private holdBack(session: Session, removals: readonly Step[]): void {
		const { plan } = this;
		const unread = this.sessions.filter(({ people }) => !Array.isArray(people));
		const doubts = [
			...this.doubtsAboutRows(session),
			...unread.map(({ rows: [[first] = [0]] }) => doubtAboutSession(first + 1)),
		];
		/** Why each of those who go may be somebody of the list, by address. */
		const own = new Map<string, string>();
		const removed = new Set(removals.map(({ person }) => addressOf(person)));
		for (const pair of typingMistakes([...session.added.keys()], [...removed])) {
			const why = typingMistake(pair.added, 'on the list');
			doubts.push(why);
			own.set(pair.removed, why);
			const message = typingMistake(pair.removed, 'registered');
			const index = session.added.get(pair.added);
			if (index === undefined) continue;
			plan.outcomes[index] = { ...isAdded, errors: [{ code: 'typing_mistake', message }] };
		}
		if (doubts.length === 0) return;
		plan.doubts.set(session.id, doubts);
		for (const { index, person } of removals) {
			const first = own.get(addressOf(person));
			const why = first === undefined ? doubts : [first, ...doubts.filter((one) => one !== first)];
			keep(plan.outcomes, index, why);
		}
	}

	/** Rows that cannot be sent, and whose person is not known to be registered. */
	private doubtsAboutRows({ rows, known }: Session): string[] {
		const there = new Set(known.flatMap(this.addressesOf));
		return rows.flatMap(([index, { email = '' }]) => {
			const outcome = this.notSendable[index];
			if (outcome?.status !== 'invalid') return [];
			if (isAddress(email) && there.has(sameAddress(email))) return [];
			return doubtAbout({ ...outcome, row: index + 1, email: email || undefined }) ?? [];
		});
	}
}

/** Somebody who was to be removed is kept. */
export function keep(outcomes: PersonOutcome[], index: number, doubts: readonly string[]): void {
	const errors = [{ code: 'kept', message: whyKept(doubts) }];
	outcomes[index] = { changes: [], ...outcomes[index], status: 'kept', errors };
}

function listIn(people: Registered['people'] = []): readonly JsonObject[] {
	return 'code' in people ? [] : people;
}

const nothing: Registration = { fields: [], tracking: {} };
const isAdded: PersonOutcome = { status: 'added', changes: [], errors: [] };

const samePerson: PersonOutcome = {
	status: 'duplicate',
	changes: [],
	errors: [
		{
			code: 'duplicate',
			message:
				'An earlier row of this run has the same person for the same session, with another address.',
		},
	],
};
