/** Where the links in the records point to, but those to files. Nothing is there: the sandbox has no rooms. */
export const site = 'https://events.example.org';
