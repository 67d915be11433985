import { z } from 'zod'
import { BOUNDED_ACTS, HIDDEN_EFFECTS } from './bounded-acts.ts'
import { camelCase, LIST, record, rows, table, WORD, WORD_LIST, wordDomain, words } from './word-domain.ts'

const KIND = z.enum(['read', 'write', 'delete', 'move', 'execute', 'fetch', 'query', 'send', 'other'])
const EFFECT = z.enum(['read', 'look', 'small', 'write', 'run', 'remote', 'send', 'pay', 'destroy', 'admin'])
const LEVEL = z.enum(['none', 'low', 'medium', 'high', 'critical'])
const TEXTS = table(WORD, 'string')
const NUMBERS = table(z.number().positive(), 'number')

const EFFECT_ROW = z.strictObject({ level: LEVEL, reason: WORD, undo: z.literal('no').optional() })
const EXAMPLE = z.strictObject({ tool: WORD, level: LEVEL })
const VERB_ROW = z.strictObject({ kind: KIND, effect: EFFECT, verbs: WORD_LIST, examples: z.array(EXAMPLE).min(1) })
const OBJECT_LISTS = [
  'stores',
  'minor',
  'rights',
  'key_owners',
  'keys',
  'secrets',
  'money',
  'money_documents',
  'messages',
  'releases',
  'shared_places',
  'safeguards',
  'benign_runs',
  'machines',
  'harmless_stops',
  'infrastructure',
  'people',
  'published',
  'filings',
  'internal_posts',
  'callables',
] as const
const OBJECT_LIST = z.array(z.enum(OBJECT_LISTS))

const VERB_OBJECT_ROW = z.strictObject({
  verbs: WORD_LIST,
  object: WORD_LIST.optional(),
  object_in: OBJECT_LIST.optional(),
  word: WORD_LIST.optional(),
  word_in: OBJECT_LIST.optional(),
  last_word: WORD_LIST.optional(),
  phrase: WORD.optional(),
  effect: EFFECT,
})
const HOST_TOOL = z.strictObject({
  id: WORD,
  like: WORD.optional(),
  names: WORD_LIST,
  kind: KIND.optional(),
  paths: WORD_LIST.optional(),
  glob: WORD.optional(),
  command: WORD_LIST.optional(),
  working_directory: WORD_LIST.optional(),
  patch: z.literal(true).optional(),
  exact_words: z.literal(true).optional(),
  program: WORD.optional(),
  kind_by: z.strictObject({ argument: WORD, kinds: z.record(z.string(), KIND) }).optional(),
  volatile: WORD_LIST.optional(),
})

/** Examples are for tests only. */
function withoutExamples(all: readonly object[]): readonly object[] {
  return all.map((row) => ({ ...row, examples: undefined }))
}

/** Spells list names as in the compiled module. */
function withListNames(all: readonly object[]): readonly object[] {
  return all.map((row: { object_in?: readonly string[]; word_in?: readonly string[] }) => ({
    ...row,
    ...(row.object_in === undefined ? {} : { object_in: row.object_in.map(camelCase) }),
    ...(row.word_in === undefined ? {} : { word_in: row.word_in.map(camelCase) }),
  }))
}

/** Adds the values of the row named by `like` to each row. */
function withLike(all: readonly object[]): readonly object[] {
  const byId = new Map<string, object>()
  return all.map((row) => {
    const { id, like, ...own } = row as { readonly id: string; readonly like?: string }
    const whole = { ...byId.get(like ?? ''), id, ...own }
    byId.set(id, whole)
    return whole
  })
}

/** Facts about tools, by their names and arguments. */
export const TOOLS = wordDomain(
  'tools',
  {
    verbs: {
      effects: record(z.record(EFFECT, EFFECT_ROW), 'Readonly<Record<Effect, EffectRow>>'),
      verbs: rows(VERB_ROW, 'VerbRow', { unique: 'verbs', expand: withoutExamples }),
    },
    'verb-objects': { rows: rows(VERB_OBJECT_ROW, 'VerbObjectRow', { expand: withListNames }) },
    'host-tools': { tools: rows(HOST_TOOL, 'HostTool', { unique: 'names', expand: withLike }) },
    'lookalike-letters': {
      letters: record(z.record(z.string(), WORD_LIST), 'Readonly<Record<string, readonly string[]>>'),
    },
    'foreign-words': {
      words: record(z.record(z.string(), WORD_LIST), 'Readonly<Record<string, readonly string[]>>'),
      unspaced: record(z.record(z.string(), WORD_LIST), 'Readonly<Record<string, readonly string[]>>'),
    },
    'name-words': {
      ...words(
        'nouns',
        'joiners',
        'probes',
        'records',
        'areas',
        'questions',
        'state_questions',
        'things',
        'information',
        'getters',
        'askers',
        'everything',
        'verb_pairs',
        'compounds',
        'final_verbs',
        'kept_records',
        'starters',
        'qualifiers',
        'dispatchers',
        'dispatcher_fillers',
        'action_triggers',
        'makers',
        'prepositions',
        'all',
        'revealers',
        'fillers',
        'file_deletions',
      ),
      doers: TEXTS,
      action_nouns: TEXTS,
    },
    objects: words(...OBJECT_LISTS),
    'program-tools': {
      ...words(
        'fillers',
        'redis_servers',
        'shells',
        'shell_fillers',
        'other_languages',
        'process_enders',
        'processes',
        'terminals',
        'typing',
        'typing_fillers',
        'keystrokes',
        'other_screens',
        'terminal_readers',
      ),
      programs: TEXTS,
      code_runners: TEXTS,
    },
    'argument-names': {
      ...words(
        'commands',
        'actions',
        'possible_actions',
        'action_targets',
        'sql',
        'urls',
        'paths',
        'possible_paths',
        'routes',
        'programs',
        'program_arguments',
        'whole_commands',
        'standard_input',
        'possible_standard_input',
        'environment',
        'page_elements',
        'typed_texts',
        'code',
        'store_queries',
        'also_run',
        'shells',
        'elsewhere',
        'also_write',
      ),
      targets: LIST,
      web_searches: LIST,
      http_routes: LIST,
    },
    'nested-calls': {
      ...words(
        'callers_and_runners',
        'callers',
        'runners',
        'call_arguments',
        'call_lists',
        'tool_keys',
        'name_keys',
        'id_keys',
        'argument_keys',
        'server_keys',
        'code_keys',
        'other_keys',
      ),
    },
    environments: {
      ...words(
        'production',
        'places',
        'stages',
        'sandboxes',
        'sandbox_arguments',
        'sandbox_names',
        'dry_run',
        'dry_run_if_true',
        'commits',
        'no',
        'modes',
        'dry_run_modes',
        'options',
        'removal_flags',
        'everything_flags',
        'filters',
        'command_line_flags',
      ),
    },
    settings: {
      ...words(
        'exposure',
        'rights',
        'powerful_roles',
        'off_values',
        'ended_flags',
        'stopped_flags',
        'running_flags',
        'guarded',
        'invitations',
        'relays',
        'addresses',
        'recipients',
        'message_parts',
      ),
    },
    secrets: {
      ...words(
        'secret_stores',
        'revealers',
        'names_only',
        'name_arguments',
        'authentication_arguments',
        'body_arguments',
        'local_stores',
        'generic_kinds',
      ),
    },
    'user-interfaces': {
      ...words(
        'drivers',
        'navigation',
        'input',
        'presses',
        'types',
        'label_arguments',
        'typed_arguments',
        'label_fillers',
        'leaving_labels',
        'folder_names',
        'own_lists',
        'own_list_words',
        'own_list_arguments',
        'local_git_tools',
        'local_git_arguments',
        'draft_words',
        'draft_arguments',
      ),
    },
    'bounded-acts': BOUNDED_ACTS,
    'hidden-effects': HIDDEN_EFFECTS,
    amounts: {
      ...words(
        'counts',
        'other_units',
        'parts',
        'amounts',
        'not_amounts',
        'minor_units',
        'without_minor_units',
        'minor_unit_services',
      ),
      dollars: NUMBERS,
      signs: TEXTS,
    },
    'approval-claims': { claims: LIST, stems: LIST },
  },
  ['Effect', 'EffectRow', 'HostTool', 'VerbObjectRow', 'VerbRow'],
)
