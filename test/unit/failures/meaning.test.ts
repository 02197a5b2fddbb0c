import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import {
	concernsOthers,
	isNotOffered,
	meaningOf,
	meanings,
} from '../../../nodes/EventPlatform/core/failures/meaning';

const post = { method: 'POST', path: '/sessions/s1/people' } as const;

test.each<[Cause[], string]>([
	[['refused', 'unprocessable', 'already_exists', 'page_out_of_range'], 'refused'],
	[
		['platform_error', 'unconfirmed', 'not_json', 'unexpected_shape', 'incomplete_list'],
		'passing perhaps',
	],
	[['unreachable', 'rate_limited'], 'passing unsent'],
	[['not_found', 'forbidden'], 'unsent session'],
	[['unauthorized', 'reconnect', 'missing_scope', 'workspace_blocked'], 'unsent run'],
	[['allowance_spent', 'quota_spent', 'time_over', 'not_from_api'], 'unsent run'],
])('"%s" means "%s"', (causes, meaning) => {
	const meant = causes.map((cause) => {
		const { isPassing, effectOnPerson, ends } = meaningOf(new Failure(cause, post));
		return [isPassing && 'passing', effectOnPerson, ends].filter(Boolean).join(' ');
	});
	expect(meant).toEqual(causes.map(() => meaning));
});

test.each<[Cause]>([
	['no_endpoint'],
	['not_found'],
	['nothing_or_filter'],
	['refused'],
	['unprocessable'],
	['unexpected_shape'],
])('"%s" may mean that the platform does not offer what was asked for', (cause) => {
	expect(isNotOffered(new Failure(cause, post))).toBe(true);
});

test.each<[Cause]>([['forbidden'], ['page_out_of_range'], ['platform_error'], ['unreachable']])(
	'"%s" says nothing of what the platform offers',
	(cause) => expect(isNotOffered(new Failure(cause, post))).toBe(false),
);

test('the ID of what was asked for is unknown where it is not found, refused or not processed', () => {
	const causes = Object.keys(meanings) as Cause[];
	expect(causes.filter((cause) => meanings[cause].isIdUnknown)).toEqual([
		'not_found',
		'nothing_or_filter',
		'refused',
		'unprocessable',
	]);
});

test('before its end a job may refuse its results, or show none', () => {
	const causes = Object.keys(meanings) as Cause[];
	expect(causes.filter((cause) => meanings[cause].isNotYet)).toEqual([
		'not_found',
		'page_out_of_range',
		'already_exists',
		'refused',
		'unprocessable',
		'not_from_api',
		'incomplete_list',
	]);
});

test('no other request meets a refusal of what this one names or says', () => {
	const causes = Object.keys(meanings) as Cause[];
	expect(causes.filter((cause) => !concernsOthers(new Failure(cause, post)))).toEqual([
		'forbidden',
		'not_found',
		'session_closed',
		'page_out_of_range',
		'nothing_or_filter',
		'already_exists',
		'refused',
		'unprocessable',
	]);
});
