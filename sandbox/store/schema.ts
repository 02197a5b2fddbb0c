export const tables = [
	'events',
	'sessions',
	'people',
	'registrations',
	'event_people',
	'users',
	'webhooks',
	'tags',
	'event_tags',
	'questions',
	'recordings',
	'chat_messages',
	'jobs',
	'tasks',
	'workspace',
] as const;
export type Table = (typeof tables)[number];

/**
 * `seq` is the order of creation: lists are ordered by it, so pages stay put while people register.
 * Times are Unix seconds and 0 means unset, as on the wire; only jobs count milliseconds.
 */
export const schema = `
CREATE TABLE IF NOT EXISTS workspace (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS users (
	seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, email TEXT NOT NULL, email_key TEXT NOT NULL UNIQUE,
	role TEXT NOT NULL, first_name TEXT, last_name TEXT, pending_invite INTEGER NOT NULL,
	created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS events (
	seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, slug TEXT NOT NULL UNIQUE,
	description TEXT, status TEXT NOT NULL, language TEXT NOT NULL, owner_id TEXT NOT NULL,
	estimated_duration INTEGER NOT NULL, switches TEXT NOT NULL, fields TEXT NOT NULL,
	published_at INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS tags (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS event_tags (
	event_id TEXT NOT NULL REFERENCES events(id) ON DELETE CASCADE,
	tag_id TEXT NOT NULL REFERENCES tags(id) ON DELETE CASCADE,
	PRIMARY KEY (event_id, tag_id)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS sessions (
	seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
	event_id TEXT NOT NULL REFERENCES events(id) ON DELETE CASCADE,
	name TEXT, embed_url TEXT, timezone TEXT NOT NULL, registrants_count INTEGER NOT NULL DEFAULT 0,
	attendees_count INTEGER NOT NULL DEFAULT 0, on_demand INTEGER NOT NULL DEFAULT 0,
	estimated_started_at INTEGER NOT NULL,
	started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL, canceled_at INTEGER NOT NULL,
	created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS sessions_of_event ON sessions (event_id, seq);

CREATE TABLE IF NOT EXISTS people (
	seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, role TEXT NOT NULL, email TEXT NOT NULL,
	email_key TEXT NOT NULL UNIQUE, first_name TEXT, last_name TEXT,
	avatar_link TEXT, timezone TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS people_by_role ON people (role, seq);

CREATE TABLE IF NOT EXISTS registrations (
	seq INTEGER PRIMARY KEY,
	session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
	event_id TEXT NOT NULL, person_id TEXT NOT NULL REFERENCES people(id) ON DELETE CASCADE,
	role TEXT NOT NULL, fields TEXT NOT NULL, tracking TEXT NOT NULL, password_key TEXT NOT NULL,
	registration_type TEXT NOT NULL, attended INTEGER NOT NULL DEFAULT 0,
	attendance_rate INTEGER NOT NULL DEFAULT 0, attendance_duration INTEGER NOT NULL DEFAULT 0,
	has_viewed_replay INTEGER NOT NULL DEFAULT 0, messages_count INTEGER NOT NULL DEFAULT 0,
	questions_count INTEGER NOT NULL DEFAULT 0, votes_count INTEGER NOT NULL DEFAULT 0,
	up_votes_count INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
	UNIQUE (session_id, person_id)
);
CREATE INDEX IF NOT EXISTS registrations_of_session ON registrations (session_id, seq);
CREATE INDEX IF NOT EXISTS registrations_by_role ON registrations (session_id, role, seq);
CREATE INDEX IF NOT EXISTS registrations_by_attendance ON registrations (session_id, attended, seq);
CREATE INDEX IF NOT EXISTS registrations_of_person ON registrations (person_id, event_id);

-- Everybody of an event once, however many of its sessions they are registered for.
CREATE TABLE IF NOT EXISTS event_people (
	event_id TEXT NOT NULL, person_seq INTEGER NOT NULL, PRIMARY KEY (event_id, person_seq)
) WITHOUT ROWID;

CREATE TRIGGER IF NOT EXISTS registration_made AFTER INSERT ON registrations BEGIN
	UPDATE sessions SET registrants_count = registrants_count + (NEW.role = 'participant'),
		attendees_count = attendees_count + (NEW.attended AND NEW.role = 'participant')
		WHERE id = NEW.session_id;
	INSERT OR IGNORE INTO event_people (event_id, person_seq)
		SELECT NEW.event_id, seq FROM people WHERE id = NEW.person_id;
END;
CREATE TRIGGER IF NOT EXISTS registration_withdrawn AFTER DELETE ON registrations BEGIN
	UPDATE sessions SET registrants_count = registrants_count - (OLD.role = 'participant'),
		attendees_count = attendees_count - (OLD.attended AND OLD.role = 'participant')
		WHERE id = OLD.session_id;
	DELETE FROM event_people WHERE event_id = OLD.event_id
		AND person_seq = (SELECT seq FROM people WHERE id = OLD.person_id)
		AND NOT EXISTS (SELECT 1 FROM registrations
			WHERE person_id = OLD.person_id AND event_id = OLD.event_id);
END;
CREATE TRIGGER IF NOT EXISTS attendance_changed AFTER UPDATE OF attended ON registrations BEGIN
	UPDATE sessions SET attendees_count = attendees_count + NEW.attended - OLD.attended
		WHERE id = NEW.session_id AND NEW.role = 'participant';
END;

CREATE TABLE IF NOT EXISTS questions (
	seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, event_id TEXT NOT NULL,
	question TEXT NOT NULL, response TEXT, responded_at INTEGER NOT NULL,
	question_author_id TEXT NOT NULL, responder_id TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS questions_of_session ON questions (session_id, seq);

CREATE TABLE IF NOT EXISTS recordings (
	seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, event_id TEXT NOT NULL,
	file_type TEXT NOT NULL, mime_type TEXT NOT NULL, file_size INTEGER NOT NULL, file_name TEXT NOT NULL,
	created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS recordings_of_session ON recordings (session_id, seq);

CREATE TABLE IF NOT EXISTS chat_messages (
	seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, event_id TEXT NOT NULL,
	author_id TEXT NOT NULL, text_content TEXT NOT NULL, html_content TEXT NOT NULL,
	from_guest_speaker INTEGER NOT NULL, from_team_member INTEGER NOT NULL,
	created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS chat_messages_of_session ON chat_messages (session_id, seq);

CREATE TRIGGER IF NOT EXISTS question_asked AFTER INSERT ON questions BEGIN
	UPDATE registrations SET questions_count = questions_count + 1
		WHERE session_id = NEW.session_id AND person_id = NEW.question_author_id;
END;
CREATE TRIGGER IF NOT EXISTS message_written AFTER INSERT ON chat_messages BEGIN
	UPDATE registrations SET messages_count = messages_count + 1
		WHERE session_id = NEW.session_id AND person_id = NEW.author_id;
END;

CREATE TABLE IF NOT EXISTS webhooks (
	seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, url TEXT NOT NULL, event TEXT NOT NULL,
	disabled_at INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS jobs (
	seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL, status TEXT NOT NULL,
	total_items INTEGER NOT NULL, total_processed_items INTEGER NOT NULL, total_fail INTEGER NOT NULL,
	total_success INTEGER NOT NULL, first_task_at_ms INTEGER NOT NULL, task_ms INTEGER NOT NULL,
	created_at_ms INTEGER NOT NULL, ended_at_ms INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS jobs_by_status ON jobs (status, seq);

CREATE TABLE IF NOT EXISTS tasks (
	job_id TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE, position INTEGER NOT NULL,
	task TEXT NOT NULL, status TEXT NOT NULL, errors TEXT NOT NULL, person TEXT,
	PRIMARY KEY (job_id, position)
) WITHOUT ROWID;
`;
