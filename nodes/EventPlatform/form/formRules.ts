import type { FormSource } from './formCache';
import type { UnaskedColumns } from './personFields';
import type { Question } from './question';

/* Decides whether the registration form is read for an item, and what the form then says about the columns of the node. */

/**
 * The columns of a node. `wholeItem`: those of the item. `ofEditor`: the editor has loaded them when the node was set up. `byHand`: it has
 * loaded none, so that the names are IDs that somebody has written.
 */
export type Columns = 'wholeItem' | 'ofEditor' | 'byHand';

/**
 * Whether the form is read, which takes a request for each session of a run:
 * - `needed`: nothing else tells what the columns mean. A form that cannot be read for the moment is waited for.
 * - `toCheck`: it is read if possible, and the run tells before anything is sent what it does not ask for and what it requires.
 * - `forLists`: it is read if possible, because only a form can say that a question takes several answers.
 * - `forUnknownChoices`: it is read only if an answer is not among the choices that the node has saved. The platform judges all others.
 */
type FormNeed = 'needed' | 'toCheck' | 'forLists' | 'forUnknownChoices';

/** `checksForms`: the run checks forms. `hasUnsavedLists`: there are lists for questions that the node has not saved. */
export function formNeedOf(
	columns: Columns,
	{ checksForms, hasUnsavedLists }: { checksForms: boolean; hasUnsavedLists: boolean },
): FormNeed {
	if (columns === 'wholeItem') return 'needed';
	if (columns === 'ofEditor' && checksForms) return 'toCheck';
	return hasUnsavedLists ? 'forLists' : 'forUnknownChoices';
}

/** What tells which answers the values are, and what becomes of the rest. */
interface FormRule {
	/**
	 * `node`: the questions that the node has saved. `nodeByNow`: those, each as the form has it now. `formThenNode`: those of the form,
	 * and then those of the node that it does not ask for, whose answers are sent all the same.
	 */
	readonly questions: 'form' | 'formThenNode' | 'nodeByNow' | 'node';
	/** What becomes of a value that no question takes. */
	readonly rest: UnaskedColumns;
}

/**
 * By the columns of the node, and by the form: that of the session, or of the workspace, whose attributes are not what the session asks
 * for and requires. `none`: the platform shows no form. `unread`: it was not asked for, or cannot be read for the moment.
 */
export const formRules: Readonly<Record<Columns, Record<FormSource | 'unread', FormRule>>> = {
	/** `unread` does not happen, because the form is needed. */
	wholeItem: {
		session: { questions: 'form', rest: 'ignore' },
		workspace: { questions: 'form', rest: 'ignore' },
		none: { questions: 'form', rest: 'sendTexts' },
		unread: { questions: 'form', rest: 'sendTexts' },
	},
	/**
	 * By now the session may be another one, or its form may have changed. Nobody who opens the node sees a value without a column, and the
	 * platform would refuse it where no question takes it.
	 */
	ofEditor: {
		session: { questions: 'formThenNode', rest: 'ignore' },
		workspace: { questions: 'nodeByNow', rest: 'ignore' },
		none: { questions: 'node', rest: 'send' },
		unread: { questions: 'node', rest: 'ignore' },
	},
	/** The platform judges the answers. */
	byHand: {
		session: { questions: 'nodeByNow', rest: 'send' },
		workspace: { questions: 'nodeByNow', rest: 'send' },
		none: { questions: 'node', rest: 'send' },
		unread: { questions: 'node', rest: 'send' },
	},
};

/** The questions that the values of an item answer. */
export function questionsBy(
	rule: FormRule,
	ofNode: readonly Question[],
	ofForm: readonly Question[],
): readonly Question[] {
	if (rule.questions === 'form') return ofForm;
	if (rule.questions === 'node') return ofNode;
	const current = new Map(ofForm.map((question) => [question.id, question]));
	if (rule.questions === 'nodeByNow')
		return ofNode.map((question) => current.get(question.id) ?? question);
	const surplus = ofNode.filter(({ id }) => !current.has(id));
	return [...ofForm, ...surplus.map((question) => ({ ...question, isRequired: false }))];
}
