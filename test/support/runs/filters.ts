import type { Filters } from '../../../nodes/EventPlatform/core/events/filters';

/** The filters of a trigger that leaves nothing out. */
export const noFilters: Filters = {
	jobIds: [],
	needsFailedTasks: false,
};
