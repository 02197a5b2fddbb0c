import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { choiceField, optionsField, switchFields, type Choices } from '../../fields/fieldBuilders';
import { maxWaitField } from '../../fields/sharedFields';
import { registrationFields, unknownChoices } from '../../fields/registrationFields';

/** The words of the choices of *Output* where Bulk Register and Sync differ. */
interface OutputWords {
	/** The choice of the people who are not registered, or not in sync. */
	readonly failed: Choices[string];
	/** The description of the choice of all people. */
	readonly everyone: string;
	/** The choice of the people for whom something changed or should have. Absent: the operation changes nobody. */
	readonly changes?: Choices[string];
	readonly displayOptions?: IDisplayOptions;
}

/** Describes the fields of an operation that takes the whole list. `ownOptions` stand in front of the options that all such operations have. */
export function fieldsOfList(
	output: OutputWords,
	ownOptions: INodeProperties[],
): INodeProperties[] {
	const { changes, failed, everyone, displayOptions } = output;
	const summary = 'One item for each session, with counts';
	const choices = { ...(changes && { changes }), failed, people: everyone, summary };
	return [
		...registrationFields,
		choiceField('output', choices, 'people', 'What the node returns', { displayOptions }),
		optionsField([
			...ownOptions,
			...switchFields(true, {
				includeDetails:
					'Whether to also return the record of each person, all reasons of the platform, and the columns of rows to correct (invalid or failed)',
				leaveOutDuplicates:
					'Whether to leave out people who stand in an earlier row of the session. The counts include them.',
			}),
			maxWaitField(
				"Max time for the run. People without a result by then are 'unknown', with their job ID.",
			),
			unknownChoices,
		]),
	];
}
