import { z } from 'zod'
import { RUN_FILE_FORMATS } from '../../packages/core/src/knowledge/commands.ts'
import { record, rows, WORD, WORD_LIST, wordDomain, words } from './word-domain.ts'

const RECIPE = z.strictObject({
  programs: WORD_LIST,
  verbs: WORD_LIST.optional(),
  files: WORD_LIST,
  fetched: z.enum(['high', 'critical']),
  contained: z.literal(true).optional(),
})

const RUN_KEYS = z.strictObject({
  keys: WORD_LIST,
  when: WORD.optional(),
  effect: WORD.optional(),
  value: z.string().optional(),
  argv: z.literal(true).optional(),
  level: z.enum(['medium', 'high']).optional(),
})
const RUN_FILE = z.strictObject({
  files: WORD_LIST,
  format: z.enum([...RUN_FILE_FORMATS]),
  when: WORD.optional(),
  runs: z.array(RUN_KEYS).min(1).optional(),
  settings: z.array(RUN_KEYS).min(1).optional(),
})

const PLAIN_FILES = z.strictObject({ delete: WORD_LIST, write: WORD_LIST, read: WORD_LIST })

/** Facts about shell commands that concern several programs. */
export const COMMANDS = wordDomain(
  'commands',
  {
    'recipe-files': { recipes: rows(RECIPE, 'RecipeRow', { unique: 'programs' }) },
    'run-files': { files: rows(RUN_FILE, 'RunFileRow') },
    'data-flow': {
      ...words(
        'downloads',
        'remote_copies',
        'bucket_clients',
        'unpackers',
        'packers',
        'translators',
        'name_listers',
        'decoders',
        'secret_printers',
        'secret_managers',
        'senders',
        'upload_verbs',
        'publishing_verbs',
        'web_clients',
        'text_runners',
        'raw_connections',
        'declarations',
        'file_writers',
        'reducers',
        'archive_unpackers',
        'git_clone_options',
        'directory_options',
        'finders',
        'name_tests',
        'readers',
      ),
    },
    contained: {
      ...words(
        'reads',
        'bounded',
        'changes',
        'project_code',
        'file_changes',
        'repository_changes',
        'terminal',
        'outside',
      ),
    },
    grants: {
      ...words('free_verbs', 'package_managers', 'free_options', 'text_options'),
      operand_kinds: record(z.record(z.string(), WORD_LIST), 'Readonly<Record<string, readonly string[] | undefined>>'),
    },
    variables: {
      ...words(
        'injecting',
        'redirecting',
        'harmless',
        'public',
        'meant',
        'setters',
        'programs',
        'safe_programs',
        'library_paths',
      ),
    },
    loading: {
      ...words(
        'data_only',
        'names_changes',
        'version_control',
        'version_control_files',
        'never_loaded',
        'make_sources',
      ),
    },
    programs: {
      ...words(
        'recipe_runners',
        'text_options',
        'text_programs',
        'command_starts',
        'file_readers',
        'remote_shells',
        'remote_runners',
        'place_options',
        'help_ignorers',
        'deciding_subcommands',
        'process_drivers',
        'greps',
        'recursive_searches',
        'search_options',
        'metadata_readers',
      ),
    },
    'path-arguments': {
      ...words(
        'metadata_only',
        'no_files',
        'output_options',
        'key_options',
        'git_index_options',
        'interpreter_options',
        'copy_options',
        'file_changers',
        'find_names',
        'curl_options',
        'download_options',
        'httpie_options',
        'openssl_reads',
        'compressors',
        'content_writers',
        'second_written',
        'searches',
        'archivers',
        'no_path_programs',
        'ssh_key_options',
        'bucket_options',
        'openssl_digest_options',
      ),
      plain_files: record(PLAIN_FILES, 'PlainFiles'),
    },
  },
  ['PlainFiles', 'RecipeRow', 'RunFileRow'],
)
