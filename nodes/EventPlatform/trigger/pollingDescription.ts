import type { INodeProperties } from 'n8n-workflow';
import { canBeListed } from '../core/deliveries/happened';
import { authentication } from '../n8n/authentication';
import { options } from '../parameters/collections';
import { eventLocator, sessionLocator } from '../parameters/locators';
import { webhookKinds } from '../parameters/webhookKinds';
import { jobIds } from './description';

export const pollingProperties: INodeProperties[] = [
	{
		displayName:
			'Each check costs one request, one more for created or published events, and one for each job that has not ended: every minute 43,200 a month, every 5 minutes 8,640, every 15 minutes 2,880, every hour 720. More than 50 sessions in view cost one for each 50, and a session with changes one for each 50 people. Where the platform can reach this n8n, the Event Platform Trigger costs none.',
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
			({ value }) => value === 'job.ended' || canBeListed(String(value)),
		),
		default: ['people.registered'],
		hint: "Each event starts one run. For ended jobs, name the jobs under 'Job IDs'. Watched replays are not here: the platform shows no time of them.",
	},
	{
		...eventLocator,
		required: false,
		description:
			'Only this event, its sessions, and the people in them. When empty, all of the workspace. Ended jobs are not restricted.',
	},
	{
		...sessionLocator,
		required: false,
		description:
			'Only this session and the people in it. When empty, all that are to come, in progress, or ended lately. Events and ended jobs are not restricted.',
	},
	options([
		{
			displayName: 'Ended Within Days',
			name: 'endedWithinDays',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 365 },
			default: 1,
			description:
				'How many days after its end a session is still looked at. Upcoming and live sessions always are.',
		},
		{
			...jobIds,
			description:
				"The jobs to wait for, comma-separated, for 'Job Ended'. Each starts one run, even when it ended before the activation.",
		},
		{
			displayName: 'Start From',
			name: 'startFrom',
			type: 'dateTime',
			default: '',
			description:
				'Also start runs for what happened since this time. When empty, only for what happens after the activation.',
		},
	]),
];
