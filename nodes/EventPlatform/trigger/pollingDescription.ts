import type { INodeProperties } from 'n8n-workflow';
import { defaultKinds, kindOf } from '../core/deliveries/kinds';
import { canBeListed } from '../core/deliveries/lists';
import { authentication } from '../n8n/authentication';
import { options } from '../parameters/field';
import { simplifyField } from '../parameters/recordFields';
import { eventLocator, sessionLocator } from '../parameters/locators';
import { webhookKinds } from '../parameters/webhookKinds';
import { jobIds } from './description';

export const pollingProperties: INodeProperties[] = [
	{
		displayName:
			'Every 15 minutes uses about 2,900 of 10,000 monthly requests. With a public URL, use the Event Platform Trigger.',
		name: 'costNotice',
		type: 'notice',
		default: '',
	},
	authentication,
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		options: webhookKinds.filter(
			({ value }) => kindOf(String(value)).isNamed || canBeListed(String(value)),
		),
		default: [defaultKinds.polling],
		hint: "Watched replays aren't available here. 'Job Ended' needs 'Job IDs'.",
	},
	{
		...eventLocator,
		required: false,
		description:
			"Only this event, its sessions and their people. If empty, the whole workspace. Does not apply to 'Job Ended'.",
	},
	{
		...sessionLocator,
		required: false,
		description:
			"Only this session and its people. If empty, all sessions that are open or ended recently. Does not apply to events and 'Job Ended'.",
	},
	simplifyField,
	options([
		{
			displayName: 'Ended Within Days',
			name: 'endedWithinDays',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 365 },
			default: 1,
			description:
				'How many days after its end a session is still checked. Upcoming, live and on-demand sessions are always checked.',
		},
		{
			...jobIds,
			description:
				"The jobs to wait for, comma-separated, for 'Job Ended'. Jobs that ended before the activation are included.",
		},
		{
			displayName: 'Limit Monthly Requests',
			name: 'keepToShare',
			type: 'boolean',
			default: true,
			description:
				"Whether to use at most a third of the month's requests. Checks beyond that are skipped, and the next check finds everything since. Turn off to check at every poll time.",
		},
		{
			displayName: 'Start From',
			name: 'startFrom',
			type: 'dateTime',
			default: '',
			description: 'Include events since this time. If empty, only events after the activation.',
		},
	]),
];
