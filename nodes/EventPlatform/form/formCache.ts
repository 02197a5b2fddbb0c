import { asFailure, Failure } from '../core/client/failure';
import { isObject, type JsonObject } from '../core/values/json';
import { largestPage } from '../core/client/pages';
import { type Client } from '../core/client/request';
import type { SessionCache } from '../core/sessions/sessionCache';
import { attributesIn } from './attributeList';
import { namedQuestions, questionOf, type Question } from './question';
import { questionOfColumn, type SavedColumn } from './mapperColumns';
import { attributesOf } from '../core/client/document';
import { lastPageIn } from '../core/dialect/pageMeta';
import { InvalidSegment } from '../core/client/path';
import { meaningOf } from '../core/failures/meaning';
import { failureText } from '../core/failures/messages';
import { mostRefused } from '../core/failures/refusalHistory';

/** Where the questions of a form were read: the event of the session, or all attributes of the workspace, or nowhere. */
export type FormSource = 'session' | 'workspace' | 'none';

/** The questions to people who register, as far as the platform shows them. */
export interface RegistrationForm {
	source: FormSource;
	/** The email first, where the form does not list it. Without a source those that every session takes. */
	questions: readonly Question[];
}

/** The form of a session, or why nothing is known of it. */
export type FormReading =
	| { readonly kind: 'read'; readonly form: RegistrationForm }
	| { readonly kind: 'unreadable'; readonly problem: string };

/** Columns of the mapper, and the questions that they stand for. */
interface SavedForm {
	readonly columns: readonly SavedColumn[];
	readonly questions: readonly Question[];
}

/** The workspace, in place of a session. */
const ofWorkspace = '';

/** Owns the registration forms that a run has read: each is asked for once. */
export class FormCache {
	/** By session; the attributes of the workspace as that of no session. */
	private readonly forms = new Map<string, Promise<RegistrationForm>>();
	/** Sessions that could not be read, since one could. */
	private readonly refusedSessions = new Set<string>();
	/** The columns of the latest item, which are the same for all items unless an expression gives them. */
	private saved: SavedForm = { columns: [], questions: [] };
	/** Why forms are not read any more that the run can do without: the first failure that concerns them all. */
	private problem?: string;

	constructor(
		private readonly api: Client,
		private readonly sessions: SessionCache,
	) {}

	/**
	 * Gives the form of the session, else the attributes of the workspace, else the fields that section 2.2 names. What fails for a
	 * moment fails for the item that asked; of the items that waited for it the first one asks once more.
	 */
	async read(sessionId: string): Promise<RegistrationForm> {
		const earlier = this.forms.get(sessionId);
		const form = earlier ?? this.readFirst(sessionId);
		this.forms.set(sessionId, form);
		return await form.catch((error: unknown) => {
			const isPassing = error instanceof Failure && meaningOf(error).isPassing;
			if (isPassing && earlier) return this.read(sessionId);
			if (isPassing) this.forms.delete(sessionId);
			throw error;
		});
	}

	/** Gives the form that a run can do without. */
	async readIfPossible(sessionId: string): Promise<FormReading> {
		if (this.problem !== undefined) return { kind: 'unreadable', problem: this.problem };
		const form = await this.read(sessionId).catch(asFailure);
		if (!(form instanceof Failure)) return { kind: 'read', form };
		const problem = failureText(form, { what: 'the session', scope: 'events' }).title;
		// A session that cannot be read is no reason to do without the forms of the others.
		if (meaningOf(form).ends !== 'session') this.problem = problem;
		return { kind: 'unreadable', problem };
	}

	/** Gives the questions of the columns that were saved when the node was set up. */
	savedQuestions(columns: readonly SavedColumn[]): readonly Question[] {
		if (this.saved.columns !== columns)
			this.saved = { columns, questions: columns.map(questionOfColumn) };
		return this.saved.questions;
	}

	private async readFirst(id: string): Promise<RegistrationForm> {
		const reading = id === ofWorkspace ? attributesOfWorkspace(this.api) : this.questionsOf(id);
		const questions = await reading.catch((error: unknown) => {
			const isElsewhere =
				error instanceof InvalidSegment ||
				(error instanceof Failure && meaningOf(error).mayBeElsewhere);
			// Anything else is told: the form would not be the session's. IDs of something else would cost a request each.
			if (!isElsewhere || this.refusedSessions.size > mostRefused) throw error;
			return [];
		});
		if (questions.length > 0)
			return formOf(questions, id === ofWorkspace ? 'workspace' : 'session');
		// The next source takes over when this one has nothing, or is closed to this credential.
		return id === ofWorkspace ? formOf(namedQuestions, 'none') : await this.read(ofWorkspace);
	}

	private async questionsOf(sessionId: string): Promise<Question[]> {
		this.refusedSessions.add(sessionId);
		await this.sessions.read(sessionId);
		this.refusedSessions.clear();
		return questionsOfEvent(await this.sessions.readEvent(sessionId));
	}
}

function formOf(questions: readonly Question[], source: FormSource): RegistrationForm {
	const asksEmail = questions.some(({ id }) => id === 'email');
	// The form of a public event does not list the email.
	return {
		source,
		questions: asksEmail ? questions : [...namedQuestions.slice(0, 1), ...questions],
	};
}

function questionsOfEvent(event: JsonObject): Question[] {
	const { fields = [] } = attributesOf(event);
	return [fields]
		.flat()
		.filter(isObject)
		.sort((a, b) => Number(a.order ?? 0) - Number(b.order ?? 0))
		.flatMap(({ id, type, required, options }) => {
			const { items, multiple_answers } = type === 'multiple' && isObject(options) ? options : {};
			const multiple = multiple_answers === true;
			return questionOf(id, { items, multiple, required: required === true });
		});
}

/** Page by page, as far as the platform tells that there is another one. */
async function attributesOfWorkspace(api: Client): Promise<Question[]> {
	const request = { method: 'GET', path: '/people_attributes' } as const;
	const pageOf = (number: number) => ({ 'page[number]': number, 'page[size]': largestPage });
	const questions: Question[] = [];
	let lastPage = 0;
	for (let number = 0; number <= lastPage; number++) {
		const response = await api({ ...request, query: pageOf(number) }).catch(asFailure);
		if (!(response instanceof Failure)) {
			const attributes = attributesIn(response.body);
			questions.push(...attributes);
			if (attributes.length > 0) lastPage = lastPageIn(response.body) ?? 0;
			continue;
		}
		if (response.status !== 400) throw response;
		// The list became shorter meanwhile.
		if (number > 0) break;
		// The specification does not say that this list has pages: it may not know their parameters.
		return attributesIn((await api(request)).body);
	}
	return questions;
}
