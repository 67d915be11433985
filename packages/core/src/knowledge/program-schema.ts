import * as z from 'zod'
import { named } from './strict-object.ts'

/** The most entries of a list in somebody's own knowledge. */
export const MAX_LIST = 256

export const word = z.string().min(1).max(80)
export const words = z.array(word).min(1)
const programName = word.regex(/^[^\s=A-Z]+$/, 'a name is in lower case, without spaces and equals signs')
export const level = z.enum(['none', 'low', 'medium', 'high', 'critical'])
export const undo = z.enum(['yes', 'partly', 'no', 'unknown'])
const reach = z.enum(['one', 'several', 'many', 'all', 'unknown'])
/** One clause that follows the program's name: `rewrites published history`. */
export const effect = z.string().min(3).max(120).regex(/[^.]$/, 'an effect has no full stop')
const rule = z.string().regex(/^[a-z][\w-]*(?:\.[a-z][\w-]*)?$/, 'a rule is a name such as `files.archive`')

/**
 * Options by type. All but `flag` take a value in the next word or joined to the option; a name that ends in `=` takes
 * it only joined (`--color=`, `-p=`).
 */
const options = named('`options`', {
  /** Takes no value. */
  flag: words.exactOptional(),
  /** Takes a value that only changes how the program works or prints. */
  value: words.exactOptional(),
  /** Reads the file or folder it names. */
  reads: words.exactOptional(),
  /** Writes the file or folder it names. */
  writes: words.exactOptional(),
  /** Runs the program or the code it names. */
  runs: words.exactOptional(),
  /** Reaches the host or URL it names. */
  host: words.exactOptional(),
  /** Sets a setting, or reads settings from the file it names. */
  settings: words.exactOptional(),
})

/** A pattern for one word, anchored at its start and without nested repetition. */
const pattern = z
  .string()
  .max(200)
  .regex(/^\^/, 'a pattern starts with `^`')
  .refine((text) => !/[*+}]\)[*+{]/.test(text), 'a pattern has no nested repetition')

const verbGroup = named('a group of verbs', {
  level,
  undo: undo.exactOptional(),
  effect,
  reach: reach.exactOptional(),
  verbs: words,
})

const flagRow = z
  .strictObject({
    /** Only behind these verbs; behind any when absent. */
    verbs: words.exactOptional(),
    flags: words.exactOptional(),
    /** Every option of this type. */
    type: z.enum(['runs', 'writes', 'reads', 'host', 'settings']).exactOptional(),
    /** Any argument that is one of these, or that is not known. Only for programs without verbs. */
    words: words.exactOptional(),
    /** Any argument that matches. Only for programs without verbs. */
    matches: pattern.exactOptional(),
    level,
    undo: undo.exactOptional(),
    effect,
    reach: reach.exactOptional(),
    /** Only for programs without verbs. */
    rule: rule.exactOptional(),
  })
  .refine(
    ({ flags, type, words, matches }) => [flags, type, words, matches].filter((one) => one !== undefined).length === 1,
    'write one of `flags`, `type`, `words` and `matches`',
  )

const example = named('an example', { command: z.string().min(1).max(200), level })

/** A program, or several that answer alike. */
const program = z
  .strictObject({
    names: z.array(programName).min(1),
    about: z.string().min(3).max(120),
    /** Stable id of the answer; for a program with verbs the part before the level. */
    rule: rule.exactOptional(),
    level: level.exactOptional(),
    undo: undo.exactOptional(),
    effect: effect.exactOptional(),
    verbs: z.array(verbGroup).min(1).exactOptional(),
    flags: z.array(flagRow).min(1).exactOptional(),
    /** The level of a verb in no group whose form tells nothing. */
    unlisted: level.exactOptional(),
    /** What the form of a verb in no group may tell. */
    verb_shape: z.enum(['whole', 'compound', 'closed']).exactOptional(),
    /** The first word is a group or a service, never the verb. */
    first_word: z.literal('group').exactOptional(),
    /** Without any verb. */
    no_verb: z.strictObject({ level, effect }).exactOptional(),
    /** Flags under which nothing happens, besides `--dry-run`. */
    dry_run: words.exactOptional(),
    /** Options whose value names what is acted on; `--name` when absent. */
    target_options: words.exactOptional(),
    /** Long options have one dash: `-chdir`. */
    single_dash: z.literal(true).exactOptional(),
    /** Long options may be shortened: `--upl` for `--upload-file`. */
    abbreviates: z.literal(true).exactOptional(),
    /** The program whose options before the verb count, where it is another. */
    options_of: word.exactOptional(),
    /** Options before the verb mean nothing, or something else, behind it. */
    options_before_verb_only: z.literal(true).exactOptional(),
    options: options.exactOptional(),
    /** Which word behind the verb names what is acted on, from 1; the first when absent. */
    target: z.int().min(1).max(9).exactOptional(),
    /** Names, or all of them, that projects install for themselves. */
    project_tool: z.union([z.literal(true), words]).exactOptional(),
    /** The code that refines the answer. */
    rater: word.exactOptional(),
    /** Words that this code asks for by the name of their list. */
    lists: z
      .record(z.string().regex(/^[a-z][a-z_]*$/, 'a list has a name such as `read_commands`'), words)
      .exactOptional(),
    examples: z.array(example).min(1),
  })
  .refine(
    (row) => row.rater !== undefined || (row.verbs !== undefined) !== (row.level !== undefined),
    'write either `level` and `effect`, or `verbs`, or a `rater`',
  )
  .refine((row) => (row.level === undefined) === (row.effect === undefined), '`level` and `effect` go together')

/** Options and groups of verbs that stand between a program's name and its verb. */
const beforeVerb = options.extend({
  programs: words,
  /** Programs that take the same options; grants by pattern are not offered for them. */
  aliases: words.exactOptional(),
  /** Verbs that only name a group of others: the word behind them is part of the verb. */
  groups: z.union([z.literal('every'), words]).exactOptional(),
})

/** The options of programs, or of some of their verbs, as their manuals list them. */
const optionTable = options.extend({
  programs: words,
  verbs: words.exactOptional(),
  /**
   * `reads`: whatever its words are, it only reads. `words`: its words name every path it changes. `repository`: it changes only
   * the repository's own data and what its words name, in the uses of `runners/git-settings.yaml`.
   */
  proof: z.enum(['reads', 'words', 'repository']).exactOptional(),
  /** Where it does more than read, the proof `repository` applies. */
  changes: z.literal('repository').exactOptional(),
  /** The proof holds only if the settings of the repository run nothing, or if no folder has settings for npm. */
  depends_on: z.enum(['repository', 'npmrc']).exactOptional(),
  /** Options of the type `runs` whose code a rater reads. */
  read_by_rater: words.exactOptional(),
  /** Options that the proof does not cover. */
  unproven: words.exactOptional(),
  /** The only options that the proof covers; all others when absent. */
  proven: words.exactOptional(),
  /** What every word must look like for the proof. */
  proven_words: pattern.exactOptional(),
  /** Values that the proof does not cover: `curl -w @file`. */
  unproven_values: pattern.exactOptional(),
  /** What every variable before the command must look like for the proof, as `NAME=value`. */
  variables: pattern.exactOptional(),
  /** Words that the proof does not cover: `@file`, from which some programs take more words. */
  unproven_words: pattern.exactOptional(),
  /**
   * What the words of a proven program are, options and verbs aside. `files` (the default): it reads them. `pattern`: it
   * reads all but the first. `unread`: it reads the content of none.
   */
  words: z.enum(['files', 'pattern', 'unread']).exactOptional(),
  /** With one of these options there is no word for the pattern. */
  pattern_options: words.exactOptional(),
  /** Options that take two words; the second has the type of the option: `jq --rawfile name file`. */
  two_values: words.exactOptional(),
  /** Options end at the first word that is not an option. */
  words_end_options: z.literal(true).exactOptional(),
  /** Options behind which, and behind their value, all words belong to what runs: `python -m x --y`. */
  then_words: words.exactOptional(),
  /** A word with a dash that is not listed is only text. */
  other_dashes: z.literal('text').exactOptional(),
  /** Long options have one dash; letters are not bundled. */
  single_dash: z.literal(true).exactOptional(),
  /** No value is attached to a letter: `tree -Lo 2 file` has two options with a value each. */
  detached_values: z.literal(true).exactOptional(),
})

/** Packages that `npx` and similar may fetch and run, besides the tools with a row here. */
const knownPackages = z.strictObject({
  tools: words,
  /** They create a project from what they fetch. */
  scaffolds: words,
  /** The program of a package that has another name. */
  programs: z.record(word, word),
})

/** Command lines of programs that print and end before they read any settings of the folder or their project. */
const printed = z.strictObject({ programs: words, words })

/** One file of `knowledge/programs`. */
export const programFile = z.strictObject({
  programs: z.array(program).min(1).exactOptional(),
  option_tables: z.array(optionTable).min(1).exactOptional(),
  before_verb: z.array(beforeVerb).min(1).exactOptional(),
  known_packages: knownPackages.exactOptional(),
  prints: z.array(printed).min(1).exactOptional(),
})

const { rule: _flagRule, matches: _matches, ...ownFlagKeys } = flagRow.shape
const ownFlagRow = named('a row of `flags`', ownFlagKeys).refine(
  ({ flags, type, words }) => [flags, type, words].filter((one) => one !== undefined).length === 1,
  'write one of `flags`, `type` and `words`',
)

// Rules, raters and their words belong to the program's own code; a pattern of a project could take forever.
const {
  rule: _rule,
  rater: _rater,
  lists: _lists,
  project_tool: _projectTool,
  options_of: _optionsOf,
  ...ownKeys
} = program.shape

/** A program in a person's, a project's or an organization's own knowledge. */
export const ownProgram = named('a program', {
  ...ownKeys,
  names: z
    .array(programName.regex(/^[^/]+$/, 'a program is named without its folder'))
    .min(1)
    .max(MAX_LIST),
  about: ownKeys.about.exactOptional(),
  flags: z.array(ownFlagRow).min(1).max(MAX_LIST).exactOptional(),
  examples: ownKeys.examples.max(MAX_LIST).exactOptional(),
})
  .refine(
    (row) => (row.verbs === undefined) !== (row.level === undefined),
    'write either `level` and `effect`, or `verbs`',
  )
  .refine((row) => (row.level === undefined) === (row.effect === undefined), '`level` and `effect` go together')

/** One file of `knowledge/programs`, as it is written. */
export type ProgramFile = z.infer<typeof programFile>
