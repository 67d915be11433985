/** The pages: address, name, and what one finds there. */
export const PAGES = [
  ['/', 'Inbox', 'what is held'],
  ['/history', 'History', 'what was decided'],
  ['/grants', 'Grants', 'what runs without asking'],
  ['/journal', 'Journal', 'every step, verified'],
  ['/tools', 'Tools', 'what was called, and its policy'],
  ['/explain', 'Explain', 'what policy says of a call'],
  ['/charts', 'Charts', 'how much, how fast'],
] as const
