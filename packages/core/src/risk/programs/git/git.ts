import type { CommandWord } from '../../../command/model/decomposition.ts'
import { rowList } from '../../../knowledge/programs.ts'
import { gitFolders } from '../../arguments/git-directories.ts'
import { isInside } from '../../path/category.ts'
import { type Extent, finding, type RiskFinding } from '../../report/finding.ts'
import { riskRank } from '../../report/level.ts'
import { type Assess, anyPrefix, hasUnknown, type PartFacts } from '../assessor/assessor.ts'
import { matchVerb, rateVerbs } from '../assessor/rate-verbs.ts'
import { assessGitConfig, injectsSetting } from './config.ts'

/** A setting given before the verb can name a program that git then runs. */
function injects(before: readonly CommandWord[]): boolean {
  return before.some(({ value }, at) => {
    if (value === null) return true
    if (value === '-c') return injectsSetting(before[at + 1]?.value ?? 'alias.unknown')
    if (value.startsWith('-c') && /^-c./.test(value)) return injectsSetting(value.slice(2))
    if (value === '-p' || value === '--paginate') return true
    return value.startsWith('--config-env') || value.startsWith('--exec-path=')
  })
}

/** Options with which single verbs run another program; those of any verb are in the row. */
const RUNNING_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['rebase', ['-x', '--exec']],
  ['difftool', ['-x', '--extcmd']],
  ['grep', ['-O']],
  ['clone', ['-u', '-c', '--config']],
  ['archive', ['--exec']],
  ['push', ['--exec']],
  ['fetch-pack', ['--exec']],
  ['remote-ext', ['']],
])
/** Matches only an option that is cut off, such as `--no`. */
const CUT_OFF = ['--no-such-flag']
const DISCARDS = new Set(['.', ':/', '*', './', ':', ':(top)'])

/** Verbs that look at no repository where they are started. */
const STARTS = new Set(['clone', 'init', 'version', 'help'])

export const assessGit: Assess = (facts) => {
  const own = assessUse(facts)
  const foreign = assessRepository(facts)
  return foreign === null || riskRank(foreign.level) <= riskRank(own.level) ? own : foreign
}

/** A repository's own settings name programs that git runs, so whose repository it is matters. */
function assessRepository({ part, verb, paths, places, folder }: PartFacts): RiskFinding | null {
  if (verb.kind === 'none' || (verb.kind === 'verb' && STARTS.has(verb.verb))) return null
  const outside = gitFolders(part)
    .map((given) => paths.find((path) => path.given === given) ?? folder)
    .filter(({ at }) => at === null || !isInside(at, places.workspace))
  if (outside.length === 0) return null
  if (outside.some(({ place }) => place === null || place === 'temp' || place === 'device'))
    return finding(
      'high',
      'git.foreign',
      'git follows the settings of a repository that anyone can write, or in an unknown place',
      'unknown',
    )
  return finding('medium', 'git.foreign', 'git follows the settings of a repository outside the workspace', 'unknown')
}

/** The words of a verb, and which flags stand among them. */
interface Use {
  readonly verb: string
  readonly words: readonly (string | null)[]
  readonly facts: PartFacts
  /** Whether one of these flags is there: bundled and shortened too. */
  readonly has: (...flags: readonly string[]) => boolean
}

function useOf(facts: PartFacts, verb: string, rest: readonly CommandWord[]): Use {
  const words: (string | null)[] = []
  const options: string[] = []
  let ended = false
  for (const { value } of rest) {
    words.push(value)
    ended ||= value === '--'
    if (!ended && value?.startsWith('-') === true) options.push(value)
  }
  const has = (...flags: readonly string[]) =>
    options.length > 0 && flags.some((flag) => options.some((option) => isFlag(option, flag)))
  return { verb, words, facts, has }
}

function isFlag(option: string, flag: string): boolean {
  if (flag.startsWith('--')) {
    if (!option.startsWith('--')) return false
    const equals = option.indexOf('=')
    const name = equals === -1 ? option : option.slice(0, equals)
    return name === flag || (name.length > 2 && flag.startsWith(name))
  }
  if (option.startsWith('--')) return false
  return /^-[a-zA-Z0-9]+/.exec(option)?.[0].includes(flag.slice(1)) === true
}

const assessUse: Assess = (facts) => {
  const { part, verb } = facts
  const before = verb.kind === 'verb' ? part.args.slice(0, part.args.length - verb.rest.length - 1) : part.args
  if (injects(before))
    return finding('high', 'git.injection', 'git runs with a setting that can run a program', 'unknown')
  if (anyPrefix(part, 'ext::', 'fd::'))
    return finding('high', 'git.injection', 'git uses a URL that runs a program', 'unknown')
  if (verb.kind !== 'verb') return rateVerbs(facts)
  const use = useOf(facts, verb.verb, verb.rest)
  if (use.has(...rowList('git', 'running_options')) || use.has(...(RUNNING_OPTIONS.get(verb.verb) ?? CUT_OFF)))
    return finding('high', 'git.powers', 'git may run another program or write a file', 'unknown')
  const own = BY_VERB.get(verb.verb)?.(use) ?? null
  if (own === null) return rateVerbs(facts)
  if (facts.row.flags === undefined) return own
  const { finding: listed, byFlag } = matchVerb(facts)
  return byFlag === true && riskRank(listed.level) > riskRank(own.level) ? listed : own
}

const nothing = (verb: string) => finding('none', 'git.dry-run', `git ${verb} only shows what it would do`)
const aborts = (verb: string) => finding('low', 'git.low', `aborts a git ${verb} in progress`)
const targetOf = ({ words }: Use): Extent => {
  const named = words.filter((word): word is string => word !== null && /^[\w][\w./-]{0,120}$/.test(word))
  const last = named.at(-1)
  return last === undefined ? {} : { reach: named.length > 2 ? 'several' : 'one', target: last }
}

type ByVerb = (use: Use) => RiskFinding | null

const isDry = ({ facts, has, words }: Use, ...flags: readonly string[]) =>
  has(...flags) && !hasUnknown(facts.part) && !words.some((word) => word?.startsWith('--no-dry') === true)

const push: ByVerb = (use) => {
  if (isDry(use, '--dry-run', '-n')) return nothing('push')
  const { words, has } = use
  const rewrites = words.some((word) => word !== null && /^\+|^:./.test(word))
  if (has('--mirror'))
    return finding('high', 'git.force-push', 'git push mirrors this repository to the server', 'partly', {
      reach: 'all',
    })
  if (rewrites || has('--force', '-f', '--force-with-lease', '--force-if-includes'))
    return finding('high', 'git.force-push', 'git push rewrites history that others may have', 'partly', targetOf(use))
  if (has('--delete', '-d', '--prune'))
    return finding(
      'high',
      'git.delete-push',
      'git push deletes branches or tags on the server',
      'partly',
      targetOf(use),
    )
  return finding('medium', 'git.push', 'git push sends commits to a server', 'partly', targetOf(use))
}

const discards: ByVerb = ({ verb, words, has }) => {
  const staged = has('--staged', '-S') && !has('--worktree', '-W')
  if (verb === 'restore' && staged) return finding('low', 'git.low', 'git restore unstages changes')
  if (verb !== 'restore' && has('-f', '--force', '--discard-changes'))
    return finding('high', 'git.discard', `git ${verb} discards changes`, 'no')
  if (words.some((word) => word !== null && DISCARDS.has(word)) && !has('-b', '-B', '-c', '-C'))
    return finding('high', 'git.discard', `git ${verb} discards all uncommitted changes`, 'no', {
      reach: 'all',
    })
  if (has('-B', '-C')) return finding('medium', 'git.medium', `git ${verb} moves a branch`, 'yes')
  if (verb === 'restore') return finding('medium', 'git.medium', 'git restore discards changes to files', 'no')
  const dashes = words.indexOf('--')
  const files =
    dashes !== -1 ? words.length > dashes + 1 : words.some((word) => word !== null && /[/\w]\.\w{1,5}$/.test(word))
  return files && verb === 'checkout'
    ? finding('medium', 'git.medium', 'git checkout discards changes to files', 'no')
    : finding('low', 'git.low', `git ${verb} changes the branch`)
}

const LISTS =
  /^(?:-[avrln]{1,4}|-n?\d{1,6}|--list|--all|--remotes|--verbose|--show-current|--column|--contains|--no-contains|--merged|--no-merged|--points-at|--sort=.*|--sort|--format=.*|--format|--color(?:=.*)?|--no-color|--no-column|--ignore-case|-i|show|HEAD)$/

/** Listing: nothing but flags that list, or words behind one of them. */
function lists({ verb, words }: Use): boolean {
  const asks = words.some(
    (word) => word !== null && /^(?:-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at)$/.test(word),
  )
  const changes = words.some(
    (word) =>
      word !== null && /^(?:-[a-zA-Z]*[dDmMcCfu]|--(?:delete|force|move|copy|set-upstream|unset|edit))/.test(word),
  )
  if (changes) return false
  if (asks) return true
  return words.every((word) => word !== null && (LISTS.test(word) || (verb === 'reflog' && word.startsWith('-'))))
}

const branch: ByVerb = (use) => {
  if (lists(use)) return finding('none', 'git.none', 'git branch only lists')
  if (use.has('-D', '-M', '-C', '-f', '--force'))
    return finding(
      'high',
      'git.branch',
      'git branch deletes or moves a branch that may contain unmerged commits',
      'partly',
      targetOf(use),
    )
  return finding('low', 'git.low', 'git branch creates, renames or deletes a merged branch', 'yes', targetOf(use))
}

const tag: ByVerb = (use) => {
  if (lists(use) || use.has('-v', '--verify')) return finding('none', 'git.none', 'git tag only lists')
  return use.has('-d', '--delete', '-f', '--force')
    ? finding('medium', 'git.tag', 'git tag deletes or moves a tag', 'partly', targetOf(use))
    : finding('low', 'git.low', 'git tag creates a tag', 'yes', targetOf(use))
}

const reset: ByVerb = (use) =>
  use.has('--hard', '--merge', '--keep')
    ? finding('high', 'git.reset', 'git reset discards uncommitted changes', 'no', { reach: 'all' })
    : null

const stops: ByVerb = ({ verb, has }) => {
  if (has('--abort', '--quit')) return aborts(verb)
  if (has('--show-current-patch')) return finding('none', 'git.none', `git ${verb} only shows`)
  return verb === 'rebase' && has('--continue', '--skip')
    ? finding('medium', 'git.medium', 'git rebase continues to rewrite commits')
    : null
}

const SHOWN = finding('medium', 'git.runs', 'git runs the command shown repeatedly')

const BY_VERB: ReadonlyMap<string, ByVerb> = new Map<string, ByVerb>([
  ['push', push],
  ['checkout', discards],
  ['restore', discards],
  ['switch', discards],
  ['branch', branch],
  ['tag', tag],
  ['reset', reset],
  ['rebase', stops],
  ['merge', stops],
  ['cherry-pick', stops],
  ['revert', stops],
  ['am', stops],
  ['config', ({ facts }) => assessGitConfig(facts)],
  ['bisect', ({ words, facts }) => (words[0] === 'run' && facts.hasInner ? SHOWN : null)],
  ['submodule', ({ words, facts }) => (words.includes('foreach') && facts.hasInner ? SHOWN : null)],
  ['clean', (use) => (isDry(use, '--dry-run', '-n') ? nothing('clean') : null)],
  ['add', (use) => (isDry(use, '--dry-run', '-n') ? nothing('add') : null)],
  ['rm', (use) => (isDry(use, '--dry-run', '-n') ? nothing('rm') : null)],
  ['mv', (use) => (isDry(use, '--dry-run', '-n') ? nothing('mv') : null)],
  ['prune', (use) => (isDry(use, '--dry-run', '-n') ? nothing('prune') : null)],
  ['remote', (use) => (lists(use) ? finding('none', 'git.none', 'git remote only lists') : null)],
  ['reflog', (use) => (lists(use) ? finding('none', 'git.none', 'git reflog only lists') : null)],
  [
    'apply',
    ({ has }) =>
      has('--check', '--stat', '--numstat', '--summary') && !has('--apply')
        ? finding('none', 'git.none', 'git apply only checks')
        : null,
  ],
  [
    'commit',
    (use) => {
      // `-n` skips the hooks here: it is no dry run.
      if (isDry(use, '--dry-run')) return nothing('commit')
      return use.has('--amend') ? finding('medium', 'git.amend', 'git commit rewrites the last commit', 'yes') : null
    },
  ],
  [
    'gc',
    ({ words }) =>
      words.some((word) => word !== null && /^--p[rune]{0,4}=(?:now|all)$/.test(word))
        ? finding('critical', 'git.gc', 'git gc deletes the last references to lost commits', 'no', { reach: 'all' })
        : null,
  ],
  [
    'symbolic-ref',
    ({ words, has }) =>
      words.filter((word) => word === null || !word.startsWith('-')).length <= 1 && !has('-d', '--delete')
        ? finding('none', 'git.none', 'git symbolic-ref only reads')
        : null,
  ],
  ['hash-object', ({ has }) => (has('-w') ? null : finding('none', 'git.none', 'git hash-object only computes'))],
  ['format-patch', ({ has }) => (has('--stdout') ? finding('none', 'git.none', 'git format-patch only prints') : null)],
  ['replace', ({ has }) => (has('-l', '--list') ? finding('none', 'git.none', 'git replace only lists') : null)],
  [
    'worktree',
    (use) =>
      use.words[0] === 'remove' && use.has('-f', '--force')
        ? finding('high', 'git.worktree', 'git worktree removes a folder with its changes', 'no', targetOf(use))
        : null,
  ],
])
