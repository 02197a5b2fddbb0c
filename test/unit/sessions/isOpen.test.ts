import type { JsonObject } from '../../../nodes/EventPlatform/core/http/json';
import { isOpen } from '../../../nodes/EventPlatform/core/sessions/isOpen';

const time = 1_800_000_000;

test.each<[string, JsonObject, boolean]>([
	['upcoming', { status: 'upcoming', ended_at: 0, canceled_at: null }, true],
	['live', { status: 'live', started_at: time }, true],
	['on demand, though it has an end', { status: 'on_demand', ended_at: time }, true],
	['live again after an end', { status: 'live', ended_at: time }, true],
	['upcoming, though it was canceled once', { status: 'upcoming', canceled_at: time }, true],
	['written in capitals', { status: ' On_Demand ', ended_at: time }, true],
	['past', { status: 'past' }, false],
	['past and never started', { status: 'past_not_started', ended_at: 0 }, false],
	['ended', { status: 'ended' }, false],
	['canceled', { status: 'canceled' }, false],
	['cancelled, in the spelling of events', { status: 'cancelled' }, false],
	['a draft', { status: 'draft' }, false],
	['without a status and an end', {}, true],
	['without a status, with an end', { ended_at: time }, false],
	['without a status, canceled', { canceled_at: time }, false],
	['of an unknown status, without an end', { status: 'not past', ended_at: 0 }, true],
	['of an unknown status, with an end', { status: 'archived', ended_at: time }, false],
])('a session that is %s is open: %#', (_, attributes, expected) => {
	expect(isOpen(attributes)).toBe(expected);
});
