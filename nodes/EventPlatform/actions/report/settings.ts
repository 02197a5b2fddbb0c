import type { INodeProperties } from 'n8n-workflow';
import type { Division } from '../../core/report/groups';
import type { Origin } from '../../core/report/reportedPerson';
import { choiceField, textField } from '../../fields/fieldBuilders';
import { titleOf } from '../../fields/fieldNames';
import type { ItemParameters } from '../../fields/itemParameters';

export type ReportSettings =
	| { output: 'summary' | 'people' }
	| {
			output: 'groups' | 'page';
			division: Division;
			groupedBy: string;
	  };

const outputs: ReadonlyArray<ReportSettings['output']> = ['summary', 'groups', 'page', 'people'];

const origins = {
	utmSource: 'utm_source',
	utmMedium: 'utm_medium',
	utmCampaign: 'utm_campaign',
	referrer: 'referrer',
	country: 'country',
} satisfies Record<string, Origin>;
const originNames = Object.keys(origins) as Array<keyof typeof origins>;

const groupedOutputs = ['groups', 'page'];

/** Makes the fields of an operation that reports. `summary` describes the summary, which differs between a session and an event. */
export function reportFields(summary: string): INodeProperties[] {
	return [
		choiceField(
			'output',
			{
				groups: 'One item for each group of people, such as those with the same UTM source',
				page: 'One item with an HTML page to send by mail',
				people: 'One item for each person, with minutes, share of the session and answers',
				summary,
			},
			'summary',
			'What the node returns',
		),
		choiceField(
			'groupBy',
			{
				country: 'The country that people were in',
				question: 'The answer to a question of the registration form',
				referrer: 'The page that people came from',
				utmCampaign: { name: titleOf('utmCampaign') },
				utmMedium: { name: titleOf('utmMedium') },
				utmSource: { name: titleOf('utmSource') },
			},
			'utmSource',
			'What to group people by',
			{ displayOptions: { show: { output: groupedOutputs } } },
		),
		textField(
			'questionId',
			"ID of a question of the registration form: the name of its column in 'Get People'",
			{
				displayName: 'Question ID',
				placeholder: 'e.g. company',
				displayOptions: { show: { output: groupedOutputs, groupBy: ['question'] } },
			},
		),
	];
}

export function readReportSettings(parameters: ItemParameters): ReportSettings {
	const output = parameters.choice('output', outputs, 'summary');
	if (output !== 'groups' && output !== 'page') return { output };
	const name = parameters.choice('groupBy', [...originNames, 'question'], 'utmSource');
	if (name !== 'question') {
		return { output, division: { by: origins[name] }, groupedBy: titleOf(name) };
	}
	const questionId = parameters.needed('questionId');
	return { output, division: { by: 'question', questionId }, groupedBy: questionId };
}
