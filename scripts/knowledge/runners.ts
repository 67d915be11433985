import { z } from 'zod'
import { LIST, rows, WORD, WORD_LIST, wordDomain, words } from './word-domain.ts'

const TOOL = z.strictObject({
  names: WORD_LIST,
  verbs: WORD_LIST.optional(),
  language: WORD,
  files: WORD_LIST.optional(),
  settings: WORD_LIST.optional(),
  keys: WORD_LIST.optional(),
  flags: WORD_LIST.optional(),
  values: WORD_LIST.optional(),
  opaque: WORD.optional(),
})

const GIT_PROGRAM = z.strictObject({
  names: WORD_LIST,
  verbs: WORD_LIST.optional(),
  refused: z.literal(true).optional(),
  file: z.literal(true).optional(),
})
const GIT_HOOK = z.strictObject({ names: WORD_LIST, verbs: WORD_LIST })
const GIT_GIVEN = z.strictObject({ names: WORD_LIST, values: z.array(z.string()).min(1).optional() })
const GIT_USE = z.strictObject({
  verbs: WORD_LIST,
  flags: WORD_LIST.optional(),
  values: WORD_LIST.optional(),
  needs: WORD_LIST.optional(),
  words: z.enum(['none', 'any', 'paths', 'moves', 'key', 'revision', 'files', 'dashed', 'here']),
  stages: z.enum(['words', 'changed']).optional(),
  states: z.enum(['switch', 'merge', 'stash', 'pop', 'files']).optional(),
})

const COMMAND_KEYS = z.strictObject({
  names: WORD_LIST,
  verbs: WORD_LIST.optional(),
  files: WORD_LIST,
  options: WORD_LIST.optional(),
  keys: WORD_LIST,
  opaque: WORD.optional(),
})
const COMMAND_FILE = z.strictObject({
  names: WORD_LIST,
  options: WORD_LIST,
  startup: WORD_LIST.optional(),
  as: WORD,
  matters: WORD,
  blocks: WORD.optional(),
  loads: WORD.optional(),
})
const COMPOSE_KEY = z.strictObject({
  key: WORD,
  option: WORD,
  values: z.enum(['true', 'host', 'each']),
  matches: WORD.optional(),
})

const PACKAGE_SETTINGS = z.strictObject({ programs: WORD_LIST, file: WORD, harmless: WORD_LIST.optional() })

/** What programs load from the files of a project. */
export const RUNNERS = wordDomain(
  'runners',
  {
    python: words(
      ...['modules', 'builtins', 'other_builtins', 'never', 'dunders', 'harmless', 'harmless_modules', 'reads'],
      ...['folders', 'deletes', 'copies', 'programs', 'path_reads', 'path_writes', 'methods', 'class_decorators'],
      ...['wrappers', 'bases', 'metaclasses', 'plain_calls'],
    ),
    javascript: words(
      ...['globals', 'other_globals', 'never', 'modules', 'prefixed_modules', 'harmless_modules', 'harmless'],
      ...[
        'callable_modules',
        'called',
        'called_variants',
        'assignable',
        'reads',
        'writes',
        'folders',
        'copies',
        'deletes',
        'shells',
        'programs',
      ],
    ),
    tools: { tools: rows(TOOL, 'ToolRow', { unique: 'names' }) },
    'command-keys': { rows: rows(COMMAND_KEYS, 'CommandKeysRow', { unique: 'names' }) },
    'command-files': { rows: rows(COMMAND_FILE, 'CommandFileRow', { unique: 'names' }) },
    compose: { services: rows(COMPOSE_KEY, 'ComposeKeyRow'), ...words('starts'), files: LIST, overrides: LIST },
    'package-settings': { rows: rows(PACKAGE_SETTINGS, 'PackageSettingsRow') },
    kubeconfig: words('programs', 'plugins'),
    'git-settings': {
      programs: rows(GIT_PROGRAM, 'GitProgramRow', { unique: 'names' }),
      hooks: rows(GIT_HOOK, 'GitHookRow'),
      ...words('harmless', 'display', 'apart'),
      given: rows(GIT_GIVEN, 'GitGivenRow', { unique: 'names' }),
      uses: rows(GIT_USE, 'GitUseRow'),
    },
  },
  [
    'CommandFileRow',
    'CommandKeysRow',
    'ComposeKeyRow',
    'GitGivenRow',
    'GitHookRow',
    'GitProgramRow',
    'GitUseRow',
    'PackageSettingsRow',
    'ToolRow',
  ],
)
