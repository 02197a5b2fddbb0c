import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { choiceField, optionsField, switchFields, type Choices } from '../../fields/fieldBuilders';
import { maxWaitField } from '../../fields/sharedFields';
import { registrationFields, unknownChoices } from '../../fields/registrationFields';

interface OutputWords {
	readonly failed: Choices[string];
	readonly everyone: string;
	readonly changes?: Choices[string];
	readonly displayOptions?: IDisplayOptions;
	/** The option that a first run needs: to look, and change nothing. It stands above the others. */
	readonly firstOption: 'dryRun' | 'validateOnly';
}

export function fieldsOfList(
	output: OutputWords,
	ownOptions: INodeProperties[],
): INodeProperties[] {
	const { changes, failed, everyone, displayOptions, firstOption } = output;
	const summary = 'One item for each session, with counts';
	const choices = { ...(changes && { changes }), failed, people: everyone, summary };
	return [
		...registrationFields,
		choiceField('output', choices, 'people', 'What the node returns', { displayOptions }),
		optionsField(
			[
				...ownOptions,
				...switchFields(true, {
					includeDetails:
						'Whether to also return records, all reasons, and the columns of rows that are invalid or failed',
					leaveOutDuplicates:
						'Whether to leave out people who stand in an earlier row of the session. The counts include them.',
				}),
				maxWaitField(
					"Max time for the run. People without a result by then are 'unknown', with their job ID.",
				),
				unknownChoices,
			],
			firstOption,
		),
	];
}
