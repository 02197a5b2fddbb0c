import { EventPlatformPollingTrigger } from '../../../nodes/EventPlatform/EventPlatformPollingTrigger.node';
import { EventPlatformTrigger } from '../../../nodes/EventPlatform/EventPlatformTrigger.node';

test.each([EventPlatformTrigger, EventPlatformPollingTrigger])(
	'%p asks for the API token or for OAuth2, as people choose',
	(Trigger) => {
		expect(new Trigger().description.credentials).toEqual([
			{
				name: 'eventPlatformApi',
				required: true,
				displayOptions: { show: { authentication: ['apiToken'] } },
			},
			{
				name: 'eventPlatformOAuth2Api',
				required: true,
				displayOptions: { show: { authentication: ['oAuth2'] } },
			},
		]);
	},
);
