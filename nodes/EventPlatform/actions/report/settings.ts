import type { INodeProperties } from 'n8n-workflow';
import type { Division } from '../../core/report/groups';
import type { Origin } from '../../core/report/reportedPerson';
import { choiceField, textField } from '../../fields/fieldBuilders';
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
	utmSource: { by: 'utm_source', title: 'UTM Source' },
	utmMedium: { by: 'utm_medium', title: 'UTM Medium' },
	utmCampaign: { by: 'utm_campaign', title: 'UTM Campaign' },
	referrer: { by: 'referrer', title: 'Referrer' },
	country: { by: 'country', title: 'Country' },
} satisfies Record<string, { by: Origin; title: string }>;

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
				utmCampaign: { name: origins.utmCampaign.title },
				utmMedium: { name: origins.utmMedium.title },
				utmSource: { name: origins.utmSource.title },
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
	const name = parameters.choice('groupBy', [...originNames(origins), 'question'], 'utmSource');
	if (name !== 'question') {
		const { by, title } = origins[name];
		return { output, division: { by }, groupedBy: title };
	}
	const questionId = parameters.needed('questionId');
	return { output, division: { by: 'question', questionId }, groupedBy: questionId };
}

function originNames<Name extends string>(table: Record<Name, unknown>): Name[] {
	return Object.keys(table) as Name[];
}
