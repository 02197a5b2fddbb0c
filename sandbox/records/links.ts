/** Where the links in the records point to, but those to files. No server answers there. */
export const site = 'https://events.example.org';
