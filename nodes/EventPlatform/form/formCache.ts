import { asFailure, Failure } from '../core/client/failure';
import { isObject, type JsonObject } from '../core/values/json';
import { listRecords } from '../core/client/pages';
import { type Ask } from '../core/client/request';
import type { SessionCache } from '../core/sessions/sessionCache';
import { personAttributesIn } from '../core/dialect/personAttributes';
import { namedQuestions, questionOf, type Question } from './question';
import { attributesOf } from '../core/client/document';
import { InvalidSegment } from '../core/client/path';
import { isLasting, isNotOffered, meaningOf } from '../core/failures/meaning';
import { failureText } from '../core/failures/messages';
import { Readings } from '../core/failures/readings';
import { SessionBreaker } from '../core/failures/breaker';

/** The place where the questions of a form were read: in the event of the session, among all attributes of the workspace, or nowhere. */
export type FormSource = 'session' | 'workspace' | 'none';

export interface RegistrationForm {
	source: FormSource;
	/** With the email first where the form does not list it. Without a source they are those that every session takes. */
	questions: readonly Question[];
}

type FormReading =
	| { readonly kind: 'read'; readonly form: RegistrationForm }
	| {
			readonly kind: 'unreadable';
			readonly problem: string;
	  };

/** The platform refuses a session alone, such as one whose ID it calls invalid, and no other source can have its form. */
export class SessionRefused extends Failure {}

/** Each form is asked for once in a run. */
export class FormCache {
	/** By session; `undefined` stands for the workspace, whose attributes take the place of a form. */
	private readonly forms = new Readings<string | undefined, RegistrationForm>('unlessPassing');
	/** By session: the forms with the names of the workspace. A row that needs none is read by the other one, whatever rows are beside it. */
	private readonly formsWithNames = new Readings<string, RegistrationForm>('unlessPassing');
	private readonly breaker = new SessionBreaker();
	/**
	 * Why no further form is read. Undefined: forms are read. After very many IDs in a row that were not found (wrongColumn), only those who
	 * can do without a form stop asking. After any other failure (failureOfAll) all stop, and the workspace takes the place of the form where the
	 * failure leaves that open (mayBeElsewhere).
	 */
	private brokenBy?: Failure;

	constructor(
		private readonly ask: Ask,
		private readonly sessions: SessionCache,
	) {}

	/**
	 * The form of the session comes first, then the attributes of the workspace, then the fields that section 2.2 names. Where no session
	 * is given, it begins with the workspace.
	 */
	async read(sessionId?: string): Promise<RegistrationForm> {
		return await this.forms.read(sessionId, () => this.readFromPlatform(sessionId));
	}

	/**
	 * The form itself shows only the IDs of its questions, and a list may have the names of the workspace as headers. They take one request
	 * more in a run. It throws where they cannot be read for the moment, because answers would be left out.
	 */
	async readWithAttributeNames(sessionId: string): Promise<RegistrationForm> {
		return await this.formsWithNames.read(sessionId, () => this.addAttributeNames(sessionId));
	}

	private async addAttributeNames(sessionId: string): Promise<RegistrationForm> {
		const form = await this.read(sessionId);
		if (form.source !== 'session') return form;
		const workspace = await this.read();
		const names = new Map(workspace.questions.map(({ id, label }) => [id, label]));
		const questions = form.questions.map((question) => ({
			...question,
			attributeName: names.get(question.id),
		}));
		return { ...form, questions };
	}

	/** For a run that can do without it. */
	async readIfPossible(sessionId: string): Promise<FormReading> {
		const wrongColumn = this.forms.has(sessionId) ? undefined : this.wrongColumn;
		const form = wrongColumn ?? (await this.read(sessionId).catch(asFailure));
		if (!(form instanceof Failure)) return { kind: 'read', form };
		// A session that cannot be read says nothing of the others. An outage would take four requests for each of them.
		if (!(form instanceof SessionRefused)) this.brokenBy ??= form;
		const { title } = failureText(form, { what: 'the session', scope: 'events' });
		return { kind: 'unreadable', problem: title };
	}

	/** So many sessions in a row were not found that each item would cost a request. Who needs the form asks all the same. */
	private get wrongColumn(): Failure | undefined {
		const { brokenBy } = this;
		return brokenBy && meaningOf(brokenBy).isIdUnknown ? brokenBy : undefined;
	}

	/** The failure after which nobody asks for a form any more. */
	private get failureOfAll(): Failure | undefined {
		return this.wrongColumn ? undefined : this.brokenBy;
	}

	/** The next source takes over where one has nothing, or is closed to this credential. */
	private async readFromPlatform(sessionId?: string): Promise<RegistrationForm> {
		if (sessionId === undefined) return await readWorkspace(this.ask);
		const questions = await this.readQuestions(sessionId);
		return questions.length > 0 ? formOf(questions, 'session') : await this.read();
	}

	private async readQuestions(sessionId: string): Promise<Question[]> {
		if (this.failureOfAll) return nothingOrElsewhere(this.failureOfAll);
		const read = async () => {
			await this.sessions.read(sessionId);
			// A session that was asked for before the failure says nothing against it: its event may fail as well.
			if (!this.failureOfAll) this.recordSuccess();
			const event = await this.sessions.readEvent(sessionId);
			return event ? questionsOfEvent(event) : [];
		};
		return await read().catch((error: unknown) => {
			if (!(error instanceof Failure)) return nothingOrElsewhere(error);
			if (this.breaker.recordUnread(error, sessionId) === 'session') {
				// Where the session was read, it is its event that cannot be.
				if (meaningOf(error).mayBeElsewhere || this.sessions.find(sessionId)) return [];
				throw new SessionRefused(error.cause, error.request, error);
			}
			if (isLasting(error)) this.brokenBy ??= error;
			if (meaningOf(error).isIdUnknown) throw error;
			return nothingOrElsewhere(error);
		});
	}

	private recordSuccess(): void {
		this.breaker.recordSuccess();
		this.brokenBy = undefined;
	}
}

/** After any other failure another source would not be the form of the session. */
function nothingOrElsewhere(error: unknown): Question[] {
	const mayBeElsewhere =
		error instanceof InvalidSegment ||
		(error instanceof Failure && meaningOf(error).mayBeElsewhere);
	if (mayBeElsewhere) return [];
	throw error;
}

/** Adds what is taken without being listed: the email, which the form of a public event does not list, and of a workspace all that section 2.2 names. */
function formOf(questions: readonly Question[], source: FormSource): RegistrationForm {
	const isMissing = ({ id: named }: Question) => !questions.some(({ id }) => id === named);
	const alwaysTaken = source === 'session' ? namedQuestions.slice(0, 1) : namedQuestions;
	return { source, questions: [...alwaysTaken.filter(isMissing), ...questions] };
}

function questionsOfEvent(event: JsonObject): Question[] {
	const { fields = [] } = attributesOf(event);
	return [fields]
		.flat()
		.filter(isObject)
		.sort((a, b) => Number(a.order ?? 0) - Number(b.order ?? 0))
		.flatMap(({ id, type, required, options }) => {
			const { items, multiple_answers } = type === 'multiple' && isObject(options) ? options : {};
			const mayHaveSeveral = multiple_answers === true;
			return questionOf(id, { items, mayHaveSeveral, isRequired: required === true });
		});
}

function questionsOfAttributes(records: readonly JsonObject[]): Question[] {
	const questions = personAttributesIn(records).flatMap(({ id, name, items, multiple }) =>
		questionOf(id, { name, items, mayHaveSeveral: multiple }),
	);
	// Two records with the same name would become two columns of the same answer.
	return [...new Map(questions.map((question) => [question.id, question])).values()];
}

async function readWorkspace(ask: Ask): Promise<RegistrationForm> {
	const attributes = await readAttributes(ask).catch((error: unknown) =>
		isNotOffered(error) ? [] : nothingOrElsewhere(error),
	);
	return attributes.length > 0 ? formOf(attributes, 'workspace') : formOf(namedQuestions, 'none');
}

async function readAttributes(ask: Ask): Promise<Question[]> {
	return questionsOfAttributes(await listRecords(ask, '/people_attributes'));
}
