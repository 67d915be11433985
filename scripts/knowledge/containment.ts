import { z } from 'zod'
import { LIST, record, WORD_LIST, wordDomain, words } from './word-domain.ts'

/** The sandbox of commands. */
export const CONTAINMENT = wordDomain('containment', {
  'protected-names': {
    ...words('names', 'git', 'generated'),
    starts: LIST,
    endings: LIST,
    inside: LIST,
    git_settings: LIST,
  },
  'visible-files': { system: LIST, linked: LIST, by_path: LIST, masked: LIST, home: LIST, git_settings: LIST },
  credentials: {
    sets: record(z.record(z.string(), WORD_LIST), 'Readonly<Record<string, readonly string[] | undefined>>'),
  },
  environment: { ...words('passed'), passed_starts: LIST, caches: LIST },
})
