import { limiters } from '../access/rateLimit';
import { oneOf, onOff } from './kinds';

/**
 * In what a platform may differ from the one of the specification without breaking it, or as real
 * clients have seen it. Each can be changed while the sandbox runs.
 */
export const traits = {
	limiter: oneOf(
		limiters,
		'sliding',
		'How requests are counted: in any second, in each second of the clock, or out of a bucket that fills evenly',
		'fixed',
	),
	earlyResults: oneOf(
		['partial', 'empty', '404'],
		'partial',
		'What `/jobs/:id/tasks` gives before the end',
		'empty',
	),
	tasksPaging: oneOf(
		['spec', 'broken'],
		'spec',
		'`broken`: a page parameter on `/jobs/:id/tasks` is a 500, and without one all results come at once',
		'broken',
	),
	jobShape: oneOf(['flat', 'wrapped'], 'flat', '`wrapped`: the job stands in `data`', 'wrapped'),
	rotateRefresh: onOff(false, 'A refresh gives a new refresh token and ends the old one', true),
};
