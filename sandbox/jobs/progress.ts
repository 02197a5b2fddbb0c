/** When the tasks of a job are done: one after the other, `taskMs` each, the first after a delay. */
export interface Timetable {
	firstTaskAtMs: number;
	taskMs: number;
	total: number;
}

/** How many tasks have had their time. */
export function dueTasks({ firstTaskAtMs, taskMs, total }: Timetable, now: number): number {
	if (now < firstTaskAtMs) return 0;
	return taskMs === 0 ? total : Math.min(total, Math.floor((now - firstTaskAtMs) / taskMs));
}

/** When the next task after `processed` ones is done. */
export function nextTaskAt({ firstTaskAtMs, taskMs }: Timetable, processed: number): number {
	return firstTaskAtMs + (processed + 1) * taskMs;
}
