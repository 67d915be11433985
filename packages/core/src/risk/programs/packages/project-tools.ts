import type { CommandPart } from '../../../command/model/decomposition.ts'
import { rowList, valuedOptionsOf } from '../../../knowledge/programs.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { type Extent, finding, type RiskFinding } from '../../report/finding.ts'
import {
  type Assess,
  anyAbbreviation,
  anyFlag,
  anyPrefix,
  anyWord,
  hasUnknown,
  isDryRun,
} from '../assessor/assessor.ts'
import { rateScriptName } from './script-names.ts'

/** Prefixes of URLs outside a registry. */
export const FOREIGN = [
  'http://',
  'https://',
  'git+',
  'git://',
  'ssh://',
  'github:',
  'gitlab:',
  'bitbucket:',
  'git@',
  'gist:',
]

/** Code from outside the registry counts as a download. */
export const fromElsewhere = (program: string): RiskFinding =>
  finding('high', 'packages.foreign', `${program} installs code from outside the usual registry`)

/** A name that can be shown: not an assignment or a URL. */
export function named(name: string): Extent {
  return /^[\w@:./+-]{1,80}$/.test(name) && !name.includes('://') ? { target: name } : {}
}

/** A script or target of the project, rated by its name. */
export function rateScript(name: string, program: string): RiskFinding {
  switch (rateScriptName(name)) {
    case 'high':
      return finding(
        'high',
        'packages.script',
        `${program} runs a project script whose name suggests that it deploys, publishes or destroys`,
        'unknown',
        named(name),
      )
    case 'medium':
      return finding(
        'medium',
        'packages.script',
        `${program} runs a project script that may change more than files`,
        'partly',
      )
    case 'low':
      return finding('low', 'packages.run', 'runs the project’s own code')
  }
}

const INJECTS = ['SHELL=', '.SHELLFLAGS=', '--eval=', '-E', 'MAKEFLAGS=']
const STDIN = new Set(['-f-', '--file=-', '--makefile=-'])
const INSTALLS = new Set(['install', 'uninstall', 'install-strip', 'dist-upgrade'])

/** `make` and similar: the project's own recipes. */
export const assessMake: Assess = ({ part, program, paths }) => {
  if (anyFlag(part, '-n', '--just-print', '--dry-run', '--recon') && !hasUnknown(part))
    return finding('none', 'build.dry-run', `${program} only prints`)
  if (
    anyFlag(part, '-q', '--question', '-p', '--print-data-base', '--list', '-l', '--summary', '--tasks', '-T') &&
    program !== 'rake'
  )
    if (plainWords(part).length === 0) return finding('none', 'build.list', `${program} only lists`)
  if (
    part.args.some(
      (word, at) => word.value === '-' && /^(?:-f|--file|--makefile|--justfile)$/.test(part.args[at - 1]?.value ?? ''),
    ) ||
    anyWord(part, STDIN) ||
    anyPrefix(part, ...INJECTS) ||
    anyAbbreviation(part, '--eval')
  ) {
    return finding('high', 'build.injection', `${program} takes recipes or a shell from the command line`, 'unknown')
  }
  if (
    paths.some(({ use, place }) => use === 'read' && (place === 'temp' || place === null)) &&
    anyFlag(part, '-f', '-C', '--file')
  )
    return finding('high', 'build.foreign', `${program} runs recipes from a place that anyone can write`, 'unknown')
  const targets = plainWords(part, valuedOptionsOf('make'))
  let worst = finding('low', 'build.run', 'runs the project’s own code', 'partly')
  for (const { value } of targets) {
    if (value === null || value.includes('=')) continue
    if (INSTALLS.has(value)) {
      const machine = part.via.some((label) => /^(?:sudo|doas)/.test(label))
      return finding(
        machine ? 'high' : 'medium',
        'build.install',
        `${program} installs${machine ? ' as another user' : ''}`,
      )
    }
    const rated = rateScript(value, program)
    if (rated.level === 'high') return rated
    if (rated.level === 'medium') worst = rated
  }
  return worst
}

/** cmake: builds and installs; `-E` has file commands. */
export const assessCmake: Assess = (facts) => {
  const { part } = facts
  const at = part.args.findIndex(({ value }) => value === '-E')
  if (at !== -1) {
    const tool = part.args[at + 1]?.value ?? ''
    if (/^(?:rm|remove|remove_directory)$/.test(tool))
      return finding('high', 'files.delete', 'cmake deletes files', 'no')
    return /^(?:echo|cat|compare_files|capabilities|environment|md5sum|sha256sum|sleep|true|false)$/.test(tool)
      ? finding('none', 'plain.read', 'cmake only prints')
      : finding('medium', 'files.write', 'cmake changes files')
  }
  const machine = part.via.some((label) => /^(?:sudo|doas)/.test(label))
  if (anyFlag(part, '--install')) return finding(machine ? 'high' : 'medium', 'build.install', 'cmake installs files')
  const target = part.args.find(
    (_, index) => part.args[index - 1]?.value === '--target' || part.args[index - 1]?.value === '-t',
  )
  return target?.value === 'install'
    ? finding('medium', 'build.install', 'cmake installs files')
    : rateScript(target?.value ?? 'build', 'cmake')
}

/** Linters, compilers, test runners and servers: the project's own tools. */
export const assessDevTool: Assess = ({ part, program }) => {
  const dry = isDryRun(part, '--check', '--snapshot', '--list')
  if (anyWord(part, rowList('tsc', 'publishing_words')) && !dry && !/^(?:jest|vitest|pytest|grep)/.test(program))
    return finding('high', 'packages.publish', `${program} publishes or deploys`, 'no')
  const scripted = part.args.find(({ value }) => value !== null && /^[\w@/.-]{1,80}:[\w-]{1,80}$/.test(value))?.value
  if (
    (program === 'nx' || program === 'turbo' || program === 'ng') &&
    scripted != null &&
    rateScriptName(scripted.split(':')[1] ?? '') === 'high'
  )
    return rateScript(scripted.split(':')[1] ?? '', program)
  if (program === 'celery' && part.args.some(({ value }) => value === 'purge'))
    return finding('high', 'queue.purge', 'celery deletes every waiting task', 'no', { reach: 'all' })
  if (program === 'lerna' && part.args[0]?.value === 'version')
    return finding('medium', 'packages.version', 'lerna changes versions and pushes them to a server')
  if (program === 'xcrun') {
    const xcrun = rateXcrun(part.args.map(({ value }) => value ?? ''))
    if (xcrun !== null) return xcrun
  }
  if (
    /^(?:ruff|dprint|biome|buf|swift|dart)$/.test(program) &&
    /^(?:format|fmt|lint-fix)$/.test(part.args[0]?.value ?? '')
  )
    return checks(part) || (program === 'biome' && !anyFlag(part, '--write'))
      ? finding('low', 'build.run', 'runs the project’s own code')
      : finding('medium', 'build.rewrite', `${program} rewrites project files`, 'yes')
  if (
    anyFlag(part, ...rowList('tsc', 'rewriting_options')) ||
    (program === 'rubocop' && anyFlag(part, '-a', '-A')) ||
    (/^(?:jest|vitest)$/.test(program) && anyFlag(part, '-u'))
  )
    return finding('medium', 'build.rewrite', `${program} rewrites project files`, 'yes')
  if (
    /^(?:playwright|cypress|husky|lefthook|pre-commit|nx|storybook)$/.test(program) &&
    /^(?:install|init|add|migrate|upgrade|install-deps|uninstall|autoupdate)$/.test(part.args[0]?.value ?? '')
  )
    return finding('medium', 'packages.install', `${program} installs or configures something`, 'yes')
  if (program === 'gcc' || program === 'cc') return finding('low', 'build.compile', `${program} compiles code`)
  return finding('low', 'build.run', 'runs the project’s own code')
}

/** Apple's own tools behind `xcrun`. */
function rateXcrun([tool = '', verb = '']: readonly string[]): RiskFinding | null {
  if (tool === 'notarytool' && /^(?:history|info|log|wait)$/.test(verb))
    return finding('none', 'packages.none', 'xcrun only queries submissions')
  if (tool === 'altool' || tool === 'notarytool')
    return finding('high', 'packages.publish', 'xcrun sends the app to a server')
  if (tool !== 'simctl') return null
  if (/^(?:list|help|getenv|get_app_container|listapps|appinfo)$/.test(verb))
    return finding('none', 'devices.none', 'xcrun only reads simulators')
  return /^(?:erase|delete|uninstall|shutdown)$/.test(verb)
    ? finding('medium', 'devices.medium', 'xcrun erases or deletes simulators', 'partly')
    : finding('low', 'devices.low', 'xcrun runs a simulator')
}

function checks(part: CommandPart): boolean {
  return anyFlag(
    part,
    '--check',
    '--diff',
    '--dry-run',
    '--verify',
    '--lint',
    '--list',
    '--list-different',
    '--test',
    '--output-file',
  )
}

/** Formatters write back only with these flags. */
const NEEDS_FLAG: ReadonlyMap<string, readonly string[]> = new Map([
  ['gofmt', ['-w']],
  ['shfmt', ['-w']],
  ['clang-format', ['-i']],
  ['google-java-format', ['-i', '--replace']],
  ['autopep8', ['-i', '--in-place']],
  ['yapf', ['-i', '--in-place']],
  ['autoflake', ['-i', '--in-place']],
  ['docformatter', ['-i', '--in-place']],
  ['npm-check-updates', ['-u', '--upgrade']],
  ['ncu', ['-u', '--upgrade']],
  ['djlint', ['--reformat']],
  ['ormolu', ['-i', '--mode']],
  ['php-cs-fixer', ['fix']],
])

/** Formatters: they rewrite the project, or only report. */
export const assessFormatter: Assess = ({ part, program }) => {
  const needs = NEEDS_FLAG.get(program)
  const writes =
    needs === undefined
      ? !checks(part) && !(program === 'black' && anyFlag(part, '-c'))
      : needs.some((flag) => anyFlag(part, flag) || anyWord(part, new Set([flag])))
  return writes && !isDryRun(part)
    ? finding('medium', 'build.rewrite', `${program} rewrites project files`, 'yes')
    : finding('low', 'build.run', 'runs the project’s own code')
}

const RELEASES = new Set(['publish', 'tag', 'unpublish'])

/** `changeset`, `semantic-release` and similar: they publish, unless they only show or change versions. */
export const assessRelease: Assess = ({ part, program }) => {
  if (part.args.some(({ value }) => /^(?:status|ls|list|show|--dry-run|-d|--ci-dry)$/.test(value ?? '')))
    return finding('none', 'packages.none', `${program} only shows what it would do`)
  const versions = /^changesets?$/.test(program) || program === 'vsce'
  return versions && !RELEASES.has(part.args[0]?.value ?? '')
    ? finding('medium', 'packages.version', `${program} changes versions and release notes of the project`)
    : finding('high', 'packages.publish', `${program} publishes to everyone`)
}

/** `hyperfine`: the commands are rated as parts where they could be read. */
export const assessBenchmark: Assess = ({ program, hasInner }) =>
  finding(hasInner ? 'none' : 'high', 'code.bench', `${program} runs the given commands`)
