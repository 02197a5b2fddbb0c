/** Where the links in the records point to. No server answers there. */
export const site = 'https://events.example.org';
