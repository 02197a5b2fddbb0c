import { workflowZone } from '../../n8n/workflowZone';
import { NodeOperationError, type INodeExecutionData } from 'n8n-workflow';
import { createYielder } from '../../core/client/clock';
import { emailAndAddressOf } from '../../core/people/registration';
import { explainFailure } from '../../core/sessions/explainFailure';
import { isVisible } from '../../core/values/text';
import type { RecordView } from '../../core/records/recordView';
import type { ItemParameters } from '../../fields/itemParameters';
import { readMappedValues } from '../../fields/mappedValues';
import { namedQuestions } from '../../form/question';
import { addFurtherAnswers, readFurtherAnswers } from '../../form/furtherAnswers';
import { readPersonFields, type Mapping } from '../../form/personFields';
import { type Registrant, unreadableRow } from '../../form/registrant';
import { SessionRefused } from '../../form/formCache';
import { readRegistrant, sessionIdOf, type RegistrantSettings } from '../../form/readRegistrant';
import { parametersOf, readSameForAllItems, type RunContext } from '../runContext';
import type { Seconds } from '../../core/values/units';

/* Bulk Register and Sync begin here: the settings and the people are read before anything is sent. */

/** `jobs`: of a run that does not wait. `changes`: of Sync alone. */
export type ListOutput = 'people' | 'failed' | 'changes' | 'summary' | 'jobs';

export interface ListSettings {
	readonly output: ListOutput;
	readonly isDryRun: boolean;
	readonly maxWaitSeconds: Seconds;
	readonly includesDetails: boolean;
	readonly includesJoinLink: boolean;
	/** Where the run reads the sessions of the list anyway, their forms cost no further request. */
	readonly readsSessions: boolean;
	readonly leavesOutEmptyRows: boolean;
	readonly leavesOutDuplicates: boolean;
}

interface PreparedList<Settings extends ListSettings> {
	readonly run: RunContext;
	readonly settings: Settings;
	readonly people: readonly Registrant[];
}

export async function prepareList<
	OwnSettings extends Pick<
		ListSettings,
		'output' | 'isDryRun' | 'readsSessions' | 'leavesOutEmptyRows'
	>,
>(
	begun: RunContext,
	readOwnSettings: (parameters: ItemParameters) => OwnSettings,
): Promise<PreparedList<ListSettings & OwnSettings>> {
	const { n8n } = begun;
	const settings = await readSameForAllItems(begun, (parameters) => ({
		maxWaitSeconds: parameters.maxWaitSeconds(),
		includesDetails: parameters.option('includeDetails'),
		leavesOutDuplicates: parameters.option('leaveOutDuplicates'),
		includesJoinLink: parameters.option('includeJoinLink'),
		...readOwnSettings(parameters),
	}));
	const rows = await readRows(begun, settings);
	const people = settings.leavesOutEmptyRows ? withoutEmptyEnd(rows, begun) : rows;
	// Without details the run keeps of each person only what the items tell.
	const view: RecordView = {
		columns: settings.includesDetails ? 'usual' : ['first_name', 'last_name'],
		zone: workflowZone(n8n),
		includesJoinLink: settings.includesJoinLink,
	};
	// A long run is watched in n8n's log, so this is no detail for debugging.
	const log = (message: string) => n8n.logger.info(message);
	return { run: { ...begun, view, log }, settings, people };
}

async function readRows(
	run: RunContext,
	{ readsSessions }: Pick<ListSettings, 'readsSessions'>,
): Promise<Registrant[]> {
	const settings: RegistrantSettings = { checksForms: readsSessions };
	const people: Registrant[] = [];
	const yieldIfDue = createYielder(run.clock, run.signal);
	for (const itemIndex of run.n8n.getInputData().keys()) {
		await yieldIfDue();
		const parameters = parametersOf(run, itemIndex);
		const makeRow = (error: unknown) => unreadRow(error, parameters, run);
		const row = await readRegistrant(run.forms, parameters, settings).catch(makeRow);
		const isToSend = row.problems.length === 0;
		people.push(isToSend ? row : { ...row, possibleEmails: possibleEmailsIn(parameters) });
	}
	return people;
}

/**
 * Leaves out the rows at the end of a list that have nothing in them, as spreadsheets write them. The first row stays, because
 * an input without anybody is a mistake that people have to see.
 */
function withoutEmptyEnd(rows: readonly Registrant[], { n8n }: RunContext): Registrant[] {
	const items = n8n.getInputData();
	const isPerson = ({ email }: Registrant, index: number) =>
		index === 0 || email !== '' || !isEmptyItem(items[index]);
	return rows.slice(0, rows.findLastIndex(isPerson) + 1);
}

function isEmptyItem({ json }: Partial<INodeExecutionData> = {}): boolean {
	return Object.entries(json ?? {}).every(([name, cell]) => {
		const isNothing = typeof cell === 'string' ? !isVisible(cell) : (cell ?? null) === null;
		return isNothing || name === rowNumberOfSheet;
	});
}

/** n8n's Google Sheets node adds this column to each row. */
const rowNumberOfSheet = 'row_number';

/** A parameter that cannot be meant concerns its item alone, and a session that is refused the items of that session. */
function unreadRow(
	error: unknown,
	parameters: ItemParameters,
	{ sessions }: RunContext,
): Registrant {
	const person = () => emailAndAddressOf(emailIn(parameters));
	if (error instanceof SessionRefused) {
		const sessionId = sessionIdOf(parameters);
		return { ...unreadableRow(explainFailure(error, sessions)), ...person(), sessionId };
	}
	if (!(error instanceof NodeOperationError)) throw error;
	return { ...unreadableRow(error.message), ...person() };
}

/** An item that has a problem already is read for its address alone, because it is not sent. */
const addressAlone: Mapping = {
	questions: namedQuestions,
	unaskedColumns: 'ignore',
	explicit: new Set(),
	unknownChoices: 'send',
	isRegistered: true,
};

function emailIn(parameters: ItemParameters): string | undefined {
	try {
		const { values } = readMappedValues(parameters);
		const { answers } = readFurtherAnswers(parameters);
		return readPersonFields(addFurtherAnswers(values, answers), addressAlone).email;
	} catch {
		return undefined;
	}
}

/** Sync removes nobody whose address stands in a row, whatever of the row cannot be read. */
function possibleEmailsIn(parameters: ItemParameters): string[] {
	return textsWithin(valuesOfRow(parameters)).filter((text) => text.includes('@'));
}

function valuesOfRow(parameters: ItemParameters): unknown {
	try {
		const { furtherAnswers } = parameters.chosen('additionalFields');
		return [readMappedValues(parameters).values, furtherAnswers];
	} catch {
		// An expression cannot be evaluated, but the item has what it reads.
		return parameters.item;
	}
}

/** More levels than anybody gives an address, and fewer than JavaScript can go through. */
const mostLevels = 10;

function textsWithin(value: unknown, levels = mostLevels): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null || levels === 0) return [];
	return Object.values(value).flatMap((part) => textsWithin(part, levels - 1));
}
